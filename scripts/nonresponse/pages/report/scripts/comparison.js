// Two runs, question by question.

const comparisonCard = (campaign, names, verdicts, matrix) => {
  const { data } = verdicts;
  const runs = names.map((name) => verdicts.runs.get(name));
  const card = element("div", undefined, {}, element("h3", names.map((name) => short(name)).join(" and ")));
  if (matrix) {
    const places = names.map((name) => matrix.runs.indexOf(name));
    const measures = places.includes(-1) ? [] : matrix.measures;
    card.append(...measures.map((measure) => element("p", matrixOf(matrix).said(measure, ...places))));
  }
  const sums = OUTCOMES.map(() => OUTCOMES.map(() => 0));
  for (let item = 0; item < verdicts.size; item++) {
    const [one, other] = runs.map((run) => OUTCOMES.indexOf(verdicts.outcome(run, item)));
    if (one >= 0 && other >= 0) sums[one][other]++;
  }
  const rows = OUTCOMES.map((outcome, line) => [short(names[0], 30) + ": " + WORDS[outcome], ...sums[line]]);
  const heads = OUTCOMES.map((outcome) => short(names[1], 30) + ": " + WORDS[outcome]);
  card.append(grid("Both runs on the same questions", [["", ...heads], ...rows]));
  const known = data.questions.map((name, place) => ({ name, place, words: runs.map((run) => verdicts.words(run, place)) }));
  const differ = known.filter(({ words }) => words[0] !== words[1]);
  const columns = [questionColumn(verdicts, campaign)];
  names.forEach((name, side) => {
    columns.push({ label: short(name, 30), value: (row) => row.words[side] });
    if (data.shown.length) {
      columns.push({ label: "answer of " + short(name, 30), value: (row) => verdicts.answer(runs[side], row.place) });
    }
  });
  card.append(pager("Questions on which the two differ: " + differ.length + " of " + known.length, columns, differ));
  return card;
};
