"""From verdicts to counts: what stands in each of the three tables, whatever the file of verdicts looks like."""

import itertools
import random

import polars as pl
import pytest
from nonresponse import tasks
from nonresponse.scoring import tally
from pipeline import Campaign

QUESTIONS = [{"question": f"q{i:02}", "category": [None, "who", "where"][i % 3]} for i in range(30)]
VERDICTS = {"qa": ["correct", "wrong", "unanswered", "partial", "unscored"], "validation": ["tp", "fp", "fn", "tn"]}


def graded(folder, task: str) -> tuple[Campaign, dict[str, list[dict]]]:
    """Three runs with verdicts at random, of which the last one has nothing uncertain; and their rows."""
    draw = random.Random(7)
    pairs = [("tp", "fn"), ("fp", "tn")]  # the truth of a question is the same for all runs
    choices = [VERDICTS["qa"] if task == "qa" else draw.choice(pairs) for _ in QUESTIONS]

    def row(run: str, question: dict, verdicts) -> dict:
        known = [verdict for verdict in verdicts if run != "plain" or verdict != "unscored"]
        return question | {"verdict": draw.choice(known)}

    rows = {run: [row(run, *each) for each in zip(QUESTIONS, choices, strict=True)] for run in ("a", "b", "plain")}
    return Campaign(folder, task).graded(rows, QUESTIONS), rows


def tallied(campaign: Campaign, **policy):
    return tally.tally(campaign.verdicts, campaign.task, tasks.POLICIES | policy)


@pytest.mark.parametrize("task", VERDICTS)
def test_counts_of_categories_and_of_what_has_none_are_those_of_the_run(tmp_path, task):
    campaign, rows = graded(tmp_path, task)
    total, by_category, _ = tallied(campaign)
    assert by_category["category"].unique().sort().to_list() == ["where", "who"]
    names = {"correct": "n_ac", "unanswered": "n_u"} if task == "qa" else {name: name for name in VERDICTS[task]}
    for run, (verdict, name) in itertools.product(rows, names.items()):
        found = [row["category"] for row in rows[run] if row["verdict"] == verdict]
        assert total.filter(run=run)[name].item() == len(found)
        for category in ("who", "where"):
            assert by_category.filter(run=run, category=category)[name].item() == found.count(category)
    keys = ["assessor", "run"]
    assert total.equals(total.sort(keys)) and by_category.equals(by_category.sort([*keys, "category"]))


@pytest.mark.slow
def test_the_third_table_holds_every_variant_of_the_runs_with_something_uncertain(tmp_path):
    campaign, _ = graded(tmp_path, "qa")
    variants = tasks.get("qa").policy_variants
    total, _, bounds = tallied(campaign)
    assert bounds.columns == [*total.columns, "variant"]
    assert bounds.select("run", "variant").rows() == [(run, i) for run in "ab" for i in range(len(variants))]
    for number, variant in enumerate(variants):
        total, _, _ = tallied(campaign, **variant)
        expected = total.filter(pl.col("run") != "plain")
        assert bounds.filter(variant=number).drop("variant").equals(expected)


def test_no_uncertainty_no_third_table(tmp_path):
    rows = [{"question": "q", "verdict": "correct"}]
    _, by_category, bounds = tallied(Campaign(tmp_path).graded({"r": rows}))
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
    assert by_category.columns == [*total.columns, "category"] and bounds.columns == [*total.columns, "variant"]
