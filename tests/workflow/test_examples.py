"""Every example of the pages on formats, through the stages up to the leaderboard: what a reader copies has to run."""

import re
from contextlib import chdir
from pathlib import Path

import polars as pl
import pytest
import yaml
from conftest import HOME, Project
from nonresponse.front import local
from nonresponse.front.campaign import Known, checked

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("examples")]

BLOCK = re.compile(r"^```(\w+)?[ ]?([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PAGES = ("formats", "tables", "shared-tasks", "logs", "keys")
RANKED = ("qa4mre", "graded-long", "graded-twice", "asked-by-run", "own-")  # by name: those with a leaderboard
PATHS = ("files", "file", "counts", "questions", "key", "na_prob", "lists", "names")


def sections() -> list[tuple[dict[str, str], list[dict]]]:
    """Of each section with examples: its files by name, and the campaigns of each of its configurations."""
    text = "\n".join((HOME / f"docs/{page}.md").read_text(encoding="utf-8") for page in PAGES)
    found = []
    for section in re.split(r"^##+ ", text, flags=re.MULTILINE):
        files, campaigns = {}, []
        for kind, names, content in BLOCK.findall(section):
            if kind == "yaml" and not names:  # the block of all keys is no campaign
                campaigns.append(yaml.safe_load(content)["campaigns"])
            else:
                assert names, f"an example that is no file:\n{content}"
                files |= dict.fromkeys(names.split(), content)
        if campaigns:
            found.append((files, campaigns))
    return found


def moved(value, folder: str, key: str = ""):
    """The configuration with all its paths in a folder."""
    if isinstance(value, dict):
        return {name: moved(part, folder, name) for name, part in value.items()}
    if isinstance(value, list) and key in PATHS:
        return [moved(part, folder, key) for part in value]
    return f"{folder}/{value}" if key in PATHS and value != "xstest" else value


def campaigns_of(folder: Path) -> dict[str, dict]:
    """All of them by name, with one measure each but for the table that has no c@1; writes their files."""
    found = {}
    for number, (files, configurations) in enumerate(sections()):
        for name, content in files.items():
            Project(folder).write(f"raw/{number}/{name}", content)
        for name, campaign in (item for campaigns in configurations for item in campaigns.items()):
            first = {"dating": "s", "matching": "s"}.get(campaign["task"], "c@1")
            first = first if campaign.get("graded", {}).get("judged", True) else "answered"
            measures = {} if name == "from-romip" else {"measures": [first]}
            found[f"{name}-{number}"] = measures | moved(campaign, f"raw/{number}")
    return found


@pytest.fixture(scope="module")
def examples(tmp_path_factory) -> tuple[Path, list[str]]:
    """A folder with their results, and their names: of single responses in this process, of counts by Snakemake."""
    folder = tmp_path_factory.mktemp("examples")
    with chdir(folder):
        campaigns = campaigns_of(folder)
        counted = {name: campaign for name, campaign in campaigns.items() if "counts" in campaign}
        project = Project(folder)
        project.configure(**counted)
        project.snakemake(*(f"results/{name}/leaderboard.csv" for name in counted))
        trust = {"analyses": ["comparison"], "samples": 100}
        for name, written in ((name, campaigns[name]) for name in campaigns.keys() - counted):
            campaign = checked(Known(name, written | {"reliability": trust}, [], []))
            ranked = (local.test_pairs, local.write_leaderboard) if name.startswith(RANKED) else ()
            for stage in (local.ingest, local.judge, local.count, local.score_all, *ranked):
                stage(campaign)
    return folder, list(campaigns)


def board(examples, start: str) -> pl.DataFrame:
    """The leaderboard of the one whose name starts so."""
    [name] = [name for name in examples[1] if name.startswith(f"{start}-")]
    return pl.read_csv(examples[0] / f"results/{name}/leaderboard.csv", infer_schema_length=None).sort("run")


def test_every_example_runs(examples):
    folder, campaigns = examples
    assert campaigns
    for name in campaigns:
        scores = [pl.read_parquet(path)["value"] for path in folder.glob(f"results/{name}/scores/*.parquet")]
        assert scores and any(values.is_not_null().any() for values in scores), name


def test_what_the_question_file_says_that_runs_were_asked(examples):
    columns = ["run", "n", "n_ac", "n_u", "n_missing", "n_asked", "n_not_asked"]
    found = board(examples, "asked-by-run").select(columns).rows()
    assert found == [("full", 2, 1, 1, 1, 3, 0), ("half", 2, 1, 1, 1, 2, 1)]


def test_romips_counts_as_a_published_table(examples):
    assert board(examples, "from-romip").select("run", "n", "romip_error", "romip_recall").rows() == [
        ("alpha", 60, pytest.approx(23 / 60), pytest.approx(31 / 50)),
        ("beta", 60, pytest.approx(23 / 60), pytest.approx(28 / 50)),
    ]


def test_clusters_are_counted(examples):
    """Of the question file, and of QA4MRE by the names of its questions; where none are named, there are none."""
    folder, _ = examples

    def clusters(example: str) -> list:
        [file] = folder.glob(f"results/{example}-*/reliability/intervals/c@1.parquet")
        return pl.read_parquet(file)["clusters"].to_list()

    assert clusters("qa4mre") == [1] and clusters("graded-long") == [None]
    found = [pl.read_parquet(file)["cluster"] for file in folder.glob("results/my-task-*/questions.parquet")]
    assert [names.to_list() for names in found if names.len() == 3] == [["first", "first", "second"]]


def test_counts_are_means_over_epochs(examples):
    assert board(examples, "graded-twice").select("n", "n_ac", "n_aw", "n_u").row(0) == (2, 1, 0.5, 0.5)


def test_tables_as_they_are(examples):
    """Numbers as verdicts, a run of each cut-off with what it withheld, and runs named by their folders."""

    def rows(example: str) -> list[tuple]:
        return board(examples, example).select("run", "n_ac", "n_aw", "n_u", "n_uw").rows()

    assert rows("own-graded") == [("m1", 1, 1, 0, 0), ("m2", 1, 1, 0, 0)]
    assert rows("own-raw") == [("sure @0.3", 1, 1, 0, 0), ("sure @0.5", 1, 0, 1, 1)]
    assert rows("own-nested") == [("m1", 1, 0, 1, 0)]
