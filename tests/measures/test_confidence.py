"""Measures of self-scores beside worked examples and each other."""

import math

import polars as pl
import pytest
from nonresponse import measures
from nonresponse.measures import orderings
from nonresponse.scoring.score import evaluate_sums

CLOSE = 1e-9
# Ten answers, first without equal self-scores, then with some.
RIGHT = [1, 1, 0, 1, 1, 0, 1, 0, 1, 0]
E2 = [0.97, 0.93, 0.88, 0.82, 0.77, 0.71, 0.64, 0.53, 0.41, 0.28]
E2T = [0.95, 0.90, 0.90, 0.80, 0.70, 0.70, 0.60, 0.55, 0.40, 0.30]
WORKED = {
    "aurc": (0.251071, 0.286071),
    "e_aurc": (0.157567, 0.192567),
    "augrc": (0.15, 0.16),
    "prr": (0.518227, 0.396437),
    "auroc_confidence": (0.708333, 0.666667),
    "coverage@0.01": (0.2, 0.1),
    "coverage@0.2": (0.5, 0.1),
    "coverage@0.25": (0.5, 0.4),
    "coverage@0.3": (0.7, 0.7),
    "coverage@0.35": (0.9, 0.9),
    "coverage@0.4": (1, 1),
    "risk@0.2": (0, 0.25),
    "risk@0.5": (0.2, 0.3),
    "risk@0.55": (0.333333, 0.333333),
    "risk@0.8": (0.375, 0.375),
    "risk@1": (0.4, 0.4),
    "ece@1": (0.094, 0.08),
    "ece@5": (0.106, 0.14),
    "ece@10": (0.304, 0.25),
    "ece_mass@5": (0.176, 0.15),
    "ece_mass@10": (0.386, 0.33),
    "brier_confidence": (0.22066, 0.2355),
    "nll": (0.63424, 0.682533),
    "overconfidence": (0.094, 0.08),
}


def scores(id: str, *runs: list[tuple]) -> list[float | None]:
    """The scores of runs with these verdicts and self-scores, by one query."""
    schema = {"assessor": pl.String, "run": pl.Int64, "verdict": pl.String}
    schema |= {"confidence": pl.Float64}
    rows = [("a", number, *row) for number, run_rows in enumerate(runs) for row in run_rows]
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    frame = frame.with_columns(
        score=pl.lit(None, pl.Float64), position=pl.lit(None, pl.Int32), weight=1, rightful=False
    )
    measure, keys = measures.get("qa", id), ["assessor", "run"]
    scored = orderings.compute_scores if measure.kind == "ordering" else evaluate_sums
    table = scored(measure, frame.lazy(), keys)
    value = dict(table.select("run", "value").fill_nan(None).iter_rows())
    return [value.get(number) for number in range(len(runs))]


def make_rows(confidences: list, right: list) -> list[tuple]:
    return [("correct" if c else "wrong", s) for s, c in zip(confidences, right, strict=True)]


@pytest.mark.parametrize("id", WORKED)
def test_worked_examples(id):
    plain, tied = scores(id, *(make_rows(confidences, RIGHT) for confidences in (E2, E2T)))
    assert (plain, tied) == pytest.approx(WORKED[id], abs=6e-7)


def test_null_without_self_scores_or_answers():
    mute, silent = [("correct", None), ("wrong", None)], [("unanswered", 0.5), ("unanswered", None)]
    for id in WORKED:
        assert scores(id, mute, silent) == [None, None], id
    uniform = [make_rows([0.5, 0.7], right) for right in ([1, 1], [0, 0])]
    assert scores("auroc_confidence", *uniform) == [None, None]


MANY = [1 - i / 1000 for i in range(1000)]


def test_edges():
    # Both in the first bin
    for id, confidences, right, expected in (
        ("ece@10", [0.0, 0.1], [0, 1], 0.45),
        ("nll", [1.0], [0], -math.log(1e-15)),
        ("coverage@0", [0.9, 0.8, 0.7], [1, 1, 0], 2 / 3),
        ("e_aurc", [0.9, 0.8], [0, 0], 0),
        ("e_aurc", [0.9], [0], 0),
        # One thousand questions: 0.29 of them is 290, though 0.29 * 1000 is less in floats.
        ("risk@0.29", MANY, [i < 290 for i in range(1000)], 0),
        ("coverage@0", MANY, [i < 290 for i in range(1000)], 0.29),
    ):
        assert scores(id, make_rows(confidences, right)) == [pytest.approx(expected, abs=CLOSE)]
