"""Runs under other names, and their attributes, from the configuration to every page; and texts of
any length."""

import json

import polars as pl
import pytest
import reports
import yaml
from configured import reported
from conftest import JUDGMENTS, RUNS, SMALL, TINY, Project, tiny_campaign

TABLE = (
    "run,name,size,family,date\nalpha,Llama 3.1 "
    "70B,70,llama,=2024-07\ngamma,qwen2.5:7b,7.5,<b>|Qwen,\nelse,x,1,,\n"
)

# A job is told of these in a file, since Linux lets an argument have 131,072 bytes.
PHRASES = [f'{number}: i\'d "rather" not $say ü' for number in range(900)]
GRADED = {
    "task": "qa",
    "graded": {"format": "tabular", "files": "raw/graded.csv"},
    "measures": ["c@1"],
}
COUNTS = {"task": "qa", "counts": "raw/counts.csv", "measures": ["c@1"]}


def of_runs(project: Project) -> Project:
    """Judgments name runs by the names of their files."""
    tiny_campaign(project)
    lines = JUDGMENTS.splitlines()
    gold = [
        f"{lines[0]}\trun",
        *(f"{line}\t{run}" for run in ("alpha", "beta", "gamma") for line in lines[1:]),
    ]
    project.write("raw/judgments.tsv", "\n".join([*gold, ""]))
    project.write("raw/models.csv", TABLE)
    project.write(
        "raw/graded.csv", "question,run,verdict\nq1,a,correct\nq1,b,wrong\nq1,c,correct\n"
    )
    project.write("raw/counts.csv", "run,n_ac,n_aw,n_u\na,1,2,3\nb,2,2,2\n")
    long = "n" * 300
    project.write("phrases.yaml", yaml.safe_dump({"prefixes": PHRASES}, allow_unicode=True))
    others = "".join(f"other-{number},,{'ü' * 100}\n" for number in range(2000))
    own = "".join(f"{run},{run} of ours,{size}\n" for size, run in enumerate(RUNS))
    project.write("names.csv", f"run,name,size\n{own}{others}")
    project.write(
        "raw/long/alpha.tsv", RUNS["alpha"].replace("q4\tBonn", f"q4\t{PHRASES[-1]}, if I may")
    )
    refusing = {
        "format": "tabular",
        "files": "raw/long/*.tsv",
        "refusals": {"lists": ["phrases.yaml"]},
    }
    project.configure(
        long=TINY | SMALL | {"title": "An 'ü' " * 12_000, "names": "names.csv", "runs": refusing},
        runs=TINY | SMALL | {"names": "raw/models.csv", "baseline": "Llama 3.1 70B"},
        graded=GRADED | {"names": {"a": "b", "b": "a", "c": "org/C"}},
        counts=COUNTS | {"names": {"b": long}},
    )
    return project


@pytest.mark.slow
def test_names_and_attributes(project):
    of_runs(project).snakemake()
    results = project.folder / "results"

    def board(campaign: str, *columns: str) -> list[tuple]:
        return (
            pl.read_parquet(results / campaign / "leaderboard.parquet")
            .select("run", *columns)
            .sort("run")
            .rows()
        )

    names = {"alpha": "Llama 3.1 70B", "gamma": "qwen2.5:7b"}
    scores = {"alpha": (0.3125, 1, 2, 1), "beta": (0.3125, 1, 2, 1), "gamma": (0.75, 3, 1, 0)}
    found = [(names.get(run, run), *rest) for run, rest in scores.items()]
    assert board("runs", "c@1", "n_ac", "n_aw", "n_u") == found
    attributes = {
        "Llama 3.1 70B": (70.0, "llama", "=2024-07"),
        "beta": (None, None, None),
        "qwen2.5:7b": (7.5, "<b>|Qwen", None),
    }
    assert board("runs", "size", "family", "date") == [
        (name, *values) for name, values in attributes.items()
    ]
    csv = (results / "runs/leaderboard.csv").read_text().splitlines()
    assert csv[0].endswith(",size,family,date") and csv[1].endswith(",7.5,<b>|Qwen,")
    lines = (results / "runs/leaderboard.md").read_text().splitlines()
    header, first = (
        next(line for line in lines if line[0:1] == "|" and word in line)
        for word in ("| run", "qwen")
    )
    assert [cell.strip() for cell in header.split("|")[3:6]] == ["size", "family", "date"]
    assert r"7.5 | <b>\|Qwen |" in first.replace("&lt;", "<").replace(
        "   ", " "
    ) and first.endswith("|")
    html = (results / "runs/report.html").read_text()
    assert "<b>|" not in html and "<b>|Qwen" in reports.whole(results / "runs/report.html")
    part = reports.part(results / "runs")
    assert "<b>|Qwen" in json.dumps(part) and "=2024-07" in json.dumps(part)
    assert (
        "the attribute '=2024-07' begins like a formula" in (results / "runs/check.txt").read_text()
    )

    graded = board("graded", "n_ac")
    assert graded == [("a", 0), ("b", 1), ("org/C", 1)]
    assert [name for name, _ in board("counts", "n_ac")] == ["a", "n" * 300]

    size = pl.read_csv(results / "long/leaderboard.csv").select("run", "size").row(0)
    assert size == ("alpha of ours", 0)
    assert pl.read_csv(results / "long/audit.csv")["phrase"].to_list() == PHRASES[-1:]


def test_names_that_fit_no_run_or_two(project, monkeypatch):
    of_runs(project)
    monkeypatch.chdir(project.folder)

    names = iter("abcd")

    def faults(campaign: dict) -> list[str]:
        return reported(next(names), campaign, project.folder)[1:-1]

    assert faults(GRADED | {"names": {"a": "b", "nobody": "x"}}) == [
        "raw/graded.csv: found the run 'b' as 'b', which 'a' is, too; expected a name for each",
        "raw/graded.csv:3: found a second verdict for question 'q1'; expected one only; the "
        "first of 'b' is"
        " on line 2 (`duplicates: same` in config.yaml drops those that say the same; first "
        "and last keep one)",
    ]
    assert faults(GRADED | {"names": {"a": "b", "b": "a", "nobody": "x"}}) == [
        "config.yaml: found the run 'nobody' in names; expected a run of the campaign, as its "
        "files name it:"
        " 'a', 'b', 'c'"
    ]
    assert faults(COUNTS | {"names": {"a": "b"}}) == [
        "raw/counts.csv: found the run 'b' as 'b', which 'a' is, too; expected a name for each"
    ]
    assert faults(GRADED | {"names": "raw/models.csv"}) == [
        "raw/models.csv: found none of the runs; expected a row for some run of the campaign: "
        "'a', 'b', 'c'"
    ]
