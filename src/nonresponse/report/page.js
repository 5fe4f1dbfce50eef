"use strict";
// Draws each campaign from its JSON: tabs, tables, charts, and the answers. Names become text, never markup.

// --- Elements and texts

const fillNode = (node, text, attributes, children) => {
  if (text !== undefined && text !== null) node.textContent = text;
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
};
const makeElement = (name, text, attributes = {}, ...children) => fillNode(document.createElement(name), text, attributes, children);
const makeShape = (name, attributes, text, ...children) => fillNode(document.createElementNS("http://www.w3.org/2000/svg", name), text, attributes, children);
const makeDetails = (name, words, ...content) => makeElement("details", undefined, { class: name }, makeElement("summary", words), ...content);
const makeBlock = (name, ...children) => makeElement("div", undefined, { class: name }, ...children);
const listen = (node, event, act) => (node.addEventListener(event, act), node);
const bindPercent = (text) => text.replaceAll(" %", "\u00a0%");
const makeButton = (words, act) => listen(makeElement("button", words, { type: "button" }), "click", act);
const makeSelect = (names) => makeElement("select", undefined, {}, ...names.map((name, value) => makeElement("option", name, { value })));
const addLabel = (words, control) => makeElement("label", words, {}, control);
const makeBox = (about, ...content) => makeElement("div", undefined, { class: "box", role: "region", tabindex: "0", "aria-label": about }, ...content);

// As nonresponse/legible.py: on one line; characters that do not show, or turn the direction of text, as code points.
const FOLDED = /(?:(?!\ufeff)[\s\x1c-\x1f\x85])+/gu;
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}]|(?! )\p{Zs}/gu;
const formatCodePoint = (character) => "[U+" + character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "]";
const showHidden = (text) => text.replace(FOLDED, " ").replace(/^ | $/g, "").replace(HIDDEN, formatCodePoint);
const shorten = (text, longest = 80) => {
  const letters = [...showHidden(text)];
  if (letters.length <= longest) return letters.join("");
  const after = Math.floor((longest - 1) / 2);
  return letters.slice(0, longest - 1 - after).join("") + "…" + letters.slice(letters.length - after).join("");
};
// As wording.rounded: halves are rounded up, after rounding the number to twelve digits.
const formatNumber = (value, digits) => {
  const units = Math.round(Number((Math.abs(value) * 10 ** digits).toPrecision(12))) / 10 ** digits;
  const text = units.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return (value < 0 && units ? "−" : "") + text;
};
const formatSigned = (value, digits) => (value < 0 ? "" : "+") + formatNumber(value, digits);
const formatCount = (number) => number.toLocaleString("en-US", { maximumFractionDigits: 2 });
const formatPlural = (number, noun) => formatCount(number) + " " + noun + (number === 1 ? "" : "s");
const makeAddress = (...names) => "#" + names.map(encodeURIComponent).join("/");
const makeLink = (name, ...names) => makeElement("a", shorten(name), { href: makeAddress(...names) });

const STATES = ["correct", "unanswered", "wrong"];
const VERBS = { correct: "got right", unanswered: "left unanswered", wrong: "got wrong" };
const COLOURS = [1, 2, 3, 4, 5, 6].map((index) => "var(--run-" + index + ")"); // of the first runs

// --- Exports

const saveFile = (text, type, name) => {
  const anchor = makeElement("a", undefined, { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10000);
};
const escapeCsv = (value, formula) => {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const harmless = formula.test(value) ? "'" + value : value;
  return /[",\r\n]/.test(harmless) ? '"' + harmless.replaceAll('"', '""') + '"' : harmless;
};
const escapeMarkdown = (text) => showHidden(text).replace(/(?!(?<=\d)[.,]\d)[!-/:-@[-`{-~]/g, "\\$&");
// As nonresponse/legible.py writes text in LaTeX, from its table of characters.
const escapeLatex = (text, { escapes, plain }) => {
  const pattern = new RegExp("^" + plain + "$", "u");
  let previous = "";
  const letters = [...showHidden(text.normalize("NFC"))].map((letter) => {
    const separator = letter === previous && "-',".includes(letter) ? "{}" : ""; // two dashes would become a longer one
    previous = letter;
    if (escapes[letter]) return separator + escapes[letter];
    return pattern.test(letter) ? separator + letter : formatCodePoint(letter);
  });
  return (/^[[*]/.test(letters.join("")) ? "{}" : "") + letters.join(""); // else an option of the line end before it
};
const EXPORTS = {
  CSV: (heads, rows, { formula }) => [heads, ...rows].map((row) => row.map((value) => escapeCsv(value, new RegExp(formula))).join(",") + "\r\n").join(""),
  Markdown: (heads, rows, characters, textColumns) => {
    const line = (cells) => "| " + cells.map((cell) => escapeMarkdown(String(cell ?? ""))).join(" | ") + " |";
    return [line(heads), "|" + textColumns.map((isText) => (isText ? " - |" : " -: |")).join(""), ...rows.map(line), ""].join("\n");
  },
  LaTeX: (heads, rows, characters, textColumns) => {
    const line = (cells) => cells.map((cell) => escapeLatex(String(cell ?? ""), characters)).join(" & ") + " \\\\";
    const needs = "% \\usepackage{booktabs}, and \\usepackage[T1]{fontenc} for letters beyond ASCII";
    const begin = "\\begin{tabular}{" + textColumns.map((isText) => (isText ? "l" : "r")).join("") + "}";
    return [needs, begin, "\\toprule", line(heads), "\\midrule", ...rows.map(line), "\\bottomrule", "\\end{tabular}", ""].join("\n");
  },
};
const TYPES = { CSV: ["text/csv", "csv"], Markdown: ["text/markdown", "md"], LaTeX: ["application/x-tex", "tex"] };

// --- Tables

const PAGE_ROWS = 100; // rows
const FEW_ROWS = 12; // rows, which need no filter and are not folded

// The value of a cell, by which rows are sorted, and its text.
const getValue = (cell) => (Array.isArray(cell) ? cell.find((value) => typeof value !== "function") : cell);
const getText = (cell) => (Array.isArray(cell) ? String(cell.at(-1)) : cell === null || cell === undefined ? "–" : String(cell));

const drawBar = (parts) => {
  const total = parts.reduce((sum, part) => sum + part, 0) || 1;
  const label = parts.map((part, index) => formatCount(part) + " " + STATES[index]).join(", ");
  const drawing = makeShape("svg", { class: "fixed bar", role: "img", "aria-label": label }, undefined, makeShape("title", {}, label));
  let offset = 0;
  parts.forEach((part, index) => {
    const share = (100 * part) / total;
    if (share) drawing.append(makeShape("rect", { class: STATES[index], x: offset + "%", width: share + "%", height: 18, y: 1 }));
    if (share > 11) drawing.append(makeShape("text", { class: STATES[index], x: offset + share / 2 + "%", y: 14 }, Math.round(share) + "%"));
    offset += share;
  });
  return drawing;
};
const drawRange = (cell, low, high) => {
  const position = (value) => (high > low ? (100 * (value - low)) / (high - low) : 50).toFixed(2) + "%";
  const [score, from, to] = cell;
  return makeShape("svg", { class: "fixed", "aria-hidden": "true" }, undefined,
    makeShape("line", { class: "mark", x1: position(from), x2: position(to), y1: 10, y2: 10 }),
    makeShape("circle", { class: "mark", cx: position(score), cy: 10, r: 3.5 }));
};

const drawShade = ([value, text]) => {
  const node = makeElement("span", text, { class: "tint" });
  node.style.setProperty("--share", 100 * Math.max(value, 0) + "%");
  return node;
};

// columns: id, label, kind (rank, run, number, shade, text, interval, bar, node), about, better, shown. A cell is a text, [value,
// text], or the numbers that are drawn; of kind node a function that makes it, and its text: [function, text].
const makeTable = ({ caption, columns, rows, trivial = [], file, notes = [] }, context, options = {}, about = caption) => {
  const { campaign, characters, getColour = () => null } = context;
  let visibleColumns = columns.map((column, index) => index).filter((index) => columns[index].shown);
  let [sortColumn, isDescending, page] = [options.sortColumn ?? -1, false, 0];
  let matches = rows.map((row, line) => line);
  const head = makeElement("tr");
  const body = makeElement("tbody");
  const status = makeElement("span", "", { class: "status", role: "status" });
  const filter = makeElement("input", undefined, { type: "search", placeholder: "text" });
  const ends = columns.map(({ kind }, index) => (kind === "interval" ? rows.map((row) => row[index]).filter(Boolean).flatMap((cell) => cell.slice(1)) : []));

  const drawCell = (line, index) => {
    const [cell, { kind }] = [rows[line][index], columns[index]];
    if (cell === null || cell === undefined) return "–";
    if (kind === "bar") return drawBar(cell);
    if (kind === "interval") return drawRange(cell, Math.min(...ends[index].slice(0, 20000)), Math.max(...ends[index].slice(0, 20000)));
    if (kind === "node") return cell[0]();
    if (kind === "shade") return drawShade(cell);
    if (kind === "run") {
      const name = makeElement("a", shorten(cell, innerWidth > 640 ? 80 : 32), { title: showHidden(cell), href: makeAddress(campaign, cell) });
      const node = makeElement("span", undefined, getColour(cell) ? { class: "dot" } : {}, name, trivial[line] ? " †" : "");
      node.style.setProperty("--dot", getColour(cell));
      return node;
    }
    const [words, bounds] = kind === "number" ? showHidden(getText(cell)).split(/(?= \[)/) : [showHidden(getText(cell))];
    return makeElement("span", words, {}, ...(bounds ? [makeElement("small", bounds)] : []));
  };
  const listClasses = (index, cell) => {
    const { kind, id } = columns[index];
    const names = [kind, ...(id === options.first ? ["first"] : []), ...(options.narrow && !options.narrow.has(id) ? ["narrow"] : [])];
    if (id === "net %" && cell && cell[0] < 0) names.push("bad");
    return names.join(" ");
  };
  const makeRow = (line) =>
    makeElement("tr", undefined, {}, ...visibleColumns.map((index) => {
      const isHead = columns[index].kind === "run" || (index === 0 && !columns.some(({ kind }) => kind === "run"));
      return makeElement(isHead ? "th" : "td", undefined, { class: listClasses(index, rows[line][index]), ...(isHead ? { scope: "row" } : {}) }, drawCell(line, index));
    }));
  const showRows = () => {
    const last = Math.max(Math.ceil(matches.length / PAGE_ROWS) - 1, 0);
    page = Math.min(Math.max(page, 0), last);
    body.replaceChildren(...matches.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS).map(makeRow));
    const start = matches.length ? page * PAGE_ROWS + 1 : 0;
    const end = Math.min((page + 1) * PAGE_ROWS, matches.length);
    const isPart = matches.length < rows.length || rows.length > PAGE_ROWS;
    status.textContent = isPart ? formatCount(start) + " to " + formatCount(end) + " of " + formatCount(matches.length) + " rows" : "";
    [back.disabled, next.disabled] = [page === 0, page === last];
  };
  const compareLines = (a, b) => {
    const [first, second] = [a, b].map((line) => getValue(rows[line][sortColumn]));
    if (first === null || second === null) return (first === null) - (second === null);
    const order = typeof first === "string" ? first.localeCompare(second, "en", { numeric: true }) : first - second;
    return (isDescending ? -order : order) || a - b;
  };
  const sortRows = () => {
    matches.sort(sortColumn >= 0 ? compareLines : (a, b) => a - b);
    showRows();
  };
  const [back, next] = [["Previous", -1], ["Next", 1]].map(([words, step]) => makeButton(words, () => showRows((page += step))));
  const drawHeads = () =>
    head.replaceChildren(...visibleColumns.map((index) => {
      const { label, about, kind, better } = columns[index];
      const sorter = makeButton(label.replace(/ (%|100)$|(?<=−) /g, "\u00a0$1").replace(/,(?=\S)/g, ",\u200b"), () => {
        isDescending = sortColumn === index ? !isDescending : better === "higher";
        [sortColumn, page] = [index, 0];
        drawHeads();
        sortRows();
        head.children[visibleColumns.indexOf(index)].querySelector("button").focus(); // the heads are new
      });
      const sorted = sortColumn === index ? { "aria-sort": isDescending ? "descending" : "ascending" } : {};
      const cell = makeElement("th", undefined, { scope: "col", class: listClasses(index), ...(about ? { title: about.split("\n\n")[0].replace(/\s+/g, " ") } : {}), ...sorted });
      if (kind === "bar" && label.includes("·")) cell.append(...STATES.map((state) => makeElement("span", state, { class: "key " + state })));
      else cell.append(kind === "interval" || kind === "bar" ? label : sorter);
      return cell;
    }));
  listen(filter, "input", () => {
    const words = filter.value.toLowerCase();
    matches = rows.map((row, line) => line).filter((line) => rows[line].some((cell) => getText(cell).toLowerCase().includes(words)));
    page = 0;
    sortRows();
  });
  const exportTable = (kind) => {
    const spreadLabels = (index) => ({ bar: STATES, interval: [" low", " high"].map((end) => columns[index].label + end) })[columns[index].kind] || [columns[index].label];
    const spreadValues = (line, index) => {
      const cell = rows[line][index];
      if (columns[index].kind === "bar") return cell || [null, null, null];
      if (columns[index].kind === "interval") return cell ? cell.slice(1) : [null, null];
      return [kind === "CSV" ? getValue(cell) : cell === null ? null : getText(cell)];
    };
    const textColumns = visibleColumns.flatMap((index) => spreadLabels(index).map(() => ["run", "text", "node"].includes(columns[index].kind)));
    const lines = matches.map((line) => visibleColumns.flatMap((index) => spreadValues(line, index)));
    return EXPORTS[kind](visibleColumns.flatMap(spreadLabels), lines, characters, textColumns);
  };
  const tools = makeBlock("tools", makeElement("span", caption || "", { class: "caption" }));
  const pager = makeBlock("tools", status, ...(rows.length > PAGE_ROWS ? [back, next] : []));
  if (rows.length > FEW_ROWS) tools.append(addLabel("Filter", filter));
  if (columns.some((column) => !column.shown)) {
    const choices = columns.map(({ label, kind }, index) => {
      const check = makeElement("input", undefined, { type: "checkbox" });
      check.checked = visibleColumns.includes(index);
      check.disabled = kind === "run";
      listen(check, "change", () => {
        visibleColumns = check.checked ? [...visibleColumns, index].sort((a, b) => a - b) : visibleColumns.filter((visible) => visible !== index);
        drawHeads();
        showRows();
      });
      return makeElement("label", undefined, {}, check, label);
    });
    tools.append(makeDetails("menu", "Columns", makeBlock("", ...choices)));
  }
  const name = [campaign, file || "table"].join("-");
  const exports = Object.entries(TYPES).map(([kind, [type, ending]]) => makeButton(kind, () => saveFile(exportTable(kind), type, name + "." + ending)));
  tools.append(makeDetails("menu", "Export", makeBlock("", ...exports)));
  drawHeads();
  sortRows();
  const node = makeElement("table", undefined, { class: options.class || "" }, makeElement("thead", undefined, {}, head), body);
  const below = notes.length ? [makeDetails("notes", "Notes", ...notes.map((text) => makeElement("p", text)))] : [];
  return makeBlock("tabular", tools, makeBox(about || "Table", node), ...(rows.length > FEW_ROWS ? [pager] : []), ...below);
};
const makeColumn = (label, kind = "text", more = {}) => ({ id: label, label, kind, about: "", better: "", shown: true, ...more });

// --- Charts

const DASHES = ["", "6 3", "2 2", "9 3 2 3"];
const MARKS = ["M-3,0a3,3 0 1,0 6,0a3,3 0 1,0 -6,0", "M-3,-3h6v6h-6z", "M0,-4L4,0L0,4L-4,0z", "M0,-4L4,3H-4z"];
const MAX_NAMED = 12; // curves
const GREY = "#9aa0a8";
const listTicks = (low, high) => {
  const power = 10 ** Math.floor(Math.log10((high - low) / 5));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= (high - low) / 5 - 1e-12);
  const start = Math.ceil(low / step - 1e-9);
  const number = Math.floor(high / step + 1e-9) - start + 1;
  return Array.from({ length: Math.max(number, 0) }, (_, index) => (start + index) * step);
};
const formatTick = (value, percent) => (percent ? formatNumber(100 * value, 2).replace(/\.?0+$/, "") + "%" : String(Number(value.toPrecision(6))).replace("-", "−"));

const pen = document.createElement("canvas").getContext("2d");
const measureText = (text, weight = 400) => {
  pen.font = weight + ' 11px system-ui, "Liberation Sans", sans-serif'; // as svg text in page.css
  return pen.measureText(text).width;
};
// A name, shortened until it fits into so many pixels.
const fitName = (name, room) => {
  for (let longest = 48; longest > 5; longest--) if (measureText(shorten(name, longest), 600) <= room) return shorten(name, longest);
  return shorten(name, 5);
};
const wrapText = (text, room) =>
  text.split(" ").reduce((lines, word) => {
    const longer = lines.length ? lines.at(-1) + " " + word : "";
    return longer && measureText(longer) <= room ? [...lines.slice(0, -1), longer] : [...lines, word];
  }, []);

// Axes with their ticks and labels, and functions of a value that give its place. Names stand to the right of the curves, on a
// phone below them.
const NAME_ROOM = 180;
const drawAxes = (about, labels, ranges, percent, names) => {
  const width = Math.min(550, innerWidth - 24);
  const isNarrow = width < 500;
  const right = isNarrow ? 20 : 12 + Math.min(Math.max(20, ...names.map((name) => measureText(shorten(name), 600))), NAME_ROOM);
  const axisLines = wrapText(labels[0], width - 60);
  const [left, top, bottom] = [44, 16, 27 + 13 * axisLines.length];
  const height = 230 + bottom;
  const x = (value) => left + ((value - ranges[0][0]) / (ranges[0][1] - ranges[0][0])) * (width - left - right);
  const y = (value) => top + ((ranges[1][1] - value) / (ranges[1][1] - ranges[1][0])) * (height - top - bottom);
  const drawing = makeShape("svg", { width, height, viewBox: [0, 0, width, height].join(" "), role: "img", "aria-label": about });
  const drawLine = (className, x1, y1, x2, y2) => drawing.append(makeShape("line", { class: className, x1, y1, x2, y2 }));
  const drawText = (text, x, y, anchor) => drawing.append(makeShape("text", { x, y, "text-anchor": anchor }, text));
  for (const value of listTicks(...ranges[0])) {
    drawLine("grid", x(value), top, x(value), height - bottom);
    drawText(formatTick(value, percent[0]), x(value), height - bottom + 14, "middle");
  }
  for (const value of listTicks(...ranges[1])) {
    drawLine("grid", left, y(value), width - right, y(value));
    drawText(formatTick(value, percent[1]), left - 5, y(value) + 4, "end");
  }
  axisLines.forEach((line, index) => drawText(line, isNarrow ? width / 2 : (left + width - right) / 2, height - bottom + 32 + 13 * index, "middle"));
  drawText(labels[1], left, top - 6, "start");
  // The names of curves, moved apart: [name, value, colour, dashes, mark]; below them with a sample of the curve.
  const drawNames = (ends) => {
    const places = ends.map(([text, value, ...look]) => ({ text, middle: y(value), look })).sort((a, b) => a.middle - b.middle);
    places.forEach((place, index) => (place.middle = Math.max(place.middle, index ? places[index - 1].middle + 12 : top)));
    [...places].reverse().forEach((place, index, all) => (place.middle = Math.min(place.middle, index ? all[index - 1].middle - 12 : height - bottom)));
    places.forEach(({ text, middle, look: [fill, dashes, mark] }, index) => {
      const [start, line] = isNarrow ? [34, height + 2 + 15 * index] : [width - right + 6, middle];
      const node = makeShape("text", { class: fill ? "strong" : "", x: start, y: line + 4 }, fitName(text, isNarrow ? width - start - 4 : NAME_ROOM));
      if (fill) node.style.fill = fill;
      drawing.append(node);
      if (!isNarrow) return;
      const samples = [makeShape("path", { class: fill ? "line" : "zero", d: "M4," + line + "h24", ...(dashes ? { "stroke-dasharray": dashes } : {}) })];
      if (mark) samples.push(makeShape("path", { d: mark, transform: "translate(16," + line + ")" }));
      for (const sample of fill ? samples : []) sample.style[sample === samples[0] ? "stroke" : "fill"] = fill;
      drawing.append(...samples);
    });
    const whole = height + (isNarrow ? 15 * places.length : 0);
    drawing.setAttribute("height", whole);
    drawing.setAttribute("viewBox", [0, 0, width, whole].join(" "));
  };
  return { drawing, x, y, drawLine, drawNames, left, right: width - right };
};

// Curves and marks; the first have names and looks of their own, the others are grey.
const drawChart = ({ title, labels, curves, ranges, percent, level, level_name, diagonal, bands }) => {
  const names = [...new Set(curves.map((curve) => curve.name))];
  const getStyle = (name) => {
    const index = names.indexOf(name);
    if (index < 0 || index >= MAX_NAMED) return { isNamed: false, colour: GREY, dashes: "", shape: MARKS[0] };
    return { isNamed: true, colour: COLOURS[index % COLOURS.length], dashes: DASHES[Math.floor(index / COLOURS.length)], shape: MARKS[index % MARKS.length] };
  };
  const plot = drawAxes(title, labels, ranges, percent, [...names.slice(0, MAX_NAMED), level_name]);
  if (level !== null) plot.drawLine("zero", plot.left, plot.y(level), plot.right, plot.y(level));
  if (diagonal) plot.drawLine("zero", plot.x(0), plot.y(0), plot.x(1), plot.y(1));
  for (const [start, end, best] of bands) {
    const about = best.map((run) => shorten(run)).join(", ") + ": best from a cost of " + formatNumber(start, 2) + " to " + formatNumber(end, 2);
    const stretch = makeShape("rect", { x: plot.x(start), width: Math.max(plot.x(end) - plot.x(start) - 1, 0), y: 12, height: 4 }, undefined, makeShape("title", {}, about));
    stretch.style.fill = getStyle(best.find((run) => names.includes(run))).colour;
    plot.drawing.append(stretch);
  }
  const ends = new Map();
  for (const curve of [...curves].reverse()) {
    const { isNamed, colour, dashes, shape } = getStyle(curve.name);
    const formatPoint = ([x, y]) => plot.x(x) + "," + plot.y(y);
    if (curve.line) {
      const path = makeShape("path", { class: "line", d: "M" + curve.points.map(formatPoint).join("L"), "stroke-dasharray": dashes }, undefined, makeShape("title", {}, shorten(curve.name)));
      path.style.stroke = colour;
      if (!isNamed) path.style.strokeWidth = 0.6;
      plot.drawing.append(path);
    }
    for (const point of curve.marks ? curve.points : curve.points.slice(isNamed ? -1 : curve.points.length)) {
      const words = [curve.name, ...point.slice(0, 2).map((value, axis) => labels[axis].split(/[:(]/)[0].trim() + " " + formatTick(value, percent[axis]))];
      const size = point.length > 2 ? 0.7 + 2 * Math.sqrt(point[2]) : 1;
      const mark = makeShape("path", { d: shape, transform: "translate(" + formatPoint(point) + ") scale(" + size + ")" }, undefined, makeShape("title", {}, words.map((text) => shorten(text)).join(" · ")));
      mark.style.fill = colour;
      plot.drawing.append(mark);
    }
    if (isNamed && (curve.line || !ends.has(curve.name))) ends.set(curve.name, [curve.name, curve.points.at(-1)[1], colour, dashes, shape]);
  }
  plot.drawNames([...ends.values(), ...(level_name ? [[level_name, level, ""]] : [])]);
  const omission = names.length > MAX_NAMED ? " The first " + MAX_NAMED + " of " + formatCount(names.length) + " are named." : "";
  return makeBlock("", makeElement("h3", title.replace(/\.$/, "") + "." + omission), makeBlock("figure", makeBox(title, plot.drawing)));
};

// The figure of costs, and what is best at a cost that is chosen: each of its curves is a line, and so is never answering.
const drawCostChart = (context) => {
  const { figure, sections } = context.part.costs;
  const lines = figure.curves.map(({ name, points: [[, start], [end, value]] }) => ({ name: shorten(name, 40), start, slope: (value - start) / end }));
  lines.push({ name: figure.level_name, start: figure.level, slope: 0 });
  const slider = makeElement("input", undefined, { type: "range", min: 0, max: Math.max(2, figure.ranges[0][1]), step: 0.01, value: 0.5 });
  const status = makeElement("p", "", { role: "status" });
  const describeCost = () => {
    const cost = Number(slider.value);
    const ranked = lines.map(({ name, start, slope }) => [name, start + cost * slope]).sort((a, b) => b[1] - a[1]);
    const best = ranked.slice(0, 3).map(([name, value]) => name + " " + formatNumber(value, 3));
    status.textContent = "At a cost of " + formatNumber(cost, 2) + ": " + best.join(", ") + (ranked.length > 3 ? ", …" : ".");
  };
  listen(slider, "input", describeCost);
  describeCost();
  return [drawChart(figure), makeBlock("", addLabel("Cost", slider), status, ...makeSections(context, sections))];
};

const findPairIndex = (size, a, b) => (a < b ? (a * (2 * size - a - 1)) / 2 + b - a - 1 : findPairIndex(size, b, a));
// What is known of two runs by a measure: whether they differ significantly ("1", "0" or "-"), by how much, the interval.
const readPair = ({ runs }, measure, a, b) => {
  const index = findPairIndex(runs.length, a, b);
  const [first, second] = [measure.scores[a], measure.scores[b]];
  const ends = measure.ends && measure.ends[index];
  const difference = first === null || second === null ? null : first - second;
  return { different: measure.different[index], difference, ends: ends && (a < b ? ends : [-ends[1], -ends[0]]).map((end) => end / 1000) };
};
const describePair = (pairs, measure, a, b) => {
  const { different, difference, ends } = readPair(pairs, measure, a, b);
  const names = shorten(pairs.runs[a], 40) + " − " + shorten(pairs.runs[b], 40) + ": ";
  if (difference === null) return names + "no score by " + measure.id + ".";
  const [factor, digits, unit] = measure.percent ? [100, 1, " points"] : [1, 3, ""];
  const verdict = { 1: "significantly different", 0: "not significantly different", "-": "not compared" }[different];
  const interval = ends ? " (" + pairs.confidence + " CI " + ends.map((end) => formatNumber(end * factor, digits)).join(" to ") + ")" : "";
  return names + formatSigned(difference * factor, digits) + unit + " in " + measure.id + interval + ", " + verdict + ".";
};

// --- Verdicts and texts

const NO_TEXTS = { texts: [], shown: [], asked: [], target: [], answer: [], explanation: [], more: false };
const indexVerdicts = (data) => {
  const size = data.verdicts[0].length;
  const items = data.questions.map(() => []);
  for (let item = 0; item < size; item++) items[data.of ? data.of[item] : item].push(item);
  const [runs, questions, textIndices] = [data.runs, data.questions, data.shown].map((names) => new Map(names.map((name, index) => [name, index])));
  const REASONS = { p: "partly correct", n: "nobody judged it", e: "the system failed" };
  const getState = (run, item) => (data.gold && data.gold[item] === "-" ? "" : data.counted[data.verdicts[run][item]] || "");
  const describe = (run, index) =>
    items[index].map((item) => {
      const letter = data.verdicts[run][item];
      if (letter === ".") return "not asked";
      const state = getState(run, item) || "not counted";
      return REASONS[letter] ? state + " (" + REASONS[letter] + ")" : state;
    }).join(", ");
  const countStates = (run, items) => STATES.map((state) => items.filter((item) => getState(run, item) === state).length);
  const read = (kind, index, run) => {
    const line = textIndices.has(index) ? data[kind][textIndices.get(index)] : undefined;
    const text = run === undefined ? line : line && line[run];
    return text >= 0 ? data.texts[text] : "";
  };
  return {
    data, runs, questions, size, getState, describe, countStates,
    getCounts: (index) => data.counts[index],
    getQuestion: (item) => (data.of ? data.of[item] : item),
    getCategory: (index) => (data.category[index] === null ? "" : data.categories[data.category[index]]),
    readQuestion: (index) => read("asked", index),
    readTarget: (index) => read("target", index),
    readAnswer: (run, index) => read("answer", index, run),
    readExplanation: (run, index) => read("explanation", index, run),
    hasTexts: (index) => textIndices.has(index),
  };
};
const computeShare = (counts, index = 0) => {
  const total = counts[0] + counts[1] + counts[2];
  return total ? counts[index] / total : null;
};
const makePercentCell = (value) => (value === null ? null : [value, formatNumber(100 * value, 1)]);

// A table of some questions; extraColumns: further columns, each with a label, and the cell of a question.
const makeQuestionTable = (context, indices, caption, extraColumns = [], options = {}) => {
  const { verdicts, campaign } = context;
  const { data } = verdicts;
  const texts = [["question text", verdicts.readQuestion], ["gold answer", verdicts.readTarget], ["category", verdicts.getCategory]].filter(([label]) =>
    ({ "question text": data.asked.length, "gold answer": data.target.length, category: data.categories.length })[label]);
  const columns = [makeColumn("question", "node"), ...texts.map(([label]) => makeColumn(label)), ...extraColumns.map(([label, , kind]) => makeColumn(label, kind || "number"))];
  const rows = indices.map((index) => [
    [() => makeLink(data.questions[index], campaign, "question", data.questions[index]), shorten(data.questions[index])],
    ...texts.map(([, read]) => shorten(read(index), 300)),
    ...extraColumns.map(([, cell]) => cell(index)),
  ]);
  return makeTable({ caption, columns, rows, file: "questions" }, context, options);
};
const makeAnswerCell = (verdicts, run, index) => {
  const answer = verdicts.readAnswer(run, index) || (verdicts.hasTexts(index) ? "(no text)" : "(not on this page)");
  const explanation = verdicts.readExplanation(run, index);
  return shorten(answer, 1000) + (explanation ? " — Judge: " + shorten(explanation, 1000) : "");
};
const describeMissing = (verdicts, campaign) => {
  const sentences = [];
  const { data } = verdicts;
  if (data.questions.length < data.total) sentences.push("The page has the verdicts on " + formatCount(data.questions.length) + " of " + formatPlural(data.total, "question") + ", drawn at random (seed " + data.seed + ").");
  if (data.more) sentences.push("It has the texts of " + formatPlural(data.shown.length, "question") + ", those on which the runs differ most. All texts: snakemake results/" + campaign + "/responses.jsonl writes them into that file.");
  return sentences.map((text) => makeElement("p", text, { class: "note" }));
};

const makeQuestionsTab = (context) => {
  const { verdicts, campaign } = context;
  const { data } = verdicts;
  const indices = data.questions.map((_, index) => index);
  const extraColumns = [
    ["correct %", (index) => makePercentCell(computeShare(verdicts.getCounts(index)))],
    ["unanswered %", (index) => makePercentCell(computeShare(verdicts.getCounts(index), 1))],
    ["correct · unanswered · wrong", (index) => verdicts.getCounts(index), "bar"],
  ];
  const sortColumn = 1 + [data.asked, data.target, data.categories].filter((list) => list.length).length;
  return [...data.sentences.map((text) => makeElement("p", text)), ...describeMissing(verdicts, campaign), makeQuestionTable(context, indices, "The questions, the hardest first, in percent of the runs", extraColumns, { sortColumn })];
};

const makeQuestionCard = (context, index) => {
  const { verdicts } = context;
  const { data } = verdicts;
  const name = data.questions[index];
  const facts = { "": verdicts.readQuestion(index), "Gold answer: ": verdicts.readTarget(index), "Category: ": verdicts.getCategory(index) };
  const rows = data.runs.map((run, number) => [run, verdicts.describe(number, index), makeAnswerCell(verdicts, number, index)]);
  const columns = [makeColumn("run", "run"), makeColumn("verdict"), ...(data.answer.length ? [makeColumn("answer")] : [])];
  const cells = rows.map((row) => row.slice(0, columns.length));
  return [makeElement("h2", shorten(name)), ...Object.entries(facts).filter(([, fact]) => fact).map(([words, fact]) => makeElement("p", words + shorten(fact, 2000))), makeTable({ caption: "What each run did", columns, rows: cells, file: "question" }, context)];
};

const makeRunCard = (context, name) => {
  const { verdicts, part } = context;
  const nodes = [makeElement("h2", shorten(name))];
  const line = context.getRow(name);
  const facts = part.ranking.columns.filter(({ kind }) => kind === "number" || kind === "rank").map((column) => {
    const [, words, unit] = column.label.match(/^(.*?)( %)?$/);
    return words + " " + getText(line[part.ranking.columns.indexOf(column)]) + (unit || "");
  });
  nodes.push(makeElement("p", bindPercent(facts.join(" · "))));
  if (!verdicts || !verdicts.runs.has(name)) return nodes;
  const { data } = verdicts;
  const run = verdicts.runs.get(name);
  const countItems = (items) => verdicts.countStates(run, items);
  const makeGrid = (caption, label, groups) => {
    const columns = [makeColumn(label), ...STATES.map((state) => makeColumn(state, "number")), makeColumn("correct · unanswered · wrong", "bar")];
    return makeTable({ caption, columns, rows: groups.map(([words, counts]) => [words, ...counts.map((number) => [number, formatCount(number)]), counts]), file: "run" }, context);
  };
  const items = Array.from({ length: verdicts.size }, (_, item) => item);
  if (data.categories.length) {
    nodes.push(makeGrid("By category", "category", data.categories.map((category, at) => [shorten(category), countItems(items.filter((item) => data.category[verdicts.getQuestion(item)] === at))])));
  }
  if (data.gold) nodes.push(makeGrid("By truth of the pair", "pair", [["right", "1"], ["wrong", "0"]].map(([words, code]) => [words, countItems(items.filter((item) => data.gold[item] === code))])));
  const extraColumns = [["verdict", (index) => verdicts.describe(run, index), "text"], ["runs correct %", (index) => makePercentCell(computeShare(verdicts.getCounts(index)))]];
  if (data.answer.length) extraColumns.push(["answer", (index) => makeAnswerCell(verdicts, run, index), "text"]);
  nodes.push(makeQuestionTable(context, data.questions.map((_, index) => index), "Its verdicts", extraColumns));
  return nodes;
};

// The cells of the 3 x 3 table of two runs: the items of each pair of states.
const crossVerdicts = (verdicts, first, second) => {
  const cells = {};
  for (let item = 0; item < verdicts.size; item++) {
    const [a, b] = [verdicts.getState(first, item), verdicts.getState(second, item)];
    if (a && b) (cells[a + "/" + b] ??= []).push(item);
  }
  return cells;
};

const makeComparisonCard = (context, names, initialKey) => {
  const { verdicts, part } = context;
  const nodes = [makeElement("h2", names.map((name) => shorten(name)).join(" and "))];
  const { pairs } = part;
  const indices = pairs ? names.map((name) => pairs.runs.indexOf(name)) : [-1];
  if (!indices.includes(-1)) nodes.push(...pairs.measures.slice(0, 4).map((measure) => makeElement("p", describePair(pairs, measure, ...indices))));
  if (!verdicts || !names.every((name) => verdicts.runs.has(name))) return nodes;
  const runs = names.map((name) => verdicts.runs.get(name));
  const cells = crossVerdicts(verdicts, ...runs);
  if (!Object.keys(cells).length) return [...nodes, makeElement("p", "The two were asked no question in common that is on this page.")];
  const list = makeElement("div", undefined, { "aria-live": "polite" });
  const showCell = (key) => {
    const indices = [...new Set((cells[key] || []).map(verdicts.getQuestion))].sort((a, b) => verdicts.hasTexts(b) - verdicts.hasTexts(a) || a - b);
    const [first, second] = key.split("/");
    const caption = formatPlural(indices.length, "question") + " that " + shorten(names[0], 30) + " " + VERBS[first] + " and " + shorten(names[1], 30) + " " + VERBS[second];
    const more = verdicts.data.answer.length ? names.map((name, number) => ["answer of " + shorten(name, 30), (index) => makeAnswerCell(verdicts, runs[number], index), "text"]) : [];
    list.replaceChildren(makeQuestionTable(context, indices, caption, more));
    for (const node of grid.querySelectorAll("button")) node.setAttribute("aria-pressed", String(node.dataset.cell === key));
  };
  const makeCell = (first, second) => {
    const key = first + "/" + second;
    const node = makeButton(formatCount((cells[key] || []).length), () => showCell(key));
    node.className = "cell";
    node.dataset.cell = key;
    node.setAttribute("aria-label", node.textContent + " questions: " + shorten(names[0], 30) + " " + first + ", " + shorten(names[1], 30) + " " + second);
    return makeElement("td", undefined, { class: "number" }, node);
  };
  const heads = STATES.map((second) => makeElement("th", shorten(names[1], 30) + " " + second, { scope: "col" }));
  const body = STATES.map((first) => makeElement("tr", undefined, {}, makeElement("th", shorten(names[0], 30) + " " + first, { scope: "row" }), ...STATES.map((second) => makeCell(first, second))));
  const grid = makeElement("table", undefined, { class: "nine" }, makeElement("caption", "What the two did on the same questions; a number lists them"), makeElement("thead", undefined, {}, makeElement("tr", undefined, {}, makeElement("td"), ...heads)), makeElement("tbody", undefined, {}, ...body));
  nodes.push(makeBox("The two runs by verdict", grid), list);
  const differing = STATES.flatMap((first) => STATES.filter((second) => second !== first).map((second) => first + "/" + second));
  const largest = differing.reduce((a, b) => ((cells[b] || []).length > (cells[a] || []).length ? b : a));
  showCell(initialKey && cells[initialKey] ? initialKey : largest);
  return nodes;
};

const makeChooser = (context, pair) => {
  const { names } = context;
  const lists = [0, 1].map((index) => {
    const list = makeSelect(names.map((name) => shorten(name, 40)));
    list.value = String(names.indexOf(pair[index]));
    return list;
  });
  const status = makeElement("span", "", { role: "status" });
  const go = makeButton("Compare", () => {
    const [first, second] = lists.map((list) => names[list.value]);
    if (first !== second) location.hash = makeAddress(context.campaign, first, second);
    else status.textContent = "Choose two different runs.";
  });
  return makeBlock("", addLabel("Run ", lists[0]), " ", addLabel(" and ", lists[1]), " ", go, status);
};

// Links into the answers: where the first two runs differ, and what no run got right.
const linkAnswers = (context) => {
  const { verdicts, part, campaign } = context;
  const ranked = context.names.filter((name, line) => !part.ranking.trivial[line]);
  if (!verdicts || !ranked.length) return null;
  const links = [];
  const [a, b] = ranked.filter((name) => verdicts.runs.has(name));
  if (b !== undefined) {
    const cells = crossVerdicts(verdicts, verdicts.runs.get(a), verdicts.runs.get(b));
    for (const [first, second] of [["unanswered", "wrong"], ["unanswered", "correct"], ["wrong", "correct"], ["wrong", "unanswered"], ["correct", "wrong"]]) {
      const number = (cells[first + "/" + second] || []).length;
      const words = formatPlural(number, part.card.unit) + " that " + shorten(a, 40) + " " + VERBS[first] + " and " + shorten(b, 40) + " " + VERBS[second];
      if (number && links.length < 3) links.push(makeElement("li", undefined, {}, makeElement("a", words, { href: makeAddress(campaign, a, b) + "?cell=" + first + "/" + second })));
    }
  }
  const hard = verdicts.data.counts.filter(([correct, unanswered, wrong]) => !correct && unanswered + wrong).length;
  if (hard) links.push(makeElement("li", undefined, {}, makeElement("a", formatPlural(hard, "question") + (verdicts.runs.size > 1 ? " that no run got right" : " that it did not get right"), { href: "#" + campaign + ":questions" })));
  return links.length ? makeBlock("", makeElement("h2", "Read the answers"), makeElement("ul", undefined, {}, ...links)) : null;
};

// --- The page

const makeSections = (context, sections) =>
  sections.flatMap(({ heading, sentences, figures, tables }) => [
    ...(heading ? [makeElement("h2", heading)] : []),
    ...sentences.map((text) => makeElement("p", bindPercent(text))),
    makeBlock("columns", ...figures.map((figure) => drawChart(figure))),
    makeBlock("tables", ...tables.map((table) => {
      if (table.rows.length <= FEW_ROWS) return makeTable({ ...table, caption: table.caption === heading ? "" : table.caption }, context, {}, table.caption || heading);
      const words = table.caption.replace(/\.$/, "") + " (" + formatCount(table.rows.length) + " rows)";
      return makeDetails("fold", words, makeTable({ ...table, caption: "" }, context, {}, table.caption));
    })),
  ]);

const NARROW_COLUMNS = new Set(["rank", "run", "precision_answered %", "answered %"]); // columns of the ranking on a phone, beside the first measure
const makeRankingTab = (context) => {
  const { part } = context;
  const ranking = { ...part.ranking, file: "leaderboard" };
  const options = { class: "ranking", first: part.card.measure, narrow: new Set([...NARROW_COLUMNS, part.card.measure]) };
  const links = linkAnswers(context);
  const chart = part.costs ? [makeElement("h2", "Which run to use, by the cost of a wrong answer"), makeBlock("columns", ...drawCostChart(context))] : [];
  return [makeTable(ranking, context, options), context.remarks, ...chart, ...(links ? [links] : [])];
};
const makeCompareTab = (context, pair = context.names.slice(0, 2), cell = null) => (pair.length > 1 ? [makeChooser(context, pair), ...makeComparisonCard(context, pair, cell)] : []);
const TABS = { ranking: makeRankingTab, compare: makeCompareTab, questions: (context) => (context.verdicts ? makeQuestionsTab(context) : []) };

const decodeName = (text) => {
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

  const unpack = async ({ textContent }) => {
    if (!textContent) return {};
    const packed = Uint8Array.from(atob(textContent), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  };
  const loadContext = async (article) => {
    if (contexts.has(article)) return contexts.get(article);
    const [part, texts] = await Promise.all([...article.querySelectorAll("script")].map(unpack));
    const runColumn = part.ranking.columns.findIndex(({ kind }) => kind === "run");
    const names = part.ranking.rows.map((row) => row[runColumn]);
    const colours = new Map(names.filter((_, line) => !part.ranking.trivial[line]).map((name, index) => [name, COLOURS[index]]));
    const rows = new Map(part.ranking.rows.map((row) => [row[runColumn], row]));
    const verdicts = part.questions ? indexVerdicts({ ...NO_TEXTS, ...part.questions, ...texts }) : null;
    const remarks = article.querySelector(".remarks");
    for (const node of article.querySelectorAll(".screen p")) node.textContent = bindPercent(node.textContent);
    const context = { part, remarks, characters, names, verdicts, campaign: part.card.name, getColour: (name) => colours.get(name) || null, getRow: (name) => rows.get(name) };
    contexts.set(article, context);
    return context;
  };

  // What an address names within a campaign: a run, two runs, or a question; and the tab that shows it.
  const findDetail = (context, names, key) => {
    const name = names.join("/");
    if (context.getRow(name)) return ["ranking", makeRunCard(context, name)];
    for (let split = 1; split < names.length; split++) {
      const pair = [names.slice(0, split).join("/"), names.slice(split).join("/")];
      if (pair.every(context.getRow) && pair[0] !== pair[1]) return ["compare", makeCompareTab(context, pair, key)];
    }
    const question = names[0] === "question" && names.length > 1 ? names.slice(1).join("/") : name;
    if (context.verdicts && context.verdicts.questions.has(question)) return ["questions", makeQuestionCard(context, context.verdicts.questions.get(question))];
    return ["ranking", [makeElement("p", "Nothing here is called “" + shorten(question) + "”: no run, and none of the questions on this page.")]];
  };

  const route = async () => {
    const [path, query = ""] = location.hash.replace(/^#/, "").split("?");
    const [target, ...names] = path.split("/").map(decodeName);
    if (target === "_main") return;
    const [name, tabId] = target.split(":");
    const article = articles.find((node) => node.id === name) || (overview ? null : articles[0]);
    if (!article && name && overview) {
      const pageLink = [...overview.querySelectorAll("a")].find((node) => node.getAttribute("href") === name + "/report.html#" + name);
      if (pageLink) location.replace(name + "/report.html" + location.hash);
    }
    if (overview) overview.classList.toggle("away", Boolean(article));
    for (const node of articles) node.classList.toggle("away", node !== article);
    if (!article) return;
    const context = await loadContext(article);
    const { part } = context;
    const [detailTab, detail] = names.length ? findDetail(context, names, new URLSearchParams(query).get("cell")) : [null, null];
    const tab = part.tabs.find(({ id }) => id === (detailTab || tabId)) || part.tabs[0];
    article.querySelector(".tabs").replaceChildren(...part.tabs.map(({ id, title }) => makeElement("a", title, { href: "#" + article.id + (id === "ranking" ? "" : ":" + id), ...(id === tab.id ? { "aria-current": "page" } : {}) })));
    article.querySelector(".screen").hidden = tab.id !== "ranking" || Boolean(detail);
    const holder = article.querySelector(".tab");
    if (detail) holder.replaceChildren(...detail, makeElement("p", undefined, {}, makeElement("a", "Close", { href: "#" + article.id + (tab.id === "ranking" ? "" : ":" + tab.id) })));
    else {
      const parts = [(TABS[tab.id] || (() => []))(context), makeSections(context, tab.sections)];
      holder.replaceChildren(...(tab.id === "compare" ? parts.reverse() : parts).flat()); // the tests of all pairs, then a pair
    }
    if (detail || tabId) scrollTo(0, 0);
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
