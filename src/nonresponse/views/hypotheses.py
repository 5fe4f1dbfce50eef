"""How many hypotheses each run gives, and whether that is what DEFT's official score is for: one (DEFT 2011, 1.3)."""

import polars as pl

from nonresponse import tables
from nonresponse.views.material import Material
from nonresponse.wording import plural, word

HEADING = "Hypotheses"
CAPTION = (
    "Hypotheses of each run, and the precision of what it proposes: of the questions with a hypothesis, the"
    " share whose most confident one is right."
)
COLUMNS = {
    "run": "its name",
    "proposed": "questions with a hypothesis",
    "hypotheses": "all of them",
    "most": "the largest number for one question",
    "several": "questions with several",
    "one_each": "whether it has no such question, as the official score wants it",
    "right": "questions whose most confident hypothesis is right",
    "precision": "right / questions with a hypothesis: “réponses correctes / réponses proposées”",
    "share_right": "right / all questions: “réponses correctes / réponses attendues”",
}


def table_of(material: Material) -> pl.DataFrame:
    """A row per run, in the order of the leaderboard."""
    files = material.settings["responses"]
    given = tables.spelt(pl.scan_parquet(files)).filter(pl.col("answer").is_not_null() & ~pl.col("failed"))
    by_question = given.group_by("run", "question").agg(hypotheses=pl.len())
    by_run = by_question.group_by("run").agg(
        proposed=pl.len(),
        hypotheses=pl.col("hypotheses").sum(),
        most=pl.col("hypotheses").max(),
        several=(pl.col("hypotheses") > 1).sum(),
    )
    table = material.counts.select("run", "n", right="n_ac", wrong="n_aw")
    table = table.join(by_run.collect(), on="run", how="left", maintain_order="left")
    counted = ["proposed", "hypotheses", "most", "several"]
    table = table.with_columns(pl.col(*counted).fill_null(0).cast(pl.Int64))
    decided = pl.col("right") + pl.col("wrong")
    return table.select(
        "run",
        *counted,
        one_each=pl.col("several") == 0,
        right="right",
        precision=pl.when(decided > 0).then(pl.col("right") / decided),
        share_right=pl.when(pl.col("n") > 0).then(pl.col("right") / pl.col("n")),
    )


def sentences(table: pl.DataFrame, material: Material) -> list[str]:
    """How many runs give more than the official score looks at."""
    several = table.filter(~table["one_each"]).height
    if not several:
        return ["Every run gives at most one hypothesis to a question, as the official score of DEFT wants it."]
    give = "gives" if several == 1 else "give"
    return [
        f"{word(several).capitalize()} of {plural(table.height, 'run')} {give} several hypotheses to some question; the"
        " official score of DEFT wants one, and looks at the most confident alone."
    ]
