"""Graded responses in wide tables: a row for each question, a column for each run."""

from fuzz.counted import Case, Expected, FaultyError
from fuzz.counted.drawing import Draw, Form, Row, make_case
from fuzz.counted.graded import GOLD, Draft
from fuzz.counted.graded_reference import reference
from fuzz.counted.words import are_equal


class Wide(Draft):
    wide = True

    def __init__(self, draw: Draw):
        super().__init__(draw)
        reserved = {"question", "category", "the key", "notes", "remarks"}
        self.run_names = [name for name in self.run_names if name not in reserved] or ["a"]
        self.noise = draw.choose(["notes", "remarks"], 0, 2)
        self.rows = [self.row(name) for name in self.names]
        for row in [*self.rows]:
            if draw.chance(0.06 if "duplicates" in self.options else 0.01):
                repeat = (
                    {**row}
                    if draw.chance(0.5)
                    else row | {draw.choice(self.run_names): self.cell()}
                )
                self.rows.append(repeat)
        if "empty_questions" in self.options and draw.chance(0.4):
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


def draw_case(draw: Draw) -> Case:
    draft = Wide(draw)
    campaign: dict = {"task": "qa", "measures": ["c@1"]} | draw.policies() | draw.scenarios()
    own_names = {*draft.run_names, *draft.noise, *(["the key"] if draft.way == "gold" else [])}
    names = {"question", *own_names, *(["category"] if draft.has_categories else [])}
    form = Form(draw, names, keep=own_names | {"the key"})
    if draft.has_categories:
        form.columns.setdefault("category", "category")
    part = form.part(draw.choice(["graded/table", "graded/*"]), draft.options)
    part["layout"] = "wide"
    if draft.noise and draw.chance(0.5):
        part["ignore"] = draft.noise
    elif draft.noise or draw.chance(0.3):
        part["systems"] = draft.run_names
    campaign["graded"] = part

    def count() -> Expected:
        check(draft)
        return reference(draft, draft.long(), campaign)

    files = {form.name("graded/table"): form.content(draft.rows)}
    return make_case(draw, campaign, files, draft.question_set, count)


def check(draft: Wide) -> None:
    """What is said of a question has to be the same on all its lines."""
    for row in draft.rows:
        for second in draft.rows:
            keys = [str(row.get("the key")), str(second.get("the key"))]
            if row["question"] == second["question"] and not are_equal(*keys):
                raise FaultyError("two correct answers to a question")
