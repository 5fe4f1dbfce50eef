"""Show a campaign as a block of config.yaml with ??? for what is open, its questions, and put it
into a file."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from nonresponse import tables
from nonresponse.campaign import file
from nonresponse.detect import OPEN, Choice, Detected, Found, Question, flow
from nonresponse.detect.draft import ROLES, values_of
from nonresponse.faults import printable
from nonresponse.wording import plural

INDENT = 2


class NoPathError(Exception):
    """Why campaigns cannot be added to a file."""


def page(made: list[Detected], found: Found) -> str:
    """Return what files are: the questions and the block of each campaign, and what is left out or
    has faults."""
    lines = [line for one in made for line in asked(one)]
    lines += ["", "For config.yaml:", ""] * bool(lines)
    lines += ["campaigns:", *(line for one in made for line in mapping(one))] if made else []
    lines += [f"{one.name}: {note}" for one in made for note in one.notes]
    lines += [f"{path}: {what}" for path, what in found.beside.items()]
    return "".join(f"{printable(line)}\n" for line in [*lines, *faults_of(found)])


def faults_of(found: Found) -> list[str]:
    """Return a line for each fault."""
    return [
        printable(
            f"{fault.file}{f':{fault.line}' if fault.line else ''}: found {fault.found}; "
            f"expected {fault.expected}"
        )
        for fault in found.faults
    ]


def mapping(one: Detected, depth: int = INDENT) -> Iterator[str]:
    """Yield a campaign as lines of YAML: ??? stands for what is open, and beside each column its
    commonest values."""
    remark = (
        f"Fill in ???: {', '.join(question.key for question in one.questions)}."
        if one.questions
        else "Complete."
    )
    parts = [part for part in one.written.values() if isinstance(part, dict)]
    used = {column for part in parts for column in map(str, part.get("columns", {}).values())}
    others = [
        f"    #   {name}: {values}" for name, values in columns_of(one).items() if name not in used
    ]
    head = ["    # Other columns:"] * bool(others)
    for line in (f"# {one.why}. {remark}", *written(one, comments=True), *head, *others):
        yield f"{' ' * depth}{line}"


def columns_of(one: Detected) -> dict[str, str]:
    """Return the columns of the table of a campaign with the commonest values of each."""
    return (
        {name: values_of(one.table.frame[name]) for name in one.table.columns} if one.table else {}
    )


def written(one: Detected, comments: bool = False) -> Iterator[str]:
    """Yield the lines of a campaign as YAML, with the values of columns as comments if wanted."""
    yield f"{flow(one.name)}:"
    open_keys = {question.key: question for question in one.questions if question.key not in ROLES}
    for key, value in one.written.items():
        if not isinstance(value, dict):
            yield f"  {key}: {flow(value)}"
            continue
        yield f"  {key}:"
        missing = (
            {name: OPEN for name in open_keys if name not in value}
            if key in ("graded", "runs")
            else {}
        )
        for name, inner in (value | missing).items():
            if name == "columns" and comments:
                yield "    columns:"
                values = columns_of(one)
                for role, column in inner.items():
                    said = values.get(column) if isinstance(column, str) else None
                    yield f"      {role}: {flow(column)}" + (f"  # {said}" if said else "")
            else:
                yield f"    {name}: {flow(inner)}" + (
                    remark(open_keys[name]) if name in missing and comments else ""
                )


def remark(question: Question) -> str:
    """Return what stands in the place of ???, as a comment."""
    deleted = (
        ["or delete the line, for no"]
        if any(choice.value is False for choice in question.choices)
        else []
    )
    return (
        f"  # {'; '.join([*filter(None, [question.form]), *deleted])}"
        if question.form or deleted
        else ""
    )


def asked(one: Detected) -> Iterator[str]:
    """Yield the questions of a campaign as text, each with the answers that `--set` takes."""
    if one.questions:
        files = one.paths[0] + (f" and {len(one.paths) - 1:,} more" if len(one.paths) > 1 else "")
        yield (
            f"{files}: {plural(len(one.questions), 'question')}. Answer with --set, or fill "
            "in the block."
        )
    for number, question in enumerate(one.questions, start=1):
        yield f"{number}. {question.why}"
        for choice in question.choices:
            means = [choice.means] if choice.means else []
            means += ["proposed: --accept"] if choice == question.default else []
            yield f"     --set {choice.quoted}" + (f"   # {'; '.join(means)}" if means else "")
        if question.form or not question.choices:
            example = Choice(question.key, OPEN)
            form = question.form or f"one of {', '.join(question.columns)}"
            if not any(
                choice.key == question.key and OPEN in choice.text for choice in question.choices
            ):
                yield f"     --set {example.text}   # {form}"


def ask(question: Question) -> dict[str, Any]:
    """Ask on the terminal, and return the answer; empty where there is none."""
    print(printable(question.why), file=sys.stderr)
    for number, choice in enumerate(question.choices, start=1):
        print(printable(f"  {number}. {choice.text}  {choice.means}"), file=sys.stderr)
    try:
        said = input(f"{question.key} (a number, or {question.form or 'a value'}): ").strip()
    except EOFError:
        return {}
    if said.isdecimal() and 0 < int(said) <= len(question.choices) and question.form != "a number":
        choice = question.choices[int(said) - 1]
        return {choice.key: choice.value} if OPEN not in choice.text else {}
    key, _, value = said.partition("=") if "=" in said else (question.key, "", said)
    try:
        return {key: yaml.safe_load(value)} if value else {}
    except yaml.YAMLError:
        return {}


def names_in(path: Path) -> set[str]:
    """Return the names of the campaigns in a file; empty where there is no file. Raises
    NoPathError."""
    return {key.value for key, _ in campaigns_in(path).value} if path.exists() else set()


def campaigns_in(path: Path) -> yaml.MappingNode:
    """Return the YAML node with the campaigns of a file. Raises NoPathError."""
    if problems := file.problems([str(path)]):
        raise NoPathError(problems[0])
    root = yaml.compose(path.read_bytes().decode(), Loader=yaml.SafeLoader)
    own = next((value for key, value in root.value if key.value == "campaigns"), None)
    if not isinstance(own, yaml.MappingNode) or own.flow_style or root.flow_style:
        raise NoPathError(f"{path}: no `campaigns:` with a campaign below it on a line of its own")
    return own


def indented(made: list[Detected], depth: int) -> str:
    """Return campaigns as YAML."""
    return "".join(f"{' ' * depth}{line}\n" for one in made for line in written(one))


def append(made: list[Detected], path: Path) -> None:
    """Add campaigns after those in a file, or make the file; nothing else in it changes. Raises
    NoPathError."""
    if not path.exists():
        tables.write_text(f"campaigns:\n{indented(made, INDENT)}", path)
        return
    own, text = campaigns_in(path), path.read_bytes().decode()
    last = own.value[-1][1]
    while isinstance(last, yaml.CollectionNode) and last.value and not last.flow_style:
        last = last.value[-1][1] if isinstance(last, yaml.MappingNode) else last.value[-1]
    end = last.end_mark.index
    cut = end if text[end - 1] == "\n" else text.find("\n", end) + 1 or len(text)
    before = text[:cut] if text[:cut].endswith("\n") else f"{text[:cut]}\n"
    new = before + indented(made, own.start_mark.column) + text[cut:]
    was = yaml.safe_load(text)
    was["campaigns"] |= {one.name: one.written for one in made}
    try:
        fits = yaml.safe_load(new) == was
    except yaml.YAMLError:
        fits = False
    if not fits:
        raise NoPathError(f"{path}: a form that cannot be added to; copy the block")
    tables.write_text(new, path)
