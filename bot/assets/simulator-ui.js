// Small helpers shared by the simulator's modules: nodes, icons, times, sheets and the toast.

export const byId = (id) => document.getElementById(id);

/** Builds an element. Strings become text nodes, so data can never turn into markup. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

/** An icon of the page's sprite, decorative: whatever it means must also be said in text. */
export function icon(name, className = "icon") {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${name}`);
  svg.append(use);
  return svg;
}

// Times

const HOUR = new Intl.DateTimeFormat("pt-BR", { hour: "2-digit", minute: "2-digit" });
const CLOCK = new Intl.DateTimeFormat("pt-BR", { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 });
const WEEKDAY = new Intl.DateTimeFormat("pt-BR", { weekday: "long" });
const DATE = new Intl.DateTimeFormat("pt-BR", { day: "numeric", month: "long", year: "numeric" });
const SHORT_DATE = new Intl.DateTimeFormat("pt-BR", { day: "2-digit", month: "2-digit" });
const NUMBER = new Intl.NumberFormat("pt-BR", { maximumFractionDigits: 1 });
const DAY_MS = 86_400_000;

export const hour = (at) => HOUR.format(new Date(at));
export const clock = (at) => CLOCK.format(new Date(at));

/** Days between the date of `at` and today, by the calendar of this browser. */
function daysAgo(at) {
  const midnight = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate());
  return Math.round((midnight(new Date()) - midnight(new Date(at))) / DAY_MS);
}

export function dayLabel(at) {
  const days = daysAgo(at);
  if (days === 0) return "Hoje";
  if (days === 1) return "Ontem";
  return days > 1 && days < 7 ? WEEKDAY.format(new Date(at)) : DATE.format(new Date(at));
}

/** The shortest useful time: the hour today, the day otherwise. */
export function whenLabel(at) {
  const days = daysAgo(at);
  if (days === 0) return hour(at);
  return days === 1 ? "ontem" : SHORT_DATE.format(new Date(at));
}

/** A duration with its unit, e.g. "180 ms", "2,3 s", "3 min 5 s", "2 h 10 min". */
export function duration(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${NUMBER.format(ms / 1000)} s`;
  const pair = (total, big, small, ratio) => {
    const rest = total % ratio;
    return `${Math.floor(total / ratio)} ${big}${rest ? ` ${rest} ${small}` : ""}`;
  };
  if (ms < 3_600_000) return pair(Math.round(ms / 1000), "min", "s", 60);
  if (ms < DAY_MS) return pair(Math.round(ms / 60_000), "h", "min", 60);
  return pair(Math.round(ms / 3_600_000), "d", "h", 24);
}

// Sheets: side columns that cover the chat on narrow screens

let opener = null;

export function openSheet(id) {
  closeSheet();
  const sheet = byId(id);
  opener = document.activeElement;
  sheet.classList.add("open");
  sheet.setAttribute("role", "dialog");
  sheet.setAttribute("aria-modal", "true");
  byId("backdrop").hidden = false;
  for (const part of ["chat", "customers", "trace"]) byId(part).inert = part !== id;
  sheet.querySelector("[data-close-sheet]").focus();
}

export function closeSheet() {
  const sheet = document.querySelector(".side.open");
  if (!sheet) return;
  sheet.classList.remove("open");
  sheet.removeAttribute("role");
  sheet.removeAttribute("aria-modal");
  byId("backdrop").hidden = true;
  for (const part of ["chat", "customers", "trace"]) byId(part).inert = false;
  opener?.focus({ preventScroll: true });
}

/** Whether this column is a sheet at the present width (its close button shows only then). */
export const isSheet = (id) => byId(id).querySelector("[data-close-sheet]").checkVisibility();

export function setUpSheets() {
  for (const button of document.querySelectorAll("[data-open-sheet]")) {
    button.addEventListener("click", () => openSheet(button.dataset.openSheet));
  }
  for (const button of document.querySelectorAll("[data-close-sheet]")) button.addEventListener("click", closeSheet);
  byId("backdrop").addEventListener("click", closeSheet);
  document.addEventListener("keydown", (event) => event.key === "Escape" && closeSheet());
  // A sheet left open while the window grows would keep the other columns inert.
  for (const query of ["(max-width: 719px)", "(max-width: 1159px)"]) matchMedia(query).addEventListener("change", closeSheet);
}

// Dialogs and the toast

/** Shows a <dialog> and resolves to whether it was confirmed. */
export function ask(id) {
  const dialog = byId(id);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "confirm"), { once: true });
  });
}

export function setUpDialogs() {
  for (const button of document.querySelectorAll("[data-close-dialog]")) {
    button.addEventListener("click", () => button.closest("dialog").close());
  }
}

let retry = null;

export function showToast(text, onRetry = null) {
  retry = onRetry;
  byId("toast-text").textContent = text;
  byId("toast-retry").hidden = !onRetry;
  byId("toast").hidden = false;
}

export function hideToast() {
  byId("toast").hidden = true;
}

export function setUpToast() {
  byId("toast-close").addEventListener("click", hideToast);
  byId("toast-retry").addEventListener("click", () => {
    hideToast();
    retry?.();
  });
}
