"""A leaderboard of published counts compared with the measures that its source prints, and notes on the differences."""

from fractions import Fraction
from pathlib import Path

import polars as pl

from nonresponse import legible
from nonresponse.pages.blocks import OF_SOURCE, Note
from nonresponse.pages.fidelity import AGREES, CONTRADICTS, Cell, compared, rows_of
from nonresponse.pages.published import TABLES
from nonresponse.wording import plural

WHERE = "results/fidelity.md"


def cells(campaign: str, board: pl.DataFrame, published: Path) -> list[Cell]:
    """Each figure of the campaign's published table beside the board's; empty where there is no such table.

    Also empty if the board has other counts than the table: the job of results/fidelity.md then fails, and says so.
    """
    table = next((table for table in TABLES if table.name == campaign), None)
    if table is None:
        return []
    scores = {id: dict(board.select("run", id).rows()) for id in table.measures if id in board.columns}
    try:
        return compared(table, rows_of(table.name, published), scores)
    except (ValueError, LookupError):
        return []


def notes(compared: list[Cell], remarks: dict[str, str]) -> list[Note]:
    """How many figures differ from the source's, and the remarks on runs."""
    if not compared:
        return []
    differing = [cell for cell in compared if cell.verdict != AGREES]
    contradicting = sum(cell.verdict == CONTRADICTS for cell in differing)
    text = f"{len(differing)} of {plural(len(compared), 'figure')} differ from the source"
    if differing:
        text += f", {contradicting} of them by more than rounded counts explain"
    marked = [Note(f"{OF_SOURCE} {legible.short(run)}: {remark}.", "marks") for run, remark in remarks.items()]
    return [Note(f"{text} ({WHERE}).", "source"), *marked]


def remarks(compared: list[Cell], board: pl.DataFrame, reject_all: str | None) -> dict[str, str]:
    """Remarks by run, if we and the source disagree on whether it is ahead of the run that rejects everything."""
    weighted = {cell.run: cell for cell in compared if cell.measure.startswith("e@")}
    if reject_all not in weighted:
        return {}
    bound, said = weighted[reject_all].published, {}
    for run, behind in board.select("run", "behind_reject_all").drop_nulls().iter_rows():
        if run == reject_all or run not in weighted:
            continue
        printed = weighted[run].published
        if (Fraction(printed) > Fraction(bound)) != behind:
            where = "ahead of" if behind else "behind"
            of_run = f"the source prints {weighted[run].measure} {printed}"
            said[run] = f"{of_run}, {where} the {bound} of {legible.short(reject_all)}"
    return said
