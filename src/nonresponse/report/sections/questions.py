"""Whether other questions would agree: what swaps, sample sizes, stability and power tell, by
measure.

Their other results are in their own tables and figures.
"""

from typing import Any

import polars as pl

from nonresponse import tasks
from nonresponse.measures import get
from nonresponse.report.campaign import Campaign
from nonresponse.report.findings import Finding, scale_of, threshold_of
from nonresponse.report.model import Curve, Figure, Section, curves_of, shown
from nonresponse.report.sentences import render
from nonresponse.statistics import SMALLEST_SIZE
from nonresponse.wording import at, difference

APART = 0.05  # the difference for which the table has the questions needed, errors and ties
ABOUT = {
    "reliable difference": "the smallest difference between two runs like these that reverses "
    "with as many other"
    " questions in at most {level} of the cases",
    "questions for 0.05": "how many questions make a difference of 0.05 (in percent, 5) as "
    "reliable, with the 95 %"
    " range",
    "pairs that differ": "share of the pairs of runs that differ significantly, all pairs "
    "tested together",
    "shown with 80 %": "true difference of two runs that this test finds with a power of 80 %",
    "half the questions": "difference with which the other half of the questions agrees in all "
    "but {level} of the"
    " comparisons",
    "wrong by half": "share of comparisons that half of the questions decide the wrong way, "
    "ties below 0.05 left out",
    "ties": "share of comparisons that differ by less than 0.05, relative to the higher score",
}
SIZE = "number of questions in each of the two sets"
DIFFERENCE = "difference between two runs (lower bound of the bin)"
CONTRADICTED = "comparisons that other questions contradict"
TIES = "ties: comparisons that differ by less than the fuzziness"
WRONG = "comparisons that are wrong"
DIGITS = {
    "reliable difference": "difference",
    "half the questions": "difference",
    "shown with 80 %": "least",
}
DIGITS |= dict.fromkeys(("pairs that differ", "wrong by half", "ties"), "percent")


def section(campaign: Campaign) -> Section:
    """Return a sentence on the threshold of the first measure, a table by measure where any is
    known, and figures."""
    first, found = campaign.measures[0], rows(campaign)
    said = ""
    if "sample_size" in campaign.settings["analyses"]:
        scores = campaign.scores(first).filter(
            ~pl.col("run").is_in(tasks.get(campaign.task).trivial)
        )
        needed = threshold_of(campaign.by_measure("questions_needed")[first], scores["value"])
        scale = scale_of(get(campaign.task, first), scores.rename({"value": first}))
        said = render(Finding("threshold", scale | needed))
    known = [name for name in found.columns if name in ABOUT and found[name].is_not_null().any()]
    notes = [
        f"{name}: {ABOUT[name].format(level=at(campaign.settings['level']))}." for name in known
    ]
    caption = "What the questions of this campaign can show, by measure."
    table = shown(caption, found, ["measure", *known], DIGITS, notes=notes, csv="questions")
    heading = "Questions needed, stability and swap rates"
    return Section(
        heading, [said] * bool(said), "reliability", figures(campaign), [table] * bool(known)
    )


def rows(campaign: Campaign) -> pl.DataFrame:
    """Return measure, and the columns of ABOUT that the campaign's analyses tell, null where one
    cannot be told."""
    has, found = {*campaign.settings["analyses"]}, pl.DataFrame({"measure": campaign.defined})
    columns: dict[str, dict[str, object]] = {}
    if "sample_size" in has:
        needed = campaign.by_measure("questions_needed")
        columns["reliable difference"] = {
            id: its["required_difference"][0] for id, its in needed.items()
        }
        columns["questions for 0.05"] = {
            id: questions(its, APART * get(campaign.task, id).scale)
            for id, its in needed.items()
            if its["questions"].is_not_null().any()  # else the runs do not differ clearly
        }
    if "comparison" in has:
        columns["pairs that differ"] = column(campaign.summary("discriminative_power"), "maxt")
    if "sample_size" in has:
        power = campaign.summary("power").filter(pl.col("pair") == "median")
        columns["shown with 80 %"] = column(power, "detectable")
    if "swap" in has:
        columns["half the questions"] = column(
            campaign.summary("sensitivity"), "required_difference"
        )
    if "stability" in has:
        curves = campaign.by_measure("stability")
        own = {
            id: its.filter((pl.col("fuzziness") - APART).abs() < 1e-9) for id, its in curves.items()
        }
        columns["wrong by half"] = {id: its["error_rate"].first() for id, its in own.items()}
        columns["ties"] = {id: its["ties"].first() for id, its in own.items()}
    return found.with_columns(
        pl.Series(name, map(of.get, found["measure"])) for name, of in columns.items()
    )


def figures(campaign: Campaign) -> list[Figure]:
    """Return error rates by the first measure, and swap rates and stability of all measures on its
    scale."""
    has, level, first, made = (
        {*campaign.settings["analyses"]},
        campaign.settings["level"],
        campaign.measures[0],
        [],
    )
    alike = [
        id
        for id in campaign.defined
        if get(campaign.task, id).scale == get(campaign.task, first).scale
    ]
    if "error_curves" in has:
        measured = campaign.by_measure("error_curves")[first].filter(pl.col("size") > SMALLEST_SIZE)
        expected = by_difference(
            campaign.by_measure("expected_swaps")[first], "difference", "swap_rate", marks=False
        )
        drawn = {one.name for one in expected}
        points = [
            one
            for one in by_difference(measured, "lower", "error_rate", line=False)
            if one.name in drawn
        ]
        title = (
            f"Error rate by {first} and number of questions, by the difference of two "
            "runs; curves: expected"
        )
        made.append(
            Figure(
                title,
                (SIZE, CONTRADICTED),
                [*expected, *points],
                percent=(False, True),
                level=level,
            )
        )
    if "swap" in has:
        title = (
            f"Swap rates: two disjoint random subsets of {part(campaign.summary('sensitivity'))}"
        )
        curves = of_measures(campaign.by_measure("swap"), alike, "lower", "swap_rate")
        made.append(
            Figure(title, (DIFFERENCE, CONTRADICTED), curves, percent=(False, True), level=level)
        )
    if "stability" in has:
        found = campaign.by_measure("stability")
        title = (
            f"Stability: random subsets of {part(found[first])}; the fuzziness grows along "
            "each curve"
        )
        made.append(
            Figure(
                title,
                (TIES, WRONG),
                of_measures(found, alike, "ties", "error_rate", order="fuzziness"),
            )
        )
    return [one for one in made if one.curves]


def by_difference(frame: pl.DataFrame, by: str, y: str, **options: Any) -> list[Curve]:
    """Return a curve over the sizes for each difference of two runs."""
    named = frame.with_columns(pl.col(by).map_elements(difference, return_dtype=pl.String))
    return curves_of(named, "size", y, by=by, **options)


def of_measures(
    found: dict[str, pl.DataFrame], ids: list[str], x: str, y: str, order: str = ""
) -> list[Curve]:
    """Return a curve for each of these measures."""
    own = [found[id].sort(order or x).with_columns(measure=pl.lit(id)) for id in ids]
    return [curve for frame in own for curve in curves_of(frame, x, y, by="measure")]


def column(table: pl.DataFrame, name: str) -> dict:
    """Return a column of a table, by measure."""
    return dict(table.select("measure", name).iter_rows())


def questions(needed: pl.DataFrame, apart: float) -> str | None:
    """Return how many questions this difference needs, with the range, as text; null where no row
    is of it."""
    own = needed.filter((pl.col("difference") - apart).abs() < 1e-9)
    for number, lower, upper, remark in own.select(
        "questions", "lower", "upper", "remark"
    ).iter_rows():
        if number is None:
            return remark
        return f"{number:,} ({lower:,} to {'more' if upper is None else f'{upper:,}'})"
    return None


def part(table: pl.DataFrame) -> str:
    """Return how many of the questions the subsets have, as text; in small campaigns that is half
    of them."""
    size, whole = table.select("size", "questions").row(0)
    return f"{size:,} of the {whole:,} questions" + (", half of them" if size == whole // 2 else "")
