"""Measures of self-scores beside worked examples, scikit-learn, and each other."""

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
import sklearn.metrics
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


@settings(max_examples=6, deadline=None)
@given(rows=ROWS)
def test_as_scikit_learn(rows):
    own = [
        (verdict == "correct", s) for verdict, s in rows if verdict != "unanswered" and 0 < s < 1
    ]
    rows = [("correct" if right else "wrong", s) for right, s in own]
    if len({right for right, _ in own}) == 2:
        right, s = zip(*own, strict=True)
        assert score("auroc_confidence", rows) == pytest.approx(
            sklearn.metrics.roc_auc_score(right, s), abs=CLOSE
        )
        assert score("brier_confidence", rows) == pytest.approx(
            sklearn.metrics.brier_score_loss(right, s), abs=CLOSE
        )
        assert score("nll", rows) == pytest.approx(sklearn.metrics.log_loss(right, s), abs=CLOSE)


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
    best = [(row, n - place) for place, row in enumerate(sorted(own, reverse=True))]
    assert score("prr", [("correct" if c else "wrong", s / n) for c, s in best]) == pytest.approx(1)
    assert score("prr", [("correct" if c else "wrong", 0.5) for c in own]) == pytest.approx(
        0, abs=1e-7
    )
    order = [("correct" if c else "wrong", 1 - place / n) for place, c in enumerate(own)]
    area, oracle = (
        np.mean(np.cumsum(one) / np.arange(1, n + 1)) for one in (own, sorted(own, reverse=True))
    )
    expected = (area - np.mean(own)) / (oracle - np.mean(own))
    assert score("prr", order) == pytest.approx(expected, abs=1e-6)


# What other conventions of the area under the risk-coverage curve make of the two examples.


def points(confidences: list, right: list, blocks: bool) -> list[tuple[Fraction, Fraction]]:
    """Coverage and risk after each answer, or after each block of equals."""
    n, found = len(right), []
    for k in range(1, n + 1):
        if not blocks or k == n or confidences[k] != confidences[k - 1]:
            found.append((Fraction(k, n), Fraction(right[:k].count(0), k)))
    return found


def trapezoid(curve: list) -> Fraction:
    pairs = itertools.pairwise(curve)
    return sum(((x2 - x1) * (y1 + y2) / 2 for (x1, y1), (x2, y2) in pairs), Fraction(0))


def achievable(confidences: list, right: list) -> float:
    """fd-shifts: the errors on their lower convex hull, and between its corners the risk errors /
    coverage."""
    hull = [(Fraction(0), Fraction(0))]
    for x, risk in points(confidences, right, True):
        corner = x, x * risk
        while len(hull) > 1 and turn(hull[-2], hull[-1], corner) <= 0:
            hull.pop()
        hull.append(corner)
    area = 0.0
    for (x1, y1), (x2, y2) in itertools.pairwise(hull):
        slope = (y2 - y1) / (x2 - x1)
        area += float(slope * (x2 - x1)) + (float(y1 - slope * x1) * math.log(x2 / x1) if x1 else 0)
    return area


def turn(a: tuple, b: tuple, c: tuple) -> Fraction:
    """More than 0 where the way from a over b to c turns left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def conventions(confidences: list, right: list) -> dict[str, float]:
    """Conventions that depend on the order of tied rows take the order given here."""
    n, curve = len(right), points(confidences, right, False)
    blocks = points(confidences, right, True)
    wrong = [k for k in range(1, n + 1) if not right[k - 1]]
    off_by_one = (
        sum((Fraction(right[: k - 1].count(0), k) for k in range(1, n + 1)), curve[-1][1]) / n
    )
    return {
        "mean of the risks": float(sum(y for _, y in curve) / n),
        "published code of Geifman et al.": float(off_by_one),
        "trapezoid from 1/n to 1": float(trapezoid(curve)),
        "trapezoid over 1 − 1/n": float(trapezoid(curve) / (1 - Fraction(1, n))),
        "trapezoid from 0, a point for each block": float(
            trapezoid([(Fraction(0), blocks[0][1]), *blocks])
        ),
        "hull of the errors, from 0": achievable(confidences, right),
        "weights −ln(1 − k/(n + 1))": sum(-math.log(k / (n + 1)) for k in wrong) / n,
        "weights k/n (SELE)": sum((n + 1 - k) / n for k in wrong) / n,
    }


def test_the_table_of_conventions_in_the_documentation():
    page = (HOME / "docs/measures.md").read_text(encoding="utf-8")
    plain, tied = conventions(E2, RIGHT), conventions(E2T, RIGHT)
    # 1/10 · 1/10 more, were the first risk not 0: the one that is drawn back to coverage 0
    assert plain["trapezoid from 0, a point for each block"] == pytest.approx(0.231071, abs=6e-7)
    assert tied["trapezoid from 0, a point for each block"] == pytest.approx(0.256905, abs=6e-7)
    for name, value in plain.items():
        assert f"| {name} | {value:.6f} | {tied[name]:.6f}" in page, name
    ours = [score("aurc", answered(confidences, RIGHT)) for confidences in (E2, E2T)]
    assert f"| **`aurc`**: mean, expectation over ties | {ours[0]:.6f} | {ours[1]:.6f}" in page


# What the published code has for both examples (/work/shared/ABSTENTION.md); for ties it takes some
# order of them.
SWAPS = [(), (1,), (4,), (1, 4)]  # of E2t's tied answers, the second and third, the fifth and sixth
ORDERS = [[RIGHT[i + (i in s) - (i - 1 in s)] for i in range(10)] for s in SWAPS]
PUBLISHED = {
    "mean of the risks": (0.251071, 0.321071),
    "published code of Geifman et al.": (0.218571, 0.268571),
    "trapezoid from 1/n to 1": (0.231071, 0.231071),
    "trapezoid over 1 − 1/n": (0.256746, 0.256746),
    "trapezoid from 0, a point for each block": (0.231071, 0.256905),
    "hull of the errors, from 0": (0.187530, 0.234223),
    "weights −ln(1 − k/(n + 1))": (0.231918, 0.290697),
    "weights k/n (SELE)": (0.17, 0.19),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_conventions_are_those_of_the_published_code(name):
    plain, tied = PUBLISHED[name]
    assert conventions(E2, RIGHT)[name] == pytest.approx(plain, abs=6e-7)
    assert any(conventions(E2T, order)[name] == pytest.approx(tied, abs=6e-7) for order in ORDERS)


def test_the_mean_of_the_risks_follows_the_file_and_aurc_is_the_mean_over_its_orders():
    found = sorted(conventions(E2T, order)["mean of the risks"] for order in ORDERS)
    assert score("aurc", answered(E2T, RIGHT)) == pytest.approx(np.mean(found), abs=CLOSE)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.booleans(), min_size=1, max_size=25))
def test_helm_has_one_less_aurc_where_nothing_is_tied(right):
    """selective_cov_acc_area: the mean of the accuracies of the k surest answers, k = 1, 2, ..."""
    confidences = [1 - i / 100 for i in range(len(right))]
    area = np.mean(np.cumsum(right) / np.arange(1, len(right) + 1))
    assert score("aurc", answered(confidences, right)) == pytest.approx(1 - area, abs=CLOSE)


def left_closed(confidences: list, right: list, k: int) -> float:
    """torchmetrics: bins [(j-1)/k, j/k), the last one closed; in decimals, which it does not
    have."""
    bins: dict[int, list] = {}
    for s, c in zip(confidences, right, strict=True):
        bins.setdefault(min(math.floor(Fraction(str(s)) * k), k - 1), []).append((s, c))
    return sum(abs(sum(c - s for s, c in own)) for own in bins.values()) / len(right)


def test_ece_of_bins_closed_on_the_other_side():
    """Off the edges both are one; on them, five of E2t's self-scores, they differ as the
    documentation says."""
    for k in (1, 5, 10):
        assert left_closed(E2, RIGHT, k) == pytest.approx(
            score(f"ece@{k}", answered(E2, RIGHT)), abs=CLOSE
        )
    # As torchmetrics 1.9
    assert [left_closed(E2T, RIGHT, k) for k in (5, 10)] == pytest.approx([0.09, 0.32])
    page = (HOME / "docs/measures.md").read_text(encoding="utf-8")
    assert "torchmetrics has .09, netcal .17, this one .14" in " ".join(page.split())
    assert score("ece@5", answered(E2T, RIGHT)) == pytest.approx(0.14, abs=CLOSE)
