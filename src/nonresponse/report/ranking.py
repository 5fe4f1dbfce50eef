"""The ranking on the page: a row per run, with rank, interval, the shares that everybody asks for, and all measures."""

from typing import Any

import polars as pl

from nonresponse import boards, legible, tasks
from nonresponse.measures import get
from nonresponse.pages.blocks import Column, marks
from nonresponse.pages.findings import decimals, outcomes_of
from nonresponse.report.cells import Cell, text_of
from nonresponse.wording import NOTHING, at, minus, rounded

SHARES = {
    "accuracy": ("accuracy %", "correct responses in percent of the questions"),
    "precision": ("correct when answered %", "correct answers in percent of the answers"),
    "coverage": ("answered %", "answers in percent of the questions"),
    "net": ("correct − wrong per 100", "score per 100 questions where a wrong answer costs what a correct one gains"),
}
OTHERS = 4  # measures beside the first that are shown at once where the shares are not known


def table(board: pl.DataFrame, task_id: str, ids: list[str], level: float, others: list[Column]) -> dict[str, Any]:
    """Return the ranking as the page draws it: columns, and rows of cells.

    ids: the measures that are shown, the first one first. others: columns of attributes and counts, from the
    leaderboard. A column has an id, a label, a kind (rank, run, number, text, interval, bar), its meaning, whether
    higher or lower is better, and whether it is shown at once.
    """
    task, first = tasks.get(task_id), get(task_id, ids[0])
    columns: list[tuple[dict[str, Any], list[Cell]]] = []

    def add(
        id: str, label: str, kind: str, cells: list[Cell], about: str = "", better: str = "", shown: bool = True
    ) -> None:
        column = {"id": id, "label": label, "kind": kind, "about": about, "better": better, "shown": shown}
        columns.append((column, cells))

    if not first.descriptive:
        about = "by score; beside it the ranks that the run may have" * ("rank_low" in board.columns)
        add("rank", "rank", "rank", [rank_of(row) for row in board.iter_rows(named=True)], about)
    add("run", "run", "run", board["run"].to_list())
    add_measure = _measure(board, task_id, add)
    add_measure(first.id, True)
    low, high = boards.all_of(first.id, boards.INTERVAL)
    if low in board.columns and board[low].is_not_null().any():
        ends = board.select(first.id, low, high).rows()
        add("interval", f"{at(1 - level)} CI", "interval", [None if None in row else [*row] for row in ends])
    counts = outcomes_of(board, task) if not board.is_empty() else None
    if counts is not None:
        for id, values in shares_of(counts).items():
            if id != first.id and (id != "net" or task.silent):
                add(id, SHARES[id][0], "number", [percent_of(value) for value in values], SHARES[id][1])
        bars = counts.select("correct", "unanswered", "wrong").rows()
        add("bar", "correct · unanswered · wrong", "bar", [[*row] for row in bars])
    for place, id in enumerate(ids[1:]):
        if counts is None or id not in ("accuracy",):
            add_measure(id, counts is None and place < OTHERS)
    for column in others:
        values = board[column.name].to_list()
        cells: list[Any] = values
        if column.kind == "number":
            cells = [None if value is None else [value, text_of(value, column.digits)] for value in values]
        add(column.name, column.header, column.kind, cells, column.about, shown=column.name not in task.counts)
    return {
        "columns": [column for column, _ in columns],
        "rows": [list(row) for row in zip(*(cells for _, cells in columns), strict=True)],
        "marks": [marks(row).strip() for row in board.iter_rows(named=True)],
        "trivial": board["trivial"].to_list(),
    }


def _measure(board: pl.DataFrame, task_id: str, add: Any) -> Any:
    """Return a function that adds the column of a measure."""

    def add_measure(id: str, shown: bool) -> None:
        measure = get(task_id, id)
        factor, digits = (100, 1) if measure.is_share else (1, decimals(board, id))
        bounds = boards.all_of(id, boards.BOUNDS)
        rows = board.select(id, *(name for name in bounds if name in board.columns)).rows()
        cells = [score_of(row, factor, digits) for row in rows]
        label = f"{id} %" if measure.is_share else id
        add(id, label, "number", cells, measure.description, measure.direction, shown)

    return add_measure


def score_of(row: tuple[Any, ...], factor: int, digits: int) -> Cell:
    """Return a score with its text; with the range of its bounds where these differ."""
    value, *bounds = row
    if value is None:
        return None
    text = minus(rounded(factor * value, digits))
    low, high = (
        (minus(rounded(factor * end, digits)) for end in sorted(bounds)) if bounds and None not in bounds else ("", "")
    )
    return [value, f"{text} [{low}, {high}]" if low != high else text]


def rank_of(row: dict[str, Any]) -> Cell:
    """Return a rank by score, and the ranks that the run may have where these are several: "4, 1–13"."""
    if row["rank"] is None:
        return None
    low, high = row.get("rank_low"), row.get("rank_high")
    text = f"{row['rank']:,}" + "=" * bool(row.get("tied"))
    return [row["rank"], text if low is None or low == high else f"{text}, {low:,}–{high:,}"]


def shares_of(counts: pl.DataFrame) -> dict[str, list[float | None]]:
    """Return SHARES by run from `findings.outcomes_of`, null where there are no questions or no answers."""
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
