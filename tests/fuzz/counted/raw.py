"""Raw runs and judgments of answers to questions."""

import random
from collections import defaultdict

from fuzz.counted import Case, expected_or_fault
from fuzz.counted.drawing import (
    CUTOFFS,
    FILES,
    Form,
    QuestionSet,
    Row,
    chance,
    draw_file_names,
    draw_policies,
    draw_some,
    list_columns,
    questions,
    runs,
)
from fuzz.counted.raw_reference import reference
from fuzz.counted.words import ANSWERS, REFUSALS, rules

NOTHING, NIL, BROKEN = ["NOA", "I don't know", "0"], ["NIL", "none"], ["ERR", "#N/A"]
CONFIDENCES = ["0", "0.25", "0.5", "0.5", "0.75", "1", "0.3"]
OURS = {"R": ["good", "yes", "2"], "W": ["bad", "no", "0"], "U": ["unsup"], "X": ["inexact", "~"]}


class Draft:
    """The rows of a campaign and its options, before they are written."""

    def __init__(self, draw: random.Random):
        self.draw = draw
        self.names = questions(draw)
        self.has_epochs = chance(draw, 0.15)  # epochs
        self.has_ranks = chance(draw, 0.4)
        self.pattern = draw.choice(["", "", "", "", "{set}/{id}", ["set", "id"]])
        self.question_set = QuestionSet(draw, [self.full(name) for name in self.names])
        self.judgment_options()
        self.run_options()
        judgments = map(self.draw_judgments, self.assessors)
        self.judgments = [row for rows in judgments for row in rows]
        self.runs = {run: self.draw_responses() for run in self.run_names}

    def full(self, name: str) -> str:
        return f"geo/{name}" if self.pattern else name

    def judgment_options(self) -> None:
        draw = self.draw
        self.judged_fields = draw.choice(
            [["answer"]] * 6 + [["document"], ["document", "answer"], ["run", "answer"]]
        )
        self.assessors = draw_some(draw, [*FILES, "majority", "ann"], 1, draw.choice([1, 1, 3]))
        self.labels = draw_some(draw, ["R", "W", "U", "X"], 1, 4)
        self.words = (
            {label: draw.choice(OURS[label]) for label in "RWUX"} if chance(draw, 0.2) else {}
        )
        gold = self.gold = {}
        if self.words:
            gold["labels"] = {word: label for label, word in self.words.items()}
        if chance(draw, 0.4):
            gold["correct"] = draw_some(draw, "RWUX", 1, 3)
        if chance(draw, 0.3):
            remaining = [label for label in "RWUX" if label not in gold.get("correct", ["R"])]
            gold["partial"] = draw_some(draw, remaining, 1, 2)
        if chance(draw, 0.2) and "answer" in self.judged_fields:
            gold["closed"] = True
        if chance(draw, 0.2):
            gold["duplicates"] = draw.choice(["fault", "first", "last", "same"])
        self.normalise = chance(draw, 0.15)
        if self.normalise:
            gold["normalise"] = "squad"
        votes = ["majority", ["majority", *self.assessors[:1]]]
        votes += ["2 of 3"] if len(self.assessors) == 3 else []
        voted = (
            len(self.assessors) > 1 and not gold.get("closed") and "majority" not in self.assessors
        )
        if voted and chance(draw, 0.5):
            gold["official"] = draw.choice(votes)
        elif len(self.assessors) > 1 or chance(draw, 0.1):
            gold["official"] = draw.choice(self.assessors)

    def run_options(self) -> None:
        draw = self.draw
        self.run_source = draw.choice(
            ["file"] * 4 + ["column"] * 2 + ["columns in files", "folder", "folder"]
        )
        self.run_names = (
            draw_file_names(draw) if self.run_source in ("file", "folder") else runs(draw)
        )
        options = self.options = {}
        for option, words in (("unanswered", NOTHING), ("nil", NIL), ("failed", BROKEN)):
            if chance(draw, 0.5):
                options[option] = draw_some(draw, words, 1, len(words))
        if self.normalise:
            options["normalise"] = "squad"
        self.rules = rules(draw)
        if self.rules:
            options["refusals"] = self.rules
        if chance(draw, 0.2):
            cutoffs = [draw.choice(CUTOFFS), draw_some(draw, CUTOFFS, 1, 3)]
            options["answer_from"] = draw.choice(cutoffs)
        if chance(draw, 0.25):
            options["duplicates"] = draw.choice(["fault", "first", "last", "same"])
        if chance(draw, 0.2):
            options["empty_questions"] = draw.choice(["fault", "drop"])

    def draw_judgments(self, assessor: str) -> list[Row]:
        draw, rows = self.draw, []
        documents = ["d1", "d2"] if "document" in self.judged_fields else [None]
        run_keys = self.run_names if "run" in self.judged_fields else [None]
        pool = draw_some(draw, ANSWERS, 1, 6) if "answer" in self.judged_fields else [None]
        for name in self.names:
            keys = [(a, d, r) for a in pool for d in documents for r in run_keys]
            for answer, document, run in draw_some(
                draw, keys, 0 if chance(draw, 0.05) else 1, len(keys)
            ):
                label = draw.choice(self.labels)
                row: Row = {"question": name, "answer": answer, "document": document, "run": run}
                row |= {"label": self.words.get(label, label), "assessor": assessor}
                rows.append(row)
                if chance(draw, 0.03 if "duplicates" in self.gold else 0.003):
                    labels = [*(self.words.values() or self.labels), row["label"]]
                    rows.append(row | {"label": draw.choice(labels)})
        return draw.sample(rows, len(rows))

    def draw_responses(self) -> list[Row]:
        """The rows of one run."""
        draw, rows = self.draw, []
        lists = [self.options.get(option, []) for option in ("unanswered", "nil", "failed")]
        words = [word for listed in lists for word in listed]
        for name in self.names:
            for epoch in draw_some(draw, range(3), 1, 3) if self.has_epochs else [0]:
                if chance(draw, 0.12):
                    continue
                depth = draw.choice([1, 1, 2, 3]) if self.has_ranks else 1
                gap = chance(draw, 0.1)
                for rank in range(1, depth + 1):
                    rows += self.rows_for(name, epoch, rank + (gap and rank > 1), words)
        if "empty_questions" in self.options and chance(draw, 0.5):
            rows.append({"question": None, "answer": "Paris", "confidence": "0.5"})
        return draw.sample(rows, len(rows)) or self.rows_for(self.names[0], 0, 1, [])

    def rows_for(self, name: str, epoch: int, rank: int, words: list[str]) -> list[Row]:
        draw = self.draw
        answer = draw.choice(
            [*ANSWERS, *ANSWERS, None, "  ", *words, *words, *(REFUSALS if self.rules else [])]
        )
        row: Row = {"question": name, "answer": answer, "confidence": draw.choice(CONFIDENCES)}
        row["score"] = draw.choice([None, "12.5", "-3", "1e-3"])
        row["document"] = (
            draw.choice(["d1", "d2", None]) if "document" in self.judged_fields else None
        )
        silent = (
            answer is None or not answer.strip() or answer in self.options.get("unanswered", [])
        )
        withheld = [None, *ANSWERS, *self.options.get("nil", [])]
        row["candidate"] = draw.choice(withheld) if silent and chance(draw, 0.6) else None
        if chance(draw, 0.02 if "answer_from" in self.options else 0.3):
            row["confidence"] = None
        if self.has_epochs:
            row["epoch"] = str(epoch)
        if self.has_ranks:
            row["rank"] = None if rank == 1 and chance(draw, 0.1) else str(rank)
        repeats = [row]
        if chance(draw, 0.08 if "duplicates" in self.options else 0.004):
            second = row | {
                "answer": draw.choice([row["answer"], row["answer"], "Rome", "elsewhere"])
            }
            repeats.append(second | {"confidence": draw.choice(CONFIDENCES)})
        return repeats


def draw_case(draw: random.Random) -> Case:
    draft = Draft(draw)
    campaign: dict = {"task": "qa", "measures": ["c@1"]} | draw_policies(draw)
    run_part, files = write_runs(draft)
    judgment_part, judgment_files = write_judgments(draft)
    files |= judgment_files | draft.question_set.files
    campaign |= {"runs": run_part, "judgments": judgment_part}
    if draft.question_set.options:
        campaign["questions"] = draft.question_set.options
    campaign["shards"] = draw.choice([1] * 8 + [2, 3])
    if chance(draw, 0.15):
        closed = draft.gold.get("closed", False)
        campaign["scenarios"] = {
            "one": {"correct": ["R", "U", "X"]},
            "two": {"unscored": "exclude"},
        }
        official = draft.gold.get("official")
        voted = isinstance(official, list) or official in ("majority", "2 of 3")
        if not voted and "answer" in draft.judged_fields:
            campaign["scenarios"]["three"] = {"closed": not closed, "correct": ["W"]}
    return Case(campaign, files, expected_or_fault(lambda: reference(draft, campaign)))


def write_runs(draft: Draft) -> tuple[dict, dict[str, bytes]]:
    """The part `runs` of the configuration, and its files."""
    draw, files = draft.draw, {}
    part: dict = {"format": "tabular", **draft.options}
    names = list_columns(draft.runs.values()) | {"question", "answer"}
    if draft.run_source.startswith("column"):
        names.add("run")
    if draft.pattern:
        names = names - {"question"} | {"set", "id"}
    form = Form(draw, names, keep=("set", "id"))
    tables: dict[str, list[Row]] = defaultdict(list)
    for run, rows in draft.runs.items():
        for number, row in enumerate(rows):
            file = {"file": run, "folder": f"{run}/out", "column": "all"}.get(
                draft.run_source
            ) or f"part{number % 2}"
            parts = {"set": "geo" if row["question"] else None, "id": row["question"]}
            tables[file].append(row | {"run": run} | parts)
    for file, rows in tables.items():
        files[form.name(f"runs/{file}")] = form.content(rows)
    part |= {
        "files": form.name("runs/*/out" if draft.run_source == "folder" else "runs/*")
    } | form.options
    columns = dict(form.columns)
    if draft.run_source.startswith("column") and chance(draw, 0.5):
        part["run"] = columns.pop("run", "run")
    elif draft.run_source.startswith("column"):
        columns.setdefault("run", "run")
    if draft.run_source == "folder":
        part["run"] = "{folder}"
    if draft.pattern:
        part["question"] = draft.pattern
    if columns:
        part["columns"] = columns
    return part, files


def write_judgments(draft: Draft) -> tuple[dict, dict[str, bytes]]:
    """The part `judgments` of the configuration, and its files."""
    draw, files = draft.draw, {}
    has_column = chance(draw, 0.3)
    names = {"question", "label", *draft.judged_fields} | ({"assessor"} if has_column else set())
    if draft.gold.get("closed") and all(row["label"] == "R" for row in draft.judgments):
        names.discard("label")
    rows = draft.judgments
    if draft.pattern:
        rows = [row | {"question": draft.full(str(row["question"]))} for row in rows]
    form = Form(draw, names)
    part: dict = {"format": "tabular", "files": form.name("gold/*"), **draft.gold, **form.options}
    for assessor in draft.assessors:
        selection = [row for row in rows if has_column or row["assessor"] == assessor]
        files[form.name("gold/all" if has_column else f"gold/{assessor}")] = form.content(selection)
    columns = dict(form.columns)
    if columns:
        part["columns"] = columns
    return part, files
