"""What a section shows: sentences, tables and figures, as plain data for the page.

Tables hold the results themselves, in full precision; a column says how its cells are drawn.
"""

import math
from collections.abc import Sequence
from typing import Any

import polars as pl

Block = dict[str, Any]
ROWS = 500  # of a table that is shown as it is in a file


def sentences(said: Sequence[str], title: str = "") -> Block:
    """Plain text, a sentence or more each; under a heading if there is a title."""
    return {"kind": "sentences", "title": title, "sentences": list(said)}


def figure(svg: str, title: str, folded: str = "") -> Block:
    """A drawing; `title` is what it shows, for who cannot see it, "" if it says so itself.

    Folded away under these words, if any.
    """
    return {"kind": "figure", "svg": svg, "title": title, "folded": folded}


def view(name: str, data: Block, fallback: str) -> Block:
    """What the script draws of the data, in `scripts`; without JavaScript there is the fallback, a sentence."""
    return {"kind": "view", "view": name, "data": data, "fallback": fallback}


def table(
    frame: pl.DataFrame,
    columns: Sequence[Block],
    caption: str,
    notes: Sequence[str] = (),
    folded: str = "",
    **options: Any,
) -> Block:
    """The frame, and which columns of it are shown, each as `column` says. Folded away under these words, if any."""
    rows = [[plain(value) for value in row] for row in frame.rows()]
    shown = {"columns": list(columns), "caption": caption, "notes": list(notes), "folded": folded}
    return {"kind": "table", "names": frame.columns, "rows": rows, **shown, **options}


def plain_table(frame: pl.DataFrame, caption: str, **options: Any) -> Block:
    """A table as it is in a file: all its columns but those without any value, its first ROWS rows."""
    known = [name for name in frame.columns if frame[name].cast(pl.String).fill_null("").ne("").any()]
    first = frame.select(known).head(ROWS)
    words = {True: "yes", False: "no"}
    first = first.with_columns(pl.col(pl.Boolean).replace_strict(words, default=None, return_dtype=pl.String))
    columns = [
        column(name, "text", run=name == "run")
        if first.schema[name] == pl.String
        else column(name, "number", digits=4 if first.schema[name].is_float() else None)
        for name in known
    ]
    more = [f"The first {ROWS} of {frame.height:,} rows; the file has all."] if frame.height > ROWS else []
    return table(first, columns, caption, more, **options)


def column(name: str, kind: str = "text", **options: Any) -> Block:
    """A shown column of a table; `name` is that of the frame, by which rows are sorted.

    kind: text; number; score, a number with an interval beside it (`ends`: two columns of the frame), what it could be
    (`bounds`: two) and the difference to a baseline; counts, right, open and wrong as one bar (`parts`: lists of
    columns); groups, letters as marks. `label` stands in the header if it is not the name, `digits` are decimals,
    `better` is higher, lower or neither ("" = no such thing), and `about` says what it is. `run`: names of runs, which
    head their rows; `long`: text that is not cut short.
    """
    usual = {"label": name, "about": "", "better": "", "run": False, "long": False}
    return {"name": name, "kind": kind, **usual, **options}


def plain(value: Any) -> Any:
    """A value as JSON has it; a number that is none is null."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
