"use strict";
// Marking words by drawing across them and by arrow keys. Without this file every word is a plain checkbox.
(() => {
  let stretch = null; // What is being marked just now: words from one to another, and how all were before.
  let moved = false;

  const boxes = (words) => Array.from(words.querySelectorAll("input[name=words]"));
  const boxOf = (node) => node?.closest?.(".words label")?.firstElementChild ?? null;

  const refresh = (words) => {
    const marked = new Set(boxes(words).filter((box) => box.checked).map((box) => box.value));
    const form = words.parentElement;
    const line = form.querySelector(".marked");
    if (line) {
      const wording = ["none", "one"][marked.size] ?? "many";
      line.textContent = line.dataset[wording].replace("{count}", marked.size);
    }
    const picks = form.querySelector(".picks");
    if (!picks) return;
    picks.hidden = words.disabled || marked.size < 2;
    for (const option of picks.querySelectorAll("option[value]:not([value=''])")) {
      option.hidden = option.disabled = !marked.has(option.value);
      if (option.disabled) option.selected = false;
    }
  };

  // One word of the text takes the Tab key, the arrows move on from there.
  const hold = (words, current) => {
    for (const box of boxes(words)) box.tabIndex = box === current ? 0 : -1;
  };

  const start = () => {
    for (const words of document.querySelectorAll(".words")) {
      hold(words, boxes(words)[0]);
      refresh(words);
    }
  };

  const begin = (from, on) => {
    const all = boxes(from.closest(".words"));
    stretch = { all, from: all.indexOf(from), on, before: all.map((box) => box.checked) };
  };

  const extend = (box) => {
    const to = stretch.all.indexOf(box);
    if (to < 0) return;
    const [low, high] = [Math.min(stretch.from, to), Math.max(stretch.from, to)];
    stretch.all.forEach((each, at) => { each.checked = at >= low && at <= high ? stretch.on : stretch.before[at]; });
    box.dispatchEvent(new Event("input", { bubbles: true })); // What is marked so far is kept by worker.js.
    refresh(box.closest(".words"));
  };

  document.addEventListener("pointerdown", (event) => {
    const box = boxOf(event.target);
    moved = false;
    stretch = null;
    if (box && !box.matches(":disabled") && event.button === 0) begin(box, !box.checked);
  });

  document.addEventListener("pointermove", (event) => {
    if (!stretch || !event.buttons) return;
    const box = boxOf(document.elementFromPoint(event.clientX, event.clientY));
    if (!box || (!moved && box === stretch.all[stretch.from])) return;
    moved = true;
    extend(box);
  });

  for (const name of ["pointerup", "pointercancel"]) {
    document.addEventListener(name, () => {
      stretch = null;
      setTimeout(() => { moved = false; }); // Once the click is over that belongs to it.
    });
  }

  // Drawn back to where it began, the word would be switched once more.
  document.addEventListener("click", (event) => {
    if (moved && boxOf(event.target)) event.preventDefault();
  }, true);

  document.addEventListener("selectstart", (event) => {
    if (stretch) event.preventDefault();
  });

  document.addEventListener("change", (event) => {
    const words = event.target.closest(".words");
    if (words) refresh(words);
  });

  document.addEventListener("focusin", (event) => {
    const box = boxOf(event.target.parentElement);
    if (box === event.target) hold(box.closest(".words"), box);
  });

  // The word above or below: of the next line, the nearest.
  const across = (all, at, down) => {
    const here = all[at].parentElement.getBoundingClientRect();
    const places = all.map((box) => box.parentElement.getBoundingClientRect());
    const lines = places.filter((place) => (down ? place.top >= here.bottom - 1 : place.bottom <= here.top + 1));
    if (!lines.length) return at;
    const edge = down ? Math.min(...lines.map((place) => place.top)) : Math.max(...lines.map((place) => place.top));
    const middle = (place) => Math.abs(place.left + place.right - here.left - here.right);
    const nearest = lines.filter((place) => Math.abs(place.top - edge) < here.height / 2)
      .reduce((best, place) => (middle(place) < middle(best) ? place : best));
    return places.indexOf(nearest);
  };

  const next = (key, all, at) => {
    const forward = getComputedStyle(all[at].closest("p")).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    if (key === "ArrowLeft" || key === "ArrowRight") return at + (key === forward ? 1 : -1);
    if (key === "ArrowDown" || key === "ArrowUp") return across(all, at, key === "ArrowDown");
    return { Home: 0, End: all.length - 1 }[key];
  };

  document.addEventListener("keydown", (event) => {
    const box = event.target.matches?.(".words input") ? event.target : null;
    if (!box || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") {
      event.preventDefault();
      document.querySelector(".answer")?.click();
      return;
    }
    const all = boxes(box.closest(".words"));
    const to = next(event.key, all, all.indexOf(box));
    if (to === undefined) {
      if (event.key !== "Shift") stretch = null;
      return;
    }
    event.preventDefault();
    const target = all[Math.max(0, Math.min(all.length - 1, to))];
    if (!event.shiftKey) stretch = null;
    else if (!stretch) begin(box, true);
    target.focus();
    if (stretch) extend(target);
  });

  // The next text comes into the page without a page load.
  new MutationObserver(start).observe(document.body, { childList: true });
  start();
})();
