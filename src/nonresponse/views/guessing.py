"""Multiple choice: scores compared with what guessing is expected to give, and silence compared with guesses."""

import polars as pl

from nonresponse import tables
from nonresponse.legible import short
from nonresponse.scoring.leaderboard import TIE
from nonresponse.views.material import Material, exact_sum
from nonresponse.wording import extent, listed, number, plural

HEADING = "Beside guessing"
CAPTION = (
    "A guess among m options is right with probability 1/m. The leaderboard has the run that guesses all"
    " questions, with the counts that are expected of it."
)
COLUMNS = {
    "run": "its name",
    "chance": "the mean of 1/m over its questions: the accuracy, and c@1, to expect from guessing all of them",
    "accuracy": "n_ac / n",
    "chance_corrected": "(accuracy − chance) / (1 − chance)",
    "c@1": "its score",
    "had_it_guessed": "the accuracy, and c@1, to expect if it had guessed what it left open",
    "gained": "c@1 less had_it_guessed",
}


def table_of(material: Material) -> pl.DataFrame:
    """A row per run with questions, in the order of the leaderboard; rates are of the run's own questions."""
    counts = material.counts.filter(~pl.col("trivial"), pl.col("n") > 0)
    right, chance, lucky = (pl.col(name) for name in ("n_ac", "chance", "lucky"))
    table = guesses(material, counts).with_columns(accuracy=right / pl.col("n"))
    c_at_1 = right * (1 + pl.col("n_u") / pl.col("n")) / pl.col("n")
    with_guesses = right / pl.col("n") + lucky
    return table.select(
        "run",
        "chance",
        "accuracy",
        **{"chance_corrected": (pl.col("accuracy") - chance) / (1 - chance), "c@1": c_at_1},
        had_it_guessed=with_guesses,
        gained=c_at_1 - with_guesses,
    )


def guesses(material: Material, counts: pl.DataFrame) -> pl.DataFrame:
    """The counts with the shares of questions that guesses get right: of all, and (`lucky`) of those left open."""
    options = material.settings["options"]
    if isinstance(options, int):
        share = pl.lit(1 / options)
        return counts.with_columns(chance=share, lucky=share * pl.col("n_u") / pl.col("n"))
    asked = tables.spelt(pl.read_parquet(material.folder / "questions.parquet", columns=["question", "options"]))
    items = material.store.items.join(asked, on="question", how="left", maintain_order="left")
    of_items = (1 / items["options"]).fill_null(0).to_numpy()
    counted, unanswered = material.cases("TRUE", "verdict = 'unanswered'")
    rows = []
    for run, place in material.places.items():
        codes = material.store.codes[material.official_place, place]
        questions = counted[codes].sum()
        rows.append((run, *(exact_sum(of_items[some[codes]]) / questions for some in (counted, unanswered))))
    of_runs = {"run": pl.String, "chance": pl.Float64, "lucky": pl.Float64}
    return counts.join(pl.DataFrame(rows, of_runs, orient="row"), on="run", maintain_order="left")


def sentences(table: pl.DataFrame, material: Material) -> list[str]:
    """What guessing gives, which runs are no better, and whom c@1 credits with more than guesses would give."""
    shares = extent(table["chance"])
    said = [f"A run that guesses all questions is expected to have an accuracy and a c@1 of {shares}."]
    behind = table.filter(pl.col("accuracy") <= pl.col("chance") + TIE)
    if behind.height:
        names, are = listed([short(run) for run in behind["run"]]), "is" if behind.height == 1 else "are"
        said.append(f"{plural(behind.height, 'run')} of {table.height:,} {are} no more accurate than that: {names}.")
    most = table.sort("gained", descending=True, maintain_order=True).row(0, named=True)
    if most["gained"] > TIE:
        said.append(
            f"c@1 credits the silence of {short(most['run'])} most beyond what guesses would give: with"
            f" {number(most['c@1'], 3)}, against an expected accuracy of {number(most['had_it_guessed'], 3)}."
        )
    return said
