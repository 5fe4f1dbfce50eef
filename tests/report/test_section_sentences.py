"""Sentences of sections, held against the tables that they are about, over random tables of 1, 2, 3
and 40 runs."""

import random
import re

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonresponse.report import question_sets, questions
from nonresponse.report.sections import (
    adjudication,
    agreement,
    candidates,
    comparison,
    cost,
    gates,
    generalizability,
    imports,
    judges,
    pooling,
    rankings,
    reliability_diagram,
    risk_coverage,
    scenarios,
    systems,
)
from nonresponse.report.sections import questions as needed_questions
from nonresponse.statistics import FAIL, INCONCLUSIVE, PASS
from nonresponse.statistics import candidates as estimated
from nonresponse.statistics.adjudication import TO_ADJUDICATE
from nonresponse.statistics.agreement import AGREEMENT
from nonresponse.statistics.pooling import POOLING
from nonresponse.statistics.rankings import RANKINGS
from nonresponse.statistics.reliability_diagram import DIAGRAM
from nonresponse.statistics.risk_coverage import RISK_CONTROL, RISK_COVERAGE
from nonresponse.wording import least, percent, rounded, tau

SEEDS = st.integers(0, 10**6)
RUNS, LEVEL = [1, 2, 3, 40], 0.05


def numbers(text: str) -> list[float]:
    """Return the numbers of a sentence, without those in names such as c@1."""
    return [float(it.replace(",", "")) for it in re.findall(r"(?<![\w.@])\d[\d,]*\.?\d*", text)]


def check_words(said: list[str]) -> None:
    """Sentences are whole, and print no value of a program, nor something as nothing."""
    for text in said:
        assert text.endswith(".") and "  " not in text and text == text.strip()
        assert not re.search(
            r"NaN|nan\b|\bNone\b(?! of)|null|\b0\.0+\b|\b1 of 1\b|\b1 (runs|questions|pairs|answers)\b",
            text,
        ), text


@given(SEEDS)
def test_what_runs_were_asked(seed):
    draw = random.Random(seed)
    runs, total = draw.choice(RUNS), draw.randint(1, 50)
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
        who = [len(fewer), runs] if len(fewer) < runs else [runs] * (runs > 2)
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
    gaps = [draw.choice([None, 0.0, 0.1, -0.1]) for _ in range(draw.randint(0, 6))]
    rows = [
        (gap, gap and (gap > 0 or None) and True, draw.choice([0.01, 0.5, None])) for gap in gaps
    ]
    rows = [(gap, None if not gap else gap > 0, p, p) for gap, _, p in rows]
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
    assert numbers(said) == expected + [number for number in (equal, untested) if number]


def drawn_rankings(seed: int, compared: str) -> pl.DataFrame:
    draw = random.Random(seed)
    names, rows = "abc"[: draw.choice([2, 3])], []
    measure = None if compared == "measures" else "c@1"
    for one, other in [(one, other) for one in names for other in names if one < other]:
        swaps = draw.choice([0, 1, 5])
        far, value = draw.randint(0, swaps), draw.choice([None, round(draw.uniform(-1, 1), 3)])
        gap = 0.08 if swaps else None
        row = compared, measure, one, other, 9, value, swaps, far, draw.randint(0, far), gap
        rows.append(row)
    return pl.DataFrame(rows, RANKINGS, orient="row")


@given(SEEDS)
def test_how_far_rankings_agree(seed):
    of_measures, of_any = drawn_rankings(seed, "measures"), drawn_rankings(seed, "assessors")
    said = [
        rankings.between_measures(of_measures),
        rankings.between_any(of_any, "c@1"),
        rankings.between_assessors(of_any, "c@1", "a"),
    ]
    for text, table in zip(said, (of_measures, of_any, of_any.filter(a="a")), strict=True):
        known = table["tau"].drop_nulls()
        if known.is_empty():
            assert "could be compared" in text or "cannot be compared" in text
        elif text.startswith("Kendall's tau between") or table is of_measures:
            ends = {tau(known.min()), tau(known.max())}
            assert {*re.findall(r"−?[01]\.\d\d", text)} >= ends
        else:
            assert f"Kendall's tau of {tau(known.mean())}" in text


@pytest.mark.parametrize("level", [None, LEVEL])
@given(seed=SEEDS)
def test_how_far_scenarios_agree(seed, level):
    table = drawn_rankings(seed, "measures").rename({"a": "scenario", "b": "other_scenario"})
    table = table.with_columns(
        swaps_significant="swaps_005", swaps_not_compared=0, assessors_mean_tau=0.5
    )
    said = scenarios.sentence(table, "c@1", "a", level)
    known = table["tau"].drop_nulls()
    assert (tau(known.min()) in said) if known.len() else ("cannot be compared" in said)


@given(SEEDS)
def test_how_judges_agree_with_the_official_assessor(seed):
    draw = random.Random(seed)
    rows = []
    for number in range(draw.choice([1, 3])):
        share, some = draw.random(), draw.choice([None, 0, 1])
        row = {"judge": f"j{number}", "judged": 90, "compared": draw.choice([0, 80])}
        row |= {"failed": draw.choice([0, 10]), "agreement": share}
        row |= {"kappa": draw.choice([None, share]), "leniency": draw.choice([0.0, 0.1, -0.2])}
        row |= {"tau": draw.choice([None, share]), "measure": "c@1", "swaps_significant": some}
        row |= {"swaps": draw.choice([0, 3]), "swapped": ["r, s"] * (some or 0)}
        rows.append(row | {"unjudged": draw.choice([0, 1, 2])})
    table = pl.DataFrame(rows, infer_schema_length=None)
    compared = table.filter(pl.col("compared") > 0)
    said = judges.agreeing(compared, "o")
    if compared.height:
        said += [*judges.leaning(compared), *judges.ranking(compared)]
        for end in (min, max):
            assert percent(end(compared["agreement"])) in said[0]
        lenient = compared.filter(pl.col("leniency") > 0)["judge"]
        assert any("more of the responses" in text for text in said) == bool(lenient.len())
    lost = judges.missing(table)
    check_words(lost)
    some = [row["judge"] for row in rows if row["failed"]]
    assert any("are missing" in text for text in lost) == bool(some)
    assert len(lost) == bool(some) + sum(row["unjudged"] > 0 for row in rows)


@given(SEEDS)
def test_how_far_assessors_agree(seed):
    draw = random.Random(seed)
    value, alpha = (draw.choice([None, 0.0, 1.0, draw.random()]) for _ in range(2))
    items, names, judged = (
        draw.randint(1, 2000),
        [*"abc"[: draw.choice([2, 3])]],
        draw.random() < 0.5,
    )
    rows = [("label", names, "disagreement", items, value)]
    rows += [("label", names, "krippendorff_alpha", items, alpha)]
    rows += [("correct", names, "disagreement", items, 0.5)] * judged
    said = agreement.sentence(pl.DataFrame(rows, AGREEMENT, orient="row"))
    noun = f"{'answer' if judged else 'question'}{'s' * (items != 1)}"
    who = f"{'two' if len(names) == 2 else 'three'} assessors"
    shares = f"The {who} disagreed on {percent(value or 0)} of {items:,} {noun}."
    assert said.startswith(
        f"No {noun.rstrip('s')} was judged by all {who}." if value is None else shares
    )
    assert said.endswith(f"alpha is {'undefined' if alpha is None else tau(alpha)}.")


@given(SEEDS)
def test_what_scores_owe_to_the_pool(seed):
    draw = random.Random(seed)
    rows = []
    for run in range(draw.choice(RUNS)):
        value = draw.choice([None, draw.random()])
        change = value and draw.choice([None, 0.0, -1e-4, draw.uniform(-value, 1 - value)])
        after = None if change is None else value + change
        rows.append(("c@1", f"r{run}", 1, 1, value, after, change, draw.choice([None, 0.9, 1.0])))
    rows.sort(key=lambda row: -abs(row[6] or 0))
    said = pooling.sentence(pl.DataFrame(rows, POOLING, orient="row"), False)
    check_words([said.replace("of 1.00.", "").replace("least 1.00.", "one.")])
    changes = {row[1]: row[6] for row in rows if row[6]}
    if changes:
        run = next(iter(changes))
        way = (
            "fall"
            if max(changes.values()) <= 0
            else "rise"
            if min(changes.values()) >= 0
            else "change"
        )
        assert f"would {way} by at most {least(abs(changes[run]))} ({run})" in said
    assert ("no c@1 would change" in said) == (not changes)
    taus, gone = (
        [row[7] for row in rows if row[7]],
        sum(row[4] is not None and row[5] is None for row in rows),
    )
    assert (f"at least {tau(min(taus or [0]))}." in said) == bool(taus)
    assert (f"That of {gone} run" in said) == (gone > 0)


@given(SEEDS)
def test_what_withheld_candidates_show(seed):
    draw = np.random.default_rng(seed)
    runs, rows = int(draw.choice(RUNS)), []
    for run in range(runs):
        correct, wrong, left = (int(it) for it in draw.integers(0, 300, 3))
        held = int(draw.integers(1, left + 2))
        good = int(draw.integers(0, held + 1))
        n = correct + wrong + left + held
        rows.append((f"r{run}", n, correct, wrong, left + held, good, held - good))
    counts = pl.DataFrame(rows, ["run", "n", "n_ac", "n_aw", "n_u", "n_ur", "n_uw"], orient="row")
    of_runs = estimated.by_run(counts)
    estimates = estimated.summary(counts, of_runs)
    said, effect = candidates.sentence(of_runs, estimates), candidates.effect(estimates)
    check_words([said, effect])
    observed = np.array([good / (good + bad) for *_, good, bad in rows])
    assert f"{percent(observed.mean())} of the judged candidates of {runs} run" in said
    few = np.mean([good + bad for *_, good, bad in rows]) < estimated.FEWEST
    assert ("not known which" in said) == few
    c1 = np.array([(ac + ac * u / n) / n for _, n, ac, _, u, *_ in rows])
    true = np.array(
        [(ac + u * rate) / n for (_, n, ac, _, u, *_), rate in zip(rows, observed, strict=True)]
    )
    gap, pairs = (c1 - true).mean(), runs * (runs - 1) // 2
    if abs(gap) > 1e-9:
        assert f"on average {least(abs(gap))} {'higher' if gap > 0 else 'lower'} than" in effect
    assert (f" of {pairs} pair" in effect) == (pairs > 1)
    assert ("the two runs" in effect) == (pairs == 1)


@given(SEEDS)
def test_what_questions_and_assessors_do_to_a_score(seed):
    draw = random.Random(seed)
    parts = [draw.choice([0.0, draw.random(), 1e-6]) for _ in range(3)]
    errors = dict(
        zip(("error", "twice_assessors", "twice_questions"), (0.05, 4e-4, 0.03), strict=True)
    )
    row = {"measure": "c@1", **errors}
    row |= dict(zip(("of_questions", "of_assessors", "of_both"), parts, strict=True))
    said = generalizability.sentence(row)
    check_words([said])
    if any(parts):
        shares = [percent(part / sum(parts)) for part in parts]
        assert (
            "{} is between questions, {} between assessors, and {} of both".format(*shares) in said
        )
        assert "from 0.050 to 0.0004, twice as many questions to 0.030." in said
    else:
        assert said.startswith("Neither")


@given(st.lists(st.sampled_from([*imports.STATED]), min_size=1, max_size=40))
def test_what_logs_state(outcomes):
    frame = pl.DataFrame({"run": map(str, range(len(outcomes))), "outcome": outcomes})
    [said] = imports.section(frame.with_columns(from_partial=0.0)).sentences
    check_words([said])
    found = {what: outcomes.count(outcome) for outcome, what in imports.STATED.items()}
    assert numbers(said) == [number for number in found.values() if number]
    assert all((what in said) == (number > 0) for what, number in found.items())


def test_headlines_of_partly_correct_answers_are_warned_of():
    frame = pl.DataFrame({"run": ["a", "b"], "outcome": "agrees", "from_partial": 0.6})
    _, warning = imports.section(frame).sentences
    assert warning.startswith("The logs of a and b state scores that come mostly from partly")


@given(st.lists(st.sampled_from([1, 2, None]), min_size=1, max_size=9))
def test_what_to_judge_next(labels):
    frame = pl.DataFrame({"labels_to_swap": labels}, schema_overrides={"labels_to_swap": pl.Int64})
    frame = frame.with_columns(
        pl.lit(None, kind).alias(name)
        for name, kind in TO_ADJUDICATE.items()
        if name != "labels_to_swap"
    )
    said = adjudication.section(frame.with_columns(place=1)).sentences
    check_words(said)
    alone = labels.count(1)
    assert numbers(" ".join(said)) == [len(labels), *[alone] * (alone > 0)]
    assert ("For none of them" in said[1]) == (not alone)


@given(st.lists(st.sampled_from([PASS, FAIL, INCONCLUSIVE]), max_size=9))
def test_how_many_gates_passed(states):
    said = gates.sentence(states)
    check_words([said])
    failed, undecided = states.count(FAIL), states.count(INCONCLUSIVE)
    expected = [len(states), failed, undecided] if failed + undecided else [len(states)]
    assert numbers(said) == (expected if len(states) > 1 else [])
    assert ("passed" in said) == (bool(states) and {*states} == {PASS})
    assert len(states) != 1 or ("failed" in said) == bool(failed)


@given(SEEDS)
def test_which_thresholds_keep_a_risk(seed):
    draw = random.Random(seed)
    rows = []
    for run in range(draw.choice(RUNS)):
        alike, known = draw.random() < 0.3, draw.random() < 0.5
        found = (draw.choice([None, 0.5]), 60, 1, 0.09) if known and not alike else (None,) * 4
        rows.append((f"r{run}", 0.1, *found, alike))
    said = risk_coverage.kept(pl.DataFrame(rows, RISK_CONTROL, orient="row"), LEVEL)
    check_words(said)
    tested = [row for row in rows if not row[-1]]
    known = [row for row in tested if row[3]]
    text = " ".join(said)
    assert ("No run has a threshold" in text) == (bool(tested) and not known)
    if known:
        assert text.startswith(
            f"If {known[0][0]} gives all its answers{' above 0.500' * bool(known[0][2])},"
        )
        assert (f"of {len(known)} of {len(tested)} runs" in text) == (len(tested) > 1)
    assert (f"for {len(rows) - len(tested)} run" in text) == (len(tested) < len(rows))


@given(SEEDS)
def test_what_a_run_gains_by_answering_less(seed):
    draw = random.Random(seed)
    points = sorted(draw.sample(range(1, 400), draw.randint(1, 9)))
    wrong = [draw.randint(0, number) for number in points]
    rows = [
        ("bold", number, number / 500, bad / number, 0.5, number == points[-1])
        for number, bad in zip(points, wrong, strict=True)
    ]
    mute = ("mute", 9, 0.1, 0.5, None, True)
    [said] = risk_coverage.sentences(pl.DataFrame([mute, *rows], RISK_COVERAGE, orient="row"))
    check_words([said])
    half = next(row for row in rows if 2 * row[1] >= points[-1])
    assert f"{percent(points[-1] / 500)} of the questions, and {percent(rows[-1][3])} of" in said
    some = f"Of its {half[1]} surest answer{'s' * (half[1] > 1)}, {percent(half[3])} are wrong."
    assert (some in said) == ("surest" in said) == (half is not rows[-1])


@given(SEEDS)
def test_how_far_confidences_are_off(seed):
    draw = random.Random(seed)
    rows, off = [], {}
    for run in [f"r{number}" for number in range(draw.choice(RUNS))]:
        bins = [
            (draw.randint(1, 50), draw.choice([0.0, 1e-4, draw.uniform(-0.5, 0.5)]))
            for _ in range(3)
        ]
        rows += [(run, place, n, 0.5, 0.5 - over, over) for place, (n, over) in enumerate(bins, 1)]
        total = sum(n for n, _ in bins)
        off[run] = [sum(n * part(over) for n, over in bins) / total for part in (float, abs)]
    said = reliability_diagram.sentence(pl.DataFrame(rows, DIAGRAM, orient="row"))
    check_words([said])
    nearest = min(off, key=lambda run: off[run][1])
    assert nearest in said or sum(off[run][1] < off[nearest][1] + 1e-9 for run in off) > 4
    assert percent(off[nearest][1]) in said
    over = off[nearest][0]
    if len(off) > 1:
        confident = sum(mean > 1e-12 for mean, _ in off.values())
        are = "is" if confident < 2 else "are"
        assert f"{confident or 'None'} of {len(off)} runs {are} too confident." in said
    elif abs(over) > 1e-9:
        assert f"{least(abs(over))} {'higher' if over > 0 else 'lower'} than its share" in said
    else:
        assert "on average the same as its share" in said


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ((0.05, 620, 580, 1670, ""), "620 (580 to 1,670)"),
        ((0.05, 620, 580, None, ""), "620 (580 to more)"),
        ((0.05, None, 2_000, None, "more than 1,000,000"), "more than 1,000,000"),
        ((0.06, 620, 580, 1670, ""), None),
    ],
)
def test_how_many_questions_a_difference_of_five_hundredths_needs(row, text):
    kinds = [pl.Float64, *[pl.Int64] * 3, pl.String]
    names = ("difference", "questions", "lower", "upper", "remark")
    schema = dict(zip(names, kinds, strict=True))
    table = pl.DataFrame([(0.04, 1, 1, 1, ""), row], schema, orient="row")
    assert needed_questions.questions(table, 0.05) == text


def test_comparison_warns_of_few_answers_and_of_what_is_not_compared():
    runs = {
        "run": ["run0", "run1", "run2"],
        "answers": [19, 12, 1],
        "compared": [True, True, False],
    }
    intervals = pl.DataFrame(runs | {"value": 0.5})
    assert comparison.few_answers(intervals, "precision") == [
        "precision divides by fewer than 20 answers of 2 runs (12 of run1): there, the test may"
        " find differences too often."
    ]
    assert comparison.not_compared(pl.DataFrame(), intervals, "precision") == [
        "Not compared: run2 (a single question decides the score in precision)."
    ]
