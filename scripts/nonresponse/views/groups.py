"""The best run of each group, as the overviews of shared tasks print it (Voorhees 2003, table 1)."""

import polars as pl

from nonresponse import groups
from nonresponse.legible import short
from nonresponse.views.material import Material, Shown


def make(material: Material) -> pl.DataFrame:
    """A row per group that has a run with a score by the first measure, the best first."""
    board = material.counts.select("run", "rank").drop_nulls("rank")
    for measure in material.measures:
        scores = material.scores(measure.id).rename({"value": measure.id})
        board = board.join(scores, on="run", how="left", maintain_order="left")
    named = groups.members(material.settings["groups"], material.counts["run"])
    rows = [(group.name, len(group.runs), run) for group in named for run in group.runs]
    of_runs = pl.DataFrame(rows, {"group": pl.String, "runs": pl.Int64, "run": pl.String}, orient="row")
    best = board.join(of_runs, on="run", maintain_order="left").unique("group", keep="first", maintain_order=True)
    return best.select("group", "runs", "run", "rank", *[measure.id for measure in material.measures])


def finding(table: pl.DataFrame, material: Material) -> list[str]:
    """Which group is first."""
    first = material.measures[0].id
    row = table.row(0, named=True)
    others = f", ahead of {short(table['group'][1])} with {table[first][1]:.4f}" if table.height > 1 else ""
    if table.height > 1 and table["rank"][0] == table["rank"][1]:
        others = f", as {short(table['group'][1])} has"
    return [
        f"The best group by {first} is {short(row['group'])}, with {row[first]:.4f} of {short(row['run'])}{others}."
    ]


SHOWN = Shown(
    heading="The best run of each group",
    caption="The best run of each group by the first measure, and its scores by the others.",
    columns={
        "group": "its name",
        "runs": "how many it has",
        "run": "the best of them by the first measure; of equals, the one whose name comes first",
        "rank": "of that run in the leaderboard",
        "{measure}": "its scores, a column per measure",
    },
    make=make,
    finding=finding,
)
