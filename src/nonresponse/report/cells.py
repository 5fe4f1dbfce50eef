"""Tables as the page draws them: columns, and rows of cells; above all the ranking, a row per run.

A column has an id, a label, a kind (rank, run, number, shade, text, interval, bar), its meaning,
whether higher or lower is better, and whether it is shown at once.
"""

from collections.abc import Iterable
from typing import Any

import polars as pl

from nonresponse import boards, legible, tasks
from nonresponse.measures import get
from nonresponse.report import model
from nonresponse.report.findings import outcomes_of, scale_of
from nonresponse.report.model import Column, Section, Table
from nonresponse.wording import NOTHING, at, minus, rounded

Cell = None | str | list[Any]  # null; text; a value and its text, or the numbers that are drawn
SHARES = {
    "accuracy": ("accuracy %", "correct responses in percent of the questions"),
    "precision": ("correct when answered %", "correct answers in percent of the answers"),
    "coverage": ("answered %", "answers in percent of the questions"),
    "net": (
        "correct − wrong per 100",
        "score per 100 questions where a wrong answer costs what a correct one gains",
    ),
}
OTHERS = 4  # measures beside the first that are shown at once where the shares are not known


def section(one: Section) -> dict[str, Any]:
    """Return a section with its sentences, figures and tables."""
    named = {"heading": one.heading, "sentences": one.sentences, "figures": one.figures}
    return {**named, "tables": [table(it) for it in one.filled]}


def table(one: Table) -> dict[str, Any]:
    """Return a table with its columns, rows, notes and name."""
    rows = [dict(zip(one.names, row, strict=True)) for row in one.rows]
    kinds = [
        "run" if it.run else it.kind if it.kind in ("text", "shade") else "number"
        for it in one.columns
    ]
    columns = [
        column(it.name, it.header, kind, it.about, it.better)
        for it, kind in zip(one.columns, kinds, strict=True)
    ]
    cells = [[cell(row, it) for it in one.columns] for row in rows]
    named = {"caption": one.caption, "columns": columns, "rows": cells}
    return {**named, "notes": one.below(), "file": one.csv}


def column(id: str, label: str, kind: str, about: str = "", better: str = "") -> dict[str, Any]:
    """Return a column as the page draws it."""
    named = {"id": id, "label": label, "kind": kind}
    return {**named, "about": about, "better": better, "shown": True}


def cell(row: dict[str, Any], shown: Column) -> Cell:
    """Return a cell of a column."""
    value = row[shown.name]
    if value is None or shown.run:
        return value
    text = model.cell(row, shown)
    return text if shown.left else [value, minus(text)]


def ranking(
    board: pl.DataFrame, task_id: str, ids: list[str], level: float, others: list[Column]
) -> dict[str, Any]:
    """Return the leaderboard with rank, interval, the shares that everybody asks for, and all
    measures.

    ids: the measures that are shown, the first one first. others: columns of attributes and counts,
    from the leaderboard.
    """
    task, first, rows = tasks.get(task_id), get(task_id, ids[0]), board.to_dicts()
    columns: list[dict[str, Any]] = []
    cells: list[list[Cell]] = []

    def add(own: Iterable[Cell], *about: str, shown: bool = True) -> None:
        columns.append({**column(*about), "shown": shown})
        cells.append(list(own))

    def add_measure(id: str, shown: bool = True) -> None:
        measure = get(task_id, id)
        scale = scale_of(measure, board)
        label = id + " %" * scale["percent"]
        about = id, label, "number", measure.description, measure.direction
        add((score_of(row, id, **scale) for row in rows), *about, shown=shown)

    if not first.descriptive and board["rank"].count() != 1:
        within = "; beside it the ranks that the run may have" * ("rank_low" in board.columns)
        add(map(rank_of, rows), "rank", "rank", "rank", f"by score{within}")
    add(board["run"], "run", "run", "run")
    add_measure(first.id)
    low, high = boards.columns(first.id, boards.INTERVAL)
    if low in board.columns and board[low].count():
        ends = board.select(first.id, low, high).rows()
        drawn = (None if None in row else [*row] for row in ends)
        add(drawn, "interval", f"{at(1 - level)} CI", "interval")
    counts = outcomes_of(board, task) if rows else None
    if counts is not None:
        for id, values in shares_of(counts).items():
            if id != first.id and (id != "net" or task.unanswered_counts):
                add(map(percent_of, values), id, SHARES[id][0], "number", SHARES[id][1])
        bars = map(list, counts.select("correct", "unanswered", "wrong").rows())
        add(bars, "bar", "correct · unanswered · wrong", "bar")
    for index, id in enumerate(ids[1:]):
        if counts is None or id != "accuracy":
            add_measure(id, shown=counts is None and index < OTHERS)
    for other in others:
        about = other.name, other.header, other.kind, other.about
        add((cell(row, other) for row in rows), *about, shown=other.name not in task.counts)
    return {
        "columns": columns,
        "rows": [list(row) for row in zip(*cells, strict=True)],
        "marks": [model.marks(row).strip() for row in rows],
        "trivial": board["trivial"].to_list(),
    }


def score_of(row: dict[str, Any], id: str, percent: bool, digits: int) -> Cell:
    """Return a score with its text; with the range of its bounds where these differ."""
    if row[id] is None:
        return None
    bounds = [it for end in boards.columns(id, boards.BOUNDS) if (it := row.get(end)) is not None]
    values = [row[id], *(sorted(bounds) if len(bounds) == 2 else [])]
    shown, *ends = (minus(rounded(100 * one if percent else one, digits)) for one in values)
    return [row[id], f"{shown} [{', '.join(ends)}]" if len({*ends}) == 2 else shown]


def rank_of(row: dict[str, Any]) -> Cell:
    """Return a rank by score, and the ranks that the run may have where these are several: "4,
    1–13"."""
    if row["rank"] is None:
        return None
    low, high = row.get("rank_low"), row.get("rank_high")
    text = f"{row['rank']:,}" + "=" * bool(row.get("tied"))
    return [row["rank"], text if low is None or low == high else f"{text}, {low:,}–{high:,}"]


def shares_of(counts: pl.DataFrame) -> dict[str, list[float | None]]:
    """Return SHARES by run from `findings.outcomes_of`, null where there are no questions or no
    answers."""
    correct, wrong, rightful, n = map(pl.col, ("correct", "wrong", "rightful", "n"))
    answers = correct - rightful + wrong
    parts = {"accuracy": (correct, n), "precision": (correct - rightful, answers)}
    parts |= {"coverage": (answers, n), "net": (correct - wrong, n)}
    return counts.select(
        pl.when(whole > 0).then(part / whole).alias(id) for id, (part, whole) in parts.items()
    ).to_dict(as_series=False)


def percent_of(value: float | None) -> Cell:
    """Return a share with its text in percent."""
    return None if value is None else [value, minus(rounded(100 * value, 1))]


def as_text(cell: Cell) -> str:
    """Return the text of a cell, for the ranking that is shown without JavaScript."""
    if cell is None:
        return NOTHING
    return legible.visible(str(cell[-1])) if isinstance(cell, list) else legible.short(cell)
