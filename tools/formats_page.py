"""Write what docs/logs.md says of each log from its record."""

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from inspect import getdoc
from itertools import groupby
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
from nonresponse import formats
from nonresponse.formats.declared import Rule, Spec
from nonresponse.tables import write_text
from nonresponse.tasks import VERDICTS
from nonresponse.wording import capital

import commands

OPTIONS = {"docs": {"type": Path, "help": "the folder of the page, %(default)s if left out"}}
BEGIN, END = "<!-- record {} -->\n", "<!-- end -->\n"  # which tools/formats_page.py fills
# Options that docs/logs.md names once
COMMON = ("unanswered", "failed", "refusals", "failures")
ORIGINS = {"head": " of the header", "score": " of the score"}


def main(docs: Path = Path("docs")) -> None:
    """Write the page."""
    write_text(page((docs / "logs.md").read_text()), docs / "logs.md")


def page(text: str) -> str:
    """Return the page as the records have it now."""
    tables = {id: describe(spec) for id, spec in formats.LOGS.items()}
    for id, table in tables.items():
        begin = BEGIN.format(id)
        start, mark, end = text.partition(begin)
        text = f"{start}{begin}{table}{END}{end.partition(END)[2]}" if mark else text
    return text


def describe(spec: Spec) -> str:
    """Return what files a log has, what is read of it, and what it cannot tell."""
    about = f"{capital(spec.about)}."
    options = ", ".join(f"`{option}`" for option in spec.options if option not in COMMON)
    lines = [f"{about} Options: {options}." if options else about, ""]
    cells = [*rows(spec)] if spec.part == "graded" else []
    lines += [f"- {place} → {meaning}" for place, meaning in cells] + [""] * bool(cells)
    missing = ", ".join(verdict for verdict in VERDICTS if verdict not in spec.verdicts)
    limits = [f"{capital(spec.limitation)}."] if spec.limitation else []
    limits += [f"It cannot tell {missing}."] if missing else []
    return "".join(f"{line}\n" for line in ["", *lines, " ".join(limits)])


def rows(spec: Spec) -> Iterator[tuple[str, str]]:
    """Yield what each value of a log becomes, in order of precedence, without internal names."""
    question = "question, after the category" if spec.task_in_name else "question"
    question += ", without its shots" * bool(spec.shots)
    for paths, target in ((spec.run, "run"), (spec.question, question)):
        if known_paths := [
            path for path in paths if not spec.builds_records or path.startswith("head:")
        ]:
            yield places(tuple(known_paths)), target
    if spec.state and getdoc(spec.state):
        yield meaning(spec.state), "the state, before all below"
    rules = () if spec.builds_records else spec.rules
    for rule, equal_rules in groupby(rules, key=lambda rule: replace(rule, path="")):
        where = " or ".join(place(equal_rule.path) for equal_rule in equal_rules)
        unless = f", unless it is {' or '.join(rule.unless)}" if rule.unless else ""
        yield f"{where}{describe_values(rule)}", rule.state + unless
    if spec.meaning:
        yield meaning(spec.meaning), "the verdict"
    if spec.option and not spec.builds_records:
        score = meaning(spec.scores) if callable(spec.scores) else places((spec.scores,))
        main = f": that of `{spec.option}:`, else of {places(spec.main)}" if spec.main else ""
        yield score, f"the score{main}"
    if spec.words and not spec.builds_records:
        states = {
            state: [word for word, word_state in spec.words.items() if word_state == state]
            for state in spec.words.values()
        }
        for state, words in states.items():
            yield ", ".join(map(code, words)), state
    if spec.missing_state and not spec.builds_records:
        yield "no score", spec.missing_state
    texts: tuple[tuple[Any, str], ...] = (
        (spec.answer, "answer"),
        (spec.gold, "the gold answer, or that there is none"),
    )
    for paths, target in texts:
        if callable(paths) and getdoc(paths):
            yield meaning(paths), target
        elif paths and not callable(paths) and not spec.builds_records:
            yield places(paths), target
    if spec.headlines and not spec.builds_records:
        ways = " else ".join(code(".".join(way)) for way in spec.headlines)
        yield f"{ways} of the results", f"the headline `{spec.measure}`"
    elif spec.headline and getdoc(spec.headline):
        yield meaning(spec.headline), "the headline"


def places(paths: tuple[str, ...]) -> str:
    """Return paths in words: the first that leads to something counts."""
    return ", else ".join(place(path) for path in paths)


def place(path: str) -> str:
    begin, _, name = path.rpartition(":")
    if path[0] == "{":
        return f"{{{path[1:-1]}}} of the path".replace("{", "`{").replace("}", "}`")
    return code(name) + ORIGINS.get(begin, "")


def describe_values(rule: Rule) -> str:
    """Return which values a rule is for."""
    if rule.begins:
        return f' that begins with "{rule.begins}"'
    exception = " other than" if rule.negated else ""
    return f"{exception} {', '.join(map(str, rule.values))}".rstrip()


def meaning(function: Callable) -> str:
    """Return what a function takes from a log: the first sentence of its docstring."""
    sentence = " ".join((getdoc(function) or "").split("\n\n")[0].split())
    sentence = re.sub("^(Return|Yield) ", "", sentence).removesuffix(".")
    return re.sub(r"(; (null|none|\"\") .*)$", "", sentence)


def code(word: str) -> str:
    return f"`{word}`"


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
