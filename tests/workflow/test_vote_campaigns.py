"""The vote of the assessors as the official judgments, in the whole workflow."""

import polars as pl
import pytest
from conftest import JUDGMENTS, QUICK, TINY, tiny_campaign
from nonresponse.ingest.check import check_assessors

# Each is alone with one label; of q4's Bonn two have none.
ANN = JUDGMENTS.replace("q1\tLyon\tW", "q1\tLyon\tR").replace("q4\tBonn\tW\n", "")
BOB = JUDGMENTS.replace("q3\tOslo\tR", "q3\tOslo\tW").replace("q4\tBonn\tW\n", "")
EVE = JUDGMENTS.replace("q4\tBerlin\tR", "q4\tBerlin\tW")
ANALYSES = {"analyses": ["agreement", "judges", "generalizability", "rankings", "pooling"]}


@pytest.mark.slow
def test_a_vote_is_as_good_as_a_file_that_says_the_same(project):
    """Scores and analyses are the same bytes, except analyses that compare all assessors."""
    tiny_campaign(project)
    for folder in ("voted", "written"):
        for name, text in {"ann": ANN, "bob": BOB, "eve": EVE}.items():
            project.write(f"raw/{folder}/{name}.tsv", text)
    project.write("raw/written/majority.tsv", JUDGMENTS)
    campaigns = {
        folder: TINY
        | {
            "judgments": {
                "format": "tabular",
                "files": f"raw/{folder}/*.tsv",
                "official": "majority",
            }
        }
        for folder in ("voted", "written")
    }
    project.configure(
        QUICK | ANALYSES,
        **{name: it | {"measures": ["c@1"], "shards": 1} for name, it in campaigns.items()},
    )
    project.snakemake()
    project.snakemake(*(f"results/{folder}/verdicts.parquet" for folder in campaigns))
    results = project.results()
    same = [
        "verdicts.parquet",
        "leaderboard.csv",
        "reliability/judging/pooling.csv",
    ]
    same += [
        "reliability/summaries/rankings.csv",
        "reliability/summaries/generalizability.csv",
        "reliability/judging/agreement_patterns.csv",
    ]
    for name in same:
        assert (
            results[f"voted/{name}"].replace(b"voted", b"written") == results[f"written/{name}"]
        ), name
    of_judges = {
        folder: pl.read_csv(results[f"{folder}/reliability/summaries/judges.csv"])
        for folder in campaigns
    }
    assert of_judges["voted"].drop("votes").equals(of_judges["written"].drop("votes"))
    assert of_judges["voted"]["votes"].to_list() == [None, True, True, True]
    assert of_judges["written"]["votes"].to_list() == [None] * 4, (
        "an assessor called majority is no vote"
    )
    said = {folder: results[f"{folder}/reliability.md"] for folder in campaigns}
    assert b"is a vote of" in said["voted"] and b"is a vote of" not in said["written"]
    disputed = {folder: pl.read_csv(results[f"{folder}/to_adjudicate.csv"]) for folder in campaigns}
    assert (disputed["voted"]["correct"] + disputed["voted"]["not_correct"]).max() == 3
    assert (disputed["written"]["correct"] + disputed["written"]["not_correct"]).max() == 4


def test_who_votes_is_checked_with_the_files():
    def faults(assessors: list[str], **vote) -> list[str]:
        asked = {"name": "2 of 3", "needed": 2, "of": 3, "ties": None, "or_named": False} | vote
        judgments = {"official": asked["name"], "vote": asked}
        return [fault.found for fault in check_assessors({"judgments": judgments}, assessors, "f")]

    assert faults(["ann", "bob", "eve"]) == []
    assert faults(["ann", "bob"]) == ["judgments of 2 assessors"]
    assert faults(["2 of 3", "ann", "bob"]) == ["an assessor called 2 of 3"]
    assert faults(["ann", "bob", "eve"], ties="zoe") == ["no judgments of 'zoe'"]
    majority = {"name": "majority", "needed": None, "of": None, "or_named": True}
    assert faults(["ann"], **majority) == ["judgments of 1 assessor"]
    assert faults(["majority"], **majority) == [], "an assessor of that name"
