"""Headline findings: the leader, its margin, who is tied with it, and the effect of unanswered
questions.

A finding has a code and values; `sentences.py` has the sentence of each code, and nothing reads a
sentence back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from nonresponse import boards
from nonresponse.measures import Measure
from nonresponse.scoring.leaderboard import TIE
from nonresponse.tasks import Task

LEVEL = 0.05  # of intervals, where the campaign names none
# Codes of the findings that have a card on the page, the most serious first: the leader is below
# never answering, tied, or not first by accuracy.
CARDS = ("worth", "order", "unanswered")
# Verdicts of which a policy says what they count as, by the code of the finding
UNCOUNTED = {"unjudged": "unscored", "failed": "error", "partly": "partial"}


@dataclass(frozen=True)
class Finding:
    """One statement on a campaign. `values` are those of its sentence."""

    code: str
    values: dict[str, Any]
    warning: bool = False


@dataclass(frozen=True)
class Comparison:
    """The pairs of runs by the first measure.

    Runs are compared question by question. Published counts allow intervals, but no tests.
    """

    pairs: pl.DataFrame | None = None  # a, b, difference (a - b), lower, upper, p_maxt
    paired: bool = True  # whether runs are compared question by question
    level: float = LEVEL
    needed: pl.DataFrame | None = None  # how many questions differences need


def list_findings(
    board: pl.DataFrame,
    task: Task,
    measure: Measure,
    comparison: Comparison,
    policy: Mapping[str, str],
    official: str | None = None,
) -> list[Finding]:
    """Return the findings of a leaderboard by its first measure, in the order of the page.

    The policy says what the verdicts UNCOUNTED count as. It is empty where nobody judged any
    response. `official` is the assessor, where there are several.
    """
    if measure.descriptive:
        scored = board.filter(~pl.col("trivial")).sort(measure.id, "run", nulls_last=True)
        runs, has_verdicts = scored.height, bool(policy)
        rows = scored.drop_nulls(measure.id).select("run", measure.id).rows() or [("", None)]
        values = {"measure": measure.id, "runs": runs, "judged": has_verdicts}
        values |= dict(zip(("least_run", "least"), rows[0], strict=True))
        values |= dict(zip(("most_run", "most"), rows[-1], strict=True))
        values |= choose_scale(measure, scored)
        description = [Finding("describes", values)] * (runs > 1 or not has_verdicts)
        return description + list_uncounted(scored, None, policy, official)
    ranked = board.filter(pl.col("rank").is_not_null())
    if ranked.is_empty():
        return []
    counts = sum_outcomes(ranked, task)
    candidates: list[Finding | None] = [find_leader(ranked, measure, comparison)]
    if counts is not None:
        candidates.append(find_unanswered(ranked, counts, task, measure))
        candidates.append(find_worth(ranked, counts) if task.unanswered_counts else None)
    candidates += [
        find_order(ranked, measure, comparison),
        *list_uncounted(ranked, measure, policy, official),
        find_rightful(ranked),
    ]
    findings = [finding for finding in candidates if finding]
    warnings = {finding.code for finding in findings if finding.warning}
    worst = next((code for code in CARDS if code in warnings), None)
    return [replace(finding, warning=finding.code == worst) for finding in findings]


def choose_scale(measure: Measure, board: pl.DataFrame) -> dict[str, Any]:
    """Return how scores of a measure are written: in percent, or with a number of decimals."""
    if measure.is_share:
        return {"percent": True, "digits": 1}
    highest, n = board[measure.id].abs().max() or 0, board["n"].max() if "n" in board else 0
    return {"percent": False, "digits": 1 if highest >= 10 else 2 if (n or 0) < 100 else 3}  # type: ignore[operator]


def list_leads(
    run: str, ranked: pl.DataFrame, measure: Measure, comparison: Comparison
) -> pl.DataFrame:
    """Return how far a run is ahead of each other ranked run: run, low, high, p, tied."""
    a, b = pl.col("a"), pl.col("b")
    if comparison.pairs is None:
        return pl.DataFrame(schema={"run": pl.String, "tied": pl.Boolean})
    sign = pl.when((a == run) == measure.higher_is_better).then(1).otherwise(-1)
    ends = [sign * pl.col("lower"), sign * pl.col("upper")]
    leads = comparison.pairs.filter((a == run) | (b == run)).select(
        run=pl.when(a == run).then(b).otherwise(a),
        low=pl.min_horizontal(ends),
        high=pl.max_horizontal(ends),
        p="p_maxt",
        tied=pl.col("p_maxt") > comparison.level,
    )
    return ranked.select("run").join(leads, on="run", maintain_order="left")


def find_leader(ranked: pl.DataFrame, measure: Measure, comparison: Comparison) -> Finding:
    """Find who has the best score, and who is not significantly different or comes next."""
    top, best = ranked.row(0, named=True), ranked.filter(pl.col("rank") == 1)["run"].to_list()
    score = {"measure": measure.id, "top": top[measure.id], **choose_scale(measure, ranked)}
    score["level"] = comparison.level
    if ranked.height == 1:
        low, high = map(top.get, boards.name_columns(measure.id, boards.INTERVAL))
        return Finding("single", {"run": best[0], **score, "low": low, "high": high})
    second = ranked.row(1, named=True)
    rows = list_leads(best[0], ranked, measure, comparison).to_dicts()
    leads = {row["run"]: row for row in rows}
    margin = leads.get(second["run"], {})
    values = {
        "best": best,
        **score,
        "highest": measure.higher_is_better,
        "tied": [run for run, lead in leads.items() if lead["tied"] and run not in best],
        "others": ranked.height - len(best),
        "second": second["run"],
        "gap": abs(top[measure.id] - second[measure.id]),
        **{name: margin.get(name) for name in ("low", "high", "p")},
        "paired": comparison.paired,
        "runs": ranked.height,
        "alone": comparison.paired and bool((ranked["n"] == 1).all()),
    }
    return Finding("leader", values)


def sum_outcomes(ranked: pl.DataFrame, task: Task) -> pl.DataFrame | None:
    """Return correct, unanswered, wrong, rightful and n by run, null where counts are missing.

    rightful: the part of the correct responses that are abstentions on questions without an answer.
    """
    parts = {
        verdict: [name for name in names if name in ranked and not ranked[name].null_count()]
        for verdict, names in task.outcomes.items()
    }
    if not parts["correct"] or not parts["wrong"]:
        return None
    sums = {verdict: pl.sum_horizontal(pl.lit(0.0), *names) for verdict, names in parts.items()}
    rightful = pl.col("n_rightful").fill_null(0) if "n_rightful" in ranked else pl.lit(0.0)
    return ranked.select("run", **sums, rightful=rightful).with_columns(
        n=pl.sum_horizontal("correct", "unanswered", "wrong")
    )


def find_unanswered(
    ranked: pl.DataFrame, counts: pl.DataFrame, task: Task, measure: Measure
) -> Finding:
    """Find whether unanswered questions decide who is first.

    If the first measure is accuracy, the runs are ranked by c@1 instead, else by accuracy.
    """
    if ranked.height == 1:
        return Finding("counts", {**counts.row(0, named=True), "unit": task.unit})
    other_id = "c@1" if measure.id == "accuracy" else "accuracy"
    correct, unanswered, n = (pl.col(name) for name in ("correct", "unanswered", "n"))
    score = correct / n * (1 + unanswered / n) if other_id == "c@1" else correct / n
    scores = counts.with_columns(
        score=pl.when(n > 0).then(score).fill_null(0.0), first=ranked["rank"] == 1
    ).sort("score", descending=True)
    scores = scores.with_columns(leads=pl.col("score") > pl.col("score").max() - TIE)
    top, first = scores.row(0, named=True), scores.filter("first")
    overtaken = first.filter(~pl.col("leads"))
    affected = counts.filter(unanswered > 0).height
    answers = top["n"] - top["unanswered"] - top["rightful"]
    values = {
        "with_some": affected,
        "runs": ranked.height,
        "unit": task.unit,
        "rightful": bool((counts["rightful"] > 0).any()),
        "measure": other_id,
        "changes": affected > 0 and (scores["first"] != scores["leads"]).any(),
        "leaders": scores.filter("leads")["run"].to_list(),
        "top": top["score"],
        "score_of_first": (overtaken if overtaken.height else first)["score"].max(),
        "coverage": answers / top["n"] if top["n"] else None,
    }
    return Finding("unanswered", values, warning=values["changes"])


def find_worth(ranked: pl.DataFrame, counts: pl.DataFrame) -> Finding | None:
    """Find how many runs score below never answering if a wrong answer costs a correct one.

    Never answering has those questions correct that have no answer.
    """
    if not (counts["n"] > 0).all():
        return None
    gain = (pl.col("correct") - pl.col("wrong")) / pl.col("n")
    if "n_unanswerable" in ranked:
        share = pl.when(pl.col("n") > 0).then(pl.col("n_unanswerable") / pl.col("n"))
        gain -= ranked.select(share.fill_null(0.0)).to_series()
    worse, better = counts.filter(gain < -TIE)["run"].to_list(), counts.filter(gain > TIE).height
    values = {"below": worse, "above": better, "runs": ranked.height}
    return Finding("worth", values, warning=ranked["run"][0] in worse)


def find_order(ranked: pl.DataFrame, measure: Measure, comparison: Comparison) -> Finding | None:
    """Find how many pairs of runs differ significantly, and which differences will hold."""
    if ranked.height == 1 or comparison.pairs is None or not comparison.paired:
        return None
    both_ranked = pl.all_horizontal(pl.col("a", "b").is_in(ranked["run"].implode()))
    p = comparison.pairs.filter(both_ranked)["p_maxt"].drop_nulls()
    values = {
        "pairs": p.len(),
        "all_pairs": ranked.height * (ranked.height - 1) // 2,
        "different": int((p <= comparison.level).sum()),
        **choose_scale(measure, ranked),
        **find_threshold(comparison.needed, ranked[measure.id]),
    }
    tied = list_leads(ranked["run"][0], ranked, measure, comparison)["tied"].any()
    return Finding("order", values, warning=tied)


def find_threshold(needed: pl.DataFrame | None, scores: pl.Series) -> dict[str, Any]:
    """Return `required`, the smallest difference that these questions reliably show, and `holds`.

    `holds` is one of "any" (even small differences seldom reverse), "none" (any difference may
    reverse) and "above" (those below `required` may); "" where that is not known. It is drawn from
    the runs themselves, so that it says nothing where all of them are farther apart. `few`: whether
    it is not about some runs, of few answers.
    """
    unknown = {"holds": "", "required": None, "few": False}
    if needed is None or not needed["questions"].count():
        return unknown
    n, required, left_out = needed.select("n", "required_difference", "left_out").row(0)
    if required is None:
        return unknown | {"holds": "none"}
    reliable = needed.filter(pl.col("questions").is_not_null(), pl.col("upper") <= n)
    high, nearest = reliable["difference"].min(), scores.drop_nulls().sort().diff().min()
    if high is not None and (nearest is None or nearest >= max(required, high)):
        return unknown
    return {"holds": "above" if required else "any", "required": required, "few": left_out > 0}


def list_uncounted(
    ranked: pl.DataFrame, measure: Measure | None, policy: Mapping[str, str], official: str | None
) -> list[Finding]:
    """Find how many responses of a table of runs have which of the verdicts UNCOUNTED, and how far
    those without a verdict, and failed ones, could move a score by a measure, if given."""
    found = []
    for code, verdict in UNCOUNTED.items():
        count = f"n_{verdict}"
        affected = ranked.filter(pl.col(count) > 0) if count in ranked else ranked.head(0)
        if verdict not in policy or affected.is_empty():
            continue
        values = {
            "fewest": affected[count].min(),
            "most": affected[count].max(),
            "runs_with": affected.height,
            "runs": ranked.height,
            "taken": policy[verdict],
            "official": official,
        }
        if code == "failed" and "n_unscored" in affected:  # else the range is said of both
            affected = affected.filter(pl.col("n_unscored").fill_null(0) == 0)
        reach: dict[str, Any] = {"run": None}
        if measure and code != "partly":
            reach = find_reach(affected, ranked, measure)
        found.append(Finding(code, values | reach))
    return found


def find_reach(affected: pl.DataFrame, ranked: pl.DataFrame, measure: Measure) -> dict[str, Any]:
    """Return which run unscored responses could move out of its interval, and how far.

    It is the one that they could put farthest ahead of all others, `overtakes`, else the best of
    them. `run` is null if there is none.
    """
    bounds = boards.name_columns(measure.id, boards.BOUNDS)
    interval = boards.name_columns(measure.id, boards.INTERVAL)
    if not {*bounds} <= {*affected.columns}:
        return {"run": None}
    minimum, maximum = pl.min_horizontal(bounds), pl.max_horizontal(bounds)
    low, high = (pl.col(end) if end in affected else pl.lit(None) for end in interval)
    within = ((minimum > low - TIE) & (maximum < high + TIE)).fill_null(False)
    movable = affected.filter(maximum - minimum > TIE, ~within)
    if movable.is_empty():
        return {"run": None}
    best, worst = (maximum, minimum) if measure.higher_is_better else (-minimum, -maximum)
    behind = (pl.col(measure.id) - ranked[measure.id][0]).abs() > TIE
    overtaking = movable.filter(behind, best > ranked.select(worst.max()).item() + TIE)
    overtaking = overtaking.sort(best, descending=True, maintain_order=True)
    top = (movable if overtaking.is_empty() else overtaking).row(0, named=True)
    return {
        "run": top["run"],
        "overtakes": not overtaking.is_empty(),
        "measure": measure.id,
        **dict(zip(("low", "high"), sorted(top[end] for end in bounds), strict=True)),
        "failed": bool(top.get("n_error") and top.get("n_unscored")),
        "ruled": bool(top.get("n_by_rule")),
        **choose_scale(measure, ranked),
    }


def find_rightful(ranked: pl.DataFrame) -> Finding | None:
    """Find how many of the unanswered questions have no answer, over all runs."""
    rightful, unjustified = (
        sum(ranked[name].fill_null(0)) if name in ranked else 0 for name in ("n_rightful", "n_u")
    )
    if not rightful:
        return None
    values = {"rightful": rightful, "unanswered": rightful + unjustified, "runs": ranked.height}
    return Finding("rightful", values)
