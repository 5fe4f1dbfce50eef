// Which runs differ significantly: a cell for each pair; a click compares the two.

const CELL = [14, 10, 6, 4]; // pixels, of up to 30, 70, 120 runs and of more

const matrixOf = (data) => {
  const size = data.runs.length;
  const place = (a, b) => (a * (2 * size - a - 1)) / 2 + b - a - 1;
  // Whether two runs differ significantly: "1", "0", or "-" where they are not compared.
  const apart = (measure, a, b) => (a === b ? "-" : measure.apart[place(Math.min(a, b), Math.max(a, b))]);
  const difference = ({ scores }, a, b) => (scores[a] === null || scores[b] === null ? null : scores[a] - scores[b]);
  const said = (measure, a, b) => {
    const names = short(data.runs[a]) + " − " + short(data.runs[b]) + ": ";
    const much = difference(measure, a, b);
    if (much === null) return names + "no score by " + measure.id + ".";
    const told = { 1: "differ significantly", 0: "do not differ significantly, all pairs tested together", "-": "were not compared" }[apart(measure, a, b)];
    const ends = measure.ends && a !== b ? measure.ends[place(Math.min(a, b), Math.max(a, b))] : null;
    const [low, high] = ends ? (a < b ? ends : [-ends[1], -ends[0]]) : [];
    const within = ends ? " (" + data.confidence + " interval " + rounded(low / 1000, 3) + " to " + rounded(high / 1000, 3) + ")" : "";
    return names + signed(much) + within + " in " + measure.id + "; the two " + told + ".";
  };
  return { apart, difference, said };
};

const showMatrix = (holder, campaign, data) => {
  const { runs, measures } = data;
  const { apart, difference, said } = matrixOf(data);
  const cell = CELL[(runs.length > 30) + (runs.length > 70) + (runs.length > 120)];
  const labels = runs.map((name) => short(name, 20));
  const names = cell >= 10 ? 8 + 7.5 * Math.max(...labels.map((label) => label.length)) : 0;
  const wide = runs.length * cell;
  const choose = select(measures.map((measure) => measure.id));
  const status = element("p", "", { class: "pair", "aria-live": "polite" });
  const hint = element("p", "", { class: "notes" });
  const box = scrolling("The matrix of differences");

  const kind = (measure, a, b) => {
    const [told, much] = [apart(measure, a, b), difference(measure, a, b)];
    if (a === b || told === "-" || much === null) return "unknown";
    if (told === "0" || much === 0) return "alike";
    return much > 0 === (measure.better !== "lower") ? "right" : "wrong";
  };
  const draw = () => {
    const measure = measures[choose.value];
    const ways = measure.better === "neither" ? ["has more", "has less"] : ["is better", "is worse"];
    hint.textContent = "Dark: the run of the row " + ways[0] + "; orange: it " + ways[1] + "; grey: the two do not differ significantly.";
    const about = "Differences in " + measure.id + " between " + runs.length + " runs. " + hint.textContent;
    hint.textContent += " A click compares two runs question by question.";
    const [width, height] = [names + wide + 4, wide + 4];
    const frame = { class: "matrix", width, height, viewBox: [0, 0, width, height].join(" "), role: "img", "aria-label": about };
    const drawing = shape("svg", frame);
    const paths = { right: "", alike: "", wrong: "" };
    runs.forEach((_, a) => {
      runs.forEach((_, b) => {
        const colour = kind(measure, a, b);
        if (colour in paths) paths[colour] += "M" + (names + b * cell) + "," + a * cell + "h" + (cell - 1) + "v" + (cell - 1) + "h" + (1 - cell) + "z";
      });
    });
    for (const name of Object.keys(paths)) drawing.append(shape("path", { class: name, d: paths[name] }));
    if (names) {
      const place = (a) => ({ x: names - 5, y: a * cell + cell / 2 + 3, "text-anchor": "end" });
      drawing.append(...labels.map((label, a) => shape("text", place(a), label)));
    }
    const mark = shape("rect", { class: "mark", width: cell, height: cell, visibility: "hidden" });
    drawing.append(mark);
    const pair = (event) => {
      const corner = drawing.getBoundingClientRect();
      const b = Math.floor((event.clientX - corner.left - names) / cell);
      const a = Math.floor((event.clientY - corner.top) / cell);
      return a >= 0 && b >= 0 && a < runs.length && b < runs.length && a !== b ? [a, b] : null;
    };
    drawing.addEventListener("pointermove", (event) => {
      const runsThere = pair(event);
      mark.setAttribute("visibility", runsThere ? "visible" : "hidden");
      if (!runsThere) return;
      const [a, b] = runsThere;
      mark.setAttribute("x", names + b * cell - 0.5);
      mark.setAttribute("y", a * cell - 0.5);
      status.textContent = said(measure, a, b);
    });
    drawing.addEventListener("click", (event) => {
      const both = pair(event);
      if (both) location.hash = address(campaign, ...both.map((place) => runs[place]));
    });
    box.replaceChildren(drawing);
  };
  choose.addEventListener("change", draw);

  holder.replaceChildren(toolbar(labelled("Differences in", choose)), hint, box, status);
  draw();
};
