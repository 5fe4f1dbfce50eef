"""Abstaining is right where no answer exists: scores of orders and confidences."""

import pytest
from nonresponse.statistics import reliability_diagram
from nonresponse.statistics.outcomes import full_scores
from pipeline import Campaign, spell


def test_an_abstention_with_a_confidence_is_no_answer(tmp_path):
    """In an order it comes last, and right; measures of confidences leave it out."""
    columns = {"verdict": "NCWN", "has_answer": ["no", "yes", "yes", "yes"]}
    rows = spell(**columns, confidence=[0.99, 0.9, 0.4, 0.2])
    options = {"columns": {name: name for name in ("has_answer", "confidence")}}
    campaign = Campaign(tmp_path).evaluate_graded({"r": rows}, options=options)
    # After 1 and 2 answers 1 right, then one of two abstentions.
    assert campaign.score("cws", "r") == pytest.approx((1 + 1 / 2 + 1.5 / 3 + 2 / 4) / 4)
    assert campaign.score("aurc", "r") == pytest.approx((0 + 1 / 2) / 2)
    assert campaign.score("brier_confidence", "r") == pytest.approx((0.1**2 + 0.4**2) / 2)
    assert campaign.score("coverage@0.1", "r") == 1 / 4
    for id in ("cws", "aurc", "brier_confidence", "coverage@0.1", "ece@10"):  # as analyses see it
        assert full_scores(campaign.outcomes(id)[0]) == [pytest.approx(campaign.score(id, "r"))], id
    settings = {"measures": ["accuracy"], "official": "official", "policy": campaign.policy}
    [table] = reliability_diagram.summarise(campaign.inputs("accuracy"), "qa", settings)
    assert table["answers"].to_list() == [1, 1]
