"""The benchmark runs; what it measures is for people to read (`make bench`)."""

import json
import subprocess
import sys
from pathlib import Path

import benchmark_peers
import benchmark_workflow
import loaded_jobs
import measured
import numpy as np
import page
import pytest
import slower
from conftest import HOME

pytestmark = pytest.mark.slow

BENCHMARKS = HOME / "tests/benchmarks"


def printed(benchmark: str, *options: str) -> str:
    run = subprocess.run([sys.executable, str(BENCHMARKS / benchmark), *options], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_the_benchmark_runs_on_a_small_campaign(tmp_path):
    said = printed("benchmark.py", "--runs", "8", "--questions", "20", "--repeat", "1", "--into", str(tmp_path))
    ratios = slower.ratios(json.loads((tmp_path / "stages.json").read_text()))
    assert said.count(" times ") == len(ratios) > 0 and "8 runs x 20 questions = 160 responses" in said


def test_the_benchmark_of_files_runs(tmp_path):
    said = printed("benchmark_files.py", "--share", "0.002", "--repeat", "1", "--into", str(tmp_path))
    assert "times one file of the same lines" in said and "a million questions of one run" in said
    assert slower.ratios(json.loads((tmp_path / "stages.json").read_text()))


def test_the_benchmark_of_logs_runs(tmp_path):
    said = printed("benchmark_logs.py", "--share", "0.001", "--repeat", "1", "--into", str(tmp_path))
    ratios = slower.ratios(json.loads((tmp_path / "stages.json").read_text()))
    assert said.count(" times a loop of json.loads") == len(ratios) > 0 and "lm-eval, 252 samples" in said


def test_the_benchmark_of_reliability_runs(tmp_path):
    said = printed("benchmark_reliability.py", "--only", "small", "--repeat", "1", "--into", str(tmp_path))
    [ratio] = slower.ratios(json.loads((tmp_path / "stages.json").read_text())).values()
    assert ratio < 0.1
    assert "times faster than plain loops" in said and said.count("all imports of") == 4


def test_the_benchmark_of_the_workflow_runs(tmp_path, monkeypatch, capsys):
    """With fewer jobs; they fork from a process that has their libraries, as in other tests."""
    for name, value in loaded_jobs.environment().items():
        monkeypatch.setenv(name, value)
    for name, fewer in {"MEASURES": ["c@1", "cws"], "ANALYSES": ["swap"], "SHARDS": 1}.items():
        monkeypatch.setattr(benchmark_workflow, name, fewer)
    benchmark_workflow.main(["large"], 20, 100, tmp_path)
    said = capsys.readouterr().out
    assert slower.ratios(json.loads((tmp_path / "stages.json").read_text()))
    assert "times the same calls in one process" in said and "none of which reads runs" in said


def test_peers_have_our_answers(tmp_path, monkeypatch, capsys):
    """Those that are installed for other tests, and the loops; `make bench-peers` has all.

    A whole process is timed once for each module of functions: the first processes have computed all answers.
    """
    names = ["SciPy", "scikit-learn", "loops of RankingEvaluation"]
    whole, of_module = benchmark_peers.whole, {}
    monkeypatch.setattr(
        benchmark_peers, "whole", lambda line: of_module.get(line[4]) or of_module.setdefault(line[4], whole(line))
    )
    benchmark_peers.main(Path(sys.executable), tmp_path, [6], [40], names, 500, 1)
    assert of_module.keys() == {"ours", "scores", "samples", "loops"}
    said = capsys.readouterr().out
    assert said.count(" times our time as a process") == 6 and said.count("(equal)") == 4
    printed("page.py", "--folder", str(tmp_path), "--output", str(tmp_path / "page.md"))
    page = (tmp_path / "page.md").read_text()
    assert "A trial" in page and all(page.count(f"| {name}") for name in names)


def test_an_answer_that_differs_is_no_answer():
    found = np.array([0.25, 0.5])
    assert benchmark_peers.equal(found, found + 1e-10, 40, 500)[0]
    assert not benchmark_peers.equal(found, found + 1e-8, 40, 500)[0]
    assert benchmark_peers.same_p(found, found + 0.1, 40, 500)[0]  # an error of 0.03
    assert not benchmark_peers.same_p(found, found + 0.2, 40, 500)[0]
    assert benchmark_peers.same_ends(found, found + 0.05, 40, 500)[0]
    assert not benchmark_peers.same_ends(found, found + 0.2, 40, 500)[0]


def test_the_page_is_what_was_measured():
    assert page.PAGE.read_text() == page.page(measured.FOLDER), "run python tests/benchmarks/page.py"


def test_numbers_on_the_page_have_two_digits():
    shown = {0.0123: "0.012", 0.099: "0.099", 1: "1.0", 9.96: "10", 12.3: "12", 99.7: "100", 5432: "5,400"}
    assert {value: page.short(value) for value in shown} == shown


def test_what_has_become_slower_is_named(tmp_path, monkeypatch, capsys):
    """Beside the last commit, whatever is in the working folder; ratios that nobody measured before are no faults."""
    monkeypatch.setattr(measured, "HOME", tmp_path)
    monkeypatch.setattr(measured, "FOLDER", tmp_path / "measured")
    row = {"what": "tau", "runs": 44, "questions": 500, "peer": "SciPy"}

    def keep(ratios: dict, times_ours: float) -> None:
        of_peer = row | {kind: {"ratio": times_ours} for kind in ("calls", "process")}
        measured.FOLDER.mkdir(exist_ok=True)
        (measured.FOLDER / "stages.json").write_text(json.dumps({"ratios": ratios}))
        (measured.FOLDER / "peers.json").write_text(json.dumps({"rows": [of_peer]}))

    def checked() -> tuple[int, list[str]]:
        with pytest.raises(SystemExit) as end:
            slower.main(measured.FOLDER)
        return end.value.code, capsys.readouterr().out.splitlines()

    keep({"judging": 2.0, "reading": 1.0}, 4.0)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    assert checked()[0] == 1  # nothing is committed
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    author = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *author, "commit", "-qm", "measured"], cwd=tmp_path, check=True)
    keep({"judging": 2.5, "reading": 1.2, "scoring": 9.0}, 3.2)
    code, said = checked()
    assert code == 0 and said[0].startswith("4 ratios compared with the last commit, 0 more") and "scoring" in said[1]
    keep({"judging": 2.7, "reading": 0.1}, 2.0)
    code, said = checked()
    assert code == 1 and said[0].startswith("2.00 times slower: tau, 44 x 500, beside SciPy")
    assert said[2].startswith("1.35 times slower: judging (2 -> 2.7)") and "3 more than 1.3" in said[3]
