"""Answer validation: raw decisions on pairs, and a gold standard."""

import random
from collections import defaultdict

from fuzz.counted import (
    Drawn,
    Expected,
    FaultyError,
    UnsureError,
    expected_or_fault,
    once,
    once_judged,
)
from fuzz.counted.decisions import Decision, Pair, by_run_and_category
from fuzz.counted.drawing import (
    FILES,
    Asked,
    Form,
    Row,
    chance,
    files_of_runs,
    policies,
    policy_of,
    questions,
    runs,
    some,
)

DECISIONS = {
    "VALIDATED": ["accept", "yes", "1"],
    "REJECTED": ["reject", "no", "0"],
    "SELECTED": ["best", "!"],
}
LABELS = {"YES": ["y", "1", "right"], "NO": ["n", "0", "wrong"], "UNKNOWN": ["?", "-"]}
CANDIDATES = ["c1", "c2", "1", "01", "é", "a b", "NULL"]
NOTHING, BROKEN = ["NOA", "open"], ["ERR", "#N/A"]
SCORES = ["0", "0.25", "0.5", "0.5", "0.75", "1", "-3", "12.5", "5e-1"]


class Made:
    """The rows of a campaign and its options, before they are written."""

    def __init__(self, draw: random.Random):
        self.draw = draw
        self.names = questions(draw)
        self.pairs = [
            (name, candidate) for name in self.names for candidate in some(draw, CANDIDATES, 1, 3)
        ]
        self.asked = Asked(draw, self.names, 0.3, has_answer=False)
        self.assessors = some(draw, [*FILES, "ann"], 1, draw.choice([1, 1, 2]))
        self.gold: dict = {}
        self.labels = {}
        if chance(draw, 0.3):
            self.labels = {label: draw.choice(words) for label, words in LABELS.items()}
            self.gold["labels"] = {word: label for label, word in self.labels.items()}
        if chance(draw, 0.2):
            self.gold["duplicates"] = draw.choice(["fault", "first", "last", "same"])
        if len(self.assessors) > 1:
            self.gold["official"] = draw.choice(self.assessors)
        self.run_options()
        self.judgments = [row for assessor in self.assessors for row in self.judged(assessor)]
        self.runs = {run: self.decided() for run in self.run_names}

    def run_options(self) -> None:
        draw, own = self.draw, {}
        self.own = own
        self.by = draw.choice(["file", "file", "column", "folder"])
        self.run_names = runs(draw) if self.by == "column" else files_of_runs(draw)
        self.words = {word: word for word in DECISIONS}
        if chance(draw, 0.25):
            own["threshold"] = draw.choice([0.5, 0.25, 0, -3, 1])
        else:
            if chance(draw, 0.3):
                self.words = {decision: draw.choice(words) for decision, words in DECISIONS.items()}
                own["labels"] = {word: decision for decision, word in self.words.items()}
            for option, words in (("unanswered", NOTHING), ("failed", BROKEN)):
                if chance(draw, 0.5):
                    own[option] = some(draw, words, 1, 2)
        if chance(draw, 0.2):
            own["duplicates"] = draw.choice(["fault", "first", "last", "same"])
        if chance(draw, 0.2):
            own["empty_questions"] = draw.choice(["fault", "drop"])

    def judged(self, assessor: str) -> list[Row]:
        draw, rows = self.draw, []
        weights = draw.choice([[3, 3, 1], [1, 4, 0], [0, 1, 0], [1, 1, 4]])
        for question, candidate in self.pairs:
            label = draw.choices(list(LABELS), weights)[0]
            row: Row = {"question": question, "candidate": candidate, "assessor": assessor}
            rows.append(row | {"label": self.labels.get(label, label)})
            if chance(draw, 0.05 if "duplicates" in self.gold else 0.005):
                other = draw.choice(list(LABELS))
                rows.append(row | {"label": self.labels.get(other, other)})
        return draw.sample(rows, len(rows))

    def decided(self) -> list[Row]:
        draw, rows = self.draw, []
        for pair in self.pairs:
            if chance(draw, 0.12):
                continue
            rows.append(self.row(pair))
            if chance(draw, 0.08 if "duplicates" in self.own else 0.004):
                rows.append(draw.choice([{**rows[-1]}, self.row(pair)]))
        if "empty_questions" in self.own and chance(draw, 0.4):
            rows.append(self.row((None, "c1")))
        return draw.sample(rows, len(rows)) or [self.row(self.pairs[0])]

    def row(self, pair: tuple[str | None, str]) -> Row:
        draw = self.draw
        words = [self.words["VALIDATED"], self.words["REJECTED"], self.words["REJECTED"], None]
        words += [*self.own.get("unanswered", []), *self.own.get("failed", [])]
        words += [self.words["SELECTED"]] if chance(draw, 0.4) else []
        row: Row = {"question": pair[0], "candidate": pair[1], "answer": draw.choice(words)}
        return row | {
            "score": draw.choice([None, *SCORES]),
            "confidence": draw.choice([None, "0.5", "1"]),
        }


def drawn(draw: random.Random) -> Drawn:
    made = Made(draw)
    names = () if "threshold" in made.own else ("error",)
    campaign: dict = {"task": "validation", "measures": ["accuracy"]} | policies(draw, names)
    names = {
        name for rows in made.runs.values() for row in rows for name in row if row[name] is not None
    }
    names |= {"question", "candidate", "answer"} | ({"score"} if "threshold" in made.own else set())
    names |= {"run"} if made.by == "column" else set()
    form = Form(draw, names)
    part: dict = {"format": "tabular", **made.own, **form.options}
    part["files"] = form.name("runs/*/out" if made.by == "folder" else "runs/*")
    columns = dict(form.columns)
    if made.by == "folder":
        part["run"] = "{folder}"
    elif made.by == "column" and chance(draw, 0.5):
        part["run"] = columns.pop("run", "run")
    elif made.by == "column":
        columns.setdefault("run", "run")
    if "threshold" in made.own:
        columns.pop("answer", None)
    if columns:
        part["columns"] = columns
    tables: dict[str, list[Row]] = defaultdict(list)
    for run, rows in made.runs.items():
        file = {"file": run, "folder": f"{run}/out", "column": "all"}[made.by]
        tables[file] += [row | {"run": run} for row in rows]
    files = {form.name(f"runs/{file}"): form.content(rows) for file, rows in tables.items()}
    in_column = chance(draw, 0.3)
    gold_form = Form(
        draw, {"question", "candidate", "label"} | ({"assessor"} if in_column else set())
    )
    gold: dict = {
        "format": "tabular",
        "files": gold_form.name("gold/*"),
        **made.gold,
        **gold_form.options,
    }
    if gold_form.columns:
        gold["columns"] = gold_form.columns
    for assessor in made.assessors:
        chosen = [row for row in made.judgments if in_column or row["assessor"] == assessor]
        files[gold_form.name("gold/all" if in_column else f"gold/{assessor}")] = gold_form.content(
            chosen
        )
    campaign |= {"runs": part, "judgments": gold, "shards": draw.choice([1] * 8 + [2, 3])}
    if made.asked.options:
        campaign["questions"] = made.asked.options
    if "failed" in made.own and chance(draw, 0.15):
        campaign["scenarios"] = {"one": {"error": "exclude"}, "two": {"error": "unanswered"}}
    return Drawn(
        campaign, files | made.asked.files, expected_or_fault(lambda: reference(made, campaign))
    )


# The reference.
def reference(made: Made, campaign: dict) -> Expected:
    runs = {run: decisions_of(made, rows) for run, rows in made.runs.items()}
    category = {name: made.asked.stated(name)[1] for name in made.names}
    every_scenario: dict[str, dict] = {"": {}} | campaign.get("scenarios", {})
    expected: Expected = {}
    for name, scenario in every_scenario.items():
        by_run, by_category = {}, {}
        for assessor in made.assessors:
            truth = truth_of(made, assessor)
            own, own_categories = by_run_and_category(
                truth, runs, category, policy_of(campaign, scenario)
            )
            by_run |= {(assessor, run): counts for run, counts in own.items()}
            by_category |= {(assessor, *key): counts for key, counts in own_categories.items()}
        expected[name] = by_run, by_category
    return expected


def truth_of(made: Made, assessor: str) -> dict[Pair, bool | None]:
    rows = [row for row in made.judgments if row["assessor"] == assessor]
    found = once_judged(((pair_of(row), str(row["label"])) for row in rows), made.gold)
    meaning = {
        made.labels.get(label, label): right for label, right in (("YES", True), ("NO", False))
    }
    return {pair: meaning.get(word) for pair, word in found.items()}


def pair_of(row: Row) -> Pair:
    return str(row["question"]), str(row["candidate"])


def decisions_of(made: Made, rows: list[Row]) -> dict[Pair, Decision]:
    def alike(one: Row, other: Row) -> bool:
        same = decision_of(made, one) == decision_of(made, other)
        if same and one["answer"] != other["answer"]:
            raise UnsureError("whether two words for one decision are the same answer")
        return same

    kept = once(rows, made.own, pair_of, alike)
    found = {pair: decision_of(made, row) for pair, row in kept.items()}
    for question in {question for question, _ in found}:
        if sum(decision.selected for pair, decision in found.items() if pair[0] == question) > 1:
            raise FaultyError("two selected answers")
    return found


def decision_of(made: Made, row: Row) -> Decision:
    if "threshold" in made.own:
        if row["score"] is None or float(row["score"]) == made.own["threshold"]:
            return Decision()
        return Decision(accepted=float(row["score"]) > made.own["threshold"])
    if row["answer"] in made.own.get("failed", []):
        return Decision(failed=True)
    if row["answer"] is None or row["answer"] in made.own.get("unanswered", []):
        return Decision()
    return Decision(
        row["answer"] != made.words["REJECTED"], selected=row["answer"] == made.words["SELECTED"]
    )
