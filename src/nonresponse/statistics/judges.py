"""How each judge, a person or a model, compares with the official assessor: on single responses,
and in its rankings.

What is compared are the responses that were to be judged (agreement.to_judge). A judge *failed* on
one of them where its own verdict is `unscored`.
"""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from nonresponse import measures, tables, tasks
from nonresponse.judging.store import Verdicts, read_verdicts
from nonresponse.judging.votes import held
from nonresponse.settings import Settings
from nonresponse.statistics import corrections, gold_sample, judged_pairs, rankings
from nonresponse.statistics.agreement import cohen_kappa, share, to_judge
from nonresponse.statistics.analyses import Inputs
from nonresponse.statistics.outcomes import (
    Outcomes,
    full_scores,
    read_clusters,
    select_rows,
    select_samples,
)

COMPARED = {
    "judged": pl.Int64,  # responses
    "failed": pl.Int64,  # that the judge was to judge but has no verdict on
    # With the official verdicts; 0 for the official assessor; all that follows is null then
    "compared": pl.Int64,
    "agreement": pl.Float64,  # share with the same verdict
    # If every failed judgment were a disagreement; null if none failed
    "agreement_worst": pl.Float64,
    "agreement_best": pl.Float64,  # if every failed judgment were an agreement
    "kappa": pl.Float64,  # Cohen's, of the verdicts
    "sensitivity": pl.Float64,  # share called correct of those that officially are; null = none are
    "specificity": pl.Float64,  # share not called correct of those that officially are not
    "leniency": pl.Float64,  # share that the judge calls correct, less the share that officially is
}
BY_RUN = {"judge": pl.String, "run": pl.String, **COMPARED}
RANKED: dict[str, Any] = {
    "measure": pl.String,  # by which the runs are ranked
    "runs": pl.Int64,  # that both rank
    # Runs of which the judge judged nothing, and which it therefore does not rank
    "unjudged": pl.Int64,
    # Kendall's tau-b with the official ranking; null where one of the two ranks nothing
    "tau": pl.Float64,
    "swaps": pl.Int64,  # pairs of runs that are in the other order
    # Of these, how many differ under the official judgments; null = not compared
    "swaps_significant": pl.Int64,
    "swapped": tables.NAMES,  # which these are, each as "a – b"; null = none
}
JUDGES: dict[str, Any] = {"judge": pl.String, **COMPARED, **gold_sample.DRAWN, **RANKED}
# true: scores are left uncorrected because responses are correlated (gold_sample.are_alike); null
# otherwise.
JUDGES |= {"alike": pl.Boolean}
# Whether the official verdicts are a vote in which it has a voice; null = they are not
JUDGES |= {"votes": pl.Boolean}


class Judged(NamedTuple):
    """What a campaign's judges judged, and how they are compared."""

    verdicts: Path
    official: str
    trivial: tuple[str, ...]
    nothing: dict[str, list[str]]  # runs of which a judge judged nothing, by judge
    of_questions: dict[str, str]  # the clusters, by question
    alike: bool  # gold_sample.are_alike
    voted: bool  # whether the official verdicts are a vote of the judges
    settings: Settings


def summarise(given: Inputs, task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return JUDGES, the official assessor first; BY_RUN; corrections.CORRECTED; and
    judged_pairs.PAIRS.

    The first measure that is not merely descriptive ranks the runs.
    """
    [verdicts], compared = given.verdicts, given.tables("comparisons")
    voted, of_questions = (
        held(settings.get("vote"), given.vote_tables),
        read_clusters(given.clusters),
    )
    trivial = tasks.get(task).trivial
    measure = next(
        (it for id in settings["measures"] if not (it := measures.get(task, id)).descriptive), None
    )
    official = read_verdicts(verdicts).official(settings.get("official"))
    cases = cross_verdicts(verdicts, official, trivial)
    several = cases["judge"].n_unique() > 1
    alike = several and gold_sample.are_alike(verdicts, official, trivial, of_questions)
    judged = Judged(
        verdicts, official, trivial, find_unjudged(cases), of_questions, alike, voted, settings
    )
    apart, rows, pairs = None, [], dict[str, pl.DataFrame | None]()
    if several and measure and measure.id in compared:
        significant = compared[measure.id].filter(pl.col("p_maxt") <= settings["level"])
        apart = set(map(frozenset, significant.select("a", "b").rows()))
    for judge in judges_in(cases, official):
        own = cases.filter(pl.col("judge") == judge)
        row = {"judge": judge} | compare(own, judge == official)
        if judge != official:
            row["votes"] = voted or None
            if corrections.in_part(own):
                of_gold, pairs[judge] = beside_gold(judged, judge)
                row |= of_gold
            if measure:
                row |= compare_rankings(judged, measure, judge, apart)
        rows.append(row | {"unjudged": len(judged.nothing.get(judge, []))})
    refused = [judge for judge, its in pairs.items() if its is None]
    partly = cases.filter(~pl.col("judge").is_in([official, *refused]))
    corrected = tables.empty(corrections.CORRECTED)
    if partly.height and not alike:
        certain, policy = never_judged(verdicts, official, trivial), settings["policy"]
        corrected = corrections.corrected_scores(partly, certain, policy, settings["level"], task)
    known = [tables.empty(judged_pairs.PAIRS), *(its for its in pairs.values() if its is not None)]
    return [pl.DataFrame(rows, JUDGES), by_run(cases, official), corrected, pl.concat(known)]


def beside_gold(judged: Judged, judge: str) -> tuple[dict, pl.DataFrame | None]:
    """gold_sample.DRAWN and `alike`, and judged_pairs.PAIRS, of a judge of whose responses some are
    judged officially.

    No pairs where these cannot correct anything: they were chosen, or the official judgments are a
    vote.
    """
    settings, states = judged.settings, corrections.state_of(judged.settings["policy"])
    both = gold_sample.paired_states(
        judged.verdicts, judge, judged.official, judged.trivial, states
    )
    row: dict[str, Any] = dict(gold_sample.test_draw(both))
    if judged.voted or gold_sample.was_chosen(row):
        return row, None
    row["alike"] = judged.alike or None
    return row, judged_pairs.compare_runs(
        both, judge, settings["measures"], judged.of_questions, settings
    )


def outcomes_of_both(
    judged: Judged, measure: measures.Measure, judge: str
) -> tuple[Outcomes, Outcomes]:
    """Return the outcomes under a judge and under the official assessor, for the runs and responses
    that both judged."""
    policy = judged.settings["policy"] | {"unscored": "exclude"}
    store, official = read_verdicts(judged.verdicts), judged.official
    both = pair_verdicts(store, judge, official)
    without = [*judged.trivial, *judged.nothing.get(judge, []), *judged.nothing.get(official, [])]
    theirs, ours = (
        select_samples(both, name, without).outcomes(measure, policy, judged.of_questions)
        for name in (judge, official)
    )
    runs = [run for run in theirs.runs if run in {*ours.runs}]
    first, second = (
        select_rows(each, [each.runs.index(run) for run in runs]) for each in (theirs, ours)
    )
    return first, second


def cross_verdicts(verdicts: Path, official: str, trivial: tuple[str, ...] = ()) -> pl.DataFrame:
    """judge, run, theirs, ours (verdicts; ours is the official one) and responses: how many have
    these two verdicts.

    A row for each combination that occurs, sorted; the official assessor is a judge, too. The
    trivial runs stay out.
    """
    if len((store := read_verdicts(verdicts)).assessors) == 1:
        return of_one_judge(store, trivial)
    rows, key = gold_sample.responses(verdicts, trivial)
    rows = to_judge(rows, key)
    own = rows.filter(pl.col("assessor") == official).with_columns(ours="verdict")
    others = rows.filter(pl.col("assessor") != official).join(
        own.select(*key, "ours"), on=key, how="left"
    )
    both = pl.concat([own.select(others.collect_schema().names()), others])
    both = both.with_columns(pl.col("ours").fill_null("unscored"))
    names = ["judge", "run", "theirs", "ours"]
    both = both.rename({"assessor": "judge", "verdict": "theirs"})
    return both.group_by(names).agg(responses=pl.len().cast(pl.Int64)).sort(names).collect()


def of_one_judge(store: Verdicts, trivial: tuple[str, ...]) -> pl.DataFrame:
    """Return what `crossed` returns of a single assessor, who judged what is neither unanswered nor
    failed."""
    answered = "verdict NOT IN ('unanswered', 'error')" + " AND NOT rightful" * (
        "rightful" in store.columns
    )
    [judged] = store.table([f"compared AND NOT missing AND {answered}"]) > 0
    of_runs = [np.bincount(codes, minlength=len(judged)) for codes in store.codes[0]]
    number = np.reshape(of_runs, (len(store.runs), len(judged)))
    run, code = np.nonzero(number * judged)
    verdict = store.cases["verdict"].cast(pl.String).gather(code)
    names = {"judge": store.assessors[0], "run": pl.Series(store.runs, dtype=pl.String).gather(run)}
    cases = pl.DataFrame(
        {**names, "theirs": verdict, "ours": verdict, "responses": number[run, code]}
    )
    own, keys = cases.filter(~pl.col("run").is_in(trivial)), cases.columns[:-1]
    return own.group_by(keys).agg(pl.sum("responses")).sort(keys)


def never_judged(verdicts: Path, official: str, trivial: tuple[str, ...]) -> pl.DataFrame:
    """corrections.certain_of these verdicts."""
    rows, key = gold_sample.responses(verdicts, trivial)
    every, _ = gold_sample.responses(verdicts, trivial, missing=True)
    return corrections.certain_of(every, to_judge(rows, key), official, key)


def pair_verdicts(store: Verdicts, judge: str, official: str) -> Verdicts:
    """Return the verdicts of the judge and the official assessor, unscored under both where they
    are under either."""
    places, number = [store.assessors.index(name) for name in (judge, official)], store.cases.height
    codes = store.codes[places]
    is_unscored = (store.cases["verdict"] == "unscored").fill_null(False).to_numpy()
    lacking = is_unscored[codes].any(axis=0) & (codes > 0)
    unscored = pl.when(pl.col("verdict").is_not_null()).then(pl.lit("unscored"))
    cases = [store.cases, store.cases.with_columns(verdict=unscored)]
    planes = store.planes.items()
    return replace(
        store,
        assessors=[judge, official],
        cases=pl.concat(cases, how="vertical_relaxed"),
        codes=(codes + lacking * number).astype(np.min_scalar_type(2 * number)),
        planes={name: plane if len(plane) == 1 else plane[places] for name, plane in planes},
    )


def compare(cases: pl.DataFrame, own: bool) -> dict:
    """Return COMPARED, from rows of `crossed` of one judge; own: whether it is the official
    assessor."""
    known, failed, left = Counter[tuple[str, str]](), 0, 0
    for theirs, ours, number in cases.select("theirs", "ours", "responses").iter_rows():
        if "unscored" not in (theirs, ours):
            known[theirs, ours] += number
        failed += number * (theirs == "unscored")
        left += number * (theirs == "unscored" != ours)
    judged, n = cases["responses"].sum() - failed, known.total()
    row = dict.fromkeys(COMPARED) | {"judged": judged, "failed": failed, "compared": 0}
    if own or not n:
        return row
    same = sum(number for (theirs, ours), number in known.items() if theirs == ours)
    row |= {"compared": n, "agreement": same / n, "kappa": cohen_kappa(known)}
    if left:
        row |= {"agreement_worst": same / (n + left), "agreement_best": (same + left) / (n + left)}
    square = Counter[tuple[bool, bool]]()  # officially correct, and called correct
    for (theirs, ours), number in known.items():
        square[ours == "correct", theirs == "correct"] += number
    right, missed = square[True, True], square[True, False]
    spoiled, wrong = square[False, True], square[False, False]
    row |= {"sensitivity": share(right, missed + right)}
    row |= {"specificity": share(wrong, wrong + spoiled)}
    return row | {"leniency": (spoiled - missed) / n}


def judges_in(cases: pl.DataFrame, official: str) -> list[str]:
    """Return the judges, the official one first."""
    return [official, *[name for name in cases["judge"].unique().sort() if name != official]]


def by_run(cases: pl.DataFrame, official: str) -> pl.DataFrame:
    """Return BY_RUN: the official assessor first, then the others, by name; runs by name."""
    failures = pl.col("responses").filter(pl.col("theirs") == "unscored").sum()
    own = cases.filter(judge=official).group_by("judge", "run")
    ours = own.agg(judged=pl.col("responses").sum() - failures, failed=failures, compared=0)
    others = cases.filter(pl.col("judge") != official).sort("judge", "run")
    parts = others.partition_by("judge", "run", as_dict=True, maintain_order=True)
    rows = [
        {"judge": judge, "run": run} | compare(part, False) for (judge, run), part in parts.items()
    ]
    return pl.DataFrame([*ours.sort("run").to_dicts(), *rows], BY_RUN)


def find_unjudged(cases: pl.DataFrame) -> dict[str, list[str]]:
    """Return the runs of which a judge judged nothing at all, by judge: it cannot rank them."""
    nothing = (pl.col("theirs") == "unscored").all()
    of_runs = cases.group_by("judge", "run").agg(none=nothing).filter("none")
    return dict(of_runs.group_by("judge").agg(pl.col("run").sort()).iter_rows())


def compare_rankings(
    judged: Judged, measure: measures.Measure, judge: str, apart: set[frozenset[str]] | None
) -> dict:
    """RANKED but `unjudged`, of one judge beside the official assessor.

    `apart` are the pairs of runs that differ significantly, None = not known.
    """
    theirs, ours = outcomes_of_both(judged, measure, judge)
    x, y = full_scores(theirs), full_scores(ours)
    compared = rankings.compare(x, y, y)
    row = dict.fromkeys(RANKED) | {"measure": ours.measure.id}
    row |= {name: compared[name] for name in ("runs", "tau")}
    swapped = np.argwhere(rankings.find_swapped(x, y)).tolist()
    pairs = {frozenset((ours.runs[i], ours.runs[j])) for i, j in swapped}
    row |= {"swaps": len(pairs), "swaps_significant": None if apart is None else len(pairs & apart)}
    named = sorted(" – ".join(sorted(pair)) for pair in pairs & (apart or set()))
    return row | {"swapped": named or None}
