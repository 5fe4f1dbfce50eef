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
    """Peñas & Rodrigo 2011, eq. 9 and 10, loop by loop: the surest answer first."""
    n = len(right)
    total = Fraction(0)
    for i in range(1, n + 1):
        c = sum(1 for j in range(1, i + 1) if right[j - 1])
        total += Fraction(c, i)
    return total / n


def cws_expected(blocks: list[list[bool]]) -> Fraction:
    """The mean of eq. 9 over every order of the answers within each block."""
    orders = [list(itertools.permutations(block)) for block in blocks]
    values = [
        cws_of_order([right for block in choice for right in block])
        for choice in itertools.product(*orders)
    ]
    return sum(values) / len(values)


def verdict_rows(rows: list[tuple]) -> pl.DataFrame:
    """Rows of (verdict, confidence, score, position) of one run."""
    schema = {"verdict": pl.String, "confidence": pl.Float64, "score": pl.Float64}
    schema |= {"position": pl.Int32}
    frame = pl.DataFrame([dict(zip(schema, row, strict=True)) for row in rows], schema=schema)
    return frame.select(
        pl.lit("a").alias("assessor"), pl.lit("r").alias("run"), pl.all(), rightful=False
    )


def scores(task: str, id: str, runs: list[pl.DataFrame]) -> list:
    """The full score of each of these runs, all from one table."""
    rows = pl.concat(run.with_columns(run=pl.lit(f"r{i:03}")) for i, run in enumerate(runs))
    table = orderings.compute_scores(measures.get(task, id), rows.lazy(), ["assessor", "run"])
    assert table.height == len(runs)
    return table.sort("run")["value"].to_list()


def cws_of(runs: list[list[tuple]]) -> list:
    return scores("qa", "cws", [verdict_rows(rows) for rows in runs])


def word(right: bool) -> str:
    return "correct" if right else "wrong"


BLOCKS = st.lists(st.lists(st.booleans(), min_size=1, max_size=3), min_size=1, max_size=4)


@settings(max_examples=10, deadline=None)
@given(tied=st.lists(BLOCKS, min_size=5, max_size=10))
def test_cws_with_ties_is_the_mean_over_all_orders_of_the_tied(tied):
    runs = [
        [(word(c), 1 - i / 10, None, None) for i, block in enumerate(blocks) for c in block]
        for blocks in tied
    ]
    assert cws_of(runs) == pytest.approx(
        [float(cws_expected(blocks)) for blocks in tied], abs=CLOSE
    )


def test_cws_of_a_run_that_is_always_right_is_exactly_1():
    runs = [[("correct", i % 7 / 8, None, None) for i in range(n)] for n in range(1, 60)]
    assert cws_of(runs) == [1] * 59


def pairs_frame(truth: list, scores: list) -> pl.DataFrame:
    schema = {"assessor": pl.String, "run": pl.String, "positive": pl.Boolean, "score": pl.Float64}
    return pl.DataFrame(
        [("a", "r", y, v) for y, v in zip(truth, scores, strict=True)], schema=schema, orient="row"
    )


PAIRS = st.lists(st.tuples(st.booleans(), st.integers(-3, 3).map(float)), min_size=2, max_size=40)


@settings(max_examples=15, deadline=None)
@given(runs=st.lists(PAIRS, min_size=5, max_size=10))
def test_auc_with_ties_as_scikit_learn(runs):
    columns = [tuple(zip(*pairs, strict=True)) for pairs in runs]
    areas = scores("validation", "auc", [pairs_frame(*column) for column in columns])
    for (truth, values), value in zip(columns, areas, strict=True):
        if len(set(truth)) < 2:
            assert value is None or np.isnan(value)  # 0/0; the stage that scores makes it null
        else:
            assert value == pytest.approx(sklearn.metrics.roc_auc_score(truth, values), abs=1e-12)


@pytest.fixture(scope="module")
def validation_campaign(tmp_path_factory):
    """400 pairs, one to a question, three runs with scores; a score of 0.5 leaves the pair open."""
    draw = random.Random(5)
    truth = {f"p{i:03}": draw.random() < 0.3 for i in range(400)}
    values = {
        run: {
            p: min(max(round(0.5 + (0.1 if y else -0.1) + draw.gauss(0, spread), 2), 0), 1)
            for p, y in truth.items()
        }
        for run, spread in (("sharp", 0.1), ("blunt", 0.5), ("blind", 3))
    }
    runs = {run: [{"question": p, "score": v} for p, v in values[run].items()] for run in values}
    gold = [{"question": p, "label": "YES" if y else "NO"} for p, y in truth.items()]
    campaign = Campaign(tmp_path_factory.mktemp("validated"), "validation")
    campaign = campaign.evaluate_runs(runs, {"gold": gold}, options={"threshold": 0.5})
    arrays = {run: np.array(list(v.values())) for run, v in values.items()}
    return campaign, np.array(list(truth.values())), arrays


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
