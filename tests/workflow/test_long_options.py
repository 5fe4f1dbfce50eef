"""Titles, names and phrases of any length: what a job must know reaches it as a file, since arguments have a limit."""

import json
import shlex

import polars as pl
import pytest
import yaml
from conftest import RUNS, SMALL, TINY, Project, tiny_campaign

pytestmark = pytest.mark.slow
ARGUMENT = 131_072  # bytes that Linux lets one have


def long_campaign(project: Project) -> None:
    """One with a title, names, phrases and attributes that take more than an argument may."""
    tiny_campaign(project)
    phrases = [f'{number}: i\'d "rather" not $say ü' for number in range(900)]
    project.write("phrases.yaml", yaml.safe_dump({"prefixes": phrases}, allow_unicode=True))
    others = "".join(f"other-{number},,{'ü' * 100}\n" for number in range(2000))
    own = "".join(f"{run},{run} of ours,{size}\n" for size, run in enumerate(RUNS))
    project.write("names.csv", f"run,name,size\n{own}{others}")
    runs = TINY["runs"] | {"refusals": {"lists": ["phrases.yaml"]}}
    long = TINY | SMALL | {"title": "An 'ü' " * 12_000, "names": "names.csv", "runs": runs}
    project.configure(long=long)


def test_titles_names_and_phrases_longer_than_an_argument(project):
    long_campaign(project)
    phrase = '899: i\'d "rather" not $say ü'
    project.write("raw/runs/alpha.tsv", RUNS["alpha"].replace("q4\tBonn", f"q4\t{phrase}, if I may"))
    project.snakemake()
    board = pl.read_csv(project.folder / "results/long/leaderboard.csv")
    assert dict(board.select("run", "size").iter_rows()) == {f"{run} of ours": size for size, run in enumerate(RUNS)}
    assert pl.read_csv(project.folder / "results/long/audit.csv")["phrase"].to_list() == [phrase]
    assert len(shlex.quote(json.dumps(yaml.safe_load((project.folder / "config.yaml").read_text())))) > 2 * ARGUMENT
