"""What a leaderboard shows, as records: the leader, whether unanswered questions decide the order,
how sure it is.

A finding has a code and values; `sentences.py` has the sentence of each code, and nothing reads a
sentence back.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from nonresponse import boards
from nonresponse.measures import Measure
from nonresponse.scoring.leaderboard import TIE
from nonresponse.tasks import Task

LEVEL = 0.05  # of intervals, where the campaign names none
FEW = 100  # questions; with fewer, scores that are no shares have two decimals
CARDS = ("unanswered", "worth", "order")  # codes of the findings that have a card on the page


@dataclass(frozen=True)
class Finding:
    """One statement on a campaign: its code, the values of its sentence, and whether it should
    worry."""

    code: str
    values: dict[str, Any]
    warning: bool = False


@dataclass(frozen=True)
class Comparison:
    """The pairs of runs by the first measure.

    pairs: a, b, difference (a - b), lower, upper, p_maxt; null if nothing was compared. paired:
    whether runs are compared question by question; of published counts there are intervals but no
    tests. needed: how many questions differences need (`statistics.sample_size`), null if not
    known.
    """

    pairs: pl.DataFrame | None = None
    paired: bool = True
    level: float = LEVEL
    needed: pl.DataFrame | None = None


def find(
    board: pl.DataFrame,
    task: Task,
    first: Measure,
    comparison: Comparison,
    unscored: str | None = "wrong",
    official: str | None = None,
    stated: Sequence[str] = (),
    failed: str | None = None,
) -> list[Finding]:
    """Return the findings of a leaderboard by its first measure, in the order in which they are
    shown.

    unscored: what a response that nobody judged counts as, null where nobody judged any. official:
    the assessor, where there are several. stated: sentences on what logs state otherwise. failed:
    what a failed response counts as.
    """
    notes = [Finding("note", {"text": text}) for text in stated]
    if first.descriptive:
        runs = board.filter(~pl.col("trivial")).height
        values = {"measure": first.id, "runs": runs, "judged": unscored is not None}
        return [*[Finding("describes", values)] * (runs > 1 or unscored is None), *notes]
    ranked = board.filter(pl.col("rank").is_not_null())
    if ranked.is_empty():
        return notes
    counts = outcomes_of(ranked, task)
    found: list[Finding | None] = [find_leader(ranked, first, comparison)]
    if counts is not None:
        found.append(find_unanswered(ranked, counts, task, first))
        found.append(find_worth(ranked, counts) if task.unanswered_counts else None)
    found += [
        find_order(ranked, first, comparison),
        *notes,
        find_unjudged(ranked, first, unscored, official),
        find_failed(ranked, first, failed),
        find_rightful(ranked),
    ]
    return mark([finding for finding in found if finding])


def mark(found: list[Finding]) -> list[Finding]:
    """Leave a warning on the most serious card only: the leader is below never answering, tied, or
    not by accuracy."""
    worrying = {finding.code for finding in found if finding.warning}
    most = next((code for code in ("worth", "order", "unanswered") if code in worrying), None)
    return [replace(one, warning=one.code == most) if one.code in CARDS else one for one in found]


def scale_of(first: Measure, board: pl.DataFrame) -> dict[str, Any]:
    """Return how scores of a measure are written: in percent, or with a number of decimals."""
    return {"percent": first.is_share, "digits": 1 if first.is_share else decimals(board, first.id)}


def decimals(board: pl.DataFrame, id: str) -> int:
    """Return with how many decimals the scores of a measure that is no share are shown."""
    if (board[id].abs().max() or 0) >= 10:  # type: ignore[operator]
        return 1
    return 2 if "n" in board.columns and (board["n"].max() or 0) < FEW else 3  # type: ignore[operator]


def differences_from(
    run: str, ranked: pl.DataFrame, first: Measure, comparison: Comparison
) -> pl.DataFrame:
    """Return how far a run is ahead of each other ranked run: run, low, high and p."""
    a, b = pl.col("a"), pl.col("b")
    if comparison.pairs is None:
        return pl.DataFrame(schema={"run": pl.String, **dict.fromkeys(("low", "high", "p"), float)})
    own = comparison.pairs.filter((a == run) | (b == run))
    sign = pl.when((a == run) == first.higher_is_better).then(1).otherwise(-1)
    ends = [sign * pl.col("lower"), sign * pl.col("upper")]
    found = own.select(
        run=pl.when(a == run).then(b).otherwise(a),
        low=pl.min_horizontal(ends),
        high=pl.max_horizontal(ends),
        p="p_maxt",
    )
    return found.filter(pl.col("run").is_in(ranked["run"].implode()))


def find_leader(ranked: pl.DataFrame, first: Measure, comparison: Comparison) -> Finding:
    """Find who has the best score, and who is not significantly different or comes next."""
    top, best = ranked.row(0, named=True), best_of(ranked)
    score = {"measure": first.id, "top": top[first.id], **scale_of(first, ranked)}
    if ranked.height == 1:
        low, high = map(top.get, boards.columns(first.id, boards.INTERVAL))
        ends = {"low": low, "high": high, "level": comparison.level}
        return Finding("single", {"run": best[0], **score, **ends})
    second = ranked.row(1, named=True)
    rows = differences_from(best[0], ranked, first, comparison)
    row = {pair["run"]: pair for pair in rows.to_dicts()}.get(second["run"], {})
    values = {
        "best": best,
        **score,
        "highest": first.higher_is_better,
        "tied": [run for run in tied_with(best[0], ranked, first, comparison) if run not in best],
        "others": ranked.height - len(best),
        "second": second["run"],
        "gap": abs(top[first.id] - second[first.id]),
        **{name: row.get(name) for name in ("low", "high", "p")},
        "level": comparison.level,
        "paired": comparison.paired,
        "runs": ranked.height,
    }
    return Finding("leader", values)


def best_of(ranked: pl.DataFrame) -> list[str]:
    """Return the runs of rank 1."""
    return ranked.filter(pl.col("rank") == 1)["run"].to_list()


def tied_with(run: str, ranked: pl.DataFrame, first: Measure, comparison: Comparison) -> list[str]:
    """Return the runs that are not significantly different from a run, as ranked."""
    rows = differences_from(run, ranked, first, comparison).filter(pl.col("p") > comparison.level)
    return [one for one in ranked["run"] if one in {*rows["run"]}]


def outcomes_of(ranked: pl.DataFrame, task: Task) -> pl.DataFrame | None:
    """Return correct, unanswered, wrong, rightful and n by run; null where the counts of some run
    do not tell.

    rightful: the part of the correct responses that are abstentions on questions without an answer.
    """
    there = {
        verdict: [name for name in part if has_numbers(ranked, name)]
        for verdict, part in task.outcomes.items()
    }
    if not there["correct"] or not there["wrong"]:
        return None
    sums = {verdict: pl.sum_horizontal(pl.lit(0.0), *names) for verdict, names in there.items()}
    rightful = pl.col("n_rightful").fill_null(0) if "n_rightful" in ranked.columns else pl.lit(0.0)
    made = ranked.select("run", **sums, rightful=rightful)
    return made.with_columns(n=pl.sum_horizontal("correct", "unanswered", "wrong"))


def has_numbers(board: pl.DataFrame, name: str) -> bool:
    """Return whether the board has a number of this name for every run."""
    return name in board.columns and bool(board[name].is_not_null().all())


def find_unanswered(
    ranked: pl.DataFrame, counts: pl.DataFrame, task: Task, first: Measure
) -> Finding:
    """Find whether unanswered questions decide who is first: by c@1 if the first measure is
    accuracy, else by accuracy."""
    if ranked.height == 1:
        return Finding("counts", {**counts.row(0, named=True), "unit": task.unit})
    other, best = "c@1" if first.id == "accuracy" else "accuracy", best_of(ranked)
    share, left = (pl.col(name) / pl.col("n") for name in ("correct", "unanswered"))
    by = share * (1 + left) if other == "c@1" else share
    scores = counts.with_columns(by=pl.when(pl.col("n") > 0).then(by).fill_null(0.0))
    scores = scores.sort("by", descending=True)
    would = scores.filter(pl.col("by") > pl.col("by").max() - TIE)
    top, leaders = would.row(0, named=True), would["run"].to_list()
    own = scores.filter(pl.col("run").is_in(best))
    overtaken = own.filter(~pl.col("run").is_in(leaders))["by"]
    answered = top["n"] - top["unanswered"] - top["rightful"]
    with_some = counts.filter(pl.col("unanswered") > 0).height
    values = {
        "with_some": with_some,
        "runs": ranked.height,
        "unit": task.unit,
        "rightful": bool((counts["rightful"] > 0).any()),
        "measure": other,
        "changes": with_some > 0 and {*leaders} != {*best},
        "leaders": leaders,
        "top": top["by"],
        "score_of_first": (overtaken if overtaken.len() else own["by"]).max(),
        "coverage": answered / top["n"] if top["n"] else None,
    }
    return Finding("unanswered", values, warning=values["changes"])


def find_worth(ranked: pl.DataFrame, counts: pl.DataFrame) -> Finding | None:
    """Find how many runs score below never answering where a wrong answer costs what a correct one
    gains."""
    if not (counts["n"] > 0).all():
        return None
    net = (pl.col("correct") - pl.col("wrong")) / pl.col("n")
    gain = net - shares_without_answer(ranked)
    below, above = counts.filter(gain < -TIE)["run"].to_list(), counts.filter(gain > TIE).height
    return Finding(
        "worth",
        {"below": below, "above": above, "runs": ranked.height},
        warning=ranked["run"][0] in below,
    )


def shares_without_answer(board: pl.DataFrame) -> pl.Series:
    """Return by run the share of its questions that never answering has correct: those without an
    answer."""
    if "n_unanswerable" not in board.columns:
        return pl.zeros(board.height, eager=True)
    share = pl.when(pl.col("n") > 0).then(pl.col("n_unanswerable") / pl.col("n"))
    return board.select(share.fill_null(0.0)).to_series()


def find_order(ranked: pl.DataFrame, first: Measure, comparison: Comparison) -> Finding | None:
    """Find how many pairs of runs differ significantly, and which differences hold with other
    questions."""
    if ranked.height == 1 or comparison.pairs is None or not comparison.paired:
        return None
    own = pl.all_horizontal(pl.col("a", "b").is_in(ranked["run"].implode()))
    p = comparison.pairs.filter(own)["p_maxt"].drop_nulls()
    values = {
        "pairs": p.len(),
        "all_pairs": ranked.height * (ranked.height - 1) // 2,
        "different": int((p <= comparison.level).sum()),
        **scale_of(first, ranked),
        **threshold_of(comparison.needed, ranked[first.id]),
    }
    return Finding(
        "order", values, warning=bool(tied_with(ranked["run"][0], ranked, first, comparison))
    )


def threshold_of(needed: pl.DataFrame | None, scores: pl.Series) -> dict[str, Any]:
    """Return the smallest difference that these questions reliably show, `required`, and what
    holds.

    `holds` is one of "any" (even small differences hold), "none" (any difference may reverse) and
    "above" (those above `required` hold); "" where that is not known. It is drawn from the runs
    themselves, so that it says nothing where all of them are farther apart.
    """
    unknown = {"holds": "", "required": None}
    if needed is None or needed.is_empty():
        return unknown
    n, required = needed.select("n", "required_difference").row(0)
    rows = needed.drop_nulls("questions").sort("difference")
    if rows.is_empty():
        return unknown
    if required is None:
        return {"holds": "none", "required": None}
    high = rows.filter(pl.col("upper") <= n)["difference"].min()
    nearest = scores.drop_nulls().sort().diff().min()
    if high is not None and (nearest is None or nearest >= max(required, high)):
        return unknown
    return {"holds": "above" if required else "any", "required": required}


def find_unjudged(
    ranked: pl.DataFrame, first: Measure, unscored: str | None, official: str | None
) -> Finding | None:
    """Find how many responses have no (official) verdict, and how far they could move a score; null
    where all have."""
    counted = count_some(ranked, "n_unscored")
    if unscored is None or not counted:
        return None
    values = {**counted, "taken": unscored, "official": official}
    return Finding("unjudged", values | reach_of(ranked, first, "n_unscored"))


def find_failed(ranked: pl.DataFrame, first: Measure, failed: str | None) -> Finding | None:
    """Find on how many questions systems failed, and how far that could move a score, where all
    others are judged."""
    counted = count_some(ranked, "n_error")
    if failed is None or not counted:
        return None
    reach = (
        {"run": None} if count_some(ranked, "n_unscored") else reach_of(ranked, first, "n_error")
    )
    return Finding("failed", {**counted, "taken": failed, **reach})


def count_some(ranked: pl.DataFrame, name: str) -> dict[str, Any]:
    """Return the fewest and the most of a count, and how many runs have any; empty where none
    has."""
    some = ranked.filter(pl.col(name) > 0)[name] if name in ranked.columns else pl.Series()
    if some.is_empty():
        return {}
    ends = {"fewest": some.min(), "most": some.max()}
    return {**ends, "runs_with": some.len(), "runs": ranked.height}


def reach_of(ranked: pl.DataFrame, first: Measure, count: str) -> dict[str, Any]:
    """Return the leading run whose score such responses could move out of its interval, and the
    ends; null if none."""
    bounds, ends = (boards.columns(first.id, both) for both in (boards.BOUNDS, boards.INTERVAL))
    if not {*bounds} <= {*ranked.columns}:
        return {"run": None}
    least, most = pl.min_horizontal(bounds), pl.max_horizontal(bounds)
    low, high = (pl.col(end) if end in ranked.columns else pl.lit(None) for end in ends)
    within = ((least > low - TIE) & (most < high + TIE)).fill_null(False)
    moved = ranked.filter(pl.col(count) > 0, most - least > TIE, ~within)
    if moved.is_empty():
        return {"run": None}
    top = moved.row(0, named=True)
    ends_of_top = dict(zip(("low", "high"), sorted(top[end] for end in bounds), strict=True))
    failed = bool(top.get("n_error")) and count != "n_error"
    others = {"failed": failed, "ruled": bool(top.get("n_by_rule"))}
    return {
        "run": top["run"],
        "measure": first.id,
        **ends_of_top,
        **others,
        **scale_of(first, ranked),
    }


def find_rightful(ranked: pl.DataFrame) -> Finding | None:
    """Find how many of the unanswered questions have no answer, over all runs; null if none has."""
    rightful, other = (
        sum(ranked[name].fill_null(0)) if name in ranked else 0 for name in ("n_rightful", "n_u")
    )
    if not rightful:
        return None
    return Finding(
        "rightful", {"rightful": rightful, "unanswered": rightful + other, "runs": ranked.height}
    )
