"""What a run owes to its own part in the pool (Zobel 1998).

Only answers that some run gave were judged. A run that had not taken part would have found its own right answers
unjudged, and so would everybody whose score depends on how many right answers are known. Leaving out the right answers
that only one run found shows how much: the judgments lose them, and every run is judged and scored again.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl

from nonresponse import measures, tables, tasks
from nonresponse.database import fetched
from nonresponse.judge import Rules, answers, open_tables, write_verdicts
from nonresponse.reliability.outcomes import Outcomes, from_verdicts, values
from nonresponse.reliability.rankings import kendall_tau_b

POOLING = {
    "measure": pl.String,
    "run": pl.String,  # whose right answers are left out where no other run found them
    "right_answers": pl.Int64,  # these
    "questions": pl.Int64,  # to which they were given
    "value": pl.Float64,  # the score of the run; null = undefined
    "without": pl.Float64,  # its score without them; null = undefined
    "change": pl.Float64,
    "tau": pl.Float64,  # of the ranking of all runs with and without them; null = nothing to rank
}

# The right answers that one run alone gave, by question; an answer is its text, or else its document.
FOUND_ALONE = """
    CREATE TABLE found_alone AS
    SELECT question, what, any_value(run) AS run
    FROM graded WHERE verdict = 'correct' AND what IS NOT NULL
    GROUP BY question, what HAVING count(DISTINCT run) = 1"""

# A question is judged as it was, and once more for each run that loses an answer to it: its name then begins with the
# number of the run.
AGAIN = """
    CREATE TABLE again AS
    SELECT question, run, dense_rank() OVER (ORDER BY run) || ' ' || question AS renamed
    FROM (SELECT DISTINCT question, run FROM found_alone)
    UNION ALL
    SELECT question, NULL, '0 ' || question FROM questions"""
RENAMED = "SELECT t.* REPLACE (a.renamed AS question) FROM {} AS t JOIN again AS a USING (question)"
WITHOUT = """
    ANTI JOIN found_alone AS f ON f.question = t.question AND f.run = a.run
        AND f.what = coalesce(t.answer, t.document) AND list_contains(getvariable('correct'), t.label)"""
TABLES = {name: RENAMED.format(name) for name in ("questions", "responses", "judgments")}
TABLES["judgments"] += WITHOUT


def summarise(files: list[Path], task: str, settings: dict, published: list[Path]) -> list[pl.DataFrame]:
    """POOLING: for each measure a row for each run that alone found some right answer, the largest change first.

    Empty where the answers were not pooled, for which there are no files. Questions in clusters count as they are.
    """
    frames = [tables.empty(POOLING)]
    if not files:
        return frames
    questions, judgments, *responses = files
    official = tables.official(settings.get("official"), pl.scan_parquet(judgments))
    sources = {"questions": [questions], "responses": responses, "everybody": [judgments]}
    rules = {name: settings.get(name, []) for name in ("correct", "partial", "pooled")}
    asked = {name: settings[name] for name in ("missing", "compare_on") if name in settings}
    known = Rules(**rules, vote=settings.get("vote"))
    connection = open_tables(sources, known)
    connection.execute("SET VARIABLE official = $1", [official])
    connection.execute("CREATE VIEW judgments AS SELECT * FROM everybody WHERE assessor = getvariable('official')")
    answers.graded_answers(connection, tasks.get(task), known)
    connection.execute(FOUND_ALONE)
    connection.execute(AGAIN)
    again = fetched(connection.sql("SELECT * FROM again WHERE run IS NOT NULL ORDER BY run, question"))
    alone = fetched(connection.sql("SELECT * FROM found_alone"))
    with TemporaryDirectory() as folder:
        files_again = {name: [Path(folder, f"{name}.parquet")] for name in TABLES}
        for name, query in TABLES.items():
            tables.write(fetched(connection.sql(query)), files_again[name][0])
        verdicts = Path(folder, "verdicts.parquet")
        write_verdicts(task, files_again, verdicts, **rules, **asked)
        for id in settings["measures"] if again.height else []:
            seen = from_verdicts(verdicts, measures.get(task, id), settings["policy"], official)
            frames.append(of_measure(seen, alone, again))
    return [pl.concat(frames)]


def of_measure(seen: Outcomes, alone: pl.DataFrame, again: pl.DataFrame) -> pl.DataFrame:
    """The rows of POOLING of one measure, from its outcomes on the questions of AGAIN."""
    column = {name: number for number, name in enumerate(seen.questions)}
    original = np.array([name.startswith("0 ") for name in seen.questions], np.float32)
    weights, parts = [original], again.partition_by("run", maintain_order=True)
    for part in parts:
        changed = original.copy()
        changed[[column[f"0 {question}"] for question in part["question"]]] = 0
        changed[[column[name] for name in part["renamed"]]] = 1
        weights.append(changed)
    score = values(seen, np.stack(weights))
    score = score * original.sum() if seen.measure.is_number else score
    sign, rows = 1 if seen.measure.higher_is_better else -1, []
    for part, without in zip(parts, score[1:], strict=True):
        run = part["run"][0]
        own, answers_alone = seen.runs.index(run), alone.filter(pl.col("run") == run).height
        before, after = score[0, own], without[own]
        both = np.isfinite(score[0]) & np.isfinite(without)
        tau = kendall_tau_b(sign * score[0, both], sign * without[both])
        rows.append((seen.measure.id, run, answers_alone, part.height, before, after, after - before, tau))
    frame = pl.DataFrame(rows, POOLING, orient="row").with_columns(pl.selectors.float().fill_nan(None))
    return frame.sort(pl.col("change").abs(), "run", descending=[True, False], nulls_last=True)
