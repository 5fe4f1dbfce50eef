"""Every example of the pages on formats, through the whole workflow: what a reader copies from there has to run."""

import re

import polars as pl
import pytest
import yaml
from conftest import HOME, Project

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("examples")]

BLOCK = re.compile(r"^```(\w+)?[ ]?([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PAGES = ("formats", "tables", "shared-tasks", "logs", "keys")
COMPARED = ("qa4mre", "graded-long", "graded-twice")
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


@pytest.fixture(scope="module")
def examples(tmp_path_factory) -> tuple[Project, list[str]]:
    """All of them in one run up to the leaderboard, with one measure each, but for the table that has no c@1."""
    project, config, asked = Project(tmp_path_factory.mktemp("examples")), {}, []
    for number, (files, configurations) in enumerate(sections()):
        for name, content in files.items():
            project.write(f"raw/{number}/{name}", content)
        for campaigns in configurations:
            for name, campaign in campaigns.items():
                first = {"dating": "s", "matching": "s"}.get(campaign["task"], "c@1")
                first = first if campaign.get("graded", {}).get("judged", True) else "answered"
                measures = {} if name == "from-romip" else {"measures": [first]}
                config[f"{name}-{number}"] = measures | moved(campaign, f"raw/{number}")
                if name in COMPARED:
                    config[f"{name}-{number}"]["reliability"] = {"analyses": ["comparison"], "samples": 100}
                last = "reliability.md" if name in COMPARED else "leaderboard.parquet"
                asked.append(f"results/{name}-{number}/{last}")
    project.configure(**config)
    project.snakemake(*asked)
    return project, list(config)


def test_every_example_runs(examples):
    project, campaigns = examples
    assert campaigns
    for name in campaigns:
        board = pl.read_parquet(project.folder / f"results/{name}/leaderboard.parquet")
        first = board.columns[5]  # rank, tied, run, trivial, behind_reject_all, and the measure that sorts
        assert board[first].is_not_null().any(), name


def test_what_the_question_file_says_that_runs_were_asked(examples):
    project, campaigns = examples
    [name] = [name for name in campaigns if name.startswith("asked-by-run")]
    board = pl.read_parquet(project.folder / f"results/{name}/leaderboard.parquet").sort("run")
    columns = ["run", "n", "n_ac", "n_u", "n_missing", "n_asked", "n_not_asked"]
    assert board.select(columns).rows() == [("full", 2, 1, 1, 1, 3, 0), ("half", 2, 1, 1, 1, 2, 1)]


def test_romips_counts_as_a_published_table(examples):
    project, campaigns = examples
    [name] = [name for name in campaigns if name.startswith("from-romip")]
    board = pl.read_parquet(project.folder / f"results/{name}/leaderboard.parquet")
    assert board.select("run", "n", "romip_error", "romip_recall").sort("run").rows() == [
        ("alpha", 60, pytest.approx(23 / 60), pytest.approx(31 / 50)),
        ("beta", 60, pytest.approx(23 / 60), pytest.approx(28 / 50)),
    ]


def test_clusters_are_counted(examples):
    """Of the question file, and of QA4MRE by the names of its questions; where none are named, there are none."""
    project, _ = examples

    def clusters(example: str) -> list:
        [file] = project.folder.glob(f"results/{example}-*/reliability/intervals/c@1.parquet")
        return pl.read_parquet(file)["clusters"].to_list()

    assert clusters("qa4mre") == [1] and clusters("graded-long") == [None]
    [page] = project.folder.glob("results/qa4mre-*/reliability.md")
    assert "The 3 questions come in 1 cluster," in page.read_text(encoding="utf-8")
    found = [pl.read_parquet(file)["cluster"] for file in project.folder.glob("results/my-task-*/questions.parquet")]
    assert [names.to_list() for names in found if names.len() == 3] == [["first", "first", "second"]]


def test_counts_are_means_over_epochs(examples):
    project, _ = examples
    [file] = project.folder.glob("results/graded-twice-*/leaderboard.parquet")
    assert pl.read_parquet(file).select("n", "n_ac", "n_aw", "n_u").row(0) == (2, 1, 0.5, 0.5)
    [page] = project.folder.glob("results/graded-twice-*/reliability.md")
    assert "Questions were asked several times (2 on average), and " in page.read_text(encoding="utf-8")


def test_tables_as_they_are(examples):
    """Numbers as verdicts, a run of each cut-off with what it withheld, and runs named by their folders."""
    project, _ = examples

    def boards(example: str) -> list[tuple]:
        [file] = project.folder.glob(f"results/{example}-*/leaderboard.parquet")
        return pl.read_parquet(file).select("run", "n_ac", "n_aw", "n_u", "n_uw").sort("run").rows()

    assert boards("own-graded") == [("m1", 1, 1, 0, 0), ("m2", 1, 1, 0, 0)]
    assert boards("own-raw") == [("sure @0.3", 1, 1, 0, 0), ("sure @0.5", 1, 0, 1, 1)]
    assert boards("own-nested") == [("m1", 1, 0, 1, 0)]
