"""Simulated campaigns: the same bytes again, no faults, and the figures of 100 draws."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
import reading
from conftest import HOME
from simulation import dating, matching, respubliqa, seeds, shipped, trec

RESOURCES, SIMULATION = HOME / "resources", HOME / "resources/simulation"
# Of each shipped campaign its format, task, number of runs, and its files at another size.
CAMPAIGNS = {
    "respubliqa-2009": ("clef-respubliqa", "qa", 44, lambda *n: respubliqa.files(*n, published={})),
    "trec-2002": ("trec-qa", "qa", 60, trec.files),
    "deft-2011-dating": ("deft", "dating", 14, dating.files),
    "deft-2011-matching": ("deft", "matching", 12, matching.files),
}


def read_files(folder: Path) -> dict[str, bytes]:
    paths = filter(Path.is_file, folder.rglob("*"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def simulate(*arguments) -> subprocess.CompletedProcess:
    command = [sys.executable, HOME / "tools/simulate.py", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=HOME)


@pytest.mark.slow
def test_same_bytes_again(tmp_path):
    assert simulate("shipped", "--into", tmp_path).returncode == 0
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}-simulated" for name in CAMPAIGNS}
    for folder in tmp_path.iterdir():
        assert read_files(folder) == read_files(RESOURCES / folder.name)
        assert "no system gave these answers" in (folder / "README.md").read_text().lower()


@pytest.mark.slow
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_shipped_files_and_those_of_another_size_are_read_without_faults(tmp_path, name):
    format, task, count, files = CAMPAIGNS[name]
    folder = RESOURCES / f"{name}-simulated"
    shipped.write_files(files(7, 83, 5), tmp_path)
    for runs, number in ((folder, count), (tmp_path, 7)):
        paths = sorted(runs.glob("runs/*"))
        assert len(paths) == number
        for path in paths[::5]:
            frame, faults = reading.runs(format, str(path), task)
            assert faults == [] and frame.height > 0
    for path in [*folder.glob("judgments/*"), *folder.glob("references/*")]:
        frame, faults = reading.judgments(format, str(path), task)
        assert faults == [] and frame.height > 0


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
