"""A campaign of every format and door through the whole DAG; and every module that a job loads is in its checksum.

Snakemake does not see imports. What nonresponse/sources.py finds in the code is held against what each job really
loaded, so that an edit to a module repeats all that used it. And since all the stages are there,
the picture of them in docs/architecture.md is held against the DAG.
"""

import json
import re
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from conftest import HOME, Project, evaluate_once
from every_campaign import every_campaign
from nonresponse import sources
from nonresponse.pages.blocks import ROWS, read_topics
from nonresponse.pages.report import SECTIONS
from nonresponse.tables import as_csv
from nonresponse.views import VIEWS


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
    assert table(project, "clef-qa4mre", "n_ac", "n_aw", "n_u") == [
        ("guess", 0.5, 1.5, 0),  # of four options
        ("r", 1, 0, 1),
    ]
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


@pytest.mark.slow
@pytest.mark.xdist_group("sources")
def test_every_module_that_a_job_loads_is_in_its_checksum(project):
    records = [json.loads(path.read_text()) for path in (project.folder / "records").glob("*.json")]
    assert not [record["argv"] for record in records if record["slow"]]
    unnoticed = set()
    for record in records:
        script, *arguments = record["argv"]
        roots = [Path(script).name, *topic_of(arguments)]
        loaded = {str(Path(name).resolve().relative_to(HOME / "scripts")) for name in record["files"]}
        unnoticed |= {f"{roots}: {name}" for name in loaded - {*sources.files(*roots)}}
    assert sorted(unnoticed) == []
    by_hand = {"look.py", "verify.py"}
    assert {Path(record["argv"][0]).name for record in records} | by_hand == {
        path.name for path in (HOME / "scripts").glob("*.py")
    }


def topic_of(arguments: list[str]) -> list[str]:
    """The modules that a job of topic.py is told to load."""
    [named] = re.findall("--topics ([a-z ]+) --", " ".join(arguments)) or [""]
    return [f"nonresponse/topics/{name}.py" for name in named.split()]


def test_the_checksum_of_a_rule_is_that_of_its_script():
    for path in (HOME / "workflow/rules").glob("*.smk"):
        rules = re.split(r"^ *(?:rule|checkpoint)\b", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
        scripts = [re.findall(r'script=ask\.(?:script|reader)\("(.*)"\)', rule) for rule in rules]
        assert scripts == [re.findall(r'code=code\("(.*?)"', rule) for rule in rules], path


def arrows(graph: str) -> set[str]:
    """The arrows of Snakemake's Mermaid text, with the names of rules for its numbers, without those to `all`."""
    names = dict(re.findall(r"^\t(id\d+)\[(\w+?)(?:_\d+)?\]$", graph, re.MULTILINE))
    found = re.findall(r"^\t(id\d+) --> (id\d+)$", graph, re.MULTILINE)
    return {f"{names[one]} --> {names[other]}" for one, other in found if names[other] != "all"}


# Stages that wait for the counts of several campaigns or scenarios. As long as Snakemake has not resolved all of these,
# it draws an arrow from `tally` instead of arrows from what these stages read; which of the two depends on paths.
WAITING = ("report", "scenarios", "summary")


@pytest.mark.slow
@pytest.mark.xdist_group("sources")
def test_the_picture_of_the_stages_is_current(project):
    drawn = arrows(project.snakemake("--rulegraph", "mermaid-js").stdout)
    shown = set(re.findall(r"^    (\w+ --> \w+)$", (HOME / "docs/architecture.md").read_text(), re.MULTILINE))
    assert sorted(drawn - shown - {f"tally --> {stage}" for stage in WAITING}) == []
    assert [arrow for arrow in sorted(shown - drawn) if not arrow.endswith(WAITING)] == []


def test_what_a_command_may_load():
    """What it imports with its packages, all of a package that it chooses from, and what is no module beside it."""
    score = {*sources.files("score.py")}
    measures = {f"nonresponse/measures/{path.name}" for path in (HOME / "src/nonresponse/measures").glob("*.py")}
    assert measures < score and {"score.py", "nonresponse/__init__.py", "nonresponse/database/match.sql"} < score
    assert not any(path.startswith(("nonresponse/pages", "nonresponse/formats")) for path in score)
    assert "nonresponse/pages/report/page.css" in sources.files("report.py")
    assert sources.checksum("score.py") != sources.checksum("tally.py")


def test_all_forms_of_an_import():
    code = """
import nonresponse.measures.deft
from nonresponse import tables as written, nothing_of_ours
from nonresponse.formats.text import read_text
import polars
def later():
    try:
        with open("x"):
            if True:
                from nonresponse.scoring import score
    except OSError:
        import nonresponse.scoring.tally as counted
"""
    found = {path.removeprefix("nonresponse/") for path in sources.imported(code)}
    assert found == {
        *["__init__.py", "measures/__init__.py", "measures/deft.py", "tables.py", "formats/__init__.py"],
        *["formats/text.py", "scoring/__init__.py", "scoring/score.py", "scoring/tally.py"],
    }


@pytest.mark.slow
@pytest.mark.xdist_group("sources")
def test_the_report_says_every_finding_once_and_pages_have_every_table(project):
    """But for what the table of all measures has, and for topics that say that there is nothing to say."""
    sections, summed = set(), {"silence"}
    # What the one table by measure sums up stands in these files alone.
    alone = {"discriminative_power", "sensitivity", "sample_size", "questions_needed", "power"}
    for path in sorted((project.folder / "results").glob("*/report.json")):
        report = json.loads(path.read_text())
        shown, runs = report["sections"], report["card"]["runs"]
        sections |= {section["id"] for section in shown}
        blocks = [block for section in shown for block in section["blocks"]]
        below = [block for section in shown[1:] for block in section["blocks"]]  # the answer says one of them, too
        said = Counter(one for block in below if block["kind"] == "sentences" for one in block["sentences"])
        pages = {file.parent.name: read_topics(file) for file in path.parent.glob("*/blocks.json")}
        written = {(page, name): it for page, topics in pages.items() for name, it in topics.items()}
        left_out = summed | {view.id for view in VIEWS.values() if view.several and runs == 1}
        own = [(page, name) for page, name in written if (page, bool(name)) != ("years", True)]
        topics = [written[page, name] for page, name in own if name not in left_out]
        topics = [it for it in topics if it.figures or any(table.rows for table in it.tables)]
        known = Counter(one for it in topics for one in it.sentences)
        found = [pl.read_csv(file, infer_schema=False)["finding"] for file in path.parent.glob("*/findings.csv")]
        assert {one for file in found for one in file} <= {one for it in written.values() for one in it.sentences}
        assert {one: said[one] for one in known} == known, path
        drawn = {block["title"] for block in blocks if block["kind"] == "figure"}
        assert drawn - {""} <= {one for it in written.values() for one in it.sentences}, path
        tables = {(block["csv"], len(block["rows"])) for block in blocks if block["kind"] == "table"}
        of_topics = {(table.csv, len(table.rows)) for it in topics for table in it.tables if table.rows}
        assert of_topics <= tables
        tables |= {(table.csv, len(table.rows)) for it in written.values() for table in it.tables}
        board = pl.read_parquet(path.parent / "leaderboard.parquet")
        undefined = [name for name in board.columns if board[name].is_null().all()]
        for folder in ("reliability", "systems", "views"):
            for file in path.parent.glob(f"{folder}/*.csv"):
                if file.stem in ("findings", "judges", "judges_by_run"):  # of judges, those with something to compare
                    continue
                if file.stem in {"abstention", "rankings", *alone}:  # what differs; what judges do not say
                    continue
                frame = pl.read_csv(file, infer_schema=False)
                if folder == "reliability":
                    assert as_csv(pl.read_parquet(file.with_suffix(".parquet"))) == file.read_text(), file
                if folder == "reliability" and "measure" in frame.columns:  # without what is undefined for all runs
                    frame = frame.filter(~pl.col("measure").is_in(undefined).fill_null(False))
                if file.stem == "agreement":  # of every two assessors, a square
                    frame = frame.filter(pl.col("statistic") != "cohen_kappa")
                assert not frame.height or (file.stem, min(frame.height, ROWS)) in tables, file
    assert sections == {section.id for section in SECTIONS}, "some campaign has each of them"
