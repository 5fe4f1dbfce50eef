"""Write docs/keys.md, docs/commands.md and docs/python.md from schema, parser, docstrings."""

import argparse
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
import nonresponse
from markdown_tables import render_table
from nonresponse.campaign import validation
from nonresponse.front import command
from nonresponse.tables import write_text

import commands

OPTIONS = {"docs": {"type": Path, "help": "the folder of the pages, %(default)s if left out"}}
NOTICE = "*Written by `python tools/reference_pages.py`. Do not edit it here.*\n"
KEYS = """# Keys of config.yaml

{written}
A campaign has `runs:` and `judgments:`, or `graded:`, or `counts:`. Its name has small letters, digits and hyphens. An
option that has no effect where it stands is refused, and so is a key that stands twice. Editors complete keys by the
[JSON Schema](config.schema.json). Quote words that YAML does not read as text: yes, no, ~, 010.
"""
FILES = """## What holds for all files

- A run has one file, and so has an assessor, named after it, unless the format says otherwise.
- Text is UTF-8 (XML: as declared). A byte-order mark, Windows line ends and blank lines do no harm. A field of blanks is
  empty. A table has up to 50,000 columns, a line up to 32 MB. A number is a decimal such as `0.5` or `1e-5`.
- `.gz` and `.zst` files are read. `files:` takes `*`, `?`, `[…]` and `**`.
- Names of runs and assessors have 1 to 300 characters, without control characters. Names that differ only in capitals or
  blanks, and names that a spreadsheet takes for formulas, get a warning.
- An answer meets its judgment by the question, and by run, document and answer as far as the judgments have them. An
  answer without one is unscored.
- All faults of all files come in one report, with file and line. Nothing is scored until they are mended.
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
HEADER = ["key", "value", "what"]
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
`nonresponse COMMAND --help` prints the same. The exit status is 0 if all is well, 1 if a file is faulty or
a run or gate failed, 2 if a gate is inconclusive, 3 if the request cannot be met, and 130 if interrupted.
"""
PYTHON = """# Python

{written}
The functions work in this process, without Snakemake, and give the values of the workflow.
`help(nonresponse.read)` prints the same. In a notebook, comparisons and evaluations show themselves as tables ([an
example](notebook.ipynb)).

```python
import nonresponse

responses = nonresponse.read(["before.json", "after.json"])  # .frame is a Polars frame
print(nonresponse.score(responses, ["c@1", "accuracy"]))  # with the bounds of what nobody judged
print(nonresponse.compare(responses, "assistant-before", "assistant-after"))
print(nonresponse.plan((0.60, 0.20), (0.65, 0.20)).questions)  # 926, without any data
```
"""


def main(docs: Path = Path("docs")) -> None:
    """Write the three pages."""
    for name, page in (("keys", keys_page), ("commands", commands_page), ("python", python_page)):
        write_text(page(), docs / f"{name}.md")


def keys_page() -> str:
    """Return the page of all keys."""
    schema = validation.make_json_schema()
    definitions, described = schema["$defs"], set[str]()

    def render_keys(declared: dict[str, Any]) -> str:
        return render_new_rows(HEADER, key_rows(declared, definitions), described)

    parts = [KEYS.format(written=NOTICE), "## Top level\n", render_keys(schema["properties"])]
    for name, title in TITLES.items():
        parts += [f"## {title}\n", render_keys(definitions[name]["properties"])]
        if name == "Campaign":
            parts += ["## `runs:`, `judgments:`, `graded:` and `counts:`\n"]
            parts += [
                render_new_rows(["key", "of", *HEADER[1:]], list_options(definitions), described)
            ]
            parts += ["## `columns:`, our names, each with yours\n", columns(definitions)]
    return "\n".join([*parts, FILES])


def key_rows(properties: dict[str, Any], definitions: dict[str, Any]) -> Iterator[list[str]]:
    """Yield a row for each key."""
    for key, declared in properties.items():
        description = re.sub(
            r" \(docs/(\w+)\.md\)", r" ([\1](\1.md))", declared.get("description", "")
        )
        yield [f"`{key}`", value(declared, definitions), description]


def render_new_rows(header: list[str], rows: Iterable[list[str]], described: set[str]) -> str:
    """Return the rows that nothing above has, as a table or, without a header, as a list; below it
    the names of the others."""
    new_rows, repeated = [], []
    for name, *cells in rows:
        if f"{name} {cells[-1]}" in described:
            repeated.append(name)
        else:
            described.add(f"{name} {cells[-1]}")
            new_rows.append([name, *cells])
    listed = "".join(f"- {': '.join(row)}\n" for row in new_rows)
    repetition = f"As above: {', '.join(repeated)}.\n" if repeated else ""
    rendered = render_table(header, new_rows) if header and new_rows else listed
    return "\n".join(filter(None, [rendered, repetition]))


def list_options(definitions: dict[str, Any]) -> list[list[str]]:
    """Return a row for each option of files, with the parts that have it."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for name, part in PARTS.items():
        for key, allowed, description in key_rows(definitions[name]["properties"], definitions):
            allowed = "a name" if key == "`format`" else allowed
            rows.setdefault((key, allowed, description), []).append(part)
    return [
        [key, "all" if len(parts) == len(PARTS) else ", ".join(parts), allowed, description]
        for (key, allowed, description), parts in sorted(rows.items())
    ]


def columns(definitions: dict[str, Any]) -> str:
    """Return the names of columns by part; those of counts are the counts of the measures."""
    rows = [
        [f"`{part}`", ", ".join(f"`{name}`" for name in definitions[model]["properties"])]
        for part, model in COLUMNS.items()
    ]
    return (
        render_table(["of", "columns"], rows)
        + "\nThose of `counts` are `run` and the counts of [Measures](measures.md).\n"
    )


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
    parts, described = [COMMANDS.format(written=NOTICE)], set[str]()
    for name, subparser in subparsers.choices.items():
        about = " ".join((subparser.description or "").split())
        options = [action for action in subparser._actions if action.dest != "help"]
        rows = [[f"`{spelling(action)}`", action.help or ""] for action in options]
        example = re.sub(
            r"^  ", "", (subparser.epilog or "").removeprefix("example:\n"), flags=re.MULTILINE
        )
        parts += [f"## {name}\n", f"{about[0].upper()}{about[1:]}.\n"]
        parts += [render_new_rows([], rows, described)]
        parts += [f"```text\n{example}\n```\n"]
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
        prose, mark, example = text.partition(">>> ")
        parts += [
            f"## {name}\n",
            f"```text\nnonresponse.{name}{signature(function)}\n```\n",
            prose.strip() + "\n",
        ]
        parts += [f"```pycon\n{mark}{example}\n```\n"] if mark else []
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
