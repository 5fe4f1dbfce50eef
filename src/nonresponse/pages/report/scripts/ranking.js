// The ranking, by one measure at a time or by the price of a wrong answer; and its exports.

const FIRST = 10; // runs in sight until all are asked for
const MOST = 20; // right answers that a wrong one costs, at most

const minus = (text) => text.replace("-", "−");

// As cells.axis: the bounds of an axis that holds these values, and its ticks.
const axisOf = (values) => {
  let [low, high] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
  const room = 0.04 * (high - low || 1);
  [low, high] = [low - room, high + room];
  const step = STEPS.find((one) => (high - low) / one <= 6);
  const first = Math.ceil(low / step);
  const ticks = Array.from({ length: Math.floor(high / step) - first + 1 }, (_, tick) => +((first + tick) * step).toFixed(6));
  return { place: (value) => ((100 * (value - low)) / (high - low)).toFixed(2) + "%", ticks };
};
const STEPS = Array.from({ length: 45 }, (_, number) => [1, 2, 5][number % 3] * 10 ** (Math.floor(number / 3) - 6));

// Who is best by right - price * wrong, from a price of 0 on until saying nothing (row -1) is: the rows that share each
// stretch, and where it begins. As views/prices.py.
const bestByPrice = (rows, silence) => {
  const lines = rows.map(({ right, wrong, n }) => [right / n, wrong / n]).concat([[silence, 0]]);
  const near = (one, other) => Math.abs(one - other) < 1e-9;
  const order = lines.map((_, place) => place).sort((a, b) => lines[b][0] - lines[a][0] || lines[a][1] - lines[b][1]);
  const found = [];
  for (let [now, from] = [order[0], 0]; now !== undefined; ) {
    const [right, wrong] = lines[now];
    const equal = order.filter((place) => near(lines[place][0], right) && near(lines[place][1], wrong));
    found.push({ places: equal.map((place) => (place < rows.length ? place : -1)), from });
    const ahead = order.filter((other) => lines[other][1] < wrong && !near(lines[other][1], wrong));
    const meets = (other) => (right - lines[other][0]) / (wrong - lines[other][1]);
    from = Math.min(...ahead.map(meets));
    // Of those that meet here first, the one with the fewest wrong answers is best from here on.
    now = ahead.filter((other) => near(meets(other), from)).sort((a, b) => lines[a][1] - lines[b][1])[0];
  }
  return found;
};

// The runs of a block as objects.
const runsOf = ({ names, rows }) => rows.map((row) => Object.fromEntries(names.map((name, place) => [name, row[place]])));

// What the ranking shows by a measure: score, lower, upper, rank and tied of each row.
const byMeasure = (runs, place) =>
  runs.map((run) => Object.fromEntries(["score", "lower", "upper", "rank", "tied"].map((kind) => [kind, run[kind + place]])));

// chosen(by) is called when the reader chooses a measure or price, picked(runs) when ticks change.
const showRanking = (holder, block, characters, chosen, picked) => {
  const { measures } = block;
  const runs = runsOf(block);
  const table = holder.querySelector("table");
  const body = table.tBodies[0];
  const lines = [...body.rows];
  const priced = block.bars ? runs.map((run) => ({ ...run, n: run.right + run.open + run.wrong })).filter(({ n, trivial }) => n && !trivial) : [];
  const status = element("span", "", { role: "status" });
  let [by, all, words, shown, now] = [{ measure: measures[0].id }, runs.length <= FIRST + 2, "", [], measures[0]];

  const order = (values, lower) => {
    const places = values.map((_, place) => place);
    const value = (place) => (values[place].score === null ? -Infinity : values[place].score * (lower ? -1 : 1));
    return places.sort((a, b) => value(b) - value(a) || a - b);
  };
  const draw = () => {
    const place = measures.findIndex(({ id }) => id === by.measure);
    const measure = place < 0 ? priceMeasure(by.cost) : measures[place];
    now = measure;
    const values = place < 0 ? byPrice(by.cost) : byMeasure(runs, place);
    const describes = measure.better === "neither"; // and so does not rank
    const sorted = describes ? runs.map((_, row) => row) : order(values, measure.better === "lower");
    const known = values.flatMap(({ score, lower, upper }) => [score, lower, upper]).filter((one) => one !== null);
    const axis = axisOf(known);
    const head = holder.querySelector("thead .place");
    const grid = head.querySelector("g");
    const line = (from, to, y1, y2, kind = {}) => shape("line", { x1: axis.place(from), x2: axis.place(to), y1, y2, ...kind });
    grid.replaceChildren(...axis.ticks.map((tick) => line(tick, tick, 0, 28)));
    head.replaceChildren(grid, ...axis.ticks.map((tick) => shape("text", { x: axis.place(tick), y: 12 }, minus(String(tick)))));
    holder.querySelector(".by").textContent = measure.id;
    holder.querySelector("thead .way").textContent = { higher: "↑", lower: "↓", neither: "" }[measure.better];
    shown = sorted.map((row) => {
      const { score, lower, upper, rank, tied } = values[row];
      const number = (value) => rounded(value, measure.digits);
      const text = score === null ? "–" : number(score);
      const within = score === null || lower === null ? "" : number(lower) + " to " + number(upper);
      const node = lines[row];
      node.classList.toggle("tied", Boolean(tied));
      node.querySelector(".rank").lastChild.textContent = rank === null ? "–" : rank;
      node.querySelector(".score b").textContent = text;
      node.querySelector(".score small").textContent = within;
      const drawing = node.querySelector(".place");
      const marks = score === null ? [] : [shape("circle", { cx: axis.place(score), cy: 14, r: 4.5 })];
      if (within) marks.unshift(line(lower, upper, 14, 14, { class: "mark" }));
      drawing.replaceChildren(drawing.firstChild, ...marks);
      return { row, rank, text, within, score };
    });
    body.append(...shown.map(({ row }) => lines[row]));
    const match = ({ row }) => visible(runs[row].run).toLowerCase().includes(words.toLowerCase());
    const kept = shown.filter(match);
    shown.forEach(({ row }) => (lines[row].hidden = true));
    kept.slice(0, all || words ? undefined : FIRST).forEach(({ row }) => (lines[row].hidden = false));
    more.hidden = Boolean(words) || runs.length <= FIRST + 2;
    more.textContent = all ? "Show the first " + FIRST : "Show all " + runs.length + " runs";
    status.textContent = words ? kept.length + " of " + runs.length + " runs" : "";
    buttons.forEach((one, number) => one.setAttribute("aria-pressed", String(number === place)));
    about.textContent = measure.id + ": " + measure.about.replace(/[.]$/, "") + { higher: "; higher is better", lower: "; lower is better", neither: "; described, not ranked" }[measure.better] + ".";
    if (runs.length > 1) about.append(element("span", " Tick two runs to compare them.", { class: "onscreen" }));
    slider.value = by.cost ?? 0;
    said.textContent = by.cost === undefined ? runs.length > 1 ? "(move to rank by it)" : "(move to score by it)" : costs(by.cost);
    notes.replaceChildren(...(by.cost === undefined ? rule : []));
  };

  // What runs are worth at a price of a wrong answer, in right ones.
  const byPrice = (cost) => {
    const worth = runs.map((run) => {
      const n = run.right + run.open + run.wrong;
      return n ? (run.right - cost * run.wrong) / n : null;
    });
    return runs.map((run, row) => {
      const ranked = worth[row] !== null && !run.trivial;
      const rank = ranked ? 1 + worth.filter((other, place) => other > worth[row] + 1e-12 && !runs[place].trivial).length : null;
      return { score: worth[row], lower: null, upper: null, rank, tied: null };
    });
  };
  const priceMeasure = (cost) => ({ id: "right − " + cost + " · wrong", better: "higher", digits: 3, about: "Share of right answers, less " + cost + " times that of wrong ones; saying nothing is worth " + nearest(block.silence, 3) });
  const costs = (cost) => cost + " right: an answer pays from a confidence of " + rounded((100 * cost) / (1 + cost), 0) + " % on";
  const choose = (wanted) => {
    by = wanted;
    draw();
    chosen(by);
  };
  const buttons = measures.map(({ id }) => button(id, () => choose({ measure: id })));
  const about = element("p", "", { class: "notes" });
  // Descriptive measures, which do not rank, have a group of their own.
  const group = (words, describes) => {
    const own = buttons.filter((_, place) => (measures[place].better === "neither") === describes);
    return own.length ? [element("div", undefined, { class: "choices", role: "group", "aria-label": words }, element("span", words), ...own)] : [];
  };
  const bars = [...group(runs.length > 1 ? "Rank by" : "Score by", false), ...group("Describe by", true)];
  const said = element("output", "", { class: "notes" });
  const best = priced.length ? bestByPrice(priced, block.silence) : [];
  const most = best.length ? Math.min(Math.max(1, Math.ceil(11 * best.at(-1).from) / 10), MOST) : 0;
  const slider = element("input", undefined, { type: "range", min: 0, max: most, step: 0.05, value: 0 });
  slider.addEventListener("input", () => choose({ cost: Number(slider.value) }));
  const named = ({ places }) => places.map((place) => (place < 0 ? "saying nothing" : short(priced[place].run, 30))).join(" and ");
  const strip = element("div", undefined, { class: "strip", "aria-hidden": "true" });
  best.forEach((one, number) => {
    const to = Math.min(number + 1 < best.length ? best[number + 1].from : most, most);
    if (one.from >= to) return;
    const part = element("span", named(one), { title: named(one) + " is best from " + nearest(one.from, 2) + " on" });
    part.style.width = (100 * (to - one.from)) / most + "%";
    strip.append(part);
  });
  const whoIsBest = best.map((one) => named(one) + (one.from ? " from " + rounded(one.from, 2) + " on" : ""));
  const price = element("div", undefined, { class: "price" }, element("label", "or by the price of a wrong answer ", {}, said, slider), strip, element("p", "Best: " + whoIsBest.join(", ") + ".", { class: "notes" }));
  const find = search("part of a name");
  find.addEventListener("input", () => {
    words = find.value;
    draw();
  });
  const more = button("", () => {
    all = !all;
    draw();
  });

  // A box for each run: two of them are compared.
  let ticked = [];
  const boxes = lines.map((line, row) => {
    const box = element("input", undefined, { type: "checkbox", "aria-label": "Compare " + short(runs[row].run) });
    box.addEventListener("change", () => {
      ticked = box.checked ? [...ticked, row].slice(-2) : ticked.filter((one) => one !== row);
      boxes.forEach((one, place) => (one.checked = ticked.includes(place)));
      picked(ticked.map((one) => runs[one].run));
    });
    if (lines.length > 1) line.querySelector(".rank").prepend(box, " ");
    return box;
  });
  const heads = () => ["rank", "run", holder.querySelector(".by").textContent, "interval", ...(block.bars ? OUTCOMES : [])];
  const cells = () =>
    shown
      .filter(({ row }) => !lines[row].hidden)
      .map(({ row, rank, text, within }) => [rank ?? "–", runs[row].run, text, within, ...(block.bars ? OUTCOMES.map((one) => runs[row][one]) : [])]);
  const columns = () => heads().map((label, place) => ({ label, right: place !== 1 }));
  const take = toolbar(
    ...(runs.length > FIRST + 2 ? [labelled("Find", find), more] : []),
    button("CSV", () => saved(csvText([heads(), ...cells()], characters), "text/csv", block.campaign + "-ranking.csv")),
    button("Markdown", () => saved(markdownTable(heads(), cells()), "text/markdown", block.campaign + "-ranking.md")),
    button("LaTeX", () => saved(latexTable(block.campaign, columns(), cells().map((row) => row.map(String)), characters), "application/x-tex", block.campaign + "-ranking.tex")),
    button("PNG", () => savePicture(table, block.campaign + "-ranking.png")),
    button("Copy link", () => copied(location.href, status)),
    status,
  );
  const notes = holder.querySelector(".notes");
  const rule = [...notes.childNodes];
  holder.prepend(element("div", undefined, { class: "measures" }, ...bars), ...(priced.length ? [price] : []));
  table.after(about, take);
  draw();
  const knows = (wanted) => (wanted.cost === undefined ? measures.some(({ id }) => id === wanted.measure) : priced.length);
  const follow = (wanted) => {
    if (!knows(wanted)) return false;
    by = wanted;
    draw();
    return true;
  };
  // The boxes show which runs are compared, also when an address or another widget chose them.
  const tick = (names) => {
    if (names.length < 2 && ticked.length < 2) return;
    ticked = runs.map((_, row) => row).filter((row) => names.length > 1 && names.includes(runs[row].run));
    boxes.forEach((box, row) => (box.checked = ticked.includes(row)));
  };
  const row = (name) => runs.findIndex(({ run }) => run === name);
  // What the ranking currently shows of some runs.
  const of = (names) => ({ measure: now, runs: names.map((name) => ({ ...runs[row(name)], ...shown.find((one) => one.row === row(name)) })) });
  return { choose: follow, tick, of, has: (name) => row(name) >= 0, first: { measure: measures[0].id } };
};
