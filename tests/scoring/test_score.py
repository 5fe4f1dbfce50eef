"""Test counts of verdicts and scores of counts: undefined values, bounds and categories."""

import random

import polars as pl
import pytest
from nonresponse import measures
from nonresponse.scoring import tally
from pipeline import LETTERS, Campaign

KINDS = list({measure.kind: id for id, measure in measures.load_measures("qa").items()}.values())
QUESTIONS = [{"question": f"q{i:02}", "category": ["who", "where"][i % 2]} for i in range(20)]


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory) -> dict[str | None, Campaign]:
    """Two runs on all questions (None), and the same on those of each category alone."""
    draw, built = random.Random(1), {}
    runs = {
        run: [
            q | {"verdict": LETTERS[draw.choice("CWN.E")], "confidence": round(draw.random(), 1)}
            for q in QUESTIONS
        ]
        for run in "ba"
    }
    for category in (None, "who", "where"):
        *files, questions = (
            [row for row in rows if category in (None, row["category"])]
            for rows in (*runs.values(), QUESTIONS)
        )
        campaign = Campaign(tmp_path_factory.mktemp(category or "all"))
        built[category] = campaign.evaluate_graded(dict(zip("ba", files, strict=True)), questions)
    return built


@pytest.mark.parametrize("id", KINDS)
def test_scores_by_category_are_those_of_its_questions_alone(campaigns, tmp_path, id):
    scores, category_scores = campaigns[None].score_with_bounds(id)
    assert scores.columns == ["assessor", "run", "value", "worst", "best"]
    assert scores["run"].to_list() == ["a", "b"]
    alone = {name: campaigns[name].values(id).sort("run")["value"] for name in ("where", "who")}
    assert category_scores.select("run", "category", "value").rows() == [
        (run, name, alone[name][i]) for i, run in enumerate("ab") for name in ("where", "who")
    ]
    row = {"question": "q", "verdict": "correct", "confidence": 1}
    _, missing = Campaign(tmp_path).evaluate_graded({"r": [row]}).score_with_bounds(id)
    assert missing.height == 0 and missing.columns == ["assessor", "run", "category", "value"]


def test_sums_of_nulls_are_null_and_of_none_but_some_are_not():
    keys = {"assessor": ["a"] * 3, "run": ["x", "x", "y"], "category": ["c", None, None]}
    frame = pl.DataFrame(keys | {"n": [1, 2, 4], "q": [3, None, None]})
    assert tally.sum_by_run(frame).rows() == [("a", "x", 3, 3), ("a", "y", 4, None)]


def test_a_published_table_is_of_the_official_assessor():
    counts = pl.DataFrame({"run": ["b", "a"], "n_ac": [1.5, 2.0], "n_aw": [3.0, None]})
    total, category_scores, bounds = tally.adopt_table(counts)
    assert total.rows() == [("official", "a", 2.0, None), ("official", "b", 1.5, 3.0)]
    assert category_scores.height == bounds.height == 0
    assert category_scores.columns == [*total.columns, "category"]
    assert bounds.columns == [*total.columns, "variant"]
