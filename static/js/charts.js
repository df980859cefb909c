"use strict";
// Charts that answer to pointer and keyboard: <figure data-chart="id of its JSON"> holds drawings for wide and narrow
// screens, and each is drawn anew from the same specification once it is in view. Without it, the drawings stay.
(() => {
  const script = document.currentScript;
  const small = "Arrow keys move between the points of this chart, Escape hides what they say.";
  let library;

  // Vega is large, so it is fetched when the first chart comes into view, and never where there is none.
  const load = () => library ??= new Promise((resolve, reject) => {
    const tag = document.createElement("script");
    tag.src = script.dataset.bundle;
    tag.onload = resolve;
    tag.onerror = reject;
    document.head.append(tag);
  });

  const tip = document.createElement("div");
  tip.className = "chart-tip";
  tip.hidden = true;
  document.querySelector("main").append(tip);

  const show = (text, x, y) => {
    tip.textContent = text;
    tip.hidden = false;
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(8, Math.min(x - width / 2, document.documentElement.clientWidth - width - 8))}px`;
    tip.style.top = `${y - height - 12 < 8 ? y + 16 : y - height - 12}px`;
  };
  const hide = () => { tip.hidden = true; };
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
  document.addEventListener("scroll", hide, { passive: true });

  // What a point of a text says is followed by the beginning of the text, and it leads to the text's judgments.
  const beginnings = new Map();
  const showText = async (figure, text, said, x, y) => {
    show(said, x, y);
    if (!beginnings.has(text)) {
      beginnings.set(text, fetch(`${figure.dataset.text}?key=${encodeURIComponent(text)}`)
        .then((answer) => answer.ok ? answer.json() : { beginning: "" }).catch(() => ({ beginning: "" })));
    }
    const { beginning } = await beginnings.get(text);
    if (beginning && !tip.hidden && tip.textContent === said) show(`${said}\n${beginning}`, x, y);
  };
  const tell = (figure, datum, said, x, y) => {
    if (datum?.text && figure.dataset.text) showText(figure, datum.text, said, x, y);
    else show(said, x, y);
  };
  const lead = (figure, datum) => {
    if (datum?.text && figure.dataset.judgments) {
      location.assign(`${figure.dataset.judgments}?text=${encodeURIComponent(datum.text)}`);
    }
  };

  const said = (mark) => mark.__data__?.tooltip;

  // One stop of the Tab key a chart; arrows, Home and End move between its points.
  const walk = (figure, points) => {
    points.forEach((point, number) => {
      point.setAttribute("tabindex", number ? "-1" : "0");
      const { datum } = point.__data__;
      point.setAttribute("role", datum?.text && figure.dataset.judgments ? "link" : "img");
      point.addEventListener("click", () => lead(figure, datum));
      point.addEventListener("focus", () => {
        const box = point.getBoundingClientRect();
        tell(figure, datum, said(point), box.left + box.width / 2, box.top);
      });
      point.addEventListener("blur", hide);
      point.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        let to = { Home: 0, End: points.length - 1 }[event.key];
        if (step) to = (number + step + points.length) % points.length;
        if (event.key === "Enter") lead(figure, datum);
        if (to === undefined) return;
        event.preventDefault();
        point.setAttribute("tabindex", "-1");
        points[to].setAttribute("tabindex", "0");
        points[to].focus();
      });
    });
  };

  const draw = async (holder, spec) => {
    await load();
    const place = document.createElement("div");
    const figure = holder.parentElement;
    const handler = (_handler, event, item, value) => {
      if (value === null || value === undefined || value === "") hide();
      else tell(figure, item.datum, String(value), event.clientX, event.clientY);
    };
    await window.vegaEmbed(place, spec, {
      ast: true, renderer: "svg", actions: false, defaultStyle: false, tooltip: handler, hover: true,
    });
    const drawing = place.querySelector("svg");
    drawing.setAttribute("aria-label", `${figure.getAttribute("aria-label")}. ${small}`);
    holder.replaceChildren(place);
    walk(figure, [...drawing.querySelectorAll("[aria-roledescription][aria-label]")].filter(said));
  };

  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      const specs = JSON.parse(document.getElementById(target.parentElement.dataset.chart).textContent);
      draw(target, specs[target.classList.contains("chart-wide") ? "wide" : "narrow"]).catch(() => {});
    }
  }, { rootMargin: "200px" });
  for (const holder of document.querySelectorAll("[data-chart] > .chart-wide, [data-chart] > .chart-narrow")) {
    seen.observe(holder);
  }
})();
