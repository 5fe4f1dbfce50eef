"""Which columns of the user's table are ours: by name, by a dotted path, or by a pattern over
columns and the path.

A pattern has names in braces: "{model}-{threshold}" joins two columns, and {file}, {folder} and
{path} are the file's name without its ending, the name of its folder, and its path. A column whose
name looks like a path, a pattern or one of these words takes precedence.
"""

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import polars as pl

from nonresponse.formats.text import stem
from nonresponse.settings import Files

PARTS = "parts of {}"  # the column with the parts of one of our columns, kept apart
NAME = re.compile(r"{([^{}]+)}")
OF_FILE: dict[str, Callable] = {
    "file": stem,
    "folder": lambda file: Path(file).parent.name,
    "path": str,
}


def named(options: Files) -> dict[str, str]:
    """The user's column or pattern by ours, from `columns`, `run` and `question`; a list of columns
    makes a pattern."""
    several = {name: options[name] for name in ("run", "question") if name in options}
    return options.get("columns", {}) | {
        name: "/".join(f"{{{part}}}" for part in value) if isinstance(value, list) else value
        for name, value in several.items()
    }


def paths_in(columns: Iterable[str]) -> list[str]:
    """The dotted paths among columns and in patterns."""
    names = [name for column in columns for name in (column, *NAME.findall(column))]
    return [name for name in dict.fromkeys(names) if "." in name]


def claimed(columns: Iterable[str]) -> set[str]:
    """The columns of the file that these columns, paths and patterns may take values from."""
    names = {name for column in columns for name in (column, *NAME.findall(column))}
    return names | {
        name[:place] for name in names for place, letter in enumerate(name) if letter == "."
    }


def wanted(columns: Iterable[str]) -> set[str]:
    """The columns of the file whose values these need."""
    return {name for column in columns for name in (column, *NAME.findall(column))}


def absent(column: str, frame: pl.DataFrame) -> list[str]:
    """The names that a file lacks for a column of the user's: that of the column, or those in its
    pattern."""
    have, names = {*frame.columns} - {"line"}, NAME.findall(column)
    known = {*have, *OF_FILE} if names else have
    return [] if column in have else [name for name in names or [column] if name not in known]


def of_files(column: str) -> bool:
    """Whether a pattern takes something from the path."""
    return bool(OF_FILE.keys() & NAME.findall(column))


def parts_of(frame: pl.DataFrame, file: str | Path, column: str) -> list[str | pl.Expr]:
    """The texts and the values in a pattern, alternating; none if it is no pattern, or the file
    lacks a name in it."""
    if column in frame.columns or not NAME.search(column) or absent(column, frame):
        return []
    parts: list[str | pl.Expr] = [*NAME.split(column)]
    parts[1::2] = [
        pl.col(word) if word in frame else pl.lit(OF_FILE[word](file))
        for word in NAME.findall(column)
    ]
    return parts


def with_patterns(frame: pl.DataFrame, file: str | Path, mapping: dict[str, str]) -> pl.DataFrame:
    """The table with a column for each pattern of which it has all parts.

    The column is null where one of its parts is; `state` only where all are, since flags need not
    be set together.
    """
    made = {
        (ours, column): parts
        for ours, column in mapping.items()
        if (parts := parts_of(frame, file, column))
    }
    columns = {}
    for (ours, column), parts in made.items():
        texts = [pl.lit(part) if isinstance(part, str) else part for part in parts]
        columns[column] = pl.concat_str(texts)
        if ours == "state":
            some = pl.any_horizontal(part.is_not_null() for part in texts[1::2])
            columns[column] = pl.when(some).then(pl.concat_str(texts, ignore_nulls=True))
    return frame.with_columns(**columns)


def loose(frame: pl.DataFrame, file: str | Path, mapping: dict[str, str]) -> pl.DataFrame:
    """What is needed to notice that different parts make the same name, for a file where that may
    happen.

    "set/id" can be split again as long as only one of its parts may contain a "/"; if both may,
    a/b/c is ambiguous. `loose` lists the parts that contain the text next to them, each on a line
    as JSON with our column; the columns PARTS have the parts of each of our columns. No columns if
    no part contains such text.
    """
    made = {
        ours: parts
        for ours, pattern in mapping.items()
        if (parts := parts_of(frame, file, pattern))
    }
    lines = [
        json.dumps([ours, NAME.split(mapping[ours])[place]])
        for ours, parts in made.items()
        for place in range(1, len(parts), 2)
        if frame.select(holds(parts, place).any()).item()
    ]
    apart = [
        pl.concat_str(parts[1::2], separator="\x1f").alias(PARTS.format(ours))
        for ours, parts in made.items()
    ]
    # With "line" there is a row for each of the file's, also where all parts are those of its path.
    return (
        frame.select("line", pl.lit("\n".join(lines)).alias("loose"), *apart).drop("line")
        if lines
        else pl.DataFrame()
    )


def holds(parts: list, place: int) -> pl.Expr:
    """Whether a part of a pattern contains the text between it and a neighbour, or could form that
    text with it."""
    value, before, after = (
        parts[place],
        parts[place - 1 : place] if place > 1 else [],
        parts[place + 1 : -1][:1],
    )
    signs = [value.str.contains(text, literal=True) for text in [*before, *after]]
    signs += [
        value.str.ends_with(text[:length]) for text in after for length in range(1, len(text))
    ]
    signs += [
        value.str.starts_with(text[length:]) for text in before for length in range(1, len(text))
    ]
    return pl.any_horizontal(False, *signs)
