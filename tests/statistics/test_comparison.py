"""The tables of the comparison, and that neither threads nor the order of runs changes a figure."""

import os
import subprocess
import sys

import numpy as np
import polars as pl
import pytest
from comparing import count_outcomes, make_comparison
from conftest import HOME
from hypothesis import given, settings
from hypothesis import strategies as st
from literal_reliability import campaign
from nonresponse import measures
from nonresponse.report.sections import comparison as page
from nonresponse.statistics import comparison as told_apart
from nonresponse.statistics import pairs, sample_size
from nonresponse.statistics.analyses import make_tables
from nonresponse.statistics.outcomes import select_rows
from nonresponse.statistics.pairs import select_runs
from polars.testing import assert_frame_equal, assert_series_equal
from scipy.stats import binomtest

KINDS = [*(("qa", id) for id in ("c@1", "precision_answered", "k1", "cws", "accuracy"))]
KINDS += [("validation", "e@2"), ("validation", "auc"), ("dating", "s")]


@settings(max_examples=40)
@given(
    st.integers(0, 10**6),
    st.sampled_from(KINDS),
    st.sampled_from([8, 20, 60]),
    st.sampled_from([0.05, 0.1, 0.3]),
)
def test_p_is_at_most_a_level_exactly_where_the_interval_leaves_out_0(seed, kind, questions, level):
    """If McNemar's p is larger, the interval is widened to hold 0; else it stays."""
    outcomes, _ = campaign(measures.get(*kind), seed, 4, questions)
    intervals, pair_columns = make_comparison(outcomes, level, flips=20, samples=1)
    pair_columns = pair_columns.drop_nulls("p")
    best = intervals.filter("may_be_best")
    significant = pair_columns.filter(pl.col("p_maxt") <= level).select("a", "b").rows()
    assert {*best["rank_low"]} <= {1} and not any({*pair} <= {*best["run"]} for pair in significant)
    assert (
        (pair_columns["lower"] <= pair_columns["difference"])
        & (pair_columns["p_maxt"] >= pair_columns["p"])
    ).all()
    assert (pair_columns["difference"] <= pair_columns["upper"]).all()
    outside = (pair_columns["lower"] > 0) | (pair_columns["upper"] < 0)
    if select_runs(outcomes).pairs.influence.binary_values:
        assert (pair_columns["p"] <= level).filter(outside).all()
    else:
        assert outside.to_list() == (pair_columns["p"] <= level).to_list()


@pytest.mark.parametrize("id", ["coverage@0.1", "risk@0.8", "ece@10", "ece_mass@10"])
def test_measures_that_are_not_smooth_are_not_compared(id):
    outcomes, _ = campaign(measures.get("qa", id), 2, questions=60)
    intervals, comparisons = make_comparison(outcomes)
    assert not intervals["compared"].any()
    assert comparisons["p"].null_count() == comparisons.height == 15
    assert intervals.select(*told_apart.RANK_RANGE).null_count().row(0) == (6, 6, 6)


def test_two_runs_alone_have_the_p_of_their_pair():
    """Nothing is flipped for a single pair, and the pair's own p does not depend on other runs."""
    outcomes, _ = campaign(measures.get("qa", "c@1"), 2, 5, 60)
    alone = make_comparison(select_rows(outcomes, [1, 4]))[1]
    among = make_comparison(outcomes)[1].filter(a="run1", b="run4")
    assert alone["p_maxt"].item() == alone["p"].item() == pytest.approx(among["p"].item())


def test_p_by_accuracy_is_mcnemars_exact_test():
    right = np.random.default_rng(8).random((2, 30)) < 0.5
    row = make_comparison(count_outcomes("accuracy", n_ac=right))[1]
    p = binomtest((right[0] > right[1]).sum(), (right[0] != right[1]).sum()).pvalue
    assert row["p"].item() == row["p_maxt"].item() == pytest.approx(p)


@pytest.mark.parametrize(("questions", "answers"), [(100, 19), (100, 20), (19, 19)])
def test_few_answers_of_more_questions_have_no_detectable_difference(questions, answers):
    """The next questions may have even fewer: with ten, .74 of such differences were found."""
    is_answer, is_odd = np.arange(questions) < answers, np.arange(questions) % 2
    right, wrong = ([is_answer * odd, is_answer * (1 - odd)] for odd in (is_odd, 1 - is_odd))
    outcomes = count_outcomes("precision_answered", n_ac=right, n_aw=wrong)
    _, power = sample_size.make(outcomes, "gold", "c", {"level": 0.05, "seed": 1})
    has_least = answers >= min(questions, pairs.MIN_ANSWERS)
    assert power["detectable"].is_not_null().to_list() == [has_least] * 2


@pytest.mark.parametrize("few", [10, 90])
def test_runs_of_few_answers_say_nothing_of_the_questions_needed(few):
    """Six runs answer 200 questions, six others few: with 90, other questions reversed .08 of the
    pairs with one of them and the difference that 5 % of all pairs needed."""
    draw = np.random.default_rng(1)
    right = draw.random((12, 200)) < np.tile(np.linspace(0.3, 0.8, 6), 2)[:, None]
    answered = np.arange(200) < np.repeat([200, few], 6)[:, None]
    counts = {"n_ac": right & answered, "n_aw": ~right & answered}
    outcomes = count_outcomes("precision_answered", **counts)
    settings = {"level": 0.05, "seed": 1}
    needed, alone = (
        sample_size.make(part, "gold", "c", settings)[0]
        for part in (outcomes, select_rows(outcomes, [*range(6)]))
    )
    assert_frame_equal(needed.drop("left_out"), alone.drop("left_out"))
    assert needed["questions"].count() == needed.height
    assert (needed["left_out"][0], alone["left_out"][0]) == (6, 0)


@pytest.mark.parametrize("id", ["c@1", "nil_recall", "wrong_rate", "cws"])
def test_of_many_runs_the_best_are_compared_with_one_another_and_the_page_says_so(id, monkeypatch):
    """Rows are as without the other runs; intervals are those of all runs."""
    outcomes, _ = campaign(measures.get("qa", id), 3, runs=8, questions=30)
    full, _ = make_comparison(outcomes)
    order = pairs.order_runs(full["value"].to_numpy(), outcomes.measure.higher_is_better)
    ranks = sorted(order[:5].tolist())
    _, alone = make_comparison(select_rows(outcomes, ranks))
    monkeypatch.setattr(pairs, "MAX_RUNS", 5)
    monkeypatch.setattr(page, "MAX_RUNS", 5)
    intervals, comparisons = make_comparison(outcomes)
    assert comparisons.equals(alone) and comparisons.height == 10
    settings = {"seed": 1, "trials": 4, "swap_trials": 4, "size_trials": 2, "sizes": 15}
    settings |= {"bins": 5, "width": 0.05, "fuzziness": [0.05]}
    best = select_rows(outcomes, ranks)
    for analysis in ("swap", "stability", "error_curves"):
        tables = [make_tables(analysis, part, "gold", "c", settings) for part in (outcomes, best)]
        assert tables[0][0].equals(tables[1][0])
    tested_columns = ["compared", *told_apart.RANK_RANGE]
    assert intervals.drop(tested_columns).equals(full.drop(tested_columns))
    assert intervals["rank_low"].is_not_null().to_list() == intervals["compared"].to_list()
    tested = np.flatnonzero(intervals["compared"]).tolist()
    assert tested == [run for run in ranks if full["compared"][run]]
    remarks = page.list_not_compared(comparisons, intervals, id)
    assert remarks[0] == f"Of 8 runs, only the best 5 by {id} are compared with one another."
    decided_by_one = {outcomes.runs[run] for run in ranks if run not in tested}
    assert {run for run in outcomes.runs if run in " ".join(remarks[1:])} == decided_by_one


FIGURES = """
from dataclasses import replace
import numpy as np
from comparing import make_comparison
from literal_reliability import campaign
from nonresponse import measures
from nonresponse.statistics import stability, swap

for task, id in (("qa", "c@1"), ("qa", "cws"), ("dating", "s")):
    outcomes, _ = campaign(measures.get(task, id), 1, runs=40, questions=400, excluding=True)
    if id == "s":  # similarities with all the binary places they may have
        places = np.random.default_rng(1).integers(0, 2**32, (40, 400)) / 2**32
        outcomes = replace(outcomes, matrices=outcomes.matrices | {"similarity": places})
    print(*stability.count_trials(outcomes, 1, "c", 200, range(260), [0.01, 0.05]))
    counts, highest = swap.count_draws(outcomes, 1, "c", [(200, i) for i in range(110)], swap.list_bins())
    print(counts.tolist(), highest)
    for frame in make_comparison(outcomes, samples=260, flips=260, level=0.05):
        print(frame.write_csv())  # all digits
"""

NEWER = "X86_V3 X86_V4 AVX512_ICL AVX512_SPR"  # than the oldest processors that NumPy runs on


@pytest.mark.slow
def test_the_same_bytes_on_one_thread_and_on_two_and_on_older_processors():
    path = os.pathsep.join([str(HOME / "tests"), str(HOME / "src")])
    printed, options = [], {"capture_output": True, "text": True, "check": True}
    for threads, lacking in (("1", {}), ("2", {"NPY_DISABLE_CPU_FEATURES": NEWER})):
        env = os.environ | dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), threads)
        env |= {"PYTHONPATH": path, **lacking}
        command = [sys.executable, "-c", FIGURES]
        printed.append(subprocess.run(command, env=env, **options).stdout)
    assert printed[0] == printed[1] and len(set(printed[0].split())) > 1000


@pytest.mark.parametrize("kind", [*KINDS, ("validation", "f@0.5"), ("dating", "s_c")])
def test_the_order_of_the_runs_changes_nothing_but_the_order(kind):
    outcomes, _ = campaign(measures.get(*kind), 2, questions=20)
    intervals, comparisons = make_comparison(outcomes)
    permuted, opponents = make_comparison(select_rows(outcomes, [3, 0, 5, 2, 4, 1]))
    assert_frame_equal(permuted.sort("run"), intervals, abs_tol=1e-12)
    p = ["p_maxt", "p"]
    mirrored = opponents.select(
        "b", "a", -pl.col("difference"), -pl.col("upper"), -pl.col("lower"), *p
    )
    mirrored.columns = opponents.columns
    oriented = pl.concat([opponents, mirrored]).filter(pl.col("a") < pl.col("b")).sort("a", "b")
    assert_frame_equal(oriented, comparisons, abs_tol=1e-12)


@pytest.mark.parametrize("id", ["nil_recall", "nil_f", "precision_answered", "romip_recall"])
def test_questions_that_count_for_no_run_change_no_test(id):
    """Twenty questions without an answer tell as much about nil_recall among 20 as among 300."""
    outcomes, _ = campaign(measures.get("qa", id), 3, runs=6, questions=30)
    padded = {name: np.pad(m, ((0, 0), (0, 270))) for name, m in outcomes.matrices.items()}
    many = make_comparison(count_outcomes(id, **padded | {"n": np.ones((1, 300))}))[1]
    few = make_comparison(outcomes)[1]
    assert many["p_maxt"].null_count() < 15
    # The signs are others; among few, nil_recall has McNemar's test, and among many Student's
    room = 0.07 if id in ("nil_recall", "romip_recall") else 1e-4
    for name in ("difference", "lower", "upper", "p"):
        assert_series_equal(many[name], few[name], check_exact=False, abs_tol=room)
    assert_series_equal(many["p_maxt"], few["p_maxt"], check_exact=False, abs_tol=0.07)
