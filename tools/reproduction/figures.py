"""Published figures beside computed ones, cell by cell.

A cell is decided in fractions, never in floats. It *agrees* when the computed value rounds to the
published one. It is *within rounding* when figures that round to the printed ones of its row give a
value that rounds to it. Otherwise it *contradicts* its row. The measures are monotone in each
count: their extremes over a box of counts are at its corners.
"""

import csv
import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import polars as pl
from nonresponse import measures
from nonresponse.home import HOME
from nonresponse.judging.references import BELL
from nonresponse.measures import Measure

PUBLISHED = HOME / "resources/published"
AGREES, WITHIN, CONTRADICTS = "agrees", "within rounding", "contradicts"


@dataclass(frozen=True)
class PrintedTable:
    """A published table whose figures follow from counts that are printed in the same row."""

    name: str  # of the file
    title: str
    counts: tuple[str, ...]
    measures: tuple[str, ...]
    task: str = ""  # of the measures; "" = the figure is the quotient of the two counts
    unit: int = 1  # 100 = in percent
    half: Fraction = Fraction(0)  # half a unit of the counts' last decimal; 0 = whole numbers
    sums: tuple[tuple[str, ...], ...] = ()  # counts whose sum must be the same in every row
    row: str = "run"  # the column that names a row
    notes: tuple[str, ...] = ()


QUOTIENTS = PrintedTable(
    "penas-2011-table-2",
    "Peñas & Rodrigo 2011, table 2",
    ("required_difference", "highest_value"),
    ("relative_difference",),
    half=Fraction("0.005"),
    row="measure",
    notes=("The other columns come from 44 runs that are lost.",),
)
PENAS = PrintedTable(
    "penas-2011-table-3",
    "Peñas & Rodrigo 2011, table 3",
    ("n_ac", "n_aw", "n_u"),
    ("c@1", "accuracy"),
    "qa",
)
SOLOVYEV = PrintedTable(
    "solovyev-table-3",
    "Solovyev, table 3",
    ("fn", "tn", "tp", "fp"),
    ("accuracy", "f@0.5", "e@2"),
    "validation",
    unit=100,
    half=Fraction("0.05"),
    sums=(("fn", "tp"), ("tn", "fp")),
    notes=(
        "All six published figures of the two trivial runs follow from 34.95 % right pairs.",
        "Of the 35.8 % that are printed none follows but F = 0.",
        "The rows of the six algorithms have yet other sums.",
    ),
)
CZECH = PrintedTable(
    "czech-simpleqa",
    "Czech SimpleQA",
    ("n_ac", "n_aw", "n_u"),
    ("f_simpleqa",),
    "qa",
    unit=100,
    notes=(
        "The counts are those of the published grades A, B and C: 4,326 rows for each model on 4,325 questions.",
    ),
)
TABLES = (QUOTIENTS, PENAS, SOLOVYEV, CZECH)
DEFT = "deft-2011-table-1"


class Cell(NamedTuple):
    """A published figure beside the computed one."""

    table: str
    row: str
    measure: str
    published: str
    computed: Fraction  # in the unit of the published one
    verdict: str
    why: str


def read_rows(name: str, folder: Path = PUBLISHED) -> list[dict[str, str]]:
    """Return the rows of a published table as printed."""
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def count_decimals(text: str) -> int:
    """Return how many decimals a printed number has."""
    return len(text.partition(".")[2])


def round_decimal(value: Fraction, places: int) -> str:
    """Return the value with so many decimals; halves are rounded away from zero."""
    units = int(abs(value) * 10**places + Fraction(1, 2))
    integer, fraction = divmod(units, 10**places)
    return f"{'-' if value < 0 and units else ''}{integer}" + (
        f".{fraction:0{places}}" if places else ""
    )


def compute_exactly(measure: Measure, counts: dict[str, Fraction]) -> Fraction | None:
    """Return the measure in exact fractions, None where it is undefined."""
    totals = {"n": sum(counts.values()), "n_rightful": Fraction(0)} | counts
    parameter = {name: Fraction(str(value)) for name, value in measure.extra.items()}
    try:
        return measure.function(**{name: totals[name] for name in measure.totals}, **parameter)
    except ZeroDivisionError:
        return None


def compute_cell(table: PrintedTable, id: str, counts: dict[str, Fraction]) -> Fraction | None:
    """Return a figure of a table from the counts of its row, in the unit of the table."""
    if not table.task:
        part, total = counts.values()
        return part / total
    value = compute_exactly(measures.get(table.task, id), counts)
    return None if value is None else table.unit * value


def find_extremes(
    table: PrintedTable, id: str, counts: dict[str, Fraction]
) -> tuple[Fraction, Fraction]:
    """Return the lowest and highest figure over all counts that round to these."""
    ends = [{max(count - table.half, Fraction(0)), count + table.half} for count in counts.values()]
    corners = (dict(zip(counts, corner, strict=True)) for corner in itertools.product(*ends))
    values = [value for corner in corners if (value := compute_cell(table, id, corner)) is not None]
    return min(values), max(values)


def judge_figure(published: str, value: Fraction, low: Fraction, high: Fraction) -> tuple[str, str]:
    """Return the verdict on a published figure, and why."""
    places = count_decimals(published)
    printed, half = Fraction(published), Fraction(1, 2 * 10**places)
    if abs(value - printed) < half:
        return AGREES, ""
    if abs(value - printed) == half:
        return (
            AGREES,
            f"{round_decimal(value, places + 1)} exactly, which may be rounded to either side",
        )
    span = " to ".join(dict.fromkeys(round_decimal(end, places + 2) for end in (low, high)))
    within = low <= printed + half and high >= printed - half
    return WITHIN if within else CONTRADICTS, f"figures that round to the printed ones give {span}"


def find_differing_sums(
    table: PrintedTable, row: dict[str, str], first: dict[str, str]
) -> list[str]:
    """Return the sums of a row that differ from the first row's by more than rounding."""
    differing = []
    for names in table.sums:
        total, expected = (
            sum((Fraction(source[name]) for name in names), Fraction(0)) for source in (row, first)
        )
        if abs(total - expected) > 3 * table.half:
            terms = " + ".join(f"{name} {row[name]}" for name in names)
            differing.append(f"{terms} = {float(total):.1f}, not {float(expected):.1f}")
    return differing


def compare_table(table: PrintedTable) -> list[Cell]:
    """Return every cell of a table, in the order of the source."""
    rows, cells = read_rows(table.name), []
    for row in rows:
        counts = {name: Fraction(row[name]) for name in table.counts}
        for id in table.measures:
            value = compute_cell(table, id, counts)
            assert value is not None
            verdict, why = judge_figure(row[id], value, *find_extremes(table, id, counts))
            if verdict == CONTRADICTS:
                why = "; ".join([why, *find_differing_sums(table, row, rows[0])])
            cells.append(Cell(table.name, row[table.row], id, row[id], value, verdict, why))
    return cells


def compute_similarities(distances: Iterable[int]) -> list[float]:
    """Return the similarity of two years by which answers are judged, for each distance."""
    years = pl.DataFrame({"answer": [*distances], "reference": 0})
    return years.select(BELL).to_series().to_list()


def compare_similarities() -> list[Cell]:
    """Return every cell of DEFT's table; "> 15" is compared with 16 years."""
    rows, cells = read_rows(DEFT), []
    distances = [
        int(row["distance"].removeprefix(">")) + row["distance"].startswith(">") for row in rows
    ]
    for row, computed in zip(rows, map(Fraction, compute_similarities(distances)), strict=True):
        verdict, why = judge_figure(row["similarity"], computed, computed, computed)
        cells.append(
            Cell(DEFT, row["distance"], "similarity", row["similarity"], computed, verdict, why)
        )
    return cells
