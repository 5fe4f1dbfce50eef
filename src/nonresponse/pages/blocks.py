"""What is found out, as shown in HTML and Markdown, and tables also in LaTeX: a topic is sentences, figures and tables.

Tables hold values, and each column says how they are written: a run that is called 007 is text on every page, since no
page is parsed from another. As JSON, topics go from the job that makes them to the report.
"""

import json
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from nonresponse import legible, tables
from nonresponse.wording import NOTHING, difference, least, nearest, number, percent, rounded, signed, together

LONGEST = 2000  # characters in a cell of a long column
ROWS = 500  # of a table; the file has all of them
SCORE = 4  # decimals of a score
TRIVIAL, BEHIND = "†", "‡"  # marks of runs


def moved(value: float, sign: str = "") -> str:
    """Four decimals, or a power of ten where these would look like zero."""
    if value and not nearest(value, SCORE):
        return f"{value:{sign}.1e}"
    return signed(value, SCORE) if sign else rounded(value, SCORE)


# How numbers are written, other than with a number of decimals.
FORMS: dict[str, Callable[[Any], str]] = {
    "count": "{:,g}".format,
    "delta": lambda value: signed(value, SCORE),
    "difference": difference,
    "given": "{:.10g}".format,
    "least": least,
    "moved": moved,
    "percent": percent,
    "signed": lambda value: moved(value, "+"),
}
Digits = int | str | None  # decimals or one of FORMS; None = text, or a number as it is


@dataclass(frozen=True)
class Column:
    """A column of a table, as it is shown; `name` is its name in the data, by which the report sorts rows."""

    name: str
    # text; number, to the right; delta, a number, the difference to a baseline; score, a number with its `bounds` (two
    # columns); interval, two `ends`
    kind: str = "text"
    label: str = ""  # in the header, if it is not the name
    digits: Digits = None
    about: str = ""  # its explanation
    better: str = ""  # higher, lower or neither
    run: bool = False  # names of runs, which head their rows
    long: bool = False  # text that is not cut short
    measure: bool = False
    ends: Sequence[str] = ()
    bounds: Sequence[str] = ()
    on: str = ""  # "paper": only in Markdown and LaTeX; "": in all

    @property
    def left(self) -> bool:
        """Whether the column is aligned to the left."""
        return self.kind == "text"

    @property
    def header(self) -> str:
        """The text above the column."""
        return self.label or self.name


@dataclass(frozen=True)
class Note:
    """A line below a table."""

    text: str
    # marks, of runs; source, what the table is compared with; delta, the differences to a baseline; lacking, measures
    # without a column; "" = anything else
    about: str = ""


@dataclass(frozen=True)
class Table:
    """Rows of values, the names of the values, and which of them are shown as columns, and how."""

    names: list[str]
    rows: list[list[Any]]
    columns: list[Column]
    caption: str
    notes: Sequence[Note] = ()  # below the table, a line each
    csv: str = ""  # the name of the table's file
    whole: int = 0  # rows of that file, which may be more than here
    paper: int | None = None  # rows that Markdown and LaTeX show; None = all

    @property
    def header(self) -> list[str]:
        """The headers of the printed columns."""
        return [column.header for column in self.columns]

    @property
    def cells(self) -> list[list[str]]:
        """The texts of the printed columns, row by row."""
        rows = [dict(zip(self.names, row, strict=True)) for row in self.on_paper]
        return [[cell(row, column) for column in self.columns] for row in rows]

    @property
    def on_paper(self) -> list[list[Any]]:
        """The rows that Markdown and LaTeX show."""
        return self.rows[: self.paper]

    def below(self, paper: bool = False) -> list[str]:
        """The notes, and how many rows there are that the page, or paper, does not show."""
        texts = [note.text for note in self.notes]
        return [*filter(None, [*texts, self.cut(len(self.on_paper if paper else self.rows))])]

    def cut(self, rows: int) -> str:
        """A sentence that only the first rows are shown; "" if all are."""
        return first_rows(rows, self.whole, f"; {self.csv}.csv has all" * bool(self.csv))

    @property
    def data(self) -> dict[str, Any]:
        """The table as JSON holds it."""
        columns = [{**vars(column), "label": column.header} for column in self.columns]
        return {**vars(self), "columns": columns, "notes": [vars(note) for note in self.notes]}


@dataclass(frozen=True)
class Topic:
    """What was found out about one thing."""

    heading: str
    sentences: list[str]
    figures: list[str] = field(default_factory=list)  # SVG files, relative to the campaign's folder
    tables: list[Table] = field(default_factory=list)
    findings: list[dict[str, Any]] = field(default_factory=list)  # sentences.as_data, of the leaderboard

    @property
    def printed(self) -> list[Table]:
        """The tables in Markdown and LaTeX."""
        return [table for table in self.tables if table.paper != 0]


def write(topics: Mapping[str, Topic], path: Path) -> None:
    """Writes the topics by name, as JSON."""
    content = {name: vars(topic) | {"tables": [it.data for it in topic.tables]} for name, topic in topics.items()}
    tables.write_text(json.dumps(content, allow_nan=False), path)


def read_topics(path: Path) -> dict[str, Topic]:
    """The topics that `write` wrote, by name."""
    content = json.loads(path.read_text(encoding="utf-8"))
    for topic in content.values():
        for table in topic["tables"]:
            table["columns"] = [Column(**column) for column in table["columns"]]
            table["notes"] = [Note(**note) for note in table["notes"]]
        topic["tables"] = [Table(**table) for table in topic["tables"]]
    return {name: Topic(**topic) for name, topic in content.items()}


def first_rows(shown: int, whole: int, why: str) -> str:
    """A sentence that these are not all rows; "" if they are."""
    return f"The first {shown:,} of {whole:,} rows{why}." if shown < whole else ""


def marks(row: dict) -> str:
    """The marks of a run in a leaderboard, each after a space."""
    known = {TRIVIAL: row.get("trivial"), BEHIND: row.get("behind_reject_all")}
    return "".join(f" {mark}" for mark, marked in known.items() if marked is True)


def ranged(row: dict, names: Sequence[str], digits: int) -> list[str]:
    """Both ends of a range as text, the lower first; empty where one is unknown, or both are printed alike."""
    ends = [row[name] for name in names]
    shown = [number(end, digits) for end in sorted(ends)] if ends and None not in ends else []
    return shown if len({*shown}) == 2 else []


def cell(row: dict, column: Column) -> str:
    """The text of a cell in Markdown and LaTeX."""
    value = row[column.name]
    shown = text(value, column.digits, column.long)
    if column.run:
        return shown + marks(row)
    if column.name == "rank" and row.get("tied"):
        return f"{shown}="
    if column.kind == "score" and (ends := ranged(row, column.bounds, SCORE)):
        return f"{shown} [{', '.join(ends)}]"
    if column.kind == "interval":
        low, high = (number(row[name], SCORE if column.digits is None else int(column.digits)) for name in column.ends)
        one = low == high and column.digits == 0  # a single rank
        return NOTHING if NOTHING in (low, high) else low if one else f"{low}–{high}"
    return shown


def text(value: Any, digits: Digits = None, long: bool = False) -> str:
    """A value in a cell; a dash where it is null."""
    if value is None:
        return NOTHING
    if isinstance(value, list):  # each name whole, or cut by itself: in the middle of all it would join two
        return together([text(one, digits, long) for one in value])
    if isinstance(value, str):
        return legible.short(value, LONGEST if long else legible.LONGEST)
    if isinstance(digits, str):
        return FORMS[digits](value)
    if digits is not None:
        return rounded(value, digits)
    return f"{value:,}" if isinstance(value, int) else f"{value:,.10g}"


def of_frame(
    frame: pl.DataFrame,
    columns: Sequence[Column],
    caption: str,
    notes: Sequence[str | Note] = (),
    most: int | None = None,
    **options: Any,
) -> Table:
    """A table of the first rows of a frame, with the columns that are shown."""
    first = frame.head(most or frame.height).rows()
    rows = [[None if isinstance(it, float) and not math.isfinite(it) else it for it in row] for row in first]
    known = [note if isinstance(note, Note) else Note(note) for note in notes]
    return Table(frame.columns, rows, list(columns), caption, known, whole=frame.height, **options)


def shown(
    caption: str,
    frame: pl.DataFrame,
    names: Collection[str] = (),
    digits: Mapping[str, Any] | None = None,
    decimals: int = 4,
    about: Mapping[str, str] | None = None,
    better: Mapping[str, str] | None = None,
    long: Collection[str] = (),
    **options: Any,
) -> Table:
    """A table of these columns of a frame, or of all with a value; booleans as yes and no, reals with `decimals`.

    By column: `digits` has other forms (Digits), `about` explanations, and `better` whether higher or lower is better.
    """
    words = {True: "yes", False: "no"}
    frame = frame.with_columns(pl.col(pl.Boolean).replace_strict(words, default=None, return_dtype=pl.String))
    known = names or [name for name in frame.columns if has_value(frame[name])]
    columns = [
        Column(
            name,
            "text" if frame.schema[name] in (pl.String, tables.NAMES) else "number",
            digits=(digits or {}).get(name, decimals if frame.schema[name].is_float() else None),
            about=(about or {}).get(name, ""),
            better=(better or {}).get(name, ""),
            run=name == "run",
            long=name in long,
        )
        for name in known
    ]
    return of_frame(frame.select(*known), columns, caption, most=ROWS, **options)


def has_value(column: pl.Series) -> bool:
    """Whether some cell of the column is not empty."""
    values = column.drop_nulls()
    return bool((values != "").any()) if column.dtype == pl.String else len(values) > 0
