"""Whether other questions would agree, on the page: what swaps, sample sizes, stability and power tell, by measure.

Their other results are in their own tables and figures.
"""

import polars as pl

from nonresponse import tasks
from nonresponse.figures import other_questions
from nonresponse.measures import get
from nonresponse.pages.blocks import Topic, shown
from nonresponse.pages.findings import Finding, scale_of, threshold_of
from nonresponse.pages.sections import Campaign, drawn
from nonresponse.pages.sentences import render
from nonresponse.wording import at

APART = 0.05  # the difference for which the table has the questions needed, errors and ties
ABOUT = {
    "reliable difference": "the smallest difference between two runs like these that reverses with as many other"
    " questions in at most {level} of the cases",
    "questions for 0.05": "how many questions make a difference of 0.05 (in percent, 5) as reliable, with the 95 %"
    " range",
    "pairs that differ": "share of the pairs of runs that differ significantly, all pairs tested together",
    "shown with 80 %": "true difference of two runs that this test finds with a power of 80 %",
    "half the questions": "difference with which the other half of the questions agrees in all but {level} of the"
    " comparisons",
    "wrong by half": "share of comparisons that half of the questions decide the wrong way, ties below 0.05 left out",
    "ties": "share of comparisons that differ by less than 0.05, relative to the higher score",
}
DIGITS = {"reliable difference": "difference", "half the questions": "difference", "shown with 80 %": "least"}
DIGITS |= dict.fromkeys(("pairs that differ", "wrong by half", "ties"), "percent")


def topic(campaign: Campaign) -> Topic:
    """A sentence on the threshold of the first measure, a table by measure (if anything is known), and the figures."""
    first, found = campaign.measures[0], rows(campaign)
    said = ""
    if "sample_size" in campaign.settings["analyses"]:
        scores = campaign.scores(first).filter(~pl.col("run").is_in(tasks.get(campaign.task).trivial))
        needed = threshold_of(campaign.by_measure("questions_needed")[first], scores["value"])
        scale = scale_of(get(campaign.task, first), scores.rename({"value": first}))
        said = render(Finding("threshold", scale | needed))
    known = [name for name in found.columns if name in ABOUT and found[name].is_not_null().any()]
    notes = [f"{name}: {ABOUT[name].format(level=at(campaign.settings['level']))}." for name in known]
    caption = "What the questions of this campaign can show, by measure."
    table = shown(caption, found, ["measure", *known], DIGITS, notes=notes, csv="questions")
    return Topic(
        "Questions needed, stability and swap rates", [said] * bool(said), figures(campaign), [table] * bool(known)
    )


def rows(campaign: Campaign) -> pl.DataFrame:
    """measure, and the columns of ABOUT that the campaign's analyses tell, null where one cannot be told."""
    has, found = {*campaign.settings["analyses"]}, pl.DataFrame({"measure": campaign.defined})
    columns: dict[str, dict[str, object]] = {}
    if "sample_size" in has:
        needed = campaign.by_measure("questions_needed")
        columns["reliable difference"] = {id: its["required_difference"][0] for id, its in needed.items()}
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
        columns["half the questions"] = column(campaign.summary("sensitivity"), "required_difference")
    if "stability" in has:
        curves = campaign.by_measure("stability")
        own = {id: its.filter((pl.col("fuzziness") - APART).abs() < 1e-9) for id, its in curves.items()}
        columns["wrong by half"] = {id: its["error_rate"].first() for id, its in own.items()}
        columns["ties"] = {id: its["ties"].first() for id, its in own.items()}
    return found.with_columns(pl.Series(name, map(of.get, found["measure"])) for name, of in columns.items())


def figures(campaign: Campaign) -> list[str]:
    """Writes figures: swap rates and stability of all measures, error rates of each; their paths from the page."""
    has, level, paths = {*campaign.settings["analyses"]}, campaign.settings["level"], []
    if "error_curves" in has:
        expected = campaign.by_measure("expected_swaps")
        for id, table in campaign.by_measure("error_curves").items():
            title = f"{campaign.title}: error rate of {id} and number of questions"
            chart = other_questions.error_rates(table, expected[id], title, level)
            paths += drawn(campaign, f"error_curves-{id}", chart)
    if "swap" in has:
        of = f"two disjoint random subsets of {part(campaign.summary('sensitivity'))}"
        swaps = campaign.by_measure("swap")
        scales = {id: get(campaign.task, id).scale for id in swaps}
        for scale in sorted({*scales.values()}):  # what is in percent has a figure of its own
            alike = {id: its for id, its in swaps.items() if scales[id] == scale}
            chart = other_questions.swap_rates(alike, f"{campaign.title}: swaps", of, level)
            paths += drawn(campaign, "swap" if scale == min(scales.values()) else f"swap-{scale}", chart)
    if "stability" in has:
        curves = campaign.by_measure("stability")
        of = f"random subsets of {part(next(iter(curves.values())))}"
        chart = other_questions.errors_and_ties(curves, f"{campaign.title}: stability", of)
        paths += drawn(campaign, "stability", chart)
    return paths


def column(table: pl.DataFrame, name: str) -> dict:
    """A column of a table, by measure."""
    return dict(table.select("measure", name).iter_rows())


def questions(needed: pl.DataFrame, apart: float) -> str | None:
    """How many questions this difference needs, with the range, as text; None where no row is of this difference."""
    own = needed.filter((pl.col("difference") - apart).abs() < 1e-9)
    for number, lower, upper, remark in own.select("questions", "lower", "upper", "remark").iter_rows():
        if number is None:
            return remark
        return f"{number:,} ({lower:,} to {'more' if upper is None else f'{upper:,}'})"
    return None


def part(table: pl.DataFrame) -> str:
    """How many of the questions the subsets have, as text; in small campaigns that is half of them."""
    size, whole = table.select("size", "questions").row(0)
    return f"{size:,} of the {whole:,} questions" + (", half of them" if size == whole // 2 else "")
