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

import yaml

from nonresponse.faults import shown

MOST = 1_000_000  # values that a file may stand for, each alias counted for all that it repeats
TAG = "tag:yaml.org,2002:"
KINDS = ("map", "seq", "str", "int", "float", "bool", "null", "timestamp", "merge", "value")
WHOLE = re.compile(r"0|-?[1-9][0-9]*")


def problems(paths: list[str]) -> list[str]:
    """Return a sentence per problem of these files, with file and line."""
    return [f"{path}{problem}" for path in paths for problem in of_file(path)]


def of_file(path: str) -> Iterator[str]:
    """Yield what is wrong with a file, each with its line and a colon in front."""
    known: dict[int, tuple[yaml.Node, float]] = {}
    try:
        text = Path(path).read_text(encoding="utf-8")
        with suppress(ValueError):  # if it is JSON: YAML does not take tabs for white space
            json.loads(text)
            text = text.replace("\t", " ")
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        if root is None or not isinstance(root, yaml.MappingNode):
            yield ": no keys; it has to begin with `campaigns:`"
        elif values(root, known) > MOST:
            yield f": aliases that stand for more than {MOST:,} values"
        else:
            for node, _ in known.values():
                yield from of_value(node)
                yield from of_keys(node) if isinstance(node, yaml.MappingNode) else ()
    except FileNotFoundError:
        yield f": no such file in {Path.cwd()}; nonresponse look FILES --write {path} makes one"
    except (OSError, UnicodeDecodeError) as error:
        yield f": a file that cannot be read ({error})"
    except yaml.MarkedYAMLError as error:
        yield f"{place(error.problem_mark)}: not YAML ({error.problem})"
    except yaml.reader.ReaderError as error:
        yield (
            f":{1 + text[: error.position].count(chr(10))}: not YAML (the character "
            f"{chr(error.character)!a})"
        )
    except RecursionError:
        yield ": too many brackets within brackets"


def place(mark: yaml.Mark) -> str:
    """Return line and column of a mark, from 1."""
    return f":{mark.line + 1}:{mark.column + 1}"


def inside(node: yaml.Node) -> list[yaml.Node]:
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
    lines: dict[str, int] = {}
    for key, _ in mapping.value:
        at = key.start_mark.line + 1
        if key.tag == f"{TAG}merge":
            continue
        if not isinstance(key, yaml.ScalarNode):
            yield f":{at}: a key that is a list or has keys of its own; a key is a word"
        elif key.tag != f"{TAG}str" and not (key.tag == f"{TAG}int" and WHOLE.fullmatch(key.value)):
            yield f":{at}: the key {shown(key.value)} is not text in YAML; put it in quotes"
        elif key.value in lines:
            yield (
                f":{at}: the key {shown(key.value)} a second time, first on line {lines[key.value]}"
            )
        else:
            lines[key.value] = at


def of_value(node: yaml.Node) -> Iterator[str]:
    """Yield a value that is neither a JSON value nor a date, or is invalid for its kind, such as
    the date 2011-99-99."""
    kind = node.tag.removeprefix(TAG)
    if kind not in KINDS:
        yield f"{place(node.start_mark)}: the tag {shown(node.tag)} is not for a configuration"
    elif isinstance(node, yaml.ScalarNode) and kind != "merge":
        try:
            yaml.constructor.SafeConstructor().construct_object(node)
        except (ValueError, LookupError, yaml.YAMLError):
            yield (
                f"{place(node.start_mark)}: {shown(node.value)} is not a valid {kind}; put "
                "it in quotes"
            )
