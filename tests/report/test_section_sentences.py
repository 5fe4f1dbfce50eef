"""Sentences of sections, held against the tables that they are about, over random tables."""

import random
import re

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonresponse.report import question_sets, questions
from nonresponse.report.sections import cost, judges, rankings, scenarios, systems
from nonresponse.statistics.rankings import RANKINGS
from nonresponse.wording import percent, rounded, tau

SEEDS = st.integers(0, 10**6)
LEVEL = 0.05


def numbers(text: str) -> list[float]:
    """Return the numbers of a sentence."""
    return [float(one.replace(",", "")) for one in re.findall(r"(?<![\w.])\d[\d,]*\.?\d*", text)]


def check_words(said: list[str]) -> None:
    """Sentences are whole, and print no value of a program."""
    for text in said:
        assert text.endswith(".") and "  " not in text and text == text.strip()
        assert not re.search(
            r"NaN|nan\b|\bNone\b|null|\b1 (runs|questions|pairs|responses)\b", text
        )


@given(SEEDS)
def test_what_runs_were_asked(seed):
    draw = random.Random(seed)
    runs, total = draw.choice([1, 2, 3, 40]), draw.randint(1, 50)
    asked = [total if draw.random() < 0.5 else draw.randint(1, total) for _ in range(runs)]
    least = draw.randint(0, min(asked))
    shared = [draw.choice([0, least]) if draw.random() < 0.3 else least for _ in asked]
    missing = [draw.choice([0, 0, 2]) for _ in asked]
    columns = {"n_asked": asked, "n_shared": shared, "n_missing": missing}
    board = pl.DataFrame({"run": [f"r{n}" for n in range(runs)], "trivial": False, **columns})
    board = board.with_columns(n_not_asked=total - pl.col("n_asked"))
    compare_on = draw.choice(["shared", "all"])
    said = question_sets.sentences(board, "wrong", compare_on)
    check_words(said)
    fewer, lacking = [n for n in asked if n < total], [n for n in missing if n]
    assert bool(fewer) == any(" asked " in text for text in said[:1])
    if fewer:
        who = [len(fewer), runs] if len(fewer) < runs or runs == 1 else [runs] * (runs > 2)
        assert numbers(said[0]) == [*who, *sorted({min(fewer), max(fewer)}), total]
    scored = [text for text in said if "scored and compared" in text]
    in_common = [n for n in shared if n]
    unlike = bool(fewer) and compare_on == "shared" and shared != asked
    assert bool(scored) == (unlike and bool(in_common))
    for text in scored:
        assert numbers(text) == [len(in_common), *sorted({min(in_common), max(in_common)})]
    assert any("Not scored" in text for text in said) == (unlike and 0 in shared)
    assert any("no response" in text for text in said) == bool(lacking)


@given(SEEDS)
def test_how_hard_questions_are(seed):
    draw = np.random.default_rng(seed)
    counts = draw.integers(0, 3, (3, int(draw.integers(1, 30))))
    known = [tuple(column) for column in counts.T if sum(column)]
    every = sum(unanswered == wrong == 0 for _, unanswered, wrong in known)
    none = sum(correct == 0 for correct, _, _ in known)
    left = sum(correct == wrong == 0 for correct, _, wrong in known)
    said = questions.difficulty(counts, counts.shape[1])
    assert numbers(said) == [len(known), every, none, *[left] * bool(left)]


@given(SEEDS)
def test_which_run_is_best_at_which_cost(seed):
    draw = random.Random(seed)
    ends = sorted({draw.randint(1, 900) / 100 for _ in range(draw.randint(0, 3))})
    names = [["a"], ["b", "c"], ["d"], ["e"]][: len(ends) + 1]
    best = [*names[:-1], draw.choice([None, names[-1]])]
    table = pl.DataFrame(
        {"best": best, "cost_from": [0.0, *ends], "cost_to": [*ends, None]},
        {"best": pl.List(pl.String), "cost_from": pl.Float64, "cost_to": pl.Float64},
    )
    said = cost.sentence(table)
    check_words([said])
    assert numbers(said) == [float(rounded(end, 2)) for end in sorted(ends * 2)]
    for one in best:
        assert (" and ".join(one) if one else "never answering") in said
    assert ("at every cost" in said) == (not ends)


@given(SEEDS)
def test_how_many_configurations_are_better_than_their_baseline(seed):
    draw = random.Random(seed)
    rows = [
        (
            gap := draw.choice([None, 0.0, 0.1, -0.1]),
            gap and gap > 0,
            draw.choice([0.01, 0.5, None]),
        )
        for _ in range(draw.randint(0, 6))
    ]
    rows = [(gap, None if gap == 0 else better, p, p) for gap, better, p in rows]
    kinds = {"difference": pl.Float64, "better": pl.Boolean, "p": pl.Float64, "p_maxt": pl.Float64}
    level = draw.choice([None, LEVEL])
    said = systems.sentence(pl.DataFrame(rows, kinds, orient="row"), "c@1", level)
    check_words([said])
    known = [row for row in rows if row[0] is not None]
    expected = [len(known)] if known else []
    for sign in (1, -1) if known else ():
        own = [p for gap, _, p, _ in known if gap * sign > 0]
        expected.append(len(own))
        if own and level:
            expected.append(sum(p is not None and p <= LEVEL for p in own))
    equal = sum(gap == 0 for gap, *_ in known)
    untested = sum(p is None for *_, p in known) if level else 0
    expected += [number for number in (equal, untested) if number]
    assert numbers(said.replace("c@1", "")) == expected


def drawn_rankings(seed: int, compared: str) -> pl.DataFrame:
    draw = random.Random(seed)
    names = "abc"[: draw.choice([2, 3])]
    pairs = [(one, other) for one in names for other in names if one < other]
    rows = []
    for one, other in pairs:
        swaps = draw.choice([0, 1, 5])
        far = draw.randint(0, swaps)
        value = draw.choice([None, round(draw.uniform(-1, 1), 3)])
        measure = None if compared == "measures" else "c@1"
        gap = 0.08 if swaps else None
        rows.append(
            (compared, measure, one, other, 9, value, swaps, far, draw.randint(0, far), gap)
        )
    return pl.DataFrame(rows, RANKINGS, orient="row")


@given(SEEDS)
def test_how_far_rankings_agree(seed):
    of_measures, of_any = drawn_rankings(seed, "measures"), drawn_rankings(seed, "assessors")
    said = [
        rankings.between_measures(of_measures),
        rankings.between_any(of_any, "c@1"),
        rankings.between_assessors(of_any, "c@1", "a"),
    ]
    check_words(said)
    for text, table in zip(said, (of_measures, of_any, of_any.filter(a="a")), strict=True):
        known = table["tau"].drop_nulls()
        if known.is_empty():
            assert "could be compared" in text or "cannot be compared" in text
        elif text.startswith("Kendall's tau between") or table is of_measures:
            ends = {tau(known.min()), tau(known.max())}
            assert {*re.findall(r"−?[01]\.\d\d", text)} >= ends
        else:
            assert f"Kendall's tau of {tau(known.mean())}" in text


@given(SEEDS)
def test_how_judges_agree_with_the_official_assessor(seed):
    draw = random.Random(seed)
    rows = []
    for number in range(draw.choice([0, 1, 3])):
        share = draw.random()
        row = {"judge": f"j{number}", "judged": 90, "compared": draw.choice([0, 80])}
        row |= {
            "failed": draw.choice([0, 10]),
            "agreement": share,
            "kappa": draw.choice([None, share]),
        }
        row |= {"leniency": draw.choice([0.0, 0.1, -0.2]), "unjudged": draw.choice([0, 2])}
        some = draw.choice([None, 0, 1])
        row |= {"tau": draw.choice([None, share]), "measure": "c@1", "swaps_significant": some}
        rows.append(row | {"swaps": draw.choice([0, 3]), "swapped": ["r, s"] * (some or 0)})
    official = dict.fromkeys(
        rows[0] if rows else ("judge", "compared", "failed", "unjudged", "judged")
    )
    official |= {"judge": "o", "judged": 99, "failed": 0, "compared": 0, "unjudged": 0}
    table = pl.DataFrame([official, *rows], infer_schema_length=None)
    compared = table.filter(pl.col("compared") > 0)
    said = judges.agreeing(compared, "o")
    if compared.height:
        said += [*judges.leaning(compared), *judges.ranking(compared)]
        for end in (min, max):
            assert percent(end(compared["agreement"])) in said[0]
        lenient = compared.filter(pl.col("leniency") > 0)["judge"]
        assert any("more of the responses" in text for text in said) == bool(lenient.len())
    lost = judges.missing(table)
    check_words([*said, *lost])
    some = [row["judge"] for row in rows if row["failed"]]
    assert any("are missing" in text for text in lost) == bool(some)
    assert len(lost) == bool(some) + sum(row["unjudged"] > 0 for row in rows)


@pytest.mark.parametrize("level", [None, LEVEL])
@given(seed=SEEDS)
def test_how_far_scenarios_agree(seed, level):
    table = drawn_rankings(seed, "measures").rename({"a": "scenario", "b": "other_scenario"})
    table = table.with_columns(
        swaps_significant=pl.col("swaps_005"),
        swaps_not_compared=pl.lit(0),
        assessors_mean_tau=pl.lit(0.5),
    )
    said = scenarios.sentence(table, "c@1", "a", level)
    check_words([said])
    known = table["tau"].drop_nulls()
    assert (tau(known.min()) in said) if known.len() else ("cannot be compared" in said)
