"""The benchmark runs; what it measures is for people to read (`make bench`)."""

import json
import subprocess
import sys
from pathlib import Path

import benchmark_peers
import benchmark_workflow
import growth
import measured
import numpy as np
import page
import pytest
import rendered
from conftest import HOME


def rows(folder: Path, name: str) -> list[dict]:
    found = json.loads((folder / f"{name}.json").read_text())
    assert not found["complete"] and len(found["load"]) == 2
    assert all(row["ratio"] > 0 and row["ours"] > 0 for row in found["rows"])
    assert found["rows"]
    return found["rows"]


@pytest.mark.slow
def test_the_counts_are_those_of_the_floor(tmp_path):
    script = str(HOME / "tests/benchmarks/benchmark.py")
    size = ["--runs", "8", "--questions", "20", "--rounds", "1"]
    run = subprocess.run([sys.executable, script, *size, "--into", tmp_path])
    assert run.returncode == 0
    [row] = rows(tmp_path, "stages")
    assert row["gb"] > 0.01 < row["gb_theirs"] and row["wall"] > 0 < row["jobs"][0]


def test_changes_change_what_they_say(tmp_path):
    head, judged = "question\tanswer\tconfidence\n", tmp_path / "judgments/j.tsv"
    for name, text in {
        "runs/b.tsv": f"{head}q1\tx\t0.5\nq2\ty\t1\n",
        "runs/c.tsv": f"{head}q1\tx\t0.5\nq2\tz\t1\n",
        "judgments/j.tsv": "question\tanswer\tlabel\nq1\tx\tR\nq2\ty\tR\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    for share, runs, labels in ((1.9, 2, "WR"), (1, 1, "WW")):
        assert benchmark_workflow.turn_one_judgment(tmp_path, share) == runs
        assert [line[-1] for line in judged.read_text().splitlines()[1:]] == [*labels]
    benchmark_workflow.add_a_run(tmp_path)
    assert (tmp_path / "runs/added.tsv").read_text() == f"{head}q1\t\t0.5\nq2\ty\t1\n"


def test_an_answer_that_differs_is_no_answer():
    found = np.array([0.25, 0.5])
    assert benchmark_peers.equal(found, found + 1e-10, 40, 500)[0]
    assert not benchmark_peers.equal(found, found + 1e-8, 40, 500)[0]
    assert benchmark_peers.same_ends(found, found + 0.05, 40, 500)[0]
    assert not benchmark_peers.same_ends(found, found + 0.2, 40, 500)[0]


def test_the_pages_are_what_was_measured():
    text = "run python tests/benchmarks/page.py"
    assert (page.DOCS / "performance.md").read_text() == page.page(measured.FOLDER), text
    other = (page.DOCS / "cluster.md").read_text()
    assert other == page.cluster(measured.FOLDER, other), text


@pytest.mark.parametrize("power", [0.5, 1, 2])
def test_a_power_is_found_again_beside_the_start_and_noise(power):
    sizes = np.array([50, 100, 200, 400])
    noise = np.random.default_rng(1).normal(0, 0.03, (200, 4))
    cost = 2 * (sizes / 400) ** power
    found = [growth.exponent(sizes, cost + one, 0.5) for one in noise]
    assert np.abs(np.array(found) - power).max() < growth.TOLERANCE
    assert growth.exponent(sizes, [-0.01, 0.02, 0.1, 0.49], 0.5) is None
    assert growth.exponent(sizes, [-0.01, -0.02, -0.1, 0.7], 0.5) is None


def test_what_grows_faster_than_documented_is_named():
    """`count` and `trials`, of two jobs, grow as runs²; only the latter may."""
    start = {name: {"jobs": 1, "seconds": 0.5, "bytes": 1e8} for name in ("count", "trials")}
    costs = []
    for some in (2 * (size / 400) ** 2 for size in (50, 100, 200, 400)):
        cost = {"jobs": 2, "seconds": 1 + some, "bytes": 1e8 + 1e9 * some}
        costs.append(dict.fromkeys(start, cost))
    rows = growth.fit(costs, start, [50, 100, 200, 400], "runs")
    text = growth.sentence(rows)
    assert "the time of `count` with runs^2.0; the memory of `count` with runs^2.0." in text
    assert "trials" not in text
    base = {"runs": 100, "questions": 1000, "samples": 1000}
    assert "| `count` | 2.0 (1) | 2.0 (1) |" in growth.section({"base": base, "rows": rows})


def test_a_billion_answers_are_computed_from_powers_of_questions():
    """1,000 × 1,000 were tried: a hundred times the questions."""
    rows = [
        {"stage": stage, "axis": axis, "documented": bound, "start": {"seconds": 1, "bytes": 1e9}}
        | {"seconds_exponent": seen, "bytes_exponent": seen}
        for stage, axis, bound, seen in (
            ("judge", "runs", 2, 1.5),
            ("judge", "questions", 1, 0.5),
            ("ingest runs", "questions", 1, None),
        )
    ]
    stages = {
        "judge": {"jobs": 1, "seconds": 3.0, "bytes": 2e9},
        "ingest runs": {"jobs": 4, "seconds": 6.0, "bytes": 2e9},
        "count": {"jobs": 1, "seconds": 2.0, "bytes": 1e8},
    }
    large = {"runs": 1000, "questions": 1000, "shards": 4}
    judge, ingest, count = (growth.grown(name, stages[name], large, rows) for name in stages)
    assert judge["jobs"] == 1 and judge["seconds"] == pytest.approx([1 + 2 * 10, 1 + 2 * 100])
    assert judge["gb"] == pytest.approx([1 + 10, 1 + 100])
    assert ingest["jobs"] == 20 and ingest["seconds"] == pytest.approx([20 + 2 * 100] * 2)
    # Answers in a shard, then and now
    assert ingest["gb"] == pytest.approx([1 + 5_000_000 / 250_000] * 2)
    assert count["seconds"] == pytest.approx([200, 200])
    about = {"measures": ["c@1"], "seconds": 11.0, "wall": 90.0, "gb": 2.0, "stages": stages}
    text = " ".join(growth.tried(large | about, {"rows": rows}).split())
    assert "1.5 minutes" in text and "A billion: 22 jobs, 0.12 – 0.17 hours" in text
    assert (
        "| `judge` | 1 | 3.0 | 2.0 | 21 – 200 | 11 – 100 |".replace("201", "200").replace(
            "101", "100"
        )
        in text
    )


def test_numbers_on_the_page_have_two_digits():
    rounded = {0.0123: "0.012", 0.099: "0.099", 1: "1.0", 9.96: "10", 99.7: "100", 5432: "5,400"}
    assert {value: rendered.short(value) for value in rounded} == rounded
