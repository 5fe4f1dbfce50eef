"""The DAG on tiny campaigns, end to end (test_rerun.py: what an edit makes again)."""

import copy

import polars as pl
import pytest
from conftest import JUDGMENTS, RUNS, TINY, edit


def leaderboard(project, campaign="tiny"):
    return pl.read_csv(project.folder / f"results/{campaign}/leaderboard.csv")


def test_scores_of_the_tiny_campaign(tiny):
    tiny.snakemake()
    table = leaderboard(tiny)
    # gamma: q1, q3, q4 right, q2 wrong; alpha: q1 right, q2 inexact, q4 wrong, q3 silent; beta misses q4.
    assert table.select("run", "rank", "n", "n_ac", "n_aw", "n_u", "n_missing").rows() == [
        ("gamma", 1, 4, 3, 1, 0, 0),
        ("alpha", 2, 4, 1, 2, 1, 0),
        ("beta", 2, 4, 1, 2, 1, 1),
    ]
    assert table["c@1"].to_list() == [0.75, 0.3125, 0.3125]
    assert table["tied"].to_list() == [False, True, True]
    assert "2=" in (tiny.folder / "results/tiny/leaderboard.md").read_text()


def test_same_bytes_on_one_core_and_on_many(tiny):
    tiny.snakemake(cores=1)
    one = tiny.results()
    tiny.snakemake("--forceall", cores=4)
    assert tiny.results() == one
    assert len(one) > 20


def test_without_the_default_profile(tiny):
    tiny.snakemake("--workflow-profile", "none")
    first = tiny.results()
    assert tiny.jobs("--workflow-profile", "none") == []
    edit(tiny, "raw/judgments.tsv", "q2\tRome\tX", "q2\tRome\tR")
    tiny.snakemake("--workflow-profile", "none")
    assert tiny.results() != first


def test_paths_with_spaces_and_other_letters(project):
    runs = copy.deepcopy(TINY)
    runs["runs"]["files"] = "die Läufe/*.tsv"
    runs["judgments"]["files"] = "Urteile 1.tsv"
    for run, text in RUNS.items():
        project.write(f"die Läufe/{run} наш.tsv", text)
    project.write("Urteile 1.tsv", JUDGMENTS)
    project.configure(tiny=runs)
    project.snakemake()
    assert leaderboard(project)["run"].to_list()[0] == "gamma наш"


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "tsv.gz", "csv.zst"])
def test_the_same_runs_in_another_format_give_the_same_scores(tiny, ending):
    tiny.snakemake()
    expected = tiny.results()["tiny/leaderboard.csv"]
    for run in RUNS:
        path = tiny.folder / f"raw/runs/{run}.tsv"
        frame = pl.read_csv(path, separator="\t")
        target = path.with_name(f"{run}.{ending}")
        if ending == "parquet":
            frame.write_parquet(target)
        elif ending == "jsonl":
            frame.write_ndjson(target)
        else:
            separator = "\t" if ending.startswith("tsv") else ","
            target.write_bytes(packed(frame.write_csv(separator=separator).encode(), ending))
        path.unlink()
    config = copy.deepcopy(TINY)
    config["runs"]["files"] = f"raw/runs/*.{ending}"
    tiny.configure(tiny=config)
    tiny.snakemake()
    assert tiny.results()["tiny/leaderboard.csv"] == expected


def packed(data: bytes, ending: str) -> bytes:
    import pyarrow

    if ending.endswith("gz"):
        return pyarrow.compress(data, codec="gzip", asbytes=True)
    return pyarrow.compress(data, codec="zstd", asbytes=True) if ending.endswith("zst") else data
