"""Measures of an order and of confidences, beside literal loops and other libraries."""

import itertools
import random
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from nonresponse import measures
from nonresponse.measures import orderings
from pipeline import Campaign

CLOSE = 1e-9  # sums are rounded to multiples of 2^-32


def cws_of_order(right: list[bool]) -> Fraction:
    """Peñas & Rodrigo 2011, eq. 9 and 10: the surest answer first."""
    n = len(right)
    return sum(Fraction(sum(right[:i]), i) for i in range(1, n + 1)) / n


def cws_expected(blocks: list[list[bool]]) -> Fraction:
    """The mean of eq. 9 over every order of the answers within each block."""
    orders = itertools.product(*map(itertools.permutations, blocks))
    values = [cws_of_order([*itertools.chain(*order)]) for order in orders]
    return sum(values) / len(values)


def cws_of(runs: list[list[list[bool]]]) -> list[float]:
    """The CWS of runs of blocks of equally sure answers, the surest first, all from one table."""
    rows = [
        {"run": f"r{run:03}", "verdict": "correct" if right else "wrong", "confidence": -place}
        for run, blocks in enumerate(runs)
        for place, block in enumerate(blocks)
        for right in block
    ]
    missing = {"score": pl.lit(None, pl.Float64), "position": pl.lit(None, pl.Int32)}
    frame = pl.DataFrame(rows).with_columns(assessor=pl.lit("a"), rightful=False, **missing)
    frame = frame.with_columns(pl.col("confidence").cast(pl.Float64))
    table = orderings.compute_scores(measures.get("qa", "cws"), frame.lazy(), ["assessor", "run"])
    return table.sort("run")["value"].to_list()


BLOCKS = st.lists(st.lists(st.booleans(), min_size=1, max_size=3), min_size=1, max_size=4)


@settings(max_examples=10, deadline=None)
@given(tied=st.lists(BLOCKS, min_size=5, max_size=10))
def test_cws_with_ties_is_the_mean_over_all_orders_of_the_tied(tied):
    assert cws_of(tied) == pytest.approx([float(cws_expected(run)) for run in tied], abs=CLOSE)


def test_cws_of_a_run_that_is_always_right_is_exactly_1():
    assert cws_of([[[True]] * (n // 7) + [[True] * (1 + n % 7)] for n in range(60)]) == [1] * 60


@pytest.fixture(scope="module")
def validation_campaign(tmp_path_factory):
    """400 pairs, one to a question, three runs with scores; a score of 0.5 leaves the pair open."""
    draw = np.random.default_rng(5)
    truth, names = draw.random(400) < 0.3, [f"p{i:03}" for i in range(400)]
    values = {
        run: np.clip(np.round(0.4 + 0.2 * truth + draw.normal(0, spread, 400), 2), 0, 1)
        for run, spread in (("sharp", 0.1), ("blunt", 0.5), ("blind", 3))
    }
    runs = {
        run: [{"question": p, "score": v} for p, v in zip(names, scores, strict=True)]
        for run, scores in values.items()
    }
    labels = zip(names, np.where(truth, "YES", "NO").tolist(), strict=True)
    gold = [{"question": p, "label": label} for p, label in labels]
    campaign = Campaign(tmp_path_factory.mktemp("validated"), "validation")
    campaign.evaluate_runs(runs, {"gold": gold}, options={"threshold": 0.5})
    return campaign, truth, values


@pytest.mark.parametrize("run", ["sharp", "blunt", "blind"])
def test_validation_measures_as_scikit_learn(validation_campaign, run):
    campaign, truth, values = validation_campaign
    v = values[run]
    decided = v != 0.5
    assert 0 < (~decided).sum() < 100
    right = (decided & ((v > 0.5) == truth)).mean()
    c_at_1 = right * (1 + (~decided).mean())
    oracle = {
        "auc": sklearn.metrics.roc_auc_score(truth, v),
        "brier": 1 - sklearn.metrics.brier_score_loss(truth, v),
        "f@0.5": sklearn.metrics.fbeta_score(truth[decided], v[decided] > 0.5, beta=0.5),
        # What PAN meant: a pair left open is a false negative; what it did in 2020: it is accepted;
        # since 2024 it is rejected.
        "fu@0.5": sklearn.metrics.fbeta_score(
            np.append(truth[decided], [True] * (~decided).sum()),
            np.append(v[decided] > 0.5, [False] * (~decided).sum()),
            beta=0.5,
        ),
        "fu_2020@0.5": sklearn.metrics.fbeta_score(truth, v >= 0.5, beta=0.5),
        "f_2024@1": sklearn.metrics.f1_score(truth, v > 0.5),
    }
    oracle["product(auc,c@1)"] = oracle["auc"] * c_at_1
    parts = [c_at_1, *(oracle[id] for id in ("auc", "brier", "f_2024@1", "fu@0.5"))]
    oracle["mean(auc,brier,c@1,f_2024@1,fu@0.5)"] = np.mean(parts)
    assert {id: campaign.score(id, run) for id in oracle} == pytest.approx(oracle, abs=CLOSE)


def test_the_two_trivial_runs(validation_campaign):
    campaign, truth, _ = validation_campaign
    assert campaign.score("recall", "accept-all") == 1
    assert campaign.score("precision", "accept-all") == pytest.approx(truth.mean())
    assert campaign.score("accuracy", "reject-all") == pytest.approx(1 - truth.mean())
    assert campaign.score("precision", "reject-all") is None
    assert campaign.score("auc", "reject-all") is campaign.score("brier", "accept-all") is None


def self_scored(right: bool, kind: str, draw: random.Random) -> float | None:
    return {
        "apart": round(draw.betavariate(3, 2) if right else draw.betavariate(2, 3), 6),
        "close": round(0.99 + 0.0002 * right + draw.random() / 1000, 9),
        # In floats, 299 times the sum of the squares is not the square of the sum
        "equal": 0.003,
        "sure": draw.random(),
        "mute": None,
    }[kind]


def test_r_as_numpy(tmp_path):
    """For confidences far apart and close; null where one side is constant or missing."""
    draw, runs = random.Random(8), {}
    for run in ("apart", "close", "equal", "sure", "mute"):
        right = [run == "sure" or draw.random() < 0.5 for _ in range(300)]
        runs[run] = [
            {"question": f"q{n:03}", "answer": "yes" if c else "no", "confidence": rows}
            for n, c in enumerate(right)
            for rows in [self_scored(c, run, draw)]
        ]
        runs[run][7] |= {"answer": None}  # unanswered, though with a self-score
    key = [{"question": f"q{n:03}", "answer": "yes"} for n in range(300)]
    campaign = Campaign(tmp_path).evaluate_runs(runs, {"key": key}, closed=True)
    for run, tolerance in (("apart", 1e-8), ("close", 1e-5)):
        pairs = [(row["confidence"], row["answer"] == "yes") for row in runs[run] if row["answer"]]
        expected = np.corrcoef(*zip(*pairs, strict=True))[0, 1]
        assert campaign.score("r", run) == pytest.approx(expected, abs=tolerance)
    assert [campaign.score("r", run) for run in ("equal", "sure", "mute")] == [None] * 3
    assert [campaign.score(id, "mute") for id in ("cws", "k", "k1")] == [None] * 3
    assert campaign.score("accuracy", "mute") is not None
