"""Test majority votes as official judgments; tests/fuzz counts votes."""

from nonresponse.ingest.check import check_assessors


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
