"""The benchmarks run; what they measure is for people to read (`make bench`)."""

import json
import subprocess
import sys

import benchmark_peers
import numpy as np
import pytest
from conftest import HOME


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "name", "runs", "questions", "number"),
    [("benchmark", "stages", 8, 20, 1), ("benchmark_kernels", "kernels", 20, 600, 8)],
)
def test_a_benchmark_runs(tmp_path, script, name, runs, questions, number):
    command = [sys.executable, HOME / f"tools/benchmarks/{script}.py", "--into", tmp_path]
    command += ["--runs", str(runs), "--questions", str(questions), "--rounds", "1"]
    assert subprocess.run(command).returncode == 0
    result = json.loads((tmp_path / f"{name}.json").read_text())
    assert not result["complete"] and len(result["load"]) == 2 and len(result["rows"]) == number
    for row in result["rows"]:
        assert row["ratio"] > 0 and row["ours"] > 0
        assert name == "kernels" or (row["gb"] > 0.01 < row["gb_theirs"] and row["wall"] > 0)


def test_an_answer_that_differs_is_no_answer():
    answers = np.array([0.25, 0.5])
    assert benchmark_peers.equal(answers, answers + 1e-10, 40, 500)[0]
    assert not benchmark_peers.equal(answers, answers + 1e-8, 40, 500)[0]
    assert benchmark_peers.equal_ends(answers, answers + 0.05, 40, 500)[0]
    assert not benchmark_peers.equal_ends(answers, answers + 0.2, 40, 500)[0]
