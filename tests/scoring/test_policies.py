"""What nobody judged or what failed is never dropped silently; every score has bounds."""

import pytest
from literal import CHOICES
from nonresponse import measures
from pipeline import Campaign, spell
from strategies import decisions


def test_bounds_by_hand(tmp_path):
    """3 right, 3 wrong or partly right, 1 silence, 2 unjudged, 1 failure."""
    campaign = Campaign(tmp_path).evaluate_graded({"r": spell(verdict="CCCWWPN..E")})
    ids = ("accuracy", "c@1", "uf", "precision_answered", "answered")
    bounds = {id: campaign.scores(id).row(0)[2:] for id in ids}
    # Both right, the failure left out
    assert bounds["accuracy"] == pytest.approx((3 / 10, 3 / 10, 5 / 9))
    assert bounds["c@1"] == pytest.approx((3.3 / 10, 3.3 / 10, (5 + 5 / 9) / 9))
    assert bounds["uf"] == pytest.approx((-3 / 10, -3 / 10, 2 / 9))
    assert bounds["precision_answered"] == pytest.approx((3 / 9, 3 / 9, 5 / 8))
    assert bounds["answered"] == pytest.approx((9 / 10, 6 / 10, 9 / 10))


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    return decisions(12).campaign(tmp_path_factory.mktemp("pairs"))


@pytest.mark.parametrize("error", ["wrong", "exclude"])
def test_bounds_enclose_every_measure_of_validation(pairs, error):
    pairs.apply_policy(unscored="wrong", error=error)
    wide = 0
    for id, measure in measures.load_measures("validation").items():
        for _, run, value, worst, best in pairs.scores(id).rows():
            low, high = (worst, best) if measure.higher_is_better else (best, worst)
            assert (low is None) == (high is None)
            if value is not None:
                assert low <= value <= high, (id, run)
            wide += low is not None and low < high
    assert wide > 20


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
        name: spell(verdict=letter, confidence="1")
        for name, letter in (("judged", "C"), ("unjudged", "."))
    }
    campaign = Campaign(tmp_path, policy={"unscored": "exclude"}).evaluate_graded(runs)
    assert campaign.count("unjudged", "n", "n_unscored") == (0, 1)
    kinds = {item.rows or item.kind: item for item in measures.load_measures("qa").values()}
    for measure in kinds.values():
        scores = campaign.values(measure.id)
        assert scores["run"].to_list() == ["judged", "unjudged"], measure.id
        # The counts of ROMIP are 0, the others have nothing to divide by
        if measure.range[1] is not None:
            assert scores["value"][1] is None, measure.id
    # What it may be worth is known nevertheless.
    assert campaign.scores("accuracy").row(1)[2:] == (None, 0, 1)
    assert campaign.scores("cws").row(1)[2:] == (None, 0, 1)
