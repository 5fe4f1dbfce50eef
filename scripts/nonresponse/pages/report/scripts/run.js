// A run: its counts and scores, how it did by category, what it confuses, and every verdict.

const runCard = (campaign, name, board, verdicts) => {
  const card = element("div", undefined, {}, element("h3", short(name)));
  const row = board && board.rows.find((one) => one[board.names.indexOf("run")] === name);
  const value = (column) => row[board.names.indexOf(column)];
  if (row) {
    const counts = board.columns.find((column) => column.kind === "counts");
    if (counts) {
      const sums = counts.parts.map((part) => part.reduce((sum, one) => sum + (value(one) || 0), 0));
      const said = sums.map((sum, number) => +sum.toFixed(2) + " " + WORDS[OUTCOMES[number]]);
      card.append(element("p", said.join(" · ")));
    }
    const list = element("dl");
    for (const column of board.names) {
      if (["campaign", "run", "simulated"].includes(column) || [null, false].includes(value(column))) continue;
      const whole = typeof value(column) !== "number" || Number.isInteger(value(column));
      const shown = whole ? String(value(column)) : value(column).toFixed(4);
      list.append(element("div", undefined, {}, element("dt", column), element("dd", shown)));
    }
    card.append(list);
  }
  if (verdicts && verdicts.runs.has(name)) card.append(...ofVerdicts(campaign, verdicts.runs.get(name), verdicts));
  return card;
};

const ofVerdicts = (campaign, run, verdicts) => {
  const { data } = verdicts;
  const parts = [];
  if (data.categories.length) {
    const lines = data.categories.map((category) => [category, []]);
    verdicts.items.forEach((items, place) => {
      if (data.category[place] !== null) lines[data.category[place]][1].push(...items.map((item) => [run, item]));
    });
    const rows = lines.map(([category, items]) => {
      const counts = verdicts.tally(items);
      return [short(category), ...OUTCOMES.map((outcome) => counts[outcome]), bar(counts)];
    });
    parts.push(grid("By question category", [["category", ...OUTCOMES.map((outcome) => WORDS[outcome]), ""], ...rows]));
  }
  if (data.gold) {
    const rows = [["right", "1"], ["wrong", "0"]].map(([truth, code]) => {
      const items = Array.from({ length: verdicts.size }, (_, item) => item).filter((item) => data.gold[item] === code);
      const counts = verdicts.tally(items.map((item) => [run, item]));
      const [accepted, rejected] = code === "1" ? [counts.right, counts.wrong] : [counts.wrong, counts.right];
      return ["truly " + truth, accepted, rejected, counts.open];
    });
    parts.push(grid("What it makes of right and of wrong answers", [["", "accepted", "rejected", "left open"], ...rows]));
  }
  if (data.decades) {
    const rows = data.decades.filter(([one]) => one === run).map(([, decade, taken, number]) => [decade + "s", taken + "s", number]);
    if (rows.length) parts.push(grid("Decades it takes for others, the commonest", [["decade", "taken for", "questions"], ...rows]));
  }
  const rows = data.questions.map((name, place) => ({ name, place, right: shares(verdicts.ofQuestion(place))[0] }));
  const columns = [
    questionColumn(verdicts, campaign),
    { label: "verdict", value: (row) => verdicts.words(run, row.place) },
    { label: "runs that are right", value: (row) => row.right, cell: (row) => percent(row.right), number: true },
  ];
  if (data.categories.length) columns.splice(1, 0, { label: "category", value: (row) => verdicts.category(row.place) });
  if (data.shown.length) columns.push({ label: "answer", value: (row) => verdicts.answer(run, row.place) });
  parts.push(pager("Its verdicts", columns, rows));
  return parts;
};
