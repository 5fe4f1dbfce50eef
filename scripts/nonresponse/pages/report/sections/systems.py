"""Configurations of a system: what each gained and cost against its own baseline."""

import polars as pl

from nonresponse.pages.report.blocks import Block, plain_table, sentences
from nonresponse.pages.sections import Campaign
from nonresponse.reliability.systems import DIFFERENCES, GAINS


def blocks(campaign: Campaign) -> list[Block]:
    """The findings, and both tables."""
    folder = campaign.folder / "systems"
    said = pl.read_csv(folder / "findings.csv", infer_schema=False)["finding"].to_list()
    gains = pl.read_csv(folder / "gains.csv", schema=GAINS)
    differences = pl.read_csv(folder / "differences.csv", schema=DIFFERENCES)
    return [
        sentences(said),
        plain_table(gains, "What became of the answers of each baseline", csv="gains"),
        plain_table(differences, "Scores of each configuration and of its baseline", csv="differences"),
    ]
