"""Write docs/keys.md, docs/commands.md and docs/python.md from schema, parser, docstrings."""

import argparse
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
import nonresponse
from nonresponse import wording
from nonresponse.campaign import validation
from nonresponse.front import command
from nonresponse.tables import write_text

import commands

OPTIONS = {"docs": {"type": Path, "help": "the folder of the pages, %(default)s if left out"}}
NOTICE = "*Written by `python tools/reference_pages.py`.*\n"
KEYS = """# Keys of config.yaml

{written}
A campaign has `runs:` and `judgments:`, or `graded:`, or `counts:`. Its name has small letters, digits and hyphens. An
option that has no effect where it stands is refused. A value without a type here is
text. Quote words that YAML does not read as text: yes, no, ~, 010. Editors complete keys by the
[JSON Schema](config.schema.json).
"""
FILES = """## What holds for all files

- A run has one file, and so has an assessor, named after it, unless the format says otherwise.
- Text is UTF-8 (XML: as declared), UTF-16 after its mark, or in tables what `encoding` says. Windows line ends and
  blank lines do no harm. A field of blanks is empty. A table has up to 50,000 columns, a line up to 32 MB. A number is
  a decimal such as `0.5`.
- `.gz` and `.zst` files are read. `files:` takes `*`, `?`, `[…]` and `**`.
- Names of runs and assessors have 1 to 300 characters, without control characters. Names that differ only in capitals or
  blanks, and names that a spreadsheet takes for formulas, get a warning.
- An answer meets its judgment by the question, and by run, document and answer as far as the judgments have them. An
  answer without one is unscored.
"""
TITLES = {
    "Campaign": "A campaign",
    "Questions": "`questions:`, a table of the questions",
    "Refusals": "`refusals:` and `failures:`, rules on the text of answers",
    "Scenario": "`scenarios:`, by name",
    "Gate": "`gates:`, a list",
    "Owner": "`systems:`, by name",
    "Reliability": "`reliability:`, beside `campaigns:` or in one",
}
COLUMNS = {"runs": "RunColumns", "judgments": "JudgmentColumns", "graded": "GradedColumns"}
PARTS = {"Runs": "runs", "Judgments": "judgments", "Graded": "graded", "Counts": "counts"}
TYPES = {
    "array": "list",
    "boolean": "`true`, `false`",
    "integer": "whole number",
    "null": "null",
    "number": "number",
    "object": "mapping",
    "string": "text",
}
COMMANDS = """# Commands

{written}
`nonresponse COMMAND --help` prints the same, with examples. The exit status is 0 if all is well, 1 if a file is faulty
or a run or gate failed, 2 if a gate is inconclusive, 3 if the request cannot be met, and 130 if interrupted.
"""
PYTHON = """# Python

{written}
The functions work in this process, without Snakemake, and give the values of the workflow.
`help(nonresponse.read)` prints the same, with an example. In a notebook, comparisons and evaluations show themselves as
tables ([an example](notebook.ipynb)).

```python
import nonresponse

responses = nonresponse.read(["before.json", "after.json"])  # .frame is a Polars frame
print(nonresponse.score(responses, ["c@1", "accuracy"]))  # with the bounds of what nobody judged
print(nonresponse.compare(responses, "assistant-before", "assistant-after"))
print(nonresponse.plan((0.60, 0.20), (0.65, 0.20)).questions)  # without any data
```
"""


def main(docs: Path = Path("docs")) -> None:
    """Write the three pages."""
    for name, page in (("keys", keys_page), ("commands", commands_page), ("python", python_page)):
        write_text(page(), docs / f"{name}.md")


def keys_page() -> str:
    """Return the page of all keys."""
    schema = validation.make_json_schema()
    definitions, described = schema["$defs"], set[Entry]()
    parts = [KEYS.format(written=NOTICE), "## Top level\n"]
    parts += [list_entries(list_keys(schema["properties"], definitions), described)]
    for name, title in TITLES.items():
        parts += [f"## {title}\n"]
        parts += [list_entries(list_keys(definitions[name]["properties"], definitions), described)]
        if name == "Campaign":
            parts += ["## `runs:`, `judgments:`, `graded:` and `counts:`\n"]
            for names, entries in group_options(definitions).items():
                where = wording.join_names([f"`{name}:`" for name in names])
                parts += [f"### In {'all' if len(names) == len(PARTS) else where}\n"]
                parts += [list_entries(entries, described)]
            parts += ["## `columns:`, our names, each with yours\n", columns(definitions)]
    return "\n".join([*parts, FILES])


class Entry(NamedTuple):
    """A key or an argument; equal to one of another section that means the same."""

    name: str
    about: str


def list_keys(
    properties: dict[str, Any], definitions: dict[str, Any]
) -> Iterator[tuple[Entry, str]]:
    """Yield each key with its values."""
    for key, declared in properties.items():
        about = re.sub(r" \(docs/(\w+)\.md\)", r" ([\1](\1.md))", declared.get("description", ""))
        values = value(declared, definitions)
        yield Entry(f"`{key}`", about), "" if values == TYPES["string"] else f" ({values})"


def group_options(definitions: dict[str, Any]) -> dict[tuple[str, ...], list[tuple[Entry, str]]]:
    """Return each option of files with its values, by the parts that have it."""
    rows: dict[tuple[Entry, str], list[str]] = {}
    for name, part in PARTS.items():
        for entry, values in list_keys(definitions[name]["properties"], definitions):
            values = "" if entry.name == "`format`" else values
            rows.setdefault((entry, values), []).append(part)
    groups: dict[tuple[str, ...], list[tuple[Entry, str]]] = {}
    for row, parts in sorted(rows.items(), key=lambda row: (-len(row[1]), row[1], row[0])):
        groups.setdefault(tuple(parts), []).append(row)
    return groups


def list_entries(entries: Iterable[tuple[Entry, str]], described: set[Entry]) -> str:
    """Return a list of the entries that nothing above has; below it the names of the others."""
    lines, repeated = list[str](), list[str]()
    for entry, details in entries:
        if entry in described:
            repeated.append(entry.name)
        else:
            lines.append(f"- {entry.name}{details}: {entry.about}\n")
        described.add(entry)
    repetition = [f"As above: {', '.join(repeated)}.\n"] * bool(repeated)
    return "\n".join(["".join(lines)] * bool(lines) + repetition)


def columns(definitions: dict[str, Any]) -> str:
    """Return the names of columns by part; those of counts are the counts of the measures."""
    lines = (
        f"- {part}: {', '.join(f'`{name}`' for name in definitions[model]['properties'])}\n"
        for part, model in COLUMNS.items()
    )
    return "".join(lines) + "- counts: `run` and the counts of [Measures](measures.md#counts)\n"


def value(declared: dict[str, Any], definitions: dict[str, Any]) -> str:
    """Return which values a key may have, and its default."""
    words = allowed(declared, definitions)
    default = declared.get("default")
    short = default is not None and len(str(default)) < 20 and default != {}
    return words + (
        f"; default `{str(default).lower() if isinstance(default, bool) else default}`"
        if short
        else ""
    )


def allowed(declared: dict[str, Any], definitions: dict[str, Any]) -> str:
    """Return which values a key may have, in words."""
    if "oneOf" in declared or "anyOf" in declared:
        forms = dict.fromkeys(
            allowed(form, definitions) for form in declared.get("oneOf") or declared["anyOf"]
        )
        return " or ".join(forms)
    if "enum" in declared:
        return ", ".join(f"`{form}`" for form in declared["enum"]).replace("\t", "\\t")
    if "const" in declared:
        return f"`{str(declared['const']).lower()}`"
    return "mapping" if "$ref" in declared else TYPES[declared["type"]]


def commands_page() -> str:
    """Return the page of all commands."""
    parser = command.parser()
    [subparsers] = [
        subparser
        for subparser in parser._actions
        if isinstance(subparser, argparse._SubParsersAction)
    ]
    parts, described = [COMMANDS.format(written=NOTICE)], set[Entry]()
    for name, subparser in subparsers.choices.items():
        about = " ".join((subparser.description or "").split())
        options = [action for action in subparser._actions if action.dest != "help"]
        entries = ((Entry(f"`{spelling(action)}`", action.help or ""), "") for action in options)
        parts += [f"## {name}\n", f"{about[0].upper()}{about[1:]}.\n"]
        parts += [list_entries(entries, described)]
    return "\n".join(parts)


def spelling(action: argparse.Action) -> str:
    """Return how an argument is written."""
    choices = "|".join(map(str, action.choices or [action.dest.upper()]))
    word = action.metavar if isinstance(action.metavar, str) else choices
    words = {"+": f"{word} …", "*": f"[{word} …]", "?": f"[{word}]", "0": ""}.get(
        str(action.nargs), word
    )
    return f"{action.option_strings[-1]} {words}".strip() if action.option_strings else words


def python_page() -> str:
    """Return the page of the functions of the package."""
    parts = [PYTHON.format(written=NOTICE)]
    for name in nonresponse.FUNCTIONS:
        function = getattr(nonresponse, name)
        text = inspect.getdoc(function) or ""
        prose = text.partition(">>> ")[0]
        parts += [
            f"## {name}\n",
            f"```text\nnonresponse.{name}{signature(function)}\n```\n",
            prose.strip() + "\n",
        ]
    return "\n".join(parts)


def signature(function: Any) -> str:
    """Return the parameters of a function with their defaults, without types."""
    bare = [
        parameter.replace(annotation=parameter.empty)
        for parameter in inspect.signature(function).parameters.values()
    ]
    return f"({', '.join(map(str, bare))})"


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
