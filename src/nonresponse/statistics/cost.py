"""The cost of a wrong answer at which the best run changes. Never answering competes, too.

At cost c a run is worth right - c wrong for a question, never answering 0: penalty@t for t = c / (1
+ c) (Kalai et al. 2025, section 4.2). A run's worth is a line in the cost, and the best runs are
the upper envelope of the lines.
"""

import polars as pl

from nonresponse import measures, tables, tasks
from nonresponse.scoring.leaderboard import TIE, add_ranks
from nonresponse.settings import Settings
from nonresponse.statistics.analyses import Inputs


def rank_counts(inputs: Inputs, task: str, settings: Settings) -> pl.DataFrame:
    """Return the official counts of all but trivial runs, best first by the first measure."""
    assert inputs.counts
    measure = measures.get(task, settings["measures"][0])
    counts = tables.read_parquet(inputs.counts)
    official = pl.col("assessor") == tables.find_official(settings.get("official"), counts)
    [scores] = [tables.read_parquet(path) for path in inputs.scores if path.stem == measure.id]
    value = scores.filter(official).select("run", pl.col("value").alias(measure.id))
    runs = counts.filter(official, ~pl.col("run").is_in(tasks.get(task).trivial))
    scored = runs.join(value, on="run", how="left").with_columns(trivial=False)
    return add_ranks(scored, measure).drop(measure.id)


def share_unanswerable(counts: pl.DataFrame) -> float:
    """Return the right share of never answering: that of the questions that have no answer."""
    if "n_unanswerable" not in counts.columns:
        return 0.0
    counts = counts.filter(pl.col("n") > 0)
    return max((counts["n_unanswerable"] / counts["n"]).drop_nulls(), default=0.0)


def find_best_runs(worths: list[tuple[float, float]]) -> list[tuple[int, float]]:
    """Return the indexes of the runs that are best at some cost, each with its first threshold.

    worths: the right and wrong shares of all runs. Of runs that are equal on a stretch, only the
    first is listed.
    """
    stretches: list[tuple[int, float]] = []
    # At a cost of 0 most correct answers win; among equals, fewest wrong ones.
    order = sorted(range(len(worths)), key=lambda run: (-worths[run][0], worths[run][1], run))
    cost = 0.0
    while order:
        best = order[0]
        stretches.append((best, cost / (1 + cost)))
        right, wrong = worths[best]
        later = [run for run in order if worths[run][1] < wrong - TIE]
        if not later:
            break
        meets = {
            run: max((right - worths[run][0]) / (wrong - worths[run][1]), cost) for run in later
        }
        cost = min(meets.values())
        order = sorted(later, key=lambda run: (meets[run] > cost + TIE, worths[run][1], run))
    return stretches
