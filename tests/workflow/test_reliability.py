"""The reliability stage in the DAG, on tiny campaigns."""

import re

import polars as pl
import pytest
from conftest import JUDGMENTS, QUICK, TINY, Project, tiny_campaign

pytestmark = pytest.mark.slow

EVERYTHING = {
    *["reliability.md", "reliability.tex"],
    *[
        "reliability/judging/agreement.csv",
        "reliability/judging/agreement_patterns.csv",
        "reliability/summaries/discriminative_power.csv",
    ],
    *["reliability/findings.csv", "reliability/summaries/questions_needed.csv", "reliability/summaries/rankings.csv"],
    *["reliability/summaries/sample_size.csv", "reliability/summaries/sensitivity.csv"],
    *[
        f"reliability/{part}/{id}.parquet"
        for part in ("stability", "swap", "questions_needed")
        for id in TINY["measures"]
    ],
    *[f"reliability/{part}/{id}.parquet" for part in ("intervals", "comparisons") for id in TINY["measures"]],
    *["figures/stability.svg", "figures/swap.svg", "figures/rankings-measures.svg"],
    "figures/intervals.svg",  # the runs do not differ measurably: no curves of rates
}


TWICE = TINY | {"judgments": {"format": "tabular", "files": "raw/judgments/*.tsv", "official": "final"}}


def with_second_assessor(project: Project) -> Project:
    """The tiny campaign with a second assessor, and all analyses."""
    tiny_campaign(project)
    (project.folder / "raw/judgments.tsv").unlink()
    project.write("raw/judgments/final.tsv", JUDGMENTS)
    project.write("raw/judgments/other.tsv", JUDGMENTS.replace("q1\tLyon\tW", "q1\tLyon\tR"))
    project.configure(QUICK, tiny=TWICE)
    return project


@pytest.fixture
def judged_twice(project):
    return with_second_assessor(project)


@pytest.fixture
def evaluated_twice(evaluated):
    return evaluated("judged-twice", with_second_assessor)


def read(project, name: str, campaign: str = "tiny") -> pl.DataFrame:
    path = project.folder / "results" / campaign / name
    return pl.read_parquet(path) if path.suffix == ".parquet" else pl.read_csv(path, infer_schema_length=None)


def test_everything_there_is_and_the_same_bytes_on_one_core(evaluated_twice):
    judged_twice = evaluated_twice  # on several cores
    many = judged_twice.results()
    made = {name.removeprefix("tiny/") for name in many}
    assert made >= EVERYTHING | {"figures/rankings-assessors.svg"}
    # Four questions: two subsets of two.
    sensitivity = read(judged_twice, "reliability/summaries/sensitivity.csv")
    assert sensitivity["size"].to_list() == [2, 2, 2]
    swaps = read(judged_twice, "reliability/swap/c@1.parquet")
    assert swaps["comparisons"].sum() == 20 * 3
    agreement = read(judged_twice, "reliability/judging/agreement.csv").filter(pl.col("statistic") == "disagreement")
    assert agreement["value"].to_list() == [1 / 7, 1 / 7]
    tau = read(judged_twice, "reliability/summaries/rankings.csv").filter(pl.col("measure") == "accuracy")
    # beta's Lyon puts it ahead of alpha: 1 of 3 pairs tied before, none now.
    assert tau["tau"].to_list() == [pytest.approx(2 / 6**0.5)]
    table = read(judged_twice, "leaderboard.csv")
    assert table["rank_high"].to_list() == [3, 3, 3]
    assert (table["c@1 lower"] <= table["c@1"]).all() and (table["c@1"] <= table["c@1 upper"]).all()
    page = (judged_twice.folder / "results/tiny/reliability.md").read_text()
    assert set(re.findall(r"\((figures/.*svg)\)", page)) == {name for name in made if name.startswith("figures/")}
    judged_twice.snakemake("--forceall", cores=1)
    assert judged_twice.results() == many


def test_more_questions_than_there_are(judged_twice):
    judged_twice.configure(QUICK | {"analyses": ["swap"], "size": 3}, tiny=TWICE | {"measures": ["c@1"]})
    run = judged_twice.snakemake(check=False)
    assert run.returncode == 1
    said = "found a reliability.size of 3; expected 2 or less: two disjoint subsets of 4 questions"
    assert said in run.stderr + run.stdout
    assert "Traceback" not in run.stderr


def test_one_question_and_a_first_measure_that_is_undefined(judged_twice):
    for path in (judged_twice.folder / "raw").rglob("*.tsv"):
        path.write_text("".join(line for line in path.read_text().splitlines(True) if line[:2] in ("qu", "q1")))
    measures = {"measures": ["nil_precision", "c@1"], "shards": 1}
    judged_twice.configure(QUICK, tiny=TWICE | measures)
    judged_twice.snakemake()
    page = (judged_twice.folder / "results/tiny/leaderboard.md").read_text()
    assert "ranks" not in page and "Student" not in page
    assert read(judged_twice, "reliability/summaries/sample_size.csv")["questions"].to_list() == [1, 1]


def test_measures_by_which_no_run_has_a_score_are_left_out(project):
    """Without self-scores, k1 has no interval; a run with some brings it."""
    said = "question\tanswer\nq1\tParis\nq2\t\nq3\tRome\n"
    sure = "question\tanswer\tconfidence\nq1\tParis\t0.9\nq2\t\t0.1\nq3\tRome\t0.5\n"
    project.write("runs/a.tsv", said), project.write("runs/b.tsv", said.replace("Rome", "Oslo"))
    project.write("judgments.tsv", "question\tanswer\tlabel\nq1\tParis\tR\nq2\tBonn\tR\nq3\tRome\tW\nq3\tOslo\tR\n")
    campaign = {"task": "qa", "measures": ["c@1", "k1"], "scenarios": {"open": {"unscored": "exclude"}}}
    campaign |= {
        "runs": {"format": "tabular", "files": "runs/*.tsv"},
        "systems": {"s": {"baseline": "a", "runs": ["a", "b"]}},
    }
    campaign |= {"judgments": {"format": "tabular", "files": "judgments.tsv"}}
    project.configure(QUICK | {"analyses": ["swap", "comparison", "sample_size"]}, tiny=campaign)
    project.snakemake()
    assert read(project, "leaderboard.csv")["k1 lower"].is_null().all()
    project.write("runs/b.tsv", sure)
    project.snakemake()
    assert read(project, "leaderboard.csv")["k1 lower"].is_not_null().any()
    assert {"c@1", "k1"} == {*read(project, "reliability/summaries/sensitivity.csv")["measure"]}
    project.write("runs/b.tsv", said)
    project.snakemake()
    assert read(project, "leaderboard.csv")["k1 lower"].is_null().all() and project.jobs() == []
