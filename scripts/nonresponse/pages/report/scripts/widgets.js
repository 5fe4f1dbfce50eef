// Draws the widgets of the page, and shows what an address names within a campaign: a run, a question, or two runs.

const startWidgets = (tables, widgets) => {
  const known = new Map(); // by campaign: board, verdicts, matrix
  const of = (campaign) => known.get(campaign) || known.set(campaign, {}).get(campaign);
  for (const table of tables) if (table.csv === "leaderboard") of(table.campaign).board = table;
  widgets.forEach(({ campaign, widget, data }, number) => {
    const holder = document.querySelector('[data-widget="' + number + '"]');
    if (widget === "questions") of(campaign).verdicts = verdictsOf(data);
    if (widget === "matrix") of(campaign).matrix = data;
    // What is not in sight is drawn when it comes into sight.
    const draw = () => {
      if (holder.querySelector(".box")) return;
      if (widget === "questions") showQuestions(holder, campaign, of(campaign).verdicts);
      if (widget === "matrix") showMatrix(holder, campaign, data);
    };
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      draw();
    });
    addEventListener("beforeprint", draw);
    seen.observe(holder);
  });

  const isRun = (campaign, name) => {
    const { board, verdicts } = of(campaign);
    return Boolean(
      (verdicts && verdicts.runs.has(name)) || (board && board.rows.some((row) => row[board.names.indexOf("run")] === name)),
    );
  };

  // Of a name that an address has and the page has not: an old one, or a question outside the sample that is shown.
  const unknown = (name) => {
    const said = "Nothing here is called “" + short(name) + "”: no run, and none of the questions shown.";
    return { label: "Unknown name", card: element("div", undefined, {}, element("p", said)) };
  };

  // What the rest of an address names. Names may hold slashes.
  return (campaign, names) => {
    const { board, verdicts, matrix } = of(campaign);
    const whole = names.join("/");
    if (isRun(campaign, whole)) return { label: "Run " + short(whole), card: runCard(campaign, whole, board, verdicts) };
    if (!verdicts) return unknown(whole);
    const question = names[0] === "question" && names.length > 1 ? names.slice(1).join("/") : whole;
    const [a, b] = [names[0], names.slice(1).join("/")];
    if (verdicts.runs.has(a) && verdicts.runs.has(b) && a !== b) {
      return { label: "Runs " + short(a) + " and " + short(b), card: comparisonCard(campaign, [a, b], verdicts, matrix) };
    }
    if (!verdicts.questions.has(question)) return unknown(question);
    return { label: "Question " + short(question), card: questionCard(campaign, verdicts.questions.get(question), verdicts) };
  };
};
