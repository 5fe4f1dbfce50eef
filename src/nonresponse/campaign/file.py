"""The files of the configuration as they are written, looked at before Snakemake loads them.

YAML takes the last of several equal keys without a warning, and Snakemake rejects invalid YAML
without naming a line. JSON is YAML, except that it may have tabs.
"""

import json
import math
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

from nonresponse.faults import quote

TEXT_TAGS = ("tag:yaml.org,2002:str", "tag:yaml.org,2002:int")  # of keys
MOST_VALUES = 1_000_000  # that a file may stand for
MERGE = "tag:yaml.org,2002:merge"


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
    return construct(compose(Path(path).read_text(encoding="utf-8")))


def construct(node: yaml.Node) -> Any:
    """Return the value of a node."""
    return yaml.constructor.SafeConstructor().construct_document(node)


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
                yield from find_key_problems(node) if isinstance(node, yaml.MappingNode) else ()
            construct(root)
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
    except (ValueError, LookupError) as error:  # such as the date 2011-99-99
        yield f": a value that YAML takes for another kind ({error}); put it in quotes"
    except RecursionError:
        yield ": too many brackets within brackets"


def describe_syntax(error: yaml.MarkedYAMLError) -> str:
    """Return where a text is not YAML, and why."""
    mark, problem = error.problem_mark, str(error.problem)
    if repr("\t") in problem:
        problem = "a tab; indent with blanks"
    elif error.context == "while scanning a simple key":  # noticed only on the next line
        mark, problem = error.context_mark, f"{problem} and a blank"
    return f":{mark.line + 1}:{mark.column + 1}: not YAML ({problem})"


def count_values(node: yaml.Node, counts: dict[int, tuple[yaml.Node, float]]) -> float:
    """Return how many values a node stands for, with all that its aliases repeat; infinitely many
    if it contains itself. `counts` gets each node once, in the order of the file."""
    if id(node) not in counts:
        counts[id(node)] = node, math.inf
        parts = node.value if isinstance(node, yaml.SequenceNode) else []
        if isinstance(node, yaml.MappingNode):
            parts = [value for _, value in node.value]
        counts[id(node)] = node, 1 + sum(count_values(part, counts) for part in parts)
    return counts[id(node)][1]


def find_key_problems(mapping: yaml.MappingNode) -> Iterator[str]:
    """Yield keys that are not text, or occur twice; a merge key (<<) may."""
    key_lines: dict[str, int] = {}
    for key, _ in mapping.value:
        line = key.start_mark.line + 1
        if key.tag == MERGE or not isinstance(key, yaml.ScalarNode):
            continue
        if key.tag not in TEXT_TAGS:
            yield f":{line}: the key {quote(key.value)} is not text in YAML; put it in quotes"
        elif previous := key_lines.get(key.value):
            problem = f"the key {quote(key.value)} a second time, first on line {previous}"
            yield f":{line}: found {problem}; expected it once"
        else:
            key_lines[key.value] = line
