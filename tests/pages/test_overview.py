"""Runs across campaigns: a table for each group of campaigns that have runs in common."""

import random

from nonresponse.pages.report.overview import groups, shared


def card(name: str, *runs: str) -> dict:
    """A campaign in which these runs are ranked in this order."""
    scores = {run: [1 - place / 10, place, place, place] for place, run in enumerate(runs, start=1)}
    return {"name": name, "measure": "c@1", "better": "higher", "scores": scores}


def test_ranks_among_other_runs_stand_in_another_table():
    cards = [card("a", "x", "y", "only"), card("b", "p", "q"), card("c", "y", "x"), card("d", "q", "p"), card("e", "z")]
    first, second = shared(cards)
    assert [row[0] for row in first["rows"]] == ["x", "y"] and [row[0] for row in second["rows"]] == ["p", "q"]
    assert [row[1] for row in first["rows"]] == [1.5, 1.5]
    labels = [[column["label"] for column in table["columns"]] for table in (first, second)]
    assert [label[3:] for label in labels] == [["a: c@1", "c: c@1"], ["b: c@1", "d: c@1"]]


def test_a_group_is_what_can_be_reached_by_runs():
    for seed in range(200):
        drawn = random.Random(seed)
        cards = [card(str(place), *drawn.sample("abcdefghij", drawn.randint(0, 3))) for place in range(8)]
        reached = {place: {place} for place in range(8)}
        for _ in cards:
            for place, known in reached.items():
                runs = {run for one in known for run in cards[one]["scores"]}
                reached[place] = known | {other for other in range(8) if runs & {*cards[other]["scores"]}}
        expected = sorted({tuple(sorted(known)) for known in reached.values()})
        assert [tuple(int(one["name"]) for one in group) for group in groups(cards)] == expected
