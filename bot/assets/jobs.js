// The list of jobs: how many are chosen, and none of them once something was done.
"use strict";

function chosen() {
  return document.querySelectorAll("#live [data-select]:checked");
}

function show() {
  const count = chosen().length;
  const label = document.querySelector("[data-chosen]");
  if (label) {
    const { none, one, many } = label.dataset;
    label.textContent = count === 0 ? none : count === 1 ? one : `${count} ${many}`;
  }
  document.querySelectorAll("[data-acts]").forEach((button) => { button.disabled = count === 0; });
}

document.body.addEventListener("change", (event) => {
  if (event.target.matches("[data-select], [data-select-all]")) {
    show();
  }
});

// Before the answer asks the list to refresh itself, which waits while something is chosen.
document.body.addEventListener("htmx:beforeOnLoad", (event) => {
  if (event.detail.elt.matches("[data-acts]") && event.detail.xhr.status < 300) {
    chosen().forEach((box) => { box.checked = false; });
    const all = document.querySelector("[data-select-all]");
    if (all) {
      all.checked = false;
    }
    show();
  }
});

document.body.addEventListener("htmx:afterSettle", show);
