"""The comparison on the page: which runs can be told apart."""

from itertools import chain
from math import sqrt

import polars as pl

from nonresponse.figures.page import INK, WIDTH, label, names_axis, nothing, page, places
from nonresponse.figures.vega_lite import Spec, category, layers, mark, place, quantity
from nonresponse.legible import short
from nonresponse.measures import get
from nonresponse.pages.blocks import Topic, shown
from nonresponse.pages.sections import Campaign, draw
from nonresponse.reliability.clusters import FEWEST
from nonresponse.reliability.comparison import FEW, PAIRED
from nonresponse.reliability.comparison import FEWEST as FEWEST_OF_CLASS
from nonresponse.scoring.leaderboard import TIE
from nonresponse.wording import at, letters, listed, percent, plural, tau

SOURCES = {"right": "the part of right answers", "abstention": "that of abstention"}
NO_TEST = "There is no interval and no test of {}: the fewer the answers, the larger it is, calibrated as a run may be."
MOST = 60  # runs in one figure
LETTERS = "runs that share a letter (a–d: a, b, c or d), at the right, cannot be told apart"
ROW = 13  # pixels from a run to the next


def topic(campaign: Campaign) -> Topic:
    """A figure per measure, and a table of the shares of pairs that each method tells apart."""
    level, power = campaign.settings["level"], campaign.csv("discriminative_power")
    pairs, intervals = campaign.read("comparisons"), campaign.read("intervals")
    flips = min(campaign.settings["flips"], campaign.settings["exchanges"])
    findings, figures = [("", overall(power) + too_few_flips(flips, level))], []
    grouped = alike(intervals)
    first = grouped.row(0, named=True)
    findings += [(first["measure"], said) for said in (in_clusters(first), asked_again(first)) if said]
    for id in campaign.defined:
        measure = get(campaign.task, id)
        finding = (
            NO_TEST.format(id) if measure.biased else sentence(pairs[id], intervals[id], id, level, measure.classes)
        )
        title = f"{campaign.title}: {id} with {at(1 - level)} intervals"
        way = measure.higher_is_better, campaign.official
        chart = figure(intervals[id], id, *way, title, "", finding, level, measure.descriptive)
        figures.append(draw(campaign, f"intervals-{id}", chart))
        findings.append((id, finding))
    caption = (
        f"Shares of the pairs of runs that are told apart at {level:g}: by step-down max-t sign flips for all pairs"
        " together (maxt), by the interval of each difference, and by each pair's own test alone (p) and with Holm's"
        " correction."
    )
    parts = of_differing(campaign.csv("abstention"), pairs, level)
    findings += [(row["measure"], of_abstention(row, level)) for row in parts.iter_rows(named=True)]
    if (most := power.select(pl.max("pairs")).item()) > level * campaign.settings["exchanges"] / 10:
        caption += (
            f" Holm's correction of {most:,} pairs with {campaign.settings['exchanges']:,} flips is"
            " coarse; more `exchanges` would make it finer."
        )
    tables = [shown(caption, power, csv="discriminative_power")]
    if grouped.select(pl.col("clusters", "samples").is_not_null().any()).row(0) != (False, False):
        explained = (
            "Clusters of questions, the correlation of two questions of a cluster, samples of questions, and the share"
            " of the variance of single samples that lies within questions; means over the runs."
        )
        digits = {"correlation": 3, "samples": 0, "within": "percent"}
        tables.append(shown(explained, grouped, digits=digits, csv="clusters"))
    if parts.height:
        explained = (
            "Differences in c@1 of the best and the next runs that can be told apart from it, by right answers (the"
            " difference in their share, times 1 + the mean share left open) and by abstention (that in the share left"
            " open, times the mean share of right answers); p: that the true part is 0."
        )
        three = dict.fromkeys(("difference", "by_right", "by_abstention"), 3)
        tables.append(shown(explained, parts, digits=three, csv="abstention"))
    return Topic("Which runs can be told apart", findings, figures, tables)


def sentence(
    comparisons: pl.DataFrame, intervals: pl.DataFrame, measure: str, level: float = 0.05, classes: bool = False
) -> str:
    """How many pairs of runs can be told apart by one measure, which may be the best, and doubts.

    The tables are those of one measure under the official judgments; classes: it compares right rows with wrong ones.
    """
    known = comparisons.drop_nulls("p_maxt")
    pairs, apart = known.height, known.filter(pl.col("p_maxt") <= level).height
    how = f"by {measure} at the {at(level)} level"
    doubts = ("" if classes else few_answers(intervals, measure)) + not_compared(
        comparisons, intervals, measure, classes
    )
    if pairs == 0:
        return f"No two runs could be compared by {measure}.{doubts}"
    if pairs == 1:
        return f"The two runs can{'' if apart else 'not'} be told apart {how}.{doubts}"
    if apart in (0, pairs):
        return f"{'All' if apart else 'None'} of the {pairs:,} pairs of runs can be told apart {how}.{doubts}"
    best = intervals.filter("may_be_best").sort("run")["run"].to_list()
    named = listed([short(name) for name in best]) if best else ""
    first = (
        f"; {len(best):,} runs may be the best: {named}"
        if len(best) > 1
        else f"; only {named} may be the best" * bool(best)
    )
    return f"Of {pairs:,} pairs of runs {apart:,} ({percent(apart / pairs)}) can be told apart {how}{first}.{doubts}"


def of_differing(parts: pl.DataFrame, pairs: dict[str, pl.DataFrame], level: float) -> pl.DataFrame:
    """The rows of abstention.csv on pairs that can be told apart: of others there is no difference to explain."""
    told = [pairs[id].filter(pl.col("p_maxt") <= level).select("a", "b").rows() for id in parts["measure"].unique()]
    apart = set(map(frozenset, chain(*told)))
    return parts.filter([frozenset(pair) in apart for pair in parts.select("a", "b").rows()])


def of_abstention(row: dict, level: float) -> str:
    """How a difference in c@1 came about, from a row of abstention.csv."""
    ahead = f"{short(row['a'])} is ahead of {short(row['b'])} by {row['difference']:.3f} in {row['measure']}"
    if row["difference"] < 0.0005:
        nearly = "nearly " if abs(row["difference"]) > TIE else ""
        ahead = f"{short(row['a'])} and {short(row['b'])} have {nearly}the same {row['measure']}"
    signs = {name: f"{row[f'by_{name}']:+.3f}".replace("-", "−") for name in ("right", "abstention")}
    sure = [word for name, word in SOURCES.items() if (row[f"p_{name}"] or 1) <= level]
    certain = " and ".join(sure) + (" differ" if len(sure) > 1 else " differs") if sure else "neither part differs"
    return (
        f"{ahead}: {signs['right']} by right answers, {signs['abstention']} by abstention;"
        f" {certain} from 0 at the {at(level)} level."
    )


def alike(intervals: dict[str, pl.DataFrame]) -> pl.DataFrame:
    """measure, questions, clusters, correlation, samples and within; the last three are means over the runs."""
    means = [pl.max("questions", "clusters"), pl.mean("correlation", "samples", "within")]
    return pl.concat(table.select(pl.lit(id).alias("measure"), *means) for id, table in intervals.items())


def in_clusters(row: dict) -> str:
    """How many clusters the questions come in and how alike these are, from a row of `alike`; "" without clusters."""
    if row["clusters"] is None:
        return ""
    each = f"The {plural(row['questions'], 'question')} come in {plural(row['clusters'], 'cluster')}"
    said = f"{each}, and intervals and tests count clusters instead of questions."
    if row["correlation"] is not None:
        how = f"correlated by {tau(row['correlation'])}" if abs(row["correlation"]) >= 0.005 else "not correlated"
        said += f" Two questions of a cluster are {how} in {row['measure']}, the mean over the runs."
    if row["clusters"] < FEWEST:
        said += f" With fewer than {FEWEST} clusters, intervals and tests are rough."
    return said


def asked_again(row: dict) -> str:
    """What asking questions again, or asking more, would gain, from a row of `alike`; "" where each was asked once.

    With a share w of the variance within questions, k samples of each and n questions, intervals are as wide as the
    root of (1 - w + w / k) / n; k is the mean over runs and questions.
    """
    if row["samples"] is None:
        return ""
    times, within = row["samples"] / row["questions"], row["within"]
    often = f"Questions were asked several times ({round(times, 2):g} on average)"
    if within is None:
        return f"{often}."
    again = 1 - sqrt((1 - within + within / (2 * times)) / (1 - within + within / times))
    return (
        f"{often}, and {percent(within)} of the variance of single answers in {row['measure']} lies within questions,"
        f" the mean over the runs. Asking each twice as often would make intervals {percent(again)} narrower, twice as"
        f" many questions {percent(1 - sqrt(0.5))}."
    )


def few_answers(intervals: pl.DataFrame, measure: str) -> str:
    """A warning where the measure divides by few answers of some run that is compared."""
    few = intervals.filter(pl.col("groups") != "", pl.col("answers") < FEW)
    if few.is_empty():
        return ""
    fewest = few.sort("answers", "run").row(0, named=True)
    runs = plural(few.height, "run")
    return (
        f" {measure} divides by fewer than {FEW} answers of {runs} ({fewest['answers']:,} of {short(fewest['run'])}),"
        " for which the test may find differences too often."
    )


def not_compared(comparisons: pl.DataFrame, intervals: pl.DataFrame, measure: str, classes: bool = False) -> str:
    """Which runs are not among the best that are compared, and which have a score that is undefined without some
    question, or too few right or wrong answers.
    """
    left_out, beyond = intervals.filter(pl.col("value").is_not_null(), pl.col("groups") == ""), ""
    if intervals.height > PAIRED:
        paired = pl.concat([comparisons["a"], comparisons["b"]]).unique()
        left_out = left_out.filter(pl.col("run").is_in(paired.implode()))
        beyond = f" Of {intervals.height:,} runs, only the best {PAIRED:,} by {measure} are compared with one another."
    if left_out.is_empty():
        return beyond
    runs = listed([short(name) for name in left_out["run"]])
    if classes:
        have = "has" if left_out.height == 1 else "have"
        return f"{beyond} Not compared: {runs}, which {have} fewer than {FEWEST_OF_CLASS} right or wrong answers."
    have = "has a score" if left_out.height == 1 else "have scores"
    return f"{beyond} Not compared: {runs}, which {have} in {measure} that a single question decides."


def overall(power: pl.DataFrame) -> str:
    """Which measure tells most pairs of runs apart, from discriminative_power.csv."""
    known = power.drop_nulls("maxt").sort("maxt", descending=True, maintain_order=True)
    if known.is_empty():
        return "No two runs could be compared."
    most, fewest = (f"{percent(row['maxt'])} ({row['measure']})" for row in known[[0, -1]].rows(named=True))
    if known.height > 1 and known["maxt"].n_unique() == 1:
        every = "Every measure" if known.height == power.height else "Every measure by which two runs could be compared"
        return f"{every} tells apart {percent(known['maxt'][0])} of the pairs of runs."
    if known.height == 1:
        return f"Of the pairs of runs, {most} can be told apart."
    return f"The measures tell apart from {fewest} to {most} of the pairs of runs."


def too_few_flips(flips: int, level: float) -> str:
    """A warning where no p can be as small as the level."""
    if 1 / (1 + flips) <= level:
        return ""
    how = "set `flips` and `exchanges` higher"
    return f" With {flips:,} flips no p is at most {at(level)}, however clear a difference is; {how}."


def figure(
    table: pl.DataFrame,
    measure: str,
    higher_is_better: bool,
    official: str,
    title: str,
    subtitle: str = "",
    caption: str = "",
    level: float = 0.05,
    descriptive: bool = False,
) -> Spec:
    """A row per run under the official judgments, the best on top: score, interval, letters of its groups.

    From the intervals table of one measure; of one that only describes runs, nothing is said to be better. Runs without
    a score are left out; so are those beyond the first 60.
    """
    runs = table.filter(pl.col("assessor") == official).drop_nulls("value")
    if runs.is_empty():
        why = f"There is no interval to draw, since no run has a value of {measure}."
        return nothing(title, subtitle, caption, why)
    best_first = runs.sort("value", "run", descending=[higher_is_better, False])
    shown = best_first.head(MOST).with_row_index("place")
    if runs.height > MOST:
        subtitle = f"{subtitle} Only the best {MOST} of {runs.height:,} runs are shown.".strip()
    names = [label(name) for name in shown["run"]]
    way, top = f", {'higher' if higher_is_better else 'lower'} is better,", "best run"
    if descriptive:
        way, top = "", "highest"
    meaning = [f"{label(measure)}{way} with its {at(1 - level)} interval; the {top} on top", LETTERS]
    x = quantity("value", scale={"zero": False, "padding": 6}, axis={"title": meaning})
    y = place("place", scale=places(names), axis=names_axis(names, title=None, labelFontSize=9, grid=True))
    said = [
        f"{label(run)} · {label(measure)}: {value:.4f}" + ("" if None in ends else " ({:.4f} to {:.4f})".format(*ends))
        for run, value, *ends in shown.select("run", "value", "lower", "upper").iter_rows()
    ]
    groups = {"x": {"value": WIDTH + 12}, "text": category("groups")}
    plot = layers(
        shown.with_columns(pl.col("groups").map_elements(letters, pl.String), said=pl.Series(said)),
        {"y": y},
        mark("rule", {"x": quantity("lower"), "x2": {"field": "upper"}}, color=INK, strokeWidth=1),
        mark("circle", {"x": x}, color=INK, size=26, opacity=1),
        mark("text", groups, align="left", fontSize=9, color=INK),
    )
    return page({**plot, "width": WIDTH, "height": {"step": ROW}}, title, subtitle, caption)
