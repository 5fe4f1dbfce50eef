"""Every measure of counts beside a literal reading of its source, in exact fractions."""

import re
from fractions import Fraction
from itertools import chain, combinations

import polars as pl
import pytest
from every_record import assert_a_line_each
from hypothesis import given, settings
from nonresponse import measures, tasks
from nonresponse.scoring import score
from strategies import COUNTS

TASKS = tasks.NAMES


def share(part, whole):
    return Fraction(part) / Fraction(whole)


def mean(values):
    return share(sum(values), len(values))


def f_of(precision, recall, beta):
    """Solovyev's first form of F; where it is 0/0 because nothing right was accepted, F is 0 in his
    second."""
    if precision == recall == 0:
        return Fraction(0)
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def f_literal(tp, fp, fn, beta=Fraction(1, 2)):
    if tp == 0 and fp + fn > 0:
        return Fraction(0)
    return f_of(share(tp, tp + fp), share(tp, tp + fn), beta)


def e_literal(tp, fp, fn, tn, alpha=Fraction(2)):
    """Solovyev's first form of E: the weighted errors, averaged over the two weights, beside the
    right decisions."""
    weighted = (alpha * fp + fn) / (alpha + 1)
    return weighted / (tp + tn + weighted)


def harmonic(x, y):
    return 1 / mean([1 / x, 1 / y])


def of_four(t):
    """Right, wrong, partly right and unanswered: partly right is one of its own, whatever the
    policy makes of it."""
    partial = t["n_aw_partial"] + t["n_x_partial"]
    return t["n_ac"], t["n_aw"] - t["n_aw_partial"], partial, t["n_u"]


def abstained(t):
    return t["n_u"] + t["nil_returned"] + t["n_rightful"]


def rightly_abstained(t):
    return t["nil_unanswered"] + t["nil_right"] + t["n_rightful"]


def decided(t):
    """Abstained rightly, abstained wrongly, answered where no answer is known, answered where one
    is."""
    right = rightly_abstained(t)
    wrong, missed = abstained(t) - right, t["nil_gold"] - right
    return right, wrong, missed, t["n"] - right - wrong - missed


def f1_of(tp, fp, fn):
    return share(2 * tp, 2 * tp + fp + fn)


# Written from the papers' sentences and equations, not from our formulas. P(C|A) etc. as in Peñas &
# Rodrigo, eq. 3.
LITERAL = {
    ("qa", "accuracy"): lambda t: mean([1] * t["n_ac"] + [0] * (t["n_aw"] + t["n_u"])),
    ("qa", "uf"): lambda t: mean([1] * t["n_ac"] + [-1] * t["n_aw"] + [0] * t["n_u"]),
    ("qa", "uf_half"): lambda t: (
        Fraction("0.5") * mean([1] * t["n_ac"] + [-1] * t["n_aw"] + [0] * t["n_u"])
        + Fraction("0.5")
    ),
    ("qa", "c@1"): lambda t: (
        share(t["n_ac"], t["n"]) + share(t["n_ac"], t["n"]) * share(t["n_u"], t["n"])
    ),
    ("qa", "optimistic"): lambda t: share(t["n_ac"], t["n"]) + 1 * share(t["n_u"], t["n"]),
    # eq. 5: P(C/A) P(A) + P(C/A) P(not A) = P(C/A)
    ("qa", "precision_answered"): lambda t: mean(
        [1] * (t["n_ac"] - t["n_rightful"]) + [0] * t["n_aw"]
    ),
    # eq. 6: P(C and A) + P(not C/A) P(not A)
    ("qa", "wrong_rate"): lambda t: (
        share(t["n_ac"], t["n"]) + mean([0] * t["n_ac"] + [1] * t["n_aw"]) * share(t["n_u"], t["n"])
    ),
    ("qa", "answered"): lambda t: 1 - share(t["n_u"] + t["n_rightful"], t["n"]),
    ("qa", "candidate_accuracy"): lambda t: mean(
        [1] * (t["n_ac"] + t["n_ur"]) + [0] * (t["n_aw"] + t["n_u"] - t["n_ur"])
    ),
    # Voorhees, section 1.2
    ("qa", "nil_precision"): lambda t: share(t["nil_right"], t["nil_returned"]),
    ("qa", "nil_recall"): lambda t: share(t["nil_right"], t["nil_gold"]),
    ("qa", "nil_f"): lambda t: (
        harmonic(share(t["nil_right"], t["nil_returned"]), share(t["nil_right"], t["nil_gold"]))
        if t["nil_right"]
        else 0 * share(1, t["nil_returned"] + t["nil_gold"])
    ),
    # Solovyev: wrong decisions over decisions; questions with correct answers over questions that
    # have one
    ("qa", "romip_error"): lambda t: 1 - share(t["a"] + t["e"], sum(t[name] for name in "abcde")),
    ("qa", "romip_recall"): lambda t: mean([1] * t["a"] + [0] * t["b"] + [0] * t["d"]),
    # Solovyev, page 3: none given and rightly so, of all with none given; of all for which there is
    # none
    ("qa", "romip_nil_precision"): lambda t: mean([1] * t["e"] + [0] * t["d"]),
    ("qa", "romip_nil_recall"): lambda t: mean([1] * t["e"] + [0] * t["c"]),
    ("qa", "romip_answered"): lambda t: t["q_answered"],
    ("qa", "romip_good"): lambda t: t["q_good"],
    ("qa", "romip_good_any"): lambda t: t["q_good_any"],
    ("qa", "romip_long_good"): lambda t: t["q_long_good"],
    ("qa", "romip_long_good_partial"): lambda t: t["q_long_good_partial"],
    # SimpleQA, appendix B: the harmonic mean of overall correct and correct given attempted
    ("qa", "f_simpleqa"): lambda t: (
        harmonic(share(t["n_ac"], t["n"]), share(t["n_ac"], t["n_ac"] + t["n_aw"]))
        if t["n_ac"]
        else 0 * share(1, t["n"])
    ),
    # Artificial Analysis counts correct, incorrect, partial answers and not attempted
    ("qa", "omniscience"): lambda t: 100 * share(of_four(t)[0] - of_four(t)[1], sum(of_four(t))),
    ("qa", "hallucination_rate"): lambda t: share(of_four(t)[1], sum(of_four(t)[1:])),
    ("qa", "non_hallucination_rate"): lambda t: 1 - share(of_four(t)[1], sum(of_four(t)[1:])),
    ("qa", "wrong_given_attempted"): lambda t: mean(
        [0] * (t["n_ac"] - t["n_rightful"]) + [1] * t["n_aw"]
    ),
    # Kalai et al.: 1 point, -t/(1-t) = -3 for t = 0.75, 0 for "I don't know"
    ("qa", "penalty@0.75"): lambda t: mean([1] * t["n_ac"] + [-3] * t["n_aw"] + [0] * t["n_u"]),
    ("qa", "formula_score@4"): lambda t: mean(
        [1] * t["n_ac"] + [Fraction(-1, 3)] * t["n_aw"] + [0] * t["n_u"]
    ),
    ("qa", "chance_corrected@4"): lambda t: (
        (share(t["n_ac"], t["n"]) - Fraction(1, 4)) / (1 - Fraction(1, 4))
    ),
    ("qa", "phi@1"): lambda t: mean([1] * t["n_ac"] + [-1] * t["n_aw"] + [0] * t["n_u"]),
    ("qa", "abstention_precision"): lambda t: share(rightly_abstained(t), abstained(t)),
    ("qa", "abstention_recall"): lambda t: share(rightly_abstained(t), t["nil_gold"]),
    ("qa", "abstention_f1"): lambda t: (
        harmonic(
            share(rightly_abstained(t), abstained(t)), share(rightly_abstained(t), t["nil_gold"])
        )
        if rightly_abstained(t)
        else 0 * share(1, abstained(t) + t["nil_gold"])
    ),
    ("qa", "false_abstention"): lambda t: share(
        abstained(t) - rightly_abstained(t), t["n"] - t["nil_gold"]
    ),
    ("qa", "decision_accuracy"): lambda t: share(decided(t)[0] + decided(t)[3], t["n"]),
    ("qa", "decision_f1"): lambda t: (f1_of(*decided(t)[:3]) + f1_of(*decided(t)[:0:-1])) / 2,
    ("qa", "forced_accuracy"): lambda t: mean(
        [1] * (t["n_ac"] + t["n_uw"]) + [0] * (t["n_aw"] + t["n_ur"])
    ),
    # AbstainQA: A answered right, C answered wrong, B withheld and right, D withheld and wrong
    ("qa", "forced_precision"): lambda t: mean([1] * t["n_uw"] + [0] * t["n_ur"]),
    ("qa", "forced_recall"): lambda t: mean([1] * t["n_uw"] + [0] * t["n_aw"]),
    ("qa", "rejection_quality"): lambda t: (
        share(t["n_uw"], t["n_ur"]) / share(t["n_aw"] + t["n_uw"], t["n_ac"] + t["n_ur"])
    ),
    ("validation", "accuracy"): lambda t: share(t["tp"] + t["tn"], t["n"]),
    ("validation", "error"): lambda t: 1 - share(t["tp"] + t["tn"] + t["u_p"] + t["u_n"], t["n"]),
    ("validation", "error_1"): lambda t: share(t["fp"], t["n"]),
    ("validation", "error_2"): lambda t: share(t["fn"], t["n"]),
    ("validation", "precision"): lambda t: mean([1] * t["tp"] + [0] * t["fp"]),
    ("validation", "recall"): lambda t: mean([1] * t["tp"] + [0] * t["fn"]),
    ("validation", "f@0.5"): lambda t: f_literal(t["tp"], t["fp"], t["fn"]),
    ("validation", "e@2"): lambda t: e_literal(t["tp"], t["fp"], t["fn"], t["tn"]),
    # A decision left open is an unanswered question
    ("validation", "c@1"): lambda t: (
        share(t["tp"] + t["tn"], t["n"]) * (1 + share(t["u_p"] + t["u_n"], t["n"]))
    ),
    # PAN 2021: a case left open counts as a false negative
    ("validation", "fu@0.5"): lambda t: f_literal(t["tp"], t["fp"], t["fn"] + t["u_p"] + t["u_n"]),
    # PAN 2020: 0.5 was read as "same author"
    ("validation", "f_2024@0.5"): lambda t: f_literal(t["tp"], t["fp"], t["fn"] + t["u_p"]),
    ("validation", "fu_2020@0.5"): lambda t: f_literal(
        t["tp"] + t["u_p"], t["fp"] + t["u_n"], t["fn"]
    ),
    ("validation", "qa_accuracy"): lambda t: share(t["q_selected_right"], t["n_questions"]),
    ("validation", "qa_rejection"): lambda t: share(t["q_rejected_right"], t["n_questions"]),
    ("validation", "qa_estimated"): lambda t: (
        share(t["q_selected_right"], t["n_questions"])
        * (1 + share(t["q_rejected_right"], t["n_questions"]))
    ),
}
# The tasks of DEFT 2011 have these of question answering.
LITERAL |= {("dating", id): LITERAL["qa", id] for id in ("accuracy", "c@1")}
LITERAL |= {("matching", "c@1"): LITERAL["qa", "c@1"]}
LITERAL |= {
    (task, "answered"): lambda t: 1 - share(t["n_u"], t["n"]) for task in ("dating", "matching")
}


def of_counts(task: str) -> list:
    return [measure for measure in measures.of_task(task).values() if measure.kind == "counts"]


def attempt(function, *args, **named):
    """The value, or None where it is 0/0."""
    try:
        return function(*args, **named)
    except ZeroDivisionError:
        return None


def exactly(measure, totals: dict):
    """The measure in exact fractions, its parameter too."""
    extra = {name: Fraction(str(value)) for name, value in measure.extra.items()}
    return attempt(
        measure.function, **{name: Fraction(totals[name]) for name in measure.totals}, **extra
    )


def test_every_measure_of_counts_has_its_oracle():
    known = {(task, measure.id) for task in TASKS for measure in of_counts(task)}
    assert_a_line_each(
        known, LITERAL, "LITERAL of tests/measures/test_measures.py: what the source says"
    )
    assert_a_line_each(
        known,
        UNDEFINED,
        "UNDEFINED of tests/measures/test_measures.py: what is 0 where it is undefined",
    )


def test_every_total_is_a_count_of_the_task():
    for task in TASKS:
        for measure in of_counts(task):
            assert set(measure.totals) <= set(tasks.get(task).counts), measure.id


@pytest.mark.parametrize("task", TASKS)
def test_as_the_source_says_on_fractions_integers_and_columns(task):
    @settings(max_examples=60, deadline=None)
    @given(totals=COUNTS[task])
    def check(totals):
        frame = pl.DataFrame(
            {"assessor": ["a"], "run": ["r"]} | {name: [value] for name, value in totals.items()}
        )
        for measure in of_counts(task):
            expected = attempt(LITERAL[task, measure.id], totals)
            assert exactly(measure, totals) == expected, measure.id
            on_integers = attempt(measure, **{name: totals[name] for name in measure.totals})
            in_columns = score.from_counts(measure, frame)["value"].item()
            if expected is None:
                assert on_integers is None and in_columns is None, measure.id
            else:
                assert on_integers == pytest.approx(float(expected), abs=1e-12), measure.id
                assert in_columns == pytest.approx(float(expected), abs=1e-12), measure.id

    check()


# The totals that make a measure undefined if all of them are 0; several lists if each of them does,
# [] for never. Parts of a total that is 0 need not be named: they are 0, too.
UNDEFINED = {
    ("qa", "c@1"): ["n"],
    ("qa", "accuracy"): ["n"],
    ("qa", "uf"): ["n"],
    ("qa", "uf_half"): ["n"],
    ("qa", "optimistic"): ["n"],
    ("qa", "precision_answered"): ["n_ac n_aw"],
    ("qa", "wrong_rate"): ["n_ac n_aw"],
    ("qa", "answered"): ["n"],
    ("qa", "candidate_accuracy"): ["n"],
    ("qa", "nil_precision"): ["nil_returned"],
    ("qa", "nil_recall"): ["nil_gold"],
    ("qa", "nil_f"): ["nil_returned nil_gold"],
    ("qa", "romip_error"): ["a b c d e"],
    ("qa", "romip_recall"): ["a b d"],
    ("qa", "romip_nil_precision"): ["d e"],
    ("qa", "romip_nil_recall"): ["c e"],
    ("qa", "romip_answered"): [],
    ("qa", "romip_good"): [],
    ("qa", "romip_good_any"): [],
    ("qa", "romip_long_good"): [],
    ("qa", "romip_long_good_partial"): [],
    ("qa", "f_simpleqa"): ["n"],
    ("qa", "omniscience"): ["n n_x_partial"],
    ("qa", "hallucination_rate"): ["n_aw n_u n_x_partial"],
    ("qa", "non_hallucination_rate"): ["n_aw n_u n_x_partial"],
    ("qa", "wrong_given_attempted"): ["n_ac n_aw"],
    ("qa", "penalty@0.75"): ["n"],
    ("qa", "formula_score@4"): ["n"],
    ("qa", "chance_corrected@4"): ["n"],
    ("qa", "phi@1"): ["n"],
    ("qa", "abstention_precision"): ["n_u nil_returned n_rightful"],
    ("qa", "abstention_recall"): ["nil_gold"],
    ("qa", "abstention_f1"): ["n_u nil_returned n_rightful nil_gold"],
    ("qa", "decision_accuracy"): ["n"],
    # And where all questions are among these
    ("qa", "decision_f1"): ["n_u nil_returned n_rightful nil_gold"],
    ("qa", "forced_accuracy"): ["n_ac n_aw n_ur n_uw"],
    ("qa", "false_abstention"): ["n"],  # and where nil_gold is n: see below
    ("qa", "forced_precision"): ["n_ur n_uw"],
    ("qa", "forced_recall"): ["n_aw n_uw"],
    ("qa", "rejection_quality"): ["n_ur", "n_aw n_uw"],
    ("validation", "accuracy"): ["n"],
    ("validation", "error"): ["n"],
    ("validation", "error_1"): ["n"],
    ("validation", "error_2"): ["n"],
    ("validation", "precision"): ["tp fp"],
    ("validation", "recall"): ["tp fn"],
    ("validation", "f@0.5"): ["tp fp fn"],
    ("validation", "e@2"): ["tp fp fn tn"],
    ("validation", "c@1"): ["n"],
    ("validation", "fu@0.5"): ["tp fp fn u_p u_n"],
    ("validation", "f_2024@0.5"): ["tp fp fn u_p"],
    ("validation", "fu_2020@0.5"): ["tp fp fn u_p u_n"],
    ("validation", "qa_accuracy"): ["n_questions"],
    ("validation", "qa_rejection"): ["n_questions"],
    ("validation", "qa_estimated"): ["n_questions"],
    ("dating", "accuracy"): ["n"],
    ("dating", "c@1"): ["n"],
    ("dating", "answered"): ["n"],
    ("matching", "c@1"): ["n"],
    ("matching", "answered"): ["n"],
}


def undefined(task: str) -> dict[str, list[set]]:
    """By measure, the sets of totals that make it undefined."""
    return {
        id: [set(zeros.split()) for zeros in lists]
        for (of, id), lists in UNDEFINED.items()
        if of == task
    }


def closed(task: str, zeros: set) -> set:
    """The totals that are 0 if `zeros` are: wholes all of whose parts are 0, and parts of totals
    that are 0."""
    zeros = zeros | {
        total.whole
        for total in tasks.get(task).sums
        if total.complete and zeros.issuperset(total.parts)
    }
    return zeros | {
        name
        for name in tasks.get(task).counts
        if not zeros.isdisjoint(tasks.get(task).wholes(name))
    }


def totals_with(task: str, zeros: set) -> dict[str, int]:
    """Totals of a run with these at 0 and all others above."""
    number = {"nil_gold": 1, "n_ac": 3}
    totals = {name: 0 if name in zeros else number.get(name, 2) for name in tasks.get(task).counts}
    return totals | {"n": sum(totals[part] for part in tasks.get(task).parts)}


@pytest.mark.parametrize("task", TASKS)
def test_undefined_is_null_and_nothing_else_is(task):
    """With one or two totals at 0, with all those of each list, and with all but one of these."""
    choices = [
        set(some) for size in (0, 1, 2) for some in combinations(tasks.get(task).counts, size)
    ]
    for zeros in chain(*undefined(task).values()):
        choices += [zeros, *(zeros - {one} for one in zeros)]
    cases = [closed(task, zeros) for zeros in choices]
    frame = pl.DataFrame({"run": "r"} | totals_with(task, zeros) for zeros in cases)
    for id, lists in undefined(task).items():
        values = score.from_counts(measures.of_task(task)[id], frame)["value"]
        for zeros, value in zip(cases, values, strict=True):
            assert (value is None) == any(line <= zeros for line in lists), (
                f"{id} where {sorted(zeros)} are 0"
            )


def test_false_abstention_where_no_question_has_a_known_answer():
    totals = totals_with("qa", set())
    assert (
        exactly(measures.get("qa", "false_abstention"), totals | {"nil_gold": totals["n"]}) is None
    )


def test_a_measure_that_is_undefined_for_a_run_with_questions_says_what_it_divides_by():
    """A run that answers little then has its warning on the page."""
    for task in TASKS:
        for id, lists in undefined(task).items():
            if any(closed(task, zeros).isdisjoint(("n", "n_questions")) for zeros in lists):
                assert set(measures.of_task(task)[id].divides_by) in lists, (task, id)


@pytest.mark.parametrize("beta", ["1", "2", "0.25", "0"])
def test_f_with_another_parameter(beta):
    measure = measures.get("validation", f"f@{beta}")
    totals = {"tp": 7, "fp": 3, "fn": 5}
    assert exactly(measure, totals) == f_literal(**totals, beta=Fraction(beta))


@pytest.mark.parametrize("alpha", ["1", "0.5", "4", "0"])
def test_e_with_another_parameter(alpha):
    measure = measures.get("validation", f"e@{alpha}")
    totals = {"tp": 7, "fp": 3, "fn": 5, "tn": 11}
    assert exactly(measure, totals) == e_literal(**totals, alpha=Fraction(alpha))


def test_e_with_equal_weights_is_error_with_halved_errors():
    """alpha = 1: both kinds of error weigh one half, as (2/2) / (2 + 2/2)."""
    assert exactly(
        measures.get("validation", "e@1"), {"tp": 1, "tn": 1, "fp": 1, "fn": 1}
    ) == Fraction(1, 3)


@pytest.mark.parametrize(
    "id",
    [
        *[
            "f@",
            "f@-0",
            "f@00",
            "f@-1",
            "e@1001",
            "f@1e4",
            "f@inf",
            "f@nan",
            "f@x",
            "f@0.50",
            "f@05",
            "mrr@0",
            "mrr@2.5",
            "c@2",
            "C@1",
            "nonsense",
        ],
        *["auc", "auc@0", "auc@2.5", "auc@010", "s@1"],
    ],
)
def test_no_such_measure(id):
    with pytest.raises(KeyError):
        measures.get({"f": "validation", "a": "dating", "s": "dating"}.get(id[0], "qa"), id)


@pytest.mark.parametrize(
    ("bounds", "inside", "outside"),
    [
        (measures.Bounds(0), [0, 1000], [-1e-9, 1000.1]),
        (measures.Bounds(0, above=True), [1e-9, 1000], [0]),
        (measures.Bounds(0, 1, below=True), [0, 0.999], [1]),
        (measures.Bounds(0, 1, above=True), [1e-9, 1], [0]),
        (measures.Bounds(2), [2], [1]),
    ],
    ids=str,
)
def test_bounds_of_parameters(bounds, inside, outside):
    assert all(value in bounds for value in inside)
    assert not any(
        value in bounds for value in [*outside, float("nan"), float("inf"), float("-inf")]
    )


def test_each_measure_takes_the_numbers_of_its_own_bounds():
    """Solovyev: alpha and beta in [0, ∞)."""
    for task in TASKS:
        for measure in [
            measure for measure in measures.of_task(task).values() if measure.parameter
        ]:
            name = measure.id.partition("@")[0]
            for number in ("0", "1", "2", "999", "1000", "1001"):
                taken = True
                try:
                    assert measures.get(task, f"{name}@{number}").id == f"{name}@{number}"
                except KeyError as error:
                    taken = False
                    assert str(measure.bounds) in str(error)
                assert taken == (int(number) in measure.bounds), (name, number)
    assert {
        id for id, m in measures.of_task("validation").items() if 0 in m.bounds and m.parameter
    } == {*("f@0.5", "e@2", "f_2024@0.5", "fu@0.5", "fu_2020@0.5")}


def test_what_the_parameter_0_leaves():
    """F is precision, E counts errors of the second kind only; so does the divisor, and the warning
    of few answers."""
    f, e = measures.get("validation", "f@0"), measures.get("validation", "e@0")
    totals = {"tp": 3, "fp": 1, "fn": 90, "tn": 6}
    assert f(**{name: totals[name] for name in f.totals}) == 3 / 4 and f.divides_by == ("tp", "fp")
    assert e(**{name: totals[name] for name in e.totals}) == 90 / 99 and e.divides_by == (
        "tp",
        "fn",
        "tn",
    )
    for measure, zeros in ((f, ("tp", "fp")), (e, ("tp", "fn", "tn"))):
        frame = pl.DataFrame({"assessor": ["a"], "run": ["r"]} | totals | dict.fromkeys(zeros, 0))
        assert score.from_counts(measure, frame)["value"].to_list() == [None]


def test_two_ways_to_say_nil():
    """A run that abstains on the two questions without an answer: only ROMIP takes this for NIL."""
    totals = {
        "a": 3,
        "b": 0,
        "c": 0,
        "d": 0,
        "e": 2,
        "nil_returned": 0,
        "nil_right": 0,
        "nil_gold": 2,
    }
    shown = []
    for ids in (("nil_precision", "nil_recall"), ("romip_nil_precision", "romip_nil_recall")):
        values = [exactly(measures.get("qa", id), totals) for id in ids]
        shown.append(", ".join("null" if value is None else str(value) for value in values))
    assert shown == ["null, 0", "1, 1"]


def test_ids_are_spelt_one_way():
    assert measures.get("validation", "f@0.5") == measures.of_task("validation")["f@0.5"]
    assert measures.get("qa", "mrr@5").extra == {"depth": 5}
    assert measures.get("dating", "auc@10") == measures.of_task("dating")["auc@10"]
    assert sum(len(measures.of_task(task)) for task in TASKS) == len(measures.REGISTRY)


def test_every_measure_says_what_it_is():
    for task in TASKS:
        for measure in measures.of_task(task).values():
            assert (
                measure.description and measure.formula and measure.source and measure.undefined
            ), measure.id
            assert measure.kind in ("counts", "sums", "ordering")
            assert re.fullmatch(r"[a-z0-9_]+(@[0-9.]+)?", measure.id), "the id is a file name"
