// All questions, the hardest first; and what every run did on one of them.

const percent = (share) => (share === null ? null : Math.round(1000 * share) / 10 + " %");

const shares = (counts) => {
  const whole = OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0);
  return OUTCOMES.map((outcome) => (whole ? counts[outcome] / whole : null));
};

// The questions of a table's rows. One may be called what a run is called: the run has the shorter address.
const questionColumn = (verdicts, campaign) => {
  const cell = ({ name }) => link(name, campaign, ...(verdicts.runs.has(name) ? ["question", name] : [name]));
  return { label: "question", value: (row) => row.name, cell };
};

const showQuestions = (holder, campaign, verdicts) => {
  const { data } = verdicts;
  const rows = data.questions.map((name, place) => {
    const counts = verdicts.ofQuestion(place);
    const [right, open] = shares(counts);
    return { place, name, counts, right, open };
  });
  const columns = [
    questionColumn(verdicts, campaign),
    { label: "right", value: (row) => row.right, cell: (row) => percent(row.right), number: true },
    { label: "left open", value: (row) => row.open, cell: (row) => percent(row.open), number: true },
    { label: "right · open · wrong", value: (row) => row.counts.right, cell: (row) => bar(row.counts) },
  ];
  if (data.categories.length) columns.splice(1, 0, { label: "category", value: (row) => verdicts.category(row.place) });
  holder.replaceChildren(pager("The questions, the hardest first: shares of the runs", columns, rows, columns.length - 3));
};

const questionCard = (campaign, place, verdicts) => {
  const { data } = verdicts;
  const [name, counts] = [data.questions[place], verdicts.ofQuestion(place)];
  const said = OUTCOMES.map((outcome) => counts[outcome] + " " + WORDS[outcome]).join(" · ");
  const card = element("div", undefined, {}, element("h3", short(name)), element("p", said));
  if (verdicts.category(place)) card.append(element("p", "Category: " + visible(verdicts.category(place))));
  const rows = data.runs.map((run, number) => ({ run, number }));
  const columns = [
    { label: "run", value: (row) => row.run, cell: (row) => link(row.run, campaign, row.run) },
    { label: "verdict", value: (row) => verdicts.words(row.number, place) },
  ];
  if (verdicts.answers(place)) columns.push({ label: "answer", value: (row) => verdicts.answer(row.number, place) });
  card.append(pager("What each run did", columns, rows, 1));
  if (data.shown.length && !verdicts.answers(place)) {
    card.append(element("p", "The answers to this question are not on the page.", { class: "notes" }));
  }
  return card;
};
