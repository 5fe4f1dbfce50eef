"""How many answers of each run have which label (R, W, U, X; ROMIP: good, long, partial, bad), beside its counts."""

from pathlib import Path

import polars as pl

from nonresponse.database import fetched
from nonresponse.judging import Judging, answers, open_tables
from nonresponse.tasks import ERROR, UNSCORED
from nonresponse.views.material import Material
from nonresponse.wording import percent

OTHERS = ("NIL", "not_judged", "error", "not_answered")
HEADING = "Labels"
CAPTION = "First answers of each run by their label, and the counts that follow."
COLUMNS = {
    "run": "its name",
    "{label}": "questions whose first answer has this label, a column for each that the official judgments use",
    "NIL": "questions answered with “there is no answer in the collection”, which are not judged",
    "not_judged": UNSCORED.meaning,
    "error": ERROR.meaning,
    "not_answered": "no answer, or no response of the run; these columns add up to all questions",
    "{count}": "the counts of the leaderboard",
}


def table_of(material: Material) -> pl.DataFrame:
    """A row per run, in the order of the leaderboard; labels that no judgment has get no column."""
    folder = material.folder
    tables: dict[str, list[Path]] = {name: [folder / f"{name}.parquet"] for name in ("judgments", "questions")}
    tables["responses"] = material.settings["responses"]
    judging = Judging(**material.settings["meaning"])
    connection = open_tables(tables, judging)
    answers.graded_answers(connection, material.task, judging)
    query = (
        "SELECT run, CASE WHEN verdict = 'error' THEN 'error' WHEN nil THEN 'NIL' WHEN NOT given THEN 'not_answered'"
        " ELSE coalesce(label, 'not_judged') END AS label, count(*) AS questions"
        " FROM graded WHERE rank = 1 AND assessor = $1 GROUP BY ALL"
    )
    by_label = fetched(connection.sql(query, params=[material.official]))
    of_official = "SELECT DISTINCT label FROM judged WHERE assessor = $1"
    every = fetched(connection.sql(of_official, params=[material.official]))["label"]
    labels = [label for label in material.task.labels_in(material.settings["format"]) if (every == label).any()]
    # A question that a run leaves out has no row in `graded`.
    own = "missing AND verdict <> 'not asked' AND assessor = getvariable('official')"
    left_out = fetched(material.verdicts.sql(f"SELECT run, count(*) AS left_out FROM every WHERE {own} GROUP BY run"))
    questions, names = pl.col("questions"), [*labels, *OTHERS]
    of_labels = [questions.filter(pl.col("label") == name).sum().cast(pl.Int64).alias(name) for name in names]
    table = material.counts.select("run", *material.task.shown)
    for columns in (by_label.group_by("run").agg(of_labels), left_out):
        table = table.join(columns, on="run", how="left", maintain_order="left")
    table = table.with_columns(pl.col(*names, "left_out").fill_null(0))
    table = table.with_columns(not_answered=pl.col("not_answered") + pl.col("left_out"))
    return table.select("run", *names, *material.task.shown)


def sentences(table: pl.DataFrame, material: Material) -> list[str]:
    """How many of the answers that are not called right are not plainly wrong either."""
    labels = [name for name in table.columns[1:] if name not in (*OTHERS, *material.task.shown)]
    totals = {name: int(table[name].sum()) for name in labels}
    judged = sum(totals.values())
    if not judged:
        return ["No answer was judged."]
    shares = ", ".join(f"{name} {percent(number / judged)}" for name, number in totals.items())
    return [f"Of {judged:,} judged answers of all runs: {shares}."]
