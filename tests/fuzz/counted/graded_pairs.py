"""Answer validation: pairs that are graded already, in long and in wide tables."""

import random

from fuzz.counted import Drawn, Expected, FaultyError, UnsureError, expected_or_fault, once
from fuzz.counted.decisions import Decision, Pair, by_run_and_category
from fuzz.counted.drawing import (
    Asked,
    Form,
    Row,
    chance,
    policies,
    policy_of,
    questions,
    runs,
    some,
)
from fuzz.counted.pairs import CANDIDATES

# By the truth of a pair
OUTCOMES = {True: ["tp", "fn", "u_p"], False: ["fp", "tn", "u_n"], None: ["unscored"]}
WORDS = {"tp": ["hit", "1"], "fp": ["false alarm"], "fn": ["miss"], "tn": ["0", "ok"]}
WORDS |= {"u_p": ["-"], "u_n": ["–"], "unscored": ["?"]}
DECISIONS = {"tp": True, "fp": True, "fn": False, "tn": False}
UNSEEN = ["MISSING", "not seen"]


class Made:
    """The rows of a campaign, a row for each run and pair, and its options."""

    def __init__(self, draw: random.Random):
        self.draw = draw
        self.wide = chance(draw, 0.35)
        self.names = questions(draw)
        self.pairs = [
            (name, candidate) for name in self.names for candidate in some(draw, CANDIDATES, 1, 3)
        ]
        self.run_names = [name for name in runs(draw) if name not in ("question", "candidate")]
        self.asked = Asked(draw, self.names, 0.3, has_answer=False)
        self.categories = {name: draw.choice(["law", "X", "é"]) for name in self.names}
        self.with_categories = self.asked.rows is None and chance(draw, 0.3)
        self.assessors: list[str] = []
        if not self.wide and chance(draw, 0.3):
            self.assessors = some(draw, ["ann", "bob", "1"], 1, 2)
        self.own: dict = {}
        self.words = {outcome: outcome for outcome in WORDS}
        if chance(draw, 0.3):
            self.words = {outcome: draw.choice(words) for outcome, words in WORDS.items()}
            self.own["verdicts"] = {word: outcome for outcome, word in self.words.items()}
        if chance(draw, 0.3):
            self.own["missing"] = some(draw, UNSEEN, 1, 2)
        if self.assessors:
            self.own["assessors"] = {name: f"of {name}" for name in self.assessors}
            if len(self.assessors) > 1:
                self.own["official"] = draw.choice(self.assessors)
        if chance(draw, 0.2):
            self.own["duplicates"] = draw.choice(["fault", "first", "last", "same"])
        if chance(draw, 0.2):
            self.own["empty_questions"] = draw.choice(["fault", "drop"])
        self.truth = {
            (assessor, pair): draw.choice([True, False, False, None])
            for assessor in self.columns().values()
            for pair in self.pairs
        }
        self.rows = self.of_pairs()

    def columns(self) -> dict[str, str]:
        """The columns of verdicts, each with its assessor."""
        own = self.own.get("assessors", {"official": "verdict"})
        return {column: assessor for assessor, column in own.items()}

    def of_pairs(self) -> list[Row]:
        """A row for each run and pair; in a wide table, those of a pair stand together."""
        draw, rows = self.draw, []
        for pair in self.pairs:
            for run in self.run_names:
                if self.wide or chance(draw, 0.88):
                    rows.append(self.row(run, pair))
                    if not self.wide and chance(draw, 0.08 if "duplicates" in self.own else 0.004):
                        rows.append(draw.choice([{**rows[-1]}, self.row(run, pair)]))
        if not self.wide:
            if "empty_questions" in self.own and chance(draw, 0.4):
                rows.append(self.row(self.run_names[0], self.pairs[0]) | {"question": None})
            rows = draw.sample(rows, len(rows)) or [self.row(self.run_names[0], self.pairs[0])]
        return rows

    def row(self, run: str, pair: Pair) -> Row:
        draw = self.draw
        row: Row = {"run": run, "question": pair[0], "candidate": pair[1]}
        if self.with_categories:
            row["category"] = self.categories[pair[0]]
        unseen = chance(draw, 0.15) and self.own.get("missing")
        for column, assessor in self.columns().items():
            right = self.truth[assessor, pair]
            if chance(draw, 0.004):
                right = draw.choice([True, False, None])
            word = self.words[draw.choice(OUTCOMES[right])]
            empty = right is None and (not self.wide or draw.choice([True, False]))
            row[column] = draw.choice(unseen) if unseen else None if empty else word
        return row


def drawn(draw: random.Random) -> Drawn:
    made = Made(draw)
    campaign: dict = {"task": "validation", "measures": ["accuracy"]} | policies(draw, ())
    campaign["shards"] = draw.choice([1] * 8 + [2, 3])
    more = ["category"] if made.with_categories else []
    part: dict = {"format": "tabular"}
    if made.wide:
        form = Form(draw, ["question", "candidate", *more, *made.run_names], keep=made.run_names)
        part["layout"] = "wide"
        if chance(draw, 0.3):
            part["systems"] = made.run_names
        columns = {name: name for name in ("candidate", *more)} | form.columns
        content = form.content(side_by_side(made.rows))
    else:
        names = ["run", "question", "candidate", *made.columns(), *more]
        form = Form(draw, names, keep=made.columns() if made.assessors else ())
        columns = dict(form.columns)
        content = form.content(made.rows)
        if chance(draw, 0.3):
            part["run"] = columns.pop("run", "run")
    part |= {"files": form.name("graded/*"), **made.own, **form.options}
    if columns:
        part["columns"] = columns
    campaign["graded"] = part
    if made.asked.options:
        campaign["questions"] = made.asked.options
    files = {form.name("graded/all"): content, **made.asked.files}
    return Drawn(campaign, files, expected_or_fault(lambda: reference(made, campaign)))


def side_by_side(rows: list[Row]) -> list[Row]:
    """A row for each pair, a column for each run."""
    found: dict[tuple, Row] = {}
    for row in rows:
        shared = {name: row[name] for name in ("question", "candidate", "category") if name in row}
        found.setdefault((row["question"], row["candidate"]), shared)[str(row["run"])] = row[
            "verdict"
        ]
    return list(found.values())


# The reference.
def reference(made: Made, campaign: dict) -> Expected:
    columns = made.columns()
    found = once(
        made.rows,
        made.own,
        lambda row: (str(row["run"]), str(row["question"]), str(row["candidate"])),
        lambda one, row: all(outcome(made, row, c) == outcome(made, one, c) for c in columns),
    )
    by_run, by_category = {}, {}
    for column, assessor in columns.items():
        truth: dict[Pair, set] = {}
        runs: dict[str, dict[Pair, Decision]] = {}
        for (run, *pair), row in found.items():
            decided = outcome(made, row, column)
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
        category = {name: made.asked.stated(name)[1] for name in made.names}
        category = made.categories if made.with_categories else category
        known = {pair: next(iter(right)) for pair, right in truth.items()}
        own, of_categories = by_run_and_category(known, runs, category, policy_of(campaign))
        by_run |= {(assessor, run): counts for run, counts in own.items()}
        by_category |= {(assessor, *key): counts for key, counts in of_categories.items()}
    return {"": (by_run, by_category)}


def outcome(made: Made, row: Row, column: str) -> str | None:
    """tp, fp and so on; None = the run never saw the pair."""
    word = row[column]
    if word in made.own.get("missing", []):
        return None
    return next((outcome for outcome, own in made.words.items() if own == word), "unscored")
