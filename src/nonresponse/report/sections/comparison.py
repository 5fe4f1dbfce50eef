"""Significance tests: which runs differ significantly."""

import polars as pl

from nonresponse.legible import short
from nonresponse.measures import get
from nonresponse.report.campaign import Campaign
from nonresponse.report.findings import Finding
from nonresponse.report.model import Section, tabulate
from nonresponse.report.sentences import render
from nonresponse.statistics.comparison import PARTS
from nonresponse.statistics.pairs import MAX_RUNS, MIN_ANSWERS, MIN_CLASS
from nonresponse.wording import (
    amount,
    format_level,
    format_rounded,
    format_signed,
    minus,
    plural,
    summarise_names,
)

FEWEST_CLUSTERS = 10  # with fewer, intervals and tests are rough
NO_INTERVAL = (
    "We give no interval and no test of {}: noise moves it in one direction, the more the fewer"
    " answers."
)
NO_TEST = "We give no test of {}: single questions do not tell how much it varies."
ABSTENTION = (
    "Differences in c@1 between the best run and the next ones that differ from it significantly,"
    " in two parts with intervals: by correct answers (times 1 + the mean share unanswered) and by"
    " abstention (times the mean share of correct answers). As these pairs were chosen by their"
    " difference, the true one may be smaller."
)


def make_section(campaign: Campaign) -> Section:
    """Return who differs by the first measure, and a table of abstention."""
    comparisons = campaign.read_by_measure("comparisons")
    intervals = campaign.read_by_measure("intervals")
    level, flips = campaign.settings["level"], campaign.settings["flips"]
    measure = get(campaign.task, campaign.measures[0])
    pairs, scores, sentences = comparisons[measure.id], intervals[measure.id], []
    if scores["value"].count() > 1:  # one run is not compared with any
        if measure.smooth:
            sentences.append(describe_order(pairs, measure.id, level))
            sentences += [] if measure.classes else warn_of_few_answers(scores, measure.id)
            sentences += list_not_compared(pairs, scores, measure.id, measure.classes)
        else:
            sentences.append((NO_INTERVAL if measure.biased else NO_TEST).format(measure.id))
    sentences += list_caveats(scores, level, flips, pairs["p_maxt"].count() > 0)
    parts = filter_differing(campaign.read_summary("abstention"), comparisons, level)
    for row in parts.filter(measure=measure.id).head(1).to_dicts():
        sentences.append(describe_abstention(row, level))
    table = tabulate(ABSTENTION, parts, digits=dict.fromkeys(PARTS, 3), csv="abstention")
    return Section("Significance tests", sentences, "compare", tables=[table])


def describe_order(comparisons: pl.DataFrame, measure: str, level: float = 0.05) -> str:
    """Return how many pairs of runs differ significantly by one measure."""
    p = comparisons["p_maxt"].drop_nulls()
    values = {"pairs": p.len(), "all_pairs": comparisons.height, "holds": ""}
    order = Finding("order", values | {"different": int((p <= level).sum())})
    return f"{render(order)} The tests are by {measure}, at the {format_level(level)} level."


def filter_differing(
    parts: pl.DataFrame, comparisons: dict[str, pl.DataFrame], level: float
) -> pl.DataFrame:
    """Return the rows on pairs that differ significantly: others have nothing to explain."""
    keys = ["measure", "a", "b"]
    differing = [parts.select(keys).head(0)]
    for id in parts["measure"].unique():
        rows = comparisons[id].filter(pl.col("p_maxt") <= level)
        for a, b in (("a", "b"), ("b", "a")):
            differing.append(rows.select(pl.lit(id).alias("measure"), a=a, b=b))
    return parts.join(pl.concat(differing), on=keys, how="semi", maintain_order="left")


def describe_abstention(row: dict, level: float) -> str:
    """Return how a difference in c@1 came about. Its parts add up as printed."""
    names = ("difference", "by_right")
    total, correct = (float(format_rounded(100 * row[name], 1)) for name in names)
    parts = []
    for name, part in (("by_right", correct), ("by_abstention", total - correct)):
        ends = [minus(format_rounded(100 * row[f"{name}_{end}"], 1)) for end in ("lower", "upper")]
        interval = f"{format_level(1 - level)} CI {' to '.join(ends)}"
        parts.append(f"{minus(format_signed(part, 1))} ({interval})")
    size = minus(format_signed(total, 1))
    return (
        f"{short(row['a'])} differs from {short(row['b'])} by {size} points"
        f" in {row['measure']}: {parts[0]} by correct answers, {parts[1]} by abstention."
    )


def list_caveats(intervals: pl.DataFrame, level: float, flips: int, tested: bool) -> list[str]:
    """Return what limits the tests: few flips, clusters, or questions, and repeated questions.

    n questions or clusters have 2^(n - 1) different flips.
    """
    sentences: list[str] = []
    columns = pl.max("questions", "clusters"), pl.mean("samples")
    questions, clusters, samples = intervals.select(columns).row(0)
    if 1 / (1 + flips) > level:
        limit = f"no p is at most {format_level(level)}, however clear a difference is"
        sentences.append(f"With {flips:,} flips {limit}. Set `samples` higher.")
    if clusters is not None:
        number = f"{plural(questions, 'question')} come in {plural(clusters, 'cluster')}"
        sentences.append(f"The {number}, and intervals and tests count clusters.")
        if clusters < FEWEST_CLUSTERS:
            few = f"fewer than {FEWEST_CLUSTERS} clusters"
            sentences.append(f"With {few}, intervals and tests are rough.")
    units, noun = (questions, "question") if clusters is None else (clusters, "cluster")
    if tested and (smallest := 2.0 ** (1 - units)) > level:
        reason = f"with {plural(units, noun)} the smallest p is {smallest:.3g}"
        sentences.append(f"No difference can be significant, whatever the answers: {reason}.")
    if samples is not None:
        times = f"{amount(samples / questions)} on average"
        sentences.append(f"Questions were asked several times ({times}), and count once.")
    return sentences


def warn_of_few_answers(intervals: pl.DataFrame, measure: str) -> list[str]:
    """Return a warning where the measure divides by few answers of some run that is compared."""
    runs = intervals.filter("compared", pl.col("answers") < MIN_ANSWERS).sort("answers", "run")
    if runs.is_empty():
        return []
    example = f"{runs['answers'][0]:,} of {short(runs['run'][0])}"
    return [
        f"{measure} divides by fewer than {MIN_ANSWERS} answers of {plural(runs.height, 'run')}"
        f" ({example}): there, the test may find differences too often."
    ]


def list_not_compared(
    comparisons: pl.DataFrame, intervals: pl.DataFrame, measure: str, classes: bool = False
) -> list[str]:
    """Return which runs are not compared, and why.

    A run is not compared if it is not among the best MAX_RUNS, if a single question decides its
    score, or (classes) if it has too few correct or wrong answers.
    """
    left_out, sentences = intervals.filter(pl.col("value").is_not_null(), ~pl.col("compared")), []
    if intervals.height > MAX_RUNS:
        paired = pl.concat([comparisons["a"], comparisons["b"]]).unique()
        left_out = left_out.filter(pl.col("run").is_in(paired.implode()))
        best = f"the best {MAX_RUNS:,} by {measure} are compared with one another"
        sentences.append(f"Of {intervals.height:,} runs, only {best}.")
    if left_out.height:
        few = f"fewer than {MIN_CLASS} correct or wrong answers"
        reason = few if classes else f"a single question decides the score in {measure}"
        names = summarise_names([short(name) for name in left_out["run"]])
        sentences.append(f"Not compared: {names} ({reason}).")
    return sentences
