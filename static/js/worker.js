"use strict";
// The worker's page works without this file. With it: number keys, response times by a clock that never jumps, the
// next text without a page load, and answers that survive a lost connection.
(() => {
  const FIRST_WAIT = 1000;
  const LONGEST_WAIT = 30000;
  const IDLE_AFTER = 30000; // Without a sign of life for this long, nobody is reading.
  const UNSENT = `peekaword:${location.pathname.split("/").slice(0, 4).join("/")}`;
  const root = () => document.getElementById("worker");
  const form = () => document.querySelector("form[data-item]");
  let shownAt = performance.now();
  let sending = false;

  const pause = (milliseconds) => new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    addEventListener("online", () => { clearTimeout(timer); resolve(); }, { once: true });
  });

  // Private windows may refuse storage; then an unsent answer lives as long as the page.
  const stored = {
    get() { try { return JSON.parse(localStorage.getItem(UNSENT)); } catch { return null; } },
    set(value) { try { localStorage.setItem(UNSENT, JSON.stringify(value)); } catch { /* lives in memory */ } },
    clear() { try { localStorage.removeItem(UNSENT); } catch { /* was never there */ } },
  };

  const tell = (text) => { const line = document.querySelector(".saving"); if (line) line.textContent = text; };

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
    root().replaceWith(document.adoptNode(worker));
    document.title = next.title;
    scrollTo(0, 0);
    (document.getElementById("question") ?? root()).focus({ preventScroll: true });
    requestAnimationFrame(() => { shownAt = performance.now(); presence.restart(); });
  };

  // Sends until the server has answered. Sending twice is harmless: the server keeps one answer a text.
  const send = async (address, body) => {
    for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      try {
        const response = await fetch(address, { method: "POST", body: new URLSearchParams(body) });
        if (response.status < 500) return { html: await response.text(), address: response.url };
      } catch { /* no connection */ }
      tell("Not saved yet, trying again. You can leave this page open.");
      await pause(wait);
    }
  };

  const submit = async (address, body, keep) => {
    sending = true;
    if (keep) stored.set({ address, body });
    const slow = setTimeout(() => tell("Saving…"), 400);
    const answer = await send(address, body);
    clearTimeout(slow);
    if (keep) stored.clear();
    sending = false;
    show(answer);
  };

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
    submit(fields.action, body, "keep" in fields.dataset);
  });

  // A number chooses an answer, Enter (the button has the focus) sends it, arrows move.
  document.addEventListener("keydown", (event) => {
    if (sending || event.ctrlKey || event.metaKey || event.altKey || !form()) return;
    const buttons = Array.from(document.querySelectorAll(".answer"));
    const at = buttons.indexOf(document.activeElement);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
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

  const unsent = stored.get();
  if (unsent && root()) {
    lock(null);
    tell("Not saved yet, trying again.");
    submit(unsent.address, unsent.body, true);
  }
})();
