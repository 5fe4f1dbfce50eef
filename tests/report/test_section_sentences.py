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


def read_numbers(text: str) -> list[float]:
    """Return the numbers of a sentence, without those in names such as c@1."""
    return [
        float(number.replace(",", "")) for number in re.findall(r"(?<![\w.@])\d[\d,]*\.?\d*", text)
    ]


def check_words(sentences: list[str]) -> None:
    """Sentences are whole, and print no value of a program, nor something as nothing."""
    for text in sentences:
        assert text.endswith(".") and "  " not in text and text == text.strip()
        assert not re.search(
            r"NaN|nan\b|\bNone\b(?! of)|null|\b0\.0+\b|\b1 of 1\b|\b1 (runs|questions|pairs|answers)\b",
            text,
        ), text


@given(st.integers(0, 10**6))
def test_what_runs_were_asked(seed):
    draw = random.Random(seed)
    runs, total = draw.choice([1, 2, 3, 40]), draw.randint(1, 50)
    sizes = [total if draw.random() < 0.5 else draw.randint(1, total) for _ in range(runs)]
    least = draw.randint(0, min(sizes))
    common = [draw.choice([0, least]) if draw.random() < 0.3 else least for _ in sizes]
    missing = [draw.choice([0, 0, 2]) for _ in sizes]
    columns = {"n_asked": sizes, "n_shared": common, "n_missing": missing}
    board = pl.DataFrame({"run": [f"r{n}" for n in range(runs)], "trivial": False, **columns})
    board = board.with_columns(n_not_asked=total - pl.col("n_asked"))
    compare_on = draw.choice(["shared", "all"])
    sentences = question_sets.describe_question_sets(board, "wrong", compare_on)
    check_words(sentences)
    smaller, lacking = [n for n in sizes if n < total], [n for n in missing if n]
    assert bool(smaller) == any(" asked " in text for text in sentences[:1])
    if smaller:
        counts = [len(smaller), runs] if len(smaller) < runs else [runs] * (runs > 2)
        assert read_numbers(sentences[0]) == [*counts, *sorted({min(smaller), max(smaller)}), total]
    scored = [text for text in sentences if "scored and compared" in text]
    positive = [n for n in common if n]
    unlike = bool(smaller) and compare_on == "shared" and common != sizes
    assert bool(scored) == (unlike and bool(positive))
    for text in scored:
        assert read_numbers(text) == [len(positive), *sorted({min(positive), max(positive)})]
    assert any("Not scored" in text for text in sentences) == (unlike and 0 in common)
    assert any("no response" in text for text in sentences) == bool(lacking)


def table(schema: dict, *rows: tuple) -> pl.DataFrame:
    return pl.DataFrame(rows, schema, orient="row")


def say_costs(*stretches: tuple) -> str:
    rows = [(low, high, 0, 1, best, 0.5, 0.2, 0.5) for low, high, best in stretches]
    return cost.describe_best_runs(table(COST, *rows))


FEW_FLIPS = {"questions": 50, "clusters": None, "samples": None, "measure": "c@1"}
A_AND_B = ("a", "b", 0.5, 1, 0)


def say_systems(level: float | None, *rows: tuple) -> str:
    """Of differences and p."""
    kinds = {"difference": pl.Float64, "better": pl.Boolean, "p": pl.Float64, "p_maxt": pl.Float64}
    changes = [(gap, (gap or None) and gap > 0, p, p) for gap, p in rows]
    return systems.describe_differences(table(kinds, *changes), "c@1", level)


def make_rankings(*rows: tuple) -> pl.DataFrame:
    """Of two names, tau, swaps, and those of 0.05 or more."""
    names = ("compared", "measure", "a", "b", "runs", "tau", "swaps", "swaps_005", "swaps_007")
    records = []
    for a, b, value, swaps, far in rows:
        kind = ("measures", None) if a in ("c@1", "uf", "k1") else ("assessors", "c@1")
        records.append(dict(zip(names, (*kind, a, b, 9, value, swaps, far, far), strict=True)))
    return pl.DataFrame(records, RANKINGS)


def say_scenarios(level: float | None, *rows: tuple) -> str:
    """Of two scenarios, tau, swaps, significant ones, and the others' tau."""
    names = ("scenario", "other_scenario", "tau", "swaps", "swaps_significant")
    names += ("assessors_mean_tau",)
    frame = pl.DataFrame(rows, names, orient="row").cast({"tau": pl.Float64})
    frame = frame.cast({"assessors_mean_tau": pl.Float64})
    return scenarios.describe_rankings(frame, "c@1", "a", level)


def say_agreement(value: float | None, alpha: float | None, add_verdicts: bool = True) -> str:
    records = [("label", ["a", "b"], "disagreement", 1200, value)]
    records += [("label", ["a", "b"], "krippendorff_alpha", 1200, alpha)]
    return agreement.describe_agreement(
        table(
            AGREEMENT,
            *records,
            *[("correct", ["a", "b"], "disagreement", 1200, 0.5)] * add_verdicts,
        )
    )


def say_pooling(is_number: bool, *rows: tuple) -> str:
    """Of scores before and after, and tau."""
    records = [
        (
            "c@1",
            f"r{place}",
            1,
            1,
            value,
            value_after,
            None if value_after is None else value_after - value,
            tau,
        )
        for place, (value, value_after, tau) in enumerate(rows)
    ]
    return pooling.describe_changes(table(POOLING, *records), is_number)


def say_candidates(*rows: tuple) -> str:
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


def say_judges(*rows: tuple) -> str:
    """Return compared, failed, agreement, kappa, leniency, tau, swaps and runs not judged."""
    names = ["compared", "failed", "agreement", "kappa", "leniency", "tau"]
    names += ["swaps_significant", "unjudged"]
    frame = pl.DataFrame(rows, names, orient="row").cast({"kappa": pl.Float64, "tau": pl.Float64})
    frame = frame.with_columns(
        judge=pl.Series([f"j{place}" for place in range(len(rows))]), judged=90, measure=pl.lit("c@1"),
        swaps=pl.col("swaps_significant") + 1, swapped=pl.lit(["r and s"], pl.List(pl.String)),
    )  # fmt: skip
    compared = frame.filter(pl.col("compared") > 0)
    sentences = judges.describe_agreement(compared, "o")
    sentences += (
        [*judges.describe_leniency(compared), *judges.describe_rankings(compared)]
        if compared.height
        else []
    )
    return " ".join([*sentences, *judges.describe_missing(frame)])


def say_components(*parts: float) -> str:
    row = dict(zip(("of_questions", "of_assessors", "of_both"), parts, strict=True))
    errors = {"error": 0.05, "twice_assessors": 4e-4, "twice_questions": 0.03}
    return generalizability.describe_variance({"measure": "c@1", **row, **errors})


def say_imports(*outcomes: str, partial: float = 0.0) -> str:
    frame = pl.DataFrame({"run": [*"abcde"][: len(outcomes)], "outcome": outcomes})
    return " ".join(imports.make_section(frame.with_columns(from_partial=partial)).sentences)


def say_disputed(*labels: int | None) -> str:
    frame = pl.DataFrame({"labels_to_swap": labels}, schema_overrides={"labels_to_swap": pl.Int64})
    columns = {name: pl.lit(None, kind) for name, kind in DISPUTED.items()} | {"place": pl.lit(1)}
    del columns["labels_to_swap"]
    return " ".join(adjudication.make_section(frame.with_columns(**columns)).sentences)


def say_thresholds(*rows: tuple) -> str:
    """Of threshold, answers, wrong ones, and whether they are alike."""
    records = [(f"r{n}", 0.1, *row[:3], 0.09, row[3]) for n, row in enumerate(rows)]
    return " ".join(risk_coverage.describe_thresholds(table(RISK_CONTROL, *records), 0.05))


def say_gain(*points: tuple) -> str:
    """Of answers and wrong ones, beside a run without an order."""
    rows = [("mute", 9, 0.1, 0.5, None, True)]
    for number, bad in points:
        is_last = number == points[-1][0]
        rows.append(("bold", number, number / 500, bad / number, 0.5, is_last))
    [sentence] = risk_coverage.describe_gain(table(RISK_COVERAGE, *rows))
    return sentence


def say_calibration(**runs: list[tuple]) -> str:
    """Of answers in each bin and by how much their confidences are too high."""
    rows = [
        (run, place, n, 0.5, 0.5 - over, over)
        for run, bins in runs.items()
        for place, (n, over) in enumerate(bins, 1)
    ]
    return reliability_diagram.describe_calibration(table(DIAGRAM, *rows))


def say_needed(*row) -> str:
    names = ("difference", "questions", "lower", "upper", "remark")
    kinds = [pl.Float64, *[pl.Int64] * 3, pl.String]
    frame = table(dict(zip(names, kinds, strict=True)), (0.04, 1, 1, 1, ""), row)
    return f"{needed_questions.format_needed(frame, 0.05)}."


def say_few_answers() -> str:
    runs = {"run": ["r", "s", "t"], "answers": [19, 12, 1], "compared": [True, True, False]}
    intervals = pl.DataFrame(runs | {"value": 0.5})
    sentences = comparison.warn_of_few_answers(intervals, "precision")
    return " ".join(
        [*sentences, *comparison.list_not_compared(pl.DataFrame(), intervals, "precision")]
    )


def say_clusters(clusters: int | None, samples: float | None) -> str:
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
    (lambda: say_costs((0.0, None, ["a", "b"])), [], "a and b are best at every cost"),
    (lambda: say_costs((0.0, 1.5, ["a"]), (1.5, 3.0, ["b", "c"]), (3.0, None, None)), [1.5, 1.5, 3, 3],
     "b and c from 1.50 to 3.00 and never answering"),
    (lambda: say_systems(0.05, (0.1, 0.01), (0.2, 0.5), (-0.1, None), (0.0, 1), (None, 1)),
     [4, 2, 1, 1], "1 worse (none significantly)."),
    (lambda: say_systems(None, (0.1, 0.01)), [1, 1], "1 better and none worse."),
    (lambda: say_systems(0.05, (None, None)), [], "undefined"),
    (lambda: rankings.describe_tau(make_rankings(("c@1", "uf", 0.9, 5, 2)), "by two measures"), [0.9], "uf"),
    (lambda: rankings.describe_tau(
        make_rankings(("c@1", "k1", 0.9, 0, 0), ("c@1", "uf", 0.5, 1, 0), ("k1", "uf", None, 0, 0)), "by two measures"),
     [0.5, 0.9], "k1"),
    (lambda: say_scenarios(0.05, ("a", "b", 0.5, 3, 2, 0.25), ("b", "c", 0.7, 1, 0, None)),
     [0.5, 3, 2, 0.25], "least of all"),
    (lambda: say_scenarios(None, ("a", "b", 0.5, 3, 2, None)), [0.5, 3], "swapped."),
    (lambda: say_scenarios(0.05, ("a", "b", 1.0, 0, 0, None)), [1, 0], "none of them"),
    (lambda: say_scenarios(0.05, ("a", "b", None, 0, 0, None)), [], "could be compared"),
    (lambda: say_agreement(0.25, 0.5), [25, 1200, 0.5], "answers"),
    (lambda: say_agreement(0.25, None, add_verdicts=False), [25, 1200], "undefined"),
    (lambda: say_agreement(None, 0.5), [0.5], "No answer"),
    (lambda: say_pooling(False, (0.5, 0.25, 0.9), (0.5, None, None), (0.5, 0.5, 0.8)), [0.25, 0.8, 1], ""),
    (lambda: say_pooling(True, (5, 2, None), (4, 5, None)), [3], "change by at most 3 (r0)"),
    (lambda: say_pooling(False, (0.5, 0.5, None)), [], "no c@1 would change"),
    (lambda: say_candidates((5, 5, 10, 1, 3)), [25, 1, 100, 25], "the same as with"),
    (lambda: say_candidates((150, 150, 300, 100, 100), (150, 100, 350, 70, 130)), [43, 2, 2.5, 25, 0.092],
     "lower than"),
    (lambda: say_judges((80, 10, 0.75, 0.5, -0.2, 0.9, 0, 1)), [75, 20, 0.9, 10, 100, 1], "fewer"),
    (lambda: say_judges((80, 0, 0.75, None, 0.1, 0.5, 2, 0), (80, 0, 0.9, 0.5, 0.2, None, None, 2)),
     [2, 75, 90, 10, 20, 0.5, 2, 2], "more of the responses"),
    (lambda: say_judges((0, 0, 0.5, None, 0.0, None, None, 0)), [], "No other judge"),
    (lambda: say_components(0.5, 0.25, 0.25), [50, 25, 25, 0.05, 0.0004, 0.03], ""),
    (lambda: say_components(0.0, 0.0, 0.0), [], "Neither"),
    (lambda: say_imports("agrees", "differs", "agrees"), [2, 1], "another number"),
    (lambda: say_imports("agrees", "agrees", partial=0.6), [2], "mostly from partly"),
    (lambda: say_disputed(1, 1, 2), [3, 2], "two runs equal"),
    (lambda: say_disputed(None), [1], "for none of them"),
    (lambda: gates.describe_gates([]), [], "no gate was tried"),
    (lambda: gates.describe_gates([PASS]), [1, 0, 0], ""),
    (lambda: gates.describe_gates([PASS, FAIL, PASS, INCONCLUSIVE]), [2, 1, 1], ""),
    (lambda: say_thresholds((0.5, 60, 1, False), (None, None, None, False), (None, None, None, True)),
     [0.5, 10, 95, 1, 60, 1, 2, 10, 1], ""),
    (lambda: say_thresholds((None, 60, 1, False)), [10, 95, 1, 60, 10], "all its answers"),
    (lambda: say_thresholds((None, None, None, False)), [10], "No run has"),
    (lambda: say_gain((10, 1), (50, 10), (90, 45)), [18, 50, 20, 50], "surest"),
    (lambda: say_calibration(r=[(50, 0.5), (50, -0.1)]), [30], "The run is over"),
    (lambda: say_calibration(r=[(5, 0.1), (5, -0.1)]), [10], "No run is"),
    (lambda: say_calibration(r=[(50, 0.5)], s=[(50, -0.25)], t=[(50, 0.3)]), [25, 2, 3], "s is best"),
    (lambda: say_needed(0.05, 620, 580, 1670, ""), [620, 580, 1670], ""),
    (lambda: say_needed(0.05, 620, 580, None, ""), [620, 580], "to more"),
    (lambda: say_needed(0.05, None, 2000, None, "more than 1,000,000"), [10**6], "more than"),
    (say_few_answers, [20, 2, 12], "Not compared: t (a single"),
    (lambda: say_clusters(4, None), [20, 4, 0.25, 10, 4, 0.125], "No difference"),
    (lambda: say_clusters(None, 60.0), [3, 50], ""),
    (lambda: comparison.describe_order(pl.DataFrame({"p_maxt": [0.01, 0.2, None]}), "c@1"), [1, 3, 1, 5],
     "1 could not be tested"),
    (lambda: comparison.describe_abstention(PARTS, 0.05),
     [12.5, 2.5, 95, 5, 5, 10, 95, 10, 15], "95 % CI −5.0 to 5.0"),
    (lambda: comparison.list_caveats(FEW_FLIPS, 0.0001, 5000, True)[0], [5000, 0.01], ""),
]
# fmt: on


@pytest.mark.parametrize(("say", "expected", "words"), CASES)
def test_a_sentence_has_the_numbers_of_its_table(say, expected, words):
    sentence = say()
    check_words([sentence.replace("least 1.00.", "one.")])
    assert read_numbers(sentence) == expected and words in sentence, sentence


def test_the_page_shows_first_what_logs_state_and_hides_checksums_and_empty_columns():
    frame = pl.DataFrame({"run": ["a"], "files": [2], "partial": [0], "stated": [0.5]})
    frame = frame.with_columns(judge=pl.lit(""), ruler=pl.lit("1f"), outcome=pl.lit("agrees"))
    frame = frame.with_columns(from_partial=pl.lit(0.0))
    [table] = imports.make_section(frame).tables
    shown = [column.name for column in table.columns if column.shown]
    assert shown == ["run", "stated", "outcome", "files"]


def test_questions_that_no_run_got_right_are_none():
    counts = np.array([[0, 1], [2, 1], [1, 1]])
    text = (
        "None of 2 questions got a correct answer from every run that was asked, and 1 from none."
    )
    assert questions.describe_difficulty(counts, 2) == text
