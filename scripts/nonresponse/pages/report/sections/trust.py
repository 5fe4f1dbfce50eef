"""How far the scores can be trusted: the findings of each analysis, and their figures."""

from pathlib import Path

import polars as pl

from nonresponse.pages.report.blocks import Block, figure, sentences
from nonresponse.pages.report.drawing import inlined
from nonresponse.pages.sections import Campaign
from nonresponse.reliability.analyses import NAMES
from nonresponse.wording import plural


def blocks(campaign: Campaign) -> list[Block]:
    """The findings by analysis, in the order of the page on reliability; then the figures."""
    found = pl.read_csv(campaign.folder / "reliability/findings.csv", schema_overrides={"measure": pl.String})
    said = []
    for analysis in NAMES:
        mine = found.filter(pl.col("analysis") == analysis)
        if mine.height:
            said.append(sentences(mine["finding"].to_list(), analysis.replace("_", " ").capitalize()))
    return said + drawings(campaign.folder / "figures", campaign.name)


def drawings(folder: Path, campaign: str) -> list[Block]:
    """The figures of a folder, folded away together."""
    paths = sorted(folder.glob("*.svg"))
    folded = plural(len(paths), "figure")
    return [
        figure(inlined(path.read_text(encoding="utf-8"), f"{campaign}:{path.parent.name}{number}_"), path.stem, folded)
        for number, path in enumerate(paths)
    ]
