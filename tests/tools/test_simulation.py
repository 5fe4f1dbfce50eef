"""The simulated campaigns: the same bytes again, in files that are read without faults, near the
papers' figures."""

import subprocess
import sys
from collections import Counter
from math import exp, pi
from pathlib import Path

import numpy as np
import pytest
import reading
from conftest import HOME
from simulated import RESOURCES, RESPUBLIQA, TREC
from simulation import campaign, dating, facts, facts_deft, matching, respubliqa, shipped, trec

DATING, MATCHING = (RESOURCES / f"deft-2011-{task}-simulated" for task in ("dating", "matching"))
# A campaign's folder, format, task, number of runs, and its files at another size.
CAMPAIGNS = {
    "respubliqa": (
        RESPUBLIQA,
        "clef-respubliqa",
        "qa",
        44,
        lambda *size: respubliqa.files(*size, named={}),
    ),
    "trec": (TREC, "trec-qa", "qa", 60, trec.files),
    "dating": (DATING, "deft", "dating", 14, dating.files),
    "matching": (MATCHING, "deft", "matching", 12, matching.files),
}
# Voorhees 2003, sections 2 and 3: what the parameters were chosen for, and how near they have to
# come.
OF_TREC = {
    "distinct response pairs judged by three assessors": pytest.approx(15948, rel=0.05),
    "pairs with some disagreement": pytest.approx(1886, rel=0.1),
    "pairs that at least one assessor did not call wrong": pytest.approx(3725, rel=0.05),
    "their share of the disagreements": pytest.approx(33.3, abs=5),
    "mean tau with the adjudicated ranking (cws)": pytest.approx(0.930, abs=0.02),
    "mean tau with the adjudicated ranking (number correct)": pytest.approx(0.945, abs=0.02),
    "swaps (cws)": pytest.approx(177, abs=30),
    "of those with a difference of at least 0.05": pytest.approx(0, abs=8),
    "of those with a difference of at least 0.07": 0,
}


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def table(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text().splitlines()]


def simulate(*arguments) -> subprocess.CompletedProcess:
    command = [sys.executable, HOME / "tools/simulate.py", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=HOME)


@pytest.mark.slow
def test_same_bytes_again(tmp_path):
    assert simulate("shipped", "--into", tmp_path).returncode == 0
    assert {path.name for path in tmp_path.iterdir()} == {
        path.name for path in RESOURCES.glob("*-simulated")
    }
    for name in shipped.campaigns():
        assert files_of(tmp_path / name) == files_of(RESOURCES / name)
        readme = (RESOURCES / name / "README.md").read_text()
        assert "no system gave these answers" in readme.lower()


@pytest.mark.slow
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_shipped_files_and_those_of_another_size_are_read_without_faults(tmp_path, name):
    folder, format, task, count, files = CAMPAIGNS[name]
    shipped.write_files(files(7, 83, 5), tmp_path)
    for place, number in ((folder, count), (tmp_path, 7)):
        paths = sorted(place.glob("runs/*"))
        assert len(paths) == number
        for path in paths:
            frame, faults = reading.runs(format, str(path), task)
            assert faults == [] and frame.height > 0
    for path in [*folder.glob("judgments/*"), *folder.glob("references/*")]:
        frame, faults = reading.judgments(format, str(path), task)
        assert faults == [] and frame.height > 0


def test_documented():
    """docs/simulation.md shows what `simulate.py facts` prints."""
    page = (HOME / "docs/simulation.md").read_text()
    shown = [
        facts.markdown(facts.respubliqa_facts(RESPUBLIQA)),
        facts.markdown(facts.trec_facts(TREC)),
    ]
    shown.append(f"The seed is {shipped.SEED}.")
    assert [text for text in shown if text not in page] == []


@pytest.mark.parametrize(
    ("run", "counts"),
    # Peñas & Rodrigo 2011, table 3
    [
        ("icia091ro", (237, 156, 107)),
        ("uaic092ro", (236, 264, 0)),
        ("loga092de", (187, 230, 83)),
        ("base092de", (189, 311, 0)),
    ],
)
def test_published_counts(run, counts):
    judged = {tuple(row[:3]): row[3] for row in table(RESPUBLIQA / "judgments/official.tsv")}
    responses = (row[:3] for row in table(RESPUBLIQA / f"runs/{run}.tsv")[1:])
    counted = Counter(
        "U" if status == "NOA" else judged[run, q, paragraph] for q, status, paragraph in responses
    )
    assert (counted["R"], counted["W"], counted["U"]) == counts


def test_respubliqa_is_like_the_real_one():
    """Peñas & Rodrigo 2011, table 2: required differences within 0.02, sensitivities within 6
    points."""
    _, outcomes, _ = facts.respubliqa_outcomes(RESPUBLIQA)
    scores = {measure: value / whole for measure, (value, whole) in facts.scores(outcomes).items()}
    assert np.argmax(scores["c@1"]) != np.argmax(scores["accuracy"])
    published = {
        "uf": (0.17, 0.48, 0.593),
        "c@1": (0.09, 0.77, 0.584),
        "accuracy": (0.09, 0.68, 0.55),
    }
    for measure, found in facts.sensitivity(outcomes).items():
        assert found == pytest.approx(published[measure], abs=0.08)
        assert found[0] == pytest.approx(published[measure][0], abs=0.02)
        assert found[2] == pytest.approx(published[measure][2], abs=0.06)


def test_trec_is_like_the_real_one():
    """Nothing is called published that the text does not hold."""
    found = facts.trec_facts(TREC)
    achieved = {fact.name: fact.achieved for fact in found}
    assert {name: float(achieved[name].rstrip("%")) for name in OF_TREC} == OF_TREC
    assert set(achieved["most frequent disagreements"].split(", ")) == {"RRX", "RXX"}
    rows = (HOME / "resources/published/voorhees-2003-facts.csv").read_text().splitlines()[1:]
    held = {float(line.rsplit(",", 1)[1]) for line in rows}
    assert {
        float(fact.published) for fact in found if fact.published not in ("", "RRX, RXX", "a third")
    } <= held


def test_facts_of_a_small_campaign(tmp_path):
    """Counted by hand: among equals the first counts; an empty line is no answer, and neither is a
    missing one."""
    references = "question\tyear\nf1\t1850\nf2\t1900\nf3\t1920\nf4\t1930\n"
    one = "question\tyear\tconfidence\nf1\t1853\t0.5\nf1\t1850\t0.5\nf2\t1880\t0.25\nf2\t1890\t0.75\nf3\t\t\n"
    other = "question\tyear\nf1\t1850\nf2\t\n"
    reading.write(tmp_path, "references/reference.tsv", references)
    reading.write(tmp_path, "runs/one.tsv", one)
    reading.write(tmp_path, "runs/other.tsv", other)
    three, ten, twenty = (exp(-pi / 100 * d * d) for d in (3, 10, 20))
    s, s_c = (three + ten) / 4, (0.5 * three + 0.5 + 0.25 * twenty + 0.75 * ten) / 4
    assert facts_deft.dating_rows(tmp_path) == [
        ["other.tsv", "1", "25.0%", "0.0%", "0.0%", "0.0%", "75.0%", "2", "0.2500", "0.2500"],
        ["one.tsv", "2", "0.0%", "25.0%", "25.0%", "0.0%", "50.0%", "1", f"{s:.4f}", f"{s_c:.4f}"],
    ]


def test_a_campaign_for_benchmarks(tmp_path):
    """Of any size, the same for the same seed, into an empty folder only."""
    into = tmp_path / "campaign"
    assert (
        simulate(
            "campaign", "--runs", 20, "--questions", 300, "--seed", 7, "--into", into
        ).returncode
        == 0
    )
    judged, faults = reading.judgments("tabular", str(into / "judgments/official.tsv"))
    assert faults == [] and set(judged["label"]) == {"R", "W"}
    frames = [reading.runs("tabular", str(path))[0] for path in sorted(into.glob("runs/*.tsv"))]
    assert len(frames) == 20 and {frame.height for frame in frames} == {300}
    campaign.write_campaign(tmp_path / "again", 20, 300, 7)
    assert files_of(tmp_path / "again") == files_of(into)
    done = simulate("campaign", "--runs", 2, "--questions", 10, "--into", into)
    assert done.returncode == 2 and "--into" in done.stderr
