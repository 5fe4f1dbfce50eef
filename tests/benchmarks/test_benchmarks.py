"""The benchmark runs; what it measures is for people to read (`make bench`)."""

import subprocess
import sys

import pytest
from conftest import HOME

pytestmark = pytest.mark.slow

BENCHMARKS = HOME / "tests/benchmarks"


def printed(benchmark: str, *options: str) -> str:
    run = subprocess.run([sys.executable, str(BENCHMARKS / benchmark), *options], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_the_benchmark_runs_on_a_small_campaign():
    said = printed("benchmark.py", "--runs", "8", "--questions", "20", "--repeat", "1")
    assert said.count(" times ") == 3 and "8 runs x 20 questions = 160 responses" in said


def test_the_benchmark_of_reliability_runs():
    said = printed("benchmark_reliability.py", "--only", "small", "--repeat", "1")
    assert "times faster than plain loops" in said and said.count("all imports of") == 4


def test_the_benchmark_of_the_workflow_runs():
    said = printed("benchmark_workflow.py", "--only", "large", "--runs", "20", "--questions", "100")
    assert "times the same calls in one process" in said and "none of which reads runs" in said
