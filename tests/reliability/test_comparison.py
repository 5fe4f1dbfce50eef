"""Groups of runs, the tables of the comparison, and that neither threads nor the order of runs changes a figure."""

import os
import re
import subprocess
import sys

import numpy as np
import polars as pl
import pytest
from comparing import compared, paired
from conftest import HOME
from hypothesis import given, settings
from hypothesis import strategies as st
from literal_reliability import campaign
from nonresponse import measures
from nonresponse.reliability import analyses, bootstrap, groups
from nonresponse.reliability.outcomes import Outcomes, only, values


def by_distance(score: np.ndarray) -> np.ndarray:
    """p of every pair as that of a test that looks at the size of the difference only."""
    x, y = np.triu_indices(len(score), 1)
    return 1 - np.abs(score[x] - score[y])


def letters_of(text: str) -> set[str]:
    return set(re.findall("[a-z]'*", text))


@settings(max_examples=300, deadline=None)
@given(
    score=st.lists(st.one_of(st.just(np.nan), st.integers(0, 32).map(lambda k: k / 32)), max_size=12),
    level=st.integers(16, 31).map(lambda k: k / 32),
    higher=st.booleans(),
)
def test_runs_that_share_a_letter_are_those_not_told_apart(score, level, higher):
    score = np.array(score, float)
    p = by_distance(score)
    found = [letters_of(text) for text in groups.groups(score, p, level, higher)]
    for p_of_pair, x, y in zip(p, *np.triu_indices(len(score), 1), strict=True):
        assert bool(found[x] & found[y]) == (p_of_pair > level)
    known = np.flatnonzero(~np.isnan(score))
    assert [bool(letters) for letters in found] == (~np.isnan(score)).tolist()
    if len(known):
        best = known[np.argmax(score[known] if higher else -score[known])]
        assert "a" in found[best]
        # No letter is missing, and none is part of another.
        members = {letter: {i for i in known if letter in found[i]} for letter in set().union(*found)}
        assert sorted(members) == [groups.letter(i) for i in range(len(members))]
        assert not any(a < b or (a == b and one != other) for one, a in members.items() for other, b in members.items())


def test_more_groups_than_letters():
    score = np.arange(60) / 60
    found = groups.groups(score, by_distance(score), 0.99, True)
    assert found[59] == "a" and found[34] == "z" and found[33] == "a'" and found[0] == "h''"
    assert len(set(found)) == 60


@pytest.mark.parametrize(
    ("task", "id"),
    [
        *[("qa", "c@1"), ("qa", "precision_answered"), ("qa", "k1"), ("qa", "cws"), ("validation", "e@2")],
        *[("dating", "s"), ("dating", "s_c")],
    ],
)
def test_the_tables_hold_what_was_found(task, id):
    seen, score_of = campaign(measures.get(task, id), 2, questions=20, excluding=True)
    intervals, comparisons = compared(seen)
    score = values(seen, np.ones((1, seen.n), np.float32))[0]
    samples = bootstrap.sampled_scores(seen, 1, "c", range(300))
    score = np.where(np.isnan(samples).mean(axis=1) > 0.1, np.nan, score)  # too few questions to be compared
    assert intervals.columns == ["assessor", "run", "value", "lower", "upper", "bca_lower", "bca_upper", "groups"]
    assert comparisons.columns == ["a", "b", "difference", "lower", "upper", "p", "p_holm", "p_tukey"]
    assert intervals["run"].to_list() == seen.runs and intervals["assessor"].unique().to_list() == ["gold"]
    for frame in (intervals, comparisons):
        assert not any(column.is_nan().any() for column in frame.select(pl.selectors.float()))
    for run, row in enumerate(intervals.rows(named=True)):
        should = score_of(run, range(seen.n))
        if should is None:
            assert row["value"] is None
        else:
            assert row["value"] == pytest.approx(float(should), abs=1e-9)
        if np.isnan(score[run]):
            assert row["groups"] == ""
            assert {row[name] for name in ("lower", "upper", "bca_lower", "bca_upper")} == {None}
        else:
            ends = np.nanquantile(samples[run], [0.05, 0.95])
            assert (row["lower"], row["upper"]) == pytest.approx(tuple(ends), abs=1e-12)
    pairs = [(x, y) for x in range(6) for y in range(x + 1, 6)]
    p = paired(seen, score, 300)
    for row, (x, y), p_of_pair in zip(comparisons.rows(named=True), pairs, p, strict=True):
        assert (row["a"], row["b"]) == (seen.runs[x], seen.runs[y])
        if np.isnan(score[x]) or np.isnan(score[y]):
            assert {row[name] for name in comparisons.columns[3:]} == {None}
        else:
            assert row["difference"] == score[x] - score[y] and row["p"] == p_of_pair
            assert row["p"] <= row["p_holm"] <= 1
    # Letters follow from Tukey's p, the first one to the best run.
    letters = dict(zip(intervals["run"], map(letters_of, intervals["groups"]), strict=True))
    for a, b, apart in comparisons.drop_nulls("p_tukey").select("a", "b", pl.col("p_tukey") <= 0.1).rows():
        assert bool(letters[a] & letters[b]) is not apart
    best = intervals.drop_nulls("value").sort("value", descending=seen.measure.higher_is_better)["run"][0]
    assert "a" in letters[best]


def test_one_run_and_none_with_a_score():
    seen, _ = campaign(measures.get("qa", "precision_answered"), 2)
    intervals, comparisons = compared(only(seen, [3]))
    assert intervals["groups"].to_list() == ["a"] and comparisons.is_empty()
    silent = Outcomes(seen.measure, seen.runs, seen.questions, {name: 0 * m for name, m in seen.matrices.items()})
    intervals, comparisons = compared(silent)
    assert intervals["groups"].to_list() == [""] * 6 and intervals["value"].null_count() == 6
    assert comparisons["p"].null_count() == comparisons.height == 15
    for table in (comparisons, compared(only(seen, [3]))[1]):
        power = groups.discriminative_power(table, 0.05)
        assert power == {"pairs": 0, "interval": None, "p": None, "holm": None, "tukey": None}


def test_discriminative_power_by_hand():
    table = pl.DataFrame(
        {
            "difference": [0.1, -0.2, 0.0, None],
            "lower": [0.01, -0.3, -0.1, None],
            "upper": [0.2, -0.1, 0.1, None],
            "p": [0.05, 0.001, 0.9, None],
            "p_holm": [0.06, 0.003, 1.0, None],
            "p_tukey": [0.2, 0.04, 1.0, None],
        }
    )
    power = groups.discriminative_power(table, 0.05)
    assert power == {"pairs": 3, "interval": 2 / 3, "p": 2 / 3, "holm": 1 / 3, "tukey": 1 / 3}


@pytest.mark.parametrize(
    ("task", "id"), [("qa", "c@1"), ("qa", "k1"), ("validation", "auc"), ("validation", "f@0.5"), ("dating", "s_c")]
)
def test_the_order_of_the_runs_changes_nothing_but_the_order(task, id):
    """p_tukey stays the same at least within its Monte Carlo error."""
    seen, _ = campaign(measures.get(task, id), 2, questions=20)
    intervals, comparisons = compared(seen, deals=2000)
    turned, others = compared(only(seen, [3, 0, 5, 2, 4, 1]), deals=2000)
    assert turned.drop("groups").sort("run").equals(intervals.drop("groups"))
    names, values_of = ["lower", "upper"], ["p", "p_holm", "p_tukey"]
    mirrored = others.select("b", "a", -pl.col("difference"), -pl.col("upper"), -pl.col("lower"), *values_of)
    mirrored.columns = others.columns
    both = pl.concat([others, mirrored]).filter(pl.col("a") < pl.col("b")).sort("a", "b")
    assert both.select("a", "b", "difference", "p", "p_holm").equals(
        comparisons.select("a", "b", "difference", "p", "p_holm")
    )
    for name in names:
        assert both[name].to_list() == pytest.approx(comparisons[name].to_list(), abs=1e-12)
    gap = (both["p_tukey"] - comparisons["p_tukey"]).drop_nulls().abs()
    assert (gap <= 4 * np.sqrt(2 * 0.25 / 2000)).all()


EVERYTHING = """
import hashlib
from dataclasses import replace
import numpy as np
from comparing import compared
from literal_reliability import campaign
from nonresponse import measures
from nonresponse.reliability import majority, swap_method

def digest(*arrays):
    return hashlib.sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()

SOME = (("qa", "c@1"), ("qa", "k1"), ("qa", "cws"), ("validation", "f@0.5"), ("validation", "auc"), ("dating", "s"))
for task, id in SOME:
    seen, _ = campaign(measures.get(task, id), 1, runs=40, questions=400, excluding=True)
    if id in ("k1", "s"):  # self-scores and similarities with all the binary places they may have
        least, name = (-(2**32), "signed") if id == "k1" else (0, "similarity")
        places = np.random.default_rng(1).integers(least, 2**32, (40, 400)) / 2**32
        seen = replace(seen, matrices=seen.matrices | {name: places})
    print(digest(*majority.counters(seen, 1, "c", 200, range(260), [0.01, 0.05])))
    *counted, highest = swap_method.counters(seen, 1, "c", 200, range(110), swap_method.lower_bounds())
    print(digest(*counted), highest)
    for frame in compared(seen, samples=260, exchanges=260, deals=50, level=0.05):
        print(digest(*(frame[name].to_numpy() for name in frame.columns if frame[name].dtype.is_numeric())))
        print(hashlib.sha256(frame.write_csv().encode()).hexdigest())
"""


def test_the_same_bytes_on_one_thread_and_on_two():
    path = os.pathsep.join([str(HOME / "tests"), str(HOME / "scripts")])
    printed = [
        subprocess.run(
            [sys.executable, "-c", EVERYTHING],
            env=os.environ | {"PYTHONPATH": path, "OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2")
    ]
    assert printed[0] == printed[1] and len(set(printed[0].split())) > 25


def test_a_run_that_is_right_once_out_of_once_is_not_compared():
    """Its precision is 1 or undefined on every sample: an interval from 1 to 1 would be false certainty."""
    draw = np.random.default_rng(1)
    right = draw.random((3, 100)) < 0.5
    wrong = ~right
    right[0], wrong[0] = np.arange(100) == 0, False
    matrices = {"n_ac": right.astype(np.float32), "n_aw": wrong.astype(np.float32), "n": np.ones((1, 100), np.float32)}
    names = list("abc"), [f"{question:03}" for question in range(100)]
    intervals, comparisons = compared(Outcomes(measures.get("qa", "precision_answered"), *names, matrices))
    assert intervals.row(0)[1:] == ("a", 1.0, None, None, None, None, "")
    assert intervals["groups"][1] and comparisons["p_tukey"].null_count() == 2
    assert groups.discriminative_power(comparisons, 0.1)["pairs"] == 1


def test_numbers_of_questions_stay_numbers():
    draw = np.random.default_rng(1)
    matrices = {"q_answered": (draw.random((3, 50)) < 0.6).astype(np.float32), "n": np.ones((1, 50), np.float32)}
    names = list("abc"), [f"{question:02}" for question in range(50)]
    intervals, _ = compared(Outcomes(measures.get("qa", "romip_answered"), *names, matrices))
    assert intervals["value"].to_list() == matrices["q_answered"].sum(axis=1).tolist()
    assert ((intervals["lower"] > 15) & (intervals["upper"] < 45)).all()


@pytest.mark.parametrize(
    ("task", "id"),
    [("qa", "c@1"), ("qa", "cws"), ("validation", "f@0.5"), ("qa", "precision_answered"), ("dating", "s")],
)
@pytest.mark.parametrize("analysis", [id for id in analyses.NAMES if analyses.get(id).trials])
def test_blocks_of_trials_count_what_one_job_counts(analysis, task, id):
    seen, _ = campaign(measures.get(task, id), 1, runs=5, questions=40)
    options = {"seed": 1, "size": 20, "trials": 13, "subsets": "shared", "fuzziness": [0.05], "bins": 4, "width": 0.1}
    options |= {"size_trials": 5, "sizes": 20, "samples": 600, "exchanges": 260, "deals": 510, "level": 0.05}
    trials = analyses.get(analysis).trials
    whole = trials.counted(seen, "c", options)
    for blocks in (2, 3, 20):
        parts = [trials.counted(seen, "c", options, block, blocks) for block in range(blocks)]
        added = trials.added(parts)
        assert added.keys() == whole.keys()
        assert all(np.array_equal(added[name], whole[name], equal_nan=True) for name in whole)
