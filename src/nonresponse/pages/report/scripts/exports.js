// Exports: a table as CSV, Markdown, LaTeX or PNG, a figure as SVG.

const saved = (text, type, name) => {
  const link = element("a", undefined, { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};

const csvField = (value, formula) => {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const harmless = formula.test(value) ? "'" + value : value;
  return /[",\r\n]/.test(harmless) ? '"' + harmless.replaceAll('"', '""') + '"' : harmless;
};

const csvText = (rows, { formula }) => {
  const like = new RegExp(formula);
  return rows.map((row) => row.map((value) => csvField(value, like)).join(",") + "\r\n").join("");
};

// Text as nonresponse/legible.py writes it in LaTeX, from its table of characters.
const latexText = (text, { escapes, known }) => {
  const knows = new RegExp("^" + known + "$", "u");
  let before = "";
  const letters = [...text.normalize("NFC").trim().replace(/\s+/gu, " ")].map((letter) => {
    const apart = letter === before && "-',".includes(letter) ? "{}" : ""; // two dashes would become a longer one
    before = letter;
    if (escapes[letter]) return apart + escapes[letter];
    if (knows.test(letter) && !/\p{C}/u.test(letter)) return apart + letter;
    return "[U+" + letter.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "]";
  });
  // A row that begins with a bracket or a star would be an option of the line end before it.
  return (/^[[*]/.test(text.trim()) ? "{}" : "") + letters.join("");
};

// A table over as many pages as it takes; columns: label, and whether it stands to the right.
const latexTable = (caption, columns, rows, characters) => {
  const line = (cells) => cells.map((cell) => latexText(cell, characters)).join(" & ") + " \\\\";
  const head = ["\\toprule", line(columns.map((column) => column.label)), "\\midrule"];
  return [
    "% \\usepackage{booktabs,longtable}, and \\usepackage[T1]{fontenc} for letters beyond ASCII",
    "{\\footnotesize\\setlength{\\tabcolsep}{3pt}",
    "\\begin{longtable}{" + columns.map((column) => (column.right ? "r" : "l")).join("") + "}",
    "\\caption{" + latexText(caption, characters) + "} \\\\",
    ...head,
    "\\endfirsthead",
    ...head,
    "\\endhead",
    "\\bottomrule",
    "\\endfoot",
    ...rows.map(line),
    "\\end{longtable}}",
    "",
  ].join("\n");
};

const markdownTable = (heads, rows) => {
  // All that Markdown may take for markup; within a number, a point is a point.
  const escaped = (text) => text.replace(/(?!(?<=\d)[.,]\d)[!-/:-@[-`{-~]/g, "\\$&");
  const line = (cells) => "| " + cells.map((cell) => escaped(visible(String(cell ?? "")))).join(" | ") + " |";
  return [line(heads), "|" + " - |".repeat(heads.length), ...rows.map(line), ""].join("\n");
};

const copied = async (text, status) => {
  try {
    await navigator.clipboard.writeText(text);
    status.textContent = "copied";
  } catch {
    status.textContent = text;
  }
};

// Saves a table with drawings as PNG: the visible texts and shapes at their places.
const savePicture = (table, name) => {
  const whole = table.getBoundingClientRect();
  const canvas = element("canvas", undefined, { width: 2 * whole.width, height: 2 * whole.height });
  const pen = canvas.getContext("2d");
  pen.scale(2, 2);
  pen.translate(-whole.left, -whole.top);
  const ground = getComputedStyle(document.body).backgroundColor;
  const fill = (style, { left, top, width, height }) => {
    pen.fillStyle = style;
    pen.fillRect(left, top, width, height);
  };
  fill(ground, whole);
  for (const node of table.querySelectorAll("tr, rect, line, circle, text, b, small, a, .rank, .by")) {
    const box = node.getBoundingClientRect();
    if (!box.width && !box.height) continue;
    const style = getComputedStyle(node);
    const kind = node.localName;
    [pen.strokeStyle, pen.lineWidth] = [style.stroke, parseFloat(style.strokeWidth) || 1];
    if (kind === "tr") fill(style.backgroundColor, box);
    else if (kind === "rect" && !node.matches(".open, .edge")) fill(style.fill, box);
    else if (kind === "rect") pen.strokeRect(box.left, box.top, box.width, box.height);
    else if (kind === "circle") {
      pen.fillStyle = style.fill;
      pen.beginPath();
      pen.arc(box.left + box.width / 2, box.top + box.height / 2, box.width / 2, 0, 7);
      pen.fill();
    } else if (kind === "line") {
      pen.beginPath();
      pen.moveTo(box.left, box.top);
      pen.lineTo(box.right, box.bottom);
      pen.stroke();
    } else {
      pen.fillStyle = kind === "text" ? style.fill : style.color;
      pen.font = style.fontWeight + " " + style.fontSize + " sans-serif";
      pen.textBaseline = "middle";
      const text = node.matches(".rank") ? node.lastChild.textContent : node.textContent;
      pen.fillText(text.trim(), box.left + (node.matches("td.rank") ? 24 : 0), box.top + box.height / 2, box.width);
    }
  }
  canvas.toBlob((blob) => saved(blob, "image/png", name));
};

// A drawing takes colours and fonts from the page; its file needs its own.
const INHERITED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "font-weight", "text-anchor", "paint-order"];

const svgText = (drawing) => {
  const copy = drawing.cloneNode(true);
  const [own, copies] = [drawing, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  own.forEach((node, number) => {
    const style = getComputedStyle(node);
    const above = number ? getComputedStyle(node.parentElement) : null;
    for (const name of INHERITED) {
      const value = style.getPropertyValue(name);
      if (!above || above.getPropertyValue(name) !== value) copies[number].setAttribute(name, value);
    }
    if (style.opacity !== "1") copies[number].setAttribute("opacity", style.opacity);
    copies[number].removeAttribute("href");
    copies[number].removeAttribute("class");
  });
  const [left, top, width, height] = drawing.getAttribute("viewBox").split(/[ ,]+/);
  let ground = drawing;
  while (ground.parentElement && getComputedStyle(ground).backgroundColor === "rgba(0, 0, 0, 0)") ground = ground.parentElement;
  const fill = getComputedStyle(ground).backgroundColor;
  copy.prepend(shape("rect", { x: left, y: top, width, height, fill, stroke: "none" }));
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  return new XMLSerializer().serializeToString(copy) + "\n";
};

// A button below the figure; the file is named after the section.
const offerSvg = (figure) => {
  const drawing = figure.querySelector("svg");
  if (!drawing) return;
  const save = () => {
    const section = figure.closest("section, .part");
    const place = [...section.querySelectorAll(".figure")].indexOf(figure) + 1;
    saved(svgText(drawing), "image/svg+xml", section.id.replaceAll(":", "-") + "-" + place + ".svg");
  };
  figure.after(toolbar(button("SVG", save)));
};
