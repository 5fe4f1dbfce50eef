"""Answer validation: pairs that are graded already, in long and in wide tables."""

from fuzz.counted import Case, Expected, FaultyError, UnsureError, deduplicate
from fuzz.counted.decisions import Decision, Pair, count_by_run
from fuzz.counted.drawing import Draw, Form, Row, fill_policy, make_case
from fuzz.counted.pairs import PairDraft

# By the truth of a pair
OUTCOMES = {True: ["tp", "fn", "u_p"], False: ["fp", "tn", "u_n"], None: ["unscored"]}
WORDS = {"tp": ["hit", "1"], "fp": ["false alarm"], "fn": ["miss"], "tn": ["0", "ok"]}
WORDS |= {"u_p": ["-"], "u_n": ["–"], "unscored": ["?"]}
DECISIONS = {"tp": True, "fp": True, "fn": False, "tn": False}
UNSEEN = ["MISSING", "not seen"]


class Draft(PairDraft):
    """The rows of a campaign, a row for each run and pair, and its options."""

    def __init__(self, draw: Draw):
        super().__init__(draw)
        self.wide = draw.chance(0.35)
        self.run_names = [name for name in draw.runs() if name not in ("question", "candidate")]
        self.has_categories = not self.question_set.rows and draw.chance(0.3)
        if self.has_categories:
            self.category = {name: draw.choice(["law", "X", "é"]) for name in self.names}
        assessors: list[str] = []
        if not self.wide and draw.chance(0.3):
            assessors = draw.choose(["ann", "bob", "1"], 1, 2)
            self.options["assessors"] = {name: f"of {name}" for name in assessors}
        if len(assessors) > 1:
            self.options["official"] = draw.choice(assessors)
        # The columns of verdicts, each with its assessor
        self.columns = {f"of {name}": name for name in assessors} or {"verdict": "official"}
        self.words = self.draw_words(WORDS, self.options, "verdicts")
        if draw.chance(0.3):
            self.options["missing"] = draw.choose(UNSEEN, 1, 2)
        self.truth = {
            (assessor, pair): draw.choice([True, False, False, None])
            for assessor in self.columns.values()
            for pair in self.pairs
        }
        self.rows = self.draw_pairs()

    def draw_pairs(self) -> list[Row]:
        """A row for each run and pair; in a wide table, those of a pair stand together."""
        draw, rows = self.draw, []
        for run, pair in ((run, pair) for pair in self.pairs for run in self.run_names):
            if self.wide:
                rows.append(self.row(run, pair))
            elif draw.chance(0.88):
                rows += self.repeat(self.row(run, pair), self.row(run, pair))
        if self.wide:
            return rows
        if "empty_questions" in self.options and draw.chance(0.4):
            rows.append(self.row(self.run_names[0], self.pairs[0]) | {"question": None})
        return draw.sample(rows, len(rows)) or [self.row(self.run_names[0], self.pairs[0])]

    def row(self, run: str, pair: Pair) -> Row:
        draw = self.draw
        row: Row = {"run": run, "question": pair[0], "candidate": pair[1]}
        if self.has_categories:
            row["category"] = self.category[pair[0]]
        unseen = draw.chance(0.15) and self.options.get("missing")
        for column, assessor in self.columns.items():
            right = self.truth[assessor, pair]
            if draw.chance(0.004):
                right = draw.choice([True, False, None])
            word = self.words[draw.choice(OUTCOMES[right])]
            empty = right is None and (not self.wide or draw.choice([True, False]))
            row[column] = draw.choice(unseen) if unseen else None if empty else word
        return row


def draw_case(draw: Draw) -> Case:
    draft = Draft(draw)
    campaign: dict = {"task": "validation", "measures": ["accuracy"]} | draw.policies(())
    extra = ["category"] if draft.has_categories else []
    if draft.wide:
        form = Form(draw, ["question", "candidate", *extra, *draft.run_names], keep=draft.run_names)
        form.columns = {name: name for name in ("candidate", *extra)} | form.columns
        content = form.content(side_by_side(draft.rows))
        part = form.part("graded/*", draft.options)
        part |= {"layout": "wide", "systems": draft.run_names}
    else:
        names = ["run", "question", "candidate", *draft.columns, *extra]
        form = Form(draw, names, keep=draft.columns if "assessors" in draft.options else ())
        content = form.content(draft.rows)
        part = form.part("graded/*", draft.options, "run" if draw.chance(0.3) else "")
    campaign["graded"] = part
    files = {form.name("graded/all"): content}
    return make_case(draw, campaign, files, draft.question_set, lambda: reference(draft, campaign))


def side_by_side(rows: list[Row]) -> list[Row]:
    """A row for each pair, a column for each run."""
    table: dict[tuple, Row] = {}
    for row in rows:
        fields = {name: row[name] for name in ("question", "candidate", "category") if name in row}
        pair = table.setdefault((row["question"], row["candidate"]), fields)
        pair[str(row["run"])] = row["verdict"]
    return [*table.values()]


# The reference.
def reference(draft: Draft, campaign: dict) -> Expected:
    rows = deduplicate(
        draft.rows,
        draft.options,
        lambda row: (str(row["run"]), str(row["question"]), str(row["candidate"])),
        lambda *pair: (
            len({tuple(outcome(draft, row, c) for c in draft.columns) for row in pair}) < 2
        ),
    )
    counts, policy = {}, fill_policy(campaign)
    for column, assessor in draft.columns.items():
        truth: dict[Pair, set] = {}
        runs: dict[str, dict[Pair, Decision]] = {}
        for (run, *pair), row in rows.items():
            decided, right = (
                outcome(draft, row, column),
                truth.setdefault((pair[0], pair[1]), set()),
            )
            right.update(truth for truth, outcomes in OUTCOMES.items() if decided in outcomes)
            decision = Decision(DECISIONS.get(decided or ""), missing=decided is None)
            runs.setdefault(run, {})[pair[0], pair[1]] = decision
        if any(len(right) > 1 for right in truth.values()):
            raise FaultyError("a pair that is right for one run and not for another")
        if not all(truth.values()):
            raise UnsureError("whether a pair is right that no run has seen")
        certain = {pair: next(iter(right)) for pair, right in truth.items()}
        counts |= count_by_run(assessor, certain, runs, draft.category, policy)
    return {"": counts}


def outcome(draft: Draft, row: Row, column: str) -> str | None:
    """tp, fp and so on; None = the run never saw the pair."""
    word = row[column]
    if word in draft.options.get("missing", []):
        return None
    return next((name for name, spelling in draft.words.items() if spelling == word), "unscored")
