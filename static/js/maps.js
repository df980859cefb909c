"use strict";
// What the page of a text adds to plain HTML: the score and rank of a word under the pointer, the finger or the arrow
// keys, in all maps at once; figures that are copied; links that keep the display. All else works without it.
(() => {
  const root = document.documentElement;
  root.classList.add("has-script");
  const heats = [...document.querySelectorAll(".heat")];
  const words = new Map();
  const wordsOf = (heat) => {
    if (!words.has(heat)) words.set(heat, [...heat.querySelectorAll(".w")]);
    return words.get(heat);
  };
  const tip = document.createElement("div");
  tip.className = "heat-tip";
  tip.setAttribute("role", "status");
  tip.hidden = true;
  document.body.append(tip);
  let marked = [];
  let current = null;

  const said = (word, heat) => {
    if (word.classList.contains("no-score")) return "no score";
    if (word.classList.contains("not-seen")) return "the model never saw it";
    if (!word.dataset.r) return `${word.dataset.s}, punctuation: not ranked`;
    return `${word.dataset.s}, rank ${word.dataset.r} of ${heat.dataset.seen}`;
  };
  const clear = () => {
    for (const word of marked) word.classList.remove("is-at");
    for (const readout of document.querySelectorAll(".heat-readout")) readout.textContent = "";
    marked = [];
    current = null;
    tip.hidden = true;
  };
  const place = (word) => {
    const box = word.getClientRects()[0];
    tip.hidden = false;
    const left = Math.max(8, Math.min(box.left, root.clientWidth - tip.offsetWidth - 8));
    tip.style.left = `${left + scrollX}px`;
    tip.style.top = `${box.bottom + scrollY + 8}px`;
  };
  // The maps of one text have the same words, unless some were made by other rules: then those stay silent.
  const show = (word, heat) => {
    if (current === word) return;
    clear();
    current = word;
    const at = wordsOf(heat).indexOf(word);
    const group = heat.closest(".picture") ?? document;
    for (const other of group.querySelectorAll(".heat")) {
      const same = wordsOf(other)[at];
      if (same?.textContent !== word.textContent) continue;
      same.classList.add("is-at");
      marked.push(same);
      if (other !== heat) other.closest(".heat-card").querySelector(".heat-readout").textContent = said(same, other);
    }
    tip.textContent = `${word.textContent}: ${said(word, heat)}`;
    place(word);
  };

  document.addEventListener("pointerover", (event) => {
    const word = event.target.closest?.(".heat .w");
    if (word) show(word, word.closest(".heat"));
    else if (event.pointerType === "mouse" && !heats.includes(document.activeElement)) clear();
  });
  document.addEventListener("click", (event) => {
    const word = event.target.closest(".heat .w");
    if (word) show(word, word.closest(".heat"));
    else clear();
  });
  document.addEventListener("focusin", (event) => {
    if (!event.target.matches(".heat:focus-visible")) return;
    const list = wordsOf(event.target);
    if (list.length) show(list[0], event.target);
  });
  document.addEventListener("focusout", (event) => { if (event.target.matches?.(".heat")) clear(); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") clear();
    const heat = event.target;
    if (!heat.matches?.(".heat") || event.ctrlKey || event.metaKey || event.altKey) return;
    const list = wordsOf(heat);
    const rightward = getComputedStyle(heat).direction === "ltr";
    const at = list.indexOf(current);
    const to = {
      ArrowRight: rightward ? at + 1 : at - 1,
      ArrowLeft: rightward ? at - 1 : at + 1,
      Home: 0,
      End: list.length - 1,
    }[event.key];
    if (to === undefined || !list.length) return;
    event.preventDefault();
    const word = list[Math.max(0, Math.min(to, list.length - 1))];
    word.scrollIntoView({ block: "nearest" });
    show(word, heat);
  });

  for (const button of document.querySelectorAll("[data-copy-from]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const label = [...button.childNodes];
      try {
        const answer = await fetch(button.dataset.copyFrom);
        if (!answer.ok) throw new Error(answer.statusText);
        await navigator.clipboard.writeText(await answer.text());
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not copied: download it";
      }
      setTimeout(() => button.replaceChildren(...label), 2000);
    });
  }

  document.addEventListener("change", (event) => {
    if (event.target.name !== "display") return;
    clear();
    const address = new URL(location.href);
    address.searchParams.set("display", event.target.value);
    if (location.protocol !== "file:") history.replaceState(null, "", address);
    for (const link of document.querySelectorAll("a[data-keeps-display]")) {
      const to = new URL(link.href);
      to.searchParams.set("display", event.target.value);
      link.href = to;
    }
  });
})();
