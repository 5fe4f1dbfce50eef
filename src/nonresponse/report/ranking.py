"""The ranking on the page: a row per run, with rank, interval, the shares that everybody asks for,
and all measures."""

from collections.abc import Iterable
from typing import Any

import polars as pl

from nonresponse import boards, legible, tasks
from nonresponse.measures import Measure, get
from nonresponse.report.cells import Cell, cell, column
from nonresponse.report.findings import outcomes_of, scale_of
from nonresponse.report.model import Column, marks
from nonresponse.wording import NOTHING, at, minus, rounded

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


def table(
    board: pl.DataFrame, task_id: str, ids: list[str], level: float, others: list[Column]
) -> dict[str, Any]:
    """Return the ranking as the page draws it: columns, and rows of cells.

    ids: the measures that are shown, the first one first. others: columns of attributes and counts,
    from the leaderboard. A column has an id, a label, a kind (rank, run, number, text, interval,
    bar), its meaning, whether higher or lower is better, and whether it is shown at once.
    """
    task, first, rows = tasks.get(task_id), get(task_id, ids[0]), board.to_dicts()
    columns: list[dict[str, Any]] = []
    cells: list[list[Cell]] = []

    def add(own: Iterable[Cell], *about: Any, shown: bool = True) -> None:
        columns.append({**column(*about), "shown": shown})
        cells.append(list(own))

    def add_measure(measure: Measure, shown: bool = True) -> None:
        scale = scale_of(measure, board)
        label = f"{measure.id} %" if scale["percent"] else measure.id
        about = measure.id, label, "number", measure.description, measure.direction
        add((score_of(row, measure.id, **scale) for row in rows), *about, shown=shown)

    if not first.descriptive and board["rank"].count() != 1:
        within = "; beside it the ranks that the run may have" * ("rank_low" in board.columns)
        add(map(rank_of, rows), "rank", "rank", "rank", f"by score{within}")
    add(board["run"], "run", "run", "run")
    add_measure(first)
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
            add_measure(get(task_id, id), shown=counts is None and index < OTHERS)
    for other in others:
        own = (cell(row, other) for row in rows)
        about = other.name, other.header, other.kind, other.about
        add(own, *about, shown=other.name not in task.counts)
    return {
        "columns": columns,
        "rows": [list(row) for row in zip(*cells, strict=True)],
        "marks": [marks(row).strip() for row in rows],
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
    answers = pl.col("correct") - pl.col("rightful") + pl.col("wrong")

    def share(part: pl.Expr, whole: pl.Expr) -> pl.Expr:
        return pl.when(whole > 0).then(part / whole)

    n = pl.col("n")
    return counts.select(
        accuracy=share(pl.col("correct"), n),
        precision=share(pl.col("correct") - pl.col("rightful"), answers),
        coverage=share(answers, n),
        net=share(pl.col("correct") - pl.col("wrong"), n),
    ).to_dict(as_series=False)


def percent_of(value: float | None) -> Cell:
    """Return a share with its text in percent."""
    return None if value is None else [value, minus(rounded(100 * value, 1))]


def as_text(cell: Cell) -> str:
    """Return the text of a cell, for the ranking that is shown without JavaScript."""
    if cell is None:
        return NOTHING
    if isinstance(cell, list):
        return legible.visible(str(cell[-1]))
    return legible.short(str(cell))
