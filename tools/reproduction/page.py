"""Render docs/reproduction.md, and the CSV files of all figures and claims that it links to."""

import csv
import io
from collections import Counter
from fractions import Fraction
from itertools import groupby

from nonresponse import legible

from reproduction import claims, figures
from reproduction.claims import Finding
from reproduction.figures import AGREES, CONTRADICTS, TABLES, WITHIN, Cell

INTRODUCTION = f"""# Reproduction of the papers

*Written by `python tools/reproduction`.* `tests/measures/test_published.py` holds every cell.

## Published tables

Each figure of a table is compared with the one that follows from its row. It “{AGREES}” if the computed value rounds to
it. It is “{WITHIN}” if figures that round to the printed ones give it. Otherwise it “{CONTRADICTS}” its row
([all figures](reproduction/figures.csv)).
"""
CLAIMS = f"""## What the papers conclude

A claim “{claims.HOLDS}” if the formulas bear it out, or else the paper's own figures. It “{claims.PRINTED_ONLY}” if only the
figures do, and “{claims.CORRECTED_ONLY}” if only the formulas do. For lost data, “in simulation” tells in how many of 100
[simulated campaigns](simulation.md) a claim is true ([all claims](reproduction/claims.csv)).
"""
HEADS = {
    "figures": ["table", "row", "measure", "published", "computed", "verdict", "why"],
    "claims": ["paper", "place", "claim", "verdict", "what decides"],
}
DEFT = "DEFT 2011, task A, table 1"
Rows = list[list[str]]


def all_figures() -> Rows:
    """Return a row for each published figure."""
    tables = [*((table.title, figures.compare_table(table)) for table in TABLES)]
    tables.append((DEFT, figures.compare_similarities()))
    return [figure(title, cell) for title, cells in tables for cell in cells]


def figure(title: str, cell: Cell) -> list[str]:
    """Return the row of a published figure."""
    computed = figures.round_decimal(cell.computed, figures.count_decimals(cell.published) + 2)
    return [title, cell.row, cell.measure, cell.published, computed, cell.verdict, cell.why]


def all_claims() -> Rows:
    """Return a row for each claim."""
    return [claim_row(claim, finding) for claim, finding in claims.check_claims()]


def is_doubtful(finding: Finding) -> bool:
    """Return whether a claim does not hold, or not in nine of ten simulated campaigns."""
    word = finding.verdict.split(";")[0]
    if finding.simulated and finding.simulated[0] < 0.9 * finding.simulated[1]:
        return True
    return word not in (claims.HOLDS, claims.UNTESTED) and not word.startswith("in simulation")


def claim_row(claim: dict[str, str], finding: Finding) -> list[str]:
    """Return the row of a claim."""
    return [claim["paper"], claim["place"], claim["claim"], finding.verdict, finding.evidence]


def render_counts(rows: Rows, verdict: int, notes: dict[str, str] | None = None) -> str:
    """Return a line for each table or paper: how many rows have which verdict, and its note."""
    lines = []
    for title, rows_of_title in groupby(rows, key=lambda row: row[0]):
        numbers = Counter(row[verdict].split(":")[0].split(";")[0] for row in rows_of_title)
        counts = ", ".join(f"{count} {word}" for word, count in numbers.items())
        note = (notes or {}).get(title, "")
        lines.append(f"- {title}: {counts}.{f' {note}' * bool(note)}\n")
    return "".join(lines)


def render_contradictions(cells: Rows) -> str:
    """Return a line for each row of a table that some of its figures contradict."""
    contradicting = [cell for cell in cells if cell[5] == CONTRADICTS]
    return "".join(
        f"- {title}, {row}: "
        + ", ".join(f"{measure} {printed} ({exact})" for _, _, measure, printed, exact, *_ in group)
        + "\n"
        for (title, row), group in groupby(contradicting, key=lambda cell: (cell[0], cell[1]))
    )


def render_doubtful_claims() -> str:
    """Return the claims that do not hold, or not in nine of ten simulated campaigns, by paper."""
    rows = [
        claim_row(claim, finding)
        for claim, finding in claims.check_claims()
        if is_doubtful(finding)
    ]
    parts = []
    for paper, group in groupby(rows, key=lambda row: row[0]):
        lines = (
            f"- {place}: {legible.markdown(claim)} *{verdict[0].upper()}{verdict[1:]}.*\n"
            for _, place, claim, verdict, _ in group
        )
        parts.append(f"{paper}:\n\n{''.join(lines)}")
    return "\n".join(parts)


def render_sums() -> str:
    """Return a note on the sum of DEFT's table, which the paper says is 10."""
    printed = {
        int(row["distance"]): Fraction(row["similarity"])
        for row in figures.read_rows(figures.DEFT)[:-1]
    }
    total = sum(printed[abs(distance)] for distance in range(-15, 16))
    exact = sum(figures.compute_similarities(range(-15, 16)))
    return (
        f"From -15 to 15 years the printed values sum to {float(total):.3f}, those of the "
        f"formula to {exact:.4f}."
    )


def render_page() -> str:
    """Return the page: verdicts counted, and what contradicts or does not simply hold."""
    cells = all_figures()
    notes = {table.title: " ".join(table.notes) for table in TABLES} | {DEFT: render_sums()}
    parts = [
        INTRODUCTION,
        render_counts(cells, 5, notes),
        "Figures that contradict their row, with the computed ones:\n",
        render_contradictions(cells),
        CLAIMS,
    ]
    parts += [render_counts(all_claims(), 3), "### Claims that do not simply hold\n"]
    return "\n".join([*parts, render_doubtful_claims()])


def render_csv(name: str) -> str:
    """Return a CSV file, `figures` or `claims`."""
    text = io.StringIO()
    rows = all_figures() if name == "figures" else all_claims()
    csv.writer(text, lineterminator="\n").writerows([HEADS[name], *rows])
    return text.getvalue()
