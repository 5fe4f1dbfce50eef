"""All analyses in the DAG, on tiny campaigns."""

import polars as pl
import pytest
from conftest import JUDGMENTS, QUICK, TINY, Project, tiny_campaign

pytestmark = pytest.mark.slow

TABLES = ["judging/agreement.csv", "judging/agreement_patterns.csv"]
TABLES += [
    f"summaries/{name}.csv"
    for name in (
        "discriminative_power",
        "questions_needed",
        "rankings",
        "sample_size",
        "sensitivity",
    )
]
TABLES += [
    f"by_measure/{id}/{table}.parquet"
    for table in ("stability", "swap", "questions_needed", "intervals", "comparisons")
    for id in TINY["measures"]
]


def judged_twice(project: Project) -> Project:
    """The tiny campaign with a second assessor; another, of one question; and one with a measure
    that no run has."""
    judgments = {"final": JUDGMENTS, "other": JUDGMENTS.replace("q1\tLyon\tW", "q1\tLyon\tR")}
    tiny_campaign(project)
    files = {path.name: path.read_text() for path in (project.folder / "raw/runs").iterdir()}
    for folder, kept in (("all", "q"), ("one", "q1")):
        texts = {f"runs/{name}": text for name, text in files.items()}
        texts |= {f"judgments/{name}.tsv": text for name, text in judgments.items()}
        for name, text in texts.items():
            header, *lines = text.splitlines(keepends=True)
            project.write(
                f"raw/{folder}/{name}",
                "".join([header, *(line for line in lines if line.startswith(kept))]),
            )
    project.write("raw/unsure/a.tsv", "question\tanswer\nq1\tParis\nq2\t\nq3\tRome\n")
    project.write("raw/unsure/b.tsv", "question\tanswer\nq1\tParis\nq2\t\nq3\tOslo\n")

    def campaign(folder: str, measures: list[str]) -> dict:
        runs = {"format": "tabular", "files": f"raw/{folder}/runs/*.tsv"}
        gold = {"format": "tabular", "files": f"raw/{folder}/judgments/*.tsv", "official": "final"}
        return TINY | {"runs": runs, "judgments": gold, "measures": measures}

    unsure = campaign("all", ["c@1", "k1"]) | {
        "runs": {"format": "tabular", "files": "raw/unsure/*.tsv"}
    }
    unsure |= {"systems": {"s": {"baseline": "a", "runs": ["a", "b"]}}}
    one = campaign("one", ["nil_precision", "c@1"])
    project.configure(QUICK, tiny=campaign("all", TINY["measures"]), one=one, unsure=unsure)
    return project


def read(project, name: str, campaign: str = "tiny") -> pl.DataFrame:
    path = project.folder / "results" / campaign / name
    return (
        pl.read_parquet(path)
        if path.suffix == ".parquet"
        else pl.read_csv(path, infer_schema_length=None)
    )


def test_everything_there_is_and_the_same_bytes_on_one_core(evaluated):
    project = evaluated("judged-twice", judged_twice)  # on several cores
    many = project.results()
    made = {name.removeprefix("tiny/") for name in many}
    assert made >= {
        "reliability.md",
        "reliability/sections.json",
        *(f"reliability/{table}" for table in TABLES),
    }
    # Four questions: two subsets of two.
    assert read(project, "reliability/summaries/sensitivity.csv")["size"].to_list() == [2, 2, 2]
    assert read(project, "reliability/by_measure/c@1/swap.parquet")["comparisons"].sum() == 50 * 3
    agreement = read(project, "reliability/judging/agreement.csv").filter(
        pl.col("statistic") == "disagreement"
    )
    assert agreement["value"].to_list() == [1 / 7, 1 / 7]
    tau = read(project, "reliability/summaries/rankings.csv").filter(
        pl.col("measure") == "accuracy"
    )
    # beta's Lyon puts it ahead of alpha: 1 of 3 pairs tied before, none now.
    assert tau["tau"].to_list() == [pytest.approx(2 / 6**0.5)]
    table = read(project, "leaderboard.csv")
    assert table["rank_high"].to_list() == [3, 3, 3]
    assert (table["c@1 lower"] <= table["c@1"]).all() and (table["c@1"] <= table["c@1 upper"]).all()
    # One question, and a first measure that is undefined: no ranks, and nothing fails.
    page = (project.folder / "results/one/leaderboard.md").read_text()
    assert "ranks" not in page and "Student" not in page
    assert read(project, "reliability/summaries/sample_size.csv", "one")["questions"].to_list() == [
        1,
        1,
    ]
    # By k1 no run has a score, since there are no self-scores.
    assert read(project, "leaderboard.csv", "unsure")["k1 lower"].is_null().all()
    assert read(project, "leaderboard.csv", "unsure")["c@1 lower"].is_not_null().all()
    project.snakemake("--forceall", "results/tiny/report.html", cores=1)
    assert project.results() == many
