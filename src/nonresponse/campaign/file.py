"""The files of the configuration as they are written, looked at before Snakemake loads them.

YAML takes the last of several equal keys without a warning, and Snakemake rejects invalid YAML
without naming a line. JSON is YAML, except that it may have tabs.
"""

import json
import math
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

from nonresponse.faults import quote

MOST_VALUES = (
    1_000_000  # values that a file may stand for, each alias counted for all that it repeats
)
TAG = "tag:yaml.org,2002:"
KINDS = ("map", "seq", "str", "int", "float", "bool", "null", "timestamp", "merge", "value")
PLAIN_INTEGER = re.compile(r"0|-?[1-9][0-9]*")


def find_problems(paths: list[str]) -> list[str]:
    """Return a sentence for each problem of these files, with file and line."""
    return [f"{path}{problem}" for path in paths for problem in find_file_problems(path)]


def locate_keys(paths: list[str]) -> dict[str, str]:
    """Return file and line of each key, such as campaigns.trec.runs. The last file wins."""
    positions: dict[str, str] = {}

    def add(path: str, node: yaml.Node, prefix: str) -> None:
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                positions[f"{prefix}{key.value}"] = f"{path}:{key.start_mark.line + 1}"
                add(path, value, f"{prefix}{key.value}.")
        elif isinstance(node, yaml.SequenceNode):
            for index, value in enumerate(node.value):
                add(path, value, f"{prefix}{index}.")

    for path in paths:
        with suppress(OSError, ValueError, yaml.YAMLError, RecursionError):
            add(path, compose(Path(path).read_text(encoding="utf-8")), "")
    return positions


def compose(text: str) -> yaml.Node:
    """Return the nodes of a YAML or JSON text."""
    with suppress(ValueError):  # if it is JSON: YAML does not take tabs for white space
        json.loads(text)
        text = text.replace("\t", " ")
    return yaml.compose(text, Loader=yaml.SafeLoader)


def load(path: str) -> Any:
    """Return what a file without problems holds."""
    return yaml.constructor.SafeConstructor().construct_document(
        compose(Path(path).read_text(encoding="utf-8"))
    )


def find_file_problems(path: str) -> Iterator[str]:
    """Yield what is wrong with a file, each with its line and a colon in front."""
    counts: dict[int, tuple[yaml.Node, float]] = {}
    try:
        data = Path(path).read_bytes()
        text = data.decode()
        root = compose(text)
        if not isinstance(root, yaml.MappingNode):
            yield ": no keys; it has to begin with `campaigns:`"
        elif count_values(root, counts) > MOST_VALUES:
            yield f": aliases that stand for more than {MOST_VALUES:,} values; write fewer"
        else:
            for node, _ in counts.values():
                yield from find_value_problems(node)
                yield from find_key_problems(node) if isinstance(node, yaml.MappingNode) else ()
    except FileNotFoundError:
        yield f": no such file in {Path.cwd()}; nonresponse look FILES --write {path} makes one"
    except OSError as error:
        yield f": a file that cannot be read ({error.strerror}); expected a readable text file"
    except UnicodeDecodeError as error:
        line = 1 + data[: error.start].count(b"\n")
        yield f":{line}: found the byte 0x{data[error.start]:02x}; expected UTF-8 text"
    except yaml.MarkedYAMLError as error:
        yield describe_syntax(error)
    except yaml.reader.ReaderError as error:
        line = 1 + text[: error.position].count("\n")
        yield f":{line}: not YAML (the character {chr(error.character)!a})"
    except RecursionError:
        yield ": too many brackets within brackets"


def describe_syntax(error: yaml.MarkedYAMLError) -> str:
    """Return where a text is not YAML, and why."""
    mark, problem = error.problem_mark, str(error.problem)
    if repr("\t") in problem:
        problem = "a tab; indent with blanks"
    elif error.context == "while scanning a simple key":  # noticed only on the next line
        mark, problem = error.context_mark, f"{problem} and a blank"
    return f"{describe_position(mark)}: not YAML ({problem})"


def describe_position(mark: yaml.Mark) -> str:
    """Return line and column of a mark, from 1."""
    return f":{mark.line + 1}:{mark.column + 1}"


def list_parts(node: yaml.Node) -> list[yaml.Node]:
    """Return the nodes in a node, keys and values alike."""
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return node.value if isinstance(node, yaml.SequenceNode) else []


def count_values(node: yaml.Node, counts: dict[int, tuple[yaml.Node, float]]) -> float:
    """Return how many values a node stands for, with all that its aliases repeat. A node that
    contains itself has infinitely many.

    `counts` gets each node once, in the order of the file, with its number of values.
    """
    if id(node) not in counts:
        counts[id(node)] = node, math.inf
        counts[id(node)] = node, 1 + sum(count_values(part, counts) for part in list_parts(node))
    return counts[id(node)][1]


def find_key_problems(mapping: yaml.MappingNode) -> Iterator[str]:
    """Yield keys that are not text, or occur twice; a merge key (<<) may."""
    key_lines: dict[str, int] = {}
    for key, value in mapping.value:
        line = key.start_mark.line + 1
        if key.tag == f"{TAG}merge":
            parts = value.value if isinstance(value, yaml.SequenceNode) else [value]
            if not all(isinstance(part, yaml.MappingNode) for part in parts):
                yield f":{line}: found << with what has no keys; expected a mapping, or several"
            continue
        if not isinstance(key, yaml.ScalarNode):
            yield f":{line}: a key that is a list or has keys of its own; a key is a word"
        elif key.tag not in (f"{TAG}str", f"{TAG}int"):
            yield f":{line}: the key {quote(key.value)} is not text in YAML; put it in quotes"
        elif previous := key_lines.get(key.value):
            problem = f"the key {quote(key.value)} a second time, first on line {previous}"
            yield f":{line}: found {problem}; expected it once"
        else:
            key_lines[key.value] = line


def find_value_problems(node: yaml.Node) -> Iterator[str]:
    """Yield a value that JSON has no form of, or that is invalid, such as the date 2011-99-99."""
    kind, position = node.tag.removeprefix(TAG), describe_position(node.start_mark)
    if kind not in KINDS:
        yield f"{position}: the tag {quote(node.tag)} is not for a configuration; remove it"
    elif isinstance(node, yaml.ScalarNode) and kind != "merge":
        try:
            value = yaml.constructor.SafeConstructor().construct_object(node)
            if kind == "int" and not PLAIN_INTEGER.fullmatch(
                node.value.replace("_", "").lstrip("+")
            ):
                text = f"{quote(node.value)}, which YAML reads as {value}"
                yield f"{position}: found {text}; expected that, or quotes around it"
        except (ValueError, LookupError, yaml.YAMLError):
            yield f"{position}: {quote(node.value)} is not a valid {kind}; put it in quotes"
