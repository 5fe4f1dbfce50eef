"""Nobody has judged anything yet: column names without judgments, and keys without labels, are no faults."""

import polars as pl
import pytest
from conftest import RUNS, SMALL, TINY
from reading import judgments, places, write

HEADERS = {
    "tabular": "question\tanswer\tlabel\n",
    "clef-respubliqa": "run\tquestion\tparagraph\tjudgment\n",
    "romip": "question\tanswer\tlabel\n",
}


@pytest.mark.parametrize("format", HEADERS)
def test_a_header_alone(tmp_path, format):
    table, faults = judgments(format, write(tmp_path, "a.tsv", HEADERS[format]), "qa")
    assert faults == [] and not table.height
    _, faults = judgments(format, write(tmp_path, "b.tsv", "question\tanswers\n"), "qa")
    assert places(faults)[0][0] == 1
    _, faults = judgments(format, write(tmp_path, "c.tsv", ""), "qa")
    assert len(faults) == 1


def test_a_key_without_labels(tmp_path):
    file = write(tmp_path, "a.csv", "question,gold\nq1,Paris\n")
    key = {"closed": True, "columns": {"answer": "gold"}}
    table, faults = judgments("tabular", file, "qa", **key)
    assert faults == [] and table.select("question", "answer", "label").rows() == [("q1", "Paris", "R")]
    table, faults = judgments("tabular", write(tmp_path, "b.csv", "question,gold\n"), "qa", **key)
    assert faults == [] and not table.height


@pytest.mark.slow
def test_campaigns_without_judgments(project):
    """All are unscored, or wrong with a closed key; without a table of questions it is unknown what was asked."""
    for run, text in RUNS.items():
        project.write(f"raw/runs/{run}.tsv", text)
    project.write("raw/none.tsv", HEADERS["tabular"])
    project.write("raw/key.csv", "question,gold\n")
    project.write("raw/questions.csv", "question\nq1\nq2\nq3\nq4\nq5\n")
    project.write("raw/year.csv", "question,answer\n")
    asked = TINY | SMALL | {"questions": "raw/questions.csv"}
    none = {"format": "tabular", "files": "raw/none.tsv"}
    key = {"format": "tabular", "files": "raw/key.csv", "closed": True, "columns": {"answer": "gold"}}
    project.configure(
        open=asked | {"judgments": none},
        closed=asked | {"judgments": key},
        unasked=TINY | SMALL | {"judgments": none},
        official=asked | {"judgments": none | {"official": "ann"}},
    )
    boards = [f"results/{name}/leaderboard.parquet" for name in ("open", "closed", "unasked", "official")]
    run = project.snakemake(*boards, check=False)
    results = project.folder / "results"

    def counts(campaign: str) -> list[tuple]:
        board = pl.read_parquet(results / campaign / "leaderboard.parquet").sort("run")
        return board.select("run", "n", "n_ac", "n_aw", "n_u", "n_unscored").rows()

    assert counts("open") == [("alpha", 5, 0, 3, 2, 3), ("beta", 5, 0, 3, 2, 3), ("gamma", 5, 0, 4, 1, 4)]
    assert counts("closed") == [(*row[:5], 0) for row in counts("open")]
    assert run.returncode == 1
    assert (
        "  raw/none.tsv: found no judgments; expected some, or `questions:`"
        in (results / "unasked/faults.txt").read_text()
    )
    assert "no judgments of 'ann'" in (results / "official/faults.txt").read_text()
