"""A figure of a published table beside ours, decided in fractions of the printed decimals, never in floats.

A cell *agrees* when our value rounds to the published one. Else it is *within rounding* when some figures that round to
the printed ones of its row give a value that rounds to it. Else it *contradicts* its row.
"""

import csv
import io
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from nonresponse.measures import Measure

AGREES, WITHIN, CONTRADICTS = "agrees", "within rounding", "contradicts"


class Cell(NamedTuple):
    """A figure of a published table, beside ours."""

    table: str  # its name
    run: str  # or the distance in years
    measure: str
    published: str  # as printed
    computed: str  # in the unit of the published one, with six decimals
    rounded: str  # to the decimals of the published one
    verdict: str
    why: str  # "" = nothing to explain


def decimals(text: str) -> int:
    """How many decimals a printed number has."""
    return len(text.partition(".")[2])


def rounded(value: Fraction, places: int) -> str:
    """As a decimal number with so many places; a half is rounded away from zero."""
    units = int(abs(value) * 10**places + Fraction(1, 2))
    whole, rest = divmod(units, 10**places)
    return f"{'-' if value < 0 and units else ''}{whole}" + (f".{rest:0{places}}" if places else "")


def value_of(measure: Measure, counts: dict[str, Fraction]) -> Fraction | None:
    """The measure in exact fractions; None where it is undefined."""
    totals = {"n": sum(counts.values())} | counts
    parameter = {name: Fraction(str(value)) for name, value in measure.extra.items()}
    try:
        return measure.function(**{name: totals[name] for name in measure.totals}, **parameter)
    except ZeroDivisionError:
        return None


def judged(published: Fraction, value: Fraction, low: Fraction, high: Fraction, places: int) -> tuple[str, str]:
    """The verdict on a published figure of so many decimals, and why."""
    half = Fraction(1, 2 * 10**places)
    if abs(value - published) < half:
        return AGREES, ""
    if abs(value - published) == half:
        return AGREES, f"{rounded(value, places + 1)} exactly, a half, which may be rounded to either side"
    span = f"{rounded(low, places + 2)} to {rounded(high, places + 2)}" if low < high else rounded(value, places + 2)
    if low <= published + half and high >= published - half:
        return WITHIN, f"figures that round to the printed ones give {span}"
    return CONTRADICTS, f"figures that round to the printed ones give {span}"


def rows_of(name: str, published: Path) -> list[dict[str, str]]:
    """The rows of a table as printed, by column; from the folder of the published tables."""
    with (published / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def as_csv(header: tuple[str, ...], rows: Iterable[tuple]) -> str:
    """A line per row."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()
