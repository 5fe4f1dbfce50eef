"""Answer validation: raw decisions on pairs, and a gold standard."""

import random
from collections import defaultdict

from fuzz.counted import (
    Case,
    Expected,
    FaultyError,
    UnsureError,
    deduplicate,
    deduplicate_judgments,
    expected_or_fault,
)
from fuzz.counted.decisions import Decision, Pair, count_by_run
from fuzz.counted.drawing import (
    FILES,
    Form,
    QuestionSet,
    Row,
    chance,
    draw_file_names,
    draw_policies,
    draw_some,
    fill_policy,
    list_columns,
    questions,
    runs,
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


def draw_pairs(draw: random.Random, names: list[str]) -> list[Pair]:
    return [(name, text) for name in names for text in draw_some(draw, CANDIDATES, 1, 3)]


class Draft:
    """The rows of a campaign and its options, before they are written."""

    def __init__(self, draw: random.Random):
        self.draw = draw
        self.names = questions(draw)
        self.pairs = draw_pairs(draw, self.names)
        self.question_set = QuestionSet(draw, self.names, 0.3, has_answer=False)
        self.assessors = draw_some(draw, [*FILES, "ann"], 1, draw.choice([1, 1, 2]))
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
        judgments = map(self.draw_judgments, self.assessors)
        self.judgments = [row for rows in judgments for row in rows]
        self.runs = {run: self.draw_decisions() for run in self.run_names}

    def run_options(self) -> None:
        draw, options = self.draw, {}
        self.options = options
        self.run_source = draw.choice(["file", "file", "column", "folder"])
        self.run_names = runs(draw) if self.run_source == "column" else draw_file_names(draw)
        self.words = {word: word for word in DECISIONS}
        if chance(draw, 0.25):
            options["threshold"] = draw.choice([0.5, 0.25, 0, -3, 1])
        else:
            if chance(draw, 0.3):
                self.words = {decision: draw.choice(words) for decision, words in DECISIONS.items()}
                options["labels"] = {word: decision for decision, word in self.words.items()}
            for option, words in (("unanswered", NOTHING), ("failed", BROKEN)):
                if chance(draw, 0.5):
                    options[option] = draw_some(draw, words, 1, 2)
        if chance(draw, 0.2):
            options["duplicates"] = draw.choice(["fault", "first", "last", "same"])
        if chance(draw, 0.2):
            options["empty_questions"] = draw.choice(["fault", "drop"])

    def draw_judgments(self, assessor: str) -> list[Row]:
        draw, rows = self.draw, []
        weights = draw.choice([[3, 3, 1], [1, 4, 0], [0, 1, 0], [1, 1, 4]])
        for question, candidate in self.pairs:
            label = draw.choices(list(LABELS), weights)[0]
            row: Row = {"question": question, "candidate": candidate, "assessor": assessor}
            rows.append(row | {"label": self.labels.get(label, label)})
            if chance(draw, 0.05 if "duplicates" in self.gold else 0.005):
                second = draw.choice(list(LABELS))
                rows.append(row | {"label": self.labels.get(second, second)})
        return draw.sample(rows, len(rows))

    def draw_decisions(self) -> list[Row]:
        draw, rows = self.draw, []
        for pair in self.pairs:
            if chance(draw, 0.12):
                continue
            rows.append(self.row(pair))
            if chance(draw, 0.08 if "duplicates" in self.options else 0.004):
                rows.append(draw.choice([{**rows[-1]}, self.row(pair)]))
        if "empty_questions" in self.options and chance(draw, 0.4):
            rows.append(self.row((None, "c1")))
        return draw.sample(rows, len(rows)) or [self.row(self.pairs[0])]

    def row(self, pair: tuple[str | None, str]) -> Row:
        draw = self.draw
        words = [self.words["VALIDATED"], self.words["REJECTED"], self.words["REJECTED"], None]
        words += [*self.options.get("unanswered", []), *self.options.get("failed", [])]
        words += [self.words["SELECTED"]] if chance(draw, 0.4) else []
        row: Row = {"question": pair[0], "candidate": pair[1], "answer": draw.choice(words)}
        row["score"] = draw.choice([None, *SCORES])
        return row | {"confidence": draw.choice([None, "0.5", "1"])}


def draw_case(draw: random.Random) -> Case:
    draft = Draft(draw)
    names = () if "threshold" in draft.options else ("error",)
    campaign: dict = {"task": "validation", "measures": ["accuracy"]} | draw_policies(draw, names)
    names = list_columns(draft.runs.values()) | {"question", "candidate", "answer"}
    names |= {"score"} if "threshold" in draft.options else set()
    names |= {"run"} if draft.run_source == "column" else set()
    form = Form(draw, names)
    part: dict = {"format": "tabular", **draft.options, **form.options}
    part["files"] = form.name("runs/*/out" if draft.run_source == "folder" else "runs/*")
    columns = dict(form.columns)
    if draft.run_source == "folder":
        part["run"] = "{folder}"
    elif draft.run_source == "column" and chance(draw, 0.5):
        part["run"] = columns.pop("run", "run")
    elif draft.run_source == "column":
        columns.setdefault("run", "run")
    if "threshold" in draft.options:
        columns.pop("answer", None)
    if columns:
        part["columns"] = columns
    tables: dict[str, list[Row]] = defaultdict(list)
    for run, rows in draft.runs.items():
        file = {"file": run, "folder": f"{run}/out", "column": "all"}[draft.run_source]
        tables[file] += [row | {"run": run} for row in rows]
    files = {form.name(f"runs/{file}"): form.content(rows) for file, rows in tables.items()}
    has_column = chance(draw, 0.3)
    gold_form = Form(
        draw, {"question", "candidate", "label"} | ({"assessor"} if has_column else set())
    )
    gold: dict = {"format": "tabular", "files": gold_form.name("gold/*")}
    gold |= draft.gold | gold_form.options
    if gold_form.columns:
        gold["columns"] = gold_form.columns
    for assessor in draft.assessors:
        selection = [row for row in draft.judgments if has_column or row["assessor"] == assessor]
        files[gold_form.name("gold/all" if has_column else f"gold/{assessor}")] = gold_form.content(
            selection
        )
    campaign |= {"runs": part, "judgments": gold, "shards": draw.choice([1] * 8 + [2, 3])}
    if draft.question_set.options:
        campaign["questions"] = draft.question_set.options
    if "failed" in draft.options and chance(draw, 0.15):
        campaign["scenarios"] = {"one": {"error": "exclude"}, "two": {"error": "unanswered"}}
    return Case(
        campaign,
        files | draft.question_set.files,
        expected_or_fault(lambda: reference(draft, campaign)),
    )


# The reference.
def reference(draft: Draft, campaign: dict) -> Expected:
    runs = {run: read_decisions(draft, rows) for run, rows in draft.runs.items()}
    category = {name: draft.question_set.look_up(name)[1] for name in draft.names}
    every_scenario: dict[str, dict] = {"": {}} | campaign.get("scenarios", {})
    expected: Expected = {}
    for name, scenario in every_scenario.items():
        run_counts, category_counts = {}, {}
        for assessor in draft.assessors:
            truth = read_truth(draft, assessor)
            assessor_counts, assessor_categories = count_by_run(
                truth, runs, category, fill_policy(campaign, scenario)
            )
            run_counts |= {(assessor, run): counts for run, counts in assessor_counts.items()}
            category_counts |= {
                (assessor, *key): counts for key, counts in assessor_categories.items()
            }
        expected[name] = run_counts, category_counts
    return expected


def read_truth(draft: Draft, assessor: str) -> dict[Pair, bool | None]:
    rows = [row for row in draft.judgments if row["assessor"] == assessor]
    labels = deduplicate_judgments(
        ((read_pair(row), str(row["label"])) for row in rows), draft.gold
    )
    meaning = {
        draft.labels.get(label, label): right for label, right in (("YES", True), ("NO", False))
    }
    return {pair: meaning.get(word) for pair, word in labels.items()}


def read_pair(row: Row) -> Pair:
    return str(row["question"]), str(row["candidate"])


def read_decisions(draft: Draft, rows: list[Row]) -> dict[Pair, Decision]:
    def are_alike(a: Row, b: Row) -> bool:
        is_same = read_decision(draft, a) == read_decision(draft, b)
        if is_same and a["answer"] != b["answer"]:
            raise UnsureError("whether two words for one decision are the same answer")
        return is_same

    unique = deduplicate(rows, draft.options, read_pair, are_alike)
    decisions = {pair: read_decision(draft, row) for pair, row in unique.items()}
    selected = [question for (question, _), decision in decisions.items() if decision.selected]
    if len({*selected}) < len(selected):
        raise FaultyError("two selected answers")
    return decisions


def read_decision(draft: Draft, row: Row) -> Decision:
    if "threshold" in draft.options:
        if row["score"] is None or float(row["score"]) == draft.options["threshold"]:
            return Decision()
        return Decision(accepted=float(row["score"]) > draft.options["threshold"])
    if row["answer"] in draft.options.get("failed", []):
        return Decision(failed=True)
    if row["answer"] is None or row["answer"] in draft.options.get("unanswered", []):
        return Decision()
    return Decision(
        row["answer"] != draft.words["REJECTED"], selected=row["answer"] == draft.words["SELECTED"]
    )
