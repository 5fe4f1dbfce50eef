// Elements that widgets are made of. Names become text, never markup.

const filled = (node, text, attributes, children) => {
  if (text !== undefined) node.textContent = text;
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
};
const element = (name, text, attributes = {}, ...children) => filled(document.createElement(name), text, attributes, children);
const shape = (name, attributes, text, ...children) =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", name), text, attributes, children);

const labelled = (words, control) => element("label", words, {}, control);
const toolbar = (...controls) => element("div", undefined, { class: "tools" }, ...controls);
const search = (placeholder) => element("input", undefined, { type: "search", placeholder });
const select = (names) => element("select", undefined, {}, ...names.map((name, value) => element("option", name, { value })));
const button = (words, act) => {
  const node = element("button", words, { type: "button" });
  node.addEventListener("click", act);
  return node;
};
// A box that scrolls, for content that may be wider than the page.
const scrolling = (about, ...content) =>
  element("div", undefined, { class: "box", role: "region", tabindex: "0", "aria-label": about }, ...content);

// As nonresponse/legible.py: on one line; characters that do not show, or turn the direction of text, as code points.
const FOLDED = /(?:(?!\ufeff)[\s\x1c-\x1f\x85])+/gu;
const HIDDEN =
  /[\p{C}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}]|(?! )\p{Zs}/gu;
const visible = (text) =>
  text
    .replace(FOLDED, " ")
    .replace(/^ | $/g, "")
    .replace(HIDDEN, (one) => "[U+" + one.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "]");

const short = (text, longest = 80) => {
  const letters = [...visible(text)];
  if (letters.length <= longest) return letters.join("");
  const after = Math.floor((longest - 1) / 2);
  return letters.slice(0, longest - 1 - after).join("") + "…" + letters.slice(letters.length - after).join("");
};

const address = (...names) => "#" + names.map(encodeURIComponent).join("/");

const link = (name, ...names) => element("a", short(name), { href: address(...names) });

// As wording.rounded: halves are rounded up, after rounding the number to twelve digits.
const nearest = (value, digits) => Math.round(Number((Math.abs(value) * 10 ** digits).toPrecision(12))) / 10 ** digits;
const rounded = (value, digits) => {
  const units = nearest(value, digits);
  const text = units.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return (value < 0 && units ? "−" : "") + text;
};
const signed = (value, digits = 3) => (value < 0 ? "" : "+") + rounded(value, digits);

const several = (number, noun) => number + " " + noun + (Number(number) === 1 ? "" : "s");

const OUTCOMES = ["right", "open", "wrong"];
const WORDS = { right: "right", open: "left open", wrong: "wrong", "": "not counted" };

// Right, left open and wrong as one bar, as cells.bar draws it.
const bar = (counts) => {
  const said = OUTCOMES.map((outcome) => counts[outcome] + " " + WORDS[outcome]).join(", ");
  const whole = OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0) || 1;
  const drawing = shape("svg", { class: "counts", role: "img", "aria-label": said }, undefined, shape("title", {}, said));
  const texts = [shape("rect", { class: "edge", width: "100%", height: 18 })];
  let left = 0;
  for (const outcome of OUTCOMES) {
    const width = (100 * counts[outcome]) / whole;
    const text = String(counts[outcome]);
    if (width) drawing.append(shape("rect", { class: outcome, x: left + "%", width: width + "%", height: 18 }));
    if (width > 2.2 * (text.length + 1)) texts.push(shape("text", { class: outcome, x: left + width / 2 + "%", y: 13 }, text));
    left += width;
  }
  drawing.append(...texts);
  return drawing;
};

// Marks the head of the column that sorts the rows.
const markSorted = (heads, by, falling) =>
  heads.forEach((head, place) => {
    if (place === by) head.setAttribute("aria-sort", falling ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  });

// A small table: its first row and column are heads, numbers stand to the right.
const grid = (caption, rows) => {
  const [head, ...body] = rows.map((cells, line) => {
    const nodes = cells.map((cell, place) => {
      const scope = line === 0 ? "col" : place === 0 ? "row" : null;
      const kind = typeof cell === "number" ? { class: "number" } : {};
      return element(scope ? "th" : "td", undefined, scope ? { scope, ...kind } : kind, cell);
    });
    return element("tr", undefined, {}, ...nodes);
  });
  const parts = [element("thead", undefined, {}, head), element("tbody", undefined, {}, ...body)];
  return scrolling(caption, element("table", undefined, {}, element("caption", caption), ...parts));
};
