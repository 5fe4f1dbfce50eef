"""Which columns of the user's table are ours: by name, by a dotted path, or by a pattern over columns and the path.

A pattern has names in braces: "{model}-{threshold}" puts two columns together, and {file}, {folder} and {path} are the
file's name without its ending, the name of its folder, and its path. A column that is called like a path, a pattern or
one of these words comes first.
"""

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import polars as pl

from nonresponse.formats.text import stem

PARTS = "parts of {}"  # the column that has the parts of one of our columns apart, as far as it may be needed
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
    return frame.with_columns(**{column: made_of(frame, file, column) for column in columns if is_made(frame, column)})


def made_of(frame: pl.DataFrame, file: str | Path, pattern: str) -> pl.Expr:
    """The text that a pattern makes of each row."""
    words = NAME.split(pattern)  # text and names by turns
    return pl.concat_str(part(frame, file, word) if place % 2 else pl.lit(word) for place, word in enumerate(words))


def part(frame: pl.DataFrame, file: str | Path, name: str) -> pl.Expr:
    """What a name in a pattern stands for."""
    return pl.col(name) if name in frame.columns else pl.lit(OF_FILE[name](file))


def loose(frame: pl.DataFrame, file: str | Path, mapping: dict[str, str]) -> pl.DataFrame:
    """What is needed to see that two names made of several columns are not one, of a file where they could be.

    `loose`: pairs, as lines of JSON, of our column and of a part of it that holds the text beside that part. "set/id"
    can be taken apart as long as only one of its parts may hold a "/"; where two may, a/b/c is two things. PARTS of
    our columns: their parts. No columns where no part does.
    """
    made = {ours: NAME.split(pattern) for ours, pattern in mapping.items() if is_made(frame, pattern)}
    held = {
        json.dumps([ours, words[place]]): holds(part(frame, file, words[place]), words, place)
        for ours, words in made.items()
        for place in range(1, len(words), 2)
    }
    lines = [line for line, holding in held.items() if frame.select(holding.any()).item()]
    parts = {ours: [part(frame, file, name) for name in words[1::2]] for ours, words in made.items()}
    apart = [pl.concat_str(of, separator="\x1f").alias(PARTS.format(ours)) for ours, of in parts.items()]
    if not lines:
        return pl.DataFrame()
    return frame.with_columns(pl.lit("\n".join(lines)).alias("loose"), *apart)[["loose", *map(PARTS.format, made)]]


def is_made(frame: pl.DataFrame, column: str) -> bool:
    """Whether a column of the user's is a pattern that the file has what is needed for."""
    return bool(names_in(column)) and column not in frame.columns and not absent(column, frame)


def holds(value: pl.Expr, words: list[str], place: int) -> pl.Expr:
    """Whether a part of a pattern holds the text between it and its neighbours, or what could become one with it."""
    before, after = words[place - 1 : place] if place > 1 else [], words[place + 1 : -1][:1]
    signs = [value.str.contains(text, literal=True) for text in [*before, *after]]
    signs += [value.str.ends_with(text[:length]) for text in after for length in range(1, len(text))]
    signs += [value.str.starts_with(text[length:]) for text in before for length in range(1, len(text))]
    return pl.any_horizontal(False, *signs)
