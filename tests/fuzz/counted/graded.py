"""Responses that are graded already, in long tables, with verdicts, numbers or correct answers."""

import random

from fuzz.counted import Drawn, expected_or_fault
from fuzz.counted.answers import VERDICTS
from fuzz.counted.drawing import (
    CUTOFFS,
    Asked,
    Form,
    Row,
    chance,
    policies,
    questions,
    runs,
    scenarios,
    some,
)
from fuzz.counted.graded_reference import reference
from fuzz.counted.words import ANSWERS, REFUSALS, rules

WORDS = {"correct": "yes C 1", "wrong": "no I 0", "partial": "P half", "unanswered": "N -"}
WORDS |= {"unscored": "?", "error": "ERR #N/A"}
WORDS = {verdict: words.split() for verdict, words in WORDS.items()}
SILENT, BROKEN, UNSEEN = ["NOA", "I don't know", "0.0"], ["ERR", "#REF!"], ["MISSING", "-1"]
GOLD = [*ANSWERS[:8], "01", "1.00", "a  b", "0.10", ".1", "1e0"]
NUMBERS = ["0", "1", "0.5", "0.25", "1.0", "-1", "0.50", "5e-1", "true", "false"]
CONFIDENCES = ["0", "0.25", "0.5", "0.75", "1", "0.3"]


class Made:
    """The rows of a campaign and its options, before they are written."""

    wide = False

    def __init__(self, draw: random.Random):
        self.draw = draw
        self.names, self.run_names = questions(draw), runs(draw)
        self.way = draw.choice(["verdicts", "verdicts", "numbers", "gold"])
        self.assessors: list[str] = []
        if self.way != "gold" and not self.wide and chance(draw, 0.35):
            self.assessors = some(draw, ["ann", "bob", "é", "cara", "1"], 1, 3)
        self.several = not self.wide and chance(draw, 0.15)
        self.ranked = not self.wide and chance(draw, 0.25)
        self.asked = Asked(draw, self.names, 0.3)
        self.categories = {name: draw.choice(["law", "X", "é"]) for name in self.names}
        self.with_categories = self.asked.rows is None and chance(draw, 0.3)
        self.unnamed = not self.wide and chance(draw, 0.25)  # a file is a run
        self.own: dict = {}
        self.verdict_options()
        if self.unnamed:
            self.run_names = [
                name for name in self.run_names if not set(name) & set("{}/=+ @:")
            ] or ["a"]

    def verdict_options(self) -> None:
        draw, own = self.draw, self.own
        self.words: dict[str, str] = {}
        if self.way != "gold" and chance(draw, 0.5):
            self.words = {
                draw.choice(WORDS[verdict]): verdict for verdict in some(draw, VERDICTS, 1, 6)
            }
            if self.way == "numbers":
                self.words = {
                    word: verdict for word, verdict in self.words.items() if word not in "01"
                }
            if chance(draw, 0.3):
                self.words[""] = draw.choice(VERDICTS)
            own["verdicts"] = dict(self.words)
        if self.way == "numbers":
            own["correct_from"] = draw.choice([0.5, 1, 0.25, 0.3])
        if self.way == "gold":
            own["gold"] = "the key"
            for option, words in (("unanswered", SILENT), ("failed", BROKEN)):
                if chance(draw, 0.5):
                    own[option] = some(draw, words, 1, 3)
            if chance(draw, 0.2):
                own["normalise"] = "squad"
        if chance(draw, 0.3):
            own["missing"] = some(draw, UNSEEN, 1, 2)
        self.rules = rules(draw) if not self.wide or self.way == "gold" else {}
        if self.assessors:
            self.rules = {}
            own["assessors"] = {name: f"of {name}" for name in self.assessors}
            several = len(self.assessors) > 1
            votes = ["majority", ["majority", self.assessors[0]]]
            votes += ["2 of 3"] if len(self.assessors) == 3 else []
            if several:
                own["official"] = draw.choice([self.assessors[-1], *votes])
        if self.rules:
            own["refusals"] = self.rules
        if not self.wide and chance(draw, 0.15):
            own["answer_from"] = draw.choice([draw.choice(CUTOFFS), some(draw, CUTOFFS, 1, 3)])
        if chance(draw, 0.2):
            own["duplicates"] = draw.choice(
                ["fault", "first", "last", "same", *(["unscored"] * (not self.wide))]
            )
        if chance(draw, 0.2):
            own["empty_questions"] = draw.choice(["fault", "drop"])

    def cell(self) -> str | None:
        """A verdict, number or answer as it is written."""
        draw = self.draw
        own = self.own.get("missing", [])
        if self.way == "gold":
            words = [*self.own.get("unanswered", []), *self.own.get("failed", []), *own]
            return draw.choice(
                [None, "", *words, *GOLD, *GOLD, *(REFUSALS * 2 if self.rules else [])]
            )
        plain = [*(self.words or []), *own] + (VERDICTS if self.way == "verdicts" else NUMBERS)
        return draw.choice([*plain, *plain, None]) or None


class Long(Made):
    """A row for each response."""

    def __init__(self, draw: random.Random):
        super().__init__(draw)
        self.key = {
            name: draw.choice([*GOLD, *self.own.get("unanswered", [])]) for name in self.names
        }
        self.rows = [row for run in self.run_names for row in self.of_run(run)]
        self.rows = self.rows or [self.row(self.run_names[0], self.names[0], 0, 1)]
        self.rows = draw.sample(self.rows, len(self.rows))

    def of_run(self, run: str) -> list[Row]:
        draw, rows = self.draw, []
        for name in self.names:
            for epoch in some(draw, range(1, 4), 1, 3) if self.several else [0]:
                unseen = chance(draw, 0.15)
                for rank in range(1, 1 + (draw.choice([1, 1, 2, 3]) if self.ranked else 1)):
                    if rank == 1 and chance(draw, 0.12):
                        break
                    rows.append(self.row(run, name, epoch, rank, unseen != chance(draw, 0.01)))
                    if chance(draw, 0.08 if "duplicates" in self.own else 0.004):
                        rows.append(rows[-1] | draw.choice([{}, {}, self.cells()]) | {"score": "1"})
        if "empty_questions" in self.own and chance(draw, 0.4):
            rows.append(self.row(run, None, 1, 1))
        return rows

    def row(self, run: str, name: str | None, epoch: int, rank: int, unseen: bool = False) -> Row:
        row: Row = {
            "run": run,
            "question": name,
            "score": self.draw.choice([None, "2.5"]),
        } | self.cells(unseen)
        row["confidence"] = None if chance(self.draw, 0.02) else self.draw.choice(CONFIDENCES)
        if self.several:
            row["epoch"] = str(epoch)
        if self.ranked:
            row["rank"] = str(rank)
        if self.with_categories and name is not None:
            row["category"] = self.categories[name]
        if self.way == "gold":
            row["the key"] = self.key.get(name or "", "1")
        return row

    def cells(self, unseen: bool = False) -> Row:
        """What the columns of verdicts or answers say; `unseen`, that the run never saw the
        question, if words do."""
        draw, own = self.draw, self.own.get("missing", [])
        columns = [f"of {name}" for name in self.assessors] or [
            "answer" if self.way == "gold" else "verdict"
        ]
        if unseen and own:
            return {column: draw.choice(own) for column in columns}
        first = self.seen_cell()
        row: Row = {
            column: first if self.is_error(first) else self.calm_cell() for column in columns[1:]
        }
        if len(columns) > 1 and own and chance(draw, 0.1):
            row[draw.choice(columns[1:])] = draw.choice(own)  # one of them says so, and is unscored
        answer = (
            {"answer": draw.choice([None, *ANSWERS, *REFUSALS])}
            if self.rules and self.way != "gold"
            else {}
        )
        return {columns[0]: first} | row | answer

    def seen_cell(self) -> str | None:
        """A verdict, number or answer of a question that the run saw."""
        while (cell := self.cell()) in self.own.get("missing", []):
            pass
        return cell

    def calm_cell(self) -> str | None:
        """Of one assessor among several: no error, which is not for one of them to say."""
        while self.is_error(cell := self.seen_cell()):
            pass
        return cell

    def is_error(self, cell: str | None) -> bool:
        return self.words.get(cell or "", cell) == "error"


def drawn(draw: random.Random) -> Drawn:
    made = Long(draw)
    campaign: dict = {"task": "qa", "measures": ["c@1"]} | policies(draw)
    names = {name for row in made.rows for name in row if row[name] is not None} | {"question"}
    names |= (
        {"the key", "answer"}
        if made.way == "gold"
        else set(made.own.get("assessors", {}).values()) or {"verdict"}
    )
    names |= {"answer"} if made.rules else set()
    names -= {"run"} if made.unnamed else set()
    form = Form(draw, names, keep={"the key", *made.own.get("assessors", {}).values()})
    part: dict = {"format": "tabular", "files": form.name("graded/*"), **made.own, **form.options}
    if chance(draw, 0.2):
        part["layout"] = "long"
    columns = dict(form.columns)
    named = made.unnamed or draw.choice(["run", "columns", "neither"])
    if named == "run":
        part["run"] = columns.pop("run", "run")
    elif named == "columns":
        columns.setdefault("run", "run")
    if columns:
        part["columns"] = columns
    files = {}
    for file in made.run_names if made.unnamed else ["all"]:
        rows = [row for row in made.rows if not made.unnamed or row["run"] == file]
        if rows:
            files[form.name(f"graded/{file}")] = form.content(rows)
    campaign["graded"] = part
    if made.asked.options:
        campaign["questions"] = made.asked.options
    campaign["shards"] = draw.choice([1] * 8 + [2, 3])
    if found := scenarios(draw):
        campaign["scenarios"] = found
    files |= made.asked.files
    return Drawn(campaign, files, expected_or_fault(lambda: reference(made, made.rows, campaign)))
