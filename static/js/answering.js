"use strict";
// Keys and sliders of pages that ask for more than one press of a button. Without this file they are plain forms.
(() => {
  const isTyping = (node) => Boolean(node.closest("textarea, select, input:not([type=radio])"));
  const isAnswered = (asked) => Boolean(asked.querySelector("input:checked") ?? asked.querySelector("input[type=number]")?.value);

  // Sliders come alive beside the field that holds their number; until one is moved, the field is empty.
  const start = () => {
    for (const range of document.querySelectorAll(".slider input[type=range]")) range.hidden = false;
  };

  const level = ({ target }) => {
    const pair = target.closest?.(".slider");
    const [range, number] = pair ? pair.children : [];
    if (target === range && number.value !== range.value) {
      number.value = range.value;
      number.dispatchEvent(new Event("input", { bubbles: true })); // What is filled in so far is kept by worker.js.
    } else if (target === number && number.value !== "") range.value = number.value;
  };

  // A number answers the question in hand, or the first that is open; then comes the next open one, and the end.
  const answer = (key) => {
    const all = Array.from(document.querySelectorAll("[data-asked]"));
    const asked = all.find((one) => one.contains(document.activeElement)) ?? all.find((one) => !isAnswered(one));
    const radio = asked?.querySelector(`input[type=radio][value="${CSS.escape(key)}"]`);
    if (!radio) return false;
    radio.checked = true;
    radio.dispatchEvent(new Event("input", { bubbles: true })); // What is filled in so far is kept by worker.js.
    const open = all.find((one) => !isAnswered(one));
    (open?.querySelector("input") ?? document.querySelector("[data-next]")).focus();
    return true;
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !document.querySelector("form[data-item]")) return;
    if (/^\d$/.test(event.key) && !isTyping(event.target) && answer(event.key)) event.preventDefault();
    const more = event.key === " " && !event.target.closest("a, button, input, summary") && document.querySelector("button[name=more]");
    if (more) { event.preventDefault(); more.click(); }
  });
  for (const name of ["input", "click"]) document.addEventListener(name, level);
  new MutationObserver(start).observe(document.body, { childList: true });
  start();
})();
