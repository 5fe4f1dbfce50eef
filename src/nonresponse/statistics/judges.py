"""How each judge compares with the official assessor: on responses, and in its rankings.

Compared are the responses that were to be judged (agreement.select_judgeable). A judge *failed* on
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
from nonresponse.settings import Settings
from nonresponse.statistics import corrections, gold_sample, judged_pairs, rankings
from nonresponse.statistics.agreement import cohen_kappa, compute_share, select_judgeable
from nonresponse.statistics.analyses import Inputs
from nonresponse.statistics.outcomes import (
    Outcomes,
    full_scores,
    mark_unscored,
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
COMPARED_RUNS = {"judge": pl.String, "run": pl.String, **COMPARED}
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
JUDGES: dict[str, Any] = {
    "judge": pl.String,
    **COMPARED,
    **gold_sample.SAMPLING,
    **RANKED,
    # true: scores are left uncorrected because responses are correlated
    # (gold_sample.are_correlated); null otherwise
    "alike": pl.Boolean,
    # Whether the official verdicts are a vote in which it has a voice; null = they are not
    "votes": pl.Boolean,
}


class Panel(NamedTuple):
    """What a campaign's judges judged, and how they are compared."""

    verdicts: Path
    official: str
    trivial: tuple[str, ...]
    unjudged: dict[str, list[str]]  # runs of which a judge judged nothing, by judge
    clusters: dict[str, str]  # by question
    correlated: bool  # gold_sample.are_correlated
    voted: bool  # whether the official verdicts are a vote of the judges
    settings: Settings


def summarise(inputs: Inputs, task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return JUDGES, COMPARED_RUNS, corrections.CORRECTED and judged_pairs.PAIRS.

    The first measure that is not merely descriptive ranks the runs. A single assessor has no rows.
    """
    [verdicts], compared = inputs.verdicts, inputs.tables("comparisons")
    pairs = [tables.make_empty(judged_pairs.PAIRS)]
    voted = bool(settings.get("vote"))
    clusters, trivial = read_clusters(inputs.clusters), tasks.get(task).trivial
    records = (measures.get(task, id) for id in settings["measures"])
    measure = next((measure for measure in records if not measure.descriptive), None)
    store = read_verdicts(verdicts)
    if len(store.assessors) == 1:
        return [*map(tables.make_empty, (JUDGES, COMPARED_RUNS, corrections.CORRECTED)), *pairs]
    official = store.official(settings.get("official"))
    cases = cross_verdicts(verdicts, official, trivial)
    judges = sorted({*cases["judge"]} - {official})
    correlated = gold_sample.are_correlated(verdicts, official, trivial, clusters)
    panel = Panel(
        verdicts, official, trivial, find_unjudged(cases), clusters, correlated, voted, settings
    )
    significant, rows = None, []
    if measure and measure.id in compared:
        table = compared[measure.id].filter(pl.col("p_maxt") <= settings["level"])
        significant = set(map(frozenset, table.select("a", "b").rows()))
    uncorrectable = [official]
    for judge in [official, *judges]:
        part = cases.filter(pl.col("judge") == judge)
        row = {"judge": judge} | compare(part, judge == official)
        if judge != official:
            row["votes"] = voted or None
            if corrections.is_partly_judged(part):
                columns, pairs_of_judge = correct_pairs(panel, judge)
                row |= columns
                if pairs_of_judge is None:
                    uncorrectable.append(judge)
                else:
                    pairs.append(pairs_of_judge)
            if measure:
                row |= compare_rankings(panel, measure, judge, significant)
        rows.append(row | {"unjudged": len(panel.unjudged.get(judge, []))})
    corrected = tables.make_empty(corrections.CORRECTED)
    if {*cases["judge"]} - {*uncorrectable} and not correlated:
        cases_by_state = cross_verdicts(verdicts, official, trivial, separates_rightful=True)
        partly = cases_by_state.filter(~pl.col("judge").is_in(uncorrectable))
        present, key = gold_sample.select_responses(verdicts, trivial)
        asked, _ = gold_sample.select_responses(verdicts, trivial, missing=True)
        judgeable = select_judgeable(present, key)
        certain = corrections.count_certain(asked, judgeable, official, key)
        policy, level = settings["policy"], settings["level"]
        corrected = corrections.correct_scores(partly, certain, policy, level, task)
    runs = compare_runs(cases, official)
    return [pl.DataFrame(rows, JUDGES), runs, corrected, pl.concat(pairs)]


def correct_pairs(panel: Panel, judge: str) -> tuple[dict, pl.DataFrame | None]:
    """Return gold_sample.SAMPLING and `alike`, and judged_pairs.PAIRS, of a judge of whose
    responses some are judged officially.

    No pairs where these cannot correct anything: they were chosen, or the official judgments are a
    vote.
    """
    settings = panel.settings
    states = corrections.map_states(settings["policy"])
    pairs = gold_sample.pair_states(panel.verdicts, judge, panel.official, panel.trivial, states)
    row: dict[str, Any] = dict(gold_sample.test_draw(pairs))
    chosen_p = row["chosen_p"]
    if panel.voted or (chosen_p is not None and chosen_p <= gold_sample.LARGEST_P):
        return row, None
    row["alike"] = panel.correlated or None
    ids = settings["measures"]
    return row, judged_pairs.compare_runs(pairs, judge, ids, panel.clusters, settings)


def pair_outcomes(panel: Panel, measure: measures.Measure, judge: str) -> tuple[Outcomes, Outcomes]:
    """Return the outcomes under a judge and officially, for what both judged."""
    policy = panel.settings["policy"] | {"unscored": "exclude"}
    names = (judge, panel.official)
    store = pair_verdicts(read_verdicts(panel.verdicts), *names)
    excluded = [*panel.trivial, *(run for name in names for run in panel.unjudged.get(name, []))]
    theirs, ours = (
        select_samples(store, name, excluded).outcomes(measure, policy, panel.clusters)
        for name in names
    )
    runs = [run for run in theirs.runs if run in {*ours.runs}]
    theirs = select_rows(theirs, [theirs.runs.index(run) for run in runs])
    return theirs, select_rows(ours, [ours.runs.index(run) for run in runs])


def cross_verdicts(
    verdicts: Path, official: str, trivial: tuple[str, ...] = (), separates_rightful: bool = False
) -> pl.DataFrame:
    """Return judge, run, theirs, ours (both verdicts) and responses: how many have them.

    A row for each combination that occurs, sorted. The official assessor is a judge, too. The
    trivial runs stay out. A rightful abstention is unanswered, or corrections.RIGHTFUL_VERDICT.
    """
    rows, key = gold_sample.select_responses(verdicts, trivial)
    rows = select_judgeable(rows, key)
    if separates_rightful:
        rows = rows.with_columns(verdict=corrections.name_verdicts(rows))
    rows = rows.rename({"assessor": "judge", "verdict": "theirs"})
    is_official = pl.col("judge") == official
    ours = rows.filter(is_official).with_columns(ours="theirs")
    theirs = rows.filter(~is_official).join(ours.select(*key, "ours"), on=key, how="left")
    names = ["judge", "run", "theirs", "ours"]
    cases = pl.concat([ours.select(names), theirs.select(names)])
    cases = cases.with_columns(pl.col("ours").fill_null("unscored"))
    return cases.group_by(names).agg(responses=pl.len().cast(pl.Int64)).sort(names).collect()


def pair_verdicts(store: Verdicts, judge: str, official: str) -> Verdicts:
    """Return the verdicts of judge and official assessor, unscored where either is."""
    indexes = [store.assessors.index(name) for name in (judge, official)]
    planes = {name: p if len(p) == 1 else p[indexes] for name, p in store.planes.items()}
    pair = replace(store, assessors=[judge, official], codes=store.codes[indexes], planes=planes)
    is_unscored = store.table(["verdict = 'unscored'"])[0] > 0
    return mark_unscored(pair, is_unscored[pair.codes].any(axis=0))


def compare(cases: pl.DataFrame, official: bool) -> dict:
    """Return COMPARED of the rows of one judge; official: whether it is the official assessor."""
    counts, failed, failed_compared = Counter[tuple[str, str]](), 0, 0
    for theirs, ours, number in cases.select("theirs", "ours", "responses").iter_rows():
        if "unscored" not in (theirs, ours):
            counts[theirs, ours] += number
        failed += number * (theirs == "unscored")
        failed_compared += number * (theirs == "unscored" != ours)
    judgments, n = cases["responses"].sum() - failed, counts.total()
    row = dict.fromkeys(COMPARED) | {"judged": judgments, "failed": failed, "compared": 0}
    if official or not n:
        return row
    agreed = sum(number for (theirs, ours), number in counts.items() if theirs == ours)
    row |= {"compared": n, "agreement": agreed / n, "kappa": cohen_kappa(counts)}
    if failed_compared:
        largest = n + failed_compared
        row["agreement_worst"] = agreed / largest
        row["agreement_best"] = (agreed + failed_compared) / largest
    square = Counter[tuple[bool, bool]]()  # officially correct, and called correct
    for (theirs, ours), number in counts.items():
        square[ours == "correct", theirs == "correct"] += number
    right, missed = square[True, True], square[True, False]
    spoiled, wrong = square[False, True], square[False, False]
    row["sensitivity"] = compute_share(right, missed + right)
    row["specificity"] = compute_share(wrong, wrong + spoiled)
    return row | {"leniency": (spoiled - missed) / n}


def compare_runs(cases: pl.DataFrame, official: str) -> pl.DataFrame:
    """Return COMPARED_RUNS: the official assessor first, then the others, by name; runs by name."""
    cases = cases.sort(pl.col("judge") != official, "judge", "run")
    parts = cases.partition_by("judge", "run", as_dict=True, maintain_order=True)
    rows = [
        {"judge": judge, "run": run} | compare(part, judge == official)
        for (judge, run), part in parts.items()
    ]
    return pl.DataFrame(rows, COMPARED_RUNS)


def find_unjudged(cases: pl.DataFrame) -> dict[str, list[str]]:
    """Return the runs of which a judge judged nothing at all, by judge: it cannot rank them."""
    unscored = (pl.col("theirs") == "unscored").all()
    unjudged = cases.group_by("judge", "run").agg(unscored=unscored).filter("unscored")
    return dict(unjudged.group_by("judge").agg(pl.col("run").sort()).iter_rows())


def compare_rankings(
    panel: Panel, measure: measures.Measure, judge: str, significant: set[frozenset[str]] | None
) -> dict:
    """Return RANKED but `unjudged`, of one judge and the official assessor.

    `significant` are the pairs of runs that differ significantly, None = not compared.
    """
    theirs, ours = pair_outcomes(panel, measure, judge)
    x, y = full_scores(theirs), full_scores(ours)
    compared, rows = rankings.compare(x, y, y), rankings.choose_runs(x, y)
    row = {"measure": ours.measure.id, "runs": compared["runs"], "tau": compared["tau"]}
    swaps = rows[np.argwhere(rankings.find_swapped(x[rows], y[rows]))].tolist()
    pairs = {frozenset((ours.runs[i], ours.runs[j])) for i, j in swaps}
    differing = pairs & (significant or set())
    row["swaps"] = len(pairs)
    row["swaps_significant"] = None if significant is None else len(differing)
    row["swapped"] = sorted(" – ".join(sorted(pair)) for pair in differing) or None
    return row
