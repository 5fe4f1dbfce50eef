"""A campaign of every format and door through the whole DAG; and every module that a job loads is declared.

Snakemake does not see imports. What the rules declare (nonresponse/sources.py finds it in the code) is held against
what each job really loaded, so that an edit to a module repeats all that used it. And since all the stages are there,
the picture of them in docs/architecture.md is held against the DAG.
"""

import ast
import json
import re
from base64 import urlsafe_b64decode
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from conftest import HOME, Project, evaluate_once
from every_campaign import every_campaign
from nonresponse import sources, tasks
from nonresponse.pages.blocks import ROWS
from nonresponse.pages.report import SECTIONS
from nonresponse.reliability import analyses


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Project:
    """All formats and doors, run once."""
    return Project(evaluate_once("every-campaign", every_campaign, tmp_path_factory))


def table(project, campaign: str, *columns: str) -> list[tuple]:
    import polars as pl

    frame = pl.read_csv(project.folder / f"results/{campaign}/leaderboard.csv")
    return frame.select("run", *columns).sort("run").rows()


@pytest.mark.slow
@pytest.mark.xdist_group("sources")
def test_scores_of_every_format(project):
    assert table(project, "tabular", "n_ac", "n_aw", "n_u", "c@1") == [
        ("guess", 0.75, 1.25, 0, 0.375),  # of four and two options
        ("run", 1, 0, 1, 0.75),
    ]
    assert table(project, "trec-qa", "n_ac", "n_aw", "n_u", "nil_right") == [("runA", 2, 1, 1, 1)]
    assert table(project, "clef-respubliqa", "n_ac", "n_u", "n_uw") == [("run", 1, 1, 1)]
    assert table(project, "clef-qa4mre", "n_ac", "n_aw", "n_u") == [("r", 1, 0, 1)]
    assert table(project, "romip", "n", "a", "e", "q_good", "q_long_good_partial", "mrr") == [
        ("run", 2, 1, 1, 1, 1, 0.5)
    ]
    trivial = [("accept-all", 1, 0), ("reject-all", 0, 1)]
    assert table(project, "deft", "n_ac", "n_aw", "n_u", "s") == [("run", 0, 1, 1, pytest.approx(0.9690724 / 2))]
    assert table(project, "-matching", "n_ac", "n_aw", "s", "s_c") == [("-run", 1, 1, 0.5, 0.625)]
    assert table(project, "pan", "tp", "fn") == sorted([*trivial, ("run", 1, 0)])
    assert table(project, "ave", "tp", "tn", "n_unscored")[2] == ("run", 1, 1, 1)
    assert table(project, "wide", "n_ac", "n_u", "n_missing") == [
        ("m1", 2, 1, 0),
        ("m2", 1, 1, 1),
        ("m3", 0, 3, 3),
    ]
    assert table(project, "long", "tp", "tn", "u_p")[1] == ("long", 1, 1, 1)
    for _, tp, fp, fn, tn, e in table(project, "solovyev-table-3", "tp", "fp", "fn", "tn", "e@2"):
        assert e == pytest.approx((2 * fp + fn) / (3 * (tp + tn) + 2 * fp + fn))


def written(argv: list[str], declared: dict) -> str:
    """An output of a command: the last one that it names, or one of the many that it writes into a folder."""
    pages = {"years.py": "years.md", "leaderboard.py": "leaderboard.csv", "reliability_page.py": "reliability.md"}
    pages |= {f"{name}.py": f"{name}.md" for name in ("scenarios", "systems", "views")}
    if page := pages.get(Path(argv[0]).name):
        return f"{argv[argv.index('--folder') + 1]}/{page}"
    return [word for word in argv if word in declared][-1]


def declarations(project) -> dict[str, tuple[str, set[str]]]:
    """Of each output its rule, and the files below scripts/ whose checksums its job has as a parameter."""
    folder, found = project.folder / ".snakemake/metadata", {}
    for path in folder.rglob("*"):
        if path.is_file():
            noted = json.loads(path.read_text())
            encoded = "".join(part.removeprefix("@") for part in path.relative_to(folder).parts)
            files = re.findall(r"(\S+):[0-9a-f]{16}\b", " ".join(noted["params"]))
            found[urlsafe_b64decode(encoded).decode()] = noted["rule"], {name.strip("'") for name in files}
    return found


@pytest.mark.slow
@pytest.mark.xdist_group("sources")
def test_every_module_that_a_job_loads_is_declared(project):
    records = [json.loads(path.read_text()) for path in (project.folder / "records").glob("*.json")]
    declared = declarations(project)
    seen, undeclared = set(), set()
    assert not [record["argv"] for record in records if record["slow"]]
    for record in records:
        rule, files = declared[written(record["argv"], declared)]
        loaded = {str(Path(name).resolve().relative_to(HOME / "scripts")) for name in record["files"]}
        undeclared |= {f"{rule}: {name}" for name in loaded - files}
        seen.add(rule)
    assert not undeclared, sorted(undeclared)
    assert seen >= {
        *["ingest_runs", "ingest_judgments", "ingest_graded", "ingest_questions", "ingest_counts", "check", "verdicts"],
        "imports",
        *["tally", "tally_table", "score_counts", "score_verdicts", "leaderboard", "changes", "summary"],
        *[
            "trials",
            "comparison",
            "agreement",
            "rankings",
            "pooling",
            "withheld",
            "sensitivity",
            "questions_needed",
            "discriminative_power",
        ],
        *["reliability", "years", "fidelity", "scenarios", "systems", "views", "adjudication", "judges"],
        *["audit", "report_part", "report"],
    }


def arrows(graph: str) -> set[str]:
    """The arrows of Snakemake's Mermaid text, with the names of rules for its numbers, without those to `all`."""
    names = dict(re.findall(r"^\t(id\d+)\[(\w+)\]$", graph, re.MULTILINE))
    found = re.findall(r"^\t(id\d+) --> (id\d+)$", graph, re.MULTILINE)
    return {f"{names[one]} --> {names[other]}" for one, other in found if names[other] != "all"}


# They wait for the counts of several campaigns or readings. As long as Snakemake has not resolved all of these, it
# draws an arrow from `tally` instead of those from what these stages read; which of the two depends on paths.
WAITING = ("report", "scenarios", "summary")


@pytest.mark.slow
@pytest.mark.xdist_group("sources")
def test_the_picture_of_the_stages_is_current(project):
    drawn = arrows(project.snakemake("--rulegraph", "mermaid-js").stdout)
    shown = set(re.findall(r"^    (\w+ --> \w+)$", (HOME / "docs/architecture.md").read_text(), re.MULTILINE))
    assert sorted(drawn - shown - {f"tally --> {stage}" for stage in WAITING}) == []
    assert [arrow for arrow in sorted(shown - drawn) if not arrow.endswith(WAITING)] == []


def test_all_sql_is_of_some_task():
    declared = {name for task in tasks.NAMES for name in tasks.get(task).sql}
    assert declared == {path.stem for path in (HOME / "scripts/nonresponse/sql").glob("*.sql")}


def test_imports_are_followed_from_the_command_that_makes_them():
    runs, counts = (sources.of_command("ingest.py", command) for command in ("runs", "counts"))
    assert "nonresponse/formats/text.py" in runs and "nonresponse/formats/text.py" in counts
    assert "nonresponse/formats/counts.py" in counts and "nonresponse/formats/counts.py" not in runs
    assert "nonresponse/formats/__init__.py" in counts, "a module is loaded with its packages"
    assert all((HOME / "scripts" / path).is_file() for path in runs)


def test_all_forms_of_an_import():
    code = """
import nonresponse.measures.dating
from nonresponse import tables as written, nothing_of_ours
from nonresponse.formats.text import read_lines
import polars
def later():
    try:
        with open("x"):
            if True:
                from nonresponse.scoring import score
    except OSError:
        import nonresponse.scoring.tally as counted
"""
    found = {path.removeprefix("nonresponse/") for path in sources.imported(ast.parse(code))}
    assert found == {
        *["__init__.py", "measures/__init__.py", "measures/dating.py", "tables.py", "formats/__init__.py"],
        *["formats/text.py", "scoring/__init__.py", "scoring/score.py", "scoring/tally.py"],
    }


@pytest.mark.slow
@pytest.mark.xdist_group("sources")
def test_the_report_says_every_finding_once_and_has_every_table(project):
    sections = set()
    for path in sorted((project.folder / "results").glob("*/report.json")):
        shown = json.loads(path.read_text())["sections"]
        sections |= {section["id"] for section in shown}
        blocks = [block for section in shown for block in section["blocks"]]
        said = Counter(one for block in blocks if block["kind"] == "sentences" for one in block["sentences"])
        found = [pl.read_csv(file, infer_schema=False)["finding"] for file in path.parent.glob("*/findings.csv")]
        known = Counter(one for file in found for one in file)
        assert {one: said[one] for one in known} == known, path
        drawn = {block["title"] for block in blocks if block["kind"] == "figure"}
        assert not [title for title in drawn - {""} if title not in said], path
        tables = {(block["csv"], len(block["rows"])) for block in blocks if block["kind"] == "table"}
        board = pl.read_parquet(path.parent / "leaderboard.parquet")
        undefined = [name for name in board.columns if board[name].is_null().all()]
        plain = {file.parent.name for file in path.parent.glob("reliability/*/*.parquet")} & {"stability", "swap"}
        assert plain <= {name for name, _ in tables}
        for folder in ("reliability", "systems", "views"):
            for file in path.parent.glob(f"{folder}/*.csv"):
                if file.stem in ("findings", "judges", "judges_by_run"):  # of judges, those with something to compare
                    continue
                frame = pl.read_csv(file, infer_schema=False)
                assert folder != "reliability" or analyses.read(file).write_csv() == file.read_text(), file
                names = ["measure", "a", "b"] if file.stem == "rankings" else ["measure"]
                if folder == "reliability":  # without what is undefined for all runs
                    own = pl.col([name for name in names if name in frame.columns])
                    frame = frame.filter(~pl.any_horizontal(pl.lit(False), own.is_in(undefined).fill_null(False)))
                if file.stem == "questions_needed":  # a column per measure
                    frame = frame.unique("difference")
                if file.stem == "agreement":  # of every two assessors, a square
                    frame = frame.filter(pl.col("statistic") != "cohen_kappa")
                assert not frame.height or (file.stem, min(frame.height, ROWS)) in tables, file
    assert sections >= {section.id for section in SECTIONS} - {"judges", "answering"}, "some campaign has each of them"
