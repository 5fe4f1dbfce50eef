"""The benchmark runs; what it measures is for people to read (`make bench`)."""

import subprocess
import sys

import pytest
from conftest import HOME

pytestmark = pytest.mark.slow

BENCHMARKS = HOME / "tests/benchmarks"


def test_the_benchmark_runs_on_a_small_campaign():
    command = [
        sys.executable,
        str(BENCHMARKS / "benchmark.py"),
        "--runs",
        "8",
        "--questions",
        "20",
        "--repeat",
        "1",
    ]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.count(" times ") == 3 and "8 runs x 20 questions = 160 responses" in run.stdout


def test_the_benchmark_of_reliability_runs():
    command = [
        sys.executable,
        str(BENCHMARKS / "benchmark_reliability.py"),
        "--only",
        "small",
        "--repeat",
        "1",
    ]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "times faster than plain loops" in run.stdout and run.stdout.count("all imports of") == 4


def test_the_benchmark_of_the_workflow_runs():
    command = [sys.executable, str(BENCHMARKS / "benchmark_workflow.py"), "--only", "large"]
    run = subprocess.run([*command, "--runs", "20", "--questions", "100"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "times the same calls in one process" in run.stdout and "none of which reads runs" in run.stdout
