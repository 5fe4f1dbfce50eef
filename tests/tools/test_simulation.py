"""Simulated campaigns are the same again; docs/validation.md has every kind of measure."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from conftest import HOME
from nonresponse import measures, tasks
from simulation import respubliqa, seeds, shipped
from validation import comparison, scores

RESOURCES, SIMULATION = HOME / "resources", HOME / "resources/simulation"


def read_files(folder: Path) -> dict[str, bytes]:
    paths = filter(Path.is_file, folder.rglob("*"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@pytest.mark.slow
def test_same_bytes_again(tmp_path):
    command = [sys.executable, HOME / "tools/simulate.py", "shipped", "--into", tmp_path]
    assert subprocess.run(command, cwd=HOME).returncode == 0
    assert {path.name for path in tmp_path.iterdir()} == {*shipped.DETAILS}
    for folder in tmp_path.iterdir():
        assert read_files(folder) == read_files(RESOURCES / folder.name)
        assert "no system gave these answers" in (folder / "README.md").read_text().lower()


def test_the_published_counts_of_four_runs():
    """Peñas & Rodrigo 2011, table 3."""
    folder = RESOURCES / "respubliqa-2009-simulated"

    def table(name: str) -> list[list[str]]:
        return [line.split("\t") for line in (folder / name).read_text().splitlines()]

    judgments = {tuple(row[:3]): row[3] for row in table("judgments/official.tsv")}
    for run, (right, wrong, unanswered) in respubliqa.PUBLISHED.items():
        counts = Counter(
            "U" if status == "NOA" else judgments[run, question, paragraph]
            for question, status, paragraph, *_ in table(f"runs/{run}.tsv")[1:]
        )
        assert (counts["R"], counts["W"], counts["U"]) == (right, wrong, unanswered)


@pytest.mark.slow
@pytest.mark.parametrize("name", seeds.FIGURES)
def test_a_seed_gives_its_row_again(name):
    [copies] = pl.read_csv(SIMULATION / f"{name}.csv").filter(seed=shipped.SEED + 37).to_dicts()
    assert seeds.make_row(name, shipped.SEED + 37) == copies


def test_there_is_a_row_for_each_of_a_hundred_seeds():
    for name in seeds.FIGURES:
        rows = pl.read_csv(SIMULATION / f"{name}.csv")
        assert rows["seed"].to_list() == list(range(shipped.SEED, shipped.SEED + 100))
        assert rows.drop("seed").unique().height == 100


KINDS = {
    scores.describe_kind(measure): measure.id
    for task in tasks.NAMES
    for measure in measures.load_measures(task).values()
}


@pytest.mark.parametrize("kind", KINDS, ids=KINDS.get)
def test_every_kind_of_measure_is_simulated(kind):
    """Add a new kind to SHAPES of comparison.py and ROWS of scores.py; run `make validation`."""
    assert {20, 50, 200} <= {
        world.questions for world in comparison.WORLDS if scores.describe_kind(world.record) == kind
    }
    assert kind in {
        scores.describe_kind(source.measure) for group in scores.ROWS.values() for source in group
    }
