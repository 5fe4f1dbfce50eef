"""Test campaigns with several answers to a question against plain loops."""

import itertools

import pytest
from literal import POLICIES, extremes
from pipeline import Campaign, spell
from strategies import answers

MEASURES = {
    "mrr": lambda run: run.mrr(),
    "mrr@2": lambda run: run.mrr(depth=2),
    "map": lambda run: run.map(),
    "k": lambda run: run.k(),
    "k1": lambda run: run.k1(),
}


@pytest.fixture(scope="module", params=["answer", "document"])
def campaign(request, tmp_path_factory):
    """A random campaign, the same as the stages make it, and what its judgments name."""
    sample, key = answers(16, n=14), request.param
    if key == "document":
        for row in itertools.chain(*sample.runs.values()):
            if row["answer"] not in (None, "NIL", "ERR"):
                row |= {"document": row["answer"], "answer": "…"}
            row["candidate"], row["document"] = None, row.get("document") or row["candidate"]
        for row in itertools.chain(*sample.judgments.values()):
            row["document"] = row.pop("answer")
    return sample, sample.campaign(tmp_path_factory.mktemp("ranked")), key


@pytest.mark.slow
@pytest.mark.xdist_group("several answers")
@pytest.mark.parametrize("id", MEASURES)
def test_values_and_bounds(campaign, id):
    """Each measure under one of the policies, by turns."""
    sample, built, key = campaign
    policy = POLICIES[((key == "document") + [*MEASURES].index(id)) % 3]
    scores = built.apply_policy(**policy).scores(id).filter(assessor="first")
    assert scores["run"].to_list() == sorted(sample.runs)
    for _, run, *triple in scores.rows():
        expected = extremes(sample, run, policy, MEASURES[id], key)
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


@pytest.mark.parametrize(("closed", "value"), [(True, 0.5), (False, 0.5 * (1 / 2 + 2 / 3))])
def test_the_accepted_answers_of_a_key_are_spellings_of_one(tmp_path, closed, value):
    answers = {1: "Oslo", 2: "NYC", 3: "New York"}
    run = [{"question": "q", "rank": rank, "answer": text} for rank, text in answers.items()]
    gold = [{"question": "q", "answer": text, "label": "R"} for text in ("NYC", "New York")]
    campaign = Campaign(tmp_path).evaluate_runs({"r": run}, {"gold": gold}, closed=closed)
    assert campaign.score("map", "r") == pytest.approx(value)
    assert campaign.score("mrr", "r") == 0.5
