"use strict";
// What the widgets are made of. Names become text, never markup.

const element = (name, text, attributes = {}) => {
  const node = document.createElement(name);
  if (text !== undefined) node.textContent = text;
  for (const key of Object.keys(attributes)) node.setAttribute(key, attributes[key]);
  return node;
};

const shape = (name, attributes, title) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key of Object.keys(attributes)) node.setAttribute(key, attributes[key]);
  if (title !== undefined) {
    const said = document.createElementNS("http://www.w3.org/2000/svg", "title");
    said.textContent = title;
    node.append(said);
  }
  return node;
};

// As nonresponse/legible.py: on one line, and what does not show, or turns the direction of other text, as its code point.
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

const OUTCOMES = ["right", "open", "wrong"];
const WORDS = { right: "right", open: "left open", wrong: "wrong", "": "not counted" };

// Right, left open and wrong as one bar.
const bar = (counts) => {
  const said = OUTCOMES.map((outcome) => counts[outcome] + " " + WORDS[outcome]).join(", ");
  const whole = OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0) || 1;
  const drawing = shape("svg", { class: "counts", width: 120, height: 12, role: "img", "aria-label": said }, said);
  let left = 0;
  for (const outcome of OUTCOMES) {
    const width = (counts[outcome] / whole) * 120;
    if (width) drawing.append(shape("rect", { class: outcome, x: left.toFixed(1), width: width.toFixed(1), height: 12 }));
    left += width;
  }
  return drawing;
};

// A small table: its first row and column are heads, numbers stand to the right.
const grid = (caption, rows) => {
  const box = element("div", undefined, { class: "box", role: "region", tabindex: "0", "aria-label": caption });
  const table = element("table");
  const [head, body] = [element("thead"), element("tbody")];
  rows.forEach((cells, line) => {
    const row = element("tr");
    cells.forEach((cell, place) => {
      const scope = line === 0 ? "col" : place === 0 ? "row" : null;
      const node = element(scope ? "th" : "td", undefined, scope ? { scope } : {});
      node.append(cell instanceof Node ? cell : String(cell));
      if (typeof cell === "number") node.className = "number";
      row.append(node);
    });
    (line === 0 ? head : body).append(row);
  });
  table.append(element("caption", caption), head, body);
  box.append(table);
  return box;
};
