"""The simulated campaigns: the same bytes again, in readable files, near the figures of the papers.

Those of DEFT 2011 have a file of their own, test_simulation_deft.py.
"""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import reading
from conftest import HOME
from simulated import RESOURCES, RESPUBLIQA, TREC
from simulation import assessors, campaign, facts, model, respubliqa, shipped, trec

CAMPAIGNS = [RESPUBLIQA, TREC]
# Voorhees 2003, section 2: what the parameters were chosen for, and how near they have to come.
POOL = {
    "distinct response pairs judged by three assessors": (15948, 0.05),
    "pairs with some disagreement": (1886, 0.10),
    "pairs that at least one assessor did not call wrong": (3725, 0.05),
}


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def table(path: Path, separator: str = "\t", fields: int = 4) -> list[list[str]]:
    return [line.split(separator, fields - 1) for line in path.read_text().splitlines()]


def achieved(found: list[facts.Fact]) -> dict[str, str]:
    return {fact.name: fact.achieved for fact in found}


def rows_of(name: str) -> list[list[str]]:
    """The rows of a published table, without its header."""
    return [line.rsplit(",", 1) for line in (HOME / "resources/published" / name).read_text().splitlines()[1:]]


def simulate(*arguments) -> subprocess.CompletedProcess:
    command = [sys.executable, HOME / "tools/simulate.py", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=HOME)


@pytest.fixture(scope="module")
def pool() -> dict[str, dict[tuple, str]]:
    """Per assessor, TREC's numeric label of each (question, document, answer)."""
    return {path.stem: {(q, d, a): j for q, d, j, a in table(path, " ")} for path in TREC.glob("judgments/*.txt")}


# The files


@pytest.mark.slow
def test_same_bytes_again(tmp_path):
    assert simulate("shipped", "--into", tmp_path).returncode == 0
    assert [path.name for path in CAMPAIGNS] == list(shipped.campaigns())[:2]
    for name in shipped.campaigns():
        assert files_of(tmp_path / name) == files_of(RESOURCES / name)
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in RESOURCES.glob("*-simulated")}


@pytest.mark.parametrize("folder", CAMPAIGNS, ids=lambda folder: folder.name)
def test_small_plain_text(folder):
    files = files_of(folder)
    assert sum(map(len, files.values())) < 3_000_000
    assert max(map(len, files.values())) < 2**20
    assert "no system gave these answers" in files["README.md"].decode().lower()
    for name, content in files.items():
        text = content.decode("ascii") if name != "README.md" else content.decode()
        assert "\r" not in text and '"' not in text and text.endswith("\n") and not text.endswith("\n\n"), name
        assert name == "README.md" or "  " not in text, name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("folder", "format", "count"),
    [(RESPUBLIQA, "clef-respubliqa", 44), (TREC, "trec-qa", 60)],
    ids=["respubliqa", "trec"],
)
def test_readable_without_faults(folder, format, count):
    paths = sorted(folder.glob("runs/*"))
    assert len(paths) == count
    for path in paths:
        frame, faults = reading.runs(format, str(path))
        assert faults == [] and frame.height == 500 and frame["run"].unique().to_list() == [path.stem]
    for path in folder.glob("judgments/*"):
        frame, faults = reading.judgments(format, str(path))
        assert faults == [] and frame.height == len(path.read_text().splitlines()) - (folder == RESPUBLIQA)


def test_documented():
    """docs/simulation.md shows what `simulate.py facts` prints."""
    page = (HOME / "docs/simulation.md").read_text()
    assert facts.markdown(facts.respubliqa_facts(RESPUBLIQA)) in page
    assert facts.markdown(facts.trec_facts(TREC)) in page
    assert f"The seed is {shipped.SEED}." in page


def test_nothing_is_called_published_that_the_sources_do_not_hold():
    """Every number in the column of TREC is among the facts that were copied from the text."""
    held = {float(row[1]) for row in rows_of("voorhees-2003-facts.csv")}
    given = [fact for fact in facts.trec_facts(TREC) if fact.published not in ("", "RRX, RXX", "a third")]
    assert given
    for fact in given:
        assert float(fact.published) in held, fact.name


# ResPubliQA


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
    counted = Counter()
    for question, status, paragraph in table(RESPUBLIQA / f"runs/{run}.tsv", fields=3)[1:]:
        counted["U" if status == "NOA" else judged[run, question, paragraph]] += 1
    assert (counted["R"], counted["W"], counted["U"]) == counts


def test_answers_are_judged_and_some_withheld_candidates_are_not():
    judged = {tuple(row[:3]): row[3] for row in table(RESPUBLIQA / "judgments/official.tsv")[1:]}
    said = {}
    responses = Counter()
    for path in RESPUBLIQA.glob("runs/*.tsv"):
        for question, status, paragraph in table(path, fields=3)[1:]:
            label = judged.pop((path.stem, question, paragraph), None) if paragraph else "none"
            responses[status, label] += 1
            assert (paragraph or status == "NOA") and (label or status == "NOA")
            if label in ("R", "W"):  # a paragraph is right or wrong, whichever run gives it
                assert said.setdefault((question, paragraph), label) == label
    assert not judged
    assert all(responses["NOA", label] > 0 for label in ("R", "W", "none", None))
    right, wrong = responses["ANSWERED", "R"], responses["ANSWERED", "W"]
    assert responses["NOA", "R"] / responses["NOA", "W"] < right / wrong


def test_respubliqa_is_like_the_real_one():
    """Peñas & Rodrigo 2011, table 2: required differences within 0.02, sensitivities within 6 points."""
    _, outcomes, _ = facts.respubliqa_outcomes(RESPUBLIQA)
    scores = {measure: value / whole for measure, (value, whole) in facts.scores(outcomes).items()}
    assert 0.6 < scores["c@1"].max() < 0.7
    assert 0.1 < scores["accuracy"].min() < scores["accuracy"].max() < 0.65
    assert np.argmax(scores["c@1"]) != np.argmax(scores["accuracy"])
    assert 0.35 < (outcomes == 0).mean(1).max() <= 0.4
    published = {"uf": (0.17, 0.48, 0.593), "c@1": (0.09, 0.77, 0.584), "accuracy": (0.09, 0.68, 0.55)}
    for measure, found in facts.sensitivity(outcomes).items():
        assert found == pytest.approx(published[measure], abs=0.08)
        assert found[0] == pytest.approx(published[measure][0], abs=0.02)
        assert found[2] == pytest.approx(published[measure][2], abs=0.06)


# TREC


def test_46_questions_without_a_known_answer(pool):
    without = {q for q, has_answer, _ in table(TREC / "questions.tsv", fields=3)[1:] if has_answer == "0"}
    assert len(without) == 46
    assert not {pair for pair, label in pool["adjudicated"].items() if label == "1" and pair[0] in without}


def test_every_pair_is_judged_by_all(pool):
    given = set()
    for path in TREC.glob("runs/*.txt"):
        lines = [line.split(" ", 3) for line in path.read_text().splitlines()]
        assert sorted(int(q) for q, *_ in lines) == list(range(1, 501))
        assert {tag for _, tag, *_ in lines} == {path.stem}
        given |= {(q, d, *answer) for q, _, d, *answer in lines if d != "NIL"}
    assert set(pool) == {"assessor1", "assessor2", "assessor3", "adjudicated"}
    assert all(set(labels) == given for labels in pool.values())


def test_adjudicated_follows_from_the_three(pool):
    """The majority's label; where all differ, the middle one in the order W, U, X, R."""
    for pair, label in pool["adjudicated"].items():
        three = [pool[f"assessor{i}"][pair] for i in (1, 2, 3)]
        (first, count), *_ = Counter(three).most_common()
        assert label == (first if count > 1 else sorted(three, key=["-1", "2", "3", "1"].index)[1])


def test_pool_is_like_the_real_one():
    found = achieved(facts.trec_facts(TREC))
    for name, (published, tolerance) in POOL.items():
        assert int(found[name]) == pytest.approx(published, rel=tolerance)
    # Section 2: "the RRX and RXX combinations account for a third of the total disagreements".
    assert set(found["most frequent disagreements"].split(", ")) == {"RRX", "RXX"}
    assert float(found["their share of the disagreements"].rstrip("%")) == pytest.approx(33.3, abs=5)


def test_rankings_are_like_the_real_ones():
    """Voorhees 2003, section 3. The accuracies are those that the model was made for; the text does not hold them."""
    found = achieved(facts.trec_facts(TREC))
    assert float(found["mean tau with the adjudicated ranking (cws)"]) == pytest.approx(0.930, abs=0.02)
    assert float(found["mean tau with the adjudicated ranking (number correct)"]) == pytest.approx(0.945, abs=0.02)
    assert int(found["swaps (cws)"]) == pytest.approx(177, abs=30)
    assert int(found["of those with a difference of at least 0.05"]) <= 8
    assert int(found["of those with a difference of at least 0.07"]) == 0
    best, second = map(float, found["accuracy: best run, best of another group"].split(", "))
    assert (best, second) == pytest.approx((0.83, 0.58), abs=0.03)
    assert float(found["accuracy: lowest"]) == pytest.approx(0.05, abs=0.02)
    assert float(found["tau between cws and accuracy"]) < 0.9


# The model


def test_cut_gives_the_count():
    margin = model.stream(1, "margin").standard_normal(500)
    for count in (1, 237, 499):
        assert (margin > model.cut_for(margin, count)).sum() == count


def test_more_skill_finds_more_answers():
    questions = model.draw_questions(1, 10_000)
    affinity = model.draw_affinity(1, "group", 10_000, 0.5)
    found = [(model.draw_margin(model.stream(1), skill, affinity, questions) > 0).mean() for skill in (-2, -1, 0, 1, 2)]
    assert found == sorted(found) and found[2] == pytest.approx(0.5, abs=0.02)


def test_popular_follows_the_power_law():
    index = model.popular((np.arange(100_000) + 0.5) / 100_000, 4, 2)
    share = 1 / np.arange(1, 5) ** 2
    assert np.bincount(index) / 100_000 == pytest.approx(share / share.sum(), abs=1e-4)
    assert model.popular(np.array([0.0, 1 - 2.0**-53]), 4, 2).tolist() == [0, 3]


def test_no_right_label_without_support():
    """However the assessors err, at most one of them calls right what no document supports."""
    n = 20_000
    number = np.arange(n)
    pool = assessors.Pool(number, np.zeros(n, int), number, np.zeros(n, int), np.ones(n, bool))
    labels = assessors.judge(pool, seed=3)
    right = sum((labels[f"assessor{j}"] == 1).astype(int) for j in (1, 2, 3))
    assert right.max() == 1 and not (labels["adjudicated"] == 1).any()


# Campaigns of other sizes


def test_campaign_for_benchmarks(tmp_path):
    into = tmp_path / "campaign"
    assert simulate("campaign", "--runs", 20, "--questions", 300, "--seed", 7, "--into", into).returncode == 0
    judged, faults = reading.judgments("tabular", str(into / "judgments/official.tsv"))
    assert faults == [] and set(judged["label"]) == {"R", "W"}
    assert judged.select("question", "answer").is_unique().all()
    known = set(judged.select("question", "answer").rows())
    paths = sorted(into.glob("runs/*.tsv"))
    assert [path.name for path in paths] == [f"run{i:04}.tsv" for i in range(1, 21)]
    answered = []
    for path in paths:
        frame, faults = reading.runs("tabular", str(path))
        assert faults == [] and frame.height == 300 and frame["confidence"].null_count() == 0
        given = frame.filter("answered")
        answered.append(given.height)
        assert set(given.select("question", "answer").rows()) <= known
    assert min(answered) < 300 and max(answered) == 300
    again = tmp_path / "again"
    campaign.write_campaign(again, 20, 300, 7)
    assert files_of(again) == files_of(into)
    campaign.write_campaign(tmp_path / "other", 20, 300, 8)
    assert files_of(tmp_path / "other") != files_of(into)


def test_campaign_overwrites_nothing(tmp_path):
    (tmp_path / "mine").write_text("mine")
    done = simulate("campaign", "--runs", 2, "--questions", 10, "--into", tmp_path)
    assert done.returncode == 2 and "--into" in done.stderr
    assert files_of(tmp_path) == {"mine": b"mine"}


@pytest.mark.parametrize(("runs", "questions"), [(2, 10), (7, 83)])
def test_real_formats_at_other_sizes(runs, questions, tmp_path):
    shipped.write_files(respubliqa.files(runs, questions, 5, named={}), tmp_path / "respubliqa")
    shipped.write_files(trec.files(runs, questions, 5), tmp_path / "trec")
    for kind, format in {"respubliqa": "clef-respubliqa", "trec": "trec-qa"}.items():
        paths = sorted((tmp_path / kind).glob("runs/*"))
        assert len(paths) == runs
        for path in paths:
            frame, faults = reading.runs(format, str(path))
            assert faults == [] and frame.height == questions
