"""Rankings under other judgments and by other measures: SciPy and real campaigns."""

import random
from itertools import combinations, permutations

import numpy as np
import polars as pl
import pytest
from conftest import HOME
from hypothesis import given, settings
from hypothesis import strategies as st
from nonresponse import measures, tables, tasks
from nonresponse.formats.counts import read_counts
from nonresponse.judging.store import read_verdicts
from nonresponse.scoring import score, tally
from nonresponse.statistics import rankings
from nonresponse.statistics.analyses import Inputs
from nonresponse.statistics.rankings import compare_scenarios
from nonresponse.tasks.validation import ACCEPT_ALL, REJECT_ALL
from pipeline import Campaign
from scipy.stats import kendalltau

# questions: scores are hundredths, so that ties and differences of exactly 0.05 and 0.07 are
# frequent
N = 100
COUNTS = st.lists(st.tuples(*[st.integers(0, 12)] * 2), min_size=2, max_size=15)


@given(COUNTS)
@settings(deadline=None)
def test_tau_as_in_scipy(counts):
    x, y = (np.array(column) / N for column in zip(*counts, strict=True))
    expected = kendalltau(x, y).statistic
    tau = rankings.kendall_tau_b(x, y)
    assert tau is None if np.isnan(expected) else tau == pytest.approx(expected, abs=1e-12)


def test_what_only_rounding_tells_apart_is_equal():
    x = np.array([0.1 + 0.2, 0.3, 0.5])
    assert x[0] != x[1]
    assert rankings.kendall_tau_b(x, np.array([0.3, 0.3, 0.5])) == 1
    assert not rankings.find_swapped(x, np.array([0.3, 0.4, 0.5])).any()


def rank(folder, task: str, counts: pl.DataFrame, scores: dict, **settings) -> pl.DataFrame:
    """Return rankings.csv of these counts and tables of scores by measure."""
    frames = {"counts": counts} | {f"scores/{id}": table for id, table in scores.items()}
    files = [folder / f"{name}.parquet" for name in frames]
    for frame, file in zip(frames.values(), files, strict=True):
        tables.write(frame, file)
    settings |= {"measures": [*scores], "policy": tasks.POLICIES, "official": "official"}
    return rankings.summarise(Inputs(files[0], scores=files[1:]), task, settings)[0]


def test_numbers_of_questions_are_ranked_as_shares(tmp_path):
    """ROMIP's counts: of 100 questions, 61 and 64 differ by 0.03, which is below 0.05."""
    columns = {"assessor": ["official"] * 4 + ["other"] * 4, "run": 2 * ["r0", "r1", "r2", "r3"]}
    counts = pl.DataFrame(columns | {"n": [100, 100, 100, 0] * 2})
    values = [61.0, 64.0, 20.0, None, 64.0, 61.0, 20.0, 0.0]
    good = pl.DataFrame(columns | dict.fromkeys(("value", "worst", "best"), values))
    scores = {"romip_good": good, "accuracy": good.with_columns(value=1.0)}
    table = rank(tmp_path, "qa", counts, scores).filter(pl.col("measure") == "romip_good")
    expected = (3, 1, 0, pytest.approx(0.03))
    assert table.select("runs", "swaps", "swaps_005", "largest_difference").row(0) == expected


def test_a_table_of_counts_is_ranked_by_each_measure_without_its_trivial_runs(tmp_path):
    """Solovyev, table 3: the two trivial runs are named in the configuration."""
    counts, faults = read_counts(HOME / "resources/solovyev-table-3/counts.csv", "validation")
    assert not faults
    total, _, variants = tally.adopt_table(counts)
    scores = {}
    for id in ("e@2", "f@0.5"):
        measure = measures.get("validation", id)
        bounds = score.evaluate_counts(measure, variants)
        scores[id] = score.add_bounds(measure, score.evaluate_counts(measure, total), bounds)
    table = rank(tmp_path, "validation", total, scores)
    run_name = next(run for run in total["run"] if run not in (ACCEPT_ALL, REJECT_ALL))
    fewer = rank(tmp_path, "validation", total, scores, accept_all=run_name)
    assert fewer["runs"].to_list() == [5]
    assert table.select("compared", "runs").rows() == [("measures", 6)]
    # 11 pairs in the same order, 4 in the other
    assert table["tau"].item() == pytest.approx((11 - 4) / 15)


SCENARIOS = {
    "strict": ({"correct": ["R"]}, {}),
    "lenient": ({"correct": ["R", "U", "X"]}, {}),
    "silent": ({"correct": ["R"]}, {"unscored": "unanswered"}),
}


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    """Evaluate eight runs of different skill and two assessors as the workflow does."""
    folder, rng = tmp_path_factory.mktemp("scenarios"), random.Random(3)
    questions = [f"q{i}" for i in range(40)]
    labels = {"a": "RRRXU", "b": "RRWWUX", "c": "RRWWUX"}  # nobody judged d

    def draw_answer(share: float) -> str:
        return rng.choice(["", *"abcd"]) if rng.random() < share else "a"

    runs = {
        f"r{i}": [{"question": q, "answer": draw_answer(0.3 + i / 12)} for q in questions]
        for i in range(8)
    }
    judgments = {
        assessor: [
            {"question": q, "answer": answer, "label": rng.choice(labels[answer])}
            for q in questions
            for answer in answers
        ]
        for assessor, answers in (("official", "abc"), ("other", "ab"))
    }
    campaigns = {}
    for name, (rules, policy) in SCENARIOS.items():
        root = folder if name == "strict" else folder / "scenarios" / name
        campaigns[name] = Campaign(root, policy=policy).evaluate_runs(runs, judgments, **rules)
        campaigns[name].inputs("c@1", "accuracy")
    return folder, campaigns


SETTINGS_OF_PAGE = {"measures": ["c@1", "accuracy"], "own": "strict", "official": "official"}
SETTINGS_OF_PAGE["scenarios"] = [
    [name, {"correct": rules["correct"], "unscored": policy.get("unscored", "wrong")}]
    for name, (rules, policy) in SCENARIOS.items()
]


def count_scores(campaigns: dict, name: str) -> dict[str, dict[str, float]]:
    """Return c@1 and accuracy of every run, counted in a loop over the official verdicts."""
    verdicts: dict = {}
    for row in read_verdicts(campaigns[name].verdicts).rows().rows(named=True):
        if row["assessor"] == "official":
            unscored = SCENARIOS[name][1].get("unscored", "wrong")
            verdict = unscored if row["verdict"] == "unscored" else row["verdict"]
            verdicts.setdefault(row["run"], []).append(verdict)
    scores: dict = {"c@1": {}, "accuracy": {}}
    for run, words in verdicts.items():
        n, right = len(words), words.count("correct")
        scores["accuracy"][run] = right / n
        scores["c@1"][run] = (right + words.count("unanswered") * right / n) / n
    return scores


@pytest.mark.slow
@pytest.mark.parametrize("id", ["c@1", "accuracy"])
def test_scores_ranks_tau_and_swaps_are_those_of_loops_over_the_verdicts(campaign, id):
    folder, campaigns = campaign
    scores, rankings = (
        table.filter(measure=id)
        for table in compare_scenarios(folder, "qa", SETTINGS_OF_PAGE, "official")
    )
    value = {name: count_scores(campaigns, name)[id] for name in SCENARIOS}
    assert len({str(values) for values in value.values()}) == (3 if id == "c@1" else 2)
    for name, values in value.items():
        for run, own_score, place in (
            scores.filter(scenario=name).select("run", "value", "rank").rows()
        ):
            ahead = sum(rival > values[run] + 1e-12 for rival in values.values())
            assert (own_score, place) == (pytest.approx(values[run]), 1 + ahead)
    for x_name, y_name in combinations(SCENARIOS, 2):
        x, y = value[x_name], value[y_name]
        key = {"scenario": x_name, "other_scenario": y_name}
        row = rankings.filter(**key).row(0, named=True)
        runs = sorted(x)
        ranked = ([round(values[run], 12) for run in runs] for values in (x, y))
        assert row["tau"] == pytest.approx(kendalltau(*ranked).statistic)
        pairs = permutations(runs, 2)
        crossed = {(a, b) for a, b in pairs if x[a] - x[b] > 1e-12 and y[b] - y[a] > 1e-12}
        assert row["swaps"] == len(crossed)
    assert rankings["swaps"].sum() > 0 and rankings["assessors_mean_tau"].is_not_null().all()
