"""Render docs/reproduction.md."""

from collections import Counter
from fractions import Fraction
from itertools import groupby

from nonresponse import legible

from reproduction import claims, figures
from reproduction.claims import Found
from reproduction.figures import AGREES, CONTRADICTS, TABLES, WITHIN, Cell

INTRODUCTION = f"""# Reproduction of the papers

Written by `python tools/reproduction` from the figures in [resources/published](../resources/published/README.md).
`tests/measures/test_published.py` and `tests/measures/test_dating.py` hold every cell.

## Published tables

Each figure of a paper's tables beside the one that follows from the figures of its row. It “{AGREES}” when the computed
value rounds to it. It is “{WITHIN}” when figures that round to the printed ones give it. Otherwise it “{CONTRADICTS}”
its row, and no implementation can give both.
"""
CLAIMS = f"""## What the papers conclude

A claim “{claims.HOLDS}” if the formulas bear it out or, where nothing can be computed, if the paper's own figures do.
It “{claims.AS_PRINTED}” where these do and what follows from its counts or formulas does not, and
“{claims.AS_CORRECTED}” the other way round. Where it is about lost data, “in simulation” tells in how many campaigns
it is true that were drawn from a model, with the seeds 2011 to 2110. That is no verdict on the real data. For Peñas &
Rodrigo each campaign has 44 runs, for Voorhees 60, on 500 questions. The model is that of
[simulation.md](simulation.md).
"""


def render_table(header: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown."""
    lines = [header, ["---"] * len(header), *([*map(legible.markdown, row)] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def render_cells(title: str, cells: list[Cell], notes: list[str]) -> str:
    """Return the section of a published table."""
    numbers = Counter(cell.verdict for cell in cells)
    counted = ", ".join(f"{numbers[word]} “{word}”" for word in (AGREES, WITHIN, CONTRADICTS) if numbers[word])
    rows = []
    for it in cells:
        computed = figures.round_decimal(it.computed, figures.count_decimals(it.published) + 2)
        rows.append([it.row, it.measure, it.published, computed, it.verdict, it.why])
    table = render_table(["", "measure", "published", "computed", "verdict", "why"], rows)
    return "\n".join([f"### {title}\n", f"Of {len(cells)} figures: {counted}.\n", *map("{}\n".format, notes), table])


def render_sums() -> str:
    """Return a note on the sum of DEFT's table, which the paper says is 10."""
    printed = {int(row["distance"]): Fraction(row["similarity"]) for row in figures.read_rows(figures.DEFT)[:-1]}
    total = sum(printed[abs(distance)] for distance in range(-15, 16))
    exact = sum(figures.compute_similarities(range(-15, 16)))
    return f"From -15 to 15 years the printed values sum to {float(total):.3f}, those of the formula to {exact:.4f}."


def render_claims(paper: str, found: list[tuple[dict[str, str], Found]]) -> str:
    """Return the section of a paper's claims."""
    numbers = Counter(one.verdict.split(":")[0].split(";")[0] for _, one in found)
    counted = ", ".join(f"{number} “{word}”" for word, number in numbers.items())
    rows = [[claim["place"], claim["claim"], one.verdict, one.evidence] for claim, one in found]
    table = render_table(["", "claim", "verdict", "what decides"], rows)
    return f"### {paper}\n\nOf {len(found)} claims: {counted}.\n\n{table}"


def render_page() -> str:
    """Return the page."""
    parts = [INTRODUCTION]
    parts += [render_cells(table.title, figures.compare_table(table), [*table.notes]) for table in TABLES]
    parts += [render_cells("DEFT 2011, task A, table 1", figures.compare_similarities(), [render_sums()]), CLAIMS]
    papers = groupby(claims.check_claims(), key=lambda found: found[0]["paper"])
    parts += [render_claims(paper, [*found]) for paper, found in papers]
    return "\n".join(parts)
