"""Configurations against their baseline: gains and costs in a loop."""

import random
from collections import Counter

import pytest
from nonresponse import owners
from nonresponse.judging.store import read_verdicts
from nonresponse.statistics import systems
from pipeline import Campaign, spell

SYSTEMS = {"one": ["r0", "r1", "r2"], "two": {"runs": ["r3", "r4"], "baseline": "r4"}}


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Five runs of question answering, graded; unscored answers are excluded."""
    rng, words = random.Random(5), ["correct", "wrong", "unanswered", "unscored"]
    weights = [(3, 4, 1, 1), (6, 1, 3, 1), (3, 3, 3, 1), (1, 5, 5, 1), (5, 5, 1, 1)]
    rows = {f"r{i}": spell(verdict=rng.choices(words, w, k=60)) for i, w in enumerate(weights)}
    campaign = Campaign(tmp_path_factory.mktemp("answers"), policy={"unscored": "exclude"})
    return campaign.evaluate_graded(rows)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    """Runs of answer validation; right pairs and wrong ones are the same for all."""
    rng = random.Random(6)
    truth = {(f"q{q}", str(c)): rng.random() < 0.4 for q in range(20) for c in range(3)}
    words = {True: ["tp", "fn", "u_p"], False: ["fp", "tn", "u_n"]}
    rows = {
        f"r{i}": [
            {"question": q, "candidate": c, "verdict": rng.choice(words[right])}
            for (q, c), right in truth.items()
        ]
        for i in range(5)
    }
    return Campaign(tmp_path_factory.mktemp("pairs"), "validation").evaluate_graded(rows)


def list_states(campaign: Campaign) -> dict:
    """What a user sees, by run and question or pair; None where it does not count."""
    words = {"correct": "right", "unanswered": "none", "unscored": None}
    states = {}
    for row in read_verdicts(campaign.verdicts).rows().iter_rows(named=True):
        state = words.get(row["verdict"], row["verdict"])
        if campaign.task == "validation" and state in ("right", "wrong"):
            accepted = (state == "right") == row["positive"]
            state = ("right" if row["positive"] else "wrong") if accepted else "none"
        states[row["run"], row["question"], row["candidate"]] = state
    return states


@pytest.mark.parametrize(
    ("fixture", "baselines"),
    [("answers", SYSTEMS), ("pairs", SYSTEMS | {"trivial": ["accept-all", "r1"]})],
)
def test_gains_are_those_of_a_loop_over_the_verdicts(fixture, baselines, request):
    campaign = request.getfixturevalue(fixture)
    states, configured = list_states(campaign), owners.list_owners(baselines, [])
    rules = campaign.task, campaign.policy, "official", configured
    table = systems.count_gains(campaign.verdicts, *rules)
    order = [("one", "r1", "r0"), ("one", "r2", "r0"), ("two", "r3", "r4")]
    order.append(("trivial", "r1", "accept-all"))
    assert table.select("system", "run", "baseline").rows() == order[: table.height]
    changes = [*systems.CHANGES.values()]
    for row in table.iter_rows(named=True):
        counts: Counter = Counter()
        for (run, *item), after in states.items():
            before = states[row["baseline"], *item]
            if run == row["run"] and (before is None) != (after is None):
                counts["not_compared"] += 1
            elif run == row["run"] and before is not None:
                counts[systems.CHANGES[before, after]] += 1
        assert {name: row[name] for name in [*changes, "not_compared"]} == {
            name: counts[name] for name in [*changes, "not_compared"]
        }
        assert row["compared"] == sum(row[name] for name in changes)
    assert (table["not_compared"].sum() > 0) == (fixture == "answers")
    # What is true of a pair does not change
    assert (table["right_spoiled"].sum() == 0) == (fixture == "pairs")
