"""Write docs/validation.md: a section for each claim, with a table of what was simulated in worlds of known truth.

A cell ends with a star where a level is too high, or a coverage too low or too high. The first pattern of the section
that the row matches explains it.
"""

import re
import subprocess
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

HOME = Path(__file__).resolve().parents[2]
PAGE = HOME / "docs/validation.md"
UNKNOWN = "Not explained."
HIGH, LOWEST, HIGHEST = 0.07, 0.93, 0.97  # a level above, and a coverage outside, is marked
Row = list[str]


class Section(NamedTuple):
    """A claim, what is simulated, the head of its table, its rows from a number of campaigns, and why some are"
    " marked."""

    title: str
    about: str
    head: tuple[str, ...]
    rows: Callable[[int], Iterable[Row]]
    campaigns: int
    why: tuple[tuple[str, str], ...] = ()


def star(bad: bool) -> str:
    """Return the mark of a bad share."""
    return "*" if bad else ""


def level(*shares: float) -> str:
    """Return the highest level, marked if it is too high."""
    return f"{max(shares):.3f}{star(max(shares) > HIGH)}" if shares else ""


def at_least(share: float, lowest: float) -> str:
    """Return a share, marked if it is too low."""
    return f"{share:.3f}{star(share < lowest)}"


def coverage(*shares: float) -> str:
    """Return the lowest and the highest coverage, marked if one is too low or too high."""
    if not shares:
        return ""
    low, high = min(shares), max(shares)
    text = f"{low:.3f}" if len(shares) == 1 else f"{low:.3f} to {high:.3f}"
    return text + star(low < LOWEST or high > HIGHEST)


def in_row(cells: Iterable[str]) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cells)} |"


def explain(section: Section, rows: list[Row]) -> tuple[list[Row], list[str]]:
    """Return the rows with the number of the explanation of each marked one, and the explanations."""
    found: list[str] = []
    numbered = []
    for row in rows:
        text, number = in_row(row), ""
        if "*" in text:
            sentence = next((why for pattern, why in section.why if re.search(pattern, text)), UNKNOWN)
            found += [] if sentence in found else [sentence]
            number = str(found.index(sentence) + 1)
        numbered.append([*row, number])
    return numbered, found


def render(section: Section, rows: list[Row], source: str) -> str:
    """Return the section in Markdown."""
    numbered, found = explain(section, rows)
    head = [*section.head, "why"] if found else [*section.head]
    lines = [in_row(head), f"|{'---|' * len(head)}", *(in_row(row if found else row[:-1]) for row in numbered)]
    parts = [f"## {section.title}", section.about, "\n".join(lines)]
    parts += ["\n".join(f"{number}. {sentence}" for number, sentence in enumerate(found, 1))] if found else []
    return "\n\n".join([*parts, source]) + "\n"


def read_section(page: str, section: Section) -> tuple[list[Row], str]:
    """Return the rows of the section on the page as they are, without the numbers of explanations, and their source."""
    part = next((part for part in page.split("\n## ") if part.startswith(f"{section.title}\n")), "")
    lines = [line for line in part.splitlines() if line.startswith("| ")][1:]
    rows = [line.removeprefix("| ").removesuffix(" |").split(" | ") for line in lines]
    source = re.search(r"^\*Simulated at .*\*$", part, re.MULTILINE)
    return [row[: len(section.head)] for row in rows], source[0] if source else ""


def simulate(section: Section, campaigns: int) -> tuple[list[Row], str]:
    """Return the rows of the section, made anew, and their source."""
    command = ["git", "log", "-1", "--format=%h", "--", "src"]
    commit = subprocess.run(command, cwd=HOME, capture_output=True, text=True, check=True).stdout.strip()
    start, rows = time.process_time(), []
    for row in section.rows(campaigns):
        print(in_row(row), flush=True)
        rows.append(row)
    seconds = time.process_time() - start
    print(f"{seconds:.0f} CPU seconds", flush=True)
    return rows, f"*Simulated at {commit}, {campaigns:,} campaigns a world.*"


def compose(sections: list[Section], intro: str, known: dict[str, tuple[list[Row], str]]) -> str:
    """Return the page, of the sections that have rows."""
    return "\n".join([intro, *(render(each, *known[each.title]) for each in sections if known[each.title][0])])


def read_page(sections: list[Section]) -> dict[str, tuple[list[Row], str]]:
    """Return the rows of each section as they stand on the page, and their source."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    return {section.title: read_section(text, section) for section in sections}


def write_page(sections: list[Section], intro: str, only: str, campaigns: int) -> None:
    """Write the page after each section, those whose title begins with `only` made anew, the others as they stand."""
    known = read_page(sections)
    for section in sections:
        if section.title.startswith(only):
            print(f"\n== {section.title}", flush=True)
            known[section.title] = simulate(section, campaigns or section.campaigns)
            PAGE.write_text(compose(sections, intro, known), encoding="utf-8")
    PAGE.write_text(compose(sections, intro, known), encoding="utf-8")
