"""Which measures get a column on a page, and a note on the others."""

import polars as pl

from nonresponse import boards, measures

SAME = 12  # decimals up to which equal scores are equal


def choose_measures(
    board: pl.DataFrame, ids: list[str], task: str, named: bool = False
) -> tuple[list[str], str]:
    """Return the ids that get a column, in their order, and a note on the others, empty if there
    are none.

    A measure gets no column if it is undefined for all runs. Unless the campaign `named` its
    measures, it also gets none if it equals an earlier one for all runs that are not trivial,
    bounds included, or is constant over them, has no bounds and is not the first, which ranks.
    """
    own = board.filter(~pl.col("trivial")) if "trivial" in board.columns else board
    undefined = [id for id in ids if not board[id].count()]
    kept, same, seen = [], [], set()
    for id in [id for id in ids if id not in undefined]:
        bounds = [it for it in boards.columns(id, boards.BOUNDS) if it in board.columns]
        scores = (*own.select(pl.col(id, *bounds).round(SAME)).rows(),)
        constant = len(scores) > 1 and len({*scores}) == 1 and not bounds and id != ids[0]
        if not named and (scores in seen or (constant and own[id].count())):
            same.append(id)
        else:
            kept.append(id)
            seen.add(scores)
    parts = [f"undefined for all runs: {list_reasons(undefined, task)}"] if undefined else []
    parts += [f"constant, or equal to another: {', '.join(same)}"] if same else []
    return kept, f"Without a column: {'; '.join(parts)}." if parts else ""


def list_reasons(ids: list[str], task: str) -> str:
    """Return the measures that are undefined in all rows, grouped by the reason, as text."""
    known = [measures.get(task, id) for id in ids]
    lacking = next((measure.lacking for measure in known if measure.lacking), "")
    by: dict[str, list[str]] = {}
    for measure in known:
        needy = lacking and "scores" in measure.needs
        by.setdefault(lacking if needy else measure.undefined, []).append(measure.id)
    return ", ".join(f"{', '.join(own)} ({reason})" for reason, own in by.items())
