"""Whether other questions would agree, by measure: swaps, sample sizes, stability and power."""

from typing import Any

import polars as pl

from nonresponse import tasks
from nonresponse.measures import get
from nonresponse.report.campaign import Campaign
from nonresponse.report.findings import Finding, choose_scale, find_threshold
from nonresponse.report.model import Curve, Figure, Section, make_curves, tabulate
from nonresponse.report.sentences import render
from nonresponse.statistics import SMALLEST_SIZE
from nonresponse.statistics.pairs import MIN_ANSWERS
from nonresponse.wording import difference, format_level

EXAMPLE = 0.05  # the difference for which the table has the questions needed, errors and ties
ABOUT = {
    "reliable difference": "the smallest difference between two runs like these that reverses with"
    " as many other questions in at most {level} of the cases; runs with fewer than {fewest}"
    " answers, or than half of the most, are left out",
    "questions for 0.05": "how many questions make a difference of 0.05 as reliable, with a"
    " range, which is too narrow for few questions or runs",
    "discriminative power": "share of the pairs of runs that differ significantly, all pairs tested"
    " together",
    "detectable difference": "true difference of two runs that the test finds with a power of at"
    " least 80 %",
    "swap threshold": "difference with which the other half of the questions agrees in all but"
    " {level} of the comparisons",
    "error rate": "share of comparisons that half of the questions decide the wrong way, ties"
    " below 0.05 left out",
    "ties": "share of comparisons that differ by less than 0.05, relative to the higher score",
}
CURVES = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15)  # differences with an error curve in the figure
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
    id, frame = campaign.measures[0], tabulate_measures(campaign)
    sentences: list[str] = []
    if "sample_size" in campaign.settings["analyses"]:
        ranked = ~pl.col("run").is_in(tasks.get(campaign.task).trivial)
        scores = campaign.read_scores(id).filter(ranked).rename({"value": id})
        threshold = find_threshold(campaign.read_by_measure("questions_needed")[id], scores[id])
        scale = choose_scale(get(campaign.task, id), scores)
        sentences += filter(None, [render(Finding("threshold", scale | threshold))])
    names = [name for name in frame.columns if name in ABOUT and frame[name].count()]
    figures = make_figures(campaign)
    if not (names or figures):
        return None
    level = format_level(campaign.settings["level"])
    notes = [f"{name}: {ABOUT[name].format(level=level, fewest=MIN_ANSWERS)}." for name in names]
    table = tabulate(CAPTION, frame, ["measure", *names], DIGITS, notes=notes, csv="questions")
    return Section(HEADING, sentences, "reliability", figures, [table] * bool(names))


def tabulate_measures(campaign: Campaign) -> pl.DataFrame:
    """Return measure, and the columns of ABOUT that the campaign's analyses tell."""
    analyses, columns = campaign.settings["analyses"], {}
    if "sample_size" in analyses:
        needed = campaign.read_by_measure("questions_needed")
        columns["reliable difference"] = take_first(needed, "required_difference")
        columns["questions for 0.05"] = {
            id: format_needed(table)
            for id, table in needed.items()
            if table["questions"].count()  # else the runs do not differ clearly
        }
        power = campaign.read_summary("power").filter(pair="median")
        columns["detectable difference"] = map_measures(power, "detectable")
    if "comparison" in analyses:
        power = campaign.read_summary("discriminative_power")
        columns["discriminative power"] = map_measures(power, "maxt")
    if "swap" in analyses:
        sensitivity = campaign.read_summary("sensitivity")
        columns["swap threshold"] = map_measures(sensitivity, "required_difference")
    if "stability" in analyses:
        stability = {
            id: table.filter((pl.col("fuzziness") - EXAMPLE).abs() < 1e-9)
            for id, table in campaign.read_by_measure("stability").items()
        }
        columns["error rate"] = take_first(stability, "error_rate")
        columns["ties"] = take_first(stability, "ties")
    ids = campaign.defined_measures
    return pl.DataFrame({"measure": ids}).with_columns(
        pl.Series(name, [columns[name].get(id) for id in ids]) for name in ABOUT if name in columns
    )


def take_first(frames: dict[str, pl.DataFrame], name: str) -> dict:
    """Return the first value of a column, by measure."""
    return {id: table[name].first() for id, table in frames.items()}


def map_measures(table: pl.DataFrame, name: str) -> dict:
    """Return a column of a table, by measure."""
    return dict(table.select("measure", name).iter_rows())


def make_figures(campaign: Campaign) -> list[Figure]:
    """Return error rates by the first measure, swap rates and stability by all."""
    analyses, level = campaign.settings["analyses"], campaign.settings["level"]
    first = campaign.measures[0]
    rates: dict[str, Any] = {"percent": (False, True), "level": level}
    figures = []
    if "error_curves" in analyses:
        rows = campaign.read_by_measure("error_curves")[first].filter(
            pl.col("size") > SMALLEST_SIZE, pl.col("lower").round(9).is_in(CURVES)
        )
        rows = rows.with_columns(pl.col("lower").map_elements(difference, return_dtype=pl.String))
        fitted = rows.drop_nulls("fitted")
        curves = make_curves(fitted, "size", "fitted", group="lower", marks=False)
        curves += make_curves(rows, "size", "error_rate", group="lower", line=False)
        title = f"Error rate by {first} and number of questions, by difference; curves: fitted"
        figures.append(Figure("error-rates", title, (SIZE, CONTRADICTED), curves, **rates))
    if "swap" in analyses:
        part = describe_part(campaign.read_summary("sensitivity"))
        curves = make_measure_curves(campaign.read_by_measure("swap"), "lower", "swap_rate")
        title = f"Swap rates: two disjoint random subsets of {part}"
        figures.append(Figure("swap-rates", title, (DIFFERENCE, CONTRADICTED), curves, **rates))
    if "stability" in analyses:
        frames = campaign.read_by_measure("stability")
        curves = make_measure_curves(frames, "ties", "error_rate", order="fuzziness")
        title = f"Stability: random subsets of {describe_part(frames[first])}"
        title += "; the fuzziness grows along each curve"
        figures.append(Figure("stability", title, (TIES, WRONG), curves))
    return [figure for figure in figures if figure.curves]


def make_measure_curves(
    frames: dict[str, pl.DataFrame], x: str, y: str, order: str = ""
) -> list[Curve]:
    """Return a curve for each measure."""
    curves: list[Curve] = []
    for id, table in frames.items():
        rows = table.sort(order or x).with_columns(measure=pl.lit(id))
        curves += make_curves(rows, x, y, group="measure")
    return curves


def format_needed(needed: pl.DataFrame) -> str | None:
    """Return how many questions a difference of EXAMPLE needs, with the range, as text.

    Null where no row is of it.
    """
    rows = needed.filter((pl.col("difference") - EXAMPLE).abs() < 1e-9)
    for row in rows.head(1).iter_rows(named=True):
        if row["questions"] is None:
            return row["remark"]
        upper = "more" if row["upper"] is None else f"{row['upper']:,}"
        return f"{row['questions']:,} ({row['lower']:,} to {upper})"
    return None


def describe_part(table: pl.DataFrame) -> str:
    """Return how many of the questions the subsets have, as text."""
    size, total = table.select("size", "questions").row(0)
    return f"{size:,} of the {total:,} questions"
