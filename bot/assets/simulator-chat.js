// The message log: WhatsApp marks, bubbles, separators, and updating them without redrawing.

import { dayLabel, el, hour, icon } from "./simulator-ui.js";

// WhatsApp marks

// A mark counts only at the edges of a word, so "2*3*4" and "nome_do_arquivo" stay as they are.
// A block is drawn on lines of its own, so it takes the line breaks around it along.
const MARK = /\n*```([\s\S]+?)```\n*|`([^`\n]+)`|(https?:\/\/[^\s<>"]+)|(?<![\p{L}\p{N}])([*_~])(?!\4)(?=\S)([^\n]*?\S)\4(?![\p{L}\p{N}])/u;
const TAGS = { "*": "strong", _: "em", "~": "s" };

/** Turns a message's text into nodes. Only text nodes carry data, so nothing in it can run. */
export function formatted(text) {
  const nodes = [];
  let rest = text;
  for (let match = MARK.exec(rest); match; match = MARK.exec(rest)) {
    const [whole, block, code, url, mark, marked] = match;
    if (match.index > 0) nodes.push(rest.slice(0, match.index));
    let used = whole.length;
    if (block !== undefined) nodes.push(el("pre", {}, block.replace(/^\n+|\n+$/g, "")));
    else if (code !== undefined) nodes.push(el("code", {}, code));
    else if (url !== undefined) {
      const href = url.replace(/[.,;:!?)\]}'*_~]+$/, ""); // the end of a sentence is not part of its link
      used = href.length;
      nodes.push(el("a", { href, target: "_blank", rel: "noopener noreferrer nofollow" }, href));
    } else nodes.push(el(TAGS[mark], {}, ...formatted(marked)));
    rest = rest.slice(match.index + used);
  }
  if (rest) nodes.push(rest);
  return nodes;
}

/** The same text without its marks, for previews of one line. */
export function plain(text) {
  const pieces = formatted(text).map((node) => (node.tagName === "PRE" ? ` ${node.textContent} ` : node.textContent ?? node));
  return pieces.join("");
}

// Ticks

const DELIVERIES = {
  pending: ["t-clock", "na fila para envio"],
  sending: ["t-clock", "enviando"],
  sent: ["t-check", "enviada"],
  delivered: ["t-checks", "entregue"],
  read: ["t-checks", "lida", "read"],
  failed: ["t-alert", "não entregue", "bad"],
  unknown: ["t-unknown", "sem confirmação de envio"],
  cancelled: ["t-cancelled", "envio cancelado"],
};

/** What the corner of a bubble says: [icon, words, tone], or null for notes. */
function ticksOf(message) {
  if (message.direction === "note") return null;
  if (message.direction === "out") return DELIVERIES[message.delivery] ?? null;
  if (message.waiting) return message.failed ? DELIVERIES.failed : DELIVERIES.sending;
  const trace = message.trace;
  // The customer's own bubbles turn blue once the bot has taken the message up.
  const taken = trace?.turn_started_at || ["answered", "coalesced", "preempted"].includes(trace?.outcome);
  return taken ? ["t-checks", "lida pelo bot", "read"] : ["t-checks", "recebida"];
}

/** Why WhatsApp refused a message, for the codes a business is likely to meet. */
export const DELIVERY_ERRORS = {
  130429: "muitas mensagens em pouco tempo",
  131026: "o número não pode receber mensagens",
  131047: "mais de 24 horas desde a última mensagem do cliente",
  131049: "o WhatsApp preferiu não entregar para não incomodar o cliente",
  131056: "muitas mensagens seguidas para o mesmo cliente",
};

export function deliveryError(code) {
  if (!code) return "Não entregue.";
  const reason = DELIVERY_ERRORS[code];
  return reason ? `Não entregue: ${reason} (erro ${code}).` : `Não entregue (erro ${code}).`;
}

// Entries: what the log shows, in order, each with a stable key

const GROUP_MS = 5 * 60_000;

/** Interleaves messages with day separators and conversation dividers. */
export function entriesOf(messages, conversation, assistant) {
  const entries = [];
  const days = new Set();
  let previous = null;
  for (const message of messages) {
    const day = new Date(message.at).toDateString();
    const newDay = !days.has(day); // a late message of yesterday does not repeat yesterday's separator
    days.add(day);
    const ended = previous?.conversation_id && message.conversation_id && previous.conversation_id !== message.conversation_id;
    if (ended) entries.push({ key: `end:${previous.conversation_id}`, type: "end", text: "Conversa encerrada" });
    if (newDay) entries.push({ key: `day:${day}`, type: "day", text: dayLabel(message.at) });
    const first = newDay || ended || previous.direction !== message.direction || previous.author !== message.author
      || new Date(message.at) - new Date(previous.at) > GROUP_MS;
    entries.push({ key: message.key, type: "message", message, first, name: authorName(message, assistant) });
    previous = message;
  }
  if (conversation?.state === "resolved" && previous && !previous.waiting) {
    entries.push({ key: `end:${conversation.id}`, type: "end", text: "Conversa encerrada" });
  }
  return entries;
}

export function authorName(message, assistant) {
  if (message.author === "bot") return assistant.name;
  if (["human", "operator"].includes(message.author)) return "Atendente";
  return message.author === "system" ? "Lembra" : "Cliente";
}

// Views: one node per entry, kept while the entry lives. Redrawing everything on each state would
// lose text selection and focus, and make screen readers repeat the whole conversation.

function dividerView() {
  const span = el("span");
  const node = el("li", {}, span);
  const update = (entry) => {
    node.className = entry.type === "end" ? "divider end" : "divider";
    if (span.textContent !== entry.text) span.textContent = entry.text;
  };
  return { node, update };
}

function messageView({ onSelect, onRetry }) {
  const author = el("p", { class: "author" });
  const body = el("div", { class: "body" });
  const problem = el("div", { class: "problem", hidden: true });
  const time = el("time");
  const ticks = icon("t-clock", "ticks");
  const meta = el("button", { class: "meta", type: "button", tabindex: "-1" }, time, ticks);
  const bubble = el("div", { class: "bubble" }, author, body, problem, meta);
  const node = el("li", {}, bubble);
  let current = null;
  let drawn = "";

  bubble.addEventListener("click", (event) => {
    // Following a link or selecting text is not asking what happened.
    const selecting = !getSelection().isCollapsed && bubble.contains(getSelection().anchorNode);
    if (event.target.closest("a, .problem") || selecting || current.waiting) return;
    onSelect(current);
  });

  function update(entry, selected) {
    const { message, first, name } = entry;
    current = message;
    const marks = ticksOf(message);
    node.className = ["message", message.direction, `by-${message.author}`, first && "first", marks && "ticked", selected && "selected",
      message.waiting && "waiting", message.failed && "failed", node.classList.contains("arrived") && "arrived"].filter(Boolean).join(" ");

    // Text is written once; ticks and times below change attributes only, which is not announced again.
    const signature = `${message.direction}|${first}|${name}|${message.text}`;
    if (signature !== drawn) {
      drawn = signature;
      const note = message.direction === "note";
      author.hidden = !note && !(message.direction === "out" && first);
      author.replaceChildren(...(note ? [icon("i-note"), "Nota interna, o cliente não vê"] : message.author === "human" ? [icon("i-person"), name] : [name]));
      body.replaceChildren(...formatted(message.text));
    }
    if (time.dateTime !== message.at) {
      time.dateTime = message.at;
      time.textContent = hour(message.at);
    }
    const said = marks ? `, ${marks[1]}` : "";
    meta.setAttribute("aria-label", `${hour(message.at)}${said}. Ver o que aconteceu`);
    meta.setAttribute("aria-pressed", String(selected));
    meta.disabled = Boolean(message.waiting);
    ticks.toggleAttribute("hidden", !marks);
    if (marks) {
      ticks.firstChild.setAttribute("href", `#${marks[0]}`);
      ticks.setAttribute("class", `ticks ${marks[2] ?? ""}`);
      bubble.title = marks[1];
    }
    drawProblem(message);
  }

  function drawProblem(message) {
    const failed = message.failed || message.delivery === "failed";
    if (problem.hidden === !failed) return;
    problem.hidden = !failed;
    if (!failed) return;
    const text = message.waiting ? "Não foi enviada." : deliveryError(message.error);
    const again = message.waiting && el("button", { class: "button small", type: "button", onclick: () => onRetry(current) }, "Tentar de novo");
    problem.replaceChildren(el("div", {}, text), ...(again ? [again] : []));
  }

  return { node, update, meta };
}

/** A log that can be rendered again and again from the whole state. */
export function createLog({ list, onSelect, onRetry }) {
  const views = new Map();

  // One tab stop for all messages; arrows, Home and End move between them.
  list.addEventListener("keydown", (event) => {
    const buttons = [...list.querySelectorAll(".meta:not(:disabled)")];
    const at = buttons.indexOf(document.activeElement);
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (at < 0 || to === undefined || !buttons[to]) return;
    event.preventDefault();
    makeTabStop(buttons[to]);
    buttons[to].focus();
  });

  function makeTabStop(button) {
    for (const other of list.querySelectorAll('.meta[tabindex="0"]')) other.tabIndex = -1;
    if (button) button.tabIndex = 0;
  }

  function render(entries, selectedKey, animate) {
    const wanted = new Set(entries.map((entry) => entry.key));
    for (const [key, view] of views) {
      if (wanted.has(key)) continue;
      view.node.remove();
      views.delete(key);
    }
    let next = list.firstElementChild;
    for (const entry of entries) {
      let view = views.get(entry.key);
      const isNew = !view;
      if (isNew) {
        view = entry.type === "message" ? messageView({ onSelect, onRetry }) : dividerView();
        views.set(entry.key, view);
      }
      if (isNew && animate) view.node.classList.add("arrived");
      view.update(entry, entry.key === selectedKey);
      if (view.node === next) next = next.nextElementSibling;
      else list.insertBefore(view.node, next);
    }
    if (!list.contains(document.activeElement)) {
      const last = entries.findLast((entry) => entry.type === "message" && !entry.message.waiting);
      makeTabStop((views.get(selectedKey) ?? views.get(last?.key))?.meta);
    }
  }

  /** Lets the bubble drawn before the server answered become the real message, with no flicker. */
  function adopt(waitingKey, key) {
    const view = views.get(waitingKey);
    if (!view || views.has(key)) return;
    views.delete(waitingKey);
    views.set(key, view);
  }

  return { render, adopt };
}
