"""What silence is worth: where the runs are in the plane of answered and accuracy, on curves of equal c@1."""

from functools import partial

import polars as pl

from nonresponse import legible
from nonresponse.figures import plane
from nonresponse.figures.series import DRAWN
from nonresponse.pages.blocks import Block, Column, figure, of_frame, of_table, sentences
from nonresponse.pages.sections import Campaign
from nonresponse.wording import plural


def blocks(campaign: Campaign) -> list[Block]:
    """A sentence, the plane, and what it shows as a table."""
    board = pl.read_parquet(campaign.folder / "leaderboard.parquet")
    runs = worth(board)
    if runs.is_empty():
        return []
    said, about = finding(runs), "Each run's curve of equal c@1, followed to the right edge, meets its c@1 there."
    number = partial(Column, kind="number", digits=4, better="higher")
    columns = [
        Column("run", run=True),
        number("answered", better="neither", about="share of the questions answered"),
        number("accuracy", about="share of the questions answered correctly"),
        number("c@1", about="the accuracy of an equal run that answers everything"),
        number("gained", about="c@1 − accuracy: what silence is credited with"),
        number("candidate_accuracy", about="accuracy, had the run given what it withheld"),
        number("over candidates", about="c@1 − candidate_accuracy"),
    ]
    columns = [column for column in columns if column.name in runs.columns]
    left_out = [f"The plane shows the {DRAWN:,} runs with the highest c@1."] * (runs.height > DRAWN)
    return [
        sentences([said, credit(runs), *left_out]),
        figure(plane.svg(runs.head(DRAWN), f"{said} {about}", campaign.name), ""),
        of_table(of_frame(runs, columns, "What silence is credited with, run by run", folded="The numbers")),
    ]


def worth(board: pl.DataFrame) -> pl.DataFrame:
    """run, answered, accuracy, c@1, gained, by c@1; and what was withheld, where some run has judged candidates.

    Of a run that left questions open and withheld nothing that was judged, that is null. Runs without a question are
    left out.
    """
    known = board.filter(pl.col("n") > 0, ~pl.col("trivial"), pl.all_horizontal(pl.col("n_ac", "n_u").is_not_null()))
    right, silent = pl.col("n_ac") / pl.col("n"), pl.col("n_u") / pl.col("n")
    runs = known.select(
        "run", answered=1 - silent, accuracy=right, **{"c@1": right * (1 + silent)}, gained=right * silent
    )
    counted = [pl.col(name) for name in ("n_ur", "n_uw") if name in known.columns]
    judged = pl.sum_horizontal(pl.lit(0), *counted) > 0
    if "n_ur" in known.columns and known.select(judged.any()).item():
        accuracy = (pl.col("n_ac") + pl.col("n_ur")) / pl.col("n")
        runs = runs.hstack(known.select(candidate_accuracy=pl.when(judged | (pl.col("n_u") == 0)).then(accuracy)))
        runs = runs.with_columns((pl.col("c@1") - pl.col("candidate_accuracy")).alias("over candidates"))
    return runs.sort("c@1", "run", descending=[True, False])


def finding(runs: pl.DataFrame) -> str:
    """Who gained most."""
    silent = runs.filter(pl.col("answered") < 1)
    if silent.is_empty():
        return "Every run answered every question: c@1 is accuracy."
    most = silent.sort("gained", "run", descending=[True, False]).row(0, named=True)
    return (
        f"{plural(silent.height, 'run')} of {runs.height:,} left questions open; {legible.short(most['run'])} is"
        f" credited with most, {most['gained']:.3f}: accuracy {most['accuracy']:.3f}, c@1 {most['c@1']:.3f}."
    )


def credit(runs: pl.DataFrame) -> str:
    """How to read the plane, and what was withheld."""
    rule = "A question left open is credited with the run's accuracy: c@1 = accuracy × (2 − answered)."
    if "over candidates" not in runs.columns:
        return rule
    judged = runs.filter(pl.col("over candidates").is_not_null(), pl.col("answered") < 1)
    if judged.is_empty():
        return rule
    ahead = judged.filter(pl.col("over candidates") > 0).height
    return (
        f"{rule} The arrows lead to where runs would be, had they given what they withheld: "
        f"{ahead:,} of {plural(judged.height, 'run')} would have less than their c@1."
    )
