"""The cost of a wrong answer: which run is best at which cost."""

from typing import Any

import polars as pl

from nonresponse.legible import short
from nonresponse.report import findings
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Curve, Figure, Section, tabulate
from nonresponse.statistics.cost import find_best_runs, share_unanswerable
from nonresponse.tasks import Task
from nonresponse.wording import format_rounded, join_names, summarise_names

CAPTION = "The best run by cost, from the answers as they were given."
NAMES = ("cost_from", "cost_to", "threshold_from", "best", "right", "wrong")
TITLE = (
    "Score per question = correct − cost · wrong. The band on top has the colour of the best run"
)
LABELS = ("cost of a wrong answer, in correct answers", "score")
NEVER = "never answering"
HIGHEST = 5  # cost in the figure
MARGIN = 0.03  # above and below its lines


def make_section(campaign: Campaign) -> Section | None:
    """Return a sentence and the best runs. The page shows them below the chart of the ranking."""
    table = campaign.read_summary("cost")
    if table.is_empty():
        return None
    filled = table.with_columns(pl.col("best").fill_null([NEVER]))
    rows = tabulate(CAPTION, filled, NAMES, decimals=3, csv="cost")
    return Section("The cost of a wrong answer", [describe_best_runs(table)], tables=[rows])


def describe_best_runs(table: pl.DataFrame) -> str:
    """Return which run is best at which cost."""
    parts: list[str] = []
    for _, rows in table.group_by("best", maintain_order=True):
        low, high = rows["cost_from"][0], rows["cost_to"][-1]
        names = [short(run) for run in rows["best"].to_list()[0] or ()] or [NEVER]
        stretch = "at every cost" if high is None else f"below a cost of {format_rounded(high, 2)}"
        if low > 0:
            end = "on" if high is None else f"to {format_rounded(high, 2)}"
            stretch = f"from {format_rounded(low, 2)} {end}"
        verb = "" if parts else " are best" if len(names) > 1 else " is best"
        parts.append(f"{summarise_names(names)}{verb} {stretch}")
    return f"By correct − cost · wrong per question, {join_names(parts)}."


def draw_costs(board: pl.DataFrame, task: Task) -> list[Figure]:
    """Return the score of each run by the cost of a wrong answer, if a leaderboard has counts.

    The costs reach a little beyond the last change of the best run.
    """
    board = board.filter(~pl.col("trivial"))
    outcomes = findings.sum_outcomes(board, task) if task.unanswered_counts else None
    runs = pl.DataFrame() if outcomes is None else outcomes.filter(pl.col("n") > 0)
    if runs.is_empty():
        return []
    never, shares = share_unanswerable(board), runs.select(pl.col("correct", "wrong") / pl.col("n"))
    names, lines = [NEVER, *runs["run"]], [(never, 0.0), *shares.rows()]
    best = [(lines[index], limit / (1 - limit)) for index, limit in find_best_runs(lines)]
    end = min(max(1.0, 1.2 * best[-1][1]), HIGHEST)
    bands = []
    for (top, start), (_, stop) in zip(best, [*best[1:], (None, end)], strict=True):
        equal = [name for name, line in zip(names, lines, strict=True) if line == top]
        bands += [(start, min(stop, end), equal)] * (start < end)
    firsts = [correct for correct, _ in lines]
    high, least = max(firsts), min(correct - end * wrong for correct, wrong in lines)
    low = min(*firsts, max(least, min(never, high - 0.2) - 0.3)) - MARGIN
    curves = []
    for name, (correct, wrong) in zip(names[1:], lines[1:], strict=True):
        stop = min(end, (correct - low) / wrong) if wrong else end  # where it leaves the figure
        curves.append(Curve(name, [[0, correct], [stop, correct - stop * wrong]], marks=False))
    ranges = ((0, end), (low, high + MARGIN))
    form: dict[str, Any] = {
        "percent": (False, False),
        "level": never,
        "level_name": NEVER,
        "bands": bands,
    }
    return [Figure("cost", TITLE, LABELS, curves, ranges, **form)]
