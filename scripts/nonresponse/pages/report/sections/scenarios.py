"""Other readings of the judgments: how much the ranking hangs on what is called right."""

import polars as pl

from nonresponse.pages.report.blocks import Block, column, plain_table, sentences, table
from nonresponse.pages.sections import Campaign
from nonresponse.reliability.scenarios import RANKINGS, SCORES, SWAPS


def blocks(campaign: Campaign) -> list[Block]:
    """The findings, tau between the readings, every run under each, and the pairs of runs that are swapped."""
    folder = campaign.folder / "scenarios"
    said = pl.read_csv(folder / "findings.csv", infer_schema=False)["finding"].to_list()
    scores, rankings, swaps = (
        pl.read_csv(folder / f"{name}.csv", schema=columns)
        for name, columns in (("scores", SCORES), ("rankings", RANKINGS), ("swaps", SWAPS))
    )
    first = scores.filter(pl.col("measure") == campaign.measures[0])
    told = swaps.sort("p_maxt", "measure", "run", "other_run", nulls_last=True, maintain_order=True)
    caption = "Pairs of runs that change places: run is ahead under scenario, other_run under other_scenario"
    return [
        sentences(said),
        plain_table(rankings, "How far the rankings under each two readings agree", csv="rankings"),
        by_reading(first, campaign.measures[0]),
        plain_table(told, caption, folded="Swapped pairs", csv="swaps"),
    ]


def by_reading(scores: pl.DataFrame, measure: str) -> Block:
    """A row per run: its score and its rank under each reading, which are s0, s1, ... and r0, r1, ... in the data."""
    names = scores["scenario"].unique(maintain_order=True).to_list()
    runs = scores.select(pl.col("run").unique(maintain_order=True))
    columns = [column("run", run=True)]
    for number, name in enumerate(names):
        mine = scores.filter(pl.col("scenario") == name)
        of_reading = mine.select("run", pl.col("value").alias(f"s{number}"), pl.col("rank").alias(f"r{number}"))
        runs = runs.join(of_reading, on="run", how="left", maintain_order="left")
        columns += [
            column(f"s{number}", "number", label=name, digits=4),
            column(f"r{number}", "number", label=f"rank, {name}"),
        ]
    return table(runs, columns, f"{measure} and rank of every run under each reading", folded="Run by run")
