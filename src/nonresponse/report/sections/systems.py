"""The configurations of each system against its baseline: what each of them gains and costs."""

from pathlib import Path

import polars as pl

from nonresponse import tasks
from nonresponse.owners import list_owners
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, tabulate
from nonresponse.statistics import systems
from nonresponse.tables import read_parquet

GAINS = (
    "What became of the baseline's answers, in numbers of {}: correct ones kept, lost (nothing is"
    " shown instead) or spoiled (a wrong one is), wrong ones kept, removed or corrected, and those"
    " added where the baseline shows none."
)
COMPARE = "The comparison of two runs has the difference of their scores, with its interval and p."


def make(campaign: Campaign, verdicts: Path, counts: Path) -> None:
    """Write the table of systems/ and the page."""
    task, official = campaign.task, campaign.official
    runs = read_parquet(counts).filter(pl.col("assessor") == official)["run"]
    policy, groups = campaign.settings["policy"], list_owners(campaign.settings["systems"], runs)
    gains = systems.count_gains(verdicts, task, policy, official, groups)
    campaign.write_tables("systems", {"gains": gains})
    campaign.write_page("systems", {"systems": make_section(task, gains)})


def make_section(task: str, gains: pl.DataFrame) -> Section:
    """Return a table with a row for each configuration."""
    items = "pairs of a question and an answer" if tasks.get(task).pairs else "questions"
    changes = [name for name in [*systems.CHANGES.values(), "not_compared"] if gains[name].sum()]
    columns = ["system", "run", "baseline", "compared", *changes]
    table = tabulate(GAINS.format(items), gains, columns, csv="gains")
    return Section("Configurations of systems", [COMPARE], "compare", tables=[table])
