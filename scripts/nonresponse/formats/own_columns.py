"""Which columns of the user's table are ours: by name, by a dotted path, or by a pattern over columns and the path.

A pattern has names in braces: "{model}-{threshold}" puts two columns together, and {file}, {folder} and {path} are the
file's name without its ending, the name of its folder, and its path. A column that is called like a path, a pattern or
one of these words comes first.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import polars as pl

from nonresponse.formats.text import stem

NAME = re.compile(r"{([^{}]+)}")
OF_FILE: dict[str, Callable[[str | Path], str]] = {
    "file": stem,
    "folder": lambda file: Path(file).parent.name,
    "path": str,
}


def named(options: dict) -> dict[str, str]:
    """Our columns with the user's, those of the keys `run` and `question` among them; several make a pattern."""
    several = {name: options[name] for name in ("run", "question") if name in options}
    return options.get("columns", {}) | {
        name: "/".join(f"{{{part}}}" for part in value) if isinstance(value, list) else value
        for name, value in several.items()
    }


def names_in(column: str) -> list[str]:
    """The names in a pattern; none where it is no pattern."""
    return NAME.findall(column)


def paths_in(columns: Iterable[str]) -> list[str]:
    """The dotted paths among columns and in patterns."""
    names = [name for column in columns for name in (column, *names_in(column))]
    return [name for name in dict.fromkeys(names) if "." in name]


def claimed(columns: Iterable[str]) -> set[str]:
    """The columns of the file that these are, or are made of."""
    names = {name for column in columns for name in (column, *names_in(column))}
    return names | {name[:place] for name in names for place, letter in enumerate(name) if letter == "."}


def absent(column: str, frame: pl.DataFrame) -> list[str]:
    """What a file lacks for a column of the user's: itself, or what its pattern names."""
    have = [name for name in frame.columns if name != "line"]
    if column in have:
        return []
    return [name for name in names_in(column) or [column] if name not in have and not is_of_file(column, name)]


def is_of_file(column: str, name: str) -> bool:
    """Whether a name in a pattern is a word for a part of the path."""
    return column != name and name in OF_FILE


def of_files(column: str) -> bool:
    """Whether a pattern takes something from the path."""
    return any(is_of_file(column, name) for name in names_in(column))


def with_patterns(frame: pl.DataFrame, file: str | Path, columns: Iterable[str]) -> pl.DataFrame:
    """The table with a column for each pattern that it has what is needed for; null where one of its parts is."""
    made = {
        column: made_of(frame, file, column)
        for column in columns
        if names_in(column) and column not in frame.columns and not absent(column, frame)
    }
    return frame.with_columns(**made)


def made_of(frame: pl.DataFrame, file: str | Path, pattern: str) -> pl.Expr:
    """The text that a pattern makes of each row."""
    words = NAME.split(pattern)  # text and names by turns
    parts = [
        pl.lit(word) if place % 2 == 0 else pl.col(word) if word in frame.columns else pl.lit(OF_FILE[word](file))
        for place, word in enumerate(words)
    ]
    return pl.concat_str(parts)
