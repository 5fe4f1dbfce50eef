"""Test majority votes as official judgments; tests/fuzz counts votes."""

from nonresponse.campaign import votes
from nonresponse.ingest.check import check_assessors
from nonresponse.judging.store import read_verdicts
from pipeline import Campaign, spell

NAMES = ("ann", "bob", "eve")


def test_two_of_three_in_any_order_of_assessors(tmp_path):
    stores = []
    for number, order in enumerate([NAMES, NAMES[::-1]]):
        options = {"assessors": {name: name for name in order}, "official": "2 of 3"}
        rules = {"options": options, "vote": votes.parse_vote(options)}
        campaign = Campaign(tmp_path / str(number))
        campaign.evaluate_graded({"r": spell(ann="CCWC", bob="WW..", eve="CPW.")}, **rules)
        stores.append(campaign.verdicts.read_bytes())
    assert stores[0] == stores[1]
    elected = read_verdicts(campaign.verdicts).rows().filter(assessor="2 of 3").sort("question")
    assert elected["verdict"].to_list() == ["correct", "unscored", "wrong", "unscored"]


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
