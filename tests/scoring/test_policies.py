"""What nobody judged or what failed is never dropped silently; every score has bounds."""

import polars as pl
import pytest
from literal import CHOICES
from nonresponse import measures
from pipeline import Campaign
from strategies import decisions


@pytest.fixture(scope="module")
def uncertain(tmp_path_factory):
    """Grade 3 right, 2 wrong, 1 partial, 1 unanswered, 2 unscored, 1 error; and a plain run."""
    verdicts = (
        ["correct"] * 3 + ["wrong"] * 2 + ["partial", "unanswered", "unscored", "unscored", "error"]
    )
    plain = [
        {"unscored": "wrong", "error": "unanswered", "partial": "wrong"}.get(v, v) for v in verdicts
    ]
    runs = {
        run: [
            {"question": f"q{i}", "verdict": v, "confidence": (9 - i) / 10}
            for i, v in enumerate(rows)
        ]
        for run, rows in (("r", verdicts), ("plain", plain))
    }
    return Campaign(tmp_path_factory.mktemp("graded")).evaluate_graded(runs)


def test_bounds_by_hand(uncertain):
    """r: 3 right, 3 wrong or partly right, 1 silence, 2 unjudged, 1 failure."""
    uncertain.apply_policy()
    bounds = {
        id: uncertain.scores(id).row(1)[2:]
        for id in ("accuracy", "c@1", "uf", "precision_answered", "answered")
    }
    # Both right, the failure left out
    assert bounds["accuracy"] == pytest.approx((3 / 10, 3 / 10, 5 / 9))
    assert bounds["c@1"] == pytest.approx((3.3 / 10, 3.3 / 10, (5 + 5 / 9) / 9))
    assert bounds["uf"] == pytest.approx((-3 / 10, -3 / 10, 2 / 9))
    assert bounds["precision_answered"] == pytest.approx((3 / 9, 3 / 9, 5 / 8))
    assert bounds["answered"] == pytest.approx((9 / 10, 6 / 10, 9 / 10))


def score_all(campaign: Campaign) -> dict[str, pl.DataFrame]:
    return {id: campaign.scores(id) for id in measures.load_measures(campaign.task)}


def count_wide(task: str, scores: dict[str, pl.DataFrame]) -> int:
    """Check that bounds hold every value; return the number of values whose bounds differ."""
    wide = 0
    for id, measure in measures.load_measures(task).items():
        for _, run, value, worst, best in scores[id].rows():
            low, high = (worst, best) if measure.higher_is_better else (best, worst)
            assert (low is None) == (high is None)
            if value is not None:
                assert low <= value <= high, (id, run)
            wide += low is not None and low < high
    return wide


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    return decisions(12).campaign(tmp_path_factory.mktemp("pairs"))


@pytest.mark.parametrize(
    "policy", [{"unscored": "wrong", "error": "wrong"}, {"unscored": "wrong", "error": "exclude"}]
)
def test_bounds_enclose_every_measure_of_validation(pairs, policy):
    assert count_wide("validation", score_all(pairs.apply_policy(**policy))) > 20


def test_a_pair_of_unknown_truth_is_left_out_whatever_the_policy(pairs):
    ids = ["accuracy", "c@1", "f@0.5", "e@2", "auc", "brier", "qa_estimated"]
    lenient, *other_scores = [
        {id: campaign.scores(id).rows() for id in ids}
        for campaign in (pairs.apply_policy(unscored=unscored) for unscored in CHOICES)
    ]
    assert other_scores == [lenient] * 2


def test_a_run_of_which_nothing_is_left_keeps_its_place(tmp_path):
    """All of its answers unjudged, and the policy excludes those: counted, and every score null."""
    runs = {
        "judged": [{"question": "q0", "verdict": "correct", "confidence": 1}],
        "unjudged": [{"question": "q0", "verdict": "unscored", "confidence": 1}],
    }
    campaign = Campaign(tmp_path, policy={"unscored": "exclude"}).evaluate_graded(runs)
    assert campaign.count("unjudged", "n", "n_unscored") == (0, 1)
    for measure in {
        item.rows or item.kind: item for item in measures.load_measures("qa").values()
    }.values():
        scores = campaign.values(measure.id)
        assert scores["run"].to_list() == ["judged", "unjudged"], measure.id
        # The counts of ROMIP are 0, the others have nothing to divide by
        if measure.range[1] is not None:
            assert scores["value"][1] is None, measure.id
    # What it may be worth is known nevertheless.
    assert campaign.scores("accuracy").row(1)[2:] == (None, 0, 1)
    assert campaign.scores("cws").row(1)[2:] == (None, 0, 1)


def test_mrr_counts_on_an_unjudged_answer_below_a_judged_one(tmp_path):
    rows = [
        {"question": "q0", "rank": 1, "verdict": "wrong"},
        {"question": "q0", "rank": 2, "verdict": "unscored"},
    ]
    assert Campaign(tmp_path).evaluate_graded({"r": rows}).scores("mrr").row(0)[2:] == (0, 0, 1 / 2)
