"""From counts or verdicts to scores: what is undefined, the bounds, and the scores of each
category."""

import random

import polars as pl
import pytest
from nonresponse import measures
from nonresponse.measures import Measure
from nonresponse.scoring import score
from pipeline import Campaign
from quick import first_of_each

ALL = [pytest.param(measure, id=id) for id, measure in measures.of_task("qa").items()]
QUESTIONS = [{"question": f"q{i:02}", "category": ["who", "where"][i % 2]} for i in range(20)]


def rows(seed: int) -> list[dict]:
    draw = random.Random(seed)
    verdicts = ["correct", "wrong", "unanswered", "unscored", "error"]
    return [
        q | {"verdict": draw.choice(verdicts), "confidence": round(draw.random(), 1)}
        for q in QUESTIONS
    ]


def of(category: str | None, rows: list[dict]) -> list[dict]:
    return [row for row in rows if category in (None, row["category"])]


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory) -> dict[str | None, Campaign]:
    """Two runs on all questions (None), and the same on those of each category alone."""
    found = {}
    for category in (None, "who", "where"):
        runs = {run: of(category, rows(seed)) for seed, run in enumerate("ba")}
        folder = tmp_path_factory.mktemp(category or "all")
        found[category] = Campaign(folder).graded(runs, of(category, QUESTIONS))
    return found


def value_of(measure: Measure, campaign: Campaign) -> list:
    """The scores of the runs, without the bounds, which take twelve times as long."""
    return campaign.values(measure.id).sort("run")["value"].to_list()


@pytest.mark.parametrize("measure", first_of_each(lambda measure: measure.kind, ALL))
def test_scores_by_category_are_those_of_its_questions_alone(campaigns, measure):
    scores, by_category = campaigns[None].scored(measure.id)
    assert scores.columns == ["assessor", "run", "value", "worst", "best"]
    assert scores["run"].to_list() == ["a", "b"]
    alone = {category: value_of(measure, campaigns[category]) for category in ("where", "who")}
    assert by_category.select("run", "category").rows() == [
        (r, c) for r in "ab" for c in ("where", "who")
    ]
    expected = [alone[category][i] for i in range(2) for category in ("where", "who")]
    assert by_category["value"].to_list() == expected


def counted(measure: Measure, **counts) -> list:
    frame = pl.DataFrame({"assessor": ["o"] * 2, "run": ["a", "b"], "n_rightful": [0, 0]} | counts)
    return score.from_counts(measure, frame)["value"].to_list()


def test_what_is_undefined_is_null():
    precision = measures.get("qa", "precision_answered")
    assert counted(precision, n_ac=[0, 1], n_aw=[0, 1]) == [None, 0.5]
    assert counted(precision, n_ac=[None, 1], n_aw=[1, None]) == [None, None]
    found = pl.DataFrame({"x": [0.5, float("nan"), float("inf"), None]}).select(
        score.finite(pl.col("x"))
    )
    assert found["x"].to_list() == [0.5, None, None, None]


@pytest.mark.parametrize(
    ("id", "worst", "best"), [("accuracy", 0.25, 0.75), ("romip_error", 0.75, 0.25)]
)
def test_bounds_are_the_extremes_of_the_score_and_its_variants(id, worst, best):
    measure = measures.get("qa", id)
    values = pl.DataFrame({"assessor": ["o", "o"], "run": ["b", "a"], "value": [0.5, None]})
    treated = pl.DataFrame(
        {"variant": [0, 1], "value": [0.75, 0.25], "run": ["b", "b"], "assessor": ["o", "o"]}
    )
    found = score.with_bounds(measure, values, treated)
    assert found.rows() == [("o", "a", None, None, None), ("o", "b", 0.5, worst, best)]


@pytest.fixture(scope="module")
def without_categories(tmp_path_factory) -> Campaign:
    row = {"question": "q", "verdict": "correct", "confidence": 1}
    return Campaign(tmp_path_factory.mktemp("none")).graded({"r": [row]})


@pytest.mark.parametrize("measure", first_of_each(lambda measure: measure.kind, ALL))
def test_a_campaign_without_categories_has_no_scores_of_them(without_categories, measure):
    _, by_category = without_categories.scored(measure.id)
    assert by_category.height == 0 and by_category.columns == [
        "assessor",
        "run",
        "category",
        "value",
    ]
