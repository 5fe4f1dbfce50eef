"""Scores corrected for a judge's errors: published examples, and simulated judges whose errors are known."""

import numpy as np
import polars as pl
import pytest
from nonresponse.reliability import corrections

Y, J = np.array([1, 1, 0, 1, 0, 1, 0, 1]), np.array([1, 1, 1, 1, 0, 1, 1, 1])


def squares(y: np.ndarray, j: np.ndarray) -> np.ndarray:
    return np.array([[((y == i) & (j == k)).sum() for k in (0, 1)] for i in (0, 1)])


def rounded(interval) -> tuple:
    return tuple(round(value, 6) for value in interval)


def test_rogan_gladen_as_in_its_reference_code():
    """The two examples of LLM-judge-reporting's calibration.py, as ABSTENTION.md has them."""
    assert rounded(corrections.rogan_gladen(0.62, 500, 0.9, 100, 0.85, 100, 0.05)) == (0.693333, 0.608347, 0.791667)
    assert rounded(corrections.rogan_gladen(0.4, 1000, 0.7, 200, 0.9, 200, 0.05)) == (0.166667, 0.056351, 0.262733)


@pytest.mark.parametrize(("q0", "q1"), [(0.5, 0.5), (0.3, 0.6), (1.0, 0.0), (0.0, 1.0)])
def test_a_judge_no_better_than_chance_corrects_nothing(q0, q1):
    assert corrections.rogan_gladen(0.6, 100, q0, 50, q1, 50, 0.05) is None


def test_prediction_powered_inference_as_in_its_reference_code():
    """ppi_py on eight responses judged twice and twenty judged once, as ABSTENTION.md has it."""
    both = squares(Y, J)
    ppi, plus, alone = (corrections.prediction_powered(both, 20, 14, 0.05, weight) for weight in (1.0, None, 0.0))
    assert rounded(ppi[0]) == (0.45, 0.088933, 0.811067)
    assert rounded(plus[0]) == (0.574777, 0.260678, 0.888876)
    assert rounded(alone[0]) == (0.625, 0.289526, 0.960474)


def test_a_judge_who_says_the_same_of_all_has_no_weight():
    for both in (np.array([[0, 4], [0, 6]]), np.array([[4, 0], [6, 0]])):
        interval, weight = corrections.prediction_powered(both, 10, 10 if both[0, 1] else 0, 0.05)
        assert weight == 0 and interval[0] == 0.6


def cases(draw, rights: list, hits: list, alarms: list, twice: int = 150, once: int = 600) -> pl.DataFrame:
    """judges.crossed of one judge, whose sensitivity is `hits` and whose specificity is 1 - `alarms`, run by run."""
    rows = []
    for run, (right, hit, alarm) in enumerate(zip(rights, hits, alarms, strict=True)):
        truth = draw.random(twice + once) < right
        said = draw.random(twice + once) < np.where(truth, hit, alarm)
        for number, (ours, theirs) in enumerate(zip(truth, said, strict=True)):
            word = {True: "correct", False: "wrong"}
            rows.append(("judge", f"r{run}", word[bool(theirs)], word[bool(ours)] if number < twice else "unscored"))
    frame = pl.DataFrame(rows, ["judge", "run", "theirs", "ours"], orient="row")
    return frame.group_by(frame.columns).agg(responses=pl.len().cast(pl.Int64)).sort(frame.columns)


def simulated(times: int, rights: list, hits: list, alarms: list, level: float = 0.05) -> dict:
    """Of each estimate how often its interval holds the truth, and how far it is off; how often errors differ."""
    prefixes, found = corrections.PREFIXES, {"raw": [], "sensitivity_p": [], "specificity_p": []}
    found |= {f"{name} {what}": [] for name in prefixes for what in ("held", "width")}
    for number in range(times):
        draw = np.random.default_rng([6, number])
        known = cases(draw, rights, hits, alarms)
        table = corrections.corrected_scores(known, "human", {f"r{run}": 750 for run in range(len(rights))}, level)
        found["raw"] += [abs(a - b) for a, b in zip(table["as_judged"], rights, strict=True)]
        for name, p in corrections.differences(known, "judge", number).items():
            found[name].append(p <= level)
        for name in prefixes:
            low, high = table[f"{name}_lower"].to_numpy(), table[f"{name}_upper"].to_numpy()
            found[f"{name} held"] += list((low <= rights) & (rights <= high))
            found[f"{name} width"] += list(high - low)
    return {name: float(np.mean(values)) for name, values in found.items()}


@pytest.mark.slow
def test_intervals_hold_the_truth_where_errors_are_the_same_for_all_runs():
    found = simulated(150, [0.3, 0.5, 0.7], [0.9] * 3, [0.15] * 3)
    assert all(found[f"{name} held"] >= 0.92 for name in corrections.PREFIXES), found
    assert found["ppi width"] < found["official width"], "the judge helps"
    assert found["pooled width"] < found["rogan_gladen width"], "and the more, the more is known of it"
    assert found["sensitivity_p"] <= 0.1 and found["specificity_p"] <= 0.1, "its level"


@pytest.mark.slow
def test_errors_that_differ_between_runs_are_seen_and_spoil_the_pooled_correction():
    """And none but the pooled one."""
    found = simulated(100, [0.3, 0.5, 0.7], [0.95, 0.9, 0.7], [0.35, 0.15, 0.05])
    assert all(found[f"{name} held"] >= 0.91 for name in ("official", "ppi", "rogan_gladen")), found
    assert found["pooled held"] < 0.5 and found["sensitivity_p"] > 0.9 and found["specificity_p"] > 0.9


def test_what_there_is_nothing_to_correct_of():
    draw = np.random.default_rng(1)
    known = cases(draw, [0.5], [0.9], [0.1])
    for lacking in (known.filter(pl.col("ours") != "unscored"), known.filter(pl.col("ours") == "unscored")):
        assert corrections.corrected_scores(lacking, "human", {"r0": 750}, 0.05).is_empty()
    assert corrections.corrected_scores(known, "judge", {"r0": 750}, 0.05).is_empty(), "the official assessor"
    assert corrections.differences(known, "judge", 1) == dict.fromkeys(corrections.DIFFERS), "one run"


def test_refused_for_one_run_and_not_for_another():
    draw = np.random.default_rng(2)
    known = cases(draw, [0.5, 0.5, 1.0], [0.2, 0.9, 0.9], [0.9, 0.1, 0.1])
    table = corrections.corrected_scores(known, "human", {f"r{run}": 750 for run in range(3)}, 0.05)
    assert table["rogan_gladen"].is_null().to_list() == [True, False, True], "worse than chance; right; all are correct"
    assert table["ppi"].is_not_null().all()


def test_shares_are_of_all_questions():
    """Half of the questions have no response to judge."""
    draw = np.random.default_rng(3)
    known = cases(draw, [0.8], [1.0], [0.0])
    row = corrections.corrected_scores(known, "human", {"r0": 1500}, 0.05).row(0, named=True)
    assert row["as_judged"] == pytest.approx(row["ppi"], abs=0.01) and 0.37 < row["ppi"] < 0.43
    assert (row["questions"], row["twice"], row["others"]) == (1500, 150, 600)


def test_equal_shares_as_in_a_chi_square_test():
    from scipy.stats import chi2_contingency

    called, judged = np.array([80, 70, 95, 60]), np.array([100, 100, 110, 90])
    expected = chi2_contingency([called, judged - called], correction=False).pvalue
    found = corrections.differs(called, judged, np.random.default_rng(1))
    assert found == pytest.approx(expected, abs=0.01)
    assert corrections.differs(np.array([3, 0]), np.array([5, 0]), np.random.default_rng(1)) is None
    assert corrections.differs(np.array([5, 9]), np.array([5, 9]), np.random.default_rng(1)) == 1
