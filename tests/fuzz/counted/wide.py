"""Graded responses in wide tables: a row for each question, a column for each run."""

import random

from fuzz.counted import Case, Expected, FaultyError, expected_or_fault
from fuzz.counted.drawing import Form, Row, chance, draw_policies, draw_scenarios, draw_some
from fuzz.counted.graded import GOLD, Draft
from fuzz.counted.graded_reference import reference
from fuzz.counted.words import are_equal


class Wide(Draft):
    wide = True

    def __init__(self, draw: random.Random):
        super().__init__(draw)
        reserved = {"question", "category", "the key", "notes", "remarks"}
        self.run_names = [name for name in self.run_names if name not in reserved] or ["a"]
        self.noise = draw_some(draw, ["notes", "remarks"], 0, 2)
        self.rows = [self.row(name) for name in self.names]
        for row in [*self.rows]:
            if chance(draw, 0.06 if "duplicates" in self.options else 0.01):
                repeat = (
                    {**row}
                    if chance(draw, 0.5)
                    else row | {draw.choice(self.run_names): self.cell()}
                )
                self.rows.append(repeat)
        if "empty_questions" in self.options and chance(draw, 0.4):
            # An empty row is none
            self.rows.append(self.row(None) | {self.run_names[0]: "correct"})
        self.rows = draw.sample(self.rows, len(self.rows))

    def row(self, name: str | None) -> Row:
        draw = self.draw
        row: Row = {"question": name} | {run: self.cell() for run in self.run_names}
        row |= {column: draw.choice([None, "correct", "x"]) for column in self.noise}
        if self.has_categories:
            row["category"] = self.categories.get(name or "", "law")
        if self.way == "gold":
            row["the key"] = draw.choice([*GOLD, *self.options.get("unanswered", [])])
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


def draw_case(draw: random.Random) -> Case:
    draft = Wide(draw)
    campaign: dict = {"task": "qa", "measures": ["c@1"]} | draw_policies(draw)
    ours = {
        "question",
        *(["category"] if draft.has_categories else []),
        *(["the key"] if draft.way == "gold" else []),
    }
    own_names = {*draft.run_names, *draft.noise, "the key"}
    form = Form(
        draw,
        ours | own_names if draft.way == "gold" else (ours | own_names) - {"the key"},
        keep=own_names,
    )
    part: dict = {"format": "tabular", "layout": "wide", **draft.options, **form.options}
    if draft.noise and chance(draw, 0.5):
        part["ignore"] = draft.noise
    elif draft.noise or chance(draw, 0.3):
        part["systems"] = draft.run_names
    columns = dict(form.columns)
    if draft.has_categories:
        columns.setdefault("category", "category")
    if columns:
        part["columns"] = columns
    file = form.name("graded/table")
    part["files"] = draw.choice([file, form.name("graded/*")])
    campaign |= {"graded": part, "shards": draw.choice([1, 1, 1, 2])}
    if draft.question_set.options:
        campaign["questions"] = draft.question_set.options
    if variants := draw_scenarios(draw):
        campaign["scenarios"] = variants

    def counts() -> Expected:
        check(draft)
        return reference(draft, draft.long(), campaign)

    return Case(
        campaign,
        {file: form.content(draft.rows), **draft.question_set.files},
        expected_or_fault(counts),
    )


def check(draft: Wide) -> None:
    """What is said of a question has to be the same on all its lines."""
    for row in draft.rows:
        for second in draft.rows:
            keys = [str(row.get("the key")), str(second.get("the key"))]
            if row["question"] == second["question"] and not are_equal(*keys):
                raise FaultyError("two correct answers to a question")
