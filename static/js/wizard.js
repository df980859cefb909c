"use strict";
// The wizard is saved by htmx while it is filled in. This adds what a closing tab has not sent yet, what is said when
// saving fails, and times as the clock on the wall shows them. All else works without it.
(() => {
  const box = document.getElementById("autosave");
  const form = box.closest("form");
  let unsent = false;

  for (const name of ["input", "change"]) form.addEventListener(name, () => { unsent = true; });
  form.addEventListener("submit", () => { unsent = false; });
  box.addEventListener("htmx:beforeRequest", () => { unsent = false; });

  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "hidden" || !unsent) return;
    unsent = !navigator.sendBeacon(box.getAttribute("hx-post"), new FormData(form));
  });

  const fail = () => {
    unsent = true;
    box.querySelector("[role=status]").textContent =
      "Not saved just now. What you wrote is still on this page; it is tried again as you go on.";
  };
  for (const name of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) box.addEventListener(name, fail);
  // Whoever is signed out meanwhile gets the page to sign in.
  box.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.shouldSwap && !event.detail.serverResponse.includes('name="sketch"')) {
      event.detail.shouldSwap = false;
      fail();
    }
  });

  const clocks = (root) => {
    for (const time of root.querySelectorAll("time[data-clock]")) {
      const at = new Date(time.dateTime);
      const day = at.toDateString() === new Date().toDateString() ? {} : { day: "numeric", month: "short" };
      time.textContent = at.toLocaleString("en-GB", { ...day, hour: "2-digit", minute: "2-digit" });
    }
  };
  clocks(document);
  box.addEventListener("htmx:afterSwap", () => clocks(box));
})();
