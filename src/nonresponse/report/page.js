"use strict";
// Draws each campaign from its JSON: tabs, tables, charts, and the answers. Names become text, never markup.

// --- Elements and texts

const filled = (node, text, attributes, children) => {
  if (text !== undefined && text !== null) node.textContent = text;
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
};
const element = (name, text, attributes = {}, ...children) => filled(document.createElement(name), text, attributes, children);
const shape = (name, attributes, text, ...children) => filled(document.createElementNS("http://www.w3.org/2000/svg", name), text, attributes, children);
const folded = (name, words, ...content) => element("details", undefined, { class: name }, element("summary", words), ...content);
const block = (name, ...children) => element("div", undefined, { class: name }, ...children);
const on = (node, event, act) => (node.addEventListener(event, act), node);
const unbroken = (text) => text.replaceAll(" %", "\u00a0%");
const button = (words, act) => on(element("button", words, { type: "button" }), "click", act);
const select = (names) => element("select", undefined, {}, ...names.map((name, value) => element("option", name, { value })));
const labelled = (words, control) => element("label", words, {}, control);
const box = (about, ...content) => element("div", undefined, { class: "box", role: "region", tabindex: "0", "aria-label": about }, ...content);

// As nonresponse/legible.py: on one line; characters that do not show, or turn the direction of text, as code points.
const FOLDED = /(?:(?!\ufeff)[\s\x1c-\x1f\x85])+/gu;
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}]|(?! )\p{Zs}/gu;
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
// As wording.rounded: halves are rounded up, after rounding the number to twelve digits.
const rounded = (value, digits) => {
  const units = Math.round(Number((Math.abs(value) * 10 ** digits).toPrecision(12))) / 10 ** digits;
  const text = units.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return (value < 0 && units ? "−" : "") + text;
};
const signed = (value, digits) => (value < 0 ? "" : "+") + rounded(value, digits);
const count = (number) => number.toLocaleString("en-US", { maximumFractionDigits: 2 });
const several = (number, noun) => count(number) + " " + noun + (number === 1 ? "" : "s");
const address = (...names) => "#" + names.map(encodeURIComponent).join("/");
const link = (name, ...names) => element("a", short(name), { href: address(...names) });

const STATES = ["correct", "unanswered", "wrong"];
const DID = { correct: "got right", unanswered: "left unanswered", wrong: "got wrong" };
const COLOURS = [1, 2, 3, 4, 5, 6].map((index) => "var(--run-" + index + ")"); // of the first runs

// --- Exports

const saved = (text, type, name) => {
  const anchor = element("a", undefined, { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10000);
};
const csvField = (value, formula) => {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const harmless = formula.test(value) ? "'" + value : value;
  return /[",\r\n]/.test(harmless) ? '"' + harmless.replaceAll('"', '""') + '"' : harmless;
};
const markdownField = (text) => visible(text).replace(/(?!(?<=\d)[.,]\d)[!-/:-@[-`{-~]/g, "\\$&");
// As nonresponse/legible.py writes text in LaTeX, from its table of characters.
const latexField = (text, { escapes, known }) => {
  const knows = new RegExp("^" + known + "$", "u");
  let before = "";
  const letters = [...visible(text.normalize("NFC"))].map((letter) => {
    const apart = letter === before && "-',".includes(letter) ? "{}" : ""; // two dashes would become a longer one
    before = letter;
    if (escapes[letter]) return apart + escapes[letter];
    return knows.test(letter) ? apart + letter : "[U+" + letter.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "]";
  });
  return (/^[[*]/.test(letters.join("")) ? "{}" : "") + letters.join(""); // else an option of the line end before it
};
const EXPORTS = {
  CSV: (heads, rows, { formula }) => [heads, ...rows].map((row) => row.map((value) => csvField(value, new RegExp(formula))).join(",") + "\r\n").join(""),
  Markdown: (heads, rows, characters, left) => {
    const line = (cells) => "| " + cells.map((cell) => markdownField(String(cell ?? ""))).join(" | ") + " |";
    return [line(heads), "|" + left.map((it) => (it ? " - |" : " -: |")).join(""), ...rows.map(line), ""].join("\n");
  },
  LaTeX: (heads, rows, characters, left) => {
    const line = (cells) => cells.map((cell) => latexField(String(cell ?? ""), characters)).join(" & ") + " \\\\";
    const needs = "% \\usepackage{booktabs}, and \\usepackage[T1]{fontenc} for letters beyond ASCII";
    const begin = "\\begin{tabular}{" + left.map((it) => (it ? "l" : "r")).join("") + "}";
    return [needs, begin, "\\toprule", line(heads), "\\midrule", ...rows.map(line), "\\bottomrule", "\\end{tabular}", ""].join("\n");
  },
};
const TYPES = { CSV: ["text/csv", "csv"], Markdown: ["text/markdown", "md"], LaTeX: ["application/x-tex", "tex"] };

// --- Tables

const PAGE = 100; // rows
const FEW = 12; // rows, which need no filter and are not folded

// The value of a cell, by which rows are sorted, and its text.
const valueOf = (cell) => (Array.isArray(cell) ? cell[0] : cell);
const textOf = (cell) => (Array.isArray(cell) ? String(cell.at(-1)) : cell === null || cell === undefined ? "–" : String(cell));

const bar = (parts) => {
  const whole = parts.reduce((sum, part) => sum + part, 0) || 1;
  const said = parts.map((part, index) => count(part) + " " + STATES[index]).join(", ");
  const drawing = shape("svg", { class: "fixed bar", role: "img", "aria-label": said }, undefined, shape("title", {}, said));
  let left = 0;
  parts.forEach((part, index) => {
    const share = (100 * part) / whole;
    if (share) drawing.append(shape("rect", { class: STATES[index], x: left + "%", width: share + "%", height: 18, y: 1 }));
    if (share > 11) drawing.append(shape("text", { class: STATES[index], x: left + share / 2 + "%", y: 14 }, Math.round(share) + "%"));
    left += share;
  });
  return drawing;
};
const range = (cell, low, high) => {
  const position = (value) => (high > low ? (100 * (value - low)) / (high - low) : 50).toFixed(2) + "%";
  const [score, from, to] = cell;
  return shape("svg", { class: "fixed", "aria-hidden": "true" }, undefined,
    shape("line", { class: "mark", x1: position(from), x2: position(to), y1: 10, y2: 10 }),
    shape("circle", { class: "mark", cx: position(score), cy: 10, r: 3.5 }));
};

const shaded = ([value, text]) => {
  const node = element("span", text, { class: "tint" });
  node.style.setProperty("--share", 100 * Math.max(value, 0) + "%");
  return node;
};

// columns: id, label, kind (rank, run, number, shade, text, interval, bar, node), about, better, shown. A cell is a text, [value,
// text], or the numbers that are drawn; of kind node a function that makes it, and its text: [function, text].
const tableOf = ({ caption, columns, rows, marks = [], file, notes = [] }, context, options = {}) => {
  const { campaign, characters, colour = () => null } = context;
  let shown = columns.map((column, index) => index).filter((index) => columns[index].shown);
  let [by, falling, page] = [options.by ?? -1, false, 0];
  let kept = rows.map((row, line) => line);
  const head = element("tr");
  const body = element("tbody");
  const status = element("span", "", { class: "status", role: "status" });
  const filter = element("input", undefined, { type: "search", placeholder: "text" });
  const ends = columns.map(({ kind }, index) => (kind === "interval" ? rows.map((row) => row[index]).filter(Boolean).flatMap((cell) => cell.slice(1)) : []));

  const drawn = (line, index) => {
    const [cell, { kind }] = [rows[line][index], columns[index]];
    if (cell === null || cell === undefined) return "–";
    if (kind === "bar") return bar(cell);
    if (kind === "interval") return range(cell, Math.min(...ends[index].slice(0, 20000)), Math.max(...ends[index].slice(0, 20000)));
    if (kind === "node") return cell[0]();
    if (kind === "shade") return shaded(cell);
    if (kind === "run") {
      const name = element("a", short(cell, innerWidth > 640 ? 80 : 32), { title: visible(cell), href: address(campaign, cell) });
      const node = element("span", undefined, colour(cell) ? { class: "dot" } : {}, name, marks[line] ? " " + marks[line] : "");
      node.style.setProperty("--dot", colour(cell));
      return node;
    }
    const [words, bounds] = kind === "number" ? visible(textOf(cell)).split(/(?= \[)/) : [visible(textOf(cell))];
    return element("span", words, {}, ...(bounds ? [element("small", bounds)] : []));
  };
  const classes = (index, cell) => {
    const { kind, id } = columns[index];
    const names = [kind, ...(id === options.first ? ["first"] : []), ...(options.narrow && !options.narrow.has(id) ? ["narrow"] : [])];
    if (id === "net %" && cell && cell[0] < 0) names.push("bad");
    return names.join(" ");
  };
  const rowOf = (line) =>
    element("tr", undefined, {}, ...shown.map((index) => {
      const heads = columns[index].kind === "run" || (index === 0 && !columns.some(({ kind }) => kind === "run"));
      return element(heads ? "th" : "td", undefined, { class: classes(index, rows[line][index]), ...(heads ? { scope: "row" } : {}) }, drawn(line, index));
    }));
  const show = () => {
    const last = Math.max(Math.ceil(kept.length / PAGE) - 1, 0);
    page = Math.min(Math.max(page, 0), last);
    body.replaceChildren(...kept.slice(page * PAGE, (page + 1) * PAGE).map(rowOf));
    const from = kept.length ? page * PAGE + 1 : 0;
    const some = kept.length < rows.length || rows.length > PAGE;
    status.textContent = some ? count(from) + " to " + count(Math.min((page + 1) * PAGE, kept.length)) + " of " + count(kept.length) + " rows" : "";
    [back.disabled, next.disabled] = [page === 0, page === last];
  };
  const compare = (a, b) => {
    const [one, other] = [valueOf(rows[a][by]), valueOf(rows[b][by])];
    if (one === null || other === null) return (one === null) - (other === null);
    const order = typeof one === "string" ? one.localeCompare(other, "en", { numeric: true }) : one - other;
    return (falling ? -order : order) || a - b;
  };
  const sort = () => {
    kept.sort(by >= 0 ? compare : (a, b) => a - b);
    show();
  };
  const [back, next] = [["Previous", -1], ["Next", 1]].map(([words, step]) => button(words, () => show((page += step))));
  const heads = () =>
    head.replaceChildren(...shown.map((index) => {
      const { label, about, kind, better } = columns[index];
      const sorter = button(label.replace(/ (%|100)$|(?<=−) /g, "\u00a0$1"), () => {
        falling = by === index ? !falling : better === "higher";
        [by, page] = [index, 0];
        heads();
        sort();
        head.children[shown.indexOf(index)].querySelector("button").focus(); // the heads are new
      });
      const sorted = by === index ? { "aria-sort": falling ? "descending" : "ascending" } : {};
      const cell = element("th", undefined, { scope: "col", class: classes(index), ...(about ? { title: about.split("\n\n")[0].replace(/\s+/g, " ") } : {}), ...sorted });
      if (kind === "bar" && label.includes("·")) cell.append(...STATES.map((state) => element("span", state, { class: "key " + state })));
      else cell.append(kind === "interval" || kind === "bar" ? label : sorter);
      return cell;
    }));
  on(filter, "input", () => {
    const words = filter.value.toLowerCase();
    kept = rows.map((row, line) => line).filter((line) => rows[line].some((cell) => textOf(cell).toLowerCase().includes(words)));
    sort((page = 0));
  });
  const exported = (kind) => {
    const spread = (index) => ({ bar: STATES, interval: [" low", " high"].map((end) => columns[index].label + end) })[columns[index].kind] || [columns[index].label];
    const values = (line, index) => {
      const cell = rows[line][index];
      if (columns[index].kind === "bar") return cell || [null, null, null];
      if (columns[index].kind === "interval") return cell ? cell.slice(1) : [null, null];
      return [kind === "CSV" && columns[index].kind !== "node" ? valueOf(cell) : cell === null ? null : textOf(cell)];
    };
    const left = shown.flatMap((index) => spread(index).map(() => ["run", "text", "node"].includes(columns[index].kind)));
    return EXPORTS[kind](shown.flatMap(spread), kept.map((line) => shown.flatMap((index) => values(line, index))), characters, left);
  };
  const tools = block("tools", element("span", caption || "", { class: "caption" }));
  const pager = block("tools", status, ...(rows.length > PAGE ? [back, next] : []));
  if (rows.length > FEW) tools.append(labelled("Filter", filter));
  if (columns.some((column) => !column.shown)) {
    const choices = columns.map(({ label, kind }, index) => {
      const check = element("input", undefined, { type: "checkbox" });
      check.checked = shown.includes(index);
      check.disabled = kind === "run";
      on(check, "change", () => {
        shown = check.checked ? [...shown, index].sort((a, b) => a - b) : shown.filter((one) => one !== index);
        show(heads());
      });
      return element("label", undefined, {}, check, label);
    });
    tools.append(folded("menu", "Columns", block("", ...choices)));
  }
  const name = [campaign, file || "table"].join("-");
  const exports = Object.entries(TYPES).map(([kind, [type, ending]]) => button(kind, () => saved(exported(kind), type, name + "." + ending)));
  tools.append(folded("menu", "Export", block("", ...exports)));
  heads();
  sort();
  const node = element("table", undefined, { class: options.class || "" }, element("thead", undefined, {}, head), body);
  const below = notes.length ? [folded("notes", "Notes", ...notes.map((text) => element("p", text)))] : [];
  return block("tabular", tools, box(caption || "Table", node), ...(rows.length > FEW ? [pager] : []), ...below);
};
const column = (label, kind = "text", more = {}) => ({ id: label, label, kind, about: "", better: "", shown: true, ...more });

// --- Charts

const DASHES = ["", "6 3", "2 2", "9 3 2 3"];
const MARKS = ["M-3,0a3,3 0 1,0 6,0a3,3 0 1,0 -6,0", "M-3,-3h6v6h-6z", "M0,-4L4,0L0,4L-4,0z", "M0,-4L4,3H-4z"];
const NAMED = 12; // curves
const GREY = "#9aa0a8";
const ticks = (low, high) => {
  const power = 10 ** Math.floor(Math.log10((high - low) / 5));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= (high - low) / 5 - 1e-12);
  const first = Math.ceil(low / step - 1e-9);
  const number = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(number, 0) }, (_, index) => (first + index) * step);
};
const figureText = (value, percent) => (percent ? rounded(100 * value, 2).replace(/\.?0+$/, "") + "%" : String(Number(value.toPrecision(6))).replace("-", "−"));

// Axes with their ticks and labels, and functions of a value that give its place.
const axes = (about, labels, ranges, percent = [false, false]) => {
  const width = Math.min(560, innerWidth - 24);
  const [height, left, right, top, bottom] = [270, 44, width < 500 ? 110 : 180, 16, 40];
  const spans = ranges.map(([low, high]) => (high > low ? [low, high] : [low - 0.5, low + 0.5]));
  const x = (value) => left + ((value - spans[0][0]) / (spans[0][1] - spans[0][0])) * (width - left - right);
  const y = (value) => top + ((spans[1][1] - value) / (spans[1][1] - spans[1][0])) * (height - top - bottom);
  const drawing = shape("svg", { width, height, viewBox: [0, 0, width, height].join(" "), role: "img", "aria-label": about });
  const line = (name, x1, y1, x2, y2) => drawing.append(shape("line", { class: name, x1, y1, x2, y2 }));
  const write = (text, at, to, anchor, name = "") => drawing.append(shape("text", { class: name, x: at, y: to, "text-anchor": anchor }, text));
  for (const value of ticks(...spans[0])) {
    line("grid", x(value), top, x(value), height - bottom);
    write(figureText(value, percent[0]), x(value), height - bottom + 14, "middle");
  }
  for (const value of ticks(...spans[1])) {
    line("grid", left, y(value), width - right, y(value));
    write(figureText(value, percent[1]), left - 5, y(value) + 4, "end");
  }
  write(labels[0], width / 2, height - 8, "middle");
  write(labels[1], left, top - 6, "start");
  // Names to the right of the curves, moved apart: [name, value, colour].
  const name = (ends) => {
    const places = ends.map(([text, value, fill]) => ({ text, at: y(value), fill })).sort((a, b) => a.at - b.at);
    places.forEach((place, index) => (place.at = Math.max(place.at, index ? places[index - 1].at + 12 : top)));
    places.reverse().forEach((place, index) => (place.at = Math.min(place.at, index ? places[index - 1].at - 12 : height - bottom)));
    for (const { text, at, fill } of places) {
      const node = shape("text", { class: fill ? "strong" : "", x: width - right + 6, y: at + 4 }, short(text, Math.floor(right / 7)));
      if (fill) node.style.fill = fill;
      drawing.append(node);
    }
  };
  return { drawing, x, y, line, name, left, right: width - right };
};

// A drawing with a button that saves it, with the colours of paper.
const savable = (drawing, name) => {
  const save = button("Save as SVG", () => {
    const paper = drawing.cloneNode(true);
    const holder = element("div", undefined, { class: "paper" }, paper);
    document.body.append(holder);
    for (const node of [paper, ...paper.querySelectorAll("*")]) {
      const style = getComputedStyle(node);
      for (const key of ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-family", "font-weight"]) node.setAttribute(key, style.getPropertyValue(key));
      for (const key of ["class", "style"]) node.removeAttribute(key);
    }
    holder.remove();
    saved(new XMLSerializer().serializeToString(paper), "image/svg+xml", name + ".svg");
  });
  return block("figure", box(drawing.getAttribute("aria-label"), drawing), save);
};

// Curves and marks; the first have names and looks of their own, the others are grey. `more` draws on the same axes.
const chart = ({ title, labels, curves, ranges, percent, level, diagonal }, name, more = () => []) => {
  const names = [...new Set(curves.map((curve) => curve.name))];
  const points = curves.flatMap((curve) => curve.points);
  const extent = (axis) => [Math.min(...points.map((point) => point[axis])), Math.max(...points.map((point) => point[axis]))];
  const spans = ranges.map((range, axis) => range || (axis ? [Math.min(0, extent(1)[0]), extent(1)[1]] : extent(0)));
  const plot = axes(title, labels, spans, percent);
  if (level !== null) plot.line("zero", plot.left, plot.y(level), plot.right, plot.y(level));
  if (diagonal) plot.line("zero", plot.x(0), plot.y(0), plot.x(1), plot.y(1));
  const ends = new Map();
  for (const curve of [...curves].reverse()) {
    const look = names.indexOf(curve.name);
    const own = look < NAMED;
    const colour = own ? COLOURS[look % COLOURS.length] : GREY;
    const place = ([x, y]) => plot.x(x) + "," + plot.y(y);
    if (curve.line) {
      const path = shape("path", { class: "line", d: "M" + curve.points.map(place).join("L"), "stroke-dasharray": own ? DASHES[Math.floor(look / COLOURS.length) % 4] : "" }, undefined, shape("title", {}, short(curve.name)));
      path.style.stroke = colour;
      if (!own) path.style.strokeWidth = 0.6;
      plot.drawing.append(path);
    }
    for (const point of curve.marks === null ? [] : curve.marks ? curve.points : curve.points.slice(-1)) {
      const told = [curve.name, ...point.slice(0, 2).map((value, axis) => labels[axis].split(/[:(]/)[0].trim() + " " + figureText(value, percent[axis]))];
      const size = point.length > 2 ? 0.7 + 2 * Math.sqrt(point[2]) : 1;
      const mark = shape("path", { d: MARKS[own ? look % MARKS.length : 0], transform: "translate(" + place(point) + ") scale(" + size + ")" }, undefined, shape("title", {}, told.map((text) => short(text)).join(" · ")));
      mark.style.fill = colour;
      plot.drawing.append(mark);
    }
    if (own && (curve.line || !ends.has(curve.name))) ends.set(curve.name, [curve.name, curve.points.at(-1)[1], colour]);
  }
  plot.name([...ends.values(), ...more(plot)]);
  const some = names.length > NAMED ? " The first " + NAMED + " of " + count(names.length) + " are named." : "";
  return block("", element("h3", title.replace(/\.$/, "") + "." + some), savable(plot.drawing, name));
};

// The score of each run against the cost of a wrong answer; never answering is the dashed line, the best run a band above.
const costChart = (context) => {
  const { part, colour } = context;
  const index = Object.fromEntries(part.ranking.columns.map(({ kind }, at) => [kind, at]));
  if (index.bar === undefined || part.costs === null) return null;
  const lines = part.ranking.rows.flatMap((row, line) => {
    const [correct, unanswered, wrong] = row[index.bar] || [0, 0, 0];
    const whole = correct + unanswered + wrong;
    return whole && !part.ranking.trivial[line] ? [{ name: row[index.run], correct: correct / whole, wrong: wrong / whole }] : [];
  });
  if (!lines.length) return null;
  const { never_answering: zero, best, sections } = part.costs;
  const most = Math.min(Math.max(1, 1.2 * (best.length ? best.at(-1)[0] : 1)), 5); // so that the last change is seen
  const at = (line, cost) => line.correct - cost * line.wrong;
  const highest = Math.max(zero, ...lines.map((line) => line.correct)) + 0.03;
  const lowest = Math.max(Math.min(zero - 0.3, highest - 0.5), Math.min(zero, ...lines.map((line) => at(line, most))) - 0.03);
  const curves = lines.slice(0, 40).map((line) => {
    const stop = line.wrong ? Math.min(most, (line.correct - lowest) / line.wrong) : most;
    return { name: line.name, line: true, marks: null, points: [[0, line.correct], [stop, at(line, stop)]] };
  });
  const bands = ({ drawing, x }) => {
    best.forEach(([from, names], index) => {
      const to = Math.min(index + 1 < best.length ? best[index + 1][0] : most, most);
      if (from >= to) return;
      const about = names.map((name) => short(name)).join(", ") + ": best from a cost of " + rounded(from, 2) + " to " + rounded(to, 2);
      const stretch = shape("rect", { x: x(from), width: Math.max(x(to) - x(from) - 1, 0), y: 2, height: 9 }, undefined, shape("title", {}, about));
      stretch.style.fill = colour(names[0]) || GREY;
      drawing.append(stretch);
    });
    return [["never answering", zero, ""]];
  };
  const band = best.length ? " The band on top has the colour of the best run." : "";
  const title = "Score per question = correct − cost × wrong." + band + (lines.length > 40 ? " The first 40 runs are drawn." : "");
  const labels = ["cost of a wrong answer, in correct answers", "score"];
  const figure = { title, labels, curves, ranges: [[0, most], [lowest, highest]], percent: [false, false], level: zero, diagonal: false };
  const slider = element("input", undefined, { type: "range", min: 0, max: Math.max(2, most), step: 0.01, value: 0.5 });
  const said = element("p", "", { role: "status" });
  const tell = () => {
    const cost = Number(slider.value);
    const ranked = [...lines.map((line) => ({ name: short(line.name, 40), value: at(line, cost) })), { name: "never answering", value: zero }].sort((a, b) => b.value - a.value);
    said.textContent = "At a cost of " + rounded(cost, 2) + ": " + ranked.slice(0, 3).map((one) => one.name + " " + rounded(one.value, 3)).join(", ") + (ranked.length > 3 ? ", …" : ".");
  };
  tell(on(slider, "input", tell));
  return block("", element("h2", "Which run to use, by the cost of a wrong answer"), chart(figure, context.campaign + "-cost", bands), labelled("Cost", slider), said, ...sectionsOf(context, sections));
};

const pairIndex = (size, a, b) => (a < b ? (a * (2 * size - a - 1)) / 2 + b - a - 1 : pairIndex(size, b, a));
// What is known of two runs by a measure: whether they differ significantly ("1", "0" or "-"), by how much, the interval.
const pairOf = ({ runs }, measure, a, b) => {
  const index = pairIndex(runs.length, a, b);
  const [one, other] = [measure.scores[a], measure.scores[b]];
  const ends = measure.ends && measure.ends[index];
  const difference = one === null || other === null ? null : one - other;
  return { different: measure.different[index], difference, ends: ends && (a < b ? ends : [-ends[1], -ends[0]]).map((end) => end / 1000) };
};
const sayPair = (pairs, measure, a, b) => {
  const { different, difference, ends } = pairOf(pairs, measure, a, b);
  const names = short(pairs.runs[a], 40) + " − " + short(pairs.runs[b], 40) + ": ";
  if (difference === null) return names + "no score by " + measure.id + ".";
  const [factor, digits, unit] = measure.percent ? [100, 1, " points"] : [1, 3, ""];
  const verdict = { 1: "significantly different", 0: "not significantly different", "-": "not compared" }[different];
  const within = ends ? " (" + pairs.confidence + " CI " + ends.map((end) => rounded(end * factor, digits)).join(" to ") + ")" : "";
  return names + signed(difference * factor, digits) + unit + " in " + measure.id + within + ", " + verdict + ".";
};

const matrix = (context) => {
  const { pairs, card } = context.part;
  const { runs, measures } = pairs;
  const size = runs.length > 120 ? 4 : runs.length > 70 ? 6 : runs.length > 30 ? 10 : 16;
  const margin = size >= 10 ? 12 + 6.5 * Math.max(...runs.map((name) => Math.min(short(name).length, 28))) : 4;
  const choose = select(measures.map(({ id }) => id));
  const status = element("p", "", { class: "hint", role: "status" });
  const holder = box("The pairs of runs");
  const draw = () => {
    const measure = measures[choose.value];
    const width = margin + runs.length * size;
    const drawing = shape("svg", { class: "matrix", width: width, height: runs.length * size, viewBox: [0, 0, width, runs.length * size].join(" "), role: "img", "aria-label": "Which runs differ significantly by " + measure.id });
    const paths = { correct: "", unanswered: "", wrong: "" };
    runs.forEach((_, a) => runs.forEach((__, b) => {
      if (a === b) return;
      const { different, difference } = pairOf(pairs, measure, a, b);
      if (different === "-" || difference === null) return;
      const better = difference > 0 === (measure.better !== "lower");
      const name = different === "0" ? "unanswered" : better ? "correct" : "wrong";
      paths[name] += "M" + (margin + b * size) + "," + a * size + "h" + (size - 1) + "v" + (size - 1) + "h" + (1 - size) + "z";
    }));
    for (const [name, d] of Object.entries(paths)) drawing.append(shape("path", { class: name, d }));
    if (margin > 4) drawing.append(...runs.map((name, a) => shape("text", { x: margin - 5, y: a * size + size / 2 + 4, "text-anchor": "end" }, short(name, 28))));
    const pair = (event) => {
      const corner = drawing.getBoundingClientRect();
      const scale = width / corner.width;
      const [b, a] = [Math.floor(((event.clientX - corner.left) * scale - margin) / size), Math.floor(((event.clientY - corner.top) * scale) / size)];
      return a !== b && a >= 0 && b >= 0 && a < runs.length && b < runs.length ? [a, b] : null;
    };
    on(drawing, "pointermove", (event) => {
      const both = pair(event);
      if (both) status.textContent = sayPair(pairs, measure, ...both);
    });
    on(drawing, "click", (event) => {
      const both = pair(event);
      if (both) location.hash = address(card.name, ...both.map((index) => runs[index]));
    });
    holder.replaceChildren(drawing);
    status.textContent = sayPair(pairs, measure, 0, 1);
  };
  draw(on(choose, "change", draw));
  const key = "Blue: the run of the row is better (higher, where the measure only describes); orange: it is worse; grey: not significantly different, all pairs tested together. Point at a cell to read it, click to compare the two runs.";
  const some = card.runs > runs.length ? " Shown: " + runs.length + " of " + card.runs + " runs." : "";
  return block("", element("h2", "Pairs of runs"), labelled("Measure", choose), element("p", key + some, { class: "hint" }), holder, status);
};

// --- Verdicts and texts

const NO_TEXTS = { texts: [], shown: [], asked: [], target: [], answer: [], explanation: [], more: false };
const verdictsOf = (data) => {
  const size = data.verdicts[0].length;
  const items = data.questions.map(() => []);
  for (let item = 0; item < size; item++) items[data.of ? data.of[item] : item].push(item);
  const [runs, questions, shown] = [data.runs, data.questions, data.shown].map((names) => new Map(names.map((name, index) => [name, index])));
  const RAW = { p: "partly correct", n: "nobody judged it", e: "the system failed" };
  const state = (run, item) => (data.gold && data.gold[item] === "-" ? "" : data.counted[data.verdicts[run][item]] || "");
  const words = (run, index) =>
    items[index].map((item) => {
      const raw = data.verdicts[run][item];
      if (raw === ".") return "not asked";
      const said = state(run, item) || "not counted";
      return RAW[raw] ? said + " (" + RAW[raw] + ")" : said;
    }).join(", ");
  const tally = (run, items) => STATES.map((one) => items.filter((item) => state(run, item) === one).length);
  const read = (kind, index, run) => {
    const line = shown.has(index) ? data[kind][shown.get(index)] : undefined;
    const text = run === undefined ? line : line && line[run];
    return text >= 0 ? data.texts[text] : "";
  };
  return {
    data, items, runs, questions, size, state, words, tally, ofQuestion: (index) => data.counts[index],
    question: (item) => (data.of ? data.of[item] : item),
    category: (index) => (data.category[index] === null ? "" : data.categories[data.category[index]]),
    asked: (index) => read("asked", index), target: (index) => read("target", index),
    answer: (run, index) => read("answer", index, run), explanation: (run, index) => read("explanation", index, run),
    readable: (index) => shown.has(index),
  };
};
const share = (counts, index = 0) => {
  const whole = counts[0] + counts[1] + counts[2];
  return whole ? counts[index] / whole : null;
};
const percentCell = (value) => (value === null ? null : [value, rounded(100 * value, 1)]);

// A table of some questions; more: further columns, each with a label, and the cell of a question.
const questionTable = (context, indices, caption, more = [], options = {}) => {
  const { verdicts, campaign } = context;
  const { data } = verdicts;
  const texts = [["question text", verdicts.asked], ["gold answer", verdicts.target], ["category", verdicts.category]].filter(([label]) =>
    ({ "question text": data.asked.length, "gold answer": data.target.length, category: data.categories.length })[label]);
  const columns = [column("question", "node"), ...texts.map(([label]) => column(label)), ...more.map(([label, , kind]) => column(label, kind || "number"))];
  const rows = indices.map((index) => [
    [() => link(data.questions[index], campaign, "question", data.questions[index]), short(data.questions[index])],
    ...texts.map(([, read]) => short(read(index), 300)),
    ...more.map(([, cell]) => cell(index)),
  ]);
  return tableOf({ caption, columns, rows, file: "questions" }, context, options);
};
const answerCell = (verdicts, run, index) => {
  const given = verdicts.answer(run, index) || (verdicts.readable(index) ? "(no text)" : "(not on this page)");
  const why = verdicts.explanation(run, index);
  return short(given, 1000) + (why ? " — Judge: " + short(why, 1000) : "");
};
const missingTexts = (verdicts, campaign) => {
  const said = [];
  const { data } = verdicts;
  if (data.questions.length < data.total) said.push("The page has the verdicts on " + count(data.questions.length) + " of " + several(data.total, "question") + ", drawn at random (seed " + data.seed + ").");
  if (data.more) said.push("It has the texts of " + several(data.shown.length, "question") + ", those on which the runs differ most. All texts: snakemake results/" + campaign + "/responses.jsonl writes them into that file.");
  return said.map((text) => element("p", text, { class: "note" }));
};

const questionsTab = (context) => {
  const { verdicts, campaign } = context;
  const { data } = verdicts;
  const indices = data.questions.map((_, index) => index);
  const more = [
    ["correct %", (index) => percentCell(share(verdicts.ofQuestion(index)))],
    ["unanswered %", (index) => percentCell(share(verdicts.ofQuestion(index), 1))],
    ["correct · unanswered · wrong", (index) => verdicts.ofQuestion(index), "bar"],
  ];
  const by = 1 + [data.asked, data.target, data.categories].filter((some) => some.length).length;
  return [...data.sentences.map((text) => element("p", text)), ...missingTexts(verdicts, campaign), questionTable(context, indices, "The questions, the hardest first, in percent of the runs", more, { by })];
};

const questionCard = (context, index) => {
  const { verdicts } = context;
  const { data } = verdicts;
  const name = data.questions[index];
  const facts = { "": verdicts.asked(index), "Gold answer: ": verdicts.target(index), "Category: ": verdicts.category(index) };
  const rows = data.runs.map((run, number) => [run, verdicts.words(number, index), answerCell(verdicts, number, index)]);
  const columns = [column("run", "run"), column("verdict"), ...(data.answer.length ? [column("answer")] : [])];
  const shown = rows.map((row) => row.slice(0, columns.length));
  return [element("h2", short(name)), ...Object.entries(facts).filter(([, fact]) => fact).map(([words, fact]) => element("p", words + short(fact, 2000))), tableOf({ caption: "What each run did", columns, rows: shown, file: "question" }, context)];
};

const runCard = (context, name) => {
  const { verdicts, part } = context;
  const nodes = [element("h2", short(name))];
  const line = context.rowOf(name);
  const facts = part.ranking.columns.filter(({ kind }) => kind === "number" || kind === "rank").map((column) => {
    const [, words, unit] = column.label.match(/^(.*?)( %)?$/);
    return words + " " + textOf(line[part.ranking.columns.indexOf(column)]) + (unit || "");
  });
  nodes.push(element("p", facts.join(" · ")));
  if (!verdicts || !verdicts.runs.has(name)) return nodes;
  const { data } = verdicts;
  const run = verdicts.runs.get(name);
  const counted = (items) => verdicts.tally(run, items);
  const grid = (caption, label, groups) => {
    const columns = [column(label), ...STATES.map((state) => column(state, "number")), column("correct · unanswered · wrong", "bar")];
    return tableOf({ caption, columns, rows: groups.map(([words, counts]) => [words, ...counts.map((number) => [number, count(number)]), counts]), file: "run" }, context);
  };
  const every = Array.from({ length: verdicts.size }, (_, item) => item);
  if (data.categories.length) {
    nodes.push(grid("By category", "category", data.categories.map((category, at) => [short(category), counted(every.filter((item) => data.category[verdicts.question(item)] === at))])));
  }
  if (data.gold) nodes.push(grid("By truth of the pair", "pair", [["right", "1"], ["wrong", "0"]].map(([words, code]) => [words, counted(every.filter((item) => data.gold[item] === code))])));
  const more = [["verdict", (index) => verdicts.words(run, index), "text"], ["runs correct %", (index) => percentCell(share(verdicts.ofQuestion(index)))]];
  if (data.answer.length) more.push(["answer", (index) => answerCell(verdicts, run, index), "text"]);
  nodes.push(questionTable(context, data.questions.map((_, index) => index), "Its verdicts", more));
  return nodes;
};

// The cells of the 3 x 3 table of two runs: the items of each pair of states.
const cellsOf = (verdicts, one, other) => {
  const cells = {};
  for (let item = 0; item < verdicts.size; item++) {
    const [a, b] = [verdicts.state(one, item), verdicts.state(other, item)];
    if (a && b) (cells[a + "/" + b] ??= []).push(item);
  }
  return cells;
};

const comparisonCard = (context, names, wanted) => {
  const { verdicts, part } = context;
  const nodes = [element("h2", names.map((name) => short(name)).join(" and "))];
  const { pairs } = part;
  const indices = pairs ? names.map((name) => pairs.runs.indexOf(name)) : [-1];
  if (!indices.includes(-1)) nodes.push(...pairs.measures.slice(0, 4).map((measure) => element("p", sayPair(pairs, measure, ...indices))));
  if (!verdicts || !names.every((name) => verdicts.runs.has(name))) return nodes;
  const runs = names.map((name) => verdicts.runs.get(name));
  const cells = cellsOf(verdicts, ...runs);
  if (!Object.keys(cells).length) return [...nodes, element("p", "The two were asked no question in common that is on this page.")];
  const list = element("div", undefined, { "aria-live": "polite" });
  const show = (key) => {
    const shown = [...new Set((cells[key] || []).map(verdicts.question))].sort((a, b) => verdicts.readable(b) - verdicts.readable(a) || a - b);
    const [one, other] = key.split("/");
    const caption = several(shown.length, "question") + " that " + short(names[0], 30) + " " + DID[one] + " and " + short(names[1], 30) + " " + DID[other];
    const more = verdicts.data.answer.length ? names.map((name, number) => ["answer of " + short(name, 30), (index) => answerCell(verdicts, runs[number], index), "text"]) : [];
    list.replaceChildren(questionTable(context, shown, caption, more));
    for (const node of nine.querySelectorAll("button")) node.setAttribute("aria-pressed", String(node.dataset.cell === key));
  };
  const cell = (one, other) => {
    const key = one + "/" + other;
    const node = button(count((cells[key] || []).length), () => show(key));
    node.className = "cell";
    node.dataset.cell = key;
    node.setAttribute("aria-label", node.textContent + " questions: " + short(names[0], 30) + " " + one + ", " + short(names[1], 30) + " " + other);
    return element("td", undefined, { class: "number" }, node);
  };
  const heads = STATES.map((other) => element("th", short(names[1], 30) + " " + other, { scope: "col" }));
  const body = STATES.map((one) => element("tr", undefined, {}, element("th", short(names[0], 30) + " " + one, { scope: "row" }), ...STATES.map((other) => cell(one, other))));
  const nine = element("table", undefined, { class: "nine" }, element("caption", "What the two did on the same questions; a number lists them"), element("thead", undefined, {}, element("tr", undefined, {}, element("td"), ...heads)), element("tbody", undefined, {}, ...body));
  nodes.push(box("The two runs by verdict", nine), list);
  const apart = STATES.flatMap((one) => STATES.filter((other) => other !== one).map((other) => one + "/" + other));
  const most = apart.reduce((a, b) => ((cells[b] || []).length > (cells[a] || []).length ? b : a));
  show(wanted && cells[wanted] ? wanted : most);
  return nodes;
};

const chooser = (context, chosen = []) => {
  const { names } = context;
  const lists = [0, 1].map((index) => {
    const list = select(names.map((name) => short(name, 40)));
    list.value = String(Math.max(chosen.length ? names.indexOf(chosen[index]) : index, 0));
    return list;
  });
  const status = element("span", "", { role: "status" });
  const go = button("Compare", () => {
    const [one, other] = lists.map((list) => names[list.value]);
    if (one !== other) location.hash = address(context.campaign, one, other);
    else status.textContent = "Choose two different runs.";
  });
  return block("", labelled("Run ", lists[0]), " ", labelled(" and ", lists[1]), " ", go, status);
};

// Links into the answers: where the first two runs differ, and what no run got right.
const readAnswers = (context) => {
  const { verdicts, part, campaign } = context;
  const ranked = context.names.filter((name, line) => !part.ranking.trivial[line]);
  if (!verdicts || !ranked.length) return null;
  const said = [];
  const [a, b] = ranked.filter((name) => verdicts.runs.has(name));
  if (b !== undefined) {
    const cells = cellsOf(verdicts, verdicts.runs.get(a), verdicts.runs.get(b));
    for (const [one, other] of [["unanswered", "wrong"], ["unanswered", "correct"], ["wrong", "correct"], ["wrong", "unanswered"], ["correct", "wrong"]]) {
      const number = (cells[one + "/" + other] || []).length;
      const words = several(number, part.card.unit) + " that " + short(a, 40) + " " + DID[one] + " and " + short(b, 40) + " " + DID[other];
      if (number && said.length < 3) said.push(element("li", undefined, {}, element("a", words, { href: address(campaign, a, b) + "?cell=" + one + "/" + other })));
    }
  }
  const hard = verdicts.data.counts.filter(([correct, unanswered, wrong]) => !correct && unanswered + wrong).length;
  if (hard) said.push(element("li", undefined, {}, element("a", several(hard, "question") + (verdicts.runs.size > 1 ? " that no run got right" : " that it did not get right"), { href: "#" + campaign + ":questions" })));
  return said.length ? block("", element("h2", "Read the answers"), element("ul", undefined, {}, ...said)) : null;
};

// --- The page

const sectionsOf = (context, sections) =>
  sections.flatMap(({ heading, sentences, figures, tables }) => [
    ...(heading ? [element("h2", heading)] : []),
    ...sentences.map((text) => element("p", unbroken(text))),
    block("columns", ...figures.map((figure, index) => chart(figure, [context.campaign, heading.toLowerCase().replace(/[^a-z]+/g, "-"), index + 1].join("-")))),
    block("tables", ...tables.map((table) => {
      if (table.rows.length <= FEW) return tableOf({ ...table, caption: table.caption === heading ? "" : table.caption }, context);
      const words = table.caption.replace(/\.$/, "") + " (" + count(table.rows.length) + " rows)";
      return folded("fold", words, tableOf({ ...table, caption: "" }, context));
    })),
  ]);

const NARROW = new Set(["rank", "run", "precision_answered %", "answered %"]); // columns of the ranking on a phone, beside the first measure
const rankingTab = (context) => {
  const { part } = context;
  const ranking = { ...part.ranking, file: "leaderboard" };
  const options = { class: "ranking", first: part.card.measure, narrow: new Set([...NARROW, part.card.measure]) };
  const charts = [part.ranking.columns.some(({ kind }) => kind === "bar") ? costChart(context) : null, readAnswers(context)].filter(Boolean);
  return [tableOf(ranking, context, options), context.remarks, ...(charts.length ? [block("columns", ...charts)] : [])];
};
const compareTab = (context) => [...(context.names.length > 1 ? [chooser(context)] : []), ...(context.part.pairs ? [matrix(context)] : [])];
const OWN = { ranking: rankingTab, compare: compareTab, questions: (context) => (context.verdicts ? questionsTab(context) : []) };

const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const start = async () => {
  const characters = JSON.parse(document.getElementById("_characters").textContent);
  const articles = [...document.querySelectorAll("article")];
  const overview = document.getElementById("_overview");
  const contexts = new Map();

  const unpacked = async ({ textContent }) => {
    if (!textContent) return {};
    const packed = Uint8Array.from(atob(textContent), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  };
  const contextOf = async (article) => {
    if (contexts.has(article)) return contexts.get(article);
    const [part, texts] = await Promise.all([...article.querySelectorAll("script")].map(unpacked));
    const runColumn = part.ranking.columns.findIndex(({ kind }) => kind === "run");
    const names = part.ranking.rows.map((row) => row[runColumn]);
    const colours = new Map(names.slice(0, COLOURS.length).map((name, index) => [name, COLOURS[index]]));
    const rows = new Map(part.ranking.rows.map((row) => [row[runColumn], row]));
    const verdicts = part.questions ? verdictsOf({ ...NO_TEXTS, ...part.questions, ...texts }) : null;
    const remarks = article.querySelector(".remarks");
    for (const node of article.querySelectorAll(".screen p")) node.textContent = unbroken(node.textContent);
    const context = { part, remarks, characters, names, verdicts, campaign: part.card.name, colour: (name) => colours.get(name) || null, rowOf: (name) => rows.get(name) };
    contexts.set(article, context);
    return context;
  };

  // What an address names within a campaign: a run, two runs, or a question; and the tab that shows it.
  const detailOf = (context, names, wanted) => {
    const whole = names.join("/");
    if (context.rowOf(whole)) return ["ranking", runCard(context, whole)];
    for (let split = 1; split < names.length; split++) {
      const both = [names.slice(0, split).join("/"), names.slice(split).join("/")];
      if (both.every(context.rowOf) && both[0] !== both[1]) return ["compare", [chooser(context, both), ...comparisonCard(context, both, wanted)]];
    }
    const question = names[0] === "question" && names.length > 1 ? names.slice(1).join("/") : whole;
    if (context.verdicts && context.verdicts.questions.has(question)) return ["questions", questionCard(context, context.verdicts.questions.get(question))];
    return ["ranking", [element("p", "Nothing here is called “" + short(question) + "”: no run, and none of the questions on this page.")]];
  };

  const route = async () => {
    const [path, query = ""] = location.hash.replace(/^#/, "").split("?");
    const [target, ...names] = path.split("/").map(decoded);
    if (target === "_main") return;
    const [name, wantedTab] = target.split(":");
    const article = articles.find((one) => one.id === name) || (overview ? null : articles[0]);
    if (!article && name && overview) {
      const elsewhere = [...overview.querySelectorAll("a")].find((one) => one.getAttribute("href") === name + "/report.html#" + name);
      if (elsewhere) location.replace(name + "/report.html" + location.hash);
    }
    if (overview) overview.classList.toggle("away", Boolean(article));
    for (const one of articles) one.classList.toggle("away", one !== article);
    if (!article) return;
    const context = await contextOf(article);
    const { part } = context;
    const [detailTab, detail] = names.length ? detailOf(context, names, new URLSearchParams(query).get("cell")) : [null, null];
    const tab = part.tabs.find(({ id }) => id === (detailTab || wantedTab)) || part.tabs[0];
    article.querySelector(".tabs").replaceChildren(...part.tabs.map(({ id, title }) => element("a", title, { href: "#" + article.id + (id === "ranking" ? "" : ":" + id), ...(id === tab.id ? { "aria-current": "page" } : {}) })));
    article.querySelector(".screen").hidden = tab.id !== "ranking" || Boolean(detail);
    const holder = article.querySelector(".tab");
    if (detail) holder.replaceChildren(...detail, element("p", undefined, {}, element("a", "Close", { href: "#" + article.id + (tab.id === "ranking" ? "" : ":" + tab.id) })));
    else holder.replaceChildren(...(OWN[tab.id] || (() => []))(context), ...sectionsOf(context, tab.sections));
    if (detail || wantedTab) scrollTo(0, 0);
    document.documentElement.classList.add("ready");
  };
  addEventListener("hashchange", route);
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.target.matches("input, select")) return;
    const open = document.querySelector("details.menu[open]");
    if (open) open.open = false;
    else if (location.hash.includes("/")) location.hash = location.hash.split(/[/?]/)[0];
  });
  addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
  });
  await route();
  document.documentElement.classList.add("ready");
};
start();
