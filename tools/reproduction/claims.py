"""What the papers conclude (resources/published/claims.csv), and what became of it.

A claim is tested on what the paper prints, on the formulas, or, where its data are lost, on
simulated campaigns. Each `check_…` yields ids of claims, what decides, and whether the claim is
true of what is printed and by the formulas.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from operator import ne
from pathlib import Path
from typing import Any, NamedTuple

from nonresponse import measures
from nonresponse.home import HOME
from nonresponse.tasks.qa import unanswered_counts

from reproduction.figures import (
    DEFT,
    PUBLISHED,
    SOLOVYEV,
    compute_exactly,
    compute_similarities,
    read_rows,
    round_decimal,
)

SIMULATION = HOME / "resources/simulation"
HOLDS, PRINTED_ONLY, CORRECTED_ONLY = "holds", "holds only as printed", "holds only as corrected"
FAILS, UNTESTED = "does not hold", "cannot be tested here"
QA, VALIDATION = ("n_ac", "n_aw", "n_u"), SOLOVYEV.counts
N, FEW = 500, 20  # questions of a collection; questions on which every possible system is tried
SYSTEMS = [
    (right, wrong, FEW - right - wrong)
    for right in range(FEW + 1)
    for wrong in range(FEW + 1 - right)
]
ANSWERING = [counts for counts in SYSTEMS if counts[2] < FEW]


class Finding(NamedTuple):
    """What decides on a claim, and whether it is true."""

    id: str
    evidence: str
    printed: bool | None = None  # of what the paper prints; None = that does not tell
    computed: bool | None = None  # by the formulas
    simulated: tuple[int, int] | None = None  # in how many simulated campaigns, of how many

    @property
    def verdict(self) -> str:
        """The verdict, such as: holds; in simulation: 8 of 19."""
        truths = self.printed, self.computed
        words = {(True, False): PRINTED_ONLY, (False, True): CORRECTED_ONLY, (None, None): ""}
        word = words.get(truths, FAILS if False in truths else HOLDS)
        simulation = "in simulation: {} of {}".format(*self.simulated) if self.simulated else ""
        return "; ".join(filter(None, [word, simulation])) or UNTESTED


@dataclass(frozen=True)
class Data:
    """The folders of published tables and of figures of simulated campaigns."""

    published: Path = PUBLISHED
    simulation: Path = SIMULATION

    def rows(self, name: str) -> list[dict[str, str]]:
        """Return a published table."""
        return read_rows(name, self.published)

    def facts(self, name: str, *facts: str) -> list[Fraction]:
        """Return figures of a published list of facts."""
        values = {row["fact"]: row["value"] for row in self.rows(name)}
        return [Fraction(values[fact]) for fact in facts]

    def column(self, table: str, name: str) -> dict[str, Fraction]:
        """Return a column of a published table, by run or measure."""
        return {row.get("run") or row["measure"]: Fraction(row[name]) for row in self.rows(table)}


def score(task: str, id: str, names: Sequence[str], *counts: Fraction | int) -> Fraction:
    """Return a measure of a run with these counts, exactly."""
    value = compute_exactly(
        measures.get(task, id), dict(zip(names, map(Fraction, counts), strict=True))
    )
    assert value is not None
    return value


def qa(id: str, right: int, wrong: int, unanswered: int) -> Fraction:
    """Return a measure of a system that gives one answer at most, with these counts, exactly."""
    if id == "mrr":
        return measures.get("qa", id)(reciprocal_rank=Fraction(right), n=right + wrong + unanswered)
    return score("qa", id, QA, right, wrong, unanswered)


def show(values: Sequence[Any], places: int = 3) -> str:
    """Return figures as text, with so many decimals."""
    texts = (value if isinstance(value, str) else f"{float(value):.{places}f}" for value in values)
    return " and ".join(texts)


def falls(values: Sequence[Any]) -> bool:
    """Return whether each value is below the one before it."""
    return all(a > b for a, b in pairwise(values))


# Peñas & Rodrigo 2011


def check_silence(data: Data) -> Iterator[Finding]:
    """Yield what Peñas & Rodrigo say of silence, sections 2 and 3."""
    scores = sorted((qa("uf", *counts), qa("uf_half", *counts)) for counts in SYSTEMS)
    agrees = all((a < b) == (c < d) for (a, c), (b, d) in pairwise(scores))
    yield Finding("same_order", f"all {len(SYSTEMS)} systems on {FEW} questions", computed=agrees)
    differing = "of {} systems on {} questions {} differ as printed, {} as corrected".format
    for id, measure, printed_formula, corrected_formula in (
        (  # (3) with P(C/A) as printed, with P(¬C/¬A) as in section 3.3
            "half_rate",
            "uf_half",
            lambda k, w, u: Fraction(k, FEW) + Fraction(k, k + w) * Fraction(u, FEW),
            lambda k, w, u: Fraction(k, FEW) + Fraction(u, 2 * FEW),
        ),
        (  # a product as printed, with + in the place of its first sign
            "formula_6",
            "wrong_rate",
            lambda k, w, u: Fraction(k * w * u, FEW * (k + w) * FEW),
            lambda k, w, u: Fraction(k, FEW) + Fraction(w * u, (k + w) * FEW),
        ),
    ):
        printed, corrected = (
            sum(ne(qa(measure, *counts), formula(*counts)) for counts in ANSWERING)
            for formula in (printed_formula, corrected_formula)
        )
        evidence = differing(len(ANSWERING), FEW, printed, corrected)
        yield Finding(id, evidence, printed == 0, corrected == 0)
    agrees = all(qa("c@1", k, N - k, 0) == qa("accuracy", k, N - k, 0) for k in range(N + 1))
    evidence = f"every number of correct answers to {N} questions"
    yield Finding("all_answered", evidence, computed=agrees)
    rewards = {qa("uf_half", k, N - 100 - k, 100) - Fraction(k, N) for k in range(0, N - 99, 100)}
    evidence = f"silence on 100 of {N} questions adds {show(sorted(rewards))}"
    agrees = len(rewards) == 1 and min(rewards) > 0
    yield Finding("half_rewards_silence", evidence, computed=agrees)
    for id, measure, system, holds in (
        ("no_answer", "c@1", (0, 0, N), lambda value: value == 0),
        ("optimistic", "optimistic", (0, 0, N), lambda value: value == 1),
        ("one_sure_answer", "precision_answered", (1, 0, N - 1), lambda value: value == 1),
        ("one_wrong_answer", "wrong_rate", (0, 1, N - 1), lambda value: value > 0.99),
    ):
        value = qa(measure, *system)
        evidence = f"{measure} of {system} correct, wrong and unanswered: {float(value):g}"
        yield Finding(id, evidence, computed=holds(value))


def check_four_runs(data: Data) -> Iterator[Finding]:
    """Yield whether the pairs of table 3 have the same accuracy (0.01) but differ in c@1 (0.02)."""
    rows, ids = {row["run"]: row for row in data.rows("penas-2011-table-3")}, ("c@1", "accuracy")
    printed = {run: [Fraction(row[id]) for id in ids] for run, row in rows.items()}
    computed = {
        run: [qa(id, *(int(row[name]) for name in QA)) for id in ids] for run, row in rows.items()
    }
    differences = [
        [a - b for a, b in zip(scores[first_run], scores[second_run], strict=True)]
        for scores in (printed, computed)
        for first_run, second_run in (("icia091ro", "uaic092ro"), ("loga092de", "base092de"))
    ]
    true = [abs(accuracy) <= Fraction(1, 100) < c / 2 for c, accuracy in differences]
    evidence = (
        f"c@1 and accuracy apart, as printed and by the counts: {'; '.join(map(show, differences))}"
    )
    yield Finding("tells_apart", evidence, all(true[:2]), all(true[2:]))


def share_of_cws(first: int) -> float:
    """Return the share of cws that the first places of the ranking can give."""
    return sum(min(place, first) / place for place in range(1, N + 1)) / N


def check_other_measures(data: Data) -> Iterator[Finding]:
    """Yield what Peñas & Rodrigo say of other measures, section 5."""
    silent = [counts for counts in SYSTEMS if counts[2]]
    lowered = {
        id: sum(qa(id, k, w + 1, u - 1) < qa(id, k, w, u) for k, w, u in silent)
        for id in ("accuracy", "mrr", "c@1")
    }
    raised = all(
        qa(id, k + 1, w, u - 1) > qa(id, k, w, u)
        for id in ("accuracy", "mrr")
        for k, w, u in silent
    )
    evidence = f"of {len(silent)} systems one wrong answer more lowers the score of {lowered}"
    unpunished = raised and not lowered["accuracy"] + lowered["mrr"]
    yield Finding("no_punishment", evidence, computed=unpunished)
    first, last = share_of_cws(N // 10), 1 - share_of_cws(N - N // 10)
    yield Finding("cws_top", f"the first tenth carries {first:.0%}", computed=first >= 0.9)
    yield Finding("cws_bottom", f"the last tenth carries {last:.1%}", computed=last < 0.01)
    zero, positive = (
        measures.get("qa", "k1")(signed=10 * right - 20 * wrong, n=30)
        for right, wrong in ((0, 0), (0.9, 0.1))
    )
    scored = "10 correct answers with confidences of {:g}, 20 wrong ones with {:g}: {:g}".format
    yield Finding("k1_zero", scored(0, 0, zero), computed=zero == 0)
    yield Finding("k1_positive", scored(0.9, 0.1, positive), computed=positive > 0)
    yield Finding("upper_bound", "the paper gives no results of those campaigns")


# Voorhees 2003

FACTS = "voorhees-2003-facts"
TAU, SWAPS = (
    "mean Kendall tau with the adjudicated ranking",
    "of those with a difference of at least",
)
TAUS = tuple(f"{TAU} ({score})" for score in ("confidence-weighted score", "number correct"))
ENOUGH = "smallest difference with an extrapolated error rate below 0.05 at 500 questions"
GROUPS = (
    ("pris2002", "IRST02D1", "IBMPQSQACYC"),
    ("uwmtB3", "BBN2002C", "isi02", "limsiQalir2", "ali2002b"),
)


def check_voorhees(data: Data) -> Iterator[Finding]:
    """Yield what Voorhees says of TREC 2002, on her own figures."""
    scores = data.column("voorhees-2003-table-1", "score")
    right = "questions answered correctly by {} in percent".format
    names = right("pris2002"), right("exactanswer"), "questions"
    x, y, number = data.facts(FACTS, *names)
    [fewer] = data.facts(FACTS, "fewer right answers of exactanswer than of pris2002")
    difference = (x - y) / 100 * number
    evidence = f"{float(x - y):.1f} % of {number}: {difference}"
    yield Finding("fewer_right", evidence, difference == fewer)
    x, y = scores["exactanswer"], scores["pris2002"]
    yield Finding("greater_score", show([x, y]), x > y)
    yield Finding("nil_accuracy", "of table 1 the columns of NIL accuracy are lost")
    disputed, percent, pairs, doubtful = data.facts(
        FACTS,
        *(f"pairs with some disagreement{extra}" for extra in ("", " in percent")),
        "distinct response pairs judged by three assessors",
        "pairs that at least one assessor did not call wrong",
    )
    share, half = round_decimal(100 * disputed / pairs, 2), float(disputed / doubtful)
    agrees = round_decimal(100 * disputed / pairs, 1) == f"{float(percent):.1f}"
    yield Finding("disagreement", f"{share} %", agrees)
    yield Finding("half_disputed", f"{half:.1%} of {doubtful}", abs(half - 0.5) < 0.05)
    taus = take_taus(data)
    earlier = data.facts(FACTS, f"{TAU} in TREC-8", f"{TAU} in TREC 2001")
    evidence = f"{show(taus)}, earlier {show(earlier)}"
    yield Finding("earlier_years", evidence, max(taus) < min(earlier))
    moved = [float(sum(Fraction(1, N * k) for k in range(rank, N + 1))) for rank in range(1, N + 1)]
    extra = sum(value >= 2 / N for value in moved)
    evidence = f"one judgment moves cws by {moved[0]:.4f} at rank 1, {moved[-1]:.6f} at rank {N}; "
    evidence += f"the share correct by {1 / N:.4f} at any, half as much or less at {extra} ranks"
    yield Finding("small_ranks", evidence, computed=falls(moved) and 0 < extra < N // 2)
    [enough] = data.facts(FACTS, ENOUGH)
    values = [[scores[run] for run in group] for group in GROUPS]
    spans = [max(group) - min(group) for group in values]
    groups = {run: group for group in GROUPS for run in group}
    order = sorted(scores, key=lambda run: -scores[run])
    gap = min(
        scores[a] - scores[b] for a, b in pairwise(order) if groups.get(a, a) != groups.get(b, b)
    )
    evidence = f"within the groups {show(spans)}, next to them {show([gap])}; {enough} are needed"
    yield Finding("equivalent", evidence, max(spans) < enough <= gap)


# Solovyev


def invert_percent(percent: Fraction, total: int) -> list[int]:
    """Return the whole numbers up to `of` that round to this percentage of it."""
    half = Fraction(1, 2)
    return [k for k in range(total + 1) if abs(Fraction(100 * k, total) - percent) <= half]


def check_romip(data: Data) -> Iterator[Finding]:
    """Yield what Solovyev says of ROMIP and TREC."""
    facts = "solovyev-romip-facts"
    fact = "questions for which the assessors supposed an answer in the collection"
    questions, answerable = map(int, data.facts(facts, "questions", fact))
    unanswerable = questions - answerable
    recall = [
        score("qa", "nil_recall", ("nil_right", "nil_gold"), unanswerable - k, unanswerable)
        for k in range(unanswerable + 1)
    ]
    evidence = f"each such answer lowers it: {show(recall[:2])} of {unanswerable} questions"
    yield Finding("nil_recall", evidence, computed=falls(recall))
    few, all_right = (
        [
            score("qa", "nil_precision", ("nil_right", "nil_returned"), right, right + k)
            for k in range(answerable + 1)
        ]
        for right in (1, unanswerable)
    )
    evidence = f"each such NIL lowers it: {show(all_right[:2])} beside {unanswerable} right ones"
    yield Finding("nil_precision", evidence, computed=falls(few) and falls(all_right))
    kinds = ("answered", "good", "good_any", "long_good", "long_good_partial")
    silent = unanswered_counts(questions, unanswerable)
    evidence = "silence on every question has 0 in all five"
    figures = [silent[f"q_{kind}"] for kind in kinds]
    yield Finding("official_figures", evidence, computed=not any(figures))
    numbers = [
        invert_percent(*pair)
        for word in ("without", "with")
        for pair in zip(
            data.facts(
                facts, *(f"{fact} {word} validation in percent" for fact in ("recall", "error"))
            ),
            (answerable, questions),
            strict=True,
        )
    ]
    evidence = f"a of {answerable}, wrong decisions of {questions}, without and with it: {numbers}"
    yield Finding("validation", evidence, all(numbers))


def check_algorithms(data: Data) -> Iterator[Finding]:
    """Yield what Solovyev concludes from table 3; twice: as printed, and by its counts."""
    counts = {
        row["run"]: [Fraction(row[name]) for name in VALIDATION] for row in data.rows(SOLOVYEV.name)
    }
    runs = [run for run in counts if run not in ("reject-all", "accept-all")]
    e, f = (
        [
            data.column(SOLOVYEV.name, id),
            {
                run: 100 * score("validation", id, VALIDATION, *scores)
                for run, scores in counts.items()
            },
        ]
        for id in ("e@2", "f@0.5")
    )
    e_ranking = [sorted(runs, key=scores.__getitem__) for scores in e]
    f_ranking = [sorted(runs, key=scores.__getitem__, reverse=True) for scores in f]
    evidence = f"the best two: by F {' and '.join(f_ranking[1][:2])}, by E {' and '.join(e_ranking[1][:2])}"
    yield Finding(
        "best_runs",
        evidence,
        f_ranking[0][:2] == e_ranking[0][:2],
        f_ranking[1][:2] == e_ranking[1][:2],
    )
    silence = [scores["reject-all"] for scores in e]
    behind = [[run for run in runs if scores[run] > scores["reject-all"]] for scores in e]
    expected = {"tree-edit-distance", "tree-node-alignment"}
    evidence = "as printed behind it: {}; by the counts: {}".format(*map(", ".join, behind))
    yield Finding(
        "worse_than_nothing", evidence, expected <= {*behind[0]}, expected <= {*behind[1]}
    )
    overlap = [scores["relation-overlap"] for scores in e]
    evidence = "as printed {}; by the counts {}".format(
        *(show(pair, 2) for pair in zip(overlap, silence, strict=True))
    )
    yield Finding("relation_overlap", evidence, overlap[0] < silence[0], overlap[1] < silence[1])
    ranks = [1 + sum(value < scores["reject-all"] for value in scores.values()) for scores in e]
    true = [
        1 < ranks[i] < len(counts) and f[i]["reject-all"] == min(f[i].values()) == 0 for i in (0, 1)
    ]
    evidence = f"of {len(counts)} by E in place {ranks[0]} as printed, {ranks[1]} by the counts"
    yield Finding("competitive", evidence, true[0], true[1])
    fn, tn, tp, fp = counts[runs[-1]]
    more_f, more_e = (
        [score("validation", id, VALIDATION, fn, tn * 10**k, tp, fp) for k in range(6)]
        for id in ("f@0.5", "e@2")
    )
    evidence = f"with 100,000 times as many: F as before, E {float(more_e[-1]):.1e}"
    vanishes = all(after < before / 5 for before, after in pairwise(more_e[1:]))
    yield Finding("true_negatives", evidence, computed=len({*more_f}) == 1 and vanishes)


def check_deft(data: Data) -> Iterator[Finding]:
    """Yield what DEFT 2011 says of its own measures."""
    width, farthest = 10, 143  # E, and the integral of the similarity; years from 1801 to 1944
    total = sum(compute_similarities(range(-farthest, farthest + 1)))
    yield Finding(
        "integral", f"by steps of a year {total:.10f}", computed=abs(total - width) < 1e-9
    )
    values = [Fraction(row["similarity"]) for row in data.rows(DEFT)]
    printed = 2 * sum(values) - values[0]
    yield Finding("sum_of_the_table", f"they sum to {float(printed):.3f}", printed == width)
    # Eq. 7 sums from e = 0 up to E, auc@10 up to E - 1.
    curves = [
        [Fraction(max(0, last - d), width) for d in range(farthest + 1)]
        for last in (width + 1, width)
    ]
    best = [curve[0] for curve in curves]
    summed = "with the sum up to e = E, as printed, {}; up to E - 1, as auc@10, {}".format
    yield Finding("range_of_auc", summed(*best), best[0] == 1, best[1] == 1)
    affine = [max(Fraction(0), 1 - Fraction(d, width)) for d in range(farthest + 1)]
    differences = [f"{sum(map(ne, curve, affine))} distances differ" for curve in curves]
    yield Finding("affine", summed(*differences), curves[0] == affine, curves[1] == affine)
    # Twice half of base E times height 1
    [end] = [end for end in range(1, 21) if Fraction(2 * end, 2) == width]
    yield Finding("triangles", f"the area is 10 at E = {end}", computed=end == width)
    correctness = measures.get("matching", "s")(similarity=Fraction(60), n=200)
    results = [
        qa("precision_answered", 60, responses - 60, 0) == correctness for responses in (200, 150)
    ]
    evidence = "60 right of 200 responses: the same; not so of 150 responses to 200 abstracts"
    yield Finding("one_response_each", evidence, computed=results == [True, False])


# Lost data, simulated


class Trial(NamedTuple):
    """How a claim is tried on a simulated campaign."""

    select: Callable[[dict[str, Any]], Any]  # the figures, from a row of resources/simulation
    holds: Callable[[Any], bool]
    printed: Callable[[Data], Any] | None = None  # the paper's own figures


def take(*names: str) -> Callable[[dict[str, Any]], list[Any]]:
    """Return a function that selects columns of a row."""
    return lambda row: [row[name] for name in names]


def take_measure(name: str, *ids: str) -> Callable[[dict[str, Any]], list[Any]]:
    """Return a function that selects a figure of measures from a row."""
    return take(*(f"{id} {name}" for id in ids or ("uf", "c@1", "accuracy")))


def take_table_2(name: str) -> Callable[[Data], list[Fraction]]:
    """Return a function that gives a column of table 2 of Peñas & Rodrigo."""
    return lambda data: [
        data.column("penas-2011-table-2", name)[id] for id in ("uf", "c@1", "accuracy")
    ]


def compare_ratios(absolute: Sequence[Any], relative: Sequence[Any]) -> list[float]:
    """Return how much larger UF's differences are than c@1's: absolute, and relative ones."""
    return [float(values[0]) / float(values[1]) for values in (absolute, relative)]


def is_less(x: Sequence[Any]) -> bool:
    """Return whether the first figure is below the second."""
    return x[0] < x[1]


def is_most(x: Sequence[Any]) -> bool:
    """Return whether the first figure is above all others."""
    return x[0] > max(x[1:])


def take_taus(data: Data) -> list[Fraction]:
    """Return Voorhees' mean values of tau."""
    return data.facts(FACTS, *TAUS)


REQUIRED, RELATIVE = "required_difference", "relative_difference"
ASSESSOR_SWAPS = (
    "swaps of the three one-assessor rankings against the adjudicated one (confidence-weighted score)",
    *(f"{SWAPS} {size}" for size in ("0.05", "0.07")),
)
TRIALS = {
    "respubliqa-2009-simulated": {
        "n_ac_is_nearer": Trial(take_measure("distance", "c@1", "uf_half", "accuracy"), is_less),
        "silence_is_chosen": Trial(take("right of withheld", "right of answers"), is_less),
        "curves_fall": Trial(take("falling curves"), lambda x: x[0] == 3),
        "c1_is_slightly_better": Trial(take_measure("mean error rate", "c@1", "accuracy"), is_less),
        "stable_measures": Trial(take("largest error rate"), lambda x: x[0] <= 0.05),
        "lower_error_rate": Trial(take_measure("error rate"), is_most),
        "absolute_difference": Trial(take_measure(REQUIRED), is_most, take_table_2(REQUIRED)),
        "relative_difference": Trial(
            lambda row: compare_ratios(take_measure(REQUIRED)(row), take_measure(RELATIVE)(row)),
            lambda x: x[1] < x[0],
            lambda data: compare_ratios(take_table_2(REQUIRED)(data), take_table_2(RELATIVE)(data)),
        ),
        "sensitivity": Trial(
            take_measure("sensitivity"), lambda x: min(x[:2]) > x[2], take_table_2("sensitivity")
        ),
    },
    "trec-2002-simulated": {
        "patterns": Trial(
            take("patterns", "RRX and RXX"),
            lambda x: {*x[0].split()} == {"RRX", "RXX"} and abs(x[1] - 1 / 3) < 0.05,
        ),
        "number_correct": Trial(take("cws tau", "accuracy tau"), is_less, take_taus),
        "adjudicated": Trial(take("cws tau", "cws tau of assessors"), is_most),
        "stable_rankings": Trial(
            take("cws tau", "accuracy tau"), lambda x: min(x) > 0.9, take_taus
        ),
        "small_swaps": Trial(
            take("swaps", "swaps_005", "swaps_007"),
            lambda x: x[2] == 0 and 1 - x[1] / x[0] >= 0.9,
            lambda data: data.facts(FACTS, *ASSESSOR_SWAPS),
        ),
        "error_rate": Trial(take("error rate"), lambda x: abs(x[0] - 0.08) < 0.01),
        "required_difference_500": Trial(
            take("required difference"), lambda x: abs(x[0] - 0.07) < 1e-9
        ),
    },
}


def try_claims(data: Data, conclusions: dict[str, dict[str, str]]) -> Iterator[Finding]:
    """Count the simulated campaigns for whose figures a claim holds."""
    for campaign, trials in TRIALS.items():
        rows: list[dict[str, Any]] = [*read_rows(campaign, data.simulation)]
        for row in rows:
            row |= {key: float(row[key] or "nan") for key in row if key != "patterns"}
        for id, trial in trials.items():
            figures, printed = [*map(trial.select, rows)], trial.printed and trial.printed(data)
            reading, caveat = (conclusions[id][name] for name in ("reading", "caveat"))
            evidence = [f"printed: {show(printed)}"] if printed else []
            evidence += [f"true where {reading}", f"in the shipped campaign {show(figures[0])}"]
            evidence += [f"no evidence, since {caveat}"] if caveat else []
            counts = sum(map(trial.holds, figures)), len(figures)
            holds = trial.holds(printed) if printed else None
            yield Finding(id, "; ".join(evidence), holds, simulated=counts)


CHECKS = (
    *(check_silence, check_four_runs, check_other_measures, check_voorhees),
    *(check_romip, check_algorithms, check_deft),
)


def check_claims(data: Data | None = None) -> list[tuple[dict[str, str], Finding]]:
    """Return each claim of the papers with what was found."""
    data = data or Data()
    conclusions = {row["id"]: row for row in data.rows("claims")}
    findings = [finding for check in CHECKS for finding in check(data)]
    findings += try_claims(data, conclusions)
    evidence = {finding.id: finding for finding in findings}
    return [(row, evidence[id]) for id, row in conclusions.items()]
