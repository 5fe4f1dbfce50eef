"""The numbers in the sentences of sections are those of the tables that they are about."""

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
from nonresponse.statistics.adjudication import DISPUTED
from nonresponse.statistics.agreement import AGREEMENT
from nonresponse.statistics.cost import COST
from nonresponse.statistics.pooling import POOLING
from nonresponse.statistics.rankings import RANKINGS
from nonresponse.statistics.reliability_diagram import DIAGRAM
from nonresponse.statistics.risk_coverage import RISK_CONTROL, RISK_COVERAGE


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


@given(st.integers(0, 10**6))
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
    said = question_sets.describe_question_sets(board, "wrong", compare_on)
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


def table(schema: dict, *rows: tuple) -> pl.DataFrame:
    return pl.DataFrame(rows, schema, orient="row")


def costs(*stretches: tuple) -> str:
    rows = [(low, high, 0, 1, best, 0.5, 0.2, 0.5) for low, high, best in stretches]
    return cost.describe_best_runs(table(COST, *rows))


FEW_FLIPS = {"questions": 50, "clusters": None, "samples": None, "measure": "c@1"}
A_AND_B = ("a", "b", 0.5, 1, 0)


def compared_systems(level: float | None, *rows: tuple) -> str:
    """Of differences and p."""
    kinds = {"difference": pl.Float64, "better": pl.Boolean, "p": pl.Float64, "p_maxt": pl.Float64}
    known = [(gap, (gap or None) and gap > 0, p, p) for gap, p in rows]
    return systems.describe_differences(table(kinds, *known), "c@1", level)


def ranked(*rows: tuple) -> pl.DataFrame:
    """Of two names, tau, swaps, and those of 0.05 or more."""
    names = ("compared", "measure", "a", "b", "runs", "tau", "swaps", "swaps_005", "swaps_007")
    made = []
    for a, b, value, swaps, far in rows:
        kind = ("measures", None) if a in ("c@1", "uf", "k1") else ("assessors", "c@1")
        made.append(dict(zip(names, (*kind, a, b, 9, value, swaps, far, far), strict=True)))
    return pl.DataFrame(made, RANKINGS)


def of_scenarios(level: float | None, *rows: tuple) -> str:
    """Of two scenarios, tau, swaps, significant ones, and the others' tau."""
    names = ("scenario", "other_scenario", "tau", "swaps", "swaps_significant")
    names += ("assessors_mean_tau",)
    made = pl.DataFrame(rows, names, orient="row").cast({"tau": pl.Float64})
    made = made.cast({"assessors_mean_tau": pl.Float64})
    return scenarios.describe_rankings(made, "c@1", "a", level)


def disagreed(value: float | None, alpha: float | None, judged: bool = True) -> str:
    of_all = [("label", ["a", "b"], "disagreement", 1200, value)]
    of_all += [("label", ["a", "b"], "krippendorff_alpha", 1200, alpha)]
    return agreement.describe_agreement(
        table(AGREEMENT, *of_all, *[("correct", ["a", "b"], "disagreement", 1200, 0.5)] * judged)
    )


def pooled(is_number: bool, *rows: tuple) -> str:
    """Of scores before and after, and tau."""
    made = [
        ("c@1", f"r{place}", 1, 1, value, after, None if after is None else after - value, tau)
        for place, (value, after, tau) in enumerate(rows)
    ]
    return pooling.describe_changes(table(POOLING, *made), is_number)


def withheld(*rows: tuple) -> str:
    """Of right, wrong and unanswered ones, and right and wrong candidates."""
    names = ["n_ac", "n_aw", "n_u", "n_ur", "n_uw"]
    counts = pl.DataFrame(rows, names, orient="row").with_columns(
        n=pl.sum_horizontal("n_ac", "n_aw", "n_u"),
        run=pl.Series([f"r{i}" for i in range(len(rows))]),
    )
    runs = estimated.compare_rates(counts)
    estimates = estimated.summarise_estimates(counts, runs)
    return (
        f"{candidates.describe_candidates(runs, estimates)} {candidates.describe_effect(estimates)}"
    )


def of_judges(*rows: tuple) -> str:
    """Of those compared, failed, agreement, kappa, leniency, tau, significant swaps, and runs
    without a judgment."""
    names = ["compared", "failed", "agreement", "kappa", "leniency", "tau"]
    names += ["swaps_significant", "unjudged"]
    made = pl.DataFrame(rows, names, orient="row").cast({"kappa": pl.Float64, "tau": pl.Float64})
    made = made.with_columns(
        judge=pl.Series([f"j{place}" for place in range(len(rows))]), judged=90, measure=pl.lit("c@1"),
        swaps=pl.col("swaps_significant") + 1, swapped=pl.lit(["r and s"], pl.List(pl.String)),
    )  # fmt: skip
    known = made.filter(pl.col("compared") > 0)
    said = judges.describe_agreement(known, "o")
    said += (
        [*judges.describe_leniency(known), *judges.describe_rankings(known)] if known.height else []
    )
    return " ".join([*said, *judges.describe_missing(made)])


def components(*parts: float) -> str:
    row = dict(zip(("of_questions", "of_assessors", "of_both"), parts, strict=True))
    errors = {"error": 0.05, "twice_assessors": 4e-4, "twice_questions": 0.03}
    return generalizability.describe_variance({"measure": "c@1", **row, **errors})


def stated(*outcomes: str, partial: float = 0.0) -> str:
    frame = pl.DataFrame({"run": [*"abcde"][: len(outcomes)], "outcome": outcomes})
    return " ".join(imports.make_section(frame.with_columns(from_partial=partial)).sentences)


def to_judge(*labels: int | None) -> str:
    frame = pl.DataFrame({"labels_to_swap": labels}, schema_overrides={"labels_to_swap": pl.Int64})
    more = {name: pl.lit(None, kind) for name, kind in DISPUTED.items()} | {"place": pl.lit(1)}
    del more["labels_to_swap"]
    return " ".join(adjudication.make_section(frame.with_columns(**more)).sentences)


def kept(*rows: tuple) -> str:
    """Of threshold, answers, wrong ones, and whether they are alike."""
    made = [(f"r{n}", 0.1, *row[:3], 0.09, row[3]) for n, row in enumerate(rows)]
    return " ".join(risk_coverage.describe_thresholds(table(RISK_CONTROL, *made), 0.05))


def answering_less(*points: tuple) -> str:
    """Of answers and wrong ones, beside a run without an order."""
    rows = [("mute", 9, 0.1, 0.5, None, True)]
    for number, bad in points:
        whole = number == points[-1][0]
        rows.append(("bold", number, number / 500, bad / number, 0.5, whole))
    [said] = risk_coverage.describe_gain(table(RISK_COVERAGE, *rows))
    return said


def calibrated(**runs: list[tuple]) -> str:
    """Of answers in each bin and by how much their confidences are too high."""
    rows = [
        (run, place, n, 0.5, 0.5 - over, over)
        for run, bins in runs.items()
        for place, (n, over) in enumerate(bins, 1)
    ]
    return reliability_diagram.describe_calibration(table(DIAGRAM, *rows))


def needed(*row) -> str:
    names = ("difference", "questions", "lower", "upper", "remark")
    kinds = [pl.Float64, *[pl.Int64] * 3, pl.String]
    made = table(dict(zip(names, kinds, strict=True)), (0.04, 1, 1, 1, ""), row)
    return f"{needed_questions.format_needed(made, 0.05)}."


def few_answers() -> str:
    runs = {"run": ["r", "s", "t"], "answers": [19, 12, 1], "compared": [True, True, False]}
    intervals = pl.DataFrame(runs | {"value": 0.5})
    said = comparison.warn_of_few_answers(intervals, "precision")
    return " ".join([*said, *comparison.list_not_compared(pl.DataFrame(), intervals, "precision")])


def in_clusters(clusters: int | None, samples: float | None) -> str:
    row = {"measure": "c@1", "questions": 20, "clusters": clusters, "samples": samples}
    row |= {"correlation": 0.25, "within": 0.5}
    return " ".join(comparison.list_caveats(row, 0.05, 5000, True))


PARTS = {"a": "a", "b": "b", "measure": "c@1", "difference": 0.125}
PARTS |= {"by_right": 0.025, "by_right_lower": -0.05, "by_right_upper": 0.05}
PARTS |= {"by_abstention_lower": 0.1, "by_abstention_upper": 0.15}
# What is said, its numbers, and words that only this case has.
# fmt: off
CASES = [
    (lambda: questions.describe_difficulty(np.array([[2, 0, 0, 1], [0, 2, 1, 1], [0, 0, 1, 0]]), 4), [1, 4, 2, 1], ""),
    (lambda: costs((0.0, None, ["a", "b"])), [], "a and b are best at every cost"),
    (lambda: costs((0.0, 1.5, ["a"]), (1.5, 3.0, ["b", "c"]), (3.0, None, None)), [1.5, 1.5, 3, 3],
     "b and c from 1.50 to 3.00 and never answering"),
    (lambda: compared_systems(0.05, (0.1, 0.01), (0.2, 0.5), (-0.1, None), (0.0, 1), (None, 1)),
     [4, 2, 1, 1, 0], ""),
    (lambda: compared_systems(None, (0.1, 0.01)), [1, 1, 0], ""),
    (lambda: compared_systems(0.05, (None, None)), [], "undefined"),
    (lambda: rankings.describe_tau(ranked(("c@1", "uf", 0.9, 5, 2)), "by two measures"), [0.9], "uf"),
    (lambda: rankings.describe_tau(
        ranked(("c@1", "k1", 0.9, 0, 0), ("c@1", "uf", 0.5, 1, 0), ("k1", "uf", None, 0, 0)), "by two measures"),
     [0.5, 0.9], "k1"),
    (lambda: of_scenarios(0.05, ("a", "b", 0.5, 3, 2, 0.25), ("b", "c", 0.7, 1, 0, None)),
     [0.5, 3, 2, 0.25], "least of all"),
    (lambda: of_scenarios(None, ("a", "b", 0.5, 3, 2, None)), [0.5, 3], "swapped."),
    (lambda: of_scenarios(0.05, ("a", "b", 1.0, 0, 0, None)), [1, 0], "none of them"),
    (lambda: of_scenarios(0.05, ("a", "b", None, 0, 0, None)), [], "could be compared"),
    (lambda: disagreed(0.25, 0.5), [25, 1200, 0.5], "answers"),
    (lambda: disagreed(0.25, None, judged=False), [25, 1200], "undefined"),
    (lambda: disagreed(None, 0.5), [0.5], "No answer"),
    (lambda: pooled(False, (0.5, 0.25, 0.9), (0.5, None, None), (0.5, 0.5, 0.8)), [0.25, 0.8, 1], ""),
    (lambda: pooled(True, (5, 2, None), (4, 5, None)), [3], "change by at most 3 (r0)"),
    (lambda: pooled(False, (0.5, 0.5, None)), [], "no c@1 would change"),
    (lambda: withheld((5, 5, 10, 1, 3)), [25, 1, 100, 25], "the same as with"),
    (lambda: withheld((150, 150, 300, 100, 100), (150, 100, 350, 70, 130)), [43, 2, 2.5, 25, 0.092],
     "lower than"),
    (lambda: of_judges((80, 10, 0.75, 0.5, -0.2, 0.9, 0, 1)), [75, 20, 0.9, 10, 100, 1], "fewer"),
    (lambda: of_judges((80, 0, 0.75, None, 0.1, 0.5, 2, 0), (80, 0, 0.9, 0.5, 0.2, None, None, 2)),
     [2, 75, 90, 10, 20, 0.5, 2, 2], "more of the responses"),
    (lambda: of_judges((0, 0, 0.5, None, 0.0, None, None, 0)), [], "No other judge"),
    (lambda: components(0.5, 0.25, 0.25), [50, 25, 25, 0.05, 0.0004, 0.03], ""),
    (lambda: components(0.0, 0.0, 0.0), [], "Neither"),
    (lambda: stated("agrees", "differs", "agrees"), [2, 1], "another number"),
    (lambda: stated("agrees", "agrees", partial=0.6), [2], "mostly from partly"),
    (lambda: to_judge(1, 1, 2), [3, 2], "run level"),
    (lambda: to_judge(None), [1], "None of them"),
    (lambda: gates.describe_gates([]), [], "no gate was tried"),
    (lambda: gates.describe_gates([PASS]), [1, 0, 0], ""),
    (lambda: gates.describe_gates([PASS, FAIL, PASS, INCONCLUSIVE]), [2, 1, 1], ""),
    (lambda: kept((0.5, 60, 1, False), (None, None, None, False), (None, None, None, True)),
     [0.5, 10, 95, 1, 60, 1, 2, 10, 1], ""),
    (lambda: kept((None, 60, 1, False)), [10, 95, 1, 60, 10], "all its answers"),
    (lambda: kept((None, None, None, False)), [10], "No run has"),
    (lambda: answering_less((10, 1), (50, 10), (90, 45)), [18, 50, 20, 50], "surest"),
    (lambda: calibrated(r=[(50, 0.5), (50, -0.1)]), [30], "The run is too"),
    (lambda: calibrated(r=[(5, 0.1), (5, -0.1)]), [10], "No run is"),
    (lambda: calibrated(r=[(50, 0.5)], s=[(50, -0.25)], t=[(50, 0.3)]), [25, 2, 3], "of s is nearest"),
    (lambda: needed(0.05, 620, 580, 1670, ""), [620, 580, 1670], ""),
    (lambda: needed(0.05, 620, 580, None, ""), [620, 580], "to more"),
    (lambda: needed(0.05, None, 2000, None, "more than 1,000,000"), [10**6], "more than"),
    (few_answers, [20, 2, 12], "Not compared: t (a single"),
    (lambda: in_clusters(4, None), [20, 4, 0.25, 10, 4, 0.125], "No difference"),
    (lambda: in_clusters(None, 60.0), [3, 50], ""),
    (lambda: comparison.describe_order(pl.DataFrame({"p_maxt": [0.01, 0.2, None]}), "c@1"), [1, 3, 1, 5],
     "1 could not be tested"),
    (lambda: comparison.describe_abstention(PARTS, 0.05),
     [0.125, 0.025, 95, 0.05, 0.05, 0.1, 95, 0.1, 0.15], "95 % CI −0.050 to +0.050"),
    (lambda: comparison.list_caveats(FEW_FLIPS, 0.0001, 5000, True)[0], [5000, 0.01], ""),
]
# fmt: on


@pytest.mark.parametrize(("say", "expected", "words"), CASES)
def test_a_sentence_has_the_numbers_of_its_table(say, expected, words):
    said = say()
    check_words([said.replace("least 1.00.", "one.")])
    assert numbers(said) == expected and words in said, said
