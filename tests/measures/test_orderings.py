"""Measures of an order and of confidences, beside worked examples and other libraries."""

import math

import numpy as np
import polars as pl
import pytest
import sklearn.metrics
from nonresponse import measures
from nonresponse.measures import orderings
from nonresponse.scoring.score import evaluate_sums
from nonresponse.statistics import reliability_diagram, risk_coverage
from nonresponse.statistics.outcomes import full_scores
from pipeline import Campaign, spell

CLOSE = 1e-9  # sums are rounded to multiples of 2^-32
# Ten answers, first without equal self-scores, then with some. Other measures have plain loops in
# tests/literal_confidence.py.
RIGHT = [1, 1, 0, 1, 1, 0, 1, 0, 1, 0]
E2 = [0.97, 0.93, 0.88, 0.82, 0.77, 0.71, 0.64, 0.53, 0.41, 0.28]
E2T = [0.95, 0.90, 0.90, 0.80, 0.70, 0.70, 0.60, 0.55, 0.40, 0.30]
WORKED = {
    "brier_confidence": (0.22066, 0.2355),
    "nll": (0.63424, 0.682533),
    "overconfidence": (0.094, 0.08),
}
CONFIDENCE = [*WORKED, "aurc", "e_aurc", "augrc", "prr", "auroc_confidence", "coverage@0.2"]
CONFIDENCE += ["risk@0.2", "ece@10", "ece_mass@10"]


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
    for id in CONFIDENCE:
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


def test_cws_of_a_run_that_is_always_right_is_exactly_1():
    tied = [[("correct", -min(i, n // 7)) for i in range(n // 7 + 1 + n % 7)] for n in range(60)]
    assert scores("cws", *tied) == [1] * 60


def test_r_as_numpy(tmp_path):
    """For confidences far apart and close; null where one side is constant or missing."""
    draw = np.random.default_rng(8)
    right = draw.random(300) < 0.5
    confidences = {
        "apart": np.round(0.7 * draw.random(300) + 0.3 * right, 6).tolist(),
        "close": np.round(0.99 + 0.0002 * right + draw.random(300) / 1000, 9).tolist(),
        # In floats, 299 times the sum of the squares is not the square of the sum
        "equal": [0.003] * 300,
        "sure": draw.random(300).tolist(),
        "mute": [None] * 300,
    }
    verdicts = ["C" if is_right else "W" for is_right in right]
    verdicts[7] = "N"  # unanswered, though with a self-score
    runs = {
        run: spell(verdict="C" * 300 if run == "sure" else verdicts, confidence=values)
        for run, values in confidences.items()
    }
    campaign = Campaign(tmp_path).evaluate_graded(runs)
    answered = np.arange(300) != 7
    for run, tolerance in (("apart", 1e-8), ("close", 1e-5)):
        expected = np.corrcoef(np.array(confidences[run])[answered], right[answered])[0, 1]
        assert campaign.score("r", run) == pytest.approx(expected, abs=tolerance)
    assert [campaign.score("r", run) for run in ("equal", "sure", "mute")] == [None] * 3
    assert [campaign.score(id, "mute") for id in ("cws", "k", "k1")] == [None] * 3
    assert campaign.score("accuracy", "mute") is not None


def test_an_abstention_with_a_confidence_is_no_answer(tmp_path):
    """In an order it comes last, and right; measures of confidences leave it out."""
    columns = {"verdict": "NCWN", "has_answer": ["no", "yes", "yes", "yes"]}
    rows = spell(**columns, confidence=[0.99, 0.9, 0.4, 0.2])
    options = {"columns": {name: name for name in ("has_answer", "confidence")}}
    empty_rows = spell(**columns, confidence=[None] * 4)
    campaign = Campaign(tmp_path).evaluate_graded({"r": rows, "s": empty_rows}, options=options)
    # After 1 and 2 answers 1 right, then one of two abstentions.
    assert campaign.score("cws", "r") == pytest.approx((1 + 1 / 2 + 1.5 / 3 + 2 / 4) / 4)
    assert campaign.score("aurc", "r") == pytest.approx((0 + 1 / 2) / 2)
    assert campaign.score("brier_confidence", "r") == pytest.approx((0.1**2 + 0.4**2) / 2)
    assert campaign.score("coverage@0.1", "r") == 1 / 4
    for id in ("cws", "aurc", "brier_confidence", "coverage@0.1", "ece@10"):  # as analyses see it
        assert full_scores(campaign.outcomes(id)[0])[0] == pytest.approx(campaign.score(id, "r")), (
            id
        )
    settings = {"measures": ["accuracy"], "official": "official", "policy": campaign.policy}
    arguments = campaign.inputs("accuracy"), "qa", settings | {"level": 0.05}
    [table] = reliability_diagram.summarise(*arguments)
    assert table["answers"].to_list() == [1, 1]
    table, _ = risk_coverage.summarise(*arguments)
    ends = table.filter("whole").select("run", "answers", "coverage", "risk").sort("run").rows()
    assert ends == [("r", 2, 0.5, 0.5), ("s", 2, 0.5, 0.5)]


def test_measures_of_scores_as_scikit_learn(tmp_path):
    """400 pairs, one to a question, three runs with scores; a score of 0.5 leaves the pair open."""
    draw, names = np.random.default_rng(5), [f"p{i:03}" for i in range(400)]
    truth = draw.random(400) < 0.3
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
    campaign = Campaign(tmp_path, "validation")
    campaign.evaluate_runs(runs, {"gold": gold}, options={"threshold": 0.5})
    for run, v in values.items():
        decided = v != 0.5
        assert 0 < (~decided).sum() < 100
        c_at_1 = (decided & ((v > 0.5) == truth)).mean() * (1 + (~decided).mean())
        auc = sklearn.metrics.roc_auc_score(truth, v)
        brier = 1 - sklearn.metrics.brier_score_loss(truth, v)
        oracle = {"auc": auc, "brier": brier, "product(auc,c@1)": auc * c_at_1}
        oracle["mean(auc,brier,c@1)"] = (auc + brier + c_at_1) / 3
        assert {id: campaign.score(id, run) for id in oracle} == pytest.approx(oracle, abs=CLOSE)
    assert campaign.score("auc", "reject-all") is campaign.score("brier", "accept-all") is None
