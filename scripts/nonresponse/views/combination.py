"""A bound by an oracle: what the best answer to each question would give (AVE; Peñas & Rodrigo 2011, 5)."""

import polars as pl

from nonresponse.database import fetched
from nonresponse.legible import short
from nonresponse.views.material import Material
from nonresponse.wording import number, percent, plural

HEADING = "An oracle"
CAPTION = (
    "Right answers of each run, and those that there would be if for each question the best run, or in answer"
    " validation a right candidate, were chosen."
)
COLUMNS = {
    "run": "its name",
    "questions": "of the campaign; with a policy `exclude`, those that count for the run",
    "right": "questions that the run has right; in answer validation, those for which it selects a right answer",
    "accuracy": "right / questions",
    "right_alone": "those that no other run has right",
    "all_questions": "those that count for some run",
    "possible_right": "questions that some run has right; in answer validation, those with a right candidate",
    "possible": "possible_right / all_questions: the bound",
    "potential_gain": "of its own questions the share that some run has right, less accuracy",
}


def table_of(material: Material) -> pl.DataFrame:
    """A row per run, in the order of the leaderboard; no rows in validation where no run selects answers."""
    right = some = "verdict = 'correct'"
    of_item = ""  # no grouping: an item has one row already
    if material.task.pairs:
        right, some = "bool_or(selected AND positive)", "bool_or(positive)"
        of_item = "WHERE selected IS NOT NULL AND positive IS NOT NULL GROUP BY run, question"
    item = "question, epoch" if material.task.repeated else "question"  # of repeated questions, each sample
    rows = material.verdicts.sql(f"""
        WITH answers AS (
            SELECT run, {item}, coalesce({right}, FALSE) AS answered_right, {some} AS possible
            FROM verdicts {of_item}
        ), questions AS (
            SELECT {item}, bool_or(possible) AS possible, count(*) FILTER (answered_right) AS runs_right
            FROM answers GROUP BY {item}
        ), every AS (SELECT count(*) AS all_questions, count(*) FILTER (possible) AS possible_right FROM questions)
        SELECT run, count(*) AS questions, count(*) FILTER (answered_right) AS "right",
            count(*) FILTER (answered_right AND runs_right = 1) AS right_alone, all_questions, possible_right,
            count(*) FILTER (questions.possible) AS possible_of_own
        FROM answers JOIN questions USING ({item}) CROSS JOIN every
        GROUP BY run, all_questions, possible_right""")
    order = material.counts.filter(~pl.col("trivial")).select("run")
    table = order.join(fetched(rows), on="run", maintain_order="left")
    share = {
        "accuracy": pl.col("right") / pl.col("questions"),
        "possible": pl.col("possible_right") / pl.col("all_questions"),
    }
    gain = pl.col("possible_of_own") / pl.col("questions") - pl.col("accuracy")
    table = table.with_columns(**share).with_columns(potential_gain=gain)
    return table.select(*COLUMNS)


def sentences(table: pl.DataFrame, material: Material) -> list[str]:
    """The bound, and how far the best run is below it; nothing where there is one run alone."""
    if table.height == 1 and not material.task.pairs:  # it is its own oracle
        return []
    best = table.sort("accuracy", descending=True, maintain_order=True).row(0, named=True)
    of = f"{best['possible_right']:,} of {plural(best['all_questions'], 'question')} ({percent(best['possible'])})"
    has, are = ("has", "is") if best["possible_right"] == 1 else ("have", "are")
    what = f"{has} a right candidate" if material.task.pairs else f"{are} answered correctly by some run"
    alone = table.filter(pl.col("right_alone") > 0).height
    text = f"{of} {what}"
    if best["questions"] == best["all_questions"]:
        text += f"; the best run, {short(best['run'])}, has {best['right']:,}, so that an oracle would"
        text += f" gain {number(best['potential_gain'], 3)} in accuracy"
    text += "."
    if alone and table.height > 1:
        text += f" {plural(alone, 'run', 'has', 'have')} questions right that no other has."
    return [text]
