"use strict";
// The worker's page works without this file. With it: number keys, response times by a clock that never jumps, the
// next text without a page load, and answers and half-filled forms that survive a lost connection, a reload and a
// closed tab.
(() => {
  const FIRST_WAIT = 1000;
  const LONGEST_WAIT = 30000;
  const IDLE_AFTER = 30000; // Without a sign of life for this long, nobody is reading.
  const LAST_MINUTES = 120000;
  const HERE = `peekaword:${location.pathname.split("/").slice(0, 4).join("/")}`;
  const root = () => document.getElementById("worker");
  const form = () => document.querySelector("form[data-item]");
  let shownAt = performance.now();
  let sending = false;

  const pause = (milliseconds) => new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    addEventListener("online", () => { clearTimeout(timer); resolve(); }, { once: true });
  });

  // Private windows may refuse storage; then what is kept lives as long as the page.
  const keeper = (key) => ({
    key,
    get() { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } },
    set(value) { try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* lives in memory */ } },
    holds(value) { return JSON.stringify(this.get()) === JSON.stringify(value); },
    clear() { try { localStorage.removeItem(key); } catch { /* was never there */ } },
  });
  const unsent = keeper(HERE);
  const draft = keeper(`${HERE}:draft`);

  // The words of the page's own language, from the page; empty says nothing.
  const tell = (word) => { const line = document.querySelector(".saving"); if (line) line.textContent = root().dataset[word]; };

  const lock = (button) => {
    for (const each of document.querySelectorAll("form[data-item] button")) {
      each.setAttribute("aria-pressed", String(each === button));
      each.disabled = true;
    }
  };

  // How long the worker was there for this item: away is another tab or window, idle is what is left of the whole.
  const isHere = () => !document.hidden && document.hasFocus();
  const presence = {
    restart() { Object.assign(this, { active: 0, away: 0, left: 0, at: performance.now(), here: isHere() }); this.sign = this.at; },
    count() {
      const now = performance.now();
      if (this.here) this.active += Math.max(0, Math.min(now, this.sign + IDLE_AFTER) - this.at);
      else this.away += now - this.at;
      this.at = now;
    },
    look() { this.count(); const here = isHere(); if (this.here && !here) this.left += 1; if (here) this.sign = this.at; this.here = here; },
    stir() { this.count(); this.sign = this.at; },
  };
  presence.restart();
  document.addEventListener("visibilitychange", () => presence.look());
  for (const name of ["blur", "focus"]) addEventListener(name, () => presence.look());
  for (const name of ["pointermove", "pointerdown", "keydown", "scroll", "wheel", "touchmove"]) {
    addEventListener(name, () => presence.stir(), { passive: true, capture: true });
  }

  const show = ({ html, address }) => {
    const next = new DOMParser().parseFromString(html, "text/html");
    const worker = next.getElementById("worker");
    if (!worker) { location.reload(); return; }
    history.replaceState(null, "", address); // A reload asks for the page, and sends no form again.
    const before = form() && pageOf(form());
    root().replaceWith(document.adoptNode(worker));
    document.title = next.title;
    // More of the same item, or its error: the clock runs on, the page stays where it is, and what is new is read out.
    const isSame = form() !== null && pageOf(form()) === before;
    const news = isSame ? document.getElementById("news") : null;
    (news ?? document.getElementById("question") ?? root()).focus({ preventScroll: true });
    watch();
    if (isSame) return;
    scrollTo(0, 0);
    requestAnimationFrame(() => { shownAt = performance.now(); presence.restart(); });
  };

  // Sends until the server has answered. Sending twice is harmless: the server keeps one answer a text. What another
  // tab has sent meanwhile is not sent again.
  const send = async ({ address, body }, keep) => {
    const kept = keep && unsent.holds({ address, body });
    for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      try {
        const response = await fetch(address, { method: "POST", body: new URLSearchParams(body) });
        const html = await response.text();
        // Whatever else answers, such as the log-in page of a network, is not the server and has kept nothing.
        if (response.status < 500 && html.includes('id="worker"')) return { html, address: response.url };
      } catch { /* no connection */ }
      tell("unsent");
      await pause(wait);
      if (kept && !unsent.holds({ address, body })) return location.reload();
    }
  };

  const submit = async (answer, keep) => {
    sending = true;
    if (keep) unsent.set(answer);
    const slow = setTimeout(() => tell("saving"), 400);
    const next = await send(answer, keep);
    clearTimeout(slow);
    if (!next) return;
    if (keep && unsent.holds(answer)) unsent.clear();
    draft.clear();
    sending = false;
    show(next);
  };

  const resend = () => {
    const answer = unsent.get();
    if (!answer || sending) return;
    lock(null);
    tell("unsent");
    submit(answer, true);
  };

  // Answered in another tab: what it could not send yet, this one sends as well, in case that one is closed.
  addEventListener("storage", (event) => { if (event.key === unsent.key) resend(); });

  // What is filled in so far. Hidden fields are the page's own and are not filled in again.
  const pageOf = (fields) => fields.getAttribute("action") + (fields.elements.assignment?.value ?? "");
  document.addEventListener("input", (event) => {
    const fields = event.target.closest("form[data-item]");
    if (fields) draft.set({ page: pageOf(fields), body: Array.from(new FormData(fields)) });
  });
  const refill = () => {
    const kept = draft.get();
    if (!form() || kept?.page !== pageOf(form())) return;
    for (const field of form().elements) {
      if (!field.name || ["hidden", "submit", "button"].includes(field.type)) continue;
      const given = kept.body.filter(([name]) => name === field.name).map(([, value]) => value);
      if (["checkbox", "radio"].includes(field.type)) field.checked = given.includes(field.value);
      else if (given.length) field.value = given[0];
      for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
    }
  };

  // A text stays this worker's for a while. Before that is over the page says so, and offers more.
  let clock = 0;
  const watch = () => {
    clearTimeout(clock);
    const notice = document.querySelector("[data-seconds]");
    if (!notice) return;
    notice.replaceChildren();
    const time = 1000 * notice.dataset.seconds;
    if (!time) return; // Others have the text too by now; a late answer is kept all the same.
    const words = document.getElementById("time-is-short").content;
    clock = setTimeout(() => notice.append(words.cloneNode(true)), Math.max(time / 2, time - LAST_MINUTES));
  };
  document.addEventListener("click", async (event) => {
    const notice = event.target.closest("[data-more-time]")?.closest("[data-seconds]");
    if (!notice) return;
    try {
      const body = new URLSearchParams({ assignment: form().elements.assignment.value });
      const response = await fetch(notice.dataset.address, { method: "POST", body });
      if (!response.ok) return;
      notice.dataset.seconds = (await response.json()).seconds;
      watch();
      document.getElementById("question")?.focus({ preventScroll: true });
    } catch { /* no connection: the offer stays */ }
  });

  const circumstances = (fields) => {
    presence.count();
    const response = performance.now() - shownAt;
    const values = {
      response_ms: response,
      active_ms: Math.min(presence.active, response),
      away_ms: Math.min(presence.away, response),
      away_count: presence.left,
      width: innerWidth,
      height: innerHeight,
      ratio: devicePixelRatio,
      scheme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
    };
    for (const [name, value] of Object.entries(values)) if (fields.elements[name]) fields.elements[name].value = value;
  };

  document.addEventListener("submit", (event) => {
    const fields = event.target.closest("form[data-item]");
    if (!fields) return;
    event.preventDefault();
    if (sending) return;
    circumstances(fields);
    const body = Array.from(new FormData(fields, event.submitter));
    lock(event.submitter);
    submit({ address: fields.action, body }, "keep" in fields.dataset);
  });

  // A number chooses an answer, Enter (the button has the focus) sends it, arrows move.
  document.addEventListener("keydown", (event) => {
    if (sending || event.ctrlKey || event.metaKey || event.altKey || !form()) return;
    if (event.target.closest("select, textarea, input:not([type=radio], [type=checkbox])")) return;
    const buttons = Array.from(document.querySelectorAll(".answer"));
    const at = buttons.indexOf(document.activeElement);
    const forward = document.documentElement.dir === "rtl" ? -1 : 1;
    const step = { ArrowRight: forward, ArrowDown: 1, ArrowLeft: -forward, ArrowUp: -1 }[event.key];
    const chosen = step && at >= 0
      ? buttons[(at + step + buttons.length) % buttons.length]
      : document.querySelector(`.answer[data-key="${CSS.escape(event.key)}"]`);
    if (chosen) {
      event.preventDefault();
      chosen.focus();
    } else if (event.key === "Enter" && at < 0 && !event.target.closest("a, button")) {
      document.querySelector("[data-next]")?.click();
    }
  });

  // The back button may bring back an old copy of the page: ask the server where we stand.
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  refill();
  watch();
  resend();
})();
