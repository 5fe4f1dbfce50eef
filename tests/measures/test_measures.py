"""Every measure of counts beside a literal reading of its source, in exact fractions."""

import re
from fractions import Fraction
from functools import partial
from itertools import combinations
from types import SimpleNamespace

import polars as pl
import pytest
from every_record import assert_a_line_each
from hypothesis import given, settings
from hypothesis import strategies as st
from nonresponse import measures, tasks
from nonresponse.scoring import score
from strategies import COUNTS

TASKS = tasks.NAMES
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


def share(part, total):
    return Fraction(part) / Fraction(total)


def mean(*points: tuple):
    """The mean over questions: what each is worth, and how many there are of them."""
    return share(sum(worth * number for worth, number in points), sum(n for _, n in points))


def harmonic(x, y, never):
    """The harmonic mean, or 0 where one of them is; `never` is 0 where even that is undefined."""
    return 2 / (1 / x + 1 / y) if x and y else 0 * share(1, never)


def f_literal(tp, fp, fn, beta=HALF):
    """Solovyev's first form of F, and 0 where nothing right was accepted, as in his second."""
    if tp == 0 and fp + fn > 0:
        return Fraction(0)
    precision, recall = share(tp, tp + fp), share(tp, tp + fn)
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def e_literal(tp, fp, fn, tn, alpha=Fraction(2)):
    """Solovyev's first form of E: weighted errors against weighted errors and decisions."""
    weighted = (alpha * fp + fn) / (alpha + 1)
    return weighted / (tp + tn + weighted)


def count_four(t):
    """Correct, wrong, partial, unanswered: partial is one of its own, whatever the policy."""
    return t.n_ac, t.n_aw - t.n_aw_partial, t.n_aw_partial + t.n_x_partial, t.n_u


def decided(t):
    """Right abstentions, wrong ones, answers where none is known, answers where one is."""
    right = t.nil_unanswered + t.nil_right + t.n_rightful
    wrong, missed = t.n_u + t.nil_returned + t.n_rightful - right, t.nil_gold - right
    return right, wrong, missed, t.n - right - wrong - missed


def f1(tp, fp, fn):
    return share(2 * tp, 2 * tp + fp + fn)


# By measure: its value, undefined where something is divided by 0. Written from the papers'
# sentences and equations, not from our formulas. P(C|A) etc. as in Peñas & Rodrigo, eq. 3.
QA = {
    "accuracy": lambda t: mean((1, t.n_ac), (0, t.n_aw + t.n_u)),
    "uf": lambda t: mean((1, t.n_ac), (-1, t.n_aw), (0, t.n_u)),
    "uf_half": lambda t: HALF * mean((1, t.n_ac), (-1, t.n_aw), (0, t.n_u)) + HALF,
    "c@1": lambda t: share(t.n_ac, t.n) + share(t.n_ac, t.n) * share(t.n_u, t.n),
    "optimistic": lambda t: share(t.n_ac, t.n) + 1 * share(t.n_u, t.n),
    # eq. 5: P(C/A) P(A) + P(C/A) P(not A) = P(C/A)
    "precision_answered": lambda t: mean((1, t.n_ac - t.n_rightful), (0, t.n_aw)),
    # eq. 6: P(C and A) + P(not C/A) P(not A)
    "wrong_rate": lambda t: share(t.n_ac, t.n) + mean((0, t.n_ac), (1, t.n_aw)) * share(t.n_u, t.n),
    "answered": lambda t: 1 - share(t.n_u + t.n_rightful, t.n),
    "candidate_accuracy": lambda t: mean((1, t.n_ac + t.n_ur), (0, t.n_aw + t.n_u - t.n_ur)),
    # Voorhees, section 1.2
    "nil_precision": lambda t: share(t.nil_right, t.nil_returned),
    "nil_recall": lambda t: share(t.nil_right, t.nil_gold),
    "nil_f": lambda t: f1(t.nil_right, t.nil_returned - t.nil_right, t.nil_gold - t.nil_right),
    # Solovyev: wrong decisions over decisions; of questions that have a correct answer
    "romip_error": lambda t: 1 - share(t.a + t.e, t.a + t.b + t.c + t.d + t.e),
    "romip_recall": lambda t: mean((1, t.a), (0, t.b), (0, t.d)),
    # Solovyev, page 3: none given and rightly so, of all with none given; of all without any
    "romip_nil_precision": lambda t: mean((1, t.e), (0, t.d)),
    "romip_nil_recall": lambda t: mean((1, t.e), (0, t.c)),
    # SimpleQA, appendix B: the harmonic mean of overall correct and correct given attempted
    "f_simpleqa": lambda t: harmonic(
        share(t.n_ac, t.n), t.n_ac and share(t.n_ac, t.n_ac + t.n_aw), t.n
    ),
    # Artificial Analysis counts correct, incorrect, partial answers and not attempted
    "omniscience": lambda t: share(count_four(t)[0] - count_four(t)[1], sum(count_four(t))),
    "hallucination_rate": lambda t: share(count_four(t)[1], sum(count_four(t)[1:])),
    "non_hallucination_rate": lambda t: 1 - share(count_four(t)[1], sum(count_four(t)[1:])),
    "wrong_given_attempted": lambda t: mean((0, t.n_ac - t.n_rightful), (1, t.n_aw)),
    # Kalai et al.: 1 point, -t/(1-t) = -3 for t = 0.75, 0 for "I don't know"
    "penalty@0.75": lambda t: mean((1, t.n_ac), (-3, t.n_aw), (0, t.n_u)),
    "formula_score@4": lambda t: mean((1, t.n_ac), (Fraction(-1, 3), t.n_aw), (0, t.n_u)),
    "chance_corrected@4": lambda t: (share(t.n_ac, t.n) - QUARTER) / (1 - QUARTER),
    "phi@1": lambda t: mean((1, t.n_ac), (-1, t.n_aw), (0, t.n_u)),
    "abstention_precision": lambda t: share(decided(t)[0], sum(decided(t)[:2])),
    "abstention_recall": lambda t: share(decided(t)[0], t.nil_gold),
    "abstention_f1": lambda t: f1(*decided(t)[:3]),
    "false_abstention": lambda t: share(decided(t)[1], t.n - t.nil_gold),
    "decision_accuracy": lambda t: share(decided(t)[0] + decided(t)[3], t.n),
    "decision_f1": lambda t: (f1(*decided(t)[:3]) + f1(*decided(t)[:0:-1])) / 2,
    "forced_accuracy": lambda t: mean((1, t.n_ac + t.n_uw), (0, t.n_aw + t.n_ur)),
    # AbstainQA: A answered right, C answered wrong, B withheld and right, D withheld and wrong
    "forced_precision": lambda t: mean((1, t.n_uw), (0, t.n_ur)),
    "forced_recall": lambda t: mean((1, t.n_uw), (0, t.n_aw)),
    "rejection_quality": lambda t: share(t.n_uw, t.n_ur) / share(t.n_aw + t.n_uw, t.n_ac + t.n_ur),
}
VALIDATION = {
    "accuracy": lambda t: share(t.tp + t.tn, t.n),
    "error": lambda t: 1 - share(t.tp + t.tn + t.u_p + t.u_n, t.n),
    "error_1": lambda t: share(t.fp, t.n),
    "error_2": lambda t: share(t.fn, t.n),
    "precision": lambda t: mean((1, t.tp), (0, t.fp)),
    "recall": lambda t: mean((1, t.tp), (0, t.fn)),
    "f@0.5": lambda t: f_literal(t.tp, t.fp, t.fn),
    "e@2": lambda t: e_literal(t.tp, t.fp, t.fn, t.tn),
    # A decision left open is an unanswered question
    "c@1": lambda t: share(t.tp + t.tn, t.n) * (1 + share(t.u_p + t.u_n, t.n)),
    # PAN 2021: a case left open counts as a false negative
    "fu@0.5": lambda t: f_literal(t.tp, t.fp, t.fn + t.u_p + t.u_n),
    "f_2024@0.5": lambda t: f_literal(t.tp, t.fp, t.fn + t.u_p),
    # PAN 2020: 0.5 was read as "same author"
    "fu_2020@0.5": lambda t: f_literal(t.tp + t.u_p, t.fp + t.u_n, t.fn),
    "qa_accuracy": lambda t: share(t.q_selected_right, t.n_questions),
    "qa_rejection": lambda t: share(t.q_rejected_right, t.n_questions),
    "qa_estimated": lambda t: (
        share(t.q_selected_right, t.n_questions) * (1 + share(t.q_rejected_right, t.n_questions))
    ),
}
COVERAGE = {"answered": lambda t: 1 - share(t.n_u, t.n)}
ORACLES = {
    "qa": QA,
    "validation": VALIDATION,
    "dating": {id: QA[id] for id in ("accuracy", "c@1")} | COVERAGE,
    "matching": {"c@1": QA["c@1"]} | COVERAGE,
}


def count_measures(task: str) -> dict:
    records = measures.load_measures(task).items()
    return {id: measure for id, measure in records if measure.kind == "counts"}


approx = partial(pytest.approx, abs=1e-12)


def attempt(function, *args, **totals):
    """The value, or None where it is 0/0."""
    try:
        return function(*args, **totals)
    except ZeroDivisionError:
        return None


def exactly(measure, totals: dict):
    """The measure in exact fractions, its parameter too."""
    exact = {name: Fraction(totals[name]) for name in measure.totals}
    extra = {name: Fraction(str(value)) for name, value in measure.extra.items()}
    return attempt(measure.function, **exact, **extra)


def test_every_measure_of_counts_has_its_oracle_and_takes_counts_of_its_task():
    records = {(task, id) for task in TASKS for id in count_measures(task)}
    lines = {(task, id) for task, oracles in ORACLES.items() for id in oracles}
    assert_a_line_each(records, lines, "QA or VALIDATION of tests/measures/test_measures.py")
    for task, id in records:
        assert {*measures.get(task, id).totals} <= {*tasks.get(task).counts}


@pytest.mark.parametrize("task", TASKS)
def test_as_the_source_says_on_fractions_integers_and_columns_and_within_the_range(task):
    @settings(max_examples=20, deadline=None)
    @given(runs=st.lists(COUNTS[task], min_size=1, max_size=8))
    def check(runs):
        frame = pl.DataFrame({"run": f"r{number}"} | totals for number, totals in enumerate(runs))
        for id, measure in count_measures(task).items():
            expected = [attempt(ORACLES[task][id], SimpleNamespace(**value)) for value in runs]
            assert [exactly(measure, totals) for totals in runs] == expected, id
            near = [value if value is None else approx(float(value)) for value in expected]
            integers = [{name: totals[name] for name in measure.totals} for totals in runs]
            assert [attempt(measure, **totals) for totals in integers] == near, id
            assert score.evaluate_counts(measure, frame)["value"].to_list() == near, id
            low, high = measure.range
            values = [value for value in expected if value]
            assert low is None or min(values, default=low) > low - 1e-12, id
            assert high is None or max(values, default=high) < high + 1e-12, id

    check()


def closed(task: str, zeros: set) -> set:
    """Return the totals that are 0 if `zeros` are: their parts, and wholes of only zeros."""
    record = tasks.get(task)
    zeros = zeros | {add.total for add in record.sums if add.complete and zeros >= {*add.parts}}
    return zeros | {name for name in record.counts if zeros & {*record.find_containing(name)}}


def list_small_sets(task: str) -> list[set]:
    """Return all sets of up to two counts."""
    counts = tasks.get(task).counts
    return [{*names} for size in (0, 1, 2) for names in combinations(counts, size)]


def totals_with(task: str, zeros: set) -> dict[str, int]:
    """Totals of a run with these at 0 and all others above."""
    number = {"nil_gold": 1, "n_ac": 3}
    totals = {name: 0 if name in zeros else number.get(name, 2) for name in tasks.get(task).counts}
    return totals | {"n": sum(totals[part] for part in tasks.get(task).parts)}


@pytest.mark.parametrize("task", TASKS)
def test_undefined_where_all_that_it_divides_by_is_0_and_not_where_some_of_it_is(task):
    for id, measure in count_measures(task).items():
        divisors = {*(measure.divides_by or {"n"})}
        cases = [closed(task, zeros) for zeros in (divisors, *(divisors - {x} for x in divisors))]
        frame = pl.DataFrame({"run": "r"} | totals_with(task, zeros) for zeros in cases)
        values = score.evaluate_counts(measure, frame)["value"]
        for zeros, value in zip(cases, values, strict=True):
            assert value is not None or divisors <= zeros, (id, zeros)
            assert value is None or not (measure.divides_by and divisors <= zeros), (id, zeros)


@pytest.mark.parametrize("task", TASKS)
def test_a_range_is_no_wider_than_the_scores_of_extreme_runs(task):
    """All responses are of one kind, and up to two other counts are 0."""
    kinds = [{*tasks.get(task).parts} - {kind} for kind in tasks.get(task).parts]
    cases = [closed(task, kind | zeros) for kind in kinds for zeros in list_small_sets(task)]
    frame = pl.DataFrame({"run": "r"} | totals_with(task, zeros) for zeros in cases)
    for id, measure in count_measures(task).items():
        values, (low, high) = score.evaluate_counts(measure, frame)["value"], measure.range
        assert low is None or values.min() < low + 1e-9 or id == "rejection_quality", id
        assert high is None or values.max() > high - 1e-9, id


@pytest.mark.parametrize("value", ["0.25", "1", "4"])
def test_f_and_e_with_another_parameter(value):
    totals = {"tp": 7, "fp": 3, "fn": 5, "tn": 11}
    f, e = (measures.get("validation", f"{name}@{value}") for name in "fe")
    assert exactly(f, totals) == f_literal(7, 3, 5, beta=Fraction(value))
    assert exactly(e, totals) == e_literal(7, 3, 5, 11, alpha=Fraction(value))


@pytest.mark.parametrize(
    ("task", "ids"),
    [
        ("validation", "f@ f@0 e@0 f@-0 f@00 f@-1 e@1001 f@1e4 f@inf f@nan f@x f@0.50 f@05"),
        ("qa", "mrr@0 mrr@2.5 c@2 C@1 nonsense rs@-1 rs@x truthfulness@2 rs@5.0"),
        ("dating", "auc auc@0 auc@2.5 auc@010 s@1"),
    ],
)
def test_no_such_measure(task, ids):
    for id in ids.split():
        with pytest.raises(KeyError):
            measures.get(task, id)


def test_each_measure_takes_the_numbers_of_its_own_bounds():
    records = [record for task in TASKS for record in measures.load_measures(task).values()]
    for record in filter(lambda record: record.parameter, records):
        name = record.id.partition("@")[0]
        for number in ("0", "1", "2", "999", "1000", "1001"):
            if int(number) in record.bounds:
                assert measures.get(record.task, f"{name}@{number}").id == f"{name}@{number}"
            else:
                with pytest.raises(KeyError, match=re.escape(str(record.bounds))):
                    measures.get(record.task, f"{name}@{number}")


def test_ids_are_file_names_and_are_spelt_one_way():
    assert measures.get("validation", "f@0.5") == measures.load_measures("validation")["f@0.5"]
    assert measures.get("qa", "mrr@5").extra == {"depth": 5}
    ids = {record.id for record in measures.REGISTRY.values()}
    assert [id for id in ids if not re.fullmatch(r"[a-z0-9_]+(@[0-9.]+)?", id)] == []


# By the sources: measures of errors, of risk and of calibration; the rest is better if higher, but
# for coverage and for what is best at 0.
LOWER = {
    "qa": "romip_error hallucination_rate wrong_given_attempted false_abstention aurc e_aurc augrc "
    "risk@0.8 ece@10 ece_mass@10 rms_calibration@100 rms_calibration_hle@100 brier_confidence nll",
    "validation": "error error_1 error_2 e@2",
}


@pytest.mark.parametrize("task", TASKS)
def test_which_way_is_better(task):
    records = measures.load_measures(task)
    lower = LOWER.get(task, "").split()
    assert [id for id, record in records.items() if record.direction == "lower"] == lower
    neither = {id for id, record in records.items() if record.direction == "neither"}
    assert neither == {"answered", "overconfidence"} & {*records}
