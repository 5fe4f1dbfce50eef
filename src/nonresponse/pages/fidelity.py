"""Published figures beside ours, cell by cell: tables of counts and measures, of quotients, and of a similarity.

A cell is decided in fractions of the printed decimals, never in floats. It *agrees* when our value rounds to the
published one. Otherwise it is *within rounding* when some figures that round to the printed ones of its row give a
value that rounds to it. Otherwise it *contradicts* its row.

The measures compared here are quotients of functions that are linear in each count, so that they are monotone in each
count while the others are fixed: their extremes over a box of counts are at its corners.
"""

import csv
import io
import itertools
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import polars as pl

from nonresponse import measures
from nonresponse.database import connect, sql
from nonresponse.measures import Measure
from nonresponse.pages.blocks import Column, Note, Table, Topic
from nonresponse.pages.published import QUOTIENTS, SIMILARITIES, TABLES, Published, PublishedTable, Similarity

AGREES, WITHIN, CONTRADICTS = "agrees", "within rounding", "contradicts"
WORDS = {AGREES: "agree", WITHIN: "are within rounding", CONTRADICTS: "contradict their row"}
INTRODUCTION = (
    "Each figure of the sources' tables beside what this workflow computes from the figures printed in the same row."
    f" It “{AGREES}” when our value rounds to it. It is “{WITHIN}” when it can be had from figures that round to the"
    f" printed ones. Otherwise it “{CONTRADICTS}” its row, and no implementation can give both."
)
EPSILON = Fraction(1, 10**9)  # how far a float may be from the fraction that it stands for


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
    """The value as a decimal number with so many places; halves are rounded away from zero."""
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
    within = low <= published + half and high >= published - half
    return WITHIN if within else CONTRADICTS, f"figures that round to the printed ones give {span}"


def rows_of(name: str, published: Path) -> list[dict[str, str]]:
    """The rows of a table as printed, by column; from the folder of the published tables."""
    with (published / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def as_csv(header: tuple[str, ...], rows: Iterable[tuple]) -> str:
    """The rows as text in CSV, below the header."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def cells_of(table: Published, published: Path, results: Path) -> list[Cell]:
    """Every cell of one table, in the order of the source; ValueError if the results are of other counts than it."""
    rows = rows_of(table.name, published)
    if isinstance(table, Similarity):
        return cells_of_similarity(table, rows)
    scores = {}
    for id in table.measures if table.task else []:
        frame = pl.read_parquet(results / table.name / "scores" / f"{id}.parquet")
        scores[id] = dict(frame.select("run", "value").rows())
    return compared(table, rows, scores)


def compared(
    table: PublishedTable, rows: list[dict[str, str]], scores: dict[str, dict[str, float | None]]
) -> list[Cell]:
    """Every cell of a table, from its rows as printed and our scores: measure -> run -> value, None where undefined.

    ValueError if the scores are of other counts than are printed.
    """
    cells = []
    for row in rows:
        counts = {name: Fraction(row[name]) for name in table.counts}
        for id in table.measures:
            value = value_in(table, id, counts)
            computed = scores[id].get(row[table.row]) if table.task else float(value or 0)
            if computed is None or value is None or abs(Fraction(computed) - value) > EPSILON:
                # This is no fault of the source: the results have other counts, or are wrong.
                formula = value if value is None else float(value)
                of = f"{table.name}, {id} of {row[table.row]}"
                raise ValueError(f"{of}: {computed} in the results, {formula} by the formula")
            places = decimals(row[id])
            low, high = (table.unit * end for end in attainable(table, id, counts))
            verdict, why = judged(Fraction(row[id]), table.unit * value, low, high, places)
            if verdict == CONTRADICTS:
                why = "; ".join([why, *sums_that_differ(table, row, rows[0])])
            ours = f"{table.unit * computed:.6f}", rounded(table.unit * value, places)
            cells.append(Cell(table.name, row[table.row], id, row[id], *ours, verdict, why))
    return cells


def value_in(table: PublishedTable, id: str, counts: dict[str, Fraction]) -> Fraction | None:
    """A figure of a table in exact fractions; None where it is undefined."""
    if table.task:
        return value_of(measures.get(table.task, id), counts)
    one, other = counts.values()
    return one / other


def attainable(table: PublishedTable, id: str, counts: dict[str, Fraction]) -> tuple[Fraction, Fraction]:
    """The lowest and highest value over all counts that round to the printed ones, from the corners of their box."""
    ends = [{max(count - table.half, Fraction(0)), count + table.half} for count in counts.values()]
    corners = (dict(zip(counts, corner, strict=True)) for corner in itertools.product(*ends))
    values = [value for corner in corners if (value := value_in(table, id, corner)) is not None]
    return min(values), max(values)


def sums_that_differ(table: PublishedTable, row: dict[str, str], reference: dict[str, str]) -> list[str]:
    """The sums of a row that differ from those of the first row by more than rounding explains, as sentences."""
    differing = []
    for names in table.sums.values():
        total, expected = sum_in(row, names), sum_in(reference, names)
        if abs(total - expected) > 3 * table.half:
            terms = " + ".join(f"{name} {row[name]}" for name in names)
            differing.append(f"{terms} = {rounded(total, 1)}, not {rounded(expected, 1)}")
    return differing


def sum_in(row: dict[str, str], names: list[str]) -> Fraction:
    """The sum of these columns of a row."""
    return sum((Fraction(row[name]) for name in names), Fraction(0))


def tables_named(names: list[str]) -> list[Published]:
    """The tables with these names, in the order in which they are shown."""
    known: list[Published] = [*QUOTIENTS, *TABLES, *SIMILARITIES]
    return [table for table in known if table.name in names]


def similarities(table: Similarity, distances: Iterable[int]) -> list[float]:
    """The similarity of two years that are so far apart, for each distance."""
    connection = connect()
    connection.execute(sql(table.query))
    each = "SELECT [similarity(distance, 0) FOR distance IN $1::INTEGER[]]"
    [(values,)] = connection.execute(each, [list(distances)]).fetchall()
    return values


def nearest(distance: str) -> int:
    """The distance of a row; of "> 15", the first distance beyond, 16, where the similarity is largest."""
    return int(distance.removeprefix(">")) + distance.startswith(">")


def cells_of_similarity(table: Similarity, rows: list[dict[str, str]]) -> list[Cell]:
    """Every cell of a table, from its rows as printed, in the order of the source."""
    computed = similarities(table, [nearest(row["distance"]) for row in rows])
    cells = []
    for row, value in zip(rows, map(Fraction, computed), strict=True):
        printed = row["similarity"]
        places = decimals(printed)
        verdict, _ = judged(Fraction(printed), value, value, value, places)
        why = "" if verdict == AGREES else f"the formula gives {rounded(value, places + 2)}"
        why = why or f"the largest, at {nearest(row['distance'])} years" * row["distance"].startswith(">")
        ours = f"{float(value):.6f}", rounded(value, places)
        cells.append(Cell(table.name, row["distance"], "similarity", printed, *ours, verdict, why))
    return cells


def topics(cells: list[Cell], published: Path, tables: list[Published]) -> list[Topic]:
    """A topic for each published table, from the cells of all of them and the folder of the sources."""
    of_tables: list[Topic] = []
    for table in tables:
        of_table, printed = [cell for cell in cells if cell.table == table.name], rows_of(table.name, published)
        note = sum_of(table, printed) if isinstance(table, Similarity) else table.note
        columns = [Column("run", label=table.of), Column("measure"), Column("published", "number")]
        columns += [Column("computed", "number"), Column("verdict"), Column("why", long=True)]
        rows = []
        for cell in of_table:
            computed = f"{float(cell.computed):.{decimals(cell.published) + 2}f}"
            rows.append([cell.run, cell.measure, cell.published, computed, cell.verdict, cell.why])
        caption = "Each figure as it is printed, and as it is computed."
        names, notes = [column.name for column in columns], [Note(note)] if note else []
        shown = [Table(names, rows, columns, caption, notes, folded="The figures", csv="fidelity")]
        if isinstance(table, PublishedTable) and table.sums:
            shown.append(sums_table(table, printed))
        numbers = {verdict: sum(cell.verdict == verdict for cell in of_table) for verdict in WORDS}
        counted = ", ".join(f"{number} {WORDS[verdict]}" for verdict, number in numbers.items() if number)
        said = f"Of {len(of_table)} figures {counted}."
        of_tables.append(Topic(table.title, [INTRODUCTION] * (not of_tables) + [said], tables=shown))
    return of_tables


def sum_of(table: Similarity, rows: list[dict[str, str]]) -> str:
    """A note on the claim of the source that the printed values, over distances to both sides, sum to 10."""
    printed = {nearest(row["distance"]): Fraction(row["similarity"]) for row in rows if row["distance"].isdecimal()}
    both = range(-table.farthest, table.farthest + 1)
    total, exact = sum(printed[abs(distance)] for distance in both), sum(similarities(table, both))
    return (
        f"The printed values from -{table.farthest} to {table.farthest} years sum to {rounded(Fraction(total), 3)}; the"
        f" source says 10. Those of the formula, before rounding, sum to {exact:.4f}."
    )


def sums_table(table: PublishedTable, rows: list[dict[str, str]]) -> Table:
    """A table of each row's sums; ≠ marks those that differ from the first row by more than rounding explains."""
    columns = [Column("run"), *[Column(name, "number") for name in [*table.sums, "all"]]]
    cells = []
    for row in rows:
        cells.append([row["run"]])
        for names in [*table.sums.values(), table.counts]:
            total, expected = sum_in(row, names), sum_in(rows[0], names)
            differs = abs(total - expected) > (len(names) + 1) * table.half
            cells[-1].append(rounded(total, 1) + " ≠" * differs)
    caption = "What is the same set of pairs for every run should have the same sums in every row:"
    notes = [Note("≠ another sum than in the first row, by more than rounding explains.")]
    return Table([column.name for column in columns], cells, columns, caption, notes, folded="The figures", csv="sums")
