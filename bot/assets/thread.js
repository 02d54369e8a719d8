// A conversation: it stays at its end while the end was in sight, Enter sends, a draft is kept, and
// older messages come in above without a jump.
"use strict";

(() => {
  const scroll = document.getElementById("scroll");
  const toEnd = document.getElementById("to-end");
  const text = document.getElementById("text");

  // The list: what came in behind the first page and has moved up is there once.
  document.body.addEventListener("htmx:afterSettle", () => {
    const list = document.getElementById("list");
    const more = document.getElementById("list-more");
    if (!list || !more) {
      return;
    }
    more.querySelectorAll("li[id]").forEach((row) => {
      if (list.querySelector(`#${CSS.escape(row.id)}`)) {
        row.remove();
      }
    });
  });

  // Details on small screens.
  document.body.addEventListener("click", (event) => {
    if (event.target.closest("[data-details]")) {
      const desk = document.querySelector(".desk");
      const open = desk.classList.toggle("show-details");
      const button = desk.querySelector(open ? ".desk-details [data-details]" : ".thread-head [data-details]");
      button?.focus();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      document.querySelector(".desk")?.classList.remove("show-details");
    }
  });

  if (!scroll) {
    return;
  }

  const CLOSE = 80;
  const atEnd = () => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < CLOSE;
  const goToEnd = () => { scroll.scrollTop = scroll.scrollHeight; };
  const lastMessage = () => {
    const bubbles = scroll.querySelectorAll(".bubble");
    return bubbles.length > 0 ? bubbles[bubbles.length - 1].id : "";
  };

  const target = scroll.dataset.target && document.getElementById(scroll.dataset.target);
  let wasAtEnd = !target;
  let heightBefore = 0;
  let older = false;
  let lastBefore = lastMessage();

  if (target) {
    target.classList.add("is-target");
    target.scrollIntoView({ block: "center" });
  } else {
    goToEnd();
    // Pictures get their height when they come.
    scroll.querySelectorAll("img").forEach((image) => {
      if (!image.complete) {
        image.addEventListener("load", () => { if (wasAtEnd) { goToEnd(); } });
      }
    });
  }

  scroll.addEventListener("scroll", () => {
    wasAtEnd = atEnd();
    if (wasAtEnd) {
      toEnd.hidden = true;
    }
  });
  window.addEventListener("resize", () => { if (wasAtEnd) { goToEnd(); } });

  document.body.addEventListener("htmx:beforeSwap", (event) => {
    if (scroll.contains(event.detail.target)) {
      heightBefore = scroll.scrollHeight;
      lastBefore = lastMessage();
      older = event.detail.target.matches(".thread-older");
    }
  });
  document.body.addEventListener("htmx:afterSettle", (event) => {
    if (older) {
      // What came in above pushes nothing down.
      older = false;
      scroll.scrollTop += scroll.scrollHeight - heightBefore;
    } else if (event.detail.target && event.detail.target.id === "thread") {
      if (wasAtEnd) {
        goToEnd();
      } else if (lastMessage() !== lastBefore) {
        toEnd.hidden = false;
      }
    }
  });
  toEnd.addEventListener("click", () => {
    goToEnd();
    toEnd.hidden = true;
  });

  if (!text) {
    return;
  }

  // The composer.
  const form = document.getElementById("composer");
  const key = `draft:${scroll.dataset.conversation}`;
  const touch = window.matchMedia("(pointer: coarse)").matches;
  const fit = () => {
    text.style.height = "auto";
    text.style.height = `${Math.min(text.scrollHeight + 2, window.innerHeight * 0.4)}px`;
  };
  text.value = sessionStorage.getItem(key) || "";
  if (text.value) {
    fit();
  }
  text.addEventListener("input", () => {
    fit();
    sessionStorage.setItem(key, text.value);
  });
  text.addEventListener("keydown", (event) => {
    // On a phone Enter breaks the line; there is a button.
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing && !touch) {
      event.preventDefault();
      if (text.value.trim() !== "") {
        form.requestSubmit();
      }
    }
  });
  form.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt === form && event.detail.successful) {
      sessionStorage.removeItem(key);
      text.style.height = "";
      wasAtEnd = true;
      text.focus();
    }
  });
})();
