"""The ranking on the page: a row per run, with rank, interval, the shares that everybody asks for,
and all measures."""

from functools import partial
from typing import Any

import polars as pl

from nonresponse import boards, legible, tasks
from nonresponse.measures import Measure, get
from nonresponse.report.cells import Cell, column
from nonresponse.report.findings import outcomes_of, scale_of
from nonresponse.report.model import Column, marks, text
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
    task, first = tasks.get(task_id), get(task_id, ids[0])
    columns: list[tuple[dict[str, Any], list[Cell]]] = []
    if not first.descriptive:
        about = "by score; beside it the ranks that the run may have" * (
            "rank_low" in board.columns
        )
        cells = [rank_of(row) for row in board.iter_rows(named=True)]
        columns.append((column("rank", "rank", "rank", about), cells))
    columns.append((column("run", "run", "run"), board["run"].to_list()))
    columns.append(scores_of(board, first))
    low, high = boards.all_of(first.id, boards.INTERVAL)
    if low in board.columns and board[low].is_not_null().any():
        ends = board.select(first.id, low, high).rows()
        cells = [None if None in row else [*row] for row in ends]
        columns.append((column("interval", f"{at(1 - level)} CI", "interval"), cells))
    counts = outcomes_of(board, task) if not board.is_empty() else None
    if counts is not None:
        for id, values in shares_of(counts).items():
            if id != first.id and (id != "net" or task.silent):
                columns.append(
                    (column(id, SHARES[id][0], "number", SHARES[id][1]), [*map(percent_of, values)])
                )
        bars = counts.select("correct", "unanswered", "wrong").rows()
        columns.append(
            (column("bar", "correct · unanswered · wrong", "bar"), [[*row] for row in bars])
        )
    for index, id in enumerate(ids[1:]):
        if counts is None or id != "accuracy":
            columns.append(
                scores_of(board, get(task_id, id), shown=counts is None and index < OTHERS)
            )
    for other in others:
        head = column(
            other.name, other.header, other.kind, other.about, shown=other.name not in task.counts
        )
        own: list[Any] = board[other.name].to_list()
        columns.append(
            (head, [*map(partial(number_of, other), own)] if other.kind == "number" else own)
        )
    return {
        "columns": [head for head, _ in columns],
        "rows": [list(row) for row in zip(*(cells for _, cells in columns), strict=True)],
        "marks": [marks(row).strip() for row in board.iter_rows(named=True)],
        "trivial": board["trivial"].to_list(),
    }


def scores_of(
    board: pl.DataFrame, measure: Measure, shown: bool = True
) -> tuple[dict[str, Any], list[Cell]]:
    """Return the column of a measure, and its cells."""
    scale = scale_of(measure, board)
    bounds = [name for name in boards.all_of(measure.id, boards.BOUNDS) if name in board.columns]
    cells = [score_of(row, **scale) for row in board.select(measure.id, *bounds).rows()]
    label = f"{measure.id} %" if scale["percent"] else measure.id
    return column(measure.id, label, "number", measure.description, measure.direction, shown), cells


def number_of(other: Column, value: Any) -> Cell:
    """Return a number with its text."""
    return None if value is None else [value, text(value, other.digits)]


def score_of(row: tuple[Any, ...], percent: bool, digits: int) -> Cell:
    """Return a score with its text; with the range of its bounds where these differ."""
    value, *bounds = row
    if value is None:
        return None
    shown, *ends = (
        minus(rounded(100 * one if percent else one, digits))
        for one in (value, *sorted_ends(bounds))
    )
    return [value, f"{shown} [{', '.join(ends)}]" if len({*ends}) == 2 else shown]


def sorted_ends(bounds: list[float | None]) -> list[float]:
    """Return the bounds of a score, the lower first; none where one of them is unknown."""
    known = [end for end in bounds if end is not None]
    return sorted(known) if len(known) == len(bounds) else []


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
