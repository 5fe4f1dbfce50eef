"""Test campaigns with several answers to a question against plain loops."""

import polars as pl
import pytest
from literal import CHOICES, OPTIONS, RULES, RandomRuns, extremes
from pipeline import Campaign, spell

POLICIES = [
    {"unscored": unscored, "error": error, "partial": partial}
    for unscored, error, partial in (CHOICES, CHOICES[1:] + CHOICES[:1], CHOICES[2:] + CHOICES[:2])
]
MEASURES = {
    "mrr": lambda run: run.mrr(),
    "mrr@2": lambda run: run.mrr(depth=2),
    "map": lambda run: run.map(),
    "k": lambda run: run.k(),
    "k1": lambda run: run.k1(),
    "accuracy": lambda run: run.accuracy(),
}

CAMPAIGNS = [(14, "answer"), (30, "document")]  # a seed, and what judgments name


@pytest.fixture(scope="module", params=CAMPAIGNS, ids=str)
def campaign(request, tmp_path_factory):
    seed, column = request.param
    sample = RandomRuns(seed, key=column)
    folder = tmp_path_factory.mktemp("ranked")
    return sample, Campaign(folder).evaluate_runs(
        sample.runs, {"a": sample.judgments()}, sample.questions, OPTIONS, **RULES
    )


@pytest.mark.slow
@pytest.mark.xdist_group("several answers")
@pytest.mark.parametrize("id", MEASURES)
def test_values_and_bounds(campaign, id, request):
    """Each measure under one of the policies, by turns."""
    sample, built = campaign
    policy = POLICIES[(request.node.callspec.indices["campaign"] + [*MEASURES].index(id)) % 3]
    scores = built.apply_policy(**policy).scores(id)
    assert scores["run"].to_list() == sorted(sample.runs)
    for _, run, *triple in scores.rows():
        expected = extremes(sample, run, policy, MEASURES[id])
        near = [v if v is None else pytest.approx(float(v), abs=1e-9) for v in expected]
        assert triple == near, run


def test_map_and_k_need_to_know_the_right_answers(tmp_path):
    """Graded responses do not tell them: null, for a run that leaves questions out as well."""
    full = spell(verdict="CCC", confidence=[0.5] * 3)
    rows = {"full": full, "short": full[:1]}
    graded = Campaign(tmp_path).evaluate_graded(rows, missing="unanswered")
    assert graded.count("short", "n", "n_ac", "n_u", "n_missing") == (3, 1, 2, 2)
    for id in ("map", "k"):
        assert graded.scores(id)["value"].to_list() == [None, None], id
    assert graded.score("mrr", "short") == pytest.approx(1 / 3)
    assert graded.score("k1", "full") == 0.5


def test_graded_responses_at_several_ranks(tmp_path):
    rows = {"r": spell(question=["q0"] * 4, rank="1234", verdict="W.CC")}
    rows["s"] = [{"question": "q1", "rank": 1, "verdict": "unanswered"}]
    graded = Campaign(tmp_path).evaluate_graded(rows, missing="unanswered")
    bounds = graded.scores("mrr").filter(pl.col("run") == "r").row(0)[2:]
    assert bounds == pytest.approx((1 / 6, 1 / 6, 1 / 4))
    assert graded.score("mrr@2", "r") == 0
    assert graded.count("r", "n_ac", "n_aw", "a", "d", "e") == (0, 1, 1, 0, 1)
