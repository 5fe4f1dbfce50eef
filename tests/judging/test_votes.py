"""Test majority votes as official judgments: all votes of three assessors, by counting."""

from collections import Counter
from itertools import product

import polars as pl
import pytest
from nonresponse.campaign import votes
from nonresponse.ingest.check import check_assessors
from nonresponse.judging.store import read_verdicts
from pipeline import Campaign, spell

WORDS = {"C": "correct", "W": "wrong", "P": "partial", "N": "unanswered", ".": "unscored"}
NAMES = ("ann", "bob", "eve")


def elect(votes_of_item: tuple, official) -> str:
    """The verdict of a vote, counted."""
    spoken = [verdict for verdict in votes_of_item if verdict != "unscored"]
    vote, *ties = official if isinstance(official, list) else [official]
    for verdict, times in Counter(spoken).items():
        enough = times > len(spoken) / 2 if vote == "majority" else times >= int(vote.split()[0])
        if enough:
            return verdict
    return votes_of_item[NAMES.index(ties[0])] if ties else "unscored"


@pytest.mark.parametrize("official", ["majority", "2 of 3", ["majority", "eve"]], ids=str)
def test_graded_responses(tmp_path, official):
    ways = list(product(WORDS.values(), repeat=3))
    rows = spell(**dict(zip(NAMES, zip(*ways, strict=True), strict=True)))
    options = {"assessors": {name: name for name in NAMES}, "official": official}
    vote = votes.parse_vote(options)
    campaign = Campaign(tmp_path).evaluate_graded({"r": rows}, options=options, vote=vote)
    verdicts = read_verdicts(campaign.verdicts).rows().filter(pl.col("assessor") == vote["name"])
    expected = [elect(way, official) for way in ways]
    assert verdicts.sort("question")["verdict"].to_list() == expected


def test_a_verdict_does_not_hang_on_the_order_of_assessors(tmp_path):
    stores = []
    for number, order in enumerate([NAMES, NAMES[::-1]]):
        options = {"assessors": {name: name for name in order}, "official": "majority"}
        rules = {"options": options, "vote": votes.parse_vote(options)}
        campaign = Campaign(tmp_path / str(number))
        campaign.evaluate_graded({"r": spell(ann="C", bob="W", eve="C")}, **rules)
        stores.append(campaign.verdicts.read_bytes())
    assert stores[0] == stores[1]


def test_who_votes_is_checked_with_the_files():
    def faults(assessors: list[str], **vote) -> list[str]:
        options = {"name": "2 of 3", "needed": 2, "of": 3, "ties": None} | vote
        judgments = {"official": options["name"], "vote": options}
        return [fault.found for fault in check_assessors({"judgments": judgments}, assessors, "f")]

    assert faults(["ann", "bob", "eve"]) == []
    assert faults(["ann", "bob"]) == ["judgments of 2 assessors"]
    assert faults(["2 of 3", "ann", "bob"]) == ["an assessor called 2 of 3"]
    assert faults(["ann", "bob", "eve"], ties="zoe") == ["no judgments of 'zoe'"]
    majority = {"name": "majority", "needed": None, "of": None}
    assert faults(["ann"], **majority) == ["judgments of 1 assessor"]
    assert faults(["ann", "majority"], **majority) == ["an assessor called majority"]
