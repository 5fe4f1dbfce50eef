"""The files of outcomes hold what the verdicts say, and change only where a measure sees the change."""

import numpy as np
import polars as pl
import pytest
from nonresponse import measures, tables, tasks
from nonresponse.database import verdicts_in
from nonresponse.reliability import outcome_files, outcomes
from pipeline import Campaign

ROWS = [("q1", 1, "correct", 0.9), ("q1", 2, "wrong", 0.4), ("q2", 1, "unanswered", None), ("q2", 2, "error", 0.1)]
ROWS += [("q3", 1, "partial", 0.4), ("q3", 2, "correct", 0.4), ("q4", 1, "unscored", 0.2)]
CLUSTERS = {"q1": "a", "q3": "a"}


def graded(folder, epochs: bool, policy: dict | None = None) -> Campaign:
    """Two runs, one of which leaves one question open that the other answers; asked once or twice."""
    rows = [
        {"question": question, "epoch": epoch, "verdict": verdict, "confidence": sure}
        for question, epoch, verdict, sure in ROWS
        if epochs or epoch == 1
    ]
    other = [row | {"verdict": "unanswered" if row["question"] == "q1" else row["verdict"]} for row in rows]
    return Campaign(folder, policy=policy).graded({"007": rows, "é, null": other})


@pytest.mark.parametrize("clusters", [{}, CLUSTERS])
@pytest.mark.parametrize("epochs", [False, True])
@pytest.mark.parametrize("policy", [{}, {"unscored": "exclude", "error": "exclude"}])
@pytest.mark.parametrize(
    "id", ["c@1", "nil_recall", "answered", "mrr", "k1", "cws", "r", "ece@10", "mean(c@1,cws,nil_recall,k1)"]
)
def test_what_is_read_is_what_the_verdicts_say(tmp_path, id, policy, epochs, clusters):
    made = graded(tmp_path, epochs, policy)
    measure = measures.get("qa", id)
    expected = outcomes.from_verdicts(
        made.verdicts, measure, made.policy, "official", tasks.get("qa").trivial, clusters
    )
    found, assessor = outcome_files.read_outcomes(made.file_of_outcomes(id), "qa", id, clusters)
    assert assessor == "official"
    assert (found.runs, found.questions, found.asked) == (expected.runs, expected.questions, expected.asked)
    assert found.matrices.keys() == expected.matrices.keys()
    for name, matrix in expected.matrices.items():
        assert found.matrices[name].dtype == matrix.dtype and np.array_equal(found.matrices[name], matrix), name
    weights = np.random.default_rng(1).integers(0, 3, (20, expected.n)).astype(np.float32)
    values = [outcomes.values(seen, weights) for seen in (found, expected)]
    assert np.array_equal(*values, equal_nan=True)


@pytest.mark.parametrize(("id", "changes"), [("c@1", True), ("nil_precision", False), ("nil_recall", False)])
def test_a_verdict_that_is_turned_changes_the_files_of_measures_that_see_it(tmp_path, id, changes):
    made = graded(tmp_path, False)
    before = made.file_of_outcomes(id).read_bytes()
    verdicts = verdicts_in(made.verdicts)
    here = (pl.col("run") == "007") & (pl.col("question") == "q1")
    right = pl.when(here).then(pl.lit("wrong")).otherwise("verdict").cast(verdicts.schema["verdict"])
    tables.write(verdicts.with_columns(verdict=right), made.verdicts)
    assert (made.file_of_outcomes(id).read_bytes() != before) == changes
