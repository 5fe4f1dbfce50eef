// The verdicts of a campaign, as src/nonresponse/pages/report/sections/questions.py embeds them.

const RAW = { p: "partly right", n: "nobody judged it", e: "the system failed" };

const verdictsOf = (data) => {
  const size = data.verdicts.length ? data.verdicts[0].length : 0;
  const question = (item) => (data.of ? data.of[item] : item);
  const items = data.questions.map(() => []);
  for (let item = 0; item < size; item++) items[question(item)].push(item);
  const runs = new Map(data.runs.map((name, place) => [name, place]));
  const questions = new Map(data.questions.map((name, place) => [name, place]));
  const shown = new Map(data.shown.map((place, line) => [place, line]));

  // right, open or wrong; "" where it does not count.
  const outcome = (run, item) => {
    if (data.gold && data.gold[item] === "-") return "";
    return data.counted[data.verdicts[run][item]];
  };
  const word = (run, item) => {
    const raw = data.verdicts[run][item];
    if (raw === ".") return "not asked";
    return WORDS[outcome(run, item)] + (RAW[raw] ? " (" + RAW[raw] + ")" : "");
  };
  const tally = (some) => {
    const counts = { right: 0, open: 0, wrong: 0 };
    for (const [run, item] of some) {
      const became = outcome(run, item);
      if (became) counts[became]++;
    }
    return counts;
  };
  const read = (kind, place, run) => {
    const line = shown.has(place) ? kind[shown.get(place)] : undefined;
    const text = run === undefined ? line : line && line[run];
    return text >= 0 ? data.texts[text] : "";
  };
  const totals = []; // by question
  return {
    data,
    items,
    question,
    runs,
    questions,
    outcome,
    tally,
    ofQuestion: (place) => {
      totals[place] ??= tally(items[place].flatMap((item) => data.runs.map((_, run) => [run, item])));
      return totals[place];
    },
    // The verdicts of a run on a question: a word for each of its items.
    words: (run, place) => items[place].map((item) => word(run, item)).join(", "),
    category: (place) => (data.category[place] === null ? "" : data.categories[data.category[place]]),
    // The texts of a question and of a run's response to it; "" where there is none.
    asked: (place) => read(data.asked, place),
    target: (place) => read(data.target, place),
    answer: (run, place) => read(data.answer, place, run),
    explanation: (run, place) => read(data.explanation, place, run),
    readable: (place) => shown.has(place),
    size,
  };
};
