"""Write docs/validation.md: a section for each claim, with the worst of what was simulated in
worlds of known truth.

All rows of a section are in a CSV file in docs/validation. A cell ends with a star where a level is
too high, or a coverage too low or too high. The first pattern of the section that the row matches
explains it.
"""

import csv
import re
import subprocess
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

HOME = Path(__file__).resolve().parents[2]
PAGE = HOME / "docs/validation.md"
TABLES = HOME / "docs/validation"
UNKNOWN = "Not explained."
HIGH, LOWEST, HIGHEST = 0.07, 0.93, 0.97  # a level above, and a coverage outside, is marked
Row = list[str]


class Section(NamedTuple):
    """A claim, what is simulated, its table, and why some of its rows are marked."""

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


def format_share(share: float, lowest: float) -> str:
    """Return a share, marked if it is too low."""
    return f"{share:.3f}{star(share < lowest)}"


def coverage(*shares: float) -> str:
    """Return the lowest and the highest coverage, marked if one is too low or too high."""
    if not shares:
        return ""
    low, high = min(shares), max(shares)
    text = f"{low:.3f}" if len(shares) == 1 else f"{low:.3f} to {high:.3f}"
    return text + star(low < LOWEST or high > HIGHEST)


def render_row(cells: Iterable[str]) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cells)} |"


def explanation(section: Section, row: Row) -> str:
    """Return why a row is marked, or "" where it is not."""
    text = render_row(row)
    return (
        next((why for pattern, why in section.why if re.search(pattern, text)), UNKNOWN)
        if "*" in text
        else ""
    )


def distance(row: Row) -> float:
    """Return how far the marked cells of a row are from what is nominal: .95, or .05 of a level."""
    marked = (
        number for cell in row if cell.endswith("*") for number in re.findall(r"[01]\.\d+", cell)
    )
    return max(
        (abs(share - (0.95 if share > 0.5 else 0.05)) for share in map(float, marked)), default=0.0
    )


def worst(section: Section, rows: list[Row]) -> list[Row]:
    """Return the worst row of each explanation."""
    reasons: dict[str, list[Row]] = {}
    for row in rows:
        reasons.setdefault(explanation(section, row), []).append(row)
    return [[*max(group, key=distance), why] for why, group in reasons.items() if why]


def file_of(section: Section) -> Path:
    """Return the CSV file with all rows of a section."""
    return TABLES / f"{re.sub('[^a-z0-9]+', '-', section.title.lower()).strip('-')}.csv"


def render_example(section: Section, row: Row) -> str:
    """Return the marked cells of a row, and why they are marked."""
    head = section.head
    cells = [(name, cell) for name, cell in zip(head[1:], row[1 : len(head)], strict=True) if cell]
    marked = [cell for cell in cells if "*" in cell[1]]
    keys = [] if cells[0] in marked else [cells[0]]
    results = "; ".join(f"{name} {cell}" for name, cell in marked)
    name = "; ".join([row[0], *(f"{name} {cell}" for name, cell in keys)])
    return f"- {name}: {results}." + "".join(f" {why}" for why in row[len(head) :])


def render(section: Section, rows: list[Row], source: str) -> str:
    """Return the section in Markdown."""
    marked = sum("*" in render_row(row) for row in rows)
    linked = f"[{len(rows)} rows](validation/{file_of(section).name}) ({source})"
    few = f"Of {linked}, {marked} are marked:" if marked else f"Of {linked}, none is marked."
    lines = [render_example(section, row) for row in worst(section, rows)]
    parts = [f"## {section.title}", f"{section.about} {few}", "\n".join(lines)]
    return "\n\n".join(filter(None, parts)) + "\n"


def read_section(page: str, section: Section) -> tuple[list[Row], str]:
    """Return the rows of the section as they were kept, and their source as the page has it."""
    part = next((part for part in page.split("\n## ") if part.startswith(f"{section.title}\n")), "")
    source = re.search(r" rows\]\(validation/\S+\) \((.*?)\), ", part)
    return read_rows(section), source[1] if source else ""


def read_rows(section: Section) -> list[Row]:
    """Return the rows of the section in its CSV file; none if there is none."""
    if not file_of(section).exists():
        return []
    with file_of(section).open(encoding="utf-8", newline="") as file:
        return [*csv.reader(file)][1:]


def write_rows(section: Section, rows: list[Row]) -> None:
    """Write the CSV file of the section."""
    TABLES.mkdir(exist_ok=True)
    with file_of(section).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([section.head, *rows])


def simulate(section: Section, campaigns: int) -> tuple[list[Row], str]:
    """Return the rows of the section, made anew, and their source."""
    command = ["git", "log", "-1", "--format=%h", "--", "src"]
    commit = subprocess.run(
        command, cwd=HOME, capture_output=True, text=True, check=True
    ).stdout.strip()
    start, rows = time.process_time(), []
    for row in section.rows(campaigns):
        print(render_row(row), flush=True)
        rows.append(row)
    seconds = time.process_time() - start
    print(f"{seconds:.0f} CPU seconds", flush=True)
    return rows, f"{campaigns:,} campaigns a world, at {commit}"


def compose(sections: list[Section], intro: str, results: dict[str, tuple[list[Row], str]]) -> str:
    """Return the page, of the sections that have rows."""
    return "\n".join(
        [
            intro,
            *(
                render(section, *results[section.title])
                for section in sections
                if results[section.title][0]
            ),
        ]
    )


def read_page(sections: list[Section]) -> dict[str, tuple[list[Row], str]]:
    """Return the rows of each section as they stand on the page, and their source."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    return {section.title: read_section(text, section) for section in sections}


def write_page(sections: list[Section], intro: str, prefix: str, campaigns: int) -> None:
    """Write the page after each section; sections whose title begins otherwise stay."""
    results = read_page(sections)
    for section in sections:
        if section.title.startswith(prefix):
            print(f"\n== {section.title}", flush=True)
            results[section.title] = simulate(section, campaigns or section.campaigns)
            write_rows(section, results[section.title][0])
            PAGE.write_text(compose(sections, intro, results), encoding="utf-8")
    PAGE.write_text(compose(sections, intro, results), encoding="utf-8")
