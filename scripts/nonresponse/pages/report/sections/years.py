"""Where answers are years: how near they come, which decades are confused."""

import polars as pl

from nonresponse.pages import year_page
from nonresponse.pages.blocks import Column
from nonresponse.pages.report.blocks import Block, figure, sentences, table
from nonresponse.pages.report.drawing import inlined
from nonresponse.pages.sections import Campaign
from nonresponse.scoring import year_distances
from nonresponse.wording import plural


def blocks(campaign: Campaign) -> list[Block]:
    """What is to be said of all runs, a row per run, and the figures with what each shows."""
    distances = year_distances.distances(
        campaign.folder / "verdicts.parquet", campaign.task, campaign.settings["policy"]
    ).filter(pl.col("assessor") == campaign.official)
    farthest = campaign.settings["farthest"]
    runs, curves = year_distances.by_run(distances, farthest), year_distances.within(distances, farthest)
    said = year_page.of_all(runs, curves, farthest)
    return [sentences([said]), by_run(runs, distances, farthest), *drawings(campaign, said)]


def by_run(runs: pl.DataFrame, distances: pl.DataFrame, farthest: int) -> Block:
    """How near each run comes: area, shares within some years, decades, and distances in years."""
    reached = [distance for distance in year_page.DISTANCES if distance < farthest] + [farthest]
    near = year_distances.within(distances, max(reached)).filter(pl.col("years").is_in(reached))
    for distance in reached:
        mine = near.filter(pl.col("years") == distance).select("run", pl.col("share").alias(f"within {distance}"))
        runs = runs.join(mine, on="run", how="left", maintain_order="left")
    numbers = {"area": f"auc@{farthest}", "n": "n", "abstained": "no prediction"}
    numbers |= {f"within {distance}": f"within {distance}" for distance in reached}
    numbers |= {"same_decade": "same decade", "median": "median distance", "mean": "mean signed distance"}
    columns = [Column("run", run=True)]
    columns += [
        Column(name, "number", label=label, digits=4 if runs.schema[name].is_float() else None)
        for name, label in numbers.items()
    ]
    notes = [
        "Within e: the share of the n fragments that the run puts at most e years from the reference.",
        "Distances are in years, of the predictions alone; a positive one is too late.",
    ]
    return table(runs, columns, f"The runs by auc@{farthest}", notes)


def drawings(campaign: Campaign, said: str) -> list[Block]:
    """The figures, folded away together, each below what it shows unless that has been said."""
    found: list[Block] = []
    paths = sorted((campaign.folder / "years").glob("*.svg"))
    folded = plural(len(paths), "figure")
    for number, path in enumerate(paths):
        svg, finding = inlined(path.read_text(encoding="utf-8"), f"{campaign.name}:years{number}_")
        if finding != said:
            found.append(sentences([finding]) | {"folded": folded})
        found.append(figure(svg, finding or path.stem, folded))
    return found
