"""Outcomes are the campaign's own scores: on all questions, on some of them, and on samples in
which some recur."""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from literal import CHOICES
from literal_reliability import of_rows
from nonresponse import measures, tasks
from nonresponse.judging import store
from nonresponse.judging.store import read_verdicts, write_verdicts
from nonresponse.measures.orderings import Order
from nonresponse.scoring import score, tally
from nonresponse.statistics import outcomes
from nonresponse.statistics.subsets import draw_bootstrap, draw_subsets
from pipeline import Campaign, select_outcomes
from strategies import answers, decisions, hypotheses

CLOSE = 1e-12
# orders: the stage that scores rounds n times the score to a multiple of 2^-32
ROUNDED = 2**-33 + CLOSE
# In which each state meets each choice once.
THREE = [
    dict(zip(("unscored", "error", "partial"), choice, strict=True))
    for choice in (CHOICES, CHOICES[1:] + CHOICES[:1], CHOICES[2:] + CHOICES[:2])
]
TRIVIAL = {task: tasks.get(task).trivial for task in tasks.NAMES}


@pytest.fixture(scope="module")
def answered(tmp_path_factory):
    campaign = answers(7).campaign(tmp_path_factory.mktemp("answered"))
    # The tabular format has no fragments of text.
    frame = read_verdicts(campaign.verdicts).rows()
    long = frame["question"].hash(1) % 2 == 0
    frame = frame.with_columns(
        long_good=pl.col("good") & long, long_good_partial=pl.col("good_any") & long
    )
    campaign.rejudge(frame)
    return campaign


@pytest.fixture(scope="module")
def validated(tmp_path_factory):
    return decisions(9).campaign(tmp_path_factory.mktemp("validated"))


def scored(verdicts, task: str, policy: dict) -> dict:
    """{measure: {(assessor, run): value}} by the stage that scores."""
    store = read_verdicts(verdicts)
    counted = tally.sum_by_run(tally.sum_counts(store, tally.count_cells(store), policy))
    values = {}
    for id, measure in measures.load_measures(task).items():
        if measure.kind == "counts":
            frame = score.evaluate_counts(measure, counted)
        else:
            frame = score.evaluate_verdicts(
                measure, [store.scan_derived()], policy, per_category=False
            )
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
    folder.mkdir(exist_ok=True)
    path = folder / "verdicts.npz"
    write_verdicts(path, store.make_store(pl.concat(trials), campaign.task))
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
    for measure in measures.load_measures(campaign.task).values() if some is None else some:
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
        seen = select_outcomes(campaign.verdicts, one, policy, assessor, TRIVIAL[campaign.task])
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
    return replace(some[0], definition=eval(f"lambda {', '.join(sorted(names))}: None"))


def check(campaign: Campaign, policy: dict, assessor: str, folder) -> dict[str, int]:
    """Every measure on all questions, on a subset and on a sample; the number of undefined scores
    by measure."""
    frame = read_verdicts(campaign.verdicts).scan().filter(pl.col("assessor") == assessor)
    n = frame.select(pl.col("question").n_unique()).collect().item()
    _, some = draw_subsets(1, "c", n, [(n // 4, trial) for trial in range(1)])
    weights = np.concatenate([np.ones((1, n), np.float32), some, draw_bootstrap(1, "c", n, 0, 1)])
    expected = scored(resampled(campaign, weights, folder), campaign.task, policy)
    undefined = {}
    for id, seen in read_all(campaign, policy, assessor).items():
        assert seen.n == n
        found = outcomes.score_weighted(seen, weights)
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
def test_every_measure_of_hypotheses_on_any_questions(task, error, tmp_path):
    campaign = hypotheses(task, 11).campaign(tmp_path)
    undefined = check(campaign, tasks.POLICIES | {"error": error}, "second", tmp_path / "some")
    # Of the run that fails everywhere nothing is left, on any questions.
    least = 3 if error == "exclude" else 0
    assert min(undefined.values()) == max(undefined.values()) >= least
    assert (max(undefined.values()) == 0) == (error != "exclude")


ORDERINGS = [
    (task, id)
    for task in tasks.NAMES
    for id, m in measures.load_measures(task).items()
    if m.kind == "ordering"
]


OTHERS = ("coverage@0.5", "risk@0.25", "ece@3", "rms_calibration@4", "rms_calibration_hle@3")


@pytest.mark.parametrize(("task", "id"), [*ORDERINGS, *(("qa", id) for id in OTHERS)])
def test_measures_of_an_order_as_plain_loops(answered, validated, task, id):
    """Ties, silences, positions, missing scores; subsets, and samples in which a question is
    several rows."""
    campaign, assessor = {"qa": (answered, "first"), "validation": (validated, "b")}[task]
    seen = select_outcomes(
        campaign.verdicts, measures.get(task, id), tasks.POLICIES, assessor, TRIVIAL[task]
    )
    weights = [
        draw_subsets(4, "c", seen.n, [(seen.n // 2, trial) for trial in range(5)])[0],
        draw_bootstrap(4, "c", seen.n, 0, 5),
    ]
    weights = np.concatenate([np.ones((1, seen.n), np.float32), *weights])
    rows = read_verdicts(campaign.verdicts).rows().filter(pl.col("assessor") == assessor)
    # The default policy, by hand.
    words = {"partial": "wrong", "error": "wrong", "unscored": "wrong"}
    rows = rows.with_columns(pl.col("verdict").replace(words)).partition_by("run", as_dict=True)
    for trial, found in zip(weights, outcomes.score_weighted(seen, weights), strict=True):
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
    campaign = Campaign(tmp_path).evaluate_graded(files)
    for id in ("c@1", "romip_answered", "nil_f", "mrr", "k1", "r", "cws"):
        measure = measures.get("qa", id)
        seen = select_outcomes(
            campaign.verdicts, measure, tasks.POLICIES | {"error": "exclude"}, "official"
        )
        assert seen.runs == ["gone", "here"], id
        values = outcomes.score_weighted(seen, np.ones((3, 4), np.float32))
        assert np.isnan(values[:, 0]).all(), id


def test_a_run_has_one_order_whatever_the_subset(tmp_path):
    """A run is ordered by the same column on every subset, even if all its answers there are tied
    by it."""
    rows = [
        {"question": "q0", "verdict": "wrong", "confidence": 0.1, "position": 1},
        {"question": "q1", "verdict": "correct", "confidence": 0.9, "position": None},
        {"question": "q2", "verdict": "wrong", "confidence": 0.2, "position": None},
    ]
    campaign = Campaign(tmp_path).evaluate_graded({"r": rows})
    seen = select_outcomes(campaign.verdicts, measures.get("qa", "cws"), tasks.POLICIES, "official")
    found = outcomes.score_weighted(seen, np.array([[1, 1, 1], [0, 1, 1]], np.float32))[:, 0]
    assert found.tolist() == pytest.approx([(1 / 4 + 1 / 3) / 3, 1 / 2], abs=CLOSE)


@pytest.mark.parametrize(("task", "id"), [("qa", "cws"), ("validation", "auc")])
def test_more_rows_of_an_order_than_sixteen_bits_count(task, id):
    """Three questions that stand 30 000 times each, in blocks of two and one."""
    order = Order(np.array([0, 1, 2]), np.array([True, False, True]), np.array([0, 2]))
    seen = outcomes.Outcomes(measures.get(task, id), ["r"], ["x", "y", "z"], orders=[order])
    [[found]] = outcomes.score_weighted(seen, np.full((1, 3), 30_000, np.float32))
    if id == "auc":  # a tie, and a right row above
        assert found == 0.75
    else:  # half right among the first 60 000; then right only
        ranks = np.arange(1, 90_001)
        right = np.where(ranks <= 60_000, ranks / 2, ranks - 30_000)
        assert found == pytest.approx((right / ranks).mean(), abs=CLOSE)
