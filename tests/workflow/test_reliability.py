"""All analyses in the DAG, on a tiny campaign that two assessors judged."""

import polars as pl
import pytest
from conftest import JUDGMENTS, QUICK, TINY, Project, tiny_campaign

pytestmark = pytest.mark.slow

TABLES = ["judging/agreement.csv", "judging/agreement_patterns.csv"]
SUMMARIES = "discriminative_power questions_needed rankings sample_size sensitivity"
TABLES += [f"summaries/{name}.csv" for name in SUMMARIES.split()]
TABLES += [
    f"by_measure/{id}/{table}.parquet"
    for table in ("stability", "swap", "questions_needed", "intervals", "comparisons")
    for id in TINY["measures"]
]


def judged_twice(project: Project) -> Project:
    tiny_campaign(project)
    for name, text in {
        "final": JUDGMENTS,
        "other": JUDGMENTS.replace("q1\tLyon\tW", "q1\tLyon\tR"),
    }.items():
        project.write(f"raw/judgments/{name}.tsv", text)
    gold = {"format": "tabular", "files": "raw/judgments/*.tsv", "official": "final"}
    project.configure(QUICK, tiny=TINY | {"judgments": gold})
    return project


def test_everything_there_is_and_the_same_bytes_on_one_core(evaluated):
    project = evaluated("judged-twice", judged_twice)  # on several cores
    folder, many = project.folder / "results/tiny", project.results()
    result = {name.removeprefix("tiny/") for name in many}
    assert result >= {"reliability.md", "reliability/sections.json"}
    assert result >= {f"reliability/{table}" for table in TABLES}
    # Four questions: two subsets of two.
    summaries = folder / "reliability/summaries"
    assert pl.read_csv(summaries / "sensitivity.csv")["size"].to_list() == [2, 2, 2]
    swap = pl.read_parquet(folder / "reliability/by_measure/c@1/swap.parquet")
    assert swap["comparisons"].sum() == 50 * 3
    agreement = pl.read_csv(folder / "reliability/judging/agreement.csv", infer_schema_length=None)
    assert agreement.filter(statistic="disagreement")["value"].to_list() == [1 / 7, 1 / 7]
    # beta's Lyon puts it ahead of alpha: 1 of 3 pairs tied before, none now.
    tau = pl.read_csv(summaries / "rankings.csv", infer_schema_length=None)
    assert tau.filter(measure="accuracy")["tau"].to_list() == [pytest.approx(2 / 6**0.5)]
    board = pl.read_csv(folder / "leaderboard.csv", infer_schema_length=None)
    assert board["rank_high"].to_list() == [3, 3, 3]
    assert board.select((pl.col("c@1").is_between("c@1 lower", "c@1 upper")).all()).item()
    project.snakemake("--forceall", "results/tiny/report.html", cores=1)
    assert project.results() == many
