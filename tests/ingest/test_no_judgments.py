"""Column names without judgments and keys without labels are no faults."""

import polars as pl
import pytest
from conftest import RUNS
from nonresponse.front import local
from nonresponse.front.campaign import CampaignBlock, complete_campaign
from reading import judgments, write

HEADERS = {
    "tabular": "question\tanswer\tlabel\n",
    "clef-respubliqa": "run\tquestion\tparagraph\tjudgment\n",
    "romip": "question\tanswer\tlabel\n",
}


@pytest.mark.parametrize("format", HEADERS)
def test_a_header_alone(tmp_path, format):
    table, faults = judgments(format, write(tmp_path, "a.tsv", HEADERS[format]), "qa")
    assert faults == [] and not table.height


def test_campaigns_without_judgments(tmp_path, monkeypatch):
    """All answers are unscored, or wrong with a closed key."""
    monkeypatch.chdir(tmp_path)
    files = {f"runs/{run}.tsv": text for run, text in RUNS.items()}
    files |= {"none.tsv": HEADERS["tabular"], "key.csv": "question,gold\n"}
    files |= {"questions.csv": "question\nq1\nq2\nq3\nq4\nq5\n"}
    for name, text in files.items():
        write(tmp_path, name, text)
    options = {
        "task": "qa",
        "runs": {"format": "tabular", "files": "runs/*.tsv"},
        "questions": "questions.csv",
    }
    empty = {"format": "tabular", "files": "none.tsv"}
    key = {"format": "tabular", "files": "key.csv", "closed": True, "columns": {"answer": "gold"}}

    def counts(name: str, judgments: dict) -> list[tuple]:
        campaign = complete_campaign(
            CampaignBlock(name, options | {"judgments": judgments}, [], []), ["c@1"]
        )
        for stage in (local.ingest, local.judge, local.count):
            stage(campaign)
        table = pl.read_parquet(f"results/{name}/counts.parquet").sort("run")
        return table.select("run", "n", "n_ac", "n_aw", "n_u", "n_unscored").rows()

    unscored = [(5, 0, 3, 2, 3), (5, 0, 3, 2, 3), (5, 0, 4, 1, 4)]
    assert [row[1:] for row in counts("open", empty)] == unscored
    assert counts("closed", key) == [(*row[:5], 0) for row in counts("open", empty)]
