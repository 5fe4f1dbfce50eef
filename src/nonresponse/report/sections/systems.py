"""The configurations of each system against its baseline: what each of them gains and costs."""

from pathlib import Path

import polars as pl

from nonresponse import tasks
from nonresponse.owners import list_owners
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, tabulate
from nonresponse.statistics import systems
from nonresponse.statistics.analyses import read_tables
from nonresponse.tables import read_parquet
from nonresponse.wording import format_level, join_names, plural

GAINS = (
    "What became of the baseline's answers, in numbers of {}: correct ones kept, lost (nothing is"
    " shown instead) or spoiled (a wrong one is), wrong ones kept, removed or corrected, and those"
    " added where the baseline shows none."
)
SCORES = "Scores of each configuration and of its baseline"
TESTS = (
    "{}, with the {} CI of the difference; p: the paired test of the two runs; p_maxt: for all"
    " pairs of runs together."
)


def make(
    campaign: Campaign, verdicts: Path, counts: Path, scores: list[Path], comparisons: list[Path]
) -> None:
    """Write the tables of systems/ and the page."""
    task, official = campaign.task, campaign.official
    runs = read_parquet(counts).filter(pl.col("assessor") == official)["run"]
    policy, groups = campaign.settings["policy"], list_owners(campaign.settings["systems"], runs)
    values = {path.stem: read_parquet(path) for path in scores}
    tests = read_tables(comparisons, "comparisons")
    frames = {
        "gains": systems.count_gains(verdicts, task, policy, official, groups),
        "differences": systems.list_differences(values, tests, task, official, groups),
    }
    campaign.write_tables("systems", frames)
    campaign.write_page("systems", {"systems": make_section(campaign, **frames)})


def make_section(campaign: Campaign, gains: pl.DataFrame, differences: pl.DataFrame) -> Section:
    """Return a sentence on the first measure, and two tables with a row for each configuration."""
    level, id = campaign.settings.get("level"), campaign.measures[0]
    names = ("system", "run", "baseline")
    items = "pairs of a question and an answer" if tasks.get(campaign.task).pairs else "questions"
    changes = [name for name in [*systems.CHANGES.values(), "not_compared"] if gains[name].sum()]
    columns, caption = [*names, "measure", "value", "baseline_value", "difference"], f"{SCORES}."
    if level is not None:
        columns += ["lower", "upper", "p", "p_maxt"]
        caption = TESTS.format(SCORES, format_level(1 - level))
    tables = [
        tabulate(GAINS.format(items), gains, [*names, "compared", *changes], csv="gains"),
        tabulate(caption, differences, columns, csv="differences"),
    ]
    sentence = describe_differences(differences.filter(measure=id), id, level)
    return Section("Configurations of systems", [sentence], "compare", tables=tables)


def describe_differences(differences: pl.DataFrame, measure: str, level: float | None) -> str:
    """Return how many configurations are better or worse than their baseline by one measure."""
    rows = differences.drop_nulls("difference")
    if rows.is_empty():
        return f"No configuration can be compared with its baseline by {measure}: it is undefined."
    parts = []
    for better, word in ((True, "better"), (False, "worse")):
        group = rows.filter(pl.col("better") == better)
        significant = group.filter(pl.col("p_maxt") <= (level or 0)).height
        remark = f" ({significant or 'none'} significantly)" * (
            level is not None and group.height > 0
        )
        parts.append(f"{group.height or 'none'} {word}{remark}")
    subject = plural(rows.height, "configuration", "is", "are")
    return f"By {measure}, {subject} compared with the baseline: {join_names(parts)}."
