"""Outcomes are the campaign's own scores: on all questions, on some of them, and on samples in
which some recur."""

import random
from collections import defaultdict
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from literal import CHOICES
from literal_hypotheses import OPTIONS, Made
from literal_reliability import of_rows
from nonresponse import measures, tasks
from nonresponse.judging import store
from nonresponse.judging.store import read_verdicts, write_verdicts
from nonresponse.measures.orderings import Order
from nonresponse.scoring import score, tally
from nonresponse.statistics import outcomes
from nonresponse.statistics.subsets import bootstrap_samples, subsets
from pipeline import Campaign, outcomes_of

CLOSE = 1e-12
# orders: the stage that scores rounds n times the score to a multiple of 2^-32
ROUNDED = 2**-33 + CLOSE
# In which each state meets each choice once.
THREE = [
    dict(zip(("unscored", "error", "partial"), choice, strict=True))
    for choice in (CHOICES, CHOICES[1:] + CHOICES[:1], CHOICES[2:] + CHOICES[:2])
]
TRIVIAL = {task: tasks.get(task).trivial for task in tasks.NAMES}


def answers(seed: int, n: int = 26) -> tuple[dict, dict, list]:
    """Six runs with all that may happen to a question, two assessors with ROMIP's labels, and the
    questions."""
    draw = random.Random(seed)
    questions = [f"q{i:02}" for i in range(n)]
    labels = ["good", "long", "partial", "bad"]
    gold = {
        assessor: [
            {"question": q, "answer": f"a{j}", "label": draw.choices(labels, [4, 1, 1, 4])[0]}
            for q in questions[2:]
            for j in range(4)
            if draw.random() < 0.85
        ]
        for assessor in ("first", "second")
    }

    def rows(silence: float, ranks: int, **standing):
        places = draw.sample(range(1, n + 1), n)
        for q, place in zip(questions, places, strict=True):
            fate = draw.random()
            if fate < 0.06:
                continue  # not mentioned
            for rank in range(1, draw.randint(1, ranks) + 1):
                answer = draw.choices(
                    [f"a{j}" for j in range(4)] + ["NIL", "ERR"], [6, 3, 2, 2, 3, 2]
                )[0]
                silent = draw.random() < silence
                row = {"question": q, "rank": rank, "answer": None if silent else answer}
                row["candidate"] = (
                    answer if silent and draw.random() < 0.7 and answer != "ERR" else None
                )
                # Few different values, so that there are ties; some are missing.
                row |= {
                    column: value() if draw.random() < 0.9 else None
                    for column, value in standing.items()
                }
                yield row | ({"position": (place + 1) // 2} if "position" in standing else {})

    confidence, raw = (lambda: draw.randrange(5) / 4), (lambda: draw.randrange(-3, 6) / 2)
    runs = {
        "ranked": rows(0.1, 4, confidence=confidence),
        "placed": rows(0.2, 1, confidence=confidence, position=int),
        "scored": rows(0.2, 1, score=raw),
        "both": rows(0.3, 2, confidence=confidence, score=raw),
        "mute": rows(0.3, 3),
        "silent": rows(0.85, 1, confidence=confidence),
    }
    asked = [{"question": q, "has_answer": draw.choice([True, None, None])} for q in questions]
    return {run: list(given) for run, given in runs.items()}, gold, asked


@pytest.fixture(scope="module")
def answered(tmp_path_factory):
    runs, gold, asked = answers(7)
    options = {"nil": ["NIL"], "failed": ["ERR"]}
    campaign = Campaign(tmp_path_factory.mktemp("answered"))
    campaign.judged(runs, gold, asked, options, correct=["good"], partial=["partial", "long"])
    # The tabular format has no fragments of text.
    frame = read_verdicts(campaign.verdicts).rows()
    long = frame["question"].hash(1) % 2 == 0
    frame = frame.with_columns(
        long_good=pl.col("good") & long, long_good_partial=pl.col("good_any") & long
    )
    campaign.rejudge(frame)
    return campaign


def pairs(folder, selecting: bool, scored: bool) -> Campaign:
    """One to three pairs to a question, some of unknown truth; runs that fail, leave open, select,
    and lack scores."""
    draw = random.Random(9)
    keys = [(f"q{i:02}", f"c{j}") for i in range(22) for j in range(draw.randint(1, 3))]
    kinds = ["YES", "NO", "NO", "UNKNOWN"]
    gold = {
        who: [{"question": q, "candidate": c, "label": draw.choice(kinds)} for q, c in keys]
        for who in "ab"
    }
    runs = {}
    for run in ("one", "two", "three", "four"):
        taken = set()
        runs[run] = []
        for q, c in keys:
            if draw.random() < 0.1:
                continue
            answer = draw.choices(["VALIDATED", "REJECTED", "ERR", None], [3, 5, 1, 1])[0]
            if selecting and answer == "VALIDATED" and q not in taken:
                answer = "SELECTED"
                taken.add(q)
            value = (
                draw.randrange(6) / 5 if scored and run != "four" and draw.random() < 0.9 else None
            )
            runs[run].append({"question": q, "candidate": c, "answer": answer, "score": value})
    return Campaign(folder, "validation").judged(runs, gold, options={"failed": ["ERR"]})


@pytest.fixture(scope="module")
def validated(tmp_path_factory):
    return pairs(tmp_path_factory.mktemp("validated"), True, True)


def weighted(folder, task: str) -> Campaign:
    """Hypotheses with confidences; two assessors who differ, a run that fails everywhere, one that
    is silent."""
    made = Made(task, 11, n=26)
    return Campaign(folder, task).judged(made.runs, made.judgments(), made.questions, OPTIONS)


@pytest.fixture(scope="module")
def dated(tmp_path_factory):
    return weighted(tmp_path_factory.mktemp("dated"), "dating")


@pytest.fixture(scope="module")
def matched(tmp_path_factory):
    return weighted(tmp_path_factory.mktemp("matched"), "matching")


@pytest.fixture
def of_task(answered, validated, dated, matched):
    """A campaign of each task, and one of its assessors."""
    campaigns = {"qa": (answered, "first"), "validation": (validated, "a")}
    campaigns |= {"dating": (dated, "second"), "matching": (matched, "official")}
    assert tuple(campaigns) == tasks.NAMES
    return campaigns


def scored(verdicts, task: str, policy: dict) -> dict:
    """{measure: {(assessor, run): value}} by the stage that scores."""
    store = read_verdicts(verdicts)
    counted = tally.by_run(tally.totals(store, tally.numbers(store), policy))
    values = {}
    for id, measure in measures.of_task(task).items():
        if measure.kind == "counts":
            frame = score.from_counts(measure, counted)
        else:
            frame = score.from_verdicts(measure, [store.seen()], policy, by_category=False)
        values[id] = by_run(frame)
    return values


def by_run(frame: pl.DataFrame) -> dict:
    return {
        (assessor, run): value
        for assessor, run, value in frame.select("assessor", "run", "value").rows()
    }


def resampled(campaign: Campaign, weights: np.ndarray, folder):
    """The verdicts of each trial in which the i-th question stands weights[trial, i] times, each
    time under another name; its runs are of the trial's name and their own. To score all trials at
    once takes hardly longer than one.
    """
    frame = read_verdicts(campaign.verdicts).rows()
    names = sorted(frame["question"].unique())
    trials = []
    for trial, times in enumerate(weights):
        number = pl.col("question").replace_strict(
            dict(zip(names, times.astype(int).tolist(), strict=True))
        )
        some = frame.with_columns(copy=pl.int_ranges(0, number)).explode("copy").drop_nulls("copy")
        own = {
            "run": pl.format(f"{trial} {{}}", "run"),
            "question": pl.format("{}#{}", "question", "copy"),
        }
        trials.append(some.with_columns(**own).drop("copy"))
    path = folder / "verdicts.npz"
    write_verdicts(path, store.of_rows(pl.concat(trials), campaign.task))
    return path


def assert_alike(
    found: np.ndarray, seen: outcomes.Outcomes, expected: dict, assessor: str, what, trial: str = ""
) -> None:
    for run, value in zip(seen.runs, found.tolist(), strict=True):
        should = expected[assessor, trial + run]
        if should is None:
            assert value != value, (what, run, value)
        else:
            close = ROUNDED if seen.measure.kind == "ordering" else CLOSE
            assert value == pytest.approx(should, abs=close, rel=0), (what, run)


def read_all(
    campaign: Campaign, policy: dict, assessor: str, some=None
) -> dict[str, outcomes.Outcomes]:
    """The outcomes of some measures, or of every one.

    Measures of counts that need the same columns are read as one, and so are those of an order of
    the same rows.
    """
    counts, groups, found = tasks.get(campaign.task).counts, defaultdict(list), {}
    for measure in measures.of_task(campaign.task).values() if some is None else some:
        if measure.kind == "counts" and not measure.is_number:
            groups[frozenset(counts[name].needs for name in measure.totals)].append(measure)
        else:
            groups[measure.rows or measure.id].append(measure)  # of numbers, n is all questions
    for group in groups.values():
        counted = group[0].kind == "counts" and len(group) > 1
        one = (
            of_counts(group, {name for measure in group for name in measure.totals})
            if counted
            else group[0]
        )
        seen = outcomes_of(campaign.verdicts, one, policy, assessor, TRIVIAL[campaign.task])
        for measure in group:
            own = (
                {name: seen.matrices[name] for name in {*measure.totals, "n"}}
                if counted
                else seen.matrices
            )
            found[measure.id] = replace(seen, measure=measure, matrices=own)
    return found


def of_counts(some: list, names: set[str]):
    """A measure of these counts, whatever it makes of them."""
    return replace(some[0], made_by=eval(f"lambda {', '.join(sorted(names))}: None"))


def check(campaign: Campaign, policy: dict, assessor: str, folder) -> dict[str, int]:
    """Every measure on all questions, on a subset and on a sample; the number of undefined scores
    by measure."""
    frame = read_verdicts(campaign.verdicts).scan().filter(pl.col("assessor") == assessor)
    n = frame.select(pl.col("question").n_unique()).collect().item()
    _, some = subsets(1, "c", n, n // 4, range(1))
    weights = np.concatenate(
        [np.ones((1, n), np.float32), some, bootstrap_samples(1, "c", n, 0, 1)]
    )
    expected = scored(resampled(campaign, weights, folder), campaign.task, policy)
    undefined = {}
    for id, seen in read_all(campaign, policy, assessor).items():
        assert seen.n == n
        found = outcomes.values(seen, weights)
        assert found.shape == (len(weights), len(seen.runs)) and found.dtype == np.float64
        if seen.measure.is_number:
            found = found * weights.sum(axis=1, keepdims=True)
        for trial, row in enumerate(found):
            assert_alike(row, seen, expected[id], assessor, (id, trial), f"{trial} ")
        undefined[id] = int(np.isnan(found).sum())
    return undefined


@pytest.mark.slow
@pytest.mark.parametrize(
    ("policy", "assessor"), [*zip(THREE, ("first", "second", "first"), strict=True)], ids=str
)
def test_every_measure_of_answers_on_any_questions(answered, policy, assessor, tmp_path):
    undefined = check(answered, policy, assessor, tmp_path)
    # The mute run has no order and no confidence, on any questions; every run has an accuracy.
    assert undefined["cws"] == 3 and undefined["k1"] >= 6 and undefined["accuracy"] == 0


@pytest.mark.slow
def test_every_measure_of_pairs_on_any_questions(validated, tmp_path):
    undefined = check(validated, tasks.POLICIES | {"error": "exclude"}, "b", tmp_path)
    assert undefined["auc"] == undefined["brier"] == 3 and undefined["qa_accuracy"] == 0


@pytest.mark.slow
@pytest.mark.parametrize(("task", "error"), [("dating", "exclude"), ("matching", "unanswered")])
def test_every_measure_of_hypotheses_on_any_questions(of_task, task, error, tmp_path):
    undefined = check(of_task[task][0], tasks.POLICIES | {"error": error}, "second", tmp_path)
    # Of the run that fails everywhere nothing is left, on any questions.
    least = 3 if error == "exclude" else 0
    assert min(undefined.values()) == max(undefined.values()) >= least
    assert (max(undefined.values()) == 0) == (error != "exclude")


ORDERINGS = [
    (task, id)
    for task in tasks.NAMES
    for id, m in measures.of_task(task).items()
    if m.kind == "ordering"
]


OTHERS = ("coverage@0.5", "risk@0.25", "ece@3", "rms_calibration@4", "rms_calibration_hle@3")


@pytest.mark.parametrize(("task", "id"), [*ORDERINGS, *(("qa", id) for id in OTHERS)])
def test_measures_of_an_order_as_plain_loops(answered, validated, task, id):
    """Ties, silences, positions, missing scores; subsets, and samples in which a question is
    several rows."""
    campaign, assessor = {"qa": (answered, "first"), "validation": (validated, "b")}[task]
    seen = outcomes_of(
        campaign.verdicts, measures.get(task, id), tasks.POLICIES, assessor, TRIVIAL[task]
    )
    weights = [
        subsets(4, "c", seen.n, seen.n // 2, range(5))[0],
        bootstrap_samples(4, "c", seen.n, 0, 5),
    ]
    weights = np.concatenate([np.ones((1, seen.n), np.float32), *weights])
    rows = read_verdicts(campaign.verdicts).rows().filter(pl.col("assessor") == assessor)
    # The default policy, by hand.
    words = {"partial": "wrong", "error": "wrong", "unscored": "wrong"}
    rows = rows.with_columns(pl.col("verdict").replace(words)).partition_by("run", as_dict=True)
    for trial, found in zip(weights, outcomes.values(seen, weights), strict=True):
        times = dict(zip(seen.questions, trial.astype(int).tolist(), strict=True))
        for run, value in zip(seen.runs, found.tolist(), strict=True):
            score = of_rows(id)(
                [row for row in rows[(run,)].to_dicts() for _ in range(times[row["question"]])]
            )
            assert (
                value != value
                if score is None
                else value == pytest.approx(float(score), abs=CLOSE, rel=0)
            ), run


def test_a_run_of_which_nothing_is_left_has_no_score(tmp_path):
    files = {
        "gone": [{"question": f"q{i}", "verdict": "error", "confidence": 0.5} for i in range(4)],
        "here": [{"question": f"q{i}", "verdict": "correct", "confidence": 0.5} for i in range(4)],
    }
    campaign = Campaign(tmp_path).graded(files)
    for id in ("c@1", "romip_answered", "nil_f", "mrr", "k1", "r", "cws"):
        measure = measures.get("qa", id)
        seen = outcomes_of(
            campaign.verdicts, measure, tasks.POLICIES | {"error": "exclude"}, "official"
        )
        assert seen.runs == ["gone", "here"], id
        values = outcomes.values(seen, np.ones((3, 4), np.float32))
        assert np.isnan(values[:, 0]).all(), id


def test_a_run_has_one_order_whatever_the_subset(tmp_path):
    """A run is ordered by the same column on every subset, even if all its answers there are tied
    by it."""
    rows = [
        {"question": "q0", "verdict": "wrong", "confidence": 0.1, "position": 1},
        {"question": "q1", "verdict": "correct", "confidence": 0.9, "position": None},
        {"question": "q2", "verdict": "wrong", "confidence": 0.2, "position": None},
    ]
    campaign = Campaign(tmp_path).graded({"r": rows})
    seen = outcomes_of(campaign.verdicts, measures.get("qa", "cws"), tasks.POLICIES, "official")
    found = outcomes.values(seen, np.array([[1, 1, 1], [0, 1, 1]], np.float32))[:, 0]
    assert found.tolist() == pytest.approx([(1 / 4 + 1 / 3) / 3, 1 / 2], abs=CLOSE)


@pytest.mark.parametrize(("task", "id"), [("qa", "cws"), ("validation", "auc")])
def test_more_rows_of_an_order_than_sixteen_bits_count(task, id):
    """Three questions that stand 30 000 times each, in blocks of two and one."""
    order = Order(np.array([0, 1, 2]), np.array([True, False, True]), np.array([0, 2]))
    seen = outcomes.Outcomes(measures.get(task, id), ["r"], ["x", "y", "z"], orders=[order])
    [[found]] = outcomes.values(seen, np.full((1, 3), 30_000, np.float32))
    if id == "auc":  # a tie, and a right row above
        assert found == 0.75
    else:  # half right among the first 60 000; then right only
        ranks = np.arange(1, 90_001)
        right = np.where(ranks <= 60_000, ranks / 2, ranks - 30_000)
        assert found == pytest.approx((right / ranks).mean(), abs=CLOSE)
