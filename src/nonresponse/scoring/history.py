"""Where the runs of a campaign stood, evaluation by evaluation: a file that `nonresponse history` appends to."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from nonresponse.faults import shown
from nonresponse.measures import Measure
from nonresponse.scoring.leaderboard import with_rank
from nonresponse.tables import HISTORY, HISTORY_KEY, empty, typed

AS_IT_STOOD = ["measure", "run", "score", "rank"]


def read_history(path: Path) -> pl.DataFrame:
    """The rows of the file, none if it is not there; ValueError, with what was found, if it is no such table."""
    if not path.exists():
        return empty(HISTORY)
    try:
        table = typed(pl.read_parquet(path), HISTORY)
    except (OSError, pl.exceptions.PolarsError) as error:
        columns = ", ".join(HISTORY)
        found = shown(str(error).partition("\n")[0], 200)
        raise ValueError(f"{path}: found {found}; expected a table with the columns {columns}") from None
    keys = table.select(HISTORY_KEY)
    if keys.null_count().transpose().sum().item() or keys.is_duplicated().any():
        raise ValueError(f"{path}: found rows with the same {', '.join(HISTORY_KEY)}, or without; expected each once")
    return table


def standing(
    scores: dict[str, pl.DataFrame], measures: Sequence[Measure], official: str, trivial: list[str]
) -> pl.DataFrame:
    """The score and rank of every run by every measure, under the official judgments: AS_IT_STOOD of HISTORY.

    Ranks are those of a leaderboard by that measure: null for a run without a score, and for all runs by a descriptive
    measure. Trivial runs, which nobody handed in, are left out.
    """
    frames = []
    for measure in measures:
        own = scores[measure.id].filter(pl.col("assessor") == official, ~pl.col("run").is_in(trivial))
        own = own.select("run", pl.col("value").alias(measure.id), trivial=pl.lit(False))
        ranked = with_rank(own, measure).select("run", "rank", score=measure.id)
        frames.append(ranked.with_columns(measure=pl.lit(measure.id)))
    types = {name: HISTORY[name] for name in AS_IT_STOOD}
    return pl.concat([typed(frame, types) for frame in frames]).sort("measure", "run")


def longer(history: pl.DataFrame, now: pl.DataFrame, label: str) -> pl.DataFrame | None:
    """The history with `now` as one more evaluation; None where it equals the last one."""
    number = history.select(pl.max("evaluation")).item() or 0
    if history.filter(pl.col("evaluation") == number).select(AS_IT_STOOD).equals(now):
        return None
    added = now.with_columns(evaluation=pl.lit(number + 1), label=pl.lit(label))
    return pl.concat([history, typed(added, HISTORY)]).sort(HISTORY_KEY)
