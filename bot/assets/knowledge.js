// Importing a file: it is sent as it is, and what came of it is shown below.
"use strict";

const importForm = document.getElementById("import-form");

if (importForm) {
  const report = document.getElementById("import-report");
  const button = importForm.querySelector("button");
  importForm.addEventListener("submit", async (event) => {
    event.preventDefault();
    const file = importForm.querySelector("input[type=file]").files[0];
    if (!file) {
      return;
    }
    button.disabled = true;
    report.textContent = "";
    const headers = JSON.parse(document.body.getAttribute("hx-headers"));
    headers["content-type"] = "application/octet-stream";
    headers["hx-request"] = "true";
    try {
      const address = `/knowledge/import?name=${encodeURIComponent(file.name)}`;
      const answer = await fetch(address, { method: "POST", body: file, headers });
      if (answer.status === 401) {
        location.reload();
        return;
      }
      report.innerHTML = await answer.text();
      document.body.dispatchEvent(new CustomEvent("refresh"));
      importForm.reset();
    } catch {
      report.textContent = importForm.dataset.offline;
    } finally {
      button.disabled = false;
    }
  });
}
