"""Risk against coverage: what a run gains by answering less, and thresholds that keep a risk."""

import polars as pl

from nonresponse.legible import short
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Figure, Section, make_curves, tabulate
from nonresponse.wording import amount, at, capital, number, out_of, percent, plural

SAID = 0.1  # the risk that a sentence is about
TITLE = "Risk against coverage; each curve ends at the run's own coverage"
LABELS = (
    "coverage: share of all questions that are answered, the surest first",
    "risk: share of these that is wrong",
)
CURVES = (
    "The share of wrong answers among those that a run is surest of. Its last row is the run as it"
    " is."
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
    found = control.drop("alike").filter(pl.col("answers").is_not_null())
    curves, digits = make_curves(table, "coverage", "risk", marks=False), {"answers": "count"}
    tables = [
        tabulate(CURVES, table, digits=digits, csv="risk_coverage"),
        tabulate(CONTROL, found, csv="risk_control"),
    ]
    sentences = [*describe_gain(table), *describe_thresholds(control, campaign.settings["level"])]
    figure = Figure(TITLE, LABELS, curves, ((0, 1), None))
    return Section("Risk against coverage", sentences, "reliability", [figure], tables)


def describe_gain(table: pl.DataFrame) -> list[str]:
    """Return what the first run with a curve would gain by answering less."""
    curves = table.filter(pl.col("down_to").is_not_null().any().over("run"))
    if curves.is_empty():
        return []
    own = curves.filter(pl.col("run") == curves["run"][0])
    whole = own.row(by_predicate=pl.col("whole"), named=True)
    half = own.filter(2 * pl.col("answers") >= whole["answers"]).row(0, named=True)
    share = f"{short(whole['run'])} answers {percent(whole['coverage'])} of the questions"
    surest = f"{amount(half['answers'])} surest answer{'s' * (half['answers'] != 1)}"
    wrong = f"{percent(whole['risk'])} of its answers are wrong, {percent(half['risk'])} of its"
    return [f"{share}. {wrong} {surest}."]


def describe_thresholds(control: pl.DataFrame, level: float) -> list[str]:
    """Return the threshold of the first run with one at the risk SAID, how many have one, and which
    are not tested."""
    of_all = control.filter(pl.col("risk") == SAID)
    tested, alike = of_all.filter(~pl.col("alike")), of_all.filter("alike").height
    known, sentences = tested.drop_nulls("answers"), []
    sure = f"at most {at(SAID)} of its answers are wrong, with {at(1 - level)} confidence"
    if known.height:
        row = known.row(0, named=True)
        above = "" if row["threshold"] is None else f" above {number(row['threshold'], 3)}"
        here = f"here {row['wrong']:,} of {row['answers']:,}"
        sentences.append(f"If {short(row['run'])} gives all its answers{above}, {sure} ({here}).")
    if tested.height:
        who, have = out_of(known.height, tested.height), "have" if known.height > 1 else "has"
        keeps = f"{have} a threshold that keeps the risk at {at(SAID)}"
        sentences.append(f"{capital(who)} {keeps}, each tested by itself.")
    if alike:
        sentences.append(
            f"No threshold is tested for {plural(alike, 'run')} with several answers to a question"
            " or to a cluster of questions, which are alike."
        )
    return sentences
