"""The report's data model: a section has sentences, figures and tables; renderers write page,
Markdown and LaTeX.

Tables hold values, and each column says how they are written. As JSON, sections go from the job
that makes them to the report.
"""

import json
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nonresponse import legible
from nonresponse.report.glossary import describe_column
from nonresponse.wording import (
    NOTHING,
    difference,
    format_rounded,
    format_signed,
    join_cell,
    least,
    nearest,
    percent,
)

if TYPE_CHECKING:
    import polars as pl

LONGEST = 2000  # characters in a cell of a long column
ROWS, PAPER = 500, 40  # of a table on the page, and on paper; the file has all of them
CURVES, POINTS = 100, 100  # in a figure, and of a curve
DIGITS = 5  # of a coordinate
SCORE = 4  # decimals of a score
TRIVIAL = "†"  # the mark of a trivial run


def format_change(value: float, sign: str = "") -> str:
    """Return a number with four decimals, or with a power of ten if these would look like zero."""
    if value and not nearest(value, SCORE):
        return f"{value:{sign}.1e}"
    return format_signed(value, SCORE) if sign else format_rounded(value, SCORE)


# How numbers are written, other than with a number of decimals.
FORMS: dict[str, Callable[[Any], str]] = {
    "count": "{:,g}".format,
    "delta": lambda value: format_signed(value, SCORE),
    "difference": difference,
    "least": least,
    "moved": format_change,
    "percent": percent,
    "signed": lambda value: format_change(value, "+"),
}
Digits = int | str | None  # decimals or a key of FORMS; None = text, or all digits of a number


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str  # in the data
    # text; run, its name; number or shade; delta, the difference to a baseline. Some kinds also
    # need `ends`, names of further columns: rank, with the ranks that a run may have; score, with
    # bounds; interval, from one end to the other; bar, the parts of a whole, which the page draws.
    kind: str = "text"
    label: str = ""  # in the header; empty = the name
    digits: Digits = None
    about: str = ""  # its explanation
    better: str = ""  # higher, lower or neither
    long: bool = False  # text that is not cut short
    ends: Sequence[str] = ()
    # On the page: whether values are in percent, and their decimals; null = as in files
    on_page: tuple[bool, int] | None = None
    only: str = ""  # page or files: the one output that has the column
    shown: bool = True  # on the page at once; else once it is chosen

    @property
    def is_left(self) -> bool:
        """Whether the column is aligned to the left."""
        return self.kind in ("text", "run")

    @property
    def header(self) -> str:
        """The text above the column."""
        return self.label or self.name


@dataclass(frozen=True)
class Table:
    """Rows of values, and the columns in which they are shown."""

    names: list[str]  # of the values in a row
    rows: list[list[Any]]
    columns: list[Column]
    caption: str
    notes: Sequence[str] = ()  # below the table, a line each
    csv: str = ""  # its name, and that of its file, if it has one
    whole: int = 0  # rows of that file, which may be more than here
    paper: int | None = None  # rows that Markdown and LaTeX show; None = all

    @property
    def file_columns(self) -> list[Column]:
        """The columns that Markdown and LaTeX have."""
        return [column for column in self.columns if column.only != "page"]

    @property
    def header(self) -> list[str]:
        """The headers of these columns."""
        return [column.header for column in self.file_columns]

    @property
    def cells(self) -> list[list[str]]:
        """The texts of the rows that Markdown and LaTeX show."""
        return [
            [format_cell(row, column) for column in self.file_columns]
            for row in self.list_rows(self.paper)
        ]

    def list_rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """Return the first rows as values by name."""
        return [dict(zip(self.names, row, strict=True)) for row in self.rows[:limit]]

    def list_notes(self, paper: bool = False) -> list[str]:
        """Return the notes. If only the first rows are shown, the last note says so."""
        number = len(self.rows[: self.paper] if paper else self.rows)
        source = f"; {self.csv}.csv has all" * bool(self.csv)
        cut = f"The first {number:,} of {self.whole:,} rows{source}."
        return [*self.notes, *[cut] * (number < self.whole)]


@dataclass(frozen=True)
class Curve:
    """Points of a figure, each x, y and perhaps its weight. Curves of one name look alike."""

    name: str
    points: list[list[float]]
    line: bool = True
    marks: bool = True  # at all points; False = at the last one


@dataclass(frozen=True)
class Figure:
    """Curves, which the page and charts draw."""

    name: str  # that of its file
    title: str
    labels: tuple[str, str]  # of the axes x and y
    curves: list[Curve]
    # Of the axes; null = the range of the points
    ranges: tuple[Sequence[float] | None, Sequence[float] | None] = (None, None)
    percent: tuple[bool, bool] = (True, True)
    level: float | None = None  # a line across
    level_name: str = ""
    diagonal: bool = False
    # Stretches of x on which curves are best: from, to, and the names of these curves
    bands: Sequence[tuple[float, float, list[str]]] = ()

    @property
    def spans(self) -> list[Sequence[float]]:
        """The ranges of the axes; one of y that is not given reaches to 0."""
        spans: list[Sequence[float]] = []
        for axis, limits in enumerate(self.ranges):
            values = [point[axis] for curve in self.curves for point in curve.points]
            low, high = limits or (min([*values, *[0] * axis]), max(values))
            wide = (0, 1) if self.percent[axis] else (low - 0.5, low + 0.5)
            spans.append((low, high) if high > low else wide)
        return spans


@dataclass(frozen=True)
class Section:
    """Sentences, figures and tables under a heading."""

    heading: str
    sentences: list[str]
    tab: str = ""  # of the page; empty = none
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    # Of the leaderboard, from sentences.encode_findings
    findings: list[dict[str, Any]] = field(default_factory=list)

    @property
    def filled_tables(self) -> list[Table]:
        """The tables that have rows."""
        return [table for table in self.tables if table.rows]


def write_sections(sections: Mapping[str, Section], path: Path) -> None:
    """Write sections by name, as JSON."""
    from nonresponse import tables

    tables.write_text(json.dumps(dict(sections), default=vars, allow_nan=False), path)


def read_sections(path: Path) -> dict[str, Section]:
    """Return the sections in a file, by name."""
    content = json.loads(path.read_text(encoding="utf-8"))
    for section in content.values():
        for figure in section["figures"]:
            figure["curves"] = [Curve(**curve) for curve in figure["curves"]]
        section["figures"] = [Figure(**figure) for figure in section["figures"]]
        for table in section["tables"]:
            table["columns"] = [Column(**column) for column in table["columns"]]
        section["tables"] = [Table(**table) for table in section["tables"]]
    return {name: Section(**section) for name, section in content.items()}


def mark_run(row: dict[str, Any]) -> str:
    """Return the mark of a run in a leaderboard, after a space; "" where it has none."""
    return f" {TRIVIAL}" * (row.get("trivial") is True)


def format_cell(row: dict[str, Any], column: Column, page: bool = False) -> str:
    """Return the text of a cell, in Markdown and LaTeX or on the page."""
    value, kind = row[column.name], column.kind
    factor, digits = 1, column.digits
    if page and column.on_page:
        is_percent, digits = column.on_page
        factor = 100 if is_percent else 1
    if kind not in ("rank", "score", "interval"):
        scaled = factor * value if isinstance(value, float) else value
        mark = mark_run(row) * (kind == "run" and not page)
        return format_value(scaled, digits, column.long) + mark
    text = NOTHING if value is None else format_value(factor * value, digits)
    values: list[Any] = [row.get(name) for name in column.ends]
    ends = [] if None in values else [format_value(factor * end, digits) for end in sorted(values)]
    is_range = len({*ends}) == 2
    if kind == "interval":
        return "–".join(ends) or NOTHING
    if kind == "rank":
        return text + "=" * bool(row.get("tied")) + f", {'–'.join(ends)}" * is_range
    return f"{text} [{', '.join(ends)}]" if is_range else text


def format_value(value: Any, digits: Digits = None, long: bool = False) -> str:
    """Return the text of a cell, a dash where the value is null."""
    if value is None:
        return NOTHING
    if isinstance(value, list):  # each name is cut by itself: a cut over several would join two
        return join_cell([format_value(element, digits, long) for element in value])
    if isinstance(value, str):
        return legible.short(value, LONGEST if long else legible.LONGEST)
    if isinstance(digits, str):
        return FORMS[digits](value)
    if digits is not None:
        return format_rounded(value, digits)
    return f"{value:,}" if isinstance(value, int) else f"{value:,.10g}"


def tabulate_frame(
    frame: "pl.DataFrame",
    columns: Sequence[Column],
    caption: str,
    notes: Sequence[str] = (),
    limit: int | None = None,
    **options: Any,
) -> Table:
    """Return a table of the first rows of a frame, with the columns that are shown."""
    rows = [
        [None if isinstance(value, float) and not math.isfinite(value) else value for value in row]
        for row in frame.head(limit or frame.height).rows()
    ]
    options = {"whole": frame.height, **options}
    return Table(frame.columns, rows, list(columns), caption, list(notes), **options)


def tabulate_texts(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    caption: str = "",
    notes: Sequence[str] = (),
    text_columns: Collection[int] = (0,),
) -> Table:
    """Return a table of texts, with the columns in `text_columns` aligned to the left."""
    columns = [
        Column(str(index), "text" if index in text_columns else "number", label, long=True)
        for index, label in enumerate(header)
    ]
    names = [column.name for column in columns]
    return Table(names, [[*row] for row in rows], columns, caption, notes, whole=len(rows))


def tabulate(
    caption: str,
    frame: "pl.DataFrame",
    names: Collection[str] = (),
    digits: Mapping[str, Any] | None = None,
    decimals: int = 4,
    long: Collection[str] = (),
    hidden: Collection[str] = (),
    **options: Any,
) -> Table:
    """Return a table of these columns of a frame, or of all with a value.

    Reals have `decimals`, unless `digits` has another form for the column. `hidden` columns are not
    shown on the page at once.
    """
    import polars as pl

    words = {True: "yes", False: "no"}
    frame = frame.with_columns(
        pl.col(pl.Boolean).replace_strict(words, default=None, return_dtype=pl.String)
    ).select(names or [name for name in frame.columns if has_value(frame[name])])
    text_types = (pl.String, pl.Enum, pl.Categorical, pl.List)
    columns = []
    for name, dtype in frame.schema.items():
        label, meaning = describe_column(name, options.get("csv", ""))
        kind = "run" if name == "run" else "text" if isinstance(dtype, text_types) else "number"
        form = (digits or {}).get(name, decimals if dtype.is_float() else None)
        is_long, is_shown = name in long, name not in hidden
        column = Column(name, kind, label, form, about=meaning, long=is_long, shown=is_shown)
        columns.append(column)
    return tabulate_frame(frame, columns, caption, limit=ROWS, paper=PAPER, **options)


def has_value(column: "pl.Series") -> bool:
    """Return whether some cell of the column is not empty."""
    values = column.drop_nulls()
    return bool((values != "").any()) if str(values.dtype) == "String" else len(values) > 0


def make_curves(
    frame: "pl.DataFrame", x: str, y: str, group: str = "run", weight: str = "", **options: bool
) -> list[Curve]:
    """Return a curve of at most POINTS points for each of the first values of a column."""
    curves: dict[str, list[list[float]]] = {}
    for name, *point in frame.select(group, *filter(None, (x, y, weight))).drop_nulls().iter_rows():
        curves.setdefault(name, []).append([float(f"{value:.{DIGITS}g}") for value in point])
    return [
        Curve(name, points[:: -(len(points) // POINTS + 1)][::-1], **options)  # with the last point
        for name, points in [*curves.items()][:CURVES]
    ]


def tabulate_matrix(
    head: str,
    rows: Sequence[str],
    columns: Sequence[str],
    values: Mapping[tuple[str, str], float | None],
    caption: str,
    name: str,
    digits: int = 2,
) -> Table:
    """Return a table of coefficients, darker where they are higher."""
    # A row or column may be called anything: the columns are c0, c1, ... in the data.
    names = [f"c{index}" for index in range(len(columns))]
    shades = [
        Column(name, "shade", legible.short(label), digits)
        for name, label in zip(names, columns, strict=True)
    ]
    cells = [[row, *(values.get((row, column)) for column in columns)] for row in rows]
    columns_shown = [Column(head), *shades]
    return Table([head, *names], cells, columns_shown, caption, csv=name, whole=len(cells))
