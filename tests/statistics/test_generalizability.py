"""Components of variance of questions and assessors, beside plain loops and a simulation whose
truth is known."""

import numpy as np
import polars as pl
import pytest
from literal_reliability import literal_components
from nonresponse import tasks
from nonresponse.judging.store import read_verdicts
from nonresponse.report.sections.generalizability import sentence
from nonresponse.statistics import generalizability
from nonresponse.statistics.analyses import Inputs
from nonresponse.wording import percent
from pipeline import Campaign


def graded(folder, assessors: int) -> Campaign:
    """Three runs, forty questions; each assessor is more lenient than the one before."""
    draw = np.random.default_rng(3)
    rows = {
        run: [
            {"question": f"q{q:02}"}
            | {f"a{a}": "correct" if worth < 0.4 + 0.1 * a else "wrong" for a in range(assessors)}
            for q, worth in enumerate(draw.random(40))
        ]
        for run in ("r", "s", "t")
    }
    columns = {f"a{a}": f"a{a}" for a in range(assessors)}
    return Campaign(folder).graded(rows, options={"assessors": columns, "official": "a0"})


def test_the_table_of_a_campaign(tmp_path):
    made = graded(tmp_path, 4)
    settings = {"measures": ["accuracy", "c@1", "cws"], "official": "a0", "policy": tasks.POLICIES}
    table = generalizability.summarise(Inputs(verdicts=[made.verdicts]), "qa", settings)[0]
    assert table["measure"].to_list() == ["accuracy", "c@1"], "cws has no order here"
    row = table.row(0, named=True)
    assert (row["runs"], row["assessors"], row["questions"]) == (3, 3, 40), (
        "the official assessor stays out"
    )
    verdicts = (
        read_verdicts(made.verdicts)
        .rows()
        .sort("run", "assessor", "question")
        .filter(pl.col("assessor") != "a0")
    )
    right = (verdicts["verdict"] == "correct").to_numpy().reshape(3, 3, 40).astype(float)
    expected = np.maximum(np.mean([literal_components(run.tolist()) for run in right], axis=0), 0)
    assert [row[name] for name in ("of_questions", "of_assessors", "of_both")] == pytest.approx(
        expected
    )
    assert row["twice_assessors"] < row["error"] and row["twice_questions"] < row["error"]
    assert percent(expected[1] / expected.sum()) + " between assessors" in sentence(row)


def test_one_assessor_leaves_nothing_to_take_apart(tmp_path):
    settings = {"measures": ["accuracy"], "policy": tasks.POLICIES}
    assert generalizability.summarise(
        Inputs(verdicts=[graded(tmp_path, 1).verdicts]), "qa", settings
    )[0].is_empty()
