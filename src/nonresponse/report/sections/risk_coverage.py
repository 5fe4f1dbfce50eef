"""Risk-coverage curves: what a run gains by answering less, and thresholds that keep a risk."""

import polars as pl

from nonresponse.legible import short
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Figure, Section, make_curves, tabulate
from nonresponse.wording import (
    amount,
    capital,
    describe_part,
    format_level,
    minus,
    percent,
    plural,
)

RISK = 0.1  # that a sentence is about
TITLE = "Risk-coverage curves; each ends at the run's own coverage"
LABELS = (
    "coverage: share of all questions that are answered, the most confident first",
    "risk: share of these that is wrong",
)
CURVES = (
    "The share of wrong answers among those that a run is most confident of. Its last row is the"
    " run as it is."
)
CONTROL = (
    "Thresholds above which at most this share of a run's answers is wrong, on other questions of"
    " the same kind, too. Each holds for its run and risk alone."
)


def make_section(campaign: Campaign) -> Section | None:
    """Return sentences, the curves and the thresholds."""
    table, control = campaign.read_summary("risk_coverage"), campaign.read_summary("risk_control")
    if table.is_empty():
        return None
    thresholds = control.drop("alike").filter(pl.col("answers").is_not_null())
    curves = make_curves(table, "coverage", "risk", marks=False)
    tables = [
        tabulate(CURVES, table, digits={"answers": "count"}, csv="risk_coverage"),
        tabulate(CONTROL, thresholds, csv="risk_control"),
    ]
    sentences = [*describe_gain(table), *describe_thresholds(control, campaign.settings["level"])]
    figure = Figure("risk-coverage", TITLE, LABELS, curves, ((0, 1), None))
    return Section("Risk-coverage curves", sentences, "reliability", [figure], tables)


def describe_gain(table: pl.DataFrame) -> list[str]:
    """Return what the first run with a curve would gain by answering less."""
    curves = table.filter(pl.col("down_to").is_not_null().any().over("run"))
    if curves.is_empty():
        return []
    points = curves.filter(pl.col("run") == curves["run"][0])
    total = points.row(by_predicate=pl.col("whole"), named=True)
    half = points.filter(2 * pl.col("answers") >= total["answers"]).row(0, named=True)
    share = f"{short(total['run'])} answers {percent(total['coverage'])} of the questions"
    surest = f"its {amount(half['answers'])} most confident answer{'s' * (half['answers'] != 1)}"
    risk = f"{percent(total['risk'])} of its answers are wrong"
    return [f"{share}. {risk}, {percent(half['risk'])} of {surest}."]


def describe_thresholds(control: pl.DataFrame, level: float) -> list[str]:
    """Return the threshold of the first run with one at RISK, and how many runs have one."""
    rows = control.filter(pl.col("risk") == RISK)
    tested, untested = rows.filter(~pl.col("alike")), rows.filter("alike").height
    thresholds, sentences = tested.drop_nulls("answers"), []
    risk, confidence = format_level(RISK), f"{format_level(1 - level)} confidence"
    for row in thresholds.head(1).rows(named=True):
        threshold = row["threshold"]
        limit = "" if threshold is None else f" above {minus(f'{threshold:.6g}')}"
        bound = f"at most {risk} of its answers are wrong, with {confidence}"
        count = f"here {row['wrong']:,} of {row['answers']:,}"
        sentences.append(f"If {short(row['run'])} gives all its answers{limit}, {bound} ({count}).")
    if tested.height:
        subject = capital(describe_part(thresholds.height, tested.height))
        verb = "have" if thresholds.height > 1 else "has"
        threshold = f"a confidence threshold that keeps the risk within {risk}"
        separately = ", each run tested by itself" * (tested.height > 1)
        sentences.append(f"{subject} {verb} {threshold}{separately}.")
    if untested:
        sentences.append(
            f"No threshold is tested for {plural(untested, 'run')} with several answers to a"
            " question or to a cluster of questions, which are alike."
        )
    return sentences
