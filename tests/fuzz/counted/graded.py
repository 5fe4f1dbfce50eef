"""Responses that are graded already, with verdicts, numbers or correct answers, in long tables, and
in wide ones: a line for each question, a column for each run.
"""

from fuzz.counted import Case
from fuzz.counted.answers import VERDICTS
from fuzz.counted.drawing import Draw, Form, QuestionSet, Row, list_columns, make_case
from fuzz.counted.graded_reference import reference
from fuzz.counted.words import ANSWERS, REFUSALS, rules

WORDS = {"correct": "yes C 1", "wrong": "no I 0", "partial": "P half", "unanswered": "N -"}
WORDS |= {"unscored": "?", "error": "ERR #N/A"}
WORDS = {verdict: words.split() for verdict, words in WORDS.items()}
SILENT, BROKEN, UNSEEN = ["NOA", "I don't know", "0.0"], ["ERR", "#REF!"], ["MISSING", "-1"]
GOLD = [*ANSWERS[:8], "01", "1.00", "a  b", "0.10", ".1", "1e0"]
NUMBERS = ["0", "1", "0.5", "0.25", "1.0", "-1", "0.50", "5e-1", "true", "false"]
CONFIDENCES = ["0", "0.25", "0.5", "0.75", "1", "0.3"]


class Draft:
    """The rows of a campaign, one for each response, and its options, before they are written."""

    def __init__(self, draw: Draw, wide: bool = False):
        self.draw, self.wide = draw, wide
        self.names, self.run_names = draw.questions(), draw.runs()
        self.way = draw.choice(["verdicts", "verdicts", "numbers", "gold"])
        self.assessors: list[str] = []
        if self.way != "gold" and not wide and draw.chance(0.35):
            self.assessors = draw.choose(["ann", "bob", "é", "cara", "1"], 1, 3)
        self.has_epochs = not wide and draw.chance(0.15)
        self.has_ranks = not wide and draw.chance(0.25)
        self.question_set = QuestionSet(draw, self.names, 0.3)
        self.categories = {name: draw.choice(["law", "X", "é"]) for name in self.names}
        self.has_categories = not self.question_set.rows and draw.chance(0.3)
        self.run_per_file = not wide and draw.chance(0.25)  # a file is a run
        self.options: dict = {}
        self.verdict_options()
        if self.run_per_file:
            self.run_names = [
                name for name in self.run_names if not set(name) & set("{}/=+ @:")
            ] or ["a"]
        self.key = {
            name: draw.choice([*GOLD, *self.options.get("unanswered", [])]) for name in self.names
        }
        if wide:
            self.lines = self.draw_lines()
            self.rows = [row for line in self.lines for row in line]
        else:
            rows = [row for run in self.run_names for row in self.draw_run(run)]
            rows = rows or [self.row(self.run_names[0], self.names[0])]
            self.rows = draw.sample(rows, len(rows))

    @property
    def column(self) -> str:
        return "answer" if self.way == "gold" else "verdict"

    def verdict_options(self) -> None:
        draw, options = self.draw, self.options
        self.words: dict[str, str] = {}
        if self.way != "gold" and draw.chance(0.5):
            self.words = {
                draw.choice(WORDS[verdict]): verdict for verdict in draw.choose(VERDICTS, 1, 6)
            }
            if self.way == "numbers":
                self.words = {
                    word: verdict for word, verdict in self.words.items() if word not in "01"
                }
            if draw.chance(0.3):
                self.words[""] = draw.choice(VERDICTS)
            options["verdicts"] = dict(self.words)
        if self.way == "numbers":
            options["correct_from"] = draw.choice([0.5, 1, 0.25, 0.3])
        if self.way == "gold":
            options["gold"] = "the key"
            for option, words in (("unanswered", SILENT), ("failed", BROKEN)):
                if draw.chance(0.5):
                    options[option] = draw.choose(words, 1, 3)
            if draw.chance(0.2):
                options["normalise"] = "squad"
        if draw.chance(0.3):
            options["missing"] = draw.choose(UNSEEN, 1, 2)
        self.rules = rules(draw) if not self.wide or self.way == "gold" else {}
        if self.assessors:
            self.rules = {}
            options["assessors"] = {name: f"of {name}" for name in self.assessors}
            has_several = len(self.assessors) > 1
            votes = ["majority", ["majority", self.assessors[0]]]
            votes += ["2 of 3"] if len(self.assessors) == 3 else []
            if has_several:
                options["official"] = draw.choice([self.assessors[-1], *votes])
        if self.rules:
            options["refusals"] = self.rules
        if not self.wide and draw.chance(0.15):
            options["answer_from"] = draw.cutoffs()
        options |= draw.repeats([] if self.wide else ["unscored"])

    def cell(self) -> str | None:
        """A verdict, number or answer as it is written."""
        options, unseen = self.options, self.options.get("missing", [])
        if self.way == "gold":
            words = [*options.get("unanswered", []), *options.get("failed", []), *unseen]
            words += REFUSALS * 2 if self.rules else []
            return self.draw.choice([None, "", *words, *GOLD, *GOLD])
        plain = VERDICTS if self.way == "verdicts" else NUMBERS
        return self.draw.choice([*[*self.words, *unseen, *plain] * 2, None]) or None

    def draw_lines(self) -> list[list[Row]]:
        """The rows of each line of a wide table."""
        draw, lines = self.draw, []
        for name in self.names:
            line = [self.row(run, name, unseen=draw.chance(0.15)) for run in self.run_names]
            lines.append(line)
            if draw.chance(0.06 if "duplicates" in self.options else 0.01):
                changed = draw.choice([{}, self.cells()])
                lines.append([line[0] | changed, *line[1:]])
        if "empty_questions" in self.options and draw.chance(0.4):
            empty = [self.row(run, None) for run in self.run_names]
            lines.append([empty[0] | {self.column: "correct"}, *empty[1:]])  # no empty line
        return draw.sample(lines, len(lines))

    def draw_run(self, run: str) -> list[Row]:
        draw, rows = self.draw, []
        for name in self.names:
            for epoch in draw.choose(range(1, 4), 1, 3) if self.has_epochs else [0]:
                unseen = draw.chance(0.15)
                for rank in range(1, 1 + (draw.choice([1, 1, 2, 3]) if self.has_ranks else 1)):
                    if rank == 1 and draw.chance(0.12):
                        break
                    rows.append(self.row(run, name, epoch, rank, unseen != draw.chance(0.01)))
                    if draw.chance(0.08 if "duplicates" in self.options else 0.004):
                        rows.append(rows[-1] | draw.choice([{}, {}, self.cells()]) | {"score": "1"})
        if "empty_questions" in self.options and draw.chance(0.4):
            rows.append(self.row(run, None))
        return rows

    def row(
        self, run: str, name: str | None, epoch: int = 1, rank: int = 1, unseen: bool = False
    ) -> Row:
        row: Row = {"run": run, "question": name} | self.cells(unseen)
        row["score"] = self.draw.choice([None, "2.5"])
        row["confidence"] = None if self.draw.chance(0.02) else self.draw.choice(CONFIDENCES)
        if self.has_epochs:
            row["epoch"] = str(epoch)
        if self.has_ranks:
            row["rank"] = str(rank)
        if self.has_categories and name is not None:
            row["category"] = self.categories[name]
        if self.way == "gold":
            row["the key"] = self.key.get(name or "", "1")
        return row

    def cells(self, unseen: bool = False) -> Row:
        """What the columns of verdicts or answers say; `unseen`, that the run never saw the
        question, if words do."""
        draw, missing_words = self.draw, self.options.get("missing", [])
        columns = [f"of {name}" for name in self.assessors] or [self.column]
        if unseen and missing_words:
            return {column: draw.choice(missing_words) for column in columns}
        first = self.seen_cell()
        row: Row = {
            column: first if self.is_error(first) else self.seen_cell(is_calm=True)
            for column in columns[1:]
        }
        if len(columns) > 1 and missing_words and draw.chance(0.1):
            # One of them says so, and is unscored
            row[draw.choice(columns[1:])] = draw.choice(missing_words)
        answer = (
            {"answer": draw.choice([None, *ANSWERS, *REFUSALS])}
            if self.rules and self.way != "gold"
            else {}
        )
        return {columns[0]: first} | row | answer

    def seen_cell(self, is_calm: bool = False) -> str | None:
        """A verdict, number or answer of a question that the run saw; of one assessor among
        several no error (calm), which is not for one of them to say."""
        missing = self.options.get("missing", [])
        while (cell := self.cell()) in missing or (is_calm and self.is_error(cell)):
            pass
        return cell

    def is_error(self, cell: str | None) -> bool:
        return self.words.get(cell or "", cell) == "error"


def draw_case(draw: Draw, wide: bool = False) -> Case:
    draft = Draft(draw, wide)
    campaign: dict = {"task": "qa", "measures": ["c@1"]} | draw.policies() | draw.scenarios()
    campaign["graded"], files = (write_wide if wide else write_long)(draft)
    return make_case(draw, campaign, files, draft.question_set, lambda: reference(draft, campaign))


def write_long(draft: Draft) -> tuple[dict, dict[str, bytes]]:
    """The part `graded` of the configuration, and its files."""
    draw = draft.draw
    judged_columns = {*draft.options.get("assessors", {}).values()}
    names = list_columns([draft.rows]) | {"question"}
    names |= {"the key", "answer"} if draft.way == "gold" else judged_columns or {"verdict"}
    names |= {"answer"} if draft.rules else set()
    names -= {"run"} if draft.run_per_file else set()
    form = Form(draw, names, keep={"the key", *judged_columns})
    run_key = "" if draft.run_per_file else draw.choice(["run", "columns", "neither"])
    part = form.part("graded/*", draft.options, run_key)
    part |= {"layout": "long"} if draw.chance(0.2) else {}
    files = {}
    for file in draft.run_names if draft.run_per_file else ["all"]:
        rows = [row for row in draft.rows if not draft.run_per_file or row["run"] == file]
        if rows:
            files[form.name(f"graded/{file}")] = form.content(rows)
    return part, files


def write_wide(draft: Draft) -> tuple[dict, dict[str, bytes]]:
    """The same; some columns say nothing of any run."""
    draw, noise = draft.draw, draft.draw.choose(["notes", "remarks"], 0, 2)
    extra = ["the key"] if draft.way == "gold" else []
    extra += ["category"] if draft.has_categories else []
    keep = {*draft.run_names, *noise, "the key"}
    form = Form(draw, {"question", *draft.run_names, *noise, *extra}, keep=keep)
    if draft.has_categories:
        form.columns.setdefault("category", "category")
    part = form.part(draw.choice(["graded/table", "graded/*"]), draft.options) | {"layout": "wide"}
    part["systems"] = draft.run_names
    table = [
        {name: line[0].get(name) for name in ("question", *extra)}
        | {str(row["run"]): row[draft.column] for row in line}
        | {column: draw.choice([None, "correct", "x"]) for column in noise}
        for line in draft.lines
    ]
    return part, {form.name("graded/table"): form.content(table)}
