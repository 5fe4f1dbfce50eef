"""Which measures get a column on a page, and a note on the others."""

import polars as pl

from nonresponse import boards, measures

DECIMALS = 12  # of scores that are compared


def choose_measures(
    board: pl.DataFrame, ids: list[str], task: str, keep_redundant: bool = False
) -> tuple[list[str], str]:
    """Return the ids that get a column, in their order, and a note on the others, if any.

    A measure gets no column if it is undefined for all runs. Unless `keep_redundant`, two more
    kinds get none. One equals an earlier measure for all runs that are not trivial, bounds
    included. The other is constant over them and has no bounds, unless it ranks.
    """
    runs = board.filter(~pl.col("trivial")) if "trivial" in board.columns else board
    undefined = [id for id in ids if not board[id].count()]
    useful, redundant, columns = [], [], set()
    for id in [id for id in ids if id not in undefined]:
        bounds = [name for name in boards.name_columns(id, boards.BOUNDS) if name in board.columns]
        scores = (*runs.select(pl.col(id, *bounds).round(DECIMALS)).rows(),)
        constant = len(scores) > 1 and len({*scores}) == 1 and not bounds and id != ids[0]
        if not keep_redundant and (scores in columns or (constant and runs[id].count())):
            redundant.append(id)
        else:
            useful.append(id)
            columns.add(scores)
    undefined_note = f"Undefined for all runs: {list_reasons(undefined, task)}."
    redundant_note = f"Not shown, as constant or equal to another measure: {', '.join(redundant)}."
    return useful, " ".join([undefined_note] * bool(undefined) + [redundant_note] * bool(redundant))


def list_reasons(ids: list[str], task: str) -> str:
    """Return the measures that are undefined in all rows, grouped by the reason, as text."""
    undefined = [measures.get(task, id) for id in ids]
    lacking = next((measure.lacking for measure in undefined if measure.lacking), "")
    groups: dict[str, list[str]] = {}
    for measure in undefined:
        lacks_scores = lacking and "scores" in measure.needs
        groups.setdefault(lacking if lacks_scores else measure.undefined, []).append(measure.id)
    return ", ".join(f"{', '.join(names)} ({reason})" for reason, names in groups.items())
