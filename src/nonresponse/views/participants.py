"""The best run of each participant, as the overviews of shared tasks print it (Voorhees 2003, table 1)."""

import polars as pl

from nonresponse.legible import short
from nonresponse.owners import owners
from nonresponse.views.material import Material
from nonresponse.wording import number

HEADING = "The best run of each participant"
CAPTION = "The best run of each participant by the first measure, and its scores by the others."
COLUMNS = {
    "participant": "its name",
    "runs": "how many it has",
    "run": "the best of them by the first measure; of equals, the one whose name comes first",
    "rank": "of that run in the leaderboard",
    "{measure}": "its scores, a column per measure",
}


def table_of(material: Material) -> pl.DataFrame:
    """A row per participant that has a run with a score by the first measure, the best first."""
    board = material.counts.select("run", "rank").drop_nulls("rank")
    for measure in material.measures:
        scores = material.scores(measure.id).rename({"value": measure.id})
        board = board.join(scores, on="run", how="left", maintain_order="left")
    participants = owners(material.settings["participants"], material.counts["run"])
    rows = [(one.name, len(one.runs), run) for one in participants for run in one.runs]
    of_runs = pl.DataFrame(rows, {"participant": pl.String, "runs": pl.Int64, "run": pl.String}, orient="row")
    best = board.join(of_runs, on="run", maintain_order="left").unique("participant", keep="first", maintain_order=True)
    return best.select("participant", "runs", "run", "rank", *[measure.id for measure in material.measures])


def sentences(table: pl.DataFrame, material: Material) -> list[str]:
    """Which participant is first."""
    first = material.measures[0].id
    row = table.row(0, named=True)
    score = number(row[first], 3)
    text = f"The best participant by {first} is {short(row['participant'])}, with {score} of {short(row['run'])}"
    for other in table[1:2].iter_rows(named=True):
        name, equal = short(other["participant"]), other["rank"] == row["rank"]
        text += f", as {name} has" if equal else f", ahead of {name} with {number(other[first], 3)}"
    return [f"{text}."]
