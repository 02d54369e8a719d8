// What every page of the panel shares: the menu on small screens, notices, questions before a
// danger, and parts that wait with their refresh while somebody is at work in them.
"use strict";

const byId = (id) => document.getElementById(id);

// Menu

const menuButton = document.querySelector("[data-menu]");
const shade = document.querySelector("[data-menu-close]");

function openMenu(open) {
  document.body.classList.toggle("menu-open", open);
  menuButton.setAttribute("aria-expanded", String(open));
  shade.hidden = !open;
  if (open) {
    byId("nav").querySelector("a").focus();
  }
}

menuButton.addEventListener("click", () => openMenu(!document.body.classList.contains("menu-open")));
shade.addEventListener("click", () => openMenu(false));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && document.body.classList.contains("menu-open")) {
    openMenu(false);
    menuButton.focus();
  }
});

// Notices: the server names them in the header HX-Trigger.

function notice(text, kind) {
  const item = document.createElement("p");
  item.className = `notice ${kind === "bad" ? "bad" : "good"}`;
  item.textContent = text;
  byId("notices").append(item);
  setTimeout(() => item.remove(), kind === "bad" ? 9000 : 4000);
}

document.body.addEventListener("notice", (event) => notice(event.detail.text, event.detail.kind));
document.body.addEventListener("htmx:sendError", () => notice("Sem conexão. Tente de novo.", "bad"));
document.body.addEventListener("htmx:responseError", (event) => {
  const request = event.detail.xhr;
  if (!request.getResponseHeader("hx-trigger") && !isRefresh(event.detail.requestConfig)) {
    notice("Não deu certo. Tente de novo.", "bad");
  }
});

// Questions before a danger: hx-confirm="…", and data-typed="WORD" where the word must be typed.

const dialog = byId("confirm");
let ask = null;

function mayGo() {
  const word = byId("confirm-typed").hidden ? "" : byId("confirm-word").textContent;
  byId("confirm-go").disabled = byId("confirm-text").value.trim().toUpperCase() !== word.toUpperCase() && word !== "";
}

document.body.addEventListener("htmx:confirm", (event) => {
  if (!event.detail.question) {
    return;
  }
  event.preventDefault();
  const typed = event.detail.elt.dataset.typed || "";
  byId("confirm-question").textContent = event.detail.question;
  byId("confirm-word").textContent = typed;
  byId("confirm-typed").hidden = typed === "";
  byId("confirm-text").value = "";
  ask = event.detail;
  mayGo();
  dialog.returnValue = "cancel";
  dialog.showModal();
});
byId("confirm-text").addEventListener("input", mayGo);
dialog.addEventListener("close", () => {
  const asked = ask;
  ask = null;
  if (asked && dialog.returnValue === "confirm") {
    asked.issueRequest(true);
  }
});

// Refreshes. A part in which somebody edits ([data-hold]) or has chosen rows ([data-select]) stays
// as it is until they are done.

function isRefresh(config) {
  return config && config.verb === "get" && config.triggeringEvent && /^(sse:|refresh)/.test(config.triggeringEvent.type);
}

let missed = false;

function isHeld(part) {
  return Boolean(part.querySelector("[data-hold], [data-select]:checked, dialog[open]"));
}

// Asked before the request and again before its answer is shown: rows are chosen in between.
["htmx:beforeRequest", "htmx:beforeSwap"].forEach((moment) => {
  document.body.addEventListener(moment, (event) => {
    const part = byId("live");
    if (event.detail.elt === part && isRefresh(event.detail.requestConfig) && isHeld(part)) {
      missed = true;
      event.detail.shouldSwap = false;
      if (moment === "htmx:beforeRequest") {
        event.preventDefault();
      }
    }
  });
});

// A stream that is refused: whoever has no session any more is led to the door by a refresh.
document.body.addEventListener("htmx:sseError", (event) => {
  if (event.detail.source.readyState === EventSource.CLOSED) {
    htmx.trigger(document.body, "refresh");
  }
});

// The skip link, also where a page's own scripts keep the browser from moving the focus.
document.body.addEventListener("click", (event) => {
  if (event.target.matches(".skip-link")) {
    byId("content").focus();
  }
});

// Choosing all rows of a table.
document.body.addEventListener("change", (event) => {
  if (event.target.matches("[data-select-all]")) {
    const table = event.target.closest("table, form");
    table.querySelectorAll("[data-select]").forEach((box) => { box.checked = event.target.checked; });
  }
});

// What was held back while rows were chosen is shown once none is.
document.body.addEventListener("change", () => {
  if (missed && !isHeld(byId("live"))) {
    missed = false;
    htmx.trigger(document.body, "refresh");
  }
});

// Buttons that open and close a dialog or a hidden part by its id.
document.body.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-open]");
  if (opener) {
    const part = byId(opener.dataset.open);
    if (part instanceof HTMLDialogElement) {
      part.showModal();
    } else {
      part.hidden = !part.hidden;
      opener.setAttribute("aria-expanded", String(!part.hidden));
      (part.querySelector("input, textarea, select, button") || part).focus();
    }
  }
  const closer = event.target.closest("[data-close]");
  if (closer) {
    const open = closer.closest("dialog");
    if (open) {
      open.close();
    }
  }
  const copier = event.target.closest("[data-copy]");
  if (copier) {
    navigator.clipboard.writeText(copier.dataset.copy).then(() => notice("Copiado.", "good"));
  }
});

// A form that was sent well is empty again.
document.body.addEventListener("htmx:afterRequest", (event) => {
  const form = event.detail.elt;
  if (event.detail.successful && form.matches && form.matches("form[data-reset]")) {
    form.reset();
    const open = form.closest("dialog");
    if (open) {
      open.close();
    }
  }
});
