"""The benchmark runs; what it measures is for people to read (`make bench`)."""

import json
import subprocess
import sys
from pathlib import Path

import benchmark_peers
import numpy as np
import pytest
from conftest import HOME


def rows(folder: Path, name: str) -> list[dict]:
    result = json.loads((folder / f"{name}.json").read_text())
    assert not result["complete"] and len(result["load"]) == 2
    assert all(row["ratio"] > 0 and row["ours"] > 0 for row in result["rows"])
    assert result["rows"]
    return result["rows"]


def run_benchmark(name: str, folder: Path, runs: int, questions: int) -> None:
    script = str(HOME / f"tools/benchmarks/{name}.py")
    size = ["--runs", str(runs), "--questions", str(questions), "--rounds", "1"]
    assert subprocess.run([sys.executable, script, *size, "--into", folder]).returncode == 0


@pytest.mark.slow
def test_the_counts_are_those_of_the_floor(tmp_path):
    run_benchmark("benchmark", tmp_path, 8, 20)
    [row] = rows(tmp_path, "stages")
    assert row["gb"] > 0.01 < row["gb_theirs"] and row["wall"] > 0 < row["jobs"][0]


@pytest.mark.slow
def test_every_kernel_is_timed(tmp_path):
    run_benchmark("benchmark_kernels", tmp_path, 20, 600)
    assert len(rows(tmp_path, "kernels")) == 8


def test_an_answer_that_differs_is_no_answer():
    answers = np.array([0.25, 0.5])
    assert benchmark_peers.equal(answers, answers + 1e-10, 40, 500)[0]
    assert not benchmark_peers.equal(answers, answers + 1e-8, 40, 500)[0]
    assert benchmark_peers.equal_ends(answers, answers + 0.05, 40, 500)[0]
    assert not benchmark_peers.equal_ends(answers, answers + 0.2, 40, 500)[0]
