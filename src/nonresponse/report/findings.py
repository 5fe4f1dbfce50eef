"""What a leaderboard shows, as records: the leader, whether unanswered questions decide the order,
how sure it is.

A finding has a code and values; `sentences.py` has the sentence of each code, and nothing reads a
sentence back.
"""

from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from nonresponse import boards
from nonresponse.measures import Measure
from nonresponse.scoring.leaderboard import TIE
from nonresponse.tasks import Task

LEVEL = 0.05  # of intervals, where the campaign names none
FEW = 100  # questions; with fewer, scores that are no shares have two decimals
# Codes of the findings that have a card on the page: the leader is below never answering, tied, or
# not first by accuracy. The most serious comes first.
CARDS = ("worth", "order", "unanswered")
UNSCORED = {"unjudged": "n_unscored", "failed": "n_error"}  # counts, by the code of the finding


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


def list_findings(
    board: pl.DataFrame,
    task: Task,
    first: Measure,
    comparison: Comparison,
    unscored: str | None = "wrong",
    official: str | None = None,
    failed: str | None = None,
) -> list[Finding]:
    """Return the findings of a leaderboard by its first measure, in the order in which they are
    shown.

    unscored: what a response that nobody judged counts as, null where nobody judged any. official:
    the assessor, where there are several. failed: what a failed response counts as.
    """
    if first.descriptive:
        runs = board.filter(~pl.col("trivial")).height
        values = {"measure": first.id, "runs": runs, "judged": unscored is not None}
        return [Finding("describes", values)] * (runs > 1 or unscored is None)
    ranked = board.filter(pl.col("rank").is_not_null())
    if ranked.is_empty():
        return []
    counts = sum_outcomes(ranked, task)
    found: list[Finding | None] = [find_leader(ranked, first, comparison)]
    if counts is not None:
        found.append(find_unanswered(ranked, counts, task, first))
        found.append(find_worth(ranked, counts) if task.unanswered_counts else None)
    found += [
        find_order(ranked, first, comparison),
        find_unscored("unjudged", ranked, first, unscored, {"official": official}),
        find_unscored("failed", ranked, first, failed, {}),
        find_rightful(ranked),
    ]
    # The most serious card alone has a warning
    known = [finding for finding in found if finding]
    worrying = [code for code in CARDS if any(one.warning for one in known if one.code == code)]
    return [replace(one, warning=one.code in worrying[:1]) for one in known]


def choose_scale(first: Measure, board: pl.DataFrame) -> dict[str, Any]:
    """Return how scores of a measure are written: in percent, or with a number of decimals."""
    if first.is_share:
        return {"percent": True, "digits": 1}
    most, n = board[first.id].abs().max() or 0, board["n"].max() if "n" in board.columns else FEW
    return {"percent": False, "digits": 1 if most >= 10 else 2 if (n or 0) < FEW else 3}  # type: ignore[operator]


def list_leads(
    run: str, ranked: pl.DataFrame, first: Measure, comparison: Comparison
) -> pl.DataFrame:
    """Return how far a run is ahead of each other ranked run: run, low, high, p and whether the two
    are tied."""
    a, b = pl.col("a"), pl.col("b")
    if comparison.pairs is None:
        return pl.DataFrame(schema={"run": pl.String, "tied": pl.Boolean})
    sign = pl.when((a == run) == first.higher_is_better).then(1).otherwise(-1)
    ends = [sign * pl.col("lower"), sign * pl.col("upper")]
    found = comparison.pairs.filter((a == run) | (b == run)).select(
        run=pl.when(a == run).then(b).otherwise(a),
        low=pl.min_horizontal(ends),
        high=pl.max_horizontal(ends),
        p="p_maxt",
        tied=pl.col("p_maxt") > comparison.level,
    )
    return ranked.select("run").join(found, on="run", maintain_order="left")


def find_leader(ranked: pl.DataFrame, first: Measure, comparison: Comparison) -> Finding:
    """Find who has the best score, and who is not significantly different or comes next."""
    top, best = ranked.row(0, named=True), ranked.filter(pl.col("rank") == 1)["run"].to_list()
    score = {"measure": first.id, "top": top[first.id], **choose_scale(first, ranked)}
    score["level"] = comparison.level
    if ranked.height == 1:
        low, high = map(top.get, boards.columns(first.id, boards.INTERVAL))
        return Finding("single", {"run": best[0], **score, "low": low, "high": high})
    second = ranked.row(1, named=True)
    pairs = {row["run"]: row for row in list_leads(best[0], ranked, first, comparison).to_dicts()}
    next_one = pairs.get(second["run"], {})
    values = {
        "best": best,
        **score,
        "highest": first.higher_is_better,
        "tied": [run for run, row in pairs.items() if row["tied"] and run not in best],
        "others": ranked.height - len(best),
        "second": second["run"],
        "gap": abs(top[first.id] - second[first.id]),
        **{name: next_one.get(name) for name in ("low", "high", "p")},
        "paired": comparison.paired,
        "runs": ranked.height,
    }
    return Finding("leader", values)


def sum_outcomes(ranked: pl.DataFrame, task: Task) -> pl.DataFrame | None:
    """Return correct, unanswered, wrong, rightful and n by run; null where the counts of some run
    do not tell.

    rightful: the part of the correct responses that are abstentions on questions without an answer.
    """
    there = {
        verdict: [it for it in part if it in ranked.columns and not ranked[it].null_count()]
        for verdict, part in task.outcomes.items()
    }
    if not there["correct"] or not there["wrong"]:
        return None
    sums = {verdict: pl.sum_horizontal(pl.lit(0.0), *names) for verdict, names in there.items()}
    rightful = pl.col("n_rightful").fill_null(0) if "n_rightful" in ranked.columns else pl.lit(0.0)
    made = ranked.select("run", **sums, rightful=rightful)
    return made.with_columns(n=pl.sum_horizontal("correct", "unanswered", "wrong"))


def find_unanswered(
    ranked: pl.DataFrame, counts: pl.DataFrame, task: Task, first: Measure
) -> Finding:
    """Find whether unanswered questions decide who is first: by c@1 if the first measure is
    accuracy, else by accuracy."""
    if ranked.height == 1:
        return Finding("counts", {**counts.row(0, named=True), "unit": task.unit})
    other = "c@1" if first.id == "accuracy" else "accuracy"
    share, left = (pl.col(name) / pl.col("n") for name in ("correct", "unanswered"))
    by = share * (1 + left) if other == "c@1" else share
    scores = counts.with_columns(
        by=pl.when(pl.col("n") > 0).then(by).fill_null(0.0), best=ranked["rank"] == 1
    ).sort("by", descending=True)
    scores = scores.with_columns(would=pl.col("by") > pl.col("by").max() - TIE)
    top, own = scores.row(0, named=True), scores.filter("best")
    overtaken, changes = (
        own.filter(~pl.col("would"))["by"],
        (scores["best"] != scores["would"]).any(),
    )
    with_some = counts.filter(pl.col("unanswered") > 0).height
    answered = top["n"] - top["unanswered"] - top["rightful"]
    values = {
        "with_some": with_some,
        "runs": ranked.height,
        "unit": task.unit,
        "rightful": bool((counts["rightful"] > 0).any()),
        "measure": other,
        "changes": with_some > 0 and changes,
        "leaders": scores.filter("would")["run"].to_list(),
        "top": top["by"],
        "score_of_first": (overtaken if overtaken.len() else own["by"]).max(),
        "coverage": answered / top["n"] if top["n"] else None,
    }
    return Finding("unanswered", values, warning=values["changes"])


def find_worth(ranked: pl.DataFrame, counts: pl.DataFrame) -> Finding | None:
    """Find how many runs score below never answering where a wrong answer costs what a correct one
    gains.

    Never answering has those questions correct that have no answer.
    """
    if not (counts["n"] > 0).all():
        return None
    gain = (pl.col("correct") - pl.col("wrong")) / pl.col("n")
    if "n_unanswerable" in ranked.columns:
        none = ranked.select(pl.when(pl.col("n") > 0).then(pl.col("n_unanswerable") / pl.col("n")))
        gain -= none.to_series().fill_null(0.0)
    below, above = counts.filter(gain < -TIE)["run"].to_list(), counts.filter(gain > TIE).height
    values = {"below": below, "above": above, "runs": ranked.height}
    return Finding("worth", values, warning=ranked["run"][0] in below)


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
        **choose_scale(first, ranked),
        **find_threshold(comparison.needed, ranked[first.id]),
    }
    tied = list_leads(ranked["run"][0], ranked, first, comparison)["tied"].any()
    return Finding("order", values, warning=tied)


def find_threshold(needed: pl.DataFrame | None, scores: pl.Series) -> dict[str, Any]:
    """Return the smallest difference that these questions reliably show, `required`, and what
    holds.

    `holds` is one of "any" (even small differences hold), "none" (any difference may reverse) and
    "above" (those above `required` hold); "" where that is not known. It is drawn from the runs
    themselves, so that it says nothing where all of them are farther apart.
    """
    unknown = {"holds": "", "required": None}
    if needed is None or not needed["questions"].count():
        return unknown
    n, required = needed.select("n", "required_difference").row(0)
    if required is None:
        return {"holds": "none", "required": None}
    high = needed.filter(pl.col("questions").is_not_null(), pl.col("upper") <= n)[
        "difference"
    ].min()
    nearest = scores.drop_nulls().sort().diff().min()
    if high is not None and (nearest is None or nearest >= max(required, high)):
        return unknown
    return {"holds": "above" if required else "any", "required": required}


def find_unscored(
    code: str, ranked: pl.DataFrame, first: Measure, taken: str | None, more: dict[str, Any]
) -> Finding | None:
    """Find how many responses have no (official) verdict, or on how many systems failed, and how
    far these could move a score.

    taken: what they count as. Null where there are none, or where that is not known.
    """
    count = UNSCORED[code]
    some = ranked.filter(pl.col(count) > 0) if count in ranked.columns else ranked.head(0)
    if taken is None or some.is_empty():
        return None
    ends = {"fewest": some[count].min(), "most": some[count].max()}
    values = {**ends, "runs_with": some.height, "runs": ranked.height, "taken": taken, **more}
    if code == "failed" and "n_unscored" in some.columns:  # else the range is said of both
        some = some.filter(pl.col("n_unscored").fill_null(0) == 0)
    return Finding(code, values | find_reach(some, ranked, first, choose_scale(first, ranked)))


def find_reach(
    some: pl.DataFrame, ranked: pl.DataFrame, first: Measure, scale: dict[str, Any]
) -> dict[str, Any]:
    """Return which of some runs has a score that unscored responses could move out of its interval,
    and the ends.

    It is the one that they could put farthest ahead of all others, `overtakes`, else the best of
    them; run: null if none.
    """
    bounds, ends = (boards.columns(first.id, both) for both in (boards.BOUNDS, boards.INTERVAL))
    if not {*bounds} <= {*some.columns}:
        return {"run": None}
    least, most = pl.min_horizontal(bounds), pl.max_horizontal(bounds)
    low, high = (pl.col(end) if end in some.columns else pl.lit(None) for end in ends)
    within = ((least > low - TIE) & (most < high + TIE)).fill_null(False)
    moved = some.filter(most - least > TIE, ~within)
    if moved.is_empty():
        return {"run": None}
    best, worst = (most, least) if first.higher_is_better else (-least, -most)
    behind = (pl.col(first.id) - ranked[first.id][0]).abs() > TIE
    ahead = moved.filter(behind, best > ranked.select(worst.max()).item() + TIE)
    ahead = ahead.sort(best, descending=True, maintain_order=True)
    top = (moved if ahead.is_empty() else ahead).row(0, named=True)
    return {
        "run": top["run"],
        "overtakes": not ahead.is_empty(),
        "measure": first.id,
        **dict(zip(("low", "high"), sorted(top[end] for end in bounds), strict=True)),
        "failed": bool(top.get("n_error") and top.get("n_unscored")),
        "ruled": bool(top.get("n_by_rule")),
        **scale,
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
