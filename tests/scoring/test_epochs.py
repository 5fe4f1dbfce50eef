"""Every question that a run was asked counts the same, whatever the number of its epochs."""

import random
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from comparing import compared, scored
from nonresponse import measures
from nonresponse.judging import store
from nonresponse.report.question_sets import sentences
from nonresponse.report.sections import comparison
from nonresponse.statistics import outcomes
from pipeline import Campaign, outcomes_of

WORDS = ["correct", "wrong", "unanswered", "partial", "unscored", "error"]
COUNTED = {"n_ac": "correct", "n_aw": "wrong", "n_u": "unanswered"}
RAW = {"n_partial": "partial", "n_unscored": "unscored", "n_error": "error"}
MEASURES = ["accuracy", "c@1", "mrr", "precision_answered", "penalty@0.25"]


def cancelled(folder, **rules) -> Campaign:
    """k was asked eight questions twice; m, which answers as k does, lacks the second epoch of the
    last four."""
    rows = [
        {"question": f"q{q}", "epoch": epoch, "verdict": "correct" if q < 4 else "wrong"}
        for epoch in (1, 2)
        for q in range(8)
    ]
    return Campaign(folder).graded({"k": rows, "m": rows[:12]}, **rules)


def seen_by(made: Campaign, id: str) -> outcomes.Outcomes:
    return outcomes_of(made.verdicts, measures.get("qa", id), made.policy, "official")


def test_a_cancelled_run_loses_no_question(tmp_path):
    made = cancelled(tmp_path)
    names = ("n", "n_ac", "n_aw", "n_u", "n_asked", "n_shared", "n_not_asked", "n_missing")
    for run in ("k", "m"):
        assert made.count(run, *names) == (8, 4, 4, 0, 8, 8, 0, 0)
        for id in ("accuracy", "c@1", "mrr"):
            assert made.score(id, run) == 0.5
            assert scored(seen_by(made, id))[0].tolist() == [0.5, 0.5]
    assert sentences(made.counts.with_columns(trivial=False), "exclude", "shared") == []
    intervals, _ = compared(seen_by(made, "precision_answered"))
    assert intervals["samples"].to_list() == [16, 12] and intervals["answers"].to_list() == [8, 8]
    assert intervals["within"].to_list() == [0, 0], "no answer differs from epoch to epoch"
    row = comparison.clusters_of({"c@1": intervals}).row(0, named=True)
    assert comparison.asked_again(row)[0].startswith(
        "Questions were asked several times (1.75 on average)"
    )


def drawn(seed: int, whole: bool = False) -> dict[str, list[dict]]:
    """Runs that were asked three to nine questions, each in up to six of their epochs; all of them,
    if `whole`."""
    draw, runs = random.Random(seed), {}
    for run in "abc":
        epochs = draw.sample(range(9), draw.randint(1, 6))
        asked = {
            f"q{q}": draw.sample(epochs, len(epochs) if whole else draw.randint(1, len(epochs)))
            for q in range(9)
        }
        if not whole and run == "c":
            asked = dict(draw.sample(sorted(asked.items()), draw.randint(3, 9)))
        runs[run] = [
            {
                "question": name,
                "category": name in ("q1", "q2"),
                "epoch": epoch,
                "verdict": draw.choice(WORDS),
            }
            for name, own in asked.items()
            for epoch in own
        ]
    return runs


def literal(rows: list[dict], policy: dict, among: set[str]) -> dict[str, Fraction]:
    """The counts of a run: over questions, the sum of the means over the epochs that were asked."""
    verdicts: dict[str, list[str]] = {}
    for row in rows:
        verdicts.setdefault(row["question"], []).append(row["verdict"])
    total = dict.fromkeys(["n", *COUNTED, *RAW], Fraction(0))
    for question in among & verdicts.keys():
        own = verdicts[question]
        for word in own:
            read = policy.get(word, word)
            one = Fraction(1, len(own))
            total["n"] += one * (read != "exclude")
            for name in COUNTED:
                total[name] += one * (read == COUNTED[name])
            for name in RAW:
                total[name] += one * (word == RAW[name])
    return total | {
        "n_asked": Fraction(len(verdicts)),
        "n_shared": Fraction(len(among & verdicts.keys())),
    }


def ratios(total: dict[str, Fraction]) -> dict[str, Fraction | None]:
    """The scores, from counts; every question has one answer, so that mrr is accuracy."""
    n, right, wrong, silent = (total[name] for name in ("n", "n_ac", "n_aw", "n_u"))
    if not n:
        return dict.fromkeys(MEASURES)
    found: dict[str, Fraction | None] = {"accuracy": right / n, "mrr": right / n}
    found |= {"c@1": (right + silent * right / n) / n, "penalty@0.25": (right - wrong / 3) / n}
    return found | {"precision_answered": right / (right + wrong) if right + wrong else None}


EXCLUDING = {"unscored": "exclude", "error": "unanswered", "partial": "exclude"}


@pytest.mark.parametrize(
    ("seed", "policy", "compare_on"),
    [(0, {}, "shared"), (1, EXCLUDING, "shared"), (2, {}, "all"), (3, EXCLUDING, "all")],
)
def test_counts_scores_and_outcomes_by_a_plain_loop(tmp_path, seed, policy, compare_on):
    rows = drawn(seed)
    made = Campaign(tmp_path, policy=policy).graded(rows, compare_on=compare_on)
    asked = {run: {row["question"] for row in own} for run, own in rows.items()}
    every = set.union(*asked.values())
    among = set.intersection(*asked.values()) if compare_on == "shared" else every
    expected = {run: literal(own, made.policy, among) for run, own in rows.items()}
    for run, total in expected.items():
        counted = dict(zip(total, made.count(run, *total), strict=True))
        assert counted == pytest.approx({name: float(number) for name, number in total.items()}), (
            run
        )
        assert made.count(run, "n_not_asked") == len(every) - len(asked[run])
    for id in MEASURES:
        of_runs = [ratios(expected[run])[id] for run in "abc"]
        values = [float("nan") if value is None else float(value) for value in of_runs]
        for found in (
            made.values(id)["value"].fill_null(float("nan")).to_list(),
            scored(seen_by(made, id))[0],
        ):
            assert found == pytest.approx(values, nan_ok=True), id
        own = made.values(id, by_category=True).filter(category="True")
        for run, value in own.select("run", "value").rows():
            should = ratios(literal(rows[run], made.policy, among & {"q1", "q2"}))[id]
            assert value == (None if should is None else pytest.approx(float(should))), id
    seen = seen_by(made, "precision_answered")
    intervals, _ = compared(seen)
    of_each = {run: [literal(rows[run], made.policy, {one}) for one in among] for run in "abc"}
    numbers = [sum(one["n_ac"] + one["n_aw"] > 0 for one in of_each[run]) for run in "abc"]
    assert intervals["answers"].to_list() == numbers


def test_weights_of_a_question_add_up_though_their_multiple_is_bound(tmp_path):
    """With 1 to 30 epochs the least common multiple has thirteen digits; a question still counts
    1."""
    rows = [
        {"question": f"q{q:02}", "epoch": epoch, "verdict": "correct" if q < 15 else "wrong"}
        for q in range(30)
        for epoch in range(q + 1)
    ]
    made = Campaign(tmp_path).graded({"r": rows, "s": rows[::-1]})
    table = store.read_verdicts(made.verdicts).seen().collect()
    assert table["times"].unique().to_list() == [store.MOST]
    assert made.count("r", "n", "n_ac", "n_asked") == (30, 15, 30)
    spread = (
        table.filter(pl.col("weight") > 0)
        .group_by("run", "question")
        .agg(pl.max("weight") - pl.min("weight"))
    )
    assert spread["weight"].max() < 30
    seen = seen_by(made, "c@1")
    assert outcomes.values(seen, np.ones((1, seen.n), np.float32)).tolist() == [[0.5, 0.5]]
