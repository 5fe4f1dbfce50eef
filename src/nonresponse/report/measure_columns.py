"""Which measures get a column on a page, and a note on the others."""

import polars as pl

from nonresponse import boards, measures
from nonresponse.scoring.leaderboard import TIE
from nonresponse.wording import number


def shown(
    board: pl.DataFrame, ids: list[str], task: str, digits: int = 4, named: bool = False
) -> tuple[list[str], str]:
    """Return the ids that get a column, in their order, and a note on the others, empty if there
    are none.

    A measure gets no column if it is undefined for all runs or, unless the campaign `named` its
    measures, if

    - it equals an earlier measure for all runs, bounds included, or
    - it is constant over two or more runs, has no bounds, and is not the first, which ranks.
    """
    undefined = [id for id in ids if not board[id].count()]
    equal: dict[str, list[str]] = {}
    kept: list[str] = []
    same: list[str] = []
    for id in [id for id in ids if id not in undefined]:
        if not named and id != ids[0] and board.height > 1 and is_same(board, id):
            same.append(f"{id} ({number(board[id][0], digits)})")
        elif twins := [other for other in kept if not named and are_equal(board, id, other)]:
            equal.setdefault(twins[0], []).append(id)
        else:
            kept.append(id)
    parts = [f"undefined for all runs: {reasons(undefined, task)}"] if undefined else []
    parts += [f"the same for all runs: {', '.join(same)}"] if same else []
    parts += [f"the same as {twin} for all runs: {', '.join(own)}" for twin, own in equal.items()]
    return kept, f"Without a column: {'; '.join(parts)}." if parts else ""


def reasons(ids: list[str], task: str) -> str:
    """Return the measures that are undefined in all rows, grouped by the reason, as text."""
    known = [measures.get(task, id) for id in ids]
    lacking = next((measure.lacking for measure in known if measure.lacking), "")
    by: dict[str, list[str]] = {}
    for measure in known:
        needy = lacking and "scores" in measure.needs
        by.setdefault(lacking if needy else measure.undefined, []).append(measure.id)
    return ", ".join(f"{', '.join(own)} ({reason})" for reason, own in by.items())


def is_same(board: pl.DataFrame, id: str) -> bool:
    """Return whether a score is the same in all rows, and has no bounds."""
    score = pl.col(id)
    same = score.is_not_null().all() & (score.max() - score.min() <= TIE)
    return boards.column(id, boards.WORST) not in board.columns and board.select(same).item()


def are_equal(board: pl.DataFrame, id: str, other: str) -> bool:
    """Return whether two scores and their bounds are the same in all rows; for a trivial run, one
    may be null."""
    own, others = (
        [name for name in boards.columns(it, boards.BOUNDS) if name in board.columns]
        for it in (id, other)
    )
    if len(own) != len(others):
        return False
    unknown = pl.col("trivial") if "trivial" in board.columns else pl.lit(False)
    pairs = [
        (pl.col(one), pl.col(two)) for one, two in zip((id, *own), (other, *others), strict=True)
    ]
    same = [
        ((one - two).abs() <= TIE).fill_null(one.eq_missing(two) | unknown) for one, two in pairs
    ]
    return board.select(pl.all_horizontal(same).all()).item()
