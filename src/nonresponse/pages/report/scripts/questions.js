// All questions, the hardest first; and what every run did on one of them.

const LONG = 600; // characters of a text
const TELLING =
  "telling: the item-rest correlation, from −1 to 1: how far being right on the question goes with being right on the others. " +
  "Below 0 the better runs fail on it: look at its key.";

const percent = (share) => (share === null ? null : nearest(100 * share, 1) + " %");

const shares = (counts) => {
  const whole = OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0);
  return OUTCOMES.map((outcome) => (whole ? counts[outcome] / whole : null));
};

// The questions of a table's rows, by name, category and text, as far as these are known.
const questionColumns = (verdicts, campaign) => {
  const { data } = verdicts;
  // A question may be called what a run is called: the run has the shorter address.
  const cell = ({ name }) => link(name, campaign, ...(verdicts.runs.has(name) ? ["question", name] : [name]));
  const text = (label, of) => ({ label, value: ({ place }) => of(place) || null, cell: ({ place }) => short(of(place), 160) || null });
  return [
    { label: "question", value: (row) => row.name, cell },
    ...(data.categories.length ? [{ label: "category", value: (row) => verdicts.category(row.place) }] : []),
    ...(data.asked.length ? [text("its text", verdicts.asked)] : []),
    ...(data.target.length ? [text("right answer", verdicts.target)] : []),
  ];
};

// A run's answer and the judge's explanation; without an answer, the reason.
const answerColumn = (verdicts, label, at) => {
  const value = (row) => {
    const [run, place] = at(row);
    if (!verdicts.readable(place)) return "not on this page";
    const open = verdicts.items[place].every((item) => verdicts.outcome(run, item) === "open");
    return verdicts.answer(run, place) || (open ? "no answer" : "no text");
  };
  const cell = (row) => {
    const given = verdicts.answer(...at(row));
    const why = verdicts.explanation(...at(row));
    const parts = [given ? visible(value(row)) : element("em", value(row)), ...(why ? [element("small", "Judge: " + visible(why))] : [])];
    return element("div", undefined, { class: "said" }, ...parts);
  };
  return { label, value, cell };
};

const showQuestions = (holder, campaign, verdicts) => {
  const { data } = verdicts;
  const rows = data.questions.map((name, place) => {
    const counts = verdicts.ofQuestion(place);
    const [right, open] = shares(counts);
    return { place, name, counts, right, open, telling: data.telling[place] };
  });
  const told = rows.some(({ telling }) => telling !== null);
  const columns = [
    ...questionColumns(verdicts, campaign),
    { label: "right", value: (row) => row.right, cell: (row) => percent(row.right), number: true },
    { label: "left open", value: (row) => row.open, cell: (row) => percent(row.open), number: true },
    { label: "right · open · wrong", value: (row) => row.counts.right, cell: (row) => bar(row.counts) },
    ...(told ? [{ label: "telling", value: (row) => row.telling, cell: (row) => (row.telling === null ? null : rounded(row.telling, 2)), number: true }] : []),
  ];
  const right = columns.findIndex(({ label }) => label === "right");
  holder.replaceChildren(pager("The questions, the hardest first: shares of the runs", columns, rows, right));
  if (told) holder.append(element("p", TELLING, { class: "notes" }));
};

const questionCard = (campaign, place, verdicts) => {
  const { data } = verdicts;
  const [name, counts] = [data.questions[place], verdicts.ofQuestion(place)];
  const said = OUTCOMES.map((outcome) => counts[outcome] + " " + WORDS[outcome]).join(" · ");
  const card = element("div", undefined, {}, element("h3", short(name)));
  const text = verdicts.asked(place) || name;
  const facts = { "": visible(text) === short(name) ? "" : text, "Right answer: ": verdicts.target(place), "Category: ": verdicts.category(place) };
  for (const [words, fact] of Object.entries(facts)) if (fact) card.append(element("p", words + short(fact, LONG)));
  card.append(element("p", said));
  const rows = data.runs.map((run, number) => ({ run, number }));
  const columns = [
    { label: "run", value: (row) => row.run, cell: (row) => link(row.run, campaign, row.run) },
    { label: "verdict", value: (row) => verdicts.words(row.number, place) },
    ...(verdicts.readable(place) ? [answerColumn(verdicts, "answer", (row) => [row.number, place])] : []),
  ];
  card.append(pager("What each run did", columns, rows, 1));
  if (data.shown.length && !verdicts.readable(place)) {
    card.append(element("p", "The texts of this question are not on this page, which has those on which the runs differ most.", { class: "notes" }));
  }
  return card;
};
