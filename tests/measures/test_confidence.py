"""Measures of self-scores beside worked examples and each other."""

import itertools
import math
import random

import numpy as np
import polars as pl
import pytest
from conftest import HOME
from hypothesis import given, settings
from hypothesis import strategies as st
from nonresponse import measures
from nonresponse.measures import orderings
from nonresponse.scoring.score import from_sums

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
    schema = {
        "assessor": pl.String,
        "run": pl.Int64,
        "verdict": pl.String,
        "confidence": pl.Float64,
    }
    rows = [("a", number, *row) for number, own in enumerate(runs) for row in own]
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    frame = frame.with_columns(
        score=pl.lit(None, pl.Float64), position=pl.lit(None, pl.Int32), weight=1, rightful=False
    )
    measure, keys = measures.get("qa", id), ["assessor", "run"]
    scored = orderings.scores if measure.kind == "ordering" else from_sums
    found = scored(measure, frame.lazy(), keys)
    value = dict(found.select("run", "value").fill_nan(None).iter_rows())
    return [value.get(number) for number in range(len(runs))]


def score(id: str, rows: list[tuple]) -> float | None:
    return scores(id, rows)[0]


def answered(confidences: list, right: list) -> list[tuple]:
    return [("correct" if c else "wrong", s) for s, c in zip(confidences, right, strict=True)]


@pytest.mark.parametrize("id", WORKED)
def test_worked_examples(id):
    plain, tied = scores(id, *(answered(confidences, RIGHT) for confidences in (E2, E2T)))
    assert (plain, tied) == pytest.approx(WORKED[id], abs=6e-7)


@pytest.mark.parametrize("id", WORKED)
def test_silence_has_no_part_in_them_but_as_coverage(id):
    """Ten more questions, left open: shares of all questions are halved, whatever confidences these
    questions have."""
    rows = [*answered(E2T, RIGHT), *[("unanswered", 1.0), ("unanswered", None)] * 5]
    name, _, share = id.partition("@")
    if name == "coverage":
        assert score(id, rows) == pytest.approx(WORKED[id][1] / 2, abs=CLOSE)
    elif name == "risk":
        doubled = f"risk@{2 * float(share):g}"
        assert score(id, rows) == (
            score(doubled, answered(E2T, RIGHT)) if float(share) <= 0.5 else None
        )
    else:
        assert score(id, rows) == pytest.approx(WORKED[id][1], abs=6e-7)


def test_null_without_self_scores_or_answers():
    for id in WORKED:
        assert score(id, [("correct", None), ("wrong", None)]) is None, id
        assert score(id, [("unanswered", 0.5), ("unanswered", None)]) is None, id
    for right in ([1, 1], [0, 0]):
        assert score("auroc_confidence", answered([0.5, 0.7], right)) is None


def test_edges():
    # Both in the first bin
    assert score("ece@10", answered([0.0, 0.1], [0, 1])) == pytest.approx(0.45, abs=CLOSE)
    assert score("nll", answered([1.0], [0])) == pytest.approx(-math.log(1e-15), abs=CLOSE)
    assert score("coverage@0", answered([0.9, 0.8, 0.7], [1, 1, 0])) == pytest.approx(
        2 / 3, abs=CLOSE
    )
    assert score("e_aurc", answered([0.9, 0.8], [0, 0])) == 0
    # One thousand questions: 0.29 of them is 290, though 0.29 * 1000 is less in floats.
    rows = answered([1 - i / 1000 for i in range(1000)], [i < 290 for i in range(1000)])
    assert score("risk@0.29", rows) == 0 and score("coverage@0", rows) == pytest.approx(
        0.29, abs=CLOSE
    )


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["correct", "wrong", "unanswered"]), st.integers(0, 8).map(lambda i: i / 8)
    ),
    min_size=1,
    max_size=25,
)


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(rows=ROWS, seed=st.integers(0, 9))
def test_what_holds_for_all(rows, seed):
    own = [row for row in rows if row[0] != "unanswered"]
    shuffled = random.Random(seed).sample(rows, len(rows))
    for id in WORKED:
        one, other = scores(id, shuffled, rows)
        assert one == other, id
    if not own:
        return
    p = sum(verdict == "correct" for verdict, _ in own) / len(own)
    assert score("aurc", rows) == pytest.approx(1 - score("cws", own), abs=CLOSE)
    assert score("overconfidence", rows) == pytest.approx(
        np.mean([s for _, s in own]) - p, abs=CLOSE
    )
    assert abs(score("overconfidence", rows)) == pytest.approx(score("ece@1", rows), abs=CLOSE)
    if 0 < p < 1:
        identity = (1 - score("auroc_confidence", rows)) * p * (1 - p) + (1 - p) ** 2 / 2
        assert score("augrc", rows) == pytest.approx(identity, abs=CLOSE)


def calibration_error(s: list[float], right: list[int], b: int) -> tuple[float, float]:
    """RMS calibration error in bins of b, the least sure answers first; and without the last bin,
    as HLE's script."""
    pairs, squares = sorted(zip(s, right, strict=True)), []
    starts = [i * b for i in range(len(pairs) // b)] or [0]
    for first, end in itertools.pairwise([*starts, len(pairs)]):
        own = pairs[first:end]
        gap = sum(one for one, _ in own) / len(own) - sum(c for _, c in own) / len(own)
        squares.append(len(own) / len(pairs) * gap**2)
    return math.sqrt(sum(squares)), math.sqrt(sum(squares[:-1]))


@pytest.mark.parametrize(("n", "b"), [(500, 100), (257, 20), (30, 7), (5, 10)])
def test_rms_calibration_error_as_the_script_of_humanitys_last_exam(n, b):
    draw = random.Random(n)
    s = [draw.random() for _ in range(n)]
    right = [int(draw.random() < one**2) for one in s]
    whole, without_last = calibration_error(s, right, b)
    rows = answered(s, right)
    assert score(f"rms_calibration@{b}", rows) == pytest.approx(whole, abs=CLOSE)
    assert score(f"rms_calibration_hle@{b}", rows) == (
        pytest.approx(without_last, abs=CLOSE) if n >= 2 * b else None
    )


def test_rms_calibration_error_of_equal_confidences_is_their_share():
    """Four equal confidences, three of them right, on both sides of an edge: three quarters right
    on either."""
    rows = answered([0.5] * 4, [1, 1, 0, 1])
    assert score("rms_calibration@2", rows) == pytest.approx(0.25) == score("ece@1", rows)


@settings(max_examples=6, deadline=None)
@given(rows=ROWS)
def test_rejection_ratio_of_the_best_and_of_equal_confidences(rows):
    """The loop of LM-Polygraph: the areas of this order, of the best one, and of chance."""
    own = [verdict == "correct" for verdict, _ in rows if verdict != "unanswered"]
    n, right = len(own), sum(own)
    if not 0 < right < n:
        assert score("prr", rows) is None
        return
    best = [(row, n - position) for position, row in enumerate(sorted(own, reverse=True))]
    assert score("prr", [("correct" if c else "wrong", s / n) for c, s in best]) == pytest.approx(1)
    assert score("prr", [("correct" if c else "wrong", 0.5) for c in own]) == pytest.approx(
        0, abs=1e-7
    )
    order = [("correct" if c else "wrong", 1 - position / n) for position, c in enumerate(own)]
    area, oracle = (
        np.mean(np.cumsum(one) / np.arange(1, n + 1)) for one in (own, sorted(own, reverse=True))
    )
    expected = (area - np.mean(own)) / (oracle - np.mean(own))
    assert score("prr", order) == pytest.approx(expected, abs=1e-6)


def test_the_page_has_our_values_beside_other_conventions():
    """The mean of the risks over the four orders of the tied answers; bins closed on the left
    differ on the edges."""
    page = (HOME / "docs/measures.md").read_text(encoding="utf-8")
    ours = scores("aurc", *(answered(confidences, RIGHT) for confidences in (E2, E2T)))
    assert f"| **`aurc`**: mean, expectation over ties | {ours[0]:.6f} | {ours[1]:.6f}" in page
    assert "torchmetrics has .09, netcal .17, this one .14" in " ".join(page.split())
    assert score("ece@5", answered(E2T, RIGHT)) == pytest.approx(0.14, abs=CLOSE)
