"""A table that becomes a campaign: its rows, the roles of its columns, and its questions."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import polars as pl

from nonresponse import tables
from nonresponse.detect import Choice, Question, shapes
from nonresponse.detect.names import ALIASES, flag, meaning
from nonresponse.faults import quote
from nonresponse.formats import numbers, own_columns
from nonresponse.formats.json_records import MEMBERS

ROW = f"{{{own_columns.ROW_NUMBER}}}"  # what names a question where each row is one
FILE = "\0file"  # the column with the path of each row's file
ROW_INDEX = "\0row"  # the column with the index of each row in its file
ROLES = (*ALIASES, "asked", "target")
# Options that say where verdicts come from instead of a column
MODES = ("gold", "normalise", "judged", "assessors", "systems")
FEW = 12  # words of a column of verdicts or states, and choices that are listed
MAX_VALUES = 6  # values of a column that are shown


@dataclass(eq=False)
class Draft:
    """Files with the same columns, as one table, and what has been found out about it so far."""

    paths: list[str]
    frame: pl.DataFrame
    shape: dict[str, Any]
    questions: list[Question]
    settings: Mapping[str, Any]  # what the user says of columns that the table has
    unjudged: list[str] = field(default_factory=list)  # files, here and beside, without verdicts
    # The column of each role, or a pattern, or a list of columns
    roles: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    part: str = "graded"
    task: str = "qa"
    # The words of columns, and the number of different rows in them, once they are asked for
    words: dict[str, list[str]] = field(default_factory=dict)
    numbers: dict[tuple[str, ...], int] = field(default_factory=dict)

    @property
    def columns(self) -> list[str]:
        return [name for name in self.frame.columns if name not in ("line", FILE, ROW_INDEX, "")]

    @cached_property
    def inner_objects(self) -> dict[str, list[str]]:
        """The objects in records of JSON that hold an object per system, each with the columns
        inside; MEMBERS for the records themselves. Inner objects are taken for systems if they have
        a name in common."""
        if "nested" in self.shape or {*map(shapes.kind_of, self.paths)} - {*shapes.JSON}:
            return {}
        inner: dict[str, dict[str, set[str]]] = {}
        columns: dict[str, list[str]] = {}
        for name in self.columns:
            for outer, *steps in (name.split(".", 2), [MEMBERS, *name.split(".", 1)]):
                if steps and (outer != MEMBERS or steps[1:]):
                    inner.setdefault(outer, {}).setdefault(steps[0], set()).update(steps[1:])
                    columns.setdefault(outer, []).append(name)
        return {
            outer: columns[outer]
            for outer, members in inner.items()
            if len(members) > 1 and set.intersection(*members.values())
        }

    @property
    def has_other_verdicts(self) -> bool:
        """Whether the user says that verdicts do not come from a single column of them."""
        modes = [self.settings.get(key) for key in MODES if key != "judged"]
        return self.settings.get("judged") is False or any(modes)

    def ask(self, key: str, text: str, *choices: Choice, **fields: Any) -> None:
        """Add a question, unless the user has answered it."""
        question = Question(key, text, choices, **fields)
        self.questions += [] if question.decided_by(self.settings) else [question]

    def asks(self, *keys: str) -> bool:
        """Return whether one of these questions is open."""
        return any(question.key in keys for question in self.questions)

    @property
    def choices(self) -> list[Choice]:
        return [choice for question in self.questions for choice in question.choices]

    def column(self, role: str) -> pl.Series | None:
        """Return the column with a role, null if there is none or it is a pattern."""
        name = self.roles.get(role)
        return self.frame[name] if isinstance(name, str) and name in self.frame.columns else None

    def role_columns(self, role: str) -> list[str]:
        """Return the columns of a role's values, among them that of the file where the file names
        the run or a part of it."""
        value, present = self.roles.get(role), self.frame.columns
        if value is None:
            return [FILE] if role == "run" else []
        names = value if isinstance(value, list) else own_columns.NAME.findall(value)
        names = [value] if value in present else names
        known_names = [name for name in names if name in (*present, own_columns.ROW_NUMBER)]
        columns = [name if name in present else ROW_INDEX for name in known_names]
        names_path = role in ("run", "question") and len(columns) < len(names)
        return [*columns, FILE] if names_path or not columns else columns

    def keep_roles(self, roles: Collection[str]) -> None:
        """Drop all roles but these, where a table says nothing else of single responses."""
        self.roles = {role: name for role, name in self.roles.items() if role in roles}

    def naming_columns(self) -> list[str]:
        """Return the columns that name a response, and those of which an open question asks it."""
        roles = ["run", "question", "candidate", "epoch"]
        roles += ["asked"] if self.asks("question") else []  # then by the text, too
        columns = [name for role in roles for name in self.role_columns(role)]
        return list(dict.fromkeys(columns))

    def free_columns(self) -> list[str]:
        assigned = {name for role in self.roles for name in self.role_columns(role)}
        assigned |= {*self.judges.values(), *(self.settings.get("systems") or [])}
        inner = self.inner_objects.items()
        assigned |= {name for outer, names in inner if outer != MEMBERS for name in names}
        return [name for name in self.columns if name not in assigned]

    def count_distinct(self, columns: list[str]) -> int:
        """Return how many different rows there are in these columns."""
        numbers, key = self.numbers, tuple(dict.fromkeys(columns))
        if key not in numbers:
            numbers[key] = tables.count_distinct(self.frame, [*key])
        return numbers[key]

    @property
    def judges(self) -> dict[str, str]:
        assessors = self.settings.get("assessors")
        return assessors if isinstance(assessors, dict) else {}

    def list_words(self, *columns: str) -> list[str]:
        """Return the different words of columns, the commonest first."""
        words = self.words
        for name in columns:
            if name not in words:
                words[name] = count_values(self.frame[name])["word"].to_list()
        return list(dict.fromkeys(word for name in columns for word in words[name]))

    def read_numbers(
        self, texts: pl.Series, fit: Callable[[pl.Series], bool] = lambda _: True
    ) -> pl.Series:
        """Return the numbers of a column, null elsewhere. If they do not fit as they are, the mark
        of decimals with which they do becomes an option; two are asked about."""
        marks = numbers.find_decimals(texts, fit)
        chosen_mark = self.settings.get("decimal", self.options.get("decimal"))
        marks = [chosen_mark] if chosen_mark in marks else marks
        if len(marks) == 1:
            self.options["decimal"] = marks[0]
        elif marks:
            text = max(texts.drop_nulls(), key=len)
            choices = [
                Choice(
                    "decimal",
                    mark,
                    f"{text} is {numbers.parse_reals(pl.Series([text]), mark)[0]:.15g}",
                )
                for mark in marks
            ]
            self.ask("decimal", f"What is the comma in {texts.name!r}?", *choices)
        return numbers.parse_reals(texts, marks[0] if marks else None)

    def note_decimals(self, *compared: pl.Series) -> None:
        """Add a note if some of these columns have numbers with decimal commas, others without."""
        columns = [column for column in compared if is_numeric(column)]
        if len({bool(numbers.find_decimals(column)) for column in columns}) > 1:
            names = " and ".join(repr(column.name) for column in columns)
            self.notes.append(f"Numbers with and without decimal commas in {names} are not equal.")

    def verdict_columns(self) -> list[str]:
        names = [*self.role_columns("verdict"), *self.judges.values()]
        names += self.options.get("systems", [])
        return [name for name in names if name in self.columns]

    def choose(self, key: str, columns: list[str]) -> list[Choice]:
        """Return a choice for each of these columns, with its values."""
        return [Choice(key, name, describe_column(self.frame[name])) for name in columns]

    def has_flags(self, name: str) -> bool:
        return are_flags(self.list_words(name))


def count_values(values: pl.Series) -> pl.DataFrame:
    """Return the different values of a column with their numbers, the commonest first."""
    counts = values.alias("word").drop_nulls().value_counts()
    return counts.sort("count", "word", descending=[True, False])


def select_unknown(words: list[str]) -> list[str]:
    return [word for word in words if meaning(word) is None]


def is_numeric(values: pl.Series) -> bool:
    """Return whether all values of a column are numbers."""
    present = values.unique().drop_nulls()
    is_plain = bool(len(present)) and not numbers.parse_reals(present).has_nulls()
    return is_plain or bool(numbers.find_decimals(present))


def are_flags(words: list[str]) -> bool:
    """Return whether words are yes or no, and nothing else."""
    return bool(words) and all(flag(word) is not None for word in words)


def describe_column(values: pl.Series) -> str:
    """Return the number of different values of a column, and the commonest of them with their
    numbers."""
    counts = count_values(values)
    limit = 1 if len(counts) and counts["count"][0] == 1 else MAX_VALUES
    rows = counts.head(limit).iter_rows()
    texts = [
        re.sub(r"\s+", " ", quote(value, 30)) + f" ({number:,})" * (number > 1)
        for value, number in rows
    ]
    texts += ["…"] * (len(counts) > limit)
    texts += [f"empty ({values.null_count():,})"] * bool(values.null_count())
    return f"{len(counts):,} different: {', '.join(texts)}"
