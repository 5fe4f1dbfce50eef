"""Which measures get a column on a page where the campaign names none, and what is said of the others."""

import polars as pl

from nonresponse.scoring.leaderboard import TIE
from nonresponse.wording import number


def shown(board: pl.DataFrame, ids: list[str], rows: str = "runs", digits: int = 4) -> tuple[list[str], str]:
    """The ids that get a column, in their order, and a line on the others; "" where there are none.

    A measure gets none that is undefined for all, or the same for all of two rows or more, without bounds. The first,
    which sorts, may be the same for all. `rows` says what these are.
    """
    undefined = [id for id in ids if board[id].is_null().all()]
    alike = [id for id in ids[1:] if id not in undefined and board.height > 1 and is_same(board, id)]
    parts = [f"undefined for all {rows}: {', '.join(undefined)}"] if undefined else []
    if alike:
        values = ", ".join(f"{id} ({number(board[id][0], digits)})" for id in alike)
        parts.append(f"the same for all {rows}: {values}")
    line = f"Without a column: {'; '.join(parts)}." if parts else ""
    return [id for id in ids if id not in undefined and id not in alike], line


def is_same(board: pl.DataFrame, id: str) -> bool:
    """Whether a score is the same in all rows, and could not be another in any."""
    score = pl.col(id)
    same = score.is_not_null().all() & (score.max() - score.min() <= TIE)
    return f"{id} worst" not in board.columns and board.select(same).item()
