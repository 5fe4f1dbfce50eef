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

MOST = 1_000_000  # values that a file may stand for, each alias counted for all that it repeats
TAG = "tag:yaml.org,2002:"
KINDS = ("map", "seq", "str", "int", "float", "bool", "null", "timestamp", "merge", "value")
WHOLE = re.compile(r"0|-?[1-9][0-9]*")


def problems(paths: list[str]) -> list[str]:
    """Return a sentence per problem of these files, with file and line."""
    return [f"{path}{problem}" for path in paths for problem in of_file(path)]


def lines(paths: list[str]) -> dict[str, str]:
    """Return file and line of each key in these files, by its path, such as campaigns.trec.runs;
    of several files, the last that has it."""
    found: dict[str, str] = {}

    def add(path: str, node: yaml.Node, before: str) -> None:
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                found[f"{before}{key.value}"] = f"{path}:{key.start_mark.line + 1}"
                add(path, value, f"{before}{key.value}.")
        elif isinstance(node, yaml.SequenceNode):
            for index, value in enumerate(node.value):
                add(path, value, f"{before}{index}.")

    for path in paths:
        with suppress(OSError, ValueError, yaml.YAMLError, RecursionError):
            add(path, compose(Path(path).read_text(encoding="utf-8")), "")
    return found


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


def of_file(path: str) -> Iterator[str]:
    """Yield what is wrong with a file, each with its line and a colon in front."""
    known: dict[int, tuple[yaml.Node, float]] = {}
    try:
        data = Path(path).read_bytes()
        text = data.decode()
        root = compose(text)
        if not isinstance(root, yaml.MappingNode):
            yield ": no keys; it has to begin with `campaigns:`"
        elif values(root, known) > MOST:
            yield f": aliases that stand for more than {MOST:,} values; write fewer"
        else:
            for node, _ in known.values():
                yield from of_value(node)
                yield from of_keys(node) if isinstance(node, yaml.MappingNode) else ()
    except FileNotFoundError:
        yield f": no such file in {Path.cwd()}; nonresponse look FILES --write {path} makes one"
    except OSError as error:
        yield f": a file that cannot be read ({error.strerror}); expected a readable text file"
    except UnicodeDecodeError as error:
        line = 1 + data[: error.start].count(b"\n")
        yield f":{line}: found the byte 0x{data[error.start]:02x}; expected UTF-8 text"
    except yaml.MarkedYAMLError as error:
        yield f"{position(error.problem_mark)}: not YAML ({error.problem})"
    except yaml.reader.ReaderError as error:
        line = 1 + text[: error.position].count("\n")
        yield f":{line}: not YAML (the character {chr(error.character)!a})"
    except RecursionError:
        yield ": too many brackets within brackets"


def position(mark: yaml.Mark) -> str:
    """Return line and column of a mark, from 1."""
    return f":{mark.line + 1}:{mark.column + 1}"


def inside(node: yaml.Node) -> list[yaml.Node]:
    """Return the nodes in a node, keys and values alike."""
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return node.value if isinstance(node, yaml.SequenceNode) else []


def values(node: yaml.Node, known: dict[int, tuple[yaml.Node, float]]) -> float:
    """Return how many values a node stands for, with all that its aliases repeat; infinite for one
    that contains itself.

    `known` gets each node once, in the order of the file.
    """
    if id(node) not in known:
        known[id(node)] = node, math.inf
        known[id(node)] = node, 1 + sum(values(part, known) for part in inside(node))
    return known[id(node)][1]


def of_keys(mapping: yaml.MappingNode) -> Iterator[str]:
    """Yield keys that are not text, or occur twice; a merge key (<<) may."""
    known: dict[str, int] = {}
    for key, value in mapping.value:
        at = key.start_mark.line + 1
        if key.tag == f"{TAG}merge":
            parts = value.value if isinstance(value, yaml.SequenceNode) else [value]
            if not all(isinstance(part, yaml.MappingNode) for part in parts):
                yield f":{at}: found << with what has no keys; expected a mapping, or several"
            continue
        if not isinstance(key, yaml.ScalarNode):
            yield f":{at}: a key that is a list or has keys of its own; a key is a word"
        elif key.tag not in (f"{TAG}str", f"{TAG}int"):
            yield f":{at}: the key {quote(key.value)} is not text in YAML; put it in quotes"
        elif first := known.get(key.value):
            again = f"the key {quote(key.value)} a second time, first on line {first}"
            yield f":{at}: found {again}; expected it once"
        else:
            known[key.value] = at


def of_value(node: yaml.Node) -> Iterator[str]:
    """Yield a value that is neither a JSON value nor a date, or is invalid for its kind, such as
    the date 2011-99-99."""
    kind, at = node.tag.removeprefix(TAG), position(node.start_mark)
    if kind not in KINDS:
        yield f"{at}: the tag {quote(node.tag)} is not for a configuration; remove it"
    elif isinstance(node, yaml.ScalarNode) and kind != "merge":
        try:
            value = yaml.constructor.SafeConstructor().construct_object(node)
            if kind == "int" and not WHOLE.fullmatch(node.value.replace("_", "").lstrip("+")):
                read = f"{quote(node.value)}, which YAML reads as {value}"
                yield f"{at}: found {read}; expected that, or quotes around it"
        except (ValueError, LookupError, yaml.YAMLError):
            yield f"{at}: {quote(node.value)} is not a valid {kind}; put it in quotes"
