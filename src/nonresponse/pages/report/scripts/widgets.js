// Draws the widgets of the page, and shows what an address names within a campaign: a run, a question, or two runs.

const startWidgets = (widgets) => {
  const known = new Map(); // by campaign: verdicts, matrix
  const of = (campaign) => known.get(campaign) || known.set(campaign, {}).get(campaign);
  for (const { campaign, widget, data } of widgets) {
    if (widget === "questions") of(campaign).verdicts = verdictsOf(data);
    if (widget === "matrix") of(campaign).matrix = data;
  }
  const draw = (holder, { campaign, widget, data }) => {
    if (widget === "questions") showQuestions(holder, campaign, of(campaign).verdicts);
    if (widget === "matrix") showMatrix(holder, campaign, data);
    if (widget === "compare") showChoice(holder, campaign, data.runs);
  };

  // The card for a name in an address that the page does not have: an old name, or a question outside the sample.
  const unknown = (name) => {
    const said = "Nothing here is called “" + short(name) + "”: no run, and none of the questions shown.";
    return { label: "Unknown name", card: element("div", undefined, {}, element("p", said)) };
  };

  // What the rest of an address names. Names may hold slashes.
  const named = (campaign, names, ranking) => {
    const { verdicts, matrix } = of(campaign);
    const isRun = (name) => Boolean((verdicts && verdicts.runs.has(name)) || (ranking && ranking.has(name)));
    const whole = names.join("/");
    if (isRun(whole)) return { label: "Run " + short(whole), card: runCard(campaign, whole, ranking, verdicts) };
    const [a, b] = [names[0], names.slice(1).join("/")];
    if (isRun(a) && isRun(b) && a !== b) {
      return { label: "Runs " + short(a) + " and " + short(b), card: comparisonCard(campaign, [a, b], ranking, verdicts, matrix) };
    }
    const question = names[0] === "question" && names.length > 1 ? names.slice(1).join("/") : whole;
    if (!verdicts || !verdicts.questions.has(question)) return unknown(question);
    return { label: "Question " + short(question), card: questionCard(campaign, verdicts.questions.get(question), verdicts) };
  };
  return { draw, named };
};
