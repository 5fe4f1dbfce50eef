// A run: its score and counts, how it did by category, what it confuses, where it stands out, and every verdict.

const OUTSTANDING = 5; // questions

const runCard = (campaign, name, ranking, verdicts) => {
  const card = element("div", undefined, {}, element("h3", short(name)));
  if (ranking && ranking.has(name)) {
    const { measure, runs } = ranking.of([name]);
    const [{ text, within, rank, right, open, wrong }] = runs;
    const place = rank === null ? "" : ", rank " + rank;
    card.append(element("p", measure.id + " " + text + (within ? " (" + within + ")" : "") + place));
    if (right !== null) {
      const counts = { right, open, wrong };
      card.append(element("p", OUTCOMES.map((one) => nearest(counts[one], 2) + " " + WORDS[one]).join(" · ")), bar(counts));
    }
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
  // Where it stands out: it fails where most runs are right, or is right where most fail.
  const outcome = ({ place }) => verdicts.outcome(run, verdicts.items[place][0]);
  const named = (some) => some.slice(0, OUTSTANDING).flatMap((row, place) => [place ? ", " : "", questionColumns(verdicts, campaign)[0].cell(row)]);
  const worst = rows.filter((row) => outcome(row) === "wrong" && row.right > 0.5).sort((a, b) => b.right - a.right);
  const best = rows.filter((row) => outcome(row) === "right" && row.right < 0.5).sort((a, b) => a.right - b.right);
  if (worst.length) parts.push(element("p", "Wrong where most runs are right (" + worst.length + "): ", {}, ...named(worst)));
  if (best.length) parts.push(element("p", "Right where most runs are not (" + best.length + "): ", {}, ...named(best)));
  const columns = [
    ...questionColumns(verdicts, campaign),
    { label: "verdict", value: (row) => verdicts.words(run, row.place) },
    { label: "runs that are right", value: (row) => row.right, cell: (row) => percent(row.right), number: true },
  ];
  if (data.shown.length) columns.push(answerColumn(verdicts, "answer", (row) => [run, row.place]));
  parts.push(pager("Its verdicts", columns, rows));
  return parts;
};
