"""Show a campaign as a block of config.yaml with ??? for what is open, its questions, and put it
into a file."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

from nonresponse import tables
from nonresponse.campaign import file
from nonresponse.detect import OPEN, Choice, Detected, Found, Question, flow
from nonresponse.detect.draft import ROLES, values_of
from nonresponse.faults import escape_controls, render_faults
from nonresponse.wording import listed, plural

INDENT = 2


class NoPathError(Exception):
    """Why campaigns cannot be added to a file."""


def page(campaigns: list[Detected], found: Found) -> str:
    """Return what files are: the questions and the block of each campaign, and what is left out or
    has faults."""
    lines: list[str] = []
    asked: list[list[tuple[str, ...]]] = []  # by campaign, the key of each question and its answers
    for campaign in campaigns:
        questions = [
            (question.key, *(choice.text for choice in question.choices))
            for question in campaign.questions
        ]
        again = questions in asked
        lines += [f"{files_of(campaign)}: the same again."] if again else question_lines(campaign)
        asked += [questions] if questions and not again else []
    keys = Counter(key for key, *_ in {question for questions in asked for question in questions})
    if shared := sorted(key for key, times in keys.items() if times > 1):
        lines += [f"Where tables need another {listed(shared)} each, name the files of one."]
    lines += ["", "For config.yaml:", ""] * bool(lines)
    lines += ["campaigns:"] * bool(campaigns)
    lines += [line for campaign in campaigns for line in mapping(campaign)]
    lines += [f"{campaign.name}: {note}" for campaign in campaigns for note in campaign.notes]
    lines += [f"{path}: {what}" for path, what in found.beside.items()]
    lines += [f"{path}: {what}; left out" for path, what in found.left_out.items()]
    lines += render_faults(found.faults, brief=True)
    return "".join(f"{escape_controls(line)}\n" for line in lines)


def mapping(campaign: Detected, depth: int = INDENT) -> Iterator[str]:
    """Yield a campaign as lines of YAML: ??? stands for what is open, and beside each column its
    commonest values."""
    is_open = f"Fill in ???: {', '.join(question.key for question in campaign.questions)}."
    values = (
        {name: values_of(campaign.table.frame[name]) for name in campaign.table.columns}
        if campaign.table
        else {}
    )
    parts = [part for part in campaign.written.values() if isinstance(part, dict)]
    used = {column for part in parts for column in map(str, part.get("columns", {}).values())}
    others = [f"    #   {name}: {shown}" for name, shown in values.items() if name not in used]
    head = ["    # Other columns:"] * bool(others)
    first = f"# {campaign.why}. {is_open if campaign.questions else 'Complete.'}"
    for line in (first, *campaign_lines(campaign, values), *head, *others):
        yield f"{' ' * depth}{line}"


def campaign_lines(campaign: Detected, values: Mapping[str, str] | None = None) -> Iterator[str]:
    """Yield the lines of a campaign as YAML; with the values of columns, also what can stand in the
    place of ???."""
    yield f"{flow(campaign.name)}:"
    is_open = {
        question.key: question for question in campaign.questions if question.key not in ROLES
    }
    for key, value in campaign.written.items():
        if not isinstance(value, dict):
            yield f"  {key}: {flow(value)}"
            continue
        yield f"  {key}:"
        left = {name: OPEN for name in is_open if name not in value and key in ("graded", "runs")}
        for name, inner in (value | left).items():
            if name == "columns" and values:
                yield "    columns:"
                for role, column in inner.items():
                    shown = values.get(str(column))
                    yield f"      {role}: {flow(column)}{f'  # {shown}' if shown else ''}"
            else:
                remark = (
                    describe_missing(is_open[name]) if name in left and values is not None else ""
                )
                yield f"    {name}: {flow(inner)}{f'  # {remark}' if remark else ''}"


def describe_missing(question: Question) -> str:
    """Return what can stand in the place of ???."""
    delete = any(choice.value is False for choice in question.choices)
    parts = [question.form, "or delete the line, for no" if delete else ""]
    return "; ".join(filter(None, parts))


def files_of(campaign: Detected) -> str:
    """Return the first file of a campaign and the number of the others."""
    first, *others = campaign.paths
    return f"{first} and {len(others):,} more" if others else first


def question_lines(campaign: Detected) -> Iterator[str]:
    """Yield the questions of a campaign as text, each with the answers that `--set` takes."""
    if campaign.questions:
        number_of = plural(len(campaign.questions), "question")
        yield f"{files_of(campaign)}: {number_of}. Answer with --set, or fill in the block."
    for number, question in enumerate(campaign.questions, start=1):
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
    """Ask on the terminal, and return the answer; that which is proposed, if any, where there is
    none."""
    default = question.default
    proposed = {default.key: default.value} if default else {}
    lines = [question.why]
    for number, choice in enumerate(question.choices, start=1):
        mark = " (proposed)" if choice == default else ""
        lines.append(f"  {number}. {choice.text}{mark}  {choice.means}")
    print(*map(escape_controls, lines), sep="\n", file=sys.stderr)
    try:
        typed = input(f"{question.key} (a number, or {question.form or 'a value'}): ").strip()
    except EOFError:
        return {}
    if (
        typed.isdecimal()
        and 0 < int(typed) <= len(question.choices)
        and question.form != "a number"
    ):
        choice = question.choices[int(typed) - 1]
        return {choice.key: choice.value} if OPEN not in choice.text else {}
    key, _, value = typed.partition("=") if "=" in typed else (question.key, "", typed)
    try:
        return {key: yaml.safe_load(value)} if value else proposed
    except yaml.YAMLError:
        return {}


def names_in(path: Path) -> set[str]:
    """Return the names of the campaigns in a file; empty where there is no file. Raises
    NoPathError."""
    return {key.value for key, _ in campaigns_in(path).value} if path.exists() else set()


def campaigns_in(path: Path) -> yaml.MappingNode:
    """Return the YAML node with the campaigns of a file. Raises NoPathError."""
    if problems := file.find_problems([str(path)]):
        raise NoPathError(problems[0])
    root = yaml.compose(path.read_bytes().decode(), Loader=yaml.SafeLoader)
    own = next((value for key, value in root.value if key.value == "campaigns"), None)
    if not isinstance(own, yaml.MappingNode) or own.flow_style or root.flow_style:
        raise NoPathError(f"{path}: no `campaigns:` with a campaign below it on a line of its own")
    return own


def indented(campaigns: list[Detected], depth: int) -> str:
    """Return campaigns as YAML."""
    return "".join(
        f"{' ' * depth}{line}\n" for campaign in campaigns for line in campaign_lines(campaign)
    )


def add(campaigns: list[Detected], path: Path) -> None:
    """Add campaigns before those in a file, or make the file; nothing else in it changes. Raises
    NoPathError."""
    if not path.exists():
        tables.write_text(f"campaigns:\n{indented(campaigns, INDENT)}", path)
        return
    first, text = campaigns_in(path).start_mark, path.read_bytes().decode()
    begin = first.index - first.column
    new = text[:begin] + indented(campaigns, first.column) + text[begin:]
    was = yaml.safe_load(text)
    was["campaigns"] |= {campaign.name: campaign.written for campaign in campaigns}
    with suppress(yaml.YAMLError):
        if yaml.safe_load(new) == was:
            tables.write_text(new, path)
            return
    raise NoPathError(f"{path}: a form that cannot be added to; copy the block")
