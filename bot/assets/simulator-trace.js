// "O que aconteceu": the way of one message through the server, step by step, in plain words.

import { authorName, deliveryError, plain } from "./simulator-chat.js";
import { clock, duration, el, hour, icon } from "./simulator-ui.js";

// Every text about triage, gates and outcomes lives in these tables. A value the page does not know
// yet is shown as it came, so a newer server never leaves a hole here.

const VERDICTS = {
  proceed: "Mensagem comum: segue para o bot.",
  frustrated: "Cliente irritado: recebe na hora uma resposta pronta.",
  "human-request": "Cliente pediu uma pessoa: recebe uma resposta pronta.",
  loop: "Cliente repetiu a mesma pergunta sem ser ajudado: recebe uma resposta pronta.",
};

const RULES = {
  profanity: "palavrão",
  "profanity-aimed": "palavrão dirigido ao atendimento",
  "profanity-booster": "palavrão que reforça a queixa",
  "angry-emoji": "emoji de raiva",
  evaluative: "julgamento duro do atendimento",
  "evaluative-alone": "julgamento duro, sozinho na mensagem",
  "evaluative-fails": "“não funciona”",
  "evaluative-hate": "“odeio”",
  "evaluative-mild": "julgamento do atendimento",
  "complaint-outrage": "indignação",
  "complaint-feeling": "queixa sobre como se sente",
  "complaint-unresolved": "queixa de que nada se resolve",
  "caps-marks": "maiúsculas com muitos sinais",
  "caps-pressure": "maiúsculas com cobrança",
  "human-talk": "quer falar com alguém",
  "human-transfer": "quer ser transferido",
  "human-summon": "chama uma pessoa",
  "human-wanted": "prefere uma pessoa",
  "human-role-noun": "pede um atendente",
  "human-role-alone": "escreveu só o cargo",
  "human-anti-bot": "não quer robô",
  "loop-similar": "três mensagens parecidas",
};

const GATES = {
  paused: "o bot está pausado nesta conversa",
  human: "uma pessoa está cuidando da conversa",
  too_old: "a mensagem chegou tarde demais",
  window_closed: "a janela de 24 horas do WhatsApp fechou",
  rate_limited: "o limite de mensagens foi atingido",
};

const OUTCOMES = {
  answered: { label: "Respondida", tone: "good", text: "O bot leu esta mensagem e respondeu." },
  preempted: { label: "Resposta pronta", tone: "warn", text: "Resposta pronta da triagem; nenhum modelo foi chamado." },
  coalesced: { label: "Lida com outras", tone: "good", text: "Chegou junto com outras mensagens; uma só resposta cobre todas." },
  human: { label: "Com uma pessoa", tone: "", text: "Uma pessoa está cuidando desta conversa, então o bot ficou em silêncio." },
  too_old: { label: "Antiga demais", tone: "warn", text: "Chegou tarde demais para uma resposta automática fazer sentido. O bot não respondeu." },
  window_closed: { label: "Janela fechada", tone: "warn", text: "Passaram mais de 24 horas desde a última mensagem do cliente, e o WhatsApp não aceita mais uma resposta livre." },
  rate_limited: { label: "Limite atingido", tone: "warn", text: "Foram mensagens demais em pouco tempo. O bot não respondeu a esta." },
  ignored: { label: "Ignorada", tone: "", text: "O servidor guardou a mensagem e decidiu não responder." },
  failed: { label: "Falhou", tone: "bad", text: "Algo deu errado e a resposta não saiu." },
};

const IN_PROGRESS = { label: "Em andamento", tone: "", text: "O servidor ainda está cuidando desta mensagem." };

const DELIVERIES = {
  pending: { label: "Na fila", tone: "", text: "A resposta está pronta e espera a vez de ser enviada." },
  sending: { label: "Enviando", tone: "", text: "A resposta está sendo entregue ao WhatsApp." },
  sent: { label: "Enviada", tone: "good", text: "O WhatsApp aceitou a mensagem." },
  delivered: { label: "Entregue", tone: "good", text: "A mensagem chegou ao telefone do cliente." },
  read: { label: "Lida", tone: "good", text: "O cliente abriu a mensagem." },
  failed: { label: "Não entregue", tone: "bad", text: "O WhatsApp recusou a mensagem." },
  unknown: { label: "Sem confirmação", tone: "warn", text: "Não dá para saber se o WhatsApp recebeu. O servidor não repete o envio sozinho." },
  cancelled: { label: "Cancelada", tone: "", text: "A mensagem foi cancelada antes de sair." },
};

const NOT_DELIVERED = { label: "Resposta não entregue", tone: "bad", text: "O bot respondeu, mas o WhatsApp recusou a resposta." };

const NOTE = { label: "Nota interna", tone: "", text: "Só a equipe vê esta nota. Ela nunca é enviada ao cliente." };

const HANDOFF_REASONS = {
  "human-request": "o cliente pediu uma pessoa",
  frustrated: "o cliente ficou irritado",
  loop: "a conversa andava em círculos",
  profanity: "palavrão na mensagem",
  technical_problem: "o bot não conseguiu responder",
  bot_loop: "parecia um robô falando com outro",
  human_request: "o cliente pediu uma pessoa",
  crisis: "alguém pode estar em perigo",
  operator: "uma pessoa assumiu",
  asked: "o bot chamou um atendente",
  falha_consulta: "uma ferramenta falhou",
  spend_ceiling: "o limite de gastos do mês foi atingido",
};

export function handoffReason(reason) {
  return reason ? `Motivo: ${HANDOFF_REASONS[reason] ?? reason}.` : "";
}

// Steps. Each is {label, at?, about?, tone?}; tone "waiting" is still to come, "now" is under way.

function deliverySteps(trace, delivery, error) {
  const steps = [];
  const step = (label, at, done, about) => steps.push({ label, at, about, tone: done ? "good" : "waiting" });
  const reached = (...states) => states.includes(delivery);
  if (delivery === "failed") return [{ label: "Falhou no envio", at: trace.sent_at, tone: "bad", about: deliveryError(error) }];
  if (delivery === "cancelled") return [{ label: "Envio cancelado", tone: "waiting" }];
  if (delivery === "unknown") return [{ label: "Envio sem confirmação", at: trace.sent_at, tone: "warn" }];
  step("Enviada ao WhatsApp", trace.sent_at, trace.sent_at || reached("sent", "delivered", "read"));
  step("Entregue no telefone", trace.delivered_at, trace.delivered_at || reached("delivered", "read"));
  step("Lida pelo cliente", trace.read_at, reached("read"));
  return steps;
}

function turnStep(trace) {
  const together = trace.read_with?.length ?? 0;
  if (trace.model === "triage" || trace.model === "none") {
    const label = trace.model === "triage" ? "Resposta pronta escolhida" : "Desistiu de responder";
    return { label, at: trace.turn_started_at, about: "Nenhum modelo respondeu.", tone: "done" };
  }
  const about = [
    trace.turn_id ? `Turno ${trace.turn_id}` : null,
    trace.model ? `modelo ${trace.model}` : null,
    together > 1 ? `${together} mensagens lidas juntas` : null,
  ].filter(Boolean).join(", ");
  return { label: "Bot começou a ler", at: trace.turn_started_at, about, tone: "done" };
}

// Tools: what each is called for operators, and how a call ended.

const TOOLS = {
  transferir_atendimento: "Chamar um atendente",
  buscar_conhecimento: "Buscar na base de conhecimento",
  list_my_memories: "Listar o que se sabe do cliente",
  esquecer_meus_dados: "Esquecer os dados do cliente",
  consultar_horarios: "Consultar horários",
  cadastrar_paciente: "Cadastrar paciente",
  agendar_horario: "Agendar horário",
  cancelar_horario: "Cancelar horário",
};

const CALLS = {
  done: ["deu certo", "done"],
  replayed: ["já tinha sido feita, não foi repetida", "done"],
  failed: ["falhou", "bad"],
  corrected: ["dados recusados, pedida correção ao modelo", "warn"],
  withheld: ["não foi feita, porque outra falhou", "warn"],
  unknown: ["não existe", "warn"],
  uncontrolled: ["erro inesperado", "bad"],
};

function callSteps(trace) {
  return (trace.calls ?? []).map((call) => {
    const [words, tone] = CALLS[call.ended] ?? [call.ended, "warn"];
    const failure = call.failure ? ` ${call.failure}.` : "";
    return { label: TOOLS[call.tool] ?? `Ferramenta ${call.tool}`, about: `${words} (${call.duration_ms} ms).${failure}`, tone };
  });
}

function inboundSteps(message, reply) {
  const trace = message.trace;
  const steps = [
    { label: "Escrita pelo cliente", at: trace.written_at, tone: "done" },
    { label: "Recebida pelo servidor", at: trace.received_at, about: "Assinatura conferida e mensagem guardada.", tone: trace.received_at ? "done" : "waiting" },
  ];
  const ended = trace.outcome !== null && trace.outcome !== undefined;
  const answered = ["answered", "coalesced", "preempted"].includes(trace.outcome);

  if (trace.verdict) {
    const rule = trace.rule ? ` Regra: ${RULES[trace.rule] ?? trace.rule}.` : "";
    steps.push({ label: "Triagem", about: (VERDICTS[trace.verdict] ?? trace.verdict) + rule, tone: trace.verdict === "proceed" ? "done" : "warn" });
  } else if (!ended) steps.push({ label: "Triagem", tone: "waiting" });

  if (trace.gate) {
    steps.push({ label: "Não pode responder", about: `Porque ${GATES[trace.gate] ?? trace.gate}.`, tone: "bad" });
  } else if (trace.turn_started_at) {
    steps.push({ label: "Pode responder", about: "Nada impede o bot nesta conversa.", tone: "done" });
  }

  if (trace.turn_started_at) steps.push(turnStep(trace), ...callSteps(trace));
  else if (!ended && !trace.gate) steps.push({ label: "Bot começa a ler", about: "Espera um pouco, caso venham mais mensagens.", tone: "waiting" });

  if (answered || !ended) {
    const label = trace.outcome === "preempted" ? "Resposta pronta" : "Resposta escrita";
    if (trace.answered_at || !trace.gate) steps.push({ label, at: trace.answered_at, tone: trace.answered_at || answered ? "done" : "waiting" });
    if (answered) steps.push(...deliverySteps(trace, reply?.delivery, reply?.error));
  } else {
    const outcome = OUTCOMES[trace.outcome];
    steps.push({ label: "Sem resposta do bot", about: outcome ? null : trace.outcome, tone: trace.outcome === "failed" ? "bad" : "waiting" });
  }
  return steps;
}

function outboundSteps(message) {
  const trace = message.trace ?? {};
  const steps = [];
  if (trace.turn_started_at) steps.push(turnStep(trace), ...callSteps(trace));
  const label = ["human", "operator"].includes(message.author) ? "Escrita por uma pessoa" : "Resposta escrita";
  steps.push({ label, at: trace.answered_at ?? trace.written_at ?? message.at, tone: "done" });
  return [...steps, ...deliverySteps(trace, message.delivery, message.error)];
}

/** The first step still to come is the one under way; it pulses. */
function markCurrent(steps) {
  const lastDone = steps.findLastIndex((step) => step.tone !== "waiting");
  const next = steps[lastDone + 1];
  if (next) next.current = true;
  return steps;
}

function drawSteps(steps) {
  const items = [];
  let last = null;
  for (const step of steps) {
    if (step.at && last) {
      // WhatsApp's own times have whole seconds, so a step may seem to come before the previous one.
      const text = duration(Math.max(0, new Date(step.at) - new Date(last)));
      items.push(el("li", { class: "gap" }, el("span", {}, el("span", { class: "sr-only" }, "depois de "), `+ ${text}`)));
    }
    if (step.at) last = step.at;
    items.push(el("li", { class: `step ${step.tone}${step.current ? " now" : ""}` },
      el("span", { class: "dot" }),
      el("span", { class: "label" }, step.label, step.tone === "waiting" ? el("span", { class: "sr-only" }, ", ainda não") : null),
      step.at ? el("time", { class: "at", datetime: step.at }, clock(step.at)) : null,
      step.about ? el("span", { class: "about" }, step.about) : null));
  }
  return el("ol", { class: "steps" }, ...items);
}

// The panel

function summaryOf(message, reply) {
  if (message.direction === "note") return NOTE;
  if (message.direction === "out") return DELIVERIES[message.delivery] ?? { label: "Registrada", tone: "", text: "Sem informação de entrega." };
  const outcome = message.trace?.outcome;
  if (!outcome) return IN_PROGRESS;
  if (reply?.delivery === "failed") return NOT_DELIVERED;
  return OUTCOMES[outcome] ?? { label: outcome, tone: "", text: "" };
}

/** How long the customer waited: from the moment the server had the message until the reply left. */
function speedOf(message) {
  const trace = message.trace;
  const end = trace?.sent_at ?? trace?.answered_at;
  if (message.direction !== "in" || !trace?.received_at || !end) return null;
  return el("p", { class: "speed" }, duration(Math.max(0, new Date(end) - new Date(trace.received_at))), el("small", {}, "até a resposta sair"));
}

function quote(message, assistant, tag = "div", attributes = {}) {
  return el(tag, { class: "quote", ...attributes },
    el("span", { class: "who" }, `${authorName(message, assistant)}, ${hour(message.at)}`),
    el("span", { class: "what" }, plain(message.text)));
}

function related(title, messages, state, onSelect) {
  if (messages.length === 0) return null;
  const items = messages.map((message) =>
    el("li", {}, quote(message, state.assistant, "button", { type: "button", onclick: () => onSelect(message) })));
  return el("div", { class: "related" }, el("h3", {}, title), el("ul", {}, ...items));
}

let drawn = "";

/** Draws the panel for one message of the state; without one, says what the panel is for. */
export function drawTrace(body, message, state, onSelect) {
  // Most states do not touch the shown message; redrawing would drop focus and restart the pulse.
  const turnId = message?.trace?.turn_id;
  const involved = state.messages.filter((other) => other.id === message?.id || (turnId && other.trace?.turn_id === turnId));
  const signature = JSON.stringify([state.customer.key, state.assistant.name, message?.id, involved]);
  if (signature === drawn) return;
  drawn = signature;

  if (!message) {
    body.replaceChildren(el("div", { class: "trace-empty" }, icon("i-route"),
      el("p", {}, "Envie uma mensagem para ver o caminho dela pelo servidor, passo a passo.")));
    return;
  }
  const sameTurn = (direction) => state.messages.filter((other) => turnId && other.trace?.turn_id === turnId && other.direction === direction);
  const replies = message.direction === "in" ? sameTurn("out") : [];
  const readWith = new Set((message.trace?.read_with ?? []).map(String));
  const together = state.messages.filter((other) => other.id !== message.id && readWith.has(String(other.id)));

  const reply = replies.at(-1);
  const summary = summaryOf(message, reply);
  const detail = message.trace?.outcome_detail;
  const steps = message.direction === "note" || (message.direction === "in" && !message.trace) ? null
    : message.direction === "out" ? outboundSteps(message) : inboundSteps(message, reply);
  const underWay = message.direction === "in" ? !message.trace?.outcome : ["pending", "sending"].includes(message.delivery);

  body.replaceChildren(...[
    quote(message, state.assistant),
    el("div", { class: "verdict" },
      reply?.delivery === "failed" ? null : speedOf(message),
      el("span", { class: `badge ${summary.tone}` }, summary.label),
      el("p", {}, summary.text),
      detail ? el("p", { class: "detail" }, detail) : null),
    steps ? drawSteps(underWay ? markCurrent(steps) : steps) : null,
    message.direction === "in"
      ? related(`Lida junto com mais ${together.length === 1 ? "uma mensagem" : `${together.length} mensagens`}`, together, state, onSelect)
      : related("Em resposta a", sameTurn("in"), state, onSelect),
    related(replies.length === 1 ? "Resposta" : "Respostas", replies, state, onSelect),
  ].filter(Boolean));
}
