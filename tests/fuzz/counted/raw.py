"""Raw runs and judgments of answers to questions."""

from collections import defaultdict

from fuzz.counted import Case
from fuzz.counted.drawing import (
    FILES,
    Draw,
    Form,
    QuestionSet,
    Row,
    list_columns,
    make_case,
    write_gold,
)
from fuzz.counted.raw_reference import reference
from fuzz.counted.words import ANSWERS, REFUSALS, rules

NOTHING, NIL, BROKEN = ["NOA", "I don't know", "0"], ["NIL", "none"], ["ERR", "#N/A"]
CONFIDENCES = ["0", "0.25", "0.5", "0.5", "0.75", "1", "0.3"]
OURS = {"R": ["good", "yes", "2"], "W": ["bad", "no", "0"], "U": ["unsup"], "X": ["inexact", "~"]}


class Draft:
    """The rows of a campaign and its options, before they are written."""

    def __init__(self, draw: Draw):
        self.draw = draw
        self.names = draw.questions()
        self.has_epochs = draw.chance(0.15)  # epochs
        self.has_ranks = draw.chance(0.4)
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
        self.assessors = draw.choose([*FILES, "ann"], 1, draw.choice([1, 1, 3]))
        self.labels = draw.choose(["R", "W", "U", "X"], 1, 4)
        self.words = (
            {label: draw.choice(OURS[label]) for label in "RWUX"} if draw.chance(0.2) else {}
        )
        gold = self.gold = {}
        if self.words:
            gold["labels"] = {word: label for label, word in self.words.items()}
        if draw.chance(0.4):
            gold["correct"] = draw.choose("RWUX", 1, 3)
        if draw.chance(0.3):
            remaining = [label for label in "RWUX" if label not in gold.get("correct", ["R"])]
            gold["partial"] = draw.choose(remaining, 1, 2)
        if draw.chance(0.2) and "answer" in self.judged_fields:
            gold["closed"] = True
        if draw.chance(0.2):
            gold["duplicates"] = draw.choice(["fault", "first", "last", "same"])
        self.normalise = draw.chance(0.15)
        if self.normalise:
            gold["normalise"] = "squad"
        votes = ["majority", ["majority", *self.assessors[:1]]]
        votes += ["2 of 3"] if len(self.assessors) == 3 else []
        voted = len(self.assessors) > 1 and not gold.get("closed")
        if voted and draw.chance(0.5):
            gold["official"] = draw.choice(votes)
        elif len(self.assessors) > 1 or draw.chance(0.1):
            gold["official"] = draw.choice(self.assessors)

    def run_options(self) -> None:
        draw = self.draw
        self.run_source = draw.choice(
            ["file"] * 4 + ["column"] * 2 + ["columns in files", "folder", "folder"]
        )
        self.run_names = draw.file_names() if self.run_source in ("file", "folder") else draw.runs()
        options = self.options = {}
        for option, words in (("unanswered", NOTHING), ("nil", NIL), ("failed", BROKEN)):
            if draw.chance(0.5):
                options[option] = draw.choose(words, 1, len(words))
        if self.normalise:
            options["normalise"] = "squad"
        self.rules = rules(draw)
        if self.rules:
            options["refusals"] = self.rules
        if draw.chance(0.2):
            options["answer_from"] = draw.cutoffs()
        options |= draw.repeats()

    def draw_judgments(self, assessor: str) -> list[Row]:
        draw, rows = self.draw, []
        documents = ["d1", "d2"] if "document" in self.judged_fields else [None]
        run_keys = self.run_names if "run" in self.judged_fields else [None]
        pool = draw.choose(ANSWERS, 1, 6) if "answer" in self.judged_fields else [None]
        for name in self.names:
            keys = [(a, d, r) for a in pool for d in documents for r in run_keys]
            for answer, document, run in draw.choose(
                keys, 0 if draw.chance(0.05) else 1, len(keys)
            ):
                label = draw.choice(self.labels)
                row: Row = {"question": name, "answer": answer, "document": document, "run": run}
                row |= {"label": self.words.get(label, label), "assessor": assessor}
                rows.append(row)
                if draw.chance(0.03 if "duplicates" in self.gold else 0.003):
                    labels = [*(self.words.values() or self.labels), row["label"]]
                    rows.append(row | {"label": draw.choice(labels)})
        return draw.sample(rows, len(rows))

    def draw_responses(self) -> list[Row]:
        draw, rows = self.draw, []
        lists = [self.options.get(option, []) for option in ("unanswered", "nil", "failed")]
        words = [word for listed in lists for word in listed]
        for name in self.names:
            for epoch in draw.choose(range(3), 1, 3) if self.has_epochs else [0]:
                if draw.chance(0.12):
                    continue
                depth = draw.choice([1, 1, 2, 3]) if self.has_ranks else 1
                gap = draw.chance(0.1)
                for rank in range(1, depth + 1):
                    rows += self.rows_for(name, epoch, rank + (gap and rank > 1), words)
        if "empty_questions" in self.options and draw.chance(0.5):
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
        row["candidate"] = draw.choice(withheld) if silent and draw.chance(0.6) else None
        if draw.chance(0.02 if "answer_from" in self.options else 0.3):
            row["confidence"] = None
        if self.has_epochs:
            row["epoch"] = str(epoch)
        if self.has_ranks:
            row["rank"] = None if rank == 1 and draw.chance(0.1) else str(rank)
        repeats = [row]
        if draw.chance(0.08 if "duplicates" in self.options else 0.004):
            second = row | {
                "answer": draw.choice([row["answer"], row["answer"], "Rome", "elsewhere"])
            }
            repeats.append(second | {"confidence": draw.choice(CONFIDENCES)})
        return repeats


def draw_case(draw: Draw) -> Case:
    draft = Draft(draw)
    campaign: dict = {"task": "qa", "measures": ["c@1"]} | draw.policies()
    campaign["runs"], files = write_runs(draft)
    campaign["judgments"], judgment_files = write_judgments(draft)
    if draw.chance(0.15):
        choice = "unanswered" if campaign.get("unscored") == "exclude" else "exclude"
        scenarios = {"one": {"correct": ["R", "U", "X"]}, "two": {"unscored": choice}}
        official = draft.gold.get("official")
        voted = isinstance(official, list) or official in ("majority", "2 of 3")
        if not voted and "answer" in draft.judged_fields:
            scenarios["three"] = {"closed": not draft.gold.get("closed"), "correct": ["W"]}
        campaign["scenarios"] = scenarios
    files |= judgment_files
    return make_case(draw, campaign, files, draft.question_set, lambda: reference(draft, campaign))


def write_runs(draft: Draft) -> tuple[dict, dict[str, bytes]]:
    """The part `runs` of the configuration, and its files."""
    draw, source = draft.draw, draft.run_source
    names = list_columns(draft.runs.values()) | {"question", "answer"}
    names |= {"run"} if source.startswith("column") else set()
    if draft.pattern:
        names = names - {"question"} | {"set", "id"}
    form = Form(draw, names, keep=("set", "id"))
    tables: dict[str, list[Row]] = defaultdict(list)
    for run, rows in draft.runs.items():
        for number, row in enumerate(rows):
            files = {"file": run, "folder": f"{run}/out", "column": "all"}
            parts = {"set": "geo" if row["question"] else None, "id": row["question"]}
            tables[files.get(source, f"part{number % 2}")].append(row | {"run": run} | parts)
    run_key = draw.choice(["run", "columns"]) if source.startswith("column") else ""
    stem = "runs/*/out" if source == "folder" else "runs/*"
    part = form.part(stem, draft.options, run_key)
    part |= {"run": "{folder}"} if source == "folder" else {}
    part |= {"question": draft.pattern} if draft.pattern else {}
    return part, {form.name(f"runs/{file}"): form.content(rows) for file, rows in tables.items()}


def write_judgments(draft: Draft) -> tuple[dict, dict[str, bytes]]:
    """The part `judgments` of the configuration, and its files."""
    draw = draft.draw
    names = {"question", "label", *draft.judged_fields}
    if draft.gold.get("closed") and all(row["label"] == "R" for row in draft.judgments):
        names.discard("label")
    rows = [row | {"question": draft.full(str(row["question"]))} for row in draft.judgments]
    return write_gold(draw, names, rows, draft.gold, draft.assessors)
