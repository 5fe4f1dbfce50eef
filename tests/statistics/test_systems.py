"""Configurations against their baseline: gains and costs by hand."""

from collections import Counter
from itertools import product

from nonresponse import owners
from nonresponse.statistics import systems
from pipeline import Campaign, spell

WORDS = {"right": "correct", "wrong": "wrong", "none": "unanswered", None: "unscored"}


def test_gains_by_every_pair_of_states(tmp_path):
    """Each state of the baseline meets each one of the run, one more question for each pair."""
    states = [
        pair for times, pair in enumerate(product(WORDS, repeat=2), 1) for pair in [pair] * times
    ]
    before, after = ([WORDS[state] for state in column] for column in zip(*states, strict=True))
    rows = {
        "old": spell(verdict=before),
        "new": spell(verdict=after),
        "other": spell(verdict=before),
    }
    campaign = Campaign(tmp_path, policy={"unscored": "exclude"}).evaluate_graded(rows)
    systems_of = {"one": {"runs": ["old", "new"], "baseline": "old"}, "two": ["other"]}
    configured = owners.list_owners(systems_of, [])
    [row] = systems.count_gains(
        campaign.verdicts, "qa", campaign.policy, "official", configured
    ).rows(named=True)
    assert (row["system"], row["run"], row["baseline"]) == ("one", "new", "old")
    counts = Counter(states)
    changes = {name: counts[pair] for pair, name in systems.CHANGES.items()}
    assert {name: row[name] for name in changes} == changes and len(changes) == 9
    assert row["compared"] == sum(changes.values())
    assert row["not_compared"] == sum(
        number for (a, b), number in counts.items() if (a is None) != (b is None)
    )


def test_gains_of_pairs(tmp_path):
    """An accepted pair is seen as right or wrong; what is rejected or left open is not seen."""
    words = {"r": ["tp", "fn", "fp", "tn", "u_n"], "s": ["u_p", "tp", "fp", "tn", "fp"]}
    rows = {
        run: [{"question": "q", "candidate": f"{i}", "verdict": word} for i, word in enumerate(row)]
        for run, row in words.items()
    }
    campaign = Campaign(tmp_path, "validation").evaluate_graded(rows)
    configured = owners.list_owners({"one": ["s", "r"], "two": ["accept-all", "r"]}, [])
    table = systems.count_gains(
        campaign.verdicts, "validation", campaign.policy, "official", configured
    )
    gains = [
        {name: row[name] for name in systems.CHANGES.values() if row[name]}
        for row in table.rows(named=True)
    ]
    removed = {"wrong_kept": 1, "wrong_removed": 1}
    assert gains == [
        {"right_added": 1, "right_lost": 1, "none_kept": 1} | removed,
        {"right_kept": 1, "right_lost": 1} | removed | {"wrong_removed": 2},
    ]
