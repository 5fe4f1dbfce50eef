// Two runs beside each other: by how much they differ, why, and on which questions.

const showChoice = (holder, campaign, runs) => {
  const [one, other] = [0, 1].map((place) => {
    const list = select(runs.map((name) => short(name, 40)));
    list.value = String(place);
    return list;
  });
  const status = element("span", "", { role: "status" });
  const go = button("Compare", () => {
    if (one.value !== other.value) location.hash = address(campaign, runs[one.value], runs[other.value]);
    else status.textContent = "Choose two different runs.";
  });
  holder.replaceChildren(toolbar(labelled("Run", one), labelled("and", other), go, status));
};

// By how much two runs differ by the measure that the ranking shows; for c@1, also why.
const differenceOf = (names, ranking, matrix) => {
  const { measure, runs } = ranking.of(names);
  const said = [];
  const places = matrix ? names.map((name) => matrix.runs.indexOf(name)) : [-1];
  const compared = matrix && matrix.measures.find(({ id }) => id === measure.id);
  if (compared && !places.includes(-1)) said.push(matrixOf(matrix).said(compared, ...places));
  else if (!runs.some(({ score }) => score === null)) {
    const apart = short(names[0]) + " − " + short(names[1]) + ": " + signed(runs[0].score - runs[1].score) + " in " + measure.id + ".";
    said.push(apart + (matrix ? "" : " The runs are not compared question by question."));
  }
  if (measure.id === "c@1" && runs[0].right !== null) {
    const [a, b] = runs.map(({ right, open, wrong }) => ({ right: right / (right + open + wrong), open: open / (right + open + wrong) }));
    const right = (a.right - b.right) * (1 + (a.open + b.open) / 2);
    // Printed parts add up to the printed whole: the second is the rounded whole less the rounded first.
    const [whole, part] = [runs[0].score - runs[1].score, right].map((value) => Number(rounded(value, 3).replace("−", "-")));
    said.push("Of this, " + signed(part) + " comes from right answers and " + signed(whole - part) + " from abstention.");
  }
  return said.map((text) => element("p", text));
};

const comparisonCard = (campaign, names, ranking, verdicts, matrix) => {
  const card = element("div", undefined, {}, element("h3", names.map((name) => short(name)).join(" and ")));
  if (ranking) card.append(...differenceOf(names, ranking, matrix));
  if (!verdicts || !names.every((name) => verdicts.runs.has(name))) return card;
  const runs = names.map((name) => verdicts.runs.get(name));
  const cells = {};
  for (let item = 0; item < verdicts.size; item++) {
    const [one, other] = runs.map((run) => verdicts.outcome(run, item));
    if (one && other) (cells[one + other] ??= []).push(item);
  }
  if (!Object.keys(cells).length) {
    card.append(element("p", "The two were asked no question in common" + (verdicts.data.questions.length < verdicts.data.total ? " that is on this page." : ".")));
    return card;
  }
  const list = element("div", undefined, { "aria-live": "polite" });
  const show = (one, other) => {
    const items = cells[one + other] || [];
    const places = [...new Set(items.map(verdicts.question))];
    // Questions whose answers are on the page come first.
    places.sort((a, b) => verdicts.readable(b) - verdicts.readable(a) || a - b);
    const rows = places.map((place) => ({ name: verdicts.data.questions[place], place }));
    const columns = questionColumns(verdicts, campaign);
    if (verdicts.data.shown.length) {
      columns.push(...names.map((name, side) => answerColumn(verdicts, "answer of " + short(name, 30), (row) => [runs[side], row.place])));
    }
    const what = short(names[0], 30) + " " + WORDS[one] + ", " + short(names[1], 30) + " " + WORDS[other];
    list.replaceChildren(pager(what + ": " + several(places.length, "question"), columns, rows, -1));
    for (const node of table.querySelectorAll("button")) node.setAttribute("aria-pressed", String(node.dataset.cell === one + other));
  };
  const cell = (one, other) => {
    const node = button(String((cells[one + other] || []).length), () => show(one, other));
    node.dataset.cell = one + other;
    node.setAttribute("aria-label", several(node.textContent, "question") + ": " + short(names[0], 30) + " " + WORDS[one] + ", " + short(names[1], 30) + " " + WORDS[other]);
    return node;
  };
  const rows = OUTCOMES.map((one) => [short(names[0], 30) + ": " + WORDS[one], ...OUTCOMES.map((other) => cell(one, other))]);
  const heads = OUTCOMES.map((outcome) => short(names[1], 30) + ": " + WORDS[outcome]);
  const table = grid("What the two did on the same questions; a number lists them", [["", ...heads], ...rows]);
  table.classList.add("nine");
  card.append(table, list);
  // Show the commonest disagreement first.
  const apart = OUTCOMES.flatMap((one) => OUTCOMES.map((other) => [one, other])).filter(([one, other]) => one !== other);
  const [one, other] = apart.reduce((most, pair) => ((cells[pair.join("")] || []).length > (cells[most.join("")] || []).length ? pair : most));
  if (cells[one + other]) show(one, other);
  return card;
};
