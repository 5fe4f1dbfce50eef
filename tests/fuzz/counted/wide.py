"""Graded responses in wide tables: a row for each question, a column for each run."""

import random

from fuzz.counted import Drawn, Expected, FaultyError, expected_or_fault
from fuzz.counted.drawing import Form, Row, chance, policies, scenarios, some
from fuzz.counted.graded import GOLD, Made
from fuzz.counted.graded_reference import reference
from fuzz.counted.words import same


class Wide(Made):
    wide = True

    def __init__(self, draw: random.Random):
        super().__init__(draw)
        reserved = {"question", "category", "the key", "notes", "remarks"}
        self.run_names = [name for name in self.run_names if name not in reserved] or ["a"]
        self.noise = some(draw, ["notes", "remarks"], 0, 2)
        self.rows = [self.row(name) for name in self.names]
        for row in [*self.rows]:
            if chance(draw, 0.06 if "duplicates" in self.own else 0.01):
                again = (
                    {**row}
                    if chance(draw, 0.5)
                    else row | {draw.choice(self.run_names): self.cell()}
                )
                self.rows.append(again)
        if "empty_questions" in self.own and chance(draw, 0.4):
            # An empty row is none
            self.rows.append(self.row(None) | {self.run_names[0]: "correct"})
        self.rows = draw.sample(self.rows, len(self.rows))

    def row(self, name: str | None) -> Row:
        draw = self.draw
        row: Row = {"question": name} | {run: self.cell() for run in self.run_names}
        row |= {other: draw.choice([None, "correct", "x"]) for other in self.noise}
        if self.with_categories:
            row["category"] = self.categories.get(name or "", "law")
        if self.way == "gold":
            row["the key"] = draw.choice([*GOLD, *self.own.get("unanswered", [])])
        return row

    def long(self) -> list[Row]:
        """A row for each response."""
        column = "answer" if self.way == "gold" else "verdict"
        return [
            {"run": run, "question": row["question"], column: row[run]}
            | {name: row[name] for name in ("category", "the key") if name in row}
            for row in self.rows
            for run in self.run_names
        ]


def drawn(draw: random.Random) -> Drawn:
    made = Wide(draw)
    campaign: dict = {"task": "qa", "measures": ["c@1"]} | policies(draw)
    ours = {
        "question",
        *(["category"] if made.with_categories else []),
        *(["the key"] if made.way == "gold" else []),
    }
    kept = {*made.run_names, *made.noise, "the key"}
    form = Form(draw, ours | kept if made.way == "gold" else (ours | kept) - {"the key"}, keep=kept)
    part: dict = {"format": "tabular", "layout": "wide", **made.own, **form.options}
    if made.noise and chance(draw, 0.5):
        part["ignore"] = made.noise
    elif made.noise or chance(draw, 0.3):
        part["systems"] = made.run_names
    columns = dict(form.columns)
    if made.with_categories:
        columns.setdefault("category", "category")
    if columns:
        part["columns"] = columns
    file = form.name("graded/table")
    part["files"] = draw.choice([file, form.name("graded/*")])
    campaign |= {"graded": part, "shards": draw.choice([1, 1, 1, 2])}
    if made.asked.options:
        campaign["questions"] = made.asked.options
    if found := scenarios(draw):
        campaign["scenarios"] = found

    def counts() -> Expected:
        check(made)
        return reference(made, made.long(), campaign)

    return Drawn(
        campaign, {file: form.content(made.rows), **made.asked.files}, expected_or_fault(counts)
    )


def check(made: Wide) -> None:
    """What is said of a question has to be the same on all its lines."""
    for row in made.rows:
        for other in made.rows:
            keys = [str(row.get("the key")), str(other.get("the key"))]
            if row["question"] == other["question"] and not same(*keys):
                raise FaultyError("two correct answers to a question")
