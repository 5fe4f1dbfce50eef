"""The configurations of each system against its baseline: what each of them gains and costs."""

from pathlib import Path

import polars as pl

from nonresponse import tasks
from nonresponse.legible import short
from nonresponse.owners import owners
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, shown
from nonresponse.statistics import systems
from nonresponse.statistics.analyses import by_measure
from nonresponse.wording import at, plural

MOST = 4  # configurations with a sentence of their own


def make(
    campaign: Campaign, verdicts: Path, counts: Path, scores: list[Path], comparisons: list[Path]
) -> None:
    """Write the tables of systems/ and the page."""
    task, official = campaign.task, campaign.official
    runs = pl.read_parquet(counts).filter(pl.col("assessor") == official)["run"]
    named = owners(campaign.settings["systems"], runs)
    tested = by_measure(comparisons, "comparisons")
    frames = {
        "gains": systems.gains(verdicts, task, campaign.settings["policy"], official, named),
        "differences": systems.differences(
            by_measure(scores, "scores"), tested, task, official, named
        ),
    }
    campaign.write_tables("systems", frames)
    campaign.write_page("systems", {"systems": section(campaign, **frames)})


def section(campaign: Campaign, gains: pl.DataFrame, differences: pl.DataFrame) -> Section:
    """Return a sentence on the first measure and on each of few configurations; two tables with a
    row for each."""
    level = campaign.settings.get("level")
    first = campaign.measures[0]
    said = [sentence(differences.filter(pl.col("measure") == first), first, level)]
    if gains.height <= MOST:
        said += [of_configuration(row) for row in gains.iter_rows(named=True)]
    names = ("system", "run", "baseline")
    items = "pairs of a question and an answer" if tasks.get(campaign.task).pairs else "questions"
    caption = (
        f"What became of the answers of the baseline, in {items}: right ones kept, lost "
        "(nothing is shown instead) or"
        " spoiled (a wrong one is), wrong ones kept, removed or corrected, and right and wrong "
        "ones added where the"
        " baseline shows none."
    )
    some = [name for name in [*systems.CHANGES.values(), "not_compared"] if gains[name].sum()]
    tables = [shown(caption, gains, [*names, "compared", *some], csv="gains")]
    columns = [*names, "measure", "value", "baseline_value", "difference"]
    caption = "Scores of each configuration and of its baseline."
    if level is not None:
        columns += ["lower", "upper", "p", "p_maxt"]
        caption += (
            f" lower and upper: the {at(1 - level)} interval of the difference; p: the paired "
            "test of the two runs;"
            " p_maxt: for all pairs of runs together."
        )
    tables.append(shown(caption, differences, columns, csv="differences"))
    return Section("Configurations of systems", said, "compare", tables=tables)


def sentence(differences: pl.DataFrame, measure: str, level: float | None) -> str:
    """Return how many configurations are better or worse than their baseline by one measure, and
    how surely."""
    known = differences.drop_nulls("difference")
    if known.is_empty():
        return (
            f"No configuration can be compared with its baseline by {measure}, which is undefined."
        )
    if known.height == 1:
        row = known.row(0, named=True)
        told = at_level(
            row["p"] is not None and row["p_maxt"] <= (level or 0), level, row["p"] is None
        )
        how = {True: "is better than", False: "is worse than", None: "scores the same as"}[
            row["better"]
        ]
        return (
            f"The one configuration {how} its baseline by "
            f"{measure}{told if row['better'] is not None else ''}."
        )
    parts = []
    for better, what in ((True, "better"), (False, "worse")):
        some = known.filter(pl.col("better") == better)
        sure = some.filter(pl.col("p_maxt") <= (level or 0)).height
        parts.append(
            f"{f'{some.height:,}' if some.height else 'none'} "
            f"{'is' if some.height == 1 else 'are'} {what}"
        )
        if some.height == 1:
            parts[-1] += at_level(sure == 1, level, untested=False)
        elif some.height and level is not None:
            parts[-1] += f" ({f'{sure:,}' if sure else 'none'} of them at the {at(level)} level)"
    equal = known["better"].null_count()
    text = (
        f"Of {plural(known.height, 'configuration')}, {parts[0]} and {parts[1]} than their "
        f"baseline by {measure}"
    )
    text += f"; {equal:,} {'scores' if equal == 1 else 'score'} the same" if equal else ""
    unknown = known["p"].null_count() if level is not None else 0
    return f"{text}; {unknown:,} could not be tested." if unknown else f"{text}."


def at_level(sure: bool, level: float | None, untested: bool) -> str:
    """Return how a sentence says whether one difference is significant; "" without a level."""
    if level is None:
        return ""
    return (
        ", which could not be tested"
        if untested
        else f" ({'' if sure else 'not '}at the {at(level)} level)"
    )


def of_configuration(row: dict) -> str:
    """Return what a configuration gains and costs, from a row of GAINS."""
    lost, gained = (
        row["right_lost"] + row["right_spoiled"],
        row["right_added"] + row["wrong_corrected"],
    )
    removed, added = (
        row["wrong_removed"] + row["wrong_corrected"],
        row["wrong_added"] + row["right_spoiled"],
    )
    kept = plural(row["right_kept"], "right answer")
    return (
        f"Against {short(row['baseline'])}, {short(row['run'])} keeps {kept}, loses {lost:,} "
        f"and gains {gained:,};"
        f" it removes {plural(removed, 'wrong answer')} and adds {added:,}."
    )
