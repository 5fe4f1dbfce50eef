"""Print a campaign as the block of config.yaml to fill in, with its questions; add it to a file."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

from nonresponse import tables
from nonresponse.campaign import file
from nonresponse.detect import BLANK, Choice, DetectedCampaign, Question, Scan, flow, parse_answer
from nonresponse.detect.draft import ROLES, describe_column
from nonresponse.faults import escape_controls, render_faults
from nonresponse.wording import plural, summarise_names

MAX_COLUMNS = 20  # columns without a role whose values are shown


class NoPathError(Exception):
    """Why campaigns cannot be added to a file."""


def render_page(campaigns: list[DetectedCampaign], scan: Scan, python: bool = False) -> str:
    """Return all that is found in files as text: questions and blocks of campaigns, files left out,
    and faults. Questions are answered by `--set`, or by arguments of a function."""
    lines: list[str] = []
    printed: list[list[tuple[str, ...]]] = []  # the key of each question, and its answers
    for campaign in campaigns:
        questions = [
            (question.key, *(choice.text for choice in question.choices))
            for question in campaign.questions
        ]
        if questions in printed:
            lines.append(f"{describe_files(campaign)}: the same again.")
        elif questions:
            lines += question_lines(campaign, python)
            printed.append(questions)
    keys = Counter(key for key, *_ in {question for questions in printed for question in questions})
    if repeated := sorted(key for key, times in keys.items() if times > 1):
        lines.append(
            f"Where files need another {summarise_names(repeated)} each, name those of one, or "
            "give logs a value by format, such as metric={helm: exact_match, ragas: faithfulness}."
        )
    lines += ["", "For config.yaml:", ""] * bool(lines)
    lines += ["campaigns:"] * bool(campaigns)
    lines += [line for campaign in campaigns for line in mapping_lines(campaign)]
    lines += [f"{campaign.name}: {note}" for campaign in campaigns for note in campaign.notes]
    lines += [f"{path}: {reason}" for path, reason in scan.companions.items()]
    lines += [f"{path}: {reason}; left out" for path, reason in scan.left_out.items()]
    lines += render_faults(scan.faults, brief=True)
    return "".join(f"{escape_controls(line)}\n" for line in lines)


def mapping_lines(campaign: DetectedCampaign) -> Iterator[str]:
    """Yield a campaign as lines of YAML: ??? stands for what is open, and beside each column its
    commonest values."""
    values: dict[str, str] = {}
    if table := campaign.table:
        values = {name: describe_column(table.frame[name]) for name in table.columns}
    parts = [part for part in campaign.block.values() if isinstance(part, dict)]
    mapped = {str(column) for part in parts for column in part.get("columns", {}).values()}
    comments = [f"    #   {name}: {text}" for name, text in values.items() if name not in mapped]
    keys = ", ".join(question.key for question in campaign.questions)
    yield f"  # {campaign.reason}. {f'Fill in ???: {keys}.' if keys else 'Complete.'}"
    more = [f"    #   and {len(comments) - MAX_COLUMNS:,} more"] * (len(comments) > MAX_COLUMNS)
    tail = ["    # Other columns:", *comments[:MAX_COLUMNS], *more] if comments else []
    yield from (f"  {line}" for line in (*campaign_lines(campaign, values), *tail))


def campaign_lines(campaign: DetectedCampaign, values: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a campaign as YAML, with the values of columns and what can stand in the
    place of ???."""
    yield f"{flow(campaign.name)}:"
    for key, value in campaign.block.items():
        if not isinstance(value, dict):
            yield f"  {key}: {flow(value)}"
            continue
        yield f"  {key}:"
        for name, option in value.items():
            if name != "columns" or not values:
                yield f"    {name}: {flow(option)}"
                continue
            yield "    columns:"
            for role, column in option.items():
                yield f"      {role}: {flow(column)}{comment(values.get(str(column), ''))}"
        questions = campaign.questions if key in ("graded", "runs") else []
        for question in questions:
            if question.key not in (*ROLES, "key", *value):
                delete = any(choice.value is False for choice in question.choices)
                forms = filter(None, [question.form, "or delete the line, for no" * delete])
                yield f"    {question.key}: {BLANK}{comment('; '.join(forms))}"


def comment(text: str, distance: int = 2) -> str:
    """Return a text as a comment at the end of a line; empty if there is none."""
    return f"{' ' * distance}# {text}" if text else ""


def describe_files(campaign: DetectedCampaign) -> str:
    """Return the first file of a campaign and the number of the others."""
    number = len(campaign.paths) - 1
    return campaign.paths[0] + (f" and {number:,} more" if number else "")


def question_lines(campaign: DetectedCampaign, python: bool) -> Iterator[str]:
    """Yield the questions of a campaign as text, each with the answers that `--set` takes, or a
    function of Python."""
    way, accept = ("arguments", "") if python else ("--set", ": --accept")
    number_of = plural(len(campaign.questions), "question")
    yield f"{describe_files(campaign)}: {number_of}. Answer with {way}, or fill in the block."
    for number, question in enumerate(campaign.questions, start=1):
        yield f"{number}. {question.text}"
        for choice in question.choices:
            remarks = [choice.means, f"proposed{accept}" * (choice == question.default)]
            answer = choice.argument if python else f"--set {choice.quoted}"
            yield f"     {answer}{comment('; '.join(filter(None, remarks)), 3)}"
        blanks = [choice for choice in question.choices if BLANK in choice.text]
        has_form = question.form or not question.choices
        if has_form and not any(choice.key == question.key for choice in blanks):
            form = question.form or f"one of {', '.join(question.columns)}"
            blank = Choice(question.key, BLANK)
            yield f"     {blank.argument if python else f'--set {blank.text}'}{comment(form, 3)}"


def ask(question: Question) -> dict[str, Any]:
    """Ask on the terminal, and return the answer; an empty line is the proposed one, if any."""
    default, choices = question.default, question.choices
    lines = [question.text]
    for number, choice in enumerate(choices, start=1):
        mark = " (proposed)" if choice == default else ""
        lines.append(f"  {number}. {choice.text}{mark}  {choice.means}")
    print(*map(escape_controls, lines), sep="\n", file=sys.stderr)
    try:
        typed = input(f"{question.key} (a number, or {question.form or 'a value'}): ").strip()
    except EOFError:
        return {}
    is_number = typed.isdecimal() and question.form != "a number"
    if is_number and 0 < int(typed) <= len(choices):
        choice = choices[int(typed) - 1]
        return {choice.key: choice.value} if BLANK not in choice.text else {}
    key, _, value = typed.partition("=") if "=" in typed else (question.key, "", typed)
    if not value:
        return {default.key: default.value} if default else {}
    try:
        return {key: parse_answer(value)}
    except yaml.YAMLError:
        return {}


def read_names(path: Path) -> set[str]:
    """Return the names of the campaigns in a file; empty where there is no file. Raises
    NoPathError."""
    return {key.value for key, _ in find_node(path).value} if path.exists() else set()


def find_node(path: Path) -> yaml.MappingNode:
    """Return the YAML node with the campaigns of a file. Raises NoPathError."""
    if problems := file.find_problems([str(path)]):
        raise NoPathError(problems[0])
    root = yaml.compose(path.read_bytes().decode(), Loader=yaml.SafeLoader)
    node = next((value for key, value in root.value if key.value == "campaigns"), None)
    if not isinstance(node, yaml.MappingNode) or node.flow_style or root.flow_style:
        raise NoPathError(f"{path}: no `campaigns:` with a campaign below it on a line of its own")
    return node


def render_blocks(campaigns: list[DetectedCampaign], depth: int) -> str:
    lines = (line for campaign in campaigns for line in campaign_lines(campaign, {}))
    return "".join(f"{' ' * depth}{line}\n" for line in lines)


def add(campaigns: list[DetectedCampaign], path: Path) -> None:
    """Add campaigns before those in a file, or make the file; nothing else in it changes. Raises
    NoPathError."""
    if not path.exists():
        tables.write_text(f"campaigns:\n{render_blocks(campaigns, 2)}", path)
        return
    mark, text = find_node(path).start_mark, path.read_bytes().decode()
    begin = mark.index - mark.column
    new = text[:begin] + render_blocks(campaigns, mark.column) + text[begin:]
    expected = yaml.safe_load(text)
    expected["campaigns"] |= {campaign.name: campaign.block for campaign in campaigns}
    with suppress(yaml.YAMLError):
        if yaml.safe_load(new) == expected:
            tables.write_text(new, path)
            return
    raise NoPathError(f"{path}: a form that cannot be added to; copy the block")
