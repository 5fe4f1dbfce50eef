"""Answer validation: pairs that are graded already, in long and in wide tables."""

import random

from fuzz.counted import Case, Expected, FaultyError, UnsureError, deduplicate, expected_or_fault
from fuzz.counted.decisions import Decision, Pair, count_by_run
from fuzz.counted.drawing import (
    Form,
    QuestionSet,
    Row,
    chance,
    draw_policies,
    draw_some,
    fill_policy,
    questions,
    runs,
)
from fuzz.counted.pairs import draw_pairs

# By the truth of a pair
OUTCOMES = {True: ["tp", "fn", "u_p"], False: ["fp", "tn", "u_n"], None: ["unscored"]}
WORDS = {"tp": ["hit", "1"], "fp": ["false alarm"], "fn": ["miss"], "tn": ["0", "ok"]}
WORDS |= {"u_p": ["-"], "u_n": ["–"], "unscored": ["?"]}
DECISIONS = {"tp": True, "fp": True, "fn": False, "tn": False}
UNSEEN = ["MISSING", "not seen"]


class Draft:
    """The rows of a campaign, a row for each run and pair, and its options."""

    def __init__(self, draw: random.Random):
        self.draw = draw
        self.wide = chance(draw, 0.35)
        self.names = questions(draw)
        self.pairs = draw_pairs(draw, self.names)
        self.run_names = [name for name in runs(draw) if name not in ("question", "candidate")]
        self.question_set = QuestionSet(draw, self.names, 0.3, has_answer=False)
        self.categories = {name: draw.choice(["law", "X", "é"]) for name in self.names}
        self.has_categories = self.question_set.rows is None and chance(draw, 0.3)
        self.assessors: list[str] = []
        if not self.wide and chance(draw, 0.3):
            self.assessors = draw_some(draw, ["ann", "bob", "1"], 1, 2)
        self.options: dict = {}
        self.words = {outcome: outcome for outcome in WORDS}
        if chance(draw, 0.3):
            self.words = {outcome: draw.choice(words) for outcome, words in WORDS.items()}
            self.options["verdicts"] = {word: outcome for outcome, word in self.words.items()}
        if chance(draw, 0.3):
            self.options["missing"] = draw_some(draw, UNSEEN, 1, 2)
        if self.assessors:
            self.options["assessors"] = {name: f"of {name}" for name in self.assessors}
            if len(self.assessors) > 1:
                self.options["official"] = draw.choice(self.assessors)
        if chance(draw, 0.2):
            self.options["duplicates"] = draw.choice(["fault", "first", "last", "same"])
        if chance(draw, 0.2):
            self.options["empty_questions"] = draw.choice(["fault", "drop"])
        self.truth = {
            (assessor, pair): draw.choice([True, False, False, None])
            for assessor in self.columns().values()
            for pair in self.pairs
        }
        self.rows = self.draw_pairs()

    def columns(self) -> dict[str, str]:
        """The columns of verdicts, each with its assessor."""
        verdict_columns = self.options.get("assessors", {"official": "verdict"})
        return {column: assessor for assessor, column in verdict_columns.items()}

    def draw_pairs(self) -> list[Row]:
        """A row for each run and pair; in a wide table, those of a pair stand together."""
        draw, rows = self.draw, []
        for pair in self.pairs:
            for run in self.run_names:
                if self.wide or chance(draw, 0.88):
                    rows.append(self.row(run, pair))
                    if not self.wide and chance(
                        draw, 0.08 if "duplicates" in self.options else 0.004
                    ):
                        rows.append(draw.choice([{**rows[-1]}, self.row(run, pair)]))
        if not self.wide:
            if "empty_questions" in self.options and chance(draw, 0.4):
                rows.append(self.row(self.run_names[0], self.pairs[0]) | {"question": None})
            rows = draw.sample(rows, len(rows)) or [self.row(self.run_names[0], self.pairs[0])]
        return rows

    def row(self, run: str, pair: Pair) -> Row:
        draw = self.draw
        row: Row = {"run": run, "question": pair[0], "candidate": pair[1]}
        if self.has_categories:
            row["category"] = self.categories[pair[0]]
        unseen = chance(draw, 0.15) and self.options.get("missing")
        for column, assessor in self.columns().items():
            right = self.truth[assessor, pair]
            if chance(draw, 0.004):
                right = draw.choice([True, False, None])
            word = self.words[draw.choice(OUTCOMES[right])]
            empty = right is None and (not self.wide or draw.choice([True, False]))
            row[column] = draw.choice(unseen) if unseen else None if empty else word
        return row


def draw_case(draw: random.Random) -> Case:
    draft = Draft(draw)
    campaign: dict = {"task": "validation", "measures": ["accuracy"]} | draw_policies(draw, ())
    campaign["shards"] = draw.choice([1] * 8 + [2, 3])
    extra = ["category"] if draft.has_categories else []
    part: dict = {"format": "tabular"}
    if draft.wide:
        form = Form(draw, ["question", "candidate", *extra, *draft.run_names], keep=draft.run_names)
        part["layout"] = "wide"
        if chance(draw, 0.3):
            part["systems"] = draft.run_names
        columns = {name: name for name in ("candidate", *extra)} | form.columns
        content = form.content(side_by_side(draft.rows))
    else:
        names = ["run", "question", "candidate", *draft.columns(), *extra]
        form = Form(draw, names, keep=draft.columns() if draft.assessors else ())
        columns = dict(form.columns)
        content = form.content(draft.rows)
        if chance(draw, 0.3):
            part["run"] = columns.pop("run", "run")
    part |= {"files": form.name("graded/*"), **draft.options, **form.options}
    if columns:
        part["columns"] = columns
    campaign["graded"] = part
    if draft.question_set.options:
        campaign["questions"] = draft.question_set.options
    files = {form.name("graded/all"): content, **draft.question_set.files}
    return Case(campaign, files, expected_or_fault(lambda: reference(draft, campaign)))


def side_by_side(rows: list[Row]) -> list[Row]:
    """A row for each pair, a column for each run."""
    table: dict[tuple, Row] = {}
    for row in rows:
        fields = {name: row[name] for name in ("question", "candidate", "category") if name in row}
        table.setdefault((row["question"], row["candidate"]), fields)[str(row["run"])] = row[
            "verdict"
        ]
    return list(table.values())


# The reference.
def reference(draft: Draft, campaign: dict) -> Expected:
    columns = draft.columns()
    rows = deduplicate(
        draft.rows,
        draft.options,
        lambda row: (str(row["run"]), str(row["question"]), str(row["candidate"])),
        lambda former, row: all(
            outcome(draft, row, c) == outcome(draft, former, c) for c in columns
        ),
    )
    run_counts, category_counts = {}, {}
    for column, assessor in columns.items():
        truth: dict[Pair, set] = {}
        runs: dict[str, dict[Pair, Decision]] = {}
        for (run, *pair), row in rows.items():
            decided = outcome(draft, row, column)
            right = truth.setdefault((pair[0], pair[1]), set())
            if decided is not None:
                right.add(
                    next(truth for truth, outcomes in OUTCOMES.items() if decided in outcomes)
                )
            decision = (
                Decision(missing=True) if decided is None else Decision(DECISIONS.get(decided))
            )
            runs.setdefault(run, {})[pair[0], pair[1]] = decision
        if any(len(right) > 1 for right in truth.values()):
            raise FaultyError("a pair that is right for one run and not for another")
        if not all(truth.values()):
            raise UnsureError("whether a pair is right that no run has seen")
        category = {name: draft.question_set.look_up(name)[1] for name in draft.names}
        category = draft.categories if draft.has_categories else category
        certain = {pair: next(iter(right)) for pair, right in truth.items()}
        assessor_counts, assessor_categories = count_by_run(
            certain, runs, category, fill_policy(campaign)
        )
        run_counts |= {(assessor, run): counts for run, counts in assessor_counts.items()}
        category_counts |= {(assessor, *key): counts for key, counts in assessor_categories.items()}
    return {"": (run_counts, category_counts)}


def outcome(draft: Draft, row: Row, column: str) -> str | None:
    """tp, fp and so on; None = the run never saw the pair."""
    word = row[column]
    if word in draft.options.get("missing", []):
        return None
    return next(
        (outcome for outcome, spelling in draft.words.items() if spelling == word), "unscored"
    )
