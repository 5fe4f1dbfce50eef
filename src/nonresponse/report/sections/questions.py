"""Whether other questions would agree: what swaps, sample sizes, stability and power tell, by
measure.

Their other results are in their own tables and figures.
"""

from typing import Any

import polars as pl

from nonresponse import tasks
from nonresponse.measures import get
from nonresponse.report.campaign import Campaign
from nonresponse.report.findings import Finding, choose_scale, find_threshold
from nonresponse.report.model import Curve, Figure, Section, make_curves, tabulate
from nonresponse.report.sentences import render
from nonresponse.statistics import SMALLEST_SIZE
from nonresponse.wording import at, difference

APART = 0.05  # the difference for which the table has the questions needed, errors and ties
ABOUT = {
    "reliable difference": "the smallest difference between two runs like these that reverses with"
    " as many other questions in at most {level} of the cases",
    "questions for 0.05": "how many questions make a difference of 0.05 (in percent, 5) as"
    " reliable, with the 95 % range",
    "discriminative power": "share of the pairs of runs that differ significantly, all pairs tested"
    " together",
    "detectable difference": "true difference of two runs that the test finds with a power of 80 %",
    "swap threshold": "difference with which the other half of the questions agrees in all but"
    " {level} of the comparisons",
    "error rate": "share of comparisons that half of the questions decide the wrong way, ties"
    " below 0.05 left out",
    "ties": "share of comparisons that differ by less than 0.05, relative to the higher score",
}
DRAWN = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15)  # differences with an error curve in the figure
HEADING = "Questions needed, stability and swap rates"
CAPTION = "What the questions of this campaign can show, by measure."
SIZE = "questions in each of the two sets"
DIFFERENCE = "difference between two runs (lower bound of the bin)"
CONTRADICTED = "comparisons that other questions contradict"
TIES = "ties: comparisons that differ by less than the fuzziness"
WRONG = "comparisons that are wrong"
DIGITS = {
    **dict.fromkeys(("reliable difference", "swap threshold"), "difference"),
    **dict.fromkeys(("discriminative power", "error rate", "ties"), "percent"),
    "detectable difference": "least",
}


def make_section(campaign: Campaign) -> Section | None:
    """Return the threshold of the first measure, a table by measure, and figures."""
    first, found = campaign.measures[0], tabulate_measures(campaign)
    sentences: list[str] = []
    if "sample_size" in campaign.settings["analyses"]:
        own = ~pl.col("run").is_in(tasks.get(campaign.task).trivial)
        scores = campaign.read_scores(first).filter(own).rename({"value": first})
        needed = find_threshold(campaign.read_by_measure("questions_needed")[first], scores[first])
        scale = choose_scale(get(campaign.task, first), scores)
        sentences += filter(None, [render(Finding("threshold", scale | needed))])
    known = [name for name in found.columns if name in ABOUT and found[name].count()]
    drawn = make_figures(campaign)
    if not (known or drawn):
        return None
    level = at(campaign.settings["level"])
    about = {name: ABOUT[name].format(level=level) for name in known}
    notes = [f"{name}: {text}." for name, text in about.items()]
    names = ["measure", *known]
    table = tabulate(CAPTION, found, names, DIGITS, notes=notes, csv="questions")
    return Section(HEADING, sentences, "reliability", drawn, [table] * bool(known))


def tabulate_measures(campaign: Campaign) -> pl.DataFrame:
    """Return measure, and the columns of ABOUT that the campaign's analyses tell."""
    has, columns = {*campaign.settings["analyses"]}, {}
    if "sample_size" in has:
        needed = campaign.read_by_measure("questions_needed")
        columns["reliable difference"] = take_first(needed, "required_difference")
        columns["questions for 0.05"] = {
            id: format_needed(table, APART * get(campaign.task, id).scale)
            for id, table in needed.items()
            if table["questions"].count()  # else the runs do not differ clearly
        }
        power = campaign.read_summary("power").filter(pair="median")
        columns["detectable difference"] = map_measures(power, "detectable")
    if "comparison" in has:
        power = campaign.read_summary("discriminative_power")
        columns["discriminative power"] = map_measures(power, "maxt")
    if "swap" in has:
        sensitivity = campaign.read_summary("sensitivity")
        columns["swap threshold"] = map_measures(sensitivity, "required_difference")
    if "stability" in has:
        is_apart = (pl.col("fuzziness") - APART).abs() < 1e-9
        own = {
            id: one.filter(is_apart) for id, one in campaign.read_by_measure("stability").items()
        }
        columns["error rate"] = take_first(own, "error_rate")
        columns["ties"] = take_first(own, "ties")
    ids = campaign.defined_measures
    return pl.DataFrame({"measure": ids}).with_columns(
        pl.Series(name, [columns[name].get(id) for id in ids]) for name in ABOUT if name in columns
    )


def take_first(found: dict[str, pl.DataFrame], name: str) -> dict:
    """Return the first value of a column, by measure."""
    return {id: table[name].first() for id, table in found.items()}


def make_figures(campaign: Campaign) -> list[Figure]:
    """Return error rates by the first measure, and swap rates and stability of all measures on its
    scale."""
    has, level = {*campaign.settings["analyses"]}, campaign.settings["level"]
    first, made = campaign.measures[0], []
    scale = get(campaign.task, first).scale
    alike = [id for id in campaign.defined_measures if get(campaign.task, id).scale == scale]

    def add(title: str, labels: tuple[str, str], curves: list[Curve], **more: Any) -> None:
        made.extend([Figure(title, labels, curves, **more)] * bool(curves))

    rates: dict[str, Any] = {"percent": (False, True), "level": level}
    if "error_curves" in has:
        measured = campaign.read_by_measure("error_curves")[first].filter(
            pl.col("size") > SMALLEST_SIZE
        )
        measured = measured.filter(pl.col("lower").round(9).is_in(DRAWN))
        curves = make_difference_curves(
            measured.drop_nulls("fitted"), "lower", "fitted", marks=False
        )
        curves += make_difference_curves(measured, "lower", "error_rate", line=False)
        title = f"Error rate by {first} and number of questions, by difference; curves: fitted"
        add(title, (SIZE, CONTRADICTED), curves, **rates)
    if "swap" in has:
        of = describe_part(campaign.read_summary("sensitivity"))
        curves = make_measure_curves(campaign.read_by_measure("swap"), alike, "lower", "swap_rate")
        title = f"Swap rates: two disjoint random subsets of {of}"
        add(title, (DIFFERENCE, CONTRADICTED), curves, **rates)
    if "stability" in has:
        own = campaign.read_by_measure("stability")
        curves = make_measure_curves(own, alike, "ties", "error_rate", order="fuzziness")
        title = f"Stability: random subsets of {describe_part(own[first])}"
        add(f"{title}; the fuzziness grows along each curve", (TIES, WRONG), curves)
    return made


def make_difference_curves(frame: pl.DataFrame, by: str, y: str, **options: Any) -> list[Curve]:
    """Return a curve over the sizes for each difference of two runs."""
    named = frame.with_columns(pl.col(by).map_elements(difference, return_dtype=pl.String))
    return make_curves(named, "size", y, group=by, **options)


def make_measure_curves(
    found: dict[str, pl.DataFrame], ids: list[str], x: str, y: str, order: str = ""
) -> list[Curve]:
    """Return a curve for each of these measures."""
    own = [found[id].sort(order or x).with_columns(measure=pl.lit(id)) for id in ids]
    return [curve for frame in own for curve in make_curves(frame, x, y, group="measure")]


def map_measures(table: pl.DataFrame, name: str) -> dict:
    """Return a column of a table, by measure."""
    return dict(table.select("measure", name).iter_rows())


def format_needed(needed: pl.DataFrame, apart: float) -> str | None:
    """Return how many questions this difference needs, with the range, as text; null where no row
    is of it."""
    own = needed.filter((pl.col("difference") - apart).abs() < 1e-9)
    for row in own.head(1).iter_rows(named=True):
        if row["questions"] is None:
            return row["remark"]
        upper = "more" if row["upper"] is None else f"{row['upper']:,}"
        return f"{row['questions']:,} ({row['lower']:,} to {upper})"
    return None


def describe_part(table: pl.DataFrame) -> str:
    """Return how many of the questions the subsets have, as text."""
    size, whole = table.select("size", "questions").row(0)
    return f"{size:,} of the {whole:,} questions"
