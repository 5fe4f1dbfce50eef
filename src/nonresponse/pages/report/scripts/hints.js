// What a mark of a drawing stands for, shown beside it at once; browsers show a <title> late, and never to a keyboard.

const titleOf = (mark) => [...mark.children].find((child) => child.localName === "title");

// The mark with a title that a node belongs to, or the first one in a link; null if there is none.
const markOf = (node) => {
  if (!(node instanceof SVGElement)) return null;
  const title = node.localName === "a" ? node.querySelector("title") : null;
  for (let mark = title ? title.parentNode : node; mark instanceof SVGElement; mark = mark.parentNode) {
    if (titleOf(mark)) return mark;
  }
  return null;
};

const startHints = () => {
  const hint = element("div", "", { class: "hint", role: "status" });
  let [mark, words] = [null, ""];

  const place = () => {
    const at = mark.getBoundingClientRect();
    const left = at.left + (at.width - hint.offsetWidth) / 2;
    hint.style.left = Math.max(4, Math.min(left, document.documentElement.clientWidth - hint.offsetWidth - 4)) + "px";
    hint.style.top = (at.top > hint.offsetHeight ? at.top - hint.offsetHeight : at.bottom) + "px";
  };
  const show = (other) => {
    if (other === mark) return;
    if (mark) titleOf(mark).textContent = words;
    mark = other;
    words = mark ? titleOf(mark).textContent : "";
    hint.textContent = words;
    if (!mark) return;
    titleOf(mark).textContent = ""; // or the browser would say it once more
    place();
  };
  // The mouse may rest on the hint itself.
  addEventListener("pointerover", (event) => event.target !== hint && show(markOf(event.target)));
  addEventListener("focusin", (event) => show(markOf(event.target)));
  addEventListener("focusout", () => show(null));
  addEventListener("scroll", () => mark && place(), { capture: true, passive: true });
  addEventListener("beforeprint", () => show(null));
  const step = (figure, steps) => {
    const marks = [...figure.querySelectorAll("svg title")].map((title) => title.parentNode);
    const next = marks.includes(mark) ? marks.indexOf(mark) + steps : steps > 0 ? 0 : -1;
    const other = marks.at(next % marks.length);
    other.scrollIntoView({ block: "nearest", inline: "nearest" });
    show(other);
  };
  addEventListener(
    "keydown",
    (event) => {
      const steps = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (event.key === "Escape" && mark) show(null);
      else if (steps && event.target.matches(".figure[tabindex]")) step(event.target, steps);
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
  document.body.append(hint);
};

// The keyboard reaches a figure, whose marks follow each other by the arrow keys.
const offerHints = (figure) => {
  if (figure.matches("[role=img]") && figure.querySelector("svg title")) figure.tabIndex = 0;
};
