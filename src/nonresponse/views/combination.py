"""A bound by an oracle: what the best answer to each question would give (AVE; Peñas & Rodrigo 2011, 5)."""

import polars as pl

from nonresponse.database import fetched
from nonresponse.legible import short
from nonresponse.scoring.tally import repeated
from nonresponse.views.material import Material, total
from nonresponse.wording import amount, number, percent, plural

HEADING = "An oracle"
CAPTION = (
    "Right answers of each run, and those that there would be if for each question the best run, or in answer"
    " validation a right candidate, were chosen."
)
COLUMNS = {
    "run": "its name",
    "questions": "of the campaign; with a policy `exclude`, those that count for the run",
    "right": "questions that the run has right; of several epochs, the share; in answer validation, questions for"
    " which it selects a right answer",
    "accuracy": "right / questions",
    "right_alone": "questions that it has right in some epoch, and no other run has right in any",
    "all_questions": "those that count for some run",
    "possible_right": "questions that the run that is best on each has right; in answer validation, those with a right"
    " candidate",
    "possible": "possible_right / all_questions: the bound",
    "potential_gain": "the accuracy of an oracle on the run's own questions, less that of the run",
}


def table_of(material: Material) -> pl.DataFrame:
    """A row per run, in the order of the leaderboard; no rows in validation where no run selects answers."""
    right = some = "(verdict = 'correct')::INT"
    of_question = ""  # a question has one row already
    if several := repeated(material.verdicts, material.task.id, "verdicts"):
        # An oracle knows which run is best on a question, and not which of its epochs will be right.
        right = some = "avg((verdict = 'correct')::INT)"
        of_question = "GROUP BY run, question"
    if material.task.pairs:
        right, some = "coalesce(bool_or(selected AND positive), FALSE)::INT", "bool_or(positive)::INT"
        of_question = "WHERE selected IS NOT NULL AND positive IS NOT NULL GROUP BY run, question"
    rows = material.verdicts.sql(f"""
        WITH answers AS (
            SELECT run, question, {right} AS answered_right, {some} AS possible FROM verdicts {of_question}
        ), questions AS (
            SELECT question, max(possible) AS possible, count(*) FILTER (answered_right > 0) AS runs_right
            FROM answers GROUP BY question
        ), every AS (SELECT count(*) AS all_questions, {total("possible")} AS possible_right FROM questions)
        SELECT run, count(*) AS questions, {total("answered_right")} AS "right",
            count(*) FILTER (answered_right > 0 AND runs_right = 1) AS right_alone, all_questions, possible_right,
            {total("questions.possible")} AS possible_of_own
        FROM answers JOIN questions USING (question) CROSS JOIN every
        GROUP BY run, all_questions, possible_right""")
    order = material.counts.filter(~pl.col("trivial")).select("run")
    table = order.join(fetched(rows), on="run", maintain_order="left")
    if not several:
        table = table.with_columns(pl.col("right", "possible_right").cast(pl.Int64))
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
    of = (
        f"{amount(best['possible_right'])} of {plural(best['all_questions'], 'question')} ({percent(best['possible'])})"
    )
    has, are = ("has", "is") if best["possible_right"] == 1 else ("have", "are")
    what = f"{has} a right candidate" if material.task.pairs else f"{are} answered correctly by some run"
    if table["right"].dtype.is_float():  # means over epochs
        what = f"{are} answered correctly by the run that is best on each"
    alone = table.filter(pl.col("right_alone") > 0).height
    text = f"{of} {what}"
    if best["questions"] == best["all_questions"]:
        text += f"; the best run, {short(best['run'])}, has {amount(best['right'])}, so that an oracle would"
        text += f" gain {number(best['potential_gain'], 3)} in accuracy"
    text += "."
    if alone and table.height > 1:
        text += f" {plural(alone, 'run', 'has', 'have')} questions right that no other has."
    return [text]
