"""From verdicts to counts: what stands in each of the three tables, whatever the file of verdicts
looks like."""

import random

import polars as pl
import pytest
from nonresponse import tasks
from nonresponse.scoring import tally
from pipeline import Campaign


@pytest.mark.slow
def test_the_third_table_holds_every_variant_of_the_runs_with_something_uncertain(tmp_path):
    """Of the last run nothing is uncertain."""
    draw, words = random.Random(7), ["correct", "wrong", "unanswered", "partial", "unscored"]
    runs = {"a": words, "b": words, "plain": words[:3]}
    rows = {
        run: [{"question": f"q{n:02}", "verdict": draw.choice(own)} for n in range(30)]
        for run, own in runs.items()
    }
    campaign, variants = Campaign(tmp_path).graded(rows), tasks.get("qa").policy_variants
    total, _, bounds = tally.tally(campaign.verdicts, "qa", tasks.POLICIES)
    assert bounds.columns == [*total.columns, "variant"]
    assert bounds.select("run", "variant").rows() == [
        (run, i) for run in "ab" for i in range(len(variants))
    ]
    for number, variant in enumerate(variants):
        total, _, _ = tally.tally(campaign.verdicts, "qa", tasks.POLICIES | variant)
        expected = total.filter(pl.col("run") != "plain")
        assert bounds.filter(variant=number).drop("variant").equals(expected)


def test_no_uncertainty_no_third_table(tmp_path):
    rows = [{"question": "q", "verdict": "correct"}]
    campaign = Campaign(tmp_path).graded({"r": rows})
    _, by_category, bounds = tally.tally(campaign.verdicts, "qa", tasks.POLICIES)
    assert bounds.height == by_category.height == 0 and "variant" in bounds.columns


def test_sums_of_nulls_are_null_and_of_none_but_some_are_not():
    frame = pl.DataFrame(
        {
            "assessor": ["a"] * 3,
            "run": ["x", "x", "y"],
            "category": ["c", None, None],
            "n": [1, 2, 4],
            "q": [3, None, None],
        }
    )
    assert tally.by_run(frame).rows() == [("a", "x", 3, 3), ("a", "y", 4, None)]


def test_a_published_table_is_of_the_official_assessor():
    counts = pl.DataFrame({"run": ["b", "a"], "n_ac": [1.5, 2.0], "n_aw": [3.0, None]})
    total, by_category, bounds = tally.from_table(counts)
    assert total.rows() == [("official", "a", 2.0, None), ("official", "b", 1.5, 3.0)]
    assert by_category.height == bounds.height == 0
    assert by_category.columns == [*total.columns, "category"] and bounds.columns == [
        *total.columns,
        "variant",
    ]
