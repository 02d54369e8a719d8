// Entry point of the simulator: keeps the state the server streams, draws it, and sends what the
// reader does. The server owns the truth: each state replaces the previous one as a whole.

import { createLog, entriesOf, plain } from "./simulator-chat.js";
import { drawTrace, handoffReason } from "./simulator-trace.js";
import { ask, byId, closeSheet, el, hideToast, isSheet, openSheet, setUpDialogs, setUpSheets, setUpToast, showToast, whenLabel } from "./simulator-ui.js";

const SUGGESTIONS = ["tem horário com a Dra. Joana?", "quanto custa a consulta?", "sou alérgico a amendoim", "quero falar com uma pessoa", "esse bot é uma porra, não funciona NADA"];
const REMEMBERED = "lembra.simulator.customer";
const RECONNECT_MS = 3000;
const NEAR_END_PX = 80;

let state = null; // the last state of the server, or null while a customer is loading
let customerKey = new URLSearchParams(location.search).get("customer") ?? remembered();
let selectedId = null; // a message the reader chose; null follows the latest
let waiting = []; // messages of this page that are not in the state yet
let unseen = 0; // messages that came while the reader was further up
let atEnd = true;
let connection = null;
let reconnection = null;
let lostTimer = null;
let lost = false;
const drafts = new Map();

const log = createLog({
  list: byId("messages"),
  onSelect: (message) => select(message, true),
  onRetry: (message) => resend(message),
});

// Server

class RequestError extends Error {
  constructor(status) {
    super(`status ${status}`);
    this.status = status;
  }
}

async function request(path, options = {}) {
  const response = await fetch(path, { ...options, headers: { Accept: "application/json", "X-Requested-With": "lembra", ...options.headers } });
  // The session ended: sign in and come back here.
  if (response.status === 401 || (response.redirected && new URL(response.url).pathname === "/sign-in")) {
    location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
  }
  if (!response.ok) throw new RequestError(response.status);
  return response;
}

const post = (path, data) => request(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) });

const withCustomer = (path) => (customerKey ? `${path}?customer=${encodeURIComponent(customerKey)}` : path);

function connect() {
  connection?.close();
  clearTimeout(reconnection);
  const source = new EventSource(withCustomer("/simulator/events"));
  connection = source;
  source.addEventListener("state", (event) => {
    setLost(false);
    receive(JSON.parse(event.data));
  });
  source.addEventListener("error", () => {
    setLost(true);
    // EventSource retries dropped connections by itself, but gives up after an HTTP error.
    if (source.readyState !== EventSource.CLOSED) return;
    reconnection = setTimeout(async () => {
      await refresh();
      connect();
    }, RECONNECT_MS);
  });
}

/** Fetches the state once, for when the stream is not there to bring it. */
async function refresh() {
  const asked = customerKey;
  try {
    const fresh = await (await request(withCustomer("/simulator/state"))).json();
    if (asked === customerKey) receive(fresh);
  } catch (error) {
    // A remembered customer may be gone; the server then picks one. Otherwise the stream keeps trying.
    if (error.status === 404 && asked === customerKey) customerKey = null;
  }
}

function setLost(value) {
  clearTimeout(lostTimer);
  const show = () => {
    lost = value;
    drawStatus();
  };
  // A page that is being left also loses its stream; a moment's patience avoids a flash of alarm.
  if (value && !lost) lostTimer = setTimeout(show, 600);
  else show();
}

function receive(fresh) {
  const previous = state;
  state = fresh;
  customerKey = fresh.customer.key;
  remember(customerKey);
  settleWaiting();
  const known = new Set(previous?.messages.map((message) => message.id));
  const arrived = previous ? fresh.messages.filter((message) => !known.has(message.id) && message.direction !== "in").length : 0;
  draw({ arrived, first: !previous });
}

// Messages on their way: drawn at once, then replaced by the real ones

let waitingCount = 0;
let sending = Promise.resolve();

function send(text) {
  const message = {
    key: `waiting:${++waitingCount}`, customer: customerKey, waiting: true, failed: false, text, at: new Date().toISOString(),
    direction: "in", author: "customer", conversation_id: null, delivery: null, error: null, trace: null,
  };
  waiting.push(message);
  atEnd = true;
  selectedId = null;
  resend(message);
}

/** Posts a waiting message, after those before it: two quick lines must arrive in order. */
function resend(message) {
  message.failed = false;
  hideToast();
  message.known = new Set(state?.messages.map((other) => other.id)); // the real one will be none of these
  draw();
  sending = sending.then(async () => {
    try {
      await post("/simulator/messages", { customer: message.customer, text: message.text });
      if (lost) refresh();
    } catch {
      message.failed = true;
      draw();
      showToast("A mensagem não foi enviada.", () => resend(message));
    }
  });
}

function settleWaiting() {
  const taken = new Set();
  waiting = waiting.filter((message) => {
    if (message.customer !== state.customer.key) return true;
    const real = state.messages.find((other) => other.direction === "in" && !message.known.has(other.id) && !taken.has(other.id)
      && other.text.trim() === message.text.trim());
    if (!real) return true;
    taken.add(real.id);
    for (const other of waiting) other.known.add(real.id); // an equal text sent twice is two messages
    log.adopt(message.key, `message:${real.id}`);
    return false;
  });
}

// Drawing

function draw({ arrived = 0, first = false } = {}) {
  if (!state) return;
  const own = waiting.filter((message) => message.customer === state.customer.key);
  const messages = [...state.messages.map((message) => ({ ...message, key: `message:${message.id}` })), ...own];
  const shown = shownMessage();
  const marked = selectedId === null && isSheet("trace") ? null : `message:${shown?.id}`;

  byId("log").setAttribute("aria-busy", String(first));
  log.render(entriesOf(messages, state.conversation, state.assistant), marked, !first);
  byId("typing").hidden = !state.assistant.typing;
  byId("welcome").hidden = messages.length > 0;
  byId("log").setAttribute("aria-busy", "false");

  drawCustomers();
  drawHeader();
  drawTrace(byId("trace-body"), shown, state, (message) => select(message, false));
  byId("follow").hidden = selectedId === null;

  // Last, because the header's notice changes the room the log has.
  if (first || atEnd) scrollToEnd();
  else unseen += arrived;
  drawJump();
}

/** The message the panel is about: the chosen one, else the customer's latest. */
function shownMessage() {
  return state.messages.find((message) => message.id === selectedId)
    ?? state.messages.findLast((message) => message.direction === "in") ?? state.messages.at(-1);
}

function select(message, open) {
  selectedId = message.id;
  draw();
  byId("trace-body").scrollTop = 0;
  if (open && isSheet("trace")) openSheet("trace");
}

function drawHeader() {
  const { assistant, conversation } = state;
  const human = conversation?.handler === "human";
  byId("assistant-name").textContent = assistant.name;
  byId("assistant-avatar").textContent = assistant.name.slice(0, 1).toUpperCase();
  byId("resolve").disabled = conversation?.state !== "open";
  byId("handoff").hidden = !human;
  byId("handoff-reason").textContent = human ? handoffReason(conversation.handler_reason) : "";
  drawStatus();
}

function drawStatus() {
  const status = byId("assistant-status");
  const typing = Boolean(state?.assistant.typing);
  const text = lost ? "reconectando…" : typing ? "digitando…" : state ? state.assistant.account : "abrindo a conversa…";
  if (status.textContent !== text) status.textContent = text; // the same words again would be read out again
  status.classList.toggle("lost", lost);
  status.classList.toggle("live", typing && !lost);
}

let drawnCustomers = "";

function drawCustomers() {
  // The list is redrawn only when it changed, so that keyboard focus stays where it is.
  const signature = JSON.stringify([state.customers, customerKey]);
  if (signature === drawnCustomers) return;
  drawnCustomers = signature;
  const focused = document.activeElement?.dataset?.customer;
  byId("customer-list").replaceChildren(...state.customers.map((customer) => {
    const initials = customer.name.split(/\s+/).slice(0, 2).map((word) => word.slice(0, 1)).join("").toUpperCase();
    return el("li", {}, el("button", {
      class: "customer", type: "button", "data-customer": customer.key, "aria-current": customer.key === customerKey ? "true" : null,
      onclick: () => open(customer.key),
    },
    el("span", { class: "avatar", "aria-hidden": "true" }, initials),
    el("span", { class: "name" }, customer.name),
    el("span", { class: "when" }, customer.last_at ? whenLabel(customer.last_at) : ""),
    el("span", { class: "last" }, customer.last_text ? plain(customer.last_text) : customer.phone_display)));
  }));
  if (focused) document.querySelector(`[data-customer="${CSS.escape(focused)}"]`)?.focus();
}

// Scrolling: stay at the end unless the reader went up to read

function scrollToEnd() {
  const box = byId("log");
  box.scrollTop = box.scrollHeight;
  unseen = 0;
}

function drawJump() {
  byId("jump").hidden = unseen === 0;
  byId("jump-label").textContent = unseen === 1 ? "1 nova mensagem" : `${unseen} novas mensagens`;
}

byId("log").addEventListener("scroll", () => {
  const box = byId("log");
  atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END_PX;
  if (atEnd) unseen = 0;
  drawJump();
}, { passive: true });

byId("jump").addEventListener("click", () => {
  scrollToEnd();
  drawJump();
  byId("text").focus();
});

// The on-screen keyboard and a growing composer both shrink the log; its end should stay in sight.
new ResizeObserver(() => atEnd && scrollToEnd()).observe(byId("log"));

// Customers

function open(key) {
  closeSheet();
  if (key === customerKey && state) return;
  drafts.set(customerKey, byId("text").value);
  customerKey = key;
  state = null;
  selectedId = null;
  unseen = 0;
  atEnd = true;
  byId("log").setAttribute("aria-busy", "true");
  log.render([], null, false);
  for (const part of ["typing", "welcome", "handoff", "jump"]) byId(part).hidden = true;
  byId("resolve").disabled = true; // until it is known whether this customer has an open conversation
  setText(drafts.get(key) ?? "");
  hideToast();
  drawStatus();
  connect();
  focusComposer();
}

/** What the address and this browser keep, so that a reload returns to the same customer. */
function remember(key) {
  if (new URLSearchParams(location.search).get("customer") !== key) history.replaceState(null, "", `?customer=${encodeURIComponent(key)}`);
  try {
    localStorage.setItem(REMEMBERED, key);
  } catch {
    // Storage may be blocked; the address is enough.
  }
}

function remembered() {
  try {
    return localStorage.getItem(REMEMBERED);
  } catch {
    return null;
  }
}

async function createCustomer(name) {
  try {
    const { key } = await (await post("/simulator/customers", { name })).json();
    open(key);
  } catch {
    showToast("O cliente não foi criado.", () => createCustomer(name));
  }
}

byId("new-customer").addEventListener("click", async () => {
  byId("customer-name").value = "";
  if (await ask("customer-dialog")) createCustomer(byId("customer-name").value.trim());
});

// Conversation

async function act(path, failure, customer = customerKey) {
  try {
    await post(path, { customer });
    if (lost) refresh();
  } catch {
    showToast(failure, () => act(path, failure, customer));
  }
}

byId("resolve").addEventListener("click", async () => {
  if (await ask("resolve-dialog")) act("/simulator/resolve", "A conversa não foi encerrada.");
});
byId("resume").addEventListener("click", () => act("/simulator/resume", "A conversa não voltou para o bot."));
byId("follow").addEventListener("click", () => {
  selectedId = null;
  draw();
});

// Composer

const text = byId("text");

function setText(value) {
  text.value = value;
  fit();
}

/** Grows the box with its text; the stylesheet sets the limit, after which it scrolls. */
function fit() {
  text.style.height = "auto";
  text.style.height = `${text.scrollHeight + text.offsetHeight - text.clientHeight}px`;
  byId("composer").querySelector(".send").disabled = text.value.trim() === "";
}

/** Ready to type, except where that would raise an on-screen keyboard nobody asked for. */
function focusComposer() {
  if (!matchMedia("(pointer: coarse)").matches) text.focus();
}

text.addEventListener("input", fit);
text.addEventListener("keydown", (event) => {
  // Enter that closes an accent or a suggestion of the keyboard is not a send.
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  byId("composer").requestSubmit();
});
byId("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  const value = text.value.trim();
  if (!value || !customerKey) return;
  setText("");
  send(value);
  text.focus();
});
// Taking the press away from the button keeps the on-screen keyboard open.
byId("composer").querySelector(".send").addEventListener("pointerdown", (event) => event.preventDefault());

byId("suggestions").append(...SUGGESTIONS.map((suggestion) =>
  el("button", { class: "suggestion", type: "button", onclick: () => customerKey && send(suggestion) }, suggestion)));

setUpSheets();
setUpDialogs();
setUpToast();
fit();
connect();
focusComposer();
