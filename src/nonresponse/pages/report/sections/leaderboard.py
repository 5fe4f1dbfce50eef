"""The ranking: the runs by one measure at a time, each with interval, rank, and counts of right, open and wrong."""

from typing import Any

import polars as pl

from nonresponse import boards, tasks
from nonresponse.measures import Measure, get
from nonresponse.pages import answer
from nonresponse.pages.blocks import Block, Column, Note, marks, read_topics
from nonresponse.pages.sections import Campaign
from nonresponse.scoring.leaderboard import TIE
from nonresponse.views.prices import silence
from nonresponse.wording import TIED, at

RULE = (
    "Going down, a run that does not differ significantly from the first run of the rank above it shares that rank"
    " (all pairs of runs tested together)."
)
EQUAL = "Runs with equal scores share a rank."


def blocks(campaign: Campaign) -> list[Block]:
    """The ranking, where some run has a score.

    A row has the run, whether it is trivial, the marks of its name, right, open and wrong (null where counts do not
    tell), and by each measure the score, both ends of its interval, the rank (null if unranked, or the measure is
    descriptive) and whether the run does not differ significantly from the first (null where that is not known).
    """
    [table] = read_topics(campaign.folder / "leaderboard.json")["leaderboard"].tables
    board = pl.read_parquet(campaign.folder / "leaderboard.parquet")
    shown = [column for column in table.columns if column.measure and column.kind == "score"]
    if not shown or board.is_empty():
        return []
    columns: dict[str, Any] = {
        "run": board["run"],
        "trivial": board["trivial"],
        "marks": [marks(row) for row in board.iter_rows(named=True)],
    }
    bars = next((column.parts for column in table.columns if column.kind == "counts"), None)
    for name, part in zip(("right", "open", "wrong"), bars or ([], [], []), strict=True):
        columns[name] = board.select(pl.sum_horizontal(pl.lit(0), *part)).to_series() if bars else None
    measures, compared, ranked = [], False, False
    for place, column in enumerate(shown):
        measure = get(campaign.task, column.name)
        pairs = pairs_of(campaign, measure.id)
        compared, ranked = compared or pairs is not None, ranked or not measure.descriptive
        ranks, tied = shared(board, measure, pairs, campaign.settings.get("level", answer.LEVEL))
        own = [board[name] if name in board.columns else None for name in boards.all_of(measure.id, boards.INTERVAL)]
        columns |= dict(zip(names(place), (board[measure.id], *own, ranks, tied), strict=True))
        measures.append(described(column, board))
    notes = []
    if ranked and board.height > 1:
        shaded = f" Shaded: {TIED}." if compared else ""
        notes.append(Note(f"{RULE if compared else EQUAL}{shaded}"))
    if any(column.ends for column in shown):
        notes.append(Note(f"Lines: {at(1 - campaign.settings.get('level', answer.LEVEL))} intervals."))
    notes += [note for note in table.notes if note.about in ("marks", "source")]
    unknown = [None] * board.height
    values = zip(*(unknown if column is None else column for column in columns.values()), strict=True)
    rows = [[round(it, 9) if isinstance(it, float) else it for it in row] for row in values]
    unit = f"{tasks.get(campaign.task).unit}s"
    return [
        {
            "kind": "ranking", "names": [*columns], "rows": rows, "whole": len(rows),
            "notes": [vars(note) for note in notes], "cut": "", "measures": measures, "bars": bool(bars), "unit": unit,
            "silence": round(silence(board), 9),
        }
    ]  # fmt: skip


def names(place: int) -> list[str]:
    """The names of a measure's columns, by the place of the measure."""
    return [f"{kind}{place}" for kind in ("score", *boards.INTERVAL, "rank", "tied")]


def described(column: Column, board: pl.DataFrame) -> dict:
    """What the page needs to know of a measure, with the decimals of its scores."""
    digits = answer.decimals(board, column.name)
    return {"id": column.name, "better": column.better, "about": column.about, "digits": digits}


def pairs_of(campaign: Campaign, id: str) -> pl.DataFrame | None:
    """The comparison of all pairs by a measure; None where runs are not compared by it."""
    tested = campaign.settings.get("tested", campaign.measures)
    if id not in tested or "comparison" not in campaign.settings["analyses"]:
        return None
    return pl.read_parquet(campaign.folder / f"reliability/comparisons/{id}.parquet")


def shared(
    board: pl.DataFrame, measure: Measure, pairs: pl.DataFrame | None, level: float
) -> tuple[list[int | None], list[bool | None]]:
    """The rank of each run, and whether it does not differ significantly from the first; None for unranked runs.

    A run shares the rank of the first run of that rank if the two do not differ significantly, or have equal scores.
    """
    ranks: list[int | None] = [None] * board.height
    tied: list[bool | None] = [None] * board.height
    if measure.descriptive:
        return ranks, tied
    ranked = board.with_row_index("row").filter(~pl.col("trivial"), pl.col(measure.id).is_not_null())
    ranked = ranked.sort(measure.id, "run", descending=[measure.higher_is_better, False])
    head, rank, alike, beside = None, 0, set[str](), set[str]()
    for place, (row, run, score) in enumerate(ranked.select("row", "run", measure.id).iter_rows(), 1):
        if head is None or (run not in alike and abs(score - head) > TIE):
            head, rank, alike = score, place, undecided(run, pairs, level)
        ranks[row] = rank
        if place == 1:
            beside = alike
        if pairs is not None:
            tied[row] = rank == 1 or run in beside
    return ranks, tied


def undecided(run: str, pairs: pl.DataFrame | None, level: float) -> set[str]:
    """The runs that were compared with this one and do not differ significantly from it."""
    if pairs is None:
        return set()
    own = pairs.filter((pl.col("a") == run) | (pl.col("b") == run), pl.col("p_maxt") > level)
    return {*own["a"], *own["b"]} - {run}
