"""Outcomes score as the campaign does: on all questions, on some, and on samples of them."""

import numpy as np
import polars as pl
import pytest
from literal import POLICIES
from literal_reliability import campaign, choose_literal, near
from nonresponse import measures, tasks
from nonresponse.judging import store
from nonresponse.judging.store import read_verdicts, write_verdicts
from nonresponse.measures.orderings import Order
from nonresponse.scoring import score, tally
from nonresponse.statistics import PER_STREAM, intervals
from nonresponse.statistics.outcomes import Outcomes, score_weighted
from nonresponse.statistics.subsets import draw_bootstrap, draw_subsets
from pipeline import Campaign, select_outcomes, spell
from strategies import CAMPAIGNS

CLOSE = 1e-12
# orders: the stage that scores rounds n times the score to a multiple of 2^-32
ROUNDED = 2**-33 + CLOSE
TRIVIAL = {task: tasks.get(task).trivial for task in tasks.NAMES}


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory):
    folders = {task: tmp_path_factory.mktemp(task) for task in tasks.NAMES}
    built = {task: CAMPAIGNS[task](9).campaign(folder) for task, folder in folders.items()}
    # The tabular format has no fragments of text.
    frame = read_verdicts(built["qa"].verdicts).rows()
    long = frame["question"].hash(1) % 2 == 0
    built["qa"].rejudge(
        frame.with_columns(
            long_good=pl.col("good") & long, long_good_partial=pl.col("good_any") & long
        )
    )
    return built


def score_verdicts(verdicts, task: str, policy: dict) -> dict:
    """{measure: {(assessor, run): value}} by the stage that scores."""
    store = read_verdicts(verdicts)
    counts = tally.sum_by_run(tally.sum_counts(store, tally.count_cells(store), policy))
    values = {}
    for id, measure in measures.load_measures(task).items():
        if measure.kind == "counts":
            frame = score.evaluate_counts(measure, counts)
        else:
            frame = score.evaluate_verdicts(
                measure, [store.scan_derived()], policy, per_category=False
            )
        rows = frame.select("assessor", "run", "value").rows()
        values[id] = {(assessor, run): value for assessor, run, value in rows}
    return values


def write_resampled(campaign: Campaign, weights: np.ndarray, folder):
    """The verdicts of each trial in which the i-th question stands weights[trial, i] times, each
    time under another name; its runs are of the trial's name and their own. To score all trials at
    once takes hardly longer than one.
    """
    frame = read_verdicts(campaign.verdicts).rows()
    names = sorted(frame["question"].unique())
    trials = []
    for trial, times in enumerate(weights.astype(int).tolist()):
        number = pl.col("question").replace_strict(dict(zip(names, times, strict=True)))
        rows = frame.with_columns(copy=pl.int_ranges(0, number)).explode("copy").drop_nulls("copy")
        columns = {
            "run": pl.format(f"{trial} {{}}", "run"),
            "question": pl.format("{}#{}", "question", "copy"),
        }
        trials.append(rows.with_columns(**columns).drop("copy"))
    folder.mkdir(exist_ok=True)
    path = folder / "verdicts.npz"
    write_verdicts(path, store.make_store(pl.concat(trials), campaign.task))
    return path


def check(campaign: Campaign, policy: dict, assessor: str, folder) -> dict[str, int]:
    """Check every measure on all questions, a subset and a sample; count undefined scores."""
    frame = read_verdicts(campaign.verdicts).scan().filter(pl.col("assessor") == assessor)
    n = frame.select(pl.col("question").n_unique()).collect().item()
    subsets = draw_subsets(1, "c", n, [(n // 4, 0)])[1]
    weights = [np.ones((1, n), np.float32), subsets, draw_bootstrap(1, "c", n, 0, 1)]
    weights = np.concatenate(weights)
    expected = score_verdicts(write_resampled(campaign, weights, folder), campaign.task, policy)
    undefined = {}
    for id, measure in measures.load_measures(campaign.task).items():
        trivial = TRIVIAL[campaign.task]
        outcomes = select_outcomes(campaign.verdicts, measure, policy, assessor, trivial)
        assert outcomes.n == n
        values = score_weighted(outcomes, weights)
        assert values.shape == (len(weights), len(outcomes.runs)) and values.dtype == np.float64
        error = ROUNDED if measure.kind == "ordering" else CLOSE
        for trial, row in enumerate(values.tolist()):
            should = [expected[id][assessor, f"{trial} {run}"] for run in outcomes.runs]
            assert row == [near(value, error) for value in should], (id, trial)
        undefined[id] = int(np.isnan(values).sum())
    return undefined


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "policy", "assessor"),
    [
        *[
            ("qa", choice, name)
            for choice, name in zip(POLICIES, ("first", "second", "first"), strict=True)
        ],
        *[
            ("validation", {"error": "exclude"}, "b"),
            ("matching", {"error": "unanswered"}, "second"),
        ],
        ("dating", {"error": "exclude"}, "second"),
    ],
    ids=str,
)
def test_every_measure_on_any_questions(campaigns, task, policy, assessor, tmp_path):
    undefined = check(campaigns[task], tasks.POLICIES | policy, assessor, tmp_path)
    if task == "qa":
        # The mute run has no order and no confidence, on any questions; every run has an accuracy
        assert undefined["cws"] == 3 and undefined["k1"] >= 6 and undefined["accuracy"] == 0
    elif task == "validation":
        assert undefined["auc"] == undefined["brier"] == 3 and undefined["qa_accuracy"] == 0
    else:  # of the run that fails everywhere nothing is left, on any questions
        assert {number >= 3 for number in undefined.values()} == {task == "dating"}


ORDERINGS = [
    (task, id)
    for task in tasks.NAMES
    for id, m in measures.load_measures(task).items()
    if m.kind == "ordering"
]
MORE = ["coverage@0.5", "risk@0.25", "ece@3", "rms_calibration@4", "rms_calibration_hle@3"]


@pytest.mark.parametrize(("task", "id"), [*ORDERINGS, *(("qa", id) for id in MORE)])
def test_measures_of_an_order_as_plain_loops(campaigns, task, id):
    """Ties, silences, positions, missing scores; subsets, and samples with repeated questions."""
    campaign, assessor = campaigns[task], "first" if task == "qa" else "b"
    measure, excluded = measures.get(task, id), TRIVIAL[task]
    outcomes = select_outcomes(campaign.verdicts, measure, tasks.POLICIES, assessor, excluded)
    n = outcomes.n
    subsets, _ = draw_subsets(4, "c", n, [(n // 2, trial) for trial in range(5)])
    weights = [np.ones((1, n), np.float32), subsets, draw_bootstrap(4, "c", n, 0, 5)]
    weights = np.concatenate(weights)
    rows = read_verdicts(campaign.verdicts).rows().filter(pl.col("assessor") == assessor)
    # The default policy, by hand
    words = dict.fromkeys(("partial", "error", "unscored"), "wrong")
    rows = rows.with_columns(pl.col("verdict").replace(words)).partition_by("run", as_dict=True)
    rows = {run: frame.to_dicts() for (run,), frame in rows.items()}
    score = choose_literal(id)
    for trial, values in zip(weights, score_weighted(outcomes, weights).tolist(), strict=True):
        times = dict(zip(outcomes.questions, trial.astype(int).tolist(), strict=True))
        for run, value in zip(outcomes.runs, values, strict=True):
            sample = [row for row in rows[run] for _ in range(times[row["question"]])]
            assert value == near(score(sample), CLOSE), run


def test_a_run_of_which_nothing_is_left_has_no_score(tmp_path):
    runs = {run: spell(verdict=4 * letter, confidence="1111") for run, letter in ("gE", "hC")}
    campaign = Campaign(tmp_path, policy={"error": "exclude"}).evaluate_graded(runs)
    for id in ("c@1", "nil_f", "mrr", "k1", "r", "cws"):
        outcomes, _ = campaign.outcomes(id)
        values = score_weighted(outcomes, np.ones((1, 4), np.float32))
        assert outcomes.runs == ["g", "h"] and np.isnan(values[:, 0]).all(), id


def test_a_run_has_one_order_whatever_the_subset(tmp_path):
    """The same column orders a run on every subset, even if all its answers there are tied."""
    rows = spell(verdict="WCW", confidence=[0.1, 0.9, 0.2], position=[1, None, None])
    campaign = Campaign(tmp_path).evaluate_graded({"r": rows})
    outcomes, _ = campaign.outcomes("cws")
    values = score_weighted(outcomes, np.array([[1, 1, 1], [0, 1, 1]], np.float32))[:, 0]
    assert values.tolist() == pytest.approx([(1 / 4 + 1 / 3) / 3, 1 / 2], abs=CLOSE)


def test_samples_are_drawn_block_by_block():
    outcomes, _ = campaign(measures.get("qa", "accuracy"), 6, questions=15)
    scores = intervals.score_samples(outcomes, 1, "c", PER_STREAM + 20)
    for block, start, trials in ((0, 0, PER_STREAM), (1, PER_STREAM, 20)):
        expected = score_weighted(outcomes, draw_bootstrap(1, "c", 15, block, trials)).T
        assert np.array_equal(scores[:, start : start + trials], expected)
    assert not np.array_equal(scores[:, :20], scores[:, PER_STREAM:])


@pytest.mark.parametrize(("task", "id"), [("qa", "cws"), ("validation", "auc")])
def test_more_rows_of_an_order_than_sixteen_bits_count(task, id):
    """Three questions that stand 30 000 times each, in blocks of two and one."""
    order = Order(np.array([0, 1, 2]), np.array([True, False, True]), np.array([0, 2]))
    outcomes = Outcomes(measures.get(task, id), ["r"], ["x", "y", "z"], orders=[order])
    [[value]] = score_weighted(outcomes, np.full((1, 3), 30_000, np.float32))
    if id == "auc":  # a tie, and a right row above
        assert value == 0.75
    else:  # half right among the first 60 000; then right only
        ranks = np.arange(1, 90_001)
        right = np.where(ranks <= 60_000, ranks / 2, ranks - 30_000)
        assert value == pytest.approx((right / ranks).mean(), abs=CLOSE)
