"""The comparison: which runs differ significantly."""

from math import sqrt

import polars as pl

from nonresponse.legible import short
from nonresponse.measures import get
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, shown
from nonresponse.scoring.leaderboard import TIE
from nonresponse.statistics.comparison import PARTS
from nonresponse.statistics.pairs import FEW, FEWEST, PAIRED
from nonresponse.wording import (
    amount,
    at,
    listed,
    minus,
    number,
    percent,
    plural,
    rounded,
    signed,
    tau,
)

FEWEST_CLUSTERS = 10  # with fewer, intervals and tests are rough
NO_INTERVAL = (
    "We give no interval and no test of {}: noise moves it in one direction, the "
    "more the fewer answers."
)
NO_TEST = "We give no test of {}: single questions do not tell how much it varies."


def section(campaign: Campaign) -> Section:
    """Return who differs by the first measure, and tables of clusters and of abstention."""
    pairs, intervals = campaign.by_measure("comparisons"), campaign.by_measure("intervals")
    level = campaign.settings["level"]
    first, grouped = get(campaign.task, campaign.measures[0]), clusters_of(intervals)
    said = [(NO_INTERVAL if first.biased else NO_TEST).format(first.id)]
    if first.smooth:
        said = [sentence(pairs[first.id], intervals[first.id], first.id, level, first.classes)]
    if intervals[first.id]["value"].count() < 2:  # one run is not compared with any
        said = []
    flips = campaign.settings["flips"]
    of_first = grouped.row(0, named=True)
    none = none_can_differ(of_first, level) if pairs[first.id]["p_maxt"].count() else ""
    said += [too_few_flips(flips, level), in_clusters(of_first), none, asked_again(of_first)]
    parts, tables = of_differing(campaign.summary("abstention"), pairs, level), []
    said += [
        of_abstention(row, level)
        for row in parts.filter(measure=first.id).head(1).iter_rows(named=True)
    ]
    if grouped.select(pl.col("clusters", "samples").is_not_null().any()).row(0) != (False, False):
        explained = (
            "Clusters of questions, the correlation of two questions of a cluster, samples of "
            "questions, and the share"
            " of the variance of single samples that lies within questions; means over the runs."
        )
        digits = {"correlation": 3, "samples": 0, "within": "percent"}
        tables.append(shown(explained, grouped, digits=digits, csv="clusters"))
    if parts.height:
        explained = (
            "Differences in c@1 of the best and the next runs that differ significantly from "
            "it, by right answers (the"
            " difference in their share, times 1 + the mean share left open) and by abstention "
            "(that in the share left"
            " open, times the mean share of right answers), each with its interval. These "
            "pairs were chosen by their"
            " difference, so that the true one may be smaller."
        )
        three = dict.fromkeys(PARTS, 3)
        tables.append(shown(explained, parts, digits=three, csv="abstention"))
    return Section("Significance tests", [*filter(None, said)], "compare", tables=tables)


def sentence(
    comparisons: pl.DataFrame,
    intervals: pl.DataFrame,
    measure: str,
    level: float = 0.05,
    classes: bool = False,
) -> str:
    """Return how many pairs of runs differ significantly by one measure, which may be the best, and
    warnings.

    The tables are those of one measure under the official judgments; classes: it compares right
    rows with wrong ones.
    """
    known = comparisons.drop_nulls("p_maxt")
    pairs, apart = known.height, known.filter(pl.col("p_maxt") <= level).height
    how = f"by {measure} at the {at(level)} level"
    doubts = "" if classes else few_answers(intervals, measure)
    doubts += not_compared(comparisons, intervals, measure, classes)
    if pairs == 0:
        return f"No two runs could be compared by {measure}.{doubts}"
    if pairs == 1:
        return f"The two runs {'differ' if apart else 'do not differ'} significantly {how}.{doubts}"
    if apart in (0, pairs):
        return (
            f"{'All' if apart else 'None'} of the {pairs:,} pairs of runs differ "
            f"significantly {how}.{doubts}"
        )
    best = intervals.filter("may_be_best").sort("run")["run"].to_list()
    named = listed([short(name) for name in best]) if best else ""
    first = (
        f"; by a one-sided test of first place alone, {len(best):,} runs may be the best: {named}"
    )
    if len(best) < 2:
        first = f"; only {named} may be the best" * bool(best)
    differ = "differs" if apart == 1 else "differ"
    return (
        f"Of {pairs:,} pairs of runs {apart:,} ({percent(apart / pairs)}) {differ} "
        f"significantly {how}{first}.{doubts}"
    )


def of_differing(parts: pl.DataFrame, pairs: dict[str, pl.DataFrame], level: float) -> pl.DataFrame:
    """Return the rows on pairs that differ significantly: other pairs have no difference to
    explain."""
    told = [
        pairs[id]
        .filter(pl.col("p_maxt") <= level)
        .select(pl.lit(id).alias("measure"), a=one, b=other)
        for id in parts["measure"].unique()
        for one, other in (("a", "b"), ("b", "a"))
    ]
    key = ["measure", "a", "b"]
    return parts.join(pl.concat(told), on=key, how="semi", maintain_order="left") if told else parts


def of_abstention(row: dict, level: float) -> str:
    """Return how a difference in c@1 came about."""
    ahead = (
        f"{short(row['a'])} is ahead of {short(row['b'])} by "
        f"{number(row['difference'], 3)} in {row['measure']}"
    )
    if row["difference"] < 0.0005:
        nearly = "nearly " if abs(row["difference"]) > TIE else ""
        ahead = f"{short(row['a'])} and {short(row['b'])} have {nearly}the same {row['measure']}"
    whole, right = (float(rounded(row[name], 3)) for name in ("difference", "by_right"))
    # Add up as printed
    by_right, by_abstention = (minus(signed(part, 3)) for part in (right, whole - right))
    ends = [
        " to ".join(minus(signed(row[f"{name}_{end}"], 3)) for end in ("lower", "upper"))
        for name in ("by_right", "by_abstention")
    ]
    return (
        f"{ahead}: {by_right} by right answers ({at(1 - level)} interval {ends[0]}), "
        f"{by_abstention} by abstention"
        f" ({ends[1]})."
    )


def clusters_of(intervals: dict[str, pl.DataFrame]) -> pl.DataFrame:
    """Return measure, questions, clusters, correlation, samples and within; the last three are
    means over the runs."""
    means = [pl.max("questions", "clusters"), pl.mean("correlation", "samples", "within")]
    return pl.concat(
        table.select(pl.lit(id).alias("measure"), *means) for id, table in intervals.items()
    )


def in_clusters(row: dict) -> str:
    """Return how many clusters there are, and how alike the questions of each; "" without any."""
    if row["clusters"] is None:
        return ""
    each = (
        f"The {plural(row['questions'], 'question')} come in {plural(row['clusters'], 'cluster')}"
    )
    said = f"{each}, and intervals and tests count clusters instead of questions."
    if row["correlation"] is not None:
        how = (
            f"correlated by {tau(row['correlation'])}"
            if abs(row["correlation"]) >= 0.005
            else "not correlated"
        )
        said += (
            f" Two questions of a cluster are {how} in {row['measure']}, the mean over the runs."
        )
    if row["clusters"] < FEWEST_CLUSTERS:
        said += f" With fewer than {FEWEST_CLUSTERS} clusters, intervals and tests are rough."
    return said


def none_can_differ(row: dict, level: float) -> str:
    """Return whether the questions are too few for any significant difference, by a row of
    `clusters_of`; or "".

    n questions, or clusters of them, have 2^(n - 1) different flips.
    """
    kind, units = (
        ("question", row["questions"]) if row["clusters"] is None else ("cluster", row["clusters"])
    )
    least, few = 2.0 ** (1 - units), f"with {plural(units, kind)} the smallest p is"
    return (
        f"No difference can be significant, whatever the answers: {few} {least:.3g}."
        if least > level
        else ""
    )


def asked_again(row: dict) -> str:
    """Return what asking questions again, or asking more, would gain; "" if each was asked once.

    With a share w of the variance within questions, k samples of each and n questions, the width of
    intervals is proportional to the root of (1 - w + w / k) / n; k is the mean over runs and
    questions.
    """
    if row["samples"] is None:
        return ""
    times, within = row["samples"] / row["questions"], row["within"]
    often = f"Questions were asked several times ({amount(times)} on average)"
    if within is None:
        return f"{often}."
    again = 1 - sqrt((1 - within + within / (2 * times)) / (1 - within + within / times))
    return (
        f"{often}, and {percent(within)} of the variance of single answers in {row['measure']} "
        "lies within questions,"
        " the mean over the runs. Asking each twice as often would make intervals "
        f"{percent(again)} narrower, twice as"
        f" many questions {percent(1 - sqrt(0.5))}."
    )


def few_answers(intervals: pl.DataFrame, measure: str) -> str:
    """Return a warning where the measure divides by few answers of some run that is compared."""
    few = intervals.filter("compared", pl.col("answers") < FEW)
    if few.is_empty():
        return ""
    fewest = few.sort("answers", "run").row(0, named=True)
    runs = plural(few.height, "run")
    return (
        f" {measure} divides by fewer than {FEW} answers of {runs} ({fewest['answers']:,} of "
        f"{short(fewest['run'])}),"
        " for which the test may find differences too often."
    )


def not_compared(
    comparisons: pl.DataFrame, intervals: pl.DataFrame, measure: str, classes: bool = False
) -> str:
    """Return which runs are not compared: those not among the best PAIRED, those whose score is
    undefined without some question, and those with too few right or wrong answers.
    """
    left_out, beyond = intervals.filter(pl.col("value").is_not_null(), ~pl.col("compared")), ""
    if intervals.height > PAIRED:
        paired = pl.concat([comparisons["a"], comparisons["b"]]).unique()
        left_out = left_out.filter(pl.col("run").is_in(paired.implode()))
        beyond = (
            f" Of {intervals.height:,} runs, only the best {PAIRED:,} by {measure} are "
            "compared with one another."
        )
    if left_out.is_empty():
        return beyond
    runs = listed([short(name) for name in left_out["run"]])
    if classes:
        have = "has" if left_out.height == 1 else "have"
        return (
            f"{beyond} Not compared: {runs}, which {have} fewer than {FEWEST} right or "
            "wrong answers."
        )
    have = "has a score" if left_out.height == 1 else "have scores"
    return (
        f"{beyond} Not compared: {runs}, which {have} in {measure} that a single question decides."
    )


def too_few_flips(flips: int, level: float) -> str:
    """Return a warning where no p can be as small as the level."""
    if 1 / (1 + flips) <= level:
        return ""
    return (
        f"With {flips:,} flips no p is at most {at(level)}, however clear a difference is; "
        "set `flips` higher."
    )
