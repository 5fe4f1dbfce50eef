"""The findings of small leaderboards, computed by hand; and their sentences."""

import random
import re
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonresponse import measures, tasks
from nonresponse.report import findings, sentences
from nonresponse.report.findings import Comparison, Finding
from nonresponse.scoring.leaderboard import add_ranks

PAIRS = dict.fromkeys(("a", "b"), pl.String)
PAIRS |= dict.fromkeys(("difference", "lower", "upper", "p_maxt"), pl.Float64)


def list_findings(
    id: str, counts: dict[str, tuple], pairs: list[tuple] | None = None, paired=True, **options
) -> dict[str, Finding]:
    """Return the findings by code of runs with these correct, wrong and unanswered responses.

    Options are the policy, and columns of the leaderboard in the order of the counts. `ends` has the
    bounds and the interval of each score.
    """
    policy = options.pop("policy", {"unscored": "wrong"})
    if ends := options.pop("ends", None):
        names = [f"{id} {end}" for end in ("worst", "best", "lower", "upper")]
        options |= dict(zip(names, zip(*ends, strict=True), strict=True))
    rows = [(run, *map(float, numbers)) for run, numbers in counts.items()]
    board = pl.DataFrame(rows, ["run", "n_ac", "n_aw", "n_u"], orient="row").with_columns(
        n=pl.sum_horizontal("n_ac", "n_aw", "n_u"),
        **{"trivial": False, "n_rightful": 0.0, "n_aw_partial": 0.0, "n_x_partial": 0.0},
    )
    board = board.with_columns(**{key: pl.Series(values) for key, values in options.items()})
    measure = measures.get("qa", id)
    with np.errstate(invalid="ignore"):
        value = measure(**{name: board[name].to_numpy() for name in measure.totals})
    board = add_ranks(board.with_columns(pl.Series(id, value, nan_to_null=True)), measure)
    table = None if pairs is None else pl.DataFrame(pairs, PAIRS, orient="row")
    qa, comparison = tasks.get("qa"), Comparison(table, paired)
    return {x.code: x for x in findings.list_findings(board, qa, measure, comparison, policy)}


A, B = (6, 2, 2), (5, 5, 0)  # c@1 is 0.72 and 0.5, accuracy 0.6 and 0.5
AB, USUAL = {"a": A, "b": B}, {"leader": {}, "unanswered": {}, "worth": {}}
P = [("b", "a", -0.22, -0.4, -0.04, 0.05), ("a", "c", 0.24, -0.1, 0.5, 0.051)]
NO_P = (None, None, None)
# The measure, counts, further options, the finding that warns, and values by finding
# fmt: off
CASES = {
    "one run tied, one not": (
        "c@1", AB | {"c": (4, 4, 2)}, {"pairs": [*P, ("b", "c", 0.02, *NO_P)]}, "order",
        {"leader": {"best": ["a"], "top": 0.72, "tied": ["c"], "others": 2, "second": "b",
                    "gap": 0.22, "low": 0.04, "high": 0.4, "p": 0.05, "runs": 3, "alone": False},
         "unanswered": {"with_some": 2, "measure": "accuracy", "leaders": ["a"], "top": 0.6,
                        "changes": False, "score_of_first": 0.6, "coverage": 0.8,
                        "rightful": False},
         "worth": {"below": [], "above": 1, "runs": 3},
         "order": {"pairs": 2, "all_pairs": 3, "different": 1, "holds": ""}},
    ),
    "first by accuracy, not by c@1": (
        "accuracy", {"a": (6, 4, 0), "b": (5, 1, 4)}, {}, "unanswered",
        {"leader": {"best": ["a"], "tied": [], "gap": 0.1, "p": None, "low": None},
         "unanswered": {"with_some": 1, "measure": "c@1", "leaders": ["b"], "top": 0.7,
                        "changes": True, "score_of_first": 0.6, "coverage": 0.6},
         "worth": {"below": [], "above": 2}},
    ),
    "two share the lead, one of them by accuracy too, from counts alone": (
        "c@1", {"a": (10, 0, 10), "b": (15, 5, 0), "c": (1, 18, 1)},
        {"pairs": [("a", "b", 0.0, -0.1, 0.1, None), ("a", "c", 0.7, *NO_P)], "paired": False},
        "unanswered",
        {"leader": {"best": ["a", "b"], "others": 1, "second": "b", "gap": 0, "low": -0.1},
         "unanswered": {"leaders": ["b"], "top": 0.75, "changes": True, "score_of_first": 0.5},
         "worth": {"below": ["c"], "above": 2}},
    ),
    "lower is better, and all are worse than never answering": (
        "hallucination_rate", {"a": (1, 4, 5), "b": (3, 6, 1)},
        {"pairs": [("b", "a", 0.1, 0.05, 0.2, 0.3)]}, "worth",
        {"leader": {"best": ["a"], "top": 4 / 9, "low": 0.05, "high": 0.2, "highest": False},
         "unanswered": {"leaders": ["b"], "top": 0.3, "score_of_first": 0.1, "changes": True},
         "worth": {"below": ["a", "b"], "above": 0}, "order": {"different": 0}},
    ),
    "abstaining is right where there is no answer": (
        "c@1", {"a": (8, 2, 0), "b": A},
        {"n_unanswerable": [5.0, 5.0], "n_rightful": [0.0, 3.0]}, None,
        {"leader": {"best": ["a"]}, "unanswered": {"rightful": True, "with_some": 1},
         "worth": {"below": ["b"], "above": 1},
         "rightful": {"rightful": 3, "unanswered": 5, "runs": 2}},
    ),
    "one run, beside a trivial one and one that was asked nothing": (
        "c@1", {"a": A, "t": (9, 1, 0), "z": (0, 0, 0)},
        {"trivial": [False, True, False], "ends": [(0.7, 0.8, 0.5, 0.9)] * 3}, None,
        {"single": {"run": "a", "top": 0.72, "low": 0.5, "high": 0.9},
         "counts": {"correct": 6, "wrong": 2, "unanswered": 2, "n": 10},
         "worth": {"runs": 1, "above": 1}},
    ),
    "no run that was asked anything": ("c@1", {"z": (0, 0, 0)}, {}, None, {}),
    "one question, and means over epochs that add up to nothing but for rounding": (
        "c@1", {"a": (0.1 + 0.2, 0.3, 0.4), "b": (0, 0, 1)},
        {"pairs": [("a", "b", 0.42, *NO_P)]}, None,
        {"leader": {"alone": True, "top": 0.42}, "unanswered": {"with_some": 2, "coverage": 0.6},
         "worth": {"below": [], "above": 0}, "order": {"pairs": 0, "all_pairs": 1}},
    ),
    "a measure that ranks nothing": (
        "answered", AB | {"t": (0, 0, 1)}, {"trivial": [False, False, True]}, None,
        {"describes": {"runs": 2, "judged": True, "least_run": "a", "least": 0.8, "most": 1}},
    ),
    "one run alone, of which it says nothing": ("answered", {"a": A}, {}, None, {}),
    "but that nobody judged it": (
        "answered", {"a": A}, {"policy": {}}, None, {"describes": {"judged": False}},
    ),
    "a measure that ranks no run, with unscored and failed responses": (
        "answered", AB, {"policy": {"unscored": "wrong", "error": "wrong"},
                         "n_unscored": [0, 2], "n_error": [1, 0]}, None,
        {"describes": {"runs": 2}, "unjudged": {"most": 2, "runs_with": 1, "run": None},
         "failed": {"most": 1, "taken": "wrong"}},
    ),
    "unscored responses that may put a run first": (
        "c@1", AB | {"c": (4, 4, 2)},
        {"n_unscored": [0, 2, 1],
         "ends": [(0.72, 0.72, 0.6, 0.8), (0.4, 0.73, 0.4, 0.6), (0.4, 0.9, 0.3, 0.6)]}, None,
        USUAL | {"unjudged": {"fewest": 1, "most": 2, "runs_with": 2, "runs": 3, "taken": "wrong",
                              "run": "c", "low": 0.4, "high": 0.9, "overtakes": True,
                              "ruled": False, "failed": False}},
    ),
    "unscored responses of the first, and none that may put another first": (
        "c@1", AB,
        {"n_unscored": [1, 2], "n_error": [1, 0], "n_by_rule": [1, 0],
         "ends": [(0.7, 0.8, None, None), (0.4, 0.7, None, None)]}, None,
        USUAL | {"unjudged": {"run": "a", "low": 0.7, "high": 0.8, "overtakes": False,
                              "ruled": True, "failed": True}},
    ),
    "unscored responses within the interval": (
        "c@1", AB, {"n_unscored": [1, 0], "ends": [(0.7, 0.8, 0.7, 0.8), (0.5, 0.5, 0.4, 0.6)]},
        None, USUAL | {"unjudged": {"fewest": 1, "most": 1, "run": None}},
    ),
    "lower is better, and the unscored run may be the lowest": (
        "hallucination_rate", {"a": A, "b": (5, 4, 1)},
        {"n_unscored": [0, 1], "ends": [(0.25, 0.25, 0.1, 0.5), (0.5, 0.2, 0.3, 0.4)]}, None,
        USUAL | {"unjudged": {"run": "b", "low": 0.2, "high": 0.5, "overtakes": True}},
    ),
    "failed responses, of runs without unscored ones": (
        "c@1", AB | {"c": B},
        {"n_error": [0, 2, 5], "n_unscored": [0, 1, 0], "policy": {"error": "wrong"},
         "ends": [(0.7, 0.7, 0.6, 0.8), (0.3, 0.9, 0.5, 0.5), (0.4, 0.6, 0.5, 0.5)]}, None,
        USUAL | {"failed": {"fewest": 2, "most": 5, "runs_with": 2, "runs": 3, "taken": "wrong",
                            "run": "c", "low": 0.4, "overtakes": False}},
    ),
    "partly correct answers, whatever the bounds": (
        "c@1", AB,
        {"n_partial": [0, 2], "ends": [(0.7, 0.9, 0.8, 0.8)] * 2, "policy": {"partial": "wrong"}},
        None,
        USUAL | {"partly": {"fewest": 2, "most": 2, "runs_with": 1, "runs": 2, "run": None}},
    ),
}
# fmt: on


@pytest.mark.parametrize("case", CASES)
def test_the_findings_of_a_leaderboard(case):
    id, counts, options, warning, expected = CASES[case]
    actual = list_findings(id, counts, **options)
    assert {*actual} == {*expected}
    assert {code for code, finding in actual.items() if finding.warning} == {warning} - {None}
    for code, values in expected.items():
        for name, value in values.items():
            right = pytest.approx(value, abs=1e-9) if isinstance(value, float) else value
            assert actual[code].values[name] == right, (code, name)


SHORT = re.compile(r"(?<![\d.])-?0\.0+(?![\d])")
UNFIT = re.compile(r"NaN|nan\b|\binf\b|null|\d[eE][-+]|\b1 (questions|responses|runs)\b|  ")
MEASURES = ["c@1", "accuracy", "hallucination_rate", "uf", "answered"]


@given(st.integers(0, 10**6), st.sampled_from(MEASURES), st.sampled_from([2, 3, 40]), st.booleans())
def test_sentences_are_short_and_never_print_nothing_for_something(seed, id, runs, is_long):
    draw, names = random.Random(seed), [f"r{run}" + "x" * 60 * is_long for run in range(runs)]
    largest = draw.choice([1, 7, 500, 20000])
    counts = {run: [draw.randint(0, largest) for _ in "012"] for run in names}
    counts = {run: numbers if any(numbers) else (1, 0, 0) for run, numbers in counts.items()}
    pairs = [
        (*pair, *sorted(draw.uniform(-1, 1) for _ in "012"), draw.random() ** 3)
        for pair in combinations(names, 2)
    ]
    columns = {"n_unscored": [draw.randint(0, 2) for _ in names]}
    columns |= {"ends": [[draw.random() for _ in range(4)] for _ in names]}
    columns |= {"n_rightful": [draw.choice([0.0, 1.0]) for _ in names]}
    for finding in list_findings(id, counts, pairs, **columns).values():
        sentence = sentences.render(finding)
        for part in re.split(r"(?<=\.) ", sentence):
            assert len(part) <= 260 and part == part.strip() and part.endswith("."), part
        assert len(sentence) <= (420 if is_long else 260) and not UNFIT.search(sentence), sentence
        numbers = [value for value in finding.values.values() if isinstance(value, int | float)]
        assert any(abs(number) < 1e-12 for number in numbers) or not SHORT.search(sentence)


LEADER = {"best": ["a"], "measure": "c@1", "top": 0.5, "percent": True, "digits": 1, "level": 0.05}
LEADER |= {"highest": True, "tied": [], "others": 2, "second": "b", "gap": 0.125, "p": None}
LEADER |= {"low": None, "high": None, "paired": True, "runs": 3, "alone": False}
FEW = {"required": 0.03, "few": True}
CLEAR = {"p": 0.01, "low": 0.1, "high": 0.15}
UNJUDGED = {"fewest": 1, "most": 5 / 3, "runs_with": 2, "runs": 3, "taken": "wrong"}
UNJUDGED |= {"measure": "c@1", "percent": True, "digits": 1, "failed": False, "ruled": False}
UNJUDGED |= {"official": "o"}


@pytest.mark.parametrize(
    ("code", "values", "words"),
    [
        ("leader", LEADER, "a has the highest c@1, 50.0 %, 12.5 points ahead of b."),
        ("leader", LEADER | CLEAR, "a leads with c@1 50.0 %, 12.5 points ahead of b (95 % CI 10.0"),
        ("leader", LEADER | CLEAR | {"low": -0.1}, sentences.CAUTIOUS),
        ("leader", LEADER | {"tied": ["b"]}, "12.5 points ahead of b, which is not significantly"),
        ("leader", LEADER | {"tied": [*"cdefgh"], "others": 7}, "but 6 of the 7 other runs are"),
        ("leader", LEADER | {"best": ["a", "b"]}, "a and b share the highest c@1, 50.0 %."),
        ("threshold", FEW | {"holds": "above"}, "0 points, or of runs with few answers, may rev"),
        ("threshold", FEW | {"holds": "any"}, "other questions, except of runs with few answers."),
        ("partly", UNJUDGED | {"most": 1, "run": None}, "in 1 response in 2 of 3 runs"),
        ("unjudged", UNJUDGED | {"run": None}, "o did not judge the responses to 1 to 1.67 quest"),
        (
            "unjudged",
            UNJUDGED | {"run": "b", "low": 0.25, "high": 0.75, "overtakes": True},
            "c@1 of b is 25.0 to 75.0 %, so it could be first.",
        ),
    ],
)
def test_what_a_finding_is_called(code, values, words):
    assert words in sentences.render(Finding(code, values))


ROWS = [(0.05, 900, 700, 1200), (0.06, 600, 450, 800), (0.07, 400, 300, 500), (0.08, *[None] * 3)]
SMALL = [(0.01, 231, 196, 305)]
SCORES = [0.9, 0.5, 0.501]


@pytest.mark.parametrize(
    ("rows", "n", "required", "scores", "holds"),
    [
        (ROWS, 500, 0.07, SCORES, "above"),
        (ROWS, 300, None, SCORES, "none"),
        (ROWS, 9000, 0.0, SCORES, "any"),
        (ROWS[3:], 500, 0.07, [0.9, 0.5], ""),
        # Nothing is said of differences that are much smaller than those of the runs.
        (SMALL, 400, 0.01, [0.86, 0.684, 0.426], ""),
        (SMALL, 400, 0.01, [0.86, 0.684, 0.68], "above"),
        (ROWS, 400, 0.07, [0.9, 0.1], "above"),
    ],
)
def test_one_threshold_says_what_the_questions_can_show(rows, n, required, scores, holds):
    schema = {"difference": pl.Float64, "questions": pl.Int64, "lower": pl.Int64, "upper": pl.Int64}
    needed = pl.DataFrame(rows, schema, orient="row").with_columns(
        n=pl.lit(n), required_difference=pl.lit(required, pl.Float64), left_out=2
    )
    values = findings.find_threshold(needed, pl.Series(scores))
    is_told = holds in ("above", "any")
    assert values == {"holds": holds, "required": required if holds else None, "few": is_told}
