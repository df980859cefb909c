"use strict";
// What the researcher's pages add to plain HTML: copy buttons, drop zones, sortable tables, menus that close, buttons
// that wait for a typed name, forms that a double click sends once, and what was typed before signing in again. All work
// without it.
(() => {
  // <button data-copy="#id"> copies the text or value of that element, or of its neighbour where no id is given.
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const source = button.dataset.copy ? document.querySelector(button.dataset.copy) : button.previousElementSibling;
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(source.value ?? source.textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select and copy";
      getSelection().selectAllChildren(source);
    }
    setTimeout(() => { button.textContent = label; }, 2000);
  });

  // A double click sends a form once. After a while it may be sent again: the first try may have come to nothing.
  const SENT_FOR = 5000;
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post") return;
    if ("sent" in form.dataset) event.preventDefault();
    form.dataset.sent = "";
    // A file takes longer: sent again, it would begin anew.
    setTimeout(() => { delete form.dataset.sent; }, form.enctype === "multipart/form-data" ? 12 * SENT_FOR : SENT_FOR);
  });
  // What was typed is kept while somebody who was signed out meanwhile signs in again, in this tab alone.
  const KEPT = "typed";
  const signingIn = (path) => path.startsWith("/sign-in/");
  const whose = () => document.querySelector(".who")?.textContent;
  const withoutSecrets = (form) => whose() && !form.querySelector("[type=password], [name=typed]");
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post" || !withoutSecrets(form)) return;
    const fields = [...new FormData(form)].filter(([name, value]) => name !== "csrfmiddlewaretoken" && typeof value === "string");
    const kept = { who: whose(), page: location.pathname, action: form.action, fields };
    try { sessionStorage.setItem(KEPT, JSON.stringify(kept)); } catch { /* No room: it is typed again. */ }
  });
  const fill = (form, fields) => {
    for (const field of form.elements) {
      if (!field.name || ["hidden", "file", "submit"].includes(field.type)) continue;
      const values = fields.filter(([name]) => name === field.name).map(([, value]) => value);
      if (["checkbox", "radio"].includes(field.type)) field.checked = values.includes(field.value);
      else if (field.options) for (const option of field.options) option.selected = values.includes(option.value);
      else if (values.length) field.value = values[0];
    }
  };
  const refill = () => {
    const text = signingIn(location.pathname) ? null : sessionStorage.getItem(KEPT);
    if (!text) return;
    sessionStorage.removeItem(KEPT);
    const kept = JSON.parse(text);
    const before = document.referrer && new URL(document.referrer).pathname;
    if (kept.page !== location.pathname || kept.who !== whose() || !signingIn(before)) return;
    const form = [...document.forms].find((one) => one.method === "post" && one.action === kept.action);
    if (!form || !kept.fields.length) return;
    fill(form, kept.fields);
    const note = document.createElement("p");
    note.className = "notice";
    note.setAttribute("role", "status");
    note.textContent = "You had been signed out, so nothing was sent. What you typed is filled in again.";
    form.prepend(note);
  };
  document.addEventListener("DOMContentLoaded", refill);

  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  });

  // <form data-confirm="name">: its button waits until the name is typed; the server asks for it all the same.
  const confirmed = (form) => {
    const plain = (text) => text.trim().replace(/\s+/g, " ");
    const button = form.querySelector("button");
    button.disabled = plain(form.elements.typed.value) !== plain(form.dataset.confirm);
  };
  document.addEventListener("input", (event) => {
    const form = event.target.closest?.("form[data-confirm]");
    if (form) confirmed(form);
  });

  // <details class="menu"> closes by Escape, and when something else is chosen.
  const close = (menu) => { menu.open = false; };
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) close(menu);
  });
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && event.target.closest?.("details.menu[open]");
    if (!menu) return;
    close(menu);
    menu.querySelector("summary").focus();
  });

  // A page that nobody sees asks for nothing: what asks every few seconds goes on once the page is seen again.
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (document.hidden && event.target.getAttribute("hx-trigger")?.startsWith("every")) event.preventDefault();
  });

  // A drop zone is a label around a file input: the browser opens the dialog, this adds dropping and the name.
  for (const kind of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, (event) => {
      const zone = event.target.closest?.(".drop-zone");
      if (!zone) return;
      event.preventDefault();
      zone.classList.toggle("is-over", kind === "dragover");
      if (kind !== "drop" || !event.dataTransfer.files.length) return;
      const input = zone.querySelector("input[type=file]");
      input.files = event.dataTransfer.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    });
  }
  document.addEventListener("change", (event) => {
    const name = event.target.closest?.(".drop-zone")?.querySelector(".drop-zone-file");
    if (name) name.textContent = event.target.files[0]?.name ?? "";
  });

  // <table data-sort>: each head sorts its column; a cell's data-value wins over its text.
  const value = (row, column) => row.cells[column].dataset.value ?? row.cells[column].textContent.trim();
  const compare = (a, b) => {
    const [x, y] = [a, b].map((text) => Number(text.replace(/[,%\s]/g, "")));
    return a !== "" && b !== "" && !Number.isNaN(x) && !Number.isNaN(y) ? x - y : a.localeCompare(b);
  };
  const sort = (table, head) => {
    const down = head.getAttribute("aria-sort") === "ascending";
    const body = table.tBodies[0];
    const rows = [...body.rows].sort((a, b) => compare(value(a, head.cellIndex), value(b, head.cellIndex)));
    body.append(...(down ? rows.reverse() : rows));
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
  };
  const prepare = (root) => {
    for (const head of root.querySelectorAll("table[data-sort] thead th:not([data-fixed])")) {
      if (head.querySelector("button") || !head.textContent.trim()) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(head.closest("table"), head));
      head.append(button);
    }
    for (const form of root.querySelectorAll("form[data-confirm]")) confirmed(form);
  };
  document.addEventListener("DOMContentLoaded", () => prepare(document));
  document.addEventListener("htmx:afterSettle", (event) => prepare(event.target));
})();
