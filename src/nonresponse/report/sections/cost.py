"""The cost of a wrong answer: which run is best at which cost."""

from math import inf
from typing import Any

import polars as pl

from nonresponse.legible import short
from nonresponse.report import findings
from nonresponse.report.model import Curve, Figure
from nonresponse.statistics.cost import find_best_runs, share_unanswerable
from nonresponse.tasks import Task
from nonresponse.wording import format_rounded, join_names, summarise_names

# Of never answering and of runs: the name, and the shares of correct and of wrong answers
Lines = list[tuple[str, float, float]]
# From a cost to another one: the best runs
Stretches = list[tuple[float, float, list[str]]]
TITLE = (
    "Score per question = correct − cost · wrong. The band on top has the colour of the best run"
)
LABELS = ("cost of a wrong answer, in correct answers", "score")
NEVER = "never answering"
HIGHEST = 5  # cost in the figure
MARGIN = 0.03  # above and below its lines


def list_lines(board: pl.DataFrame, task: Task) -> Lines:
    """Return the lines of never answering and of all runs, none if a leaderboard has no counts."""
    board = board.filter(~pl.col("trivial"))
    outcomes = findings.sum_outcomes(board, task) if task.unanswered_counts else None
    runs = pl.DataFrame() if outcomes is None else outcomes.filter(pl.col("n") > 0)
    if runs.is_empty():
        return []
    shares = runs.select("run", pl.col("correct", "wrong") / pl.col("n"))
    return [(NEVER, share_unanswerable(board), 0.0), *shares.rows()]


def find_stretches(lines: Lines) -> Stretches:
    """Return which runs are best at which cost."""
    worths = [(right, wrong) for _, right, wrong in lines]
    best = [(worths[index], limit / (1 - limit)) for index, limit in find_best_runs(worths)]
    stops = [*(start for _, start in best[1:]), inf]
    return [
        (start, stop, [name for name, *worth in lines if tuple(worth) == top])
        for (top, start), stop in zip(best, stops, strict=True)
    ]


def describe_best_runs(stretches: Stretches) -> str:
    """Return which run is best at which cost."""
    parts: list[str] = []
    for low, high, best in stretches:
        stretch = "at every cost" if high == inf else f"below a cost of {format_rounded(high, 2)}"
        if low > 0:
            end = "on" if high == inf else f"to {format_rounded(high, 2)}"
            stretch = f"from {format_rounded(low, 2)} {end}"
        verb = "" if parts else " are best" if len(best) > 1 else " is best"
        names = summarise_names([short(name) for name in best])
        parts.append(f"{names}{verb} {stretch}")
    return f"By correct − cost · wrong per question, {join_names(parts)}."


def draw_costs(lines: Lines, stretches: Stretches) -> Figure:
    """Return the score of each run by the cost of a wrong answer.

    The costs reach a little beyond the last change of the best run.
    """
    (_, never, _), *runs = lines
    end = min(max(1.0, 1.2 * stretches[-1][0]), HIGHEST)
    bands = [(start, min(stop, end), best) for start, stop, best in stretches if start < end]
    firsts = [correct for _, correct, _ in lines]
    high, least = max(firsts), min(correct - end * wrong for _, correct, wrong in lines)
    low = min(*firsts, max(least, min(never, high - 0.2) - 0.3)) - MARGIN
    curves = []
    for name, correct, wrong in runs:
        stop = min(end, (correct - low) / wrong) if wrong else end  # where it leaves the figure
        curves.append(Curve(name, [[0, correct], [stop, correct - stop * wrong]], marks=False))
    ranges = ((0, end), (low, high + MARGIN))
    form: dict[str, Any] = {
        "percent": (False, False),
        "level": never,
        "level_name": NEVER,
        "bands": bands,
    }
    return Figure("cost", TITLE, LABELS, curves, ranges, **form)
