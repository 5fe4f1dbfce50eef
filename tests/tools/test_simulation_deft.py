"""The simulated campaigns of DEFT 2011: what their runs hand in, how they err, and how well they do."""

from decimal import Decimal
from itertools import pairwise
from math import exp, pi
from pathlib import Path
from statistics import median

import numpy as np
import pytest
import reading
from conftest import HOME
from simulation import dating, facts_deft, hypotheses, matching, model, shipped

DATING = HOME / "resources/deft-2011-dating-simulated"
MATCHING = HOME / "resources/deft-2011-matching-simulated"
CAMPAIGNS = {"dating": (DATING, 14, 500), "matching": (MATCHING, 12, 200)}
RUNS = {
    "dating": hypotheses.draw_runs("dating", 13, dating.FORMS, dating.SKILL, shipped.SEED),
    "matching": hypotheses.draw_runs("matching", 12, matching.FORMS, matching.SKILL, shipped.SEED),
}
FORMS = {task: {run.name: run.form for run in runs} for task, runs in RUNS.items()}
each = pytest.mark.parametrize("task", CAMPAIGNS)
MANY = 40_000  # questions, where shares are compared with chances: three standard errors are below 0.01


def said_by_run(task: str) -> dict[str, dict[str, facts_deft.Hypotheses]]:
    return {path.stem: facts_deft.hypotheses(path) for path in CAMPAIGNS[task][0].glob("runs/*")}


def references(folder: Path) -> dict[str, str]:
    return {
        question: answer for question, (answer,) in facts_deft.by_question(folder / "references/reference.tsv").items()
    }


def numbers(cells: list[str]) -> list[float]:
    return [float(cell.rstrip("%")) for cell in cells]


# The files (that they come out byte for byte the same is in test_simulation.py)


@each
def test_small_plain_text(task):
    folder = CAMPAIGNS[task][0]
    files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert sum(map(len, files.values())) < 600_000
    for name, content in files.items():
        text = content.decode() if name == "README.md" else content.decode("ascii")
        assert "\r" not in text and text.endswith("\n") and not text.endswith("\n\n"), name
    text = files["README.md"].decode()
    assert "No system gave these answers" in text and "a form of our own" in text


@each
def test_readable_without_faults(task):
    folder, count, n = CAMPAIGNS[task]
    paths = sorted(folder.glob("runs/*"))
    assert len(paths) == count
    assert [path.suffix for path in paths].count(".xml") == 2
    for path in paths:
        frame, faults = reading.runs("deft", str(path), task)
        assert faults == []
        said = facts_deft.hypotheses(path)
        assert frame["question"].unique(maintain_order=True).to_list() == list(said)
        assert frame.filter("answered")["answer"].to_list() == [answer for own in said.values() for answer, _ in own]
        assert said.keys() <= references(folder).keys()
    frame, faults = reading.judgments("deft", str(folder / "references/reference.tsv"), task)
    assert faults == [] and frame.height == n


@each
def test_documented(task):
    """docs/simulation.md shows what `simulate.py facts` prints."""
    shown = facts_deft.dating_table(DATING) if task == "dating" else facts_deft.matching_table(MATCHING)
    assert shown in (HOME / "docs/simulation.md").read_text()


def test_references():
    years = [int(year) for year in references(DATING).values()]
    assert len(years) == 500 and min(years) >= 1801 and max(years) <= 1944
    # Few early ones and many late ones, of spans that have 24 and 31 % of the years.
    assert sum(year < 1836 for year in years) < 500 / 4 < sum(year >= 1900 for year in years)
    newspapers = {question: paper for question, (paper,) in facts_deft.by_question(DATING / "questions.tsv").items()}
    assert newspapers.keys() == references(DATING).keys()
    assert set(newspapers.values()) == {*dating.NEWSPAPERS, ""}
    for question, paper in newspapers.items():
        _, first, last = dating.NEWSPAPERS.get(paper, (0, 1801, 1944))
        assert first <= int(references(DATING)[question]) <= last
    labels = list(references(MATCHING).values())
    assert len(set(labels)) == 200 and labels != sorted(labels)
    journals = facts_deft.by_question(MATCHING / "questions.tsv")
    assert journals.keys() == references(MATCHING).keys()
    assert {journal for (journal,) in journals.values()} == set(matching.JOURNALS)


# What is handed in


@each
def test_written_confidences_sum_to_one(task):
    several = set()
    for path in CAMPAIGNS[task][0].glob("runs/*"):
        text = path.read_text()
        if "confidence" not in text:
            continue
        form = FORMS[task][path.stem]
        assert form.tries > 1 and not form.one_to_one and 4 <= form.decimals <= 6
        written: dict[str, list[str]] = {}
        if path.suffix == ".xml":
            for line in text.splitlines():
                if " confidence=" in line:
                    written[line.split('"')[1]] = [part.split('"')[0] for part in line.split(' confidence="')[1:]]
        else:
            for question, answer, confidence in (line.split("\t") for line in text.splitlines()[1:]):
                assert bool(answer) == bool(confidence)
                if answer:
                    written.setdefault(question, []).append(confidence)
        for confidences in written.values():
            assert sum(map(Decimal, confidences)) == 1
            assert all(len(c.split(".")[1]) == form.decimals and Decimal(c) > 0 for c in confidences)
        assert max(map(len, written.values())) == form.tries
        several.add(path.stem)
    assert several == {name for name, form in FORMS[task].items() if form.tries > 1 and not form.one_to_one}
    assert len(several) >= 4


@each
def test_the_first_is_not_always_the_most_confident(task):
    later, equal = set(), set()
    for run, said in said_by_run(task).items():
        for answers, confidences in (zip(*own, strict=True) for own in said.values() if own):
            assert len(set(answers)) == len(answers)
            if confidences[0] < max(confidences):
                later.add(run)
            if confidences.count(max(confidences)) > 1:
                equal.add(run)
    assert later == {name for name, form in FORMS[task].items() if form.by_answer} > set()
    assert equal >= {name for name, form in FORMS[task].items() if form.sharpness == 0} > set()


@each
def test_silence(task):
    """As often as asked; by a line without an answer, by no line, and by either in one run."""
    n, ways = CAMPAIGNS[task][2], set()
    for run, said in said_by_run(task).items():
        empty, left_out = sum(not own for own in said.values()), n - len(said)
        form = FORMS[task].get(run, hypotheses.Form())
        assert empty + left_out == round(form.unanswered * n)
        if empty or left_out:
            ways.add((empty > 0, left_out > 0))
    assert ways == {(True, False), (False, True), (True, True)}


def test_years_stay_in_bounds():
    for said in said_by_run("dating").values():
        assert all(1801 <= int(year) <= 1944 for own in said.values() for year, _ in own)
    rng, habits = model.stream(1), dating.Habits(0.5, 1855, 45)
    for reference in (1801, 1805, 1872, 1873, 1944):
        for kind in (dating.NEAR, dating.DECADE, dating.GUESS):
            right = np.full(MANY, reference)
            years = dating.draw_years(rng, np.zeros(MANY), np.full(MANY, kind), right, habits)
            assert years.min() >= 1801 and years.max() <= 1944
            if kind == dating.DECADE:
                assert set((years - reference) % 10) == {0} and reference not in years


def test_baseline_says_the_median():
    years = [int(year) for year in references(DATING).values()]
    said = facts_deft.hypotheses(DATING / "runs/median-year.tsv")
    assert len(said) == 500
    (year,) = {int(year) for own in said.values() for year, _ in own}
    assert abs(year - median(years)) <= 1


def test_one_to_one():
    one_to_one = {name for name, form in FORMS["matching"].items() if form.one_to_one}
    given = {run: [own[0][0] for own in said.values() if own] for run, said in said_by_run("matching").items()}
    assert len(one_to_one) == 3
    assert all(len(set(given[run])) == 200 for run in one_to_one)
    weak = [run for run, said in given.items() if len(set(said)) < 0.9 * len(said)]
    assert weak and not one_to_one & set(weak)


# How they err, and how well they do


def test_margins_decide_on_near_misses_decades_and_guesses():
    questions = model.draw_questions(1, MANY)
    habits = dating.Habits(confuses=0.3, centre=1880, width=20)
    run = hypotheses.Run("run", "group", -0.5, hypotheses.Form())
    affinity = model.draw_affinity(1, "group", MANY, hypotheses.AFFINITY)
    chance = 1 / (1 + np.exp(-questions.discrimination * (run.skill + affinity - questions.difficulty)))
    margins, _ = hypotheses.draw_tries(model.stream(2), run, questions, 1)
    kind = dating.draw_kinds(model.stream(3), margins[0], habits)
    near = chance.mean()
    asked = [near, (1 - near) * 0.3, (1 - near) * 0.7]
    assert np.bincount(kind) / MANY == pytest.approx(asked, abs=0.01)
    years = dating.draw_years(model.stream(4), margins[0], kind, np.full(MANY, 1870), habits)
    assert np.std(years[kind == dating.GUESS]) == pytest.approx(20, rel=0.03)
    assert np.mean(years[kind == dating.GUESS]) == pytest.approx(1880, abs=1)
    decades = np.bincount(abs(years[kind == dating.DECADE] - 1870) // 10)
    assert decades[2:] / decades[1] == pytest.approx(np.arange(2, 8) ** -1.5, abs=0.03)
    sure, unsure = ((kind == dating.NEAR) & (margins[0] > low) & (margins[0] < low + 0.5) for low in (3, 0))
    spread = [np.std(years[those]) for those in (sure, unsure)]
    # The middle of each half unit; a twelfth is what rounding adds to the variance.
    asked = [(4.5**2 * exp(-2 * margin / 4) + 1 / 12) ** 0.5 for margin in (3.25, 0.25)]
    assert spread == pytest.approx(asked, rel=0.05)


def test_margins_decide_on_right_neighbours_and_guesses():
    n, rng = 300, model.stream(1)
    articles = matching.Articles(n, 1)
    neighbours = np.array([articles.nearest(q)[: matching.NEIGHBOURS] for q in range(n)])
    assert all(q not in neighbours[q] for q in range(n))
    given = [matching.draw_articles(rng, np.full(n, matching.CONFUSED), neighbours) for _ in range(100)]
    place = [np.argmax(neighbours == articles[:, None], axis=1) for articles in given]
    share = 1 / np.arange(1, 31)
    assert np.bincount(np.concatenate(place)) / 30_000 == pytest.approx(share / share.sum(), abs=0.01)
    guessed = matching.draw_articles(rng, np.full(n, matching.GUESS), neighbours)
    assert len(set(guessed)) > n / 2 and (guessed == np.arange(n)).sum() < 5
    assert (matching.draw_articles(rng, np.full(n, matching.RIGHT), neighbours) == np.arange(n)).all()
    # Journals lie apart: the nearest article is mostly of the same one.
    assert (articles.journal[neighbours[:, 0]] == articles.journal).mean() > 0.6
    kind = matching.draw_kinds(rng, np.repeat([-1.0, 1.0], MANY), 0.8)
    assert np.bincount(kind) / MANY == pytest.approx([1, 0.8, 0.2], abs=0.01)


def test_shipped_runs_err_as_asked():
    """Runs of one try that answer everything, within 3 standard errors; guesses hit either class now and then."""
    questions = model.draw_questions(shipped.SEED, 500)
    rows = {row[0]: row for row in facts_deft.dating_rows(DATING)}
    checked = 0
    for run in RUNS["dating"]:
        if run.form.tries > 1 or run.form.unanswered:
            continue
        affinity = model.draw_affinity(shipped.SEED, run.group, 500, hypotheses.AFFINITY)
        logit = questions.discrimination * (run.skill + affinity - questions.difficulty)
        near = (1 / (1 + np.exp(-logit))).mean()
        habits = dating.draw_habits(model.stream(shipped.SEED, run.group, "run", run.name))
        decade, guess = (1 - near) * habits.confuses, (1 - near) * (1 - habits.confuses)
        shares = np.array(numbers(rows[f"{run.name}.{run.form.ending}"][2:7])) / 100
        exact, off, decades, elsewhere, none = shares
        assert near - 0.07 < exact + off < near + 0.2 * guess + 0.07
        assert decade - 0.07 < decades < decade + 0.15 * guess + 0.07
        assert elsewhere < guess + 0.07 and none == 0
        checked += 1
    assert checked == 5


def test_what_is_withheld_is_believed_least():
    questions = model.draw_questions(1, MANY)
    run = hypotheses.Run("run", "group", 0, hypotheses.Form(unanswered=0.2, left_out=1))
    margins, beliefs = hypotheses.draw_tries(model.stream(1), run, questions, 1)
    ids = list(map(str, range(MANY)))
    said = hypotheses.hand_in(run, ids, np.zeros((1, MANY), int), beliefs, str, 1)
    given = np.isin(ids, list(said))
    assert given.sum() == 0.8 * MANY and beliefs[0][given].min() >= beliefs[0][~given].max()
    assert (margins[0][~given] > 0).mean() < 0.5 * (margins[0][given] > 0).mean()


@pytest.mark.parametrize(
    ("rows_of", "folder", "lowest", "highest"),
    [
        (facts_deft.dating_rows, DATING, (0.05, 0.1), (0.55, 0.7)),
        (facts_deft.matching_rows, MATCHING, (0.2, 0.25), (0.95, 0.99)),
    ],
    ids=CAMPAIGNS,
)
def test_runs_are_spread(rows_of, folder, lowest, highest):
    rows = rows_of(folder)
    s, s_c = (numbers([row[place] for row in rows]) for place in (-2, -1))
    assert lowest[0] <= min(s) <= lowest[1] and highest[0] <= max(s) <= highest[1]
    assert max(better - worse for better, worse in pairwise(s)) < 0.2
    for row, x, y in zip(rows, s, s_c, strict=True):
        assert (x == y) == (row[1] == "1")


def test_facts_of_a_small_campaign(tmp_path):
    """Counted by hand: among equals the first counts; an empty line is no answer, and neither is a missing one."""
    references = "question\tyear\nf1\t1850\nf2\t1900\nf3\t1920\nf4\t1930\n"
    one = "question\tyear\tconfidence\nf1\t1853\t0.5\nf1\t1850\t0.5\nf2\t1880\t0.25\nf2\t1890\t0.75\nf3\t\t\n"
    other = '<deft>\n  <doc id="f1"><hypothesis year="1850"/></doc>\n  <doc id="f2"/>\n</deft>\n'
    reading.write(tmp_path, "references/reference.tsv", references)
    reading.write(tmp_path, "runs/one.tsv", one)
    reading.write(tmp_path, "runs/other.xml", other)
    three, ten, twenty = (exp(-pi / 100 * d * d) for d in (3, 10, 20))
    s, s_c = (three + ten) / 4, (0.5 * three + 0.5 + 0.25 * twenty + 0.75 * ten) / 4
    assert facts_deft.dating_rows(tmp_path) == [
        ["other.xml", "1", "25.0%", "0.0%", "0.0%", "0.0%", "75.0%", "2", "0.2500", "0.2500"],
        ["one.tsv", "2", "0.0%", "25.0%", "25.0%", "0.0%", "50.0%", "1", f"{s:.4f}", f"{s_c:.4f}"],
    ]


# The model


@pytest.mark.parametrize("units", [10**4, 10**6])
def test_whole_units(units):
    rng = model.stream(units)
    for size in (1, 2, 3, 7):
        for _ in range(200):
            weights = np.exp(5 * rng.standard_normal(size)).tolist()
            whole = hypotheses.in_units(weights, units)
            assert sum(whole) == units
            assert all(abs(w / sum(weights) * units - k) < 1 for w, k in zip(weights, whole, strict=True))
    assert hypotheses.in_units([1, 1, 1], 10_000) == [3334, 3333, 3333]


def test_tries_with_one_answer_are_one_hypothesis():
    votes = hypotheses.Form(tries=5, sharpness=0, by_answer=True)
    said = hypotheses.weigh(["1871", "1850", "1871", "1860", "1871"], [5.0, -3, 0, 9, 1], votes)
    assert said == [("1850", "0.2000"), ("1860", "0.2000"), ("1871", "0.6000")]
    ranked = hypotheses.weigh(["1850", "1871"], [0.0, 10.0], hypotheses.Form(tries=2, sharpness=0.3))
    assert ranked == [("1871", "0.9526"), ("1850", "0.0474")]  # 1 / (1 + exp(−3))
    alone = hypotheses.weigh(["1850", "1871"], [0.0, 100.0], hypotheses.Form(tries=2, sharpness=0.3))
    assert alone == [("1871", "1.0000")]


@pytest.mark.parametrize(("module", "count"), [(dating, 13), (matching, 11)], ids=CAMPAIGNS)
def test_one_run_more_moves_no_other(module, count):
    """As long as its group exists already; a new group would change the distribution of skills."""
    fewer, more = (dict(module.files(runs, 60, 3)) for runs in (count, count + 1))
    assert len(more) == len(fewer) + 1 and fewer.items() <= more.items()


@pytest.mark.parametrize(("module", "task"), [(dating, "dating"), (matching, "matching")], ids=CAMPAIGNS)
@pytest.mark.parametrize(("count", "questions"), [(2, 10), (7, 83)])
def test_other_sizes(module, task, count, questions, tmp_path):
    shipped.write_files(module.files(count, questions, 5), tmp_path)
    paths = sorted(tmp_path.glob("runs/*"))
    assert len(paths) == count
    for path in paths:
        frame, faults = reading.runs("deft", str(path), task)
        assert faults == [] and frame["question"].n_unique() <= questions
