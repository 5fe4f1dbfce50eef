"""What the papers conclude (resources/published/claims.csv), and what became of it.

A claim is tested on what the paper prints, on the formulas, or, where its data are lost, on
simulated campaigns. Each `check_…` yields ids of claims, what decides, and whether the claim is
true of what is printed and by the formulas.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from operator import ne
from pathlib import Path
from typing import Any, NamedTuple

from nonresponse import measures
from nonresponse.home import HOME

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
HOLDS, AS_PRINTED, AS_CORRECTED = "holds", "holds only as printed", "holds only as corrected"
FAILS, UNTESTED = "does not hold", "cannot be tested here"
QA, VALIDATION = ("n_ac", "n_aw", "n_u"), SOLOVYEV.counts
N, FEW = 500, 20  # questions of a collection; questions on which every possible system is tried
SYSTEMS = [
    (right, wrong, FEW - right - wrong)
    for right in range(FEW + 1)
    for wrong in range(FEW + 1 - right)
]
ANSWERING = [counts for counts in SYSTEMS if counts[2] < FEW]


class Found(NamedTuple):
    """What decides on a claim, and whether it is true."""

    id: str
    evidence: str
    printed: bool | None = None  # of what the paper prints; None = that does not tell
    computed: bool | None = None  # by the formulas
    simulated: tuple[int, int] | None = None  # in how many simulated campaigns, of how many

    @property
    def verdict(self) -> str:
        """The verdict, such as: holds; in simulation: 8 of 19."""
        both = self.printed, self.computed
        words = {(True, False): AS_PRINTED, (False, True): AS_CORRECTED, (None, None): ""}
        word = words.get(both, FAILS if False in both else HOLDS)
        drawn = "in simulation: {} of {}".format(*self.simulated) if self.simulated else ""
        return "; ".join(filter(None, [word, drawn])) or UNTESTED


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
        known = {row["fact"]: row["value"] for row in self.rows(name)}
        return [Fraction(known[fact]) for fact in facts]

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
    """Return a measure of a system with these counts, exactly; it gives one answer to a question at
    most."""
    if id == "mrr":
        return measures.get("qa", id)(reciprocal_rank=Fraction(right), n=right + wrong + unanswered)
    return score("qa", id, QA, right, wrong, unanswered)


def show(values: Sequence[Any], places: int = 3) -> str:
    """Return figures as text, with so many decimals."""
    return " and ".join(f"{float(value):.{places}f}" for value in values)


def falls(values: Sequence[Any]) -> bool:
    """Return whether each value is below the one before it."""
    return all(one > other for one, other in pairwise(values))


# Peñas & Rodrigo 2011


def count_differing(id: str, formula: Callable[..., Fraction]) -> int:
    """Return to how many systems that answer any of FEW questions a formula gives another score
    than a measure."""
    return sum(ne(qa(id, *counts), formula(*counts)) for counts in ANSWERING)


def check_silence(data: Data) -> Iterator[Found]:
    """Yield what Peñas & Rodrigo say of silence, sections 2 and 3."""
    few, many = (
        f"of {len(ANSWERING)} systems that answer any of {FEW} questions",
        f"of silence on {N} questions:",
    )
    scores = sorted((qa("uf", *counts), qa("uf_half", *counts)) for counts in SYSTEMS)
    same = all((a < b) == (c < d) for (a, c), (b, d) in pairwise(scores))
    yield Found(
        "same_order", f"the order of all {len(SYSTEMS)} systems on {FEW} questions", computed=same
    )
    printed = count_differing(
        "uf_half", lambda k, w, u: Fraction(k, FEW) + Fraction(k, k + w) * Fraction(u, FEW)
    )
    corrected = count_differing("uf_half", lambda k, w, u: Fraction(k, FEW) + Fraction(u, 2 * FEW))
    evidence = f"{few}, measure (2) differs from formula (3) with P(C/A) for {printed}"
    evidence += f", with P(¬C/¬A), as in section 3.3, for {corrected}"
    yield Found("half_rate", evidence, printed == 0, corrected == 0)
    same = all(qa("c@1", k, N - k, 0) == qa("accuracy", k, N - k, 0) for k in range(N + 1))
    yield Found("all_answered", f"every number of correct answers to {N} questions", computed=same)
    silent, best = qa("c@1", 0, 0, N), qa("optimistic", 0, 0, N)
    yield Found("no_answer", f"c@1 {many} {float(silent):g}", computed=silent == 0)
    yield Found("optimistic", f"optimistic {many} {float(best):g}", computed=best == 1)
    rewards = {qa("uf_half", k, N - 100 - k, 100) - Fraction(k, N) for k in range(0, N - 99, 100)}
    evidence = (
        f"silence on 100 of {N} questions adds "
        f"{', '.join(f'{float(reward):g}' for reward in sorted(rewards))}"
    )
    yield Found("half_rewards_silence", evidence, computed=len(rewards) == 1 and min(rewards) > 0)
    value, of_c_at_1 = (qa(id, 1, 0, N - 1) for id in ("precision_answered", "c@1"))
    evidence = (
        f"precision of one correct answer to {N} questions: {float(value):g}; c@1: "
        f"{float(of_c_at_1):.4f}"
    )
    yield Found("one_sure_answer", evidence, computed=value == 1)
    value = qa("wrong_rate", 0, 1, N - 1)
    evidence = (
        f"wrong_rate of one wrong answer to {N} questions: {float(value):.3f}; almost: above 0.99"
    )
    yield Found("one_wrong_answer", evidence, computed=value > 0.99)
    printed = count_differing(
        "wrong_rate", lambda k, w, u: Fraction(k * w * u, FEW * (k + w) * FEW)
    )
    corrected = count_differing(
        "wrong_rate", lambda k, w, u: Fraction(k, FEW) + Fraction(w * u, (k + w) * FEW)
    )
    evidence = (
        f"{few}, {printed} differ with the product as printed, {corrected} with + in "
        "the place of its first sign"
    )
    yield Found("formula_6", evidence, printed == 0, corrected == 0)


def check_four_runs(data: Data) -> Iterator[Found]:
    """Yield what Peñas & Rodrigo conclude from table 3."""
    rows, ids = {row["run"]: row for row in data.rows("penas-2011-table-3")}, ("c@1", "accuracy")
    values = [
        {run: [Fraction(row[id]) for id in ids] for run, row in rows.items()},
        {
            run: [qa(id, *(int(row[name]) for name in QA)) for id in ids]
            for run, row in rows.items()
        },
    ]
    # Those that the text sets side by side
    pairs = (("icia091ro", "uaic092ro"), ("loga092de", "base092de"))
    apart = [
        [[a - b for a, b in zip(of[one], of[other], strict=True)] for one, other in pairs]
        for of in values
    ]
    printed, computed = (", ".join(map(show, of)) for of in apart)
    evidence = (
        f"c@1 and accuracy of {'; '.join(map(' less '.join, pairs))}: {printed} as "
        f"printed, {computed} by the counts"
    )
    true = [all(abs(accuracy) <= Fraction(1, 100) < c / 2 for c, accuracy in of) for of in apart]
    yield Found(
        "tells_apart", f"{evidence}; apart: above 0.02, as many: at most 0.01", true[0], true[1]
    )


def share_of_cws(first: int) -> float:
    """Return the share of the confidence-weighted score that the first places of the ranking can
    give."""
    return sum(min(place, first) / place for place in range(1, N + 1)) / N


def check_other_measures(data: Data) -> Iterator[Found]:
    """Yield what Peñas & Rodrigo say of other measures, section 5."""
    silent, ids = [counts for counts in SYSTEMS if counts[2]], ("accuracy", "mrr", "c@1")
    lowered = {
        id: sum(qa(id, k, w + 1, u - 1) < qa(id, k, w, u) for k, w, u in silent) for id in ids
    }
    raised = all(qa(id, k + 1, w, u - 1) > qa(id, k, w, u) for id in ids[:2] for k, w, u in silent)
    evidence = (
        f"of {len(silent)} systems that leave any of {FEW} questions open, one wrong "
        "answer more lowers "
    )
    evidence += ", ".join(f"{id} of {number}" for id, number in lowered.items())
    evidence += (
        f"; one correct answer more raises accuracy and mrr of {'all' if raised else 'not all'}"
    )
    yield Found(
        "no_punishment", evidence, computed=raised and not lowered["accuracy"] + lowered["mrr"]
    )
    first, half, last = share_of_cws(N // 10), share_of_cws(N // 2), 1 - share_of_cws(N - N // 10)
    enough = next(places for places in range(N + 1) if share_of_cws(places) >= 0.9)
    evidence = (
        f"of {N} questions the first tenth carries {first:.0%}, the first half "
        f"{half:.0%}; almost all is read as"
    )
    evidence += f" 90 % by the first tenth, and the first {enough} places carry that"
    yield Found("cws_top", evidence, computed=first >= 0.9)
    evidence = f"of {N} questions the last tenth carries {last:.1%}; hardly: less than 1 %"
    yield Found("cws_bottom", evidence, computed=last < 0.01)
    zero, positive = (
        measures.get("qa", "k1")(signed=10 * right - 20 * wrong, n=30)
        for right, wrong in ((0, 0), (0.9, 0.1))
    )
    yield Found(
        "k1_zero",
        f"10 right and 20 wrong answers with confidences of 0: {zero:g}",
        computed=zero == 0,
    )
    evidence = f"10 correct answers with confidences of 0.9, 20 wrong ones with 0.1: {positive:.2f}"
    yield Found("k1_positive", evidence, computed=positive > 0)
    yield Found("upper_bound", "the paper gives no results of those campaigns")


# Voorhees 2003

FACTS = "voorhees-2003-facts"
TAU, SWAPS = (
    "mean Kendall tau with the adjudicated ranking",
    "of those with a difference of at least",
)
TAUS = tuple(f"{TAU} ({by})" for by in ("confidence-weighted score", "number correct"))
ENOUGH = "smallest difference with an extrapolated error rate below 0.05 at 500 questions"
GROUPS = (
    ("pris2002", "IRST02D1", "IBMPQSQACYC"),
    ("uwmtB3", "BBN2002C", "isi02", "limsiQalir2", "ali2002b"),
)


def check_voorhees(data: Data) -> Iterator[Found]:
    """Yield what Voorhees says of TREC 2002, on her own figures."""
    scores = data.column("voorhees-2003-table-1", "score")
    right = "questions answered correctly by {} in percent".format
    names = (
        right("pris2002"),
        right("exactanswer"),
        "questions",
        "fewer right answers of exactanswer than of pris2002",
    )
    one, other, number, fewer = data.facts(FACTS, *names)
    found = (one - other) / 100 * number
    evidence = f"({float(one):.1f} - {float(other):.1f}) % of {number} are {float(found):g}"
    yield Found("fewer_right", evidence, found == fewer)
    one, other = scores["exactanswer"], scores["pris2002"]
    yield Found("greater_score", show([one, other]), one > other)
    yield Found("nil_accuracy", "of table 1 the columns of NIL accuracy are lost")
    disputed, percent, pairs, doubtful = data.facts(
        FACTS,
        *(f"pairs with some disagreement{more}" for more in ("", " in percent")),
        "distinct response pairs judged by three assessors",
        "pairs that at least one assessor did not call wrong",
    )
    share, half = 100 * disputed / pairs, float(disputed / doubtful)
    yield Found(
        "disagreement",
        f"{round_decimal(share, 2)} %",
        round_decimal(share, 1) == f"{float(percent):.1f}",
    )
    evidence = f"{disputed} of {doubtful} are {half:.1%}; half: less than 5 % away from it"
    yield Found("half_disputed", evidence, abs(half - 0.5) < 0.05)
    now, earlier = (
        data.facts(FACTS, *TAUS),
        data.facts(FACTS, f"{TAU} in TREC-8", f"{TAU} in TREC 2001"),
    )
    yield Found("earlier_years", f"{show(now)}, earlier {show(earlier)}", max(now) < min(earlier))
    moved = [
        float(sum(Fraction(1, N * later) for later in range(rank, N + 1)))
        for rank in range(1, N + 1)
    ]
    more = sum(value >= 2 / N for value in moved)
    evidence = (
        f"of {N} questions, one judgment moves it by {moved[0]:.4f} at rank 1, "
        f"{moved[N // 2 - 1]:.4f} at rank"
    )
    evidence += (
        f" {N // 2}, {moved[-1]:.6f} at rank {N}, the share correct by {1 / N:.4f} at "
        f"any; at the first {more}"
    )
    evidence += " ranks it moves twice as much or more, as which “much more” is read here"
    yield Found("small_ranks", evidence, computed=falls(moved) and 0 < more < N // 2)
    [enough] = data.facts(FACTS, ENOUGH)
    spans = [
        max(scores[run] for run in group) - min(scores[run] for run in group) for group in GROUPS
    ]
    named = {run: group for group in GROUPS for run in group}
    order = sorted(scores, key=lambda run: -scores[run])
    apart = min(
        scores[a] - scores[b] for a, b in pairwise(order) if named.get(a, a) != named.get(b, b)
    )
    evidence = (
        f"within the groups scores differ by up to {show(spans)}, the runs of table 1 "
        "next to them by"
    )
    yield Found(
        "equivalent",
        f"{evidence} {show([apart])} or more; {float(enough):g} are needed",
        max(spans) < enough <= apart,
    )


# Solovyev


def invert_percent(percent: Fraction, of: int) -> str:
    """Return the whole numbers up to `of` that round to this percentage of it, "" if there are
    none."""
    numbers = [
        number
        for number in range(of + 1)
        if abs(Fraction(100 * number, of) - percent) <= Fraction(1, 2)
    ]
    return " to ".join(dict.fromkeys(map(str, numbers[:1] + numbers[-1:])))


def check_romip(data: Data) -> Iterator[Found]:
    """Yield what Solovyev says of ROMIP and TREC."""
    facts = "solovyev-romip-facts"
    with_answer = "questions for which the assessors supposed an answer in the collection"
    questions, answered = map(int, data.facts(facts, "questions", with_answer))
    none = questions - answered
    recall = [
        score("qa", "nil_recall", ("nil_right", "nil_gold"), none - k, none)
        for k in range(none + 1)
    ]
    evidence = (
        f"each such answer lowers it; of {none} questions, one from "
        f"{float(recall[0]):g} to {float(recall[1]):.3f},"
    )
    evidence += f" {none // 2} to {float(recall[none // 2]):g}: low where there are many"
    yield Found("nil_recall", evidence, computed=falls(recall))
    few, all_right = (
        [
            score("qa", "nil_precision", ("nil_right", "nil_returned"), it, it + k)
            for k in range(answered + 1)
        ]
        for it in (1, none)
    )
    evidence = (
        f"each such NIL lowers it; beside {none} right ones, one from {float(all_right[0]):g} to"
    )
    evidence += f" {float(all_right[1]):.3f}, all {answered} to {float(all_right[-1]):.2f}"
    yield Found("nil_precision", evidence, computed=falls(few) and falls(all_right))
    kinds = ("answered", "good", "good_any", "long_good", "long_good_partial")
    silent = [score("qa", f"romip_{kind}", [f"q_{it}" for it in kinds], *[0] * 5) for kind in kinds]
    yield Found(
        "official_figures", "silence on every question has 0 in all five", computed=not any(silent)
    )
    parts, possible = [], True
    for word in ("without", "with"):
        recalled, erred = data.facts(
            facts, *(f"{it} {word} validation in percent" for it in ("recall", "error"))
        )
        right, wrong = invert_percent(recalled, answered), invert_percent(erred, questions)
        possible &= bool(right and wrong)
        parts.append(
            f"{word} it a is {right or 'no number'} of {answered}, wrong decisions are {wrong} "
            f"of {questions}"
        )
    silence = score("qa", "romip_error", "abcde", 0, 0, 0, answered, none)
    parts.append(
        f"silence on every question has E {float(100 * silence):.1f} % if {answered} have an answer"
    )
    yield Found("validation", "; ".join(parts), possible)


def check_algorithms(data: Data) -> Iterator[Found]:
    """Yield what Solovyev concludes from table 3; twice: as printed, and by its counts."""
    counts = {
        row["run"]: [Fraction(row[name]) for name in VALIDATION] for row in data.rows(SOLOVYEV.name)
    }
    runs = [run for run in counts if run not in ("reject-all", "accept-all")]
    e, f = (
        [
            data.column(SOLOVYEV.name, id),
            {run: 100 * score("validation", id, VALIDATION, *of) for run, of in counts.items()},
        ]
        for id in ("e@2", "f@0.5")
    )
    by_e, by_f = (
        [sorted(runs, key=of.__getitem__) for of in e],
        [sorted(runs, key=of.__getitem__, reverse=True) for of in f],
    )
    otherwise = sum(
        by_e[1].index(one) > by_e[1].index(other) for one, other in combinations(by_f[1], 2)
    )
    evidence = (
        f"the best two, in their order: by F {' and '.join(by_f[1][:2])}, by E "
        f"{' and '.join(by_e[1][:2])}; of all"
    )
    evidence += (
        f" {len(runs) * (len(runs) - 1) // 2} pairs of runs the two order {otherwise} otherwise"
    )
    yield Found("best_runs", evidence, by_f[0][:2] == by_e[0][:2], by_f[1][:2] == by_e[1][:2])
    behind = [[run for run in runs if of[run] > of["reject-all"]] for of in e]
    evidence = (
        f"as printed behind it: {', '.join(behind[0])}; by the counts: {', '.join(behind[1])}"
    )
    named = {"tree-edit-distance", "tree-node-alignment"}
    yield Found("worse_than_nothing", evidence, named <= {*behind[0]}, named <= {*behind[1]})
    both = [[of[run] for run in ("relation-overlap", "reject-all")] for of in e]
    evidence = f"as printed {show(both[0], 2)}; by the counts {show(both[1], 2)}"
    yield Found("relation_overlap", evidence, both[0][0] < both[0][1], both[1][0] < both[1][1])
    ranks = [1 + sum(value < of["reject-all"] for value in of.values()) for of in e]
    true = [
        1 < ranks[i] < len(counts) and f[i]["reject-all"] == min(f[i].values()) == 0 for i in (0, 1)
    ]
    evidence = "by E in place {1} of {0} as printed, {2} of {0} by the counts; F is 0".format(
        len(counts), *ranks
    )
    yield Found("competitive", evidence, true[0], true[1])
    fn, tn, tp, fp = counts[runs[-1]]
    more_f, more_e = (
        [score("validation", id, VALIDATION, fn, tn * 10**k, tp, fp) for k in range(6)]
        for id in ("f@0.5", "e@2")
    )
    evidence = (
        f"predicate matching with 100,000 times as many: F {float(more_f[-1]):.4f} as before, E"
    )
    evidence += (
        f" {float(more_e[-1]):.1e}; after the first ten times, each ten times as many "
        "leave less than 1/5"
    )
    vanishes = all(after < before / 5 for before, after in pairwise(more_e[1:]))
    yield Found("true_negatives", evidence, computed=len({*more_f}) == 1 and vanishes)


def check_deft(data: Data) -> Iterator[Found]:
    """Yield what DEFT 2011 says of its own measures."""
    width, farthest = 10, 143  # E, and the integral of the similarity; years from 1801 to 1944
    total = sum(compute_similarities(range(-farthest, farthest + 1)))
    evidence = f"over steps of a year, from -{farthest} to {farthest}: {total:.10f}"
    yield Found("integral", evidence, computed=abs(total - width) < 1e-9)
    values = [Fraction(row["similarity"]) for row in data.rows(DEFT)]
    printed = 2 * sum(values) - values[0]
    yield Found(
        "sum_of_the_table", f"the printed ones sum to {float(printed):.3f}", printed == width
    )
    # Eq. 7 sums from e = 0 up to E, auc@10 up to E - 1.
    curves = [
        [Fraction(max(0, last - d), width) for d in range(farthest + 1)]
        for last in (width + 1, width)
    ]
    evidence = "with the sum up to e = E, as printed, {:g}; up to E - 1, as auc@10, {:g}"
    best = [curve[0] for curve in curves]
    yield Found("range_of_auc", evidence.format(*map(float, best)), best[0] == 1, best[1] == 1)
    affine = [max(Fraction(0), 1 - Fraction(d, width)) for d in range(farthest + 1)]
    apart = [sum(map(ne, curve, affine)) for curve in curves]
    evidence = (
        f"of {len(affine)} distances {apart[0]} differ with the sum up to e = E, as "
        f"printed, {apart[1]} up to E - 1"
    )
    yield Found("affine", evidence, apart[0] == 0, apart[1] == 0)
    # Twice half of base E times height 1
    [end] = [end for end in range(1, 21) if Fraction(2 * end, 2) == width]
    yield Found("triangles", f"the area is 10 at E = {end}", computed=end == width)
    correctness = measures.get("matching", "s")(similarity=Fraction(60), n=200)
    same = [qa("precision_answered", 60, given - 60, 0) == correctness for given in (200, 150)]
    evidence = "60 right of 200 responses: the same; not so of 150 responses to 200 abstracts"
    yield Found("one_response_each", evidence, computed=same == [True, False])


# Lost data, simulated


class Trial(NamedTuple):
    """How a claim is tried on a simulated campaign."""

    select: Callable[[dict[str, Any]], Any]  # the figures, from a row of resources/simulation
    holds: Callable[[Any], bool]
    show: Callable[[Any], str] = show
    printed: Callable[[Data], Any] | None = None  # the paper's own figures


def take(*names: str) -> Callable[[dict[str, Any]], list[Any]]:
    """Return a function that selects columns of a row."""
    return lambda row: [row[name] for name in names]


def by_measure(name: str, *ids: str) -> Callable[[dict[str, Any]], list[Any]]:
    """Return a function that selects a figure of measures from a row: of UF, c@1 and accuracy, or
    of these."""
    return take(*(f"{id} {name}" for id in ids or ("uf", "c@1", "accuracy")))


def of_table_2(name: str) -> Callable[[Data], list[Fraction]]:
    """Return a function that gives a column of table 2 of Peñas & Rodrigo: of UF, c@1 and
    accuracy."""
    return lambda data: [
        data.column("penas-2011-table-2", name)[id] for id in ("uf", "c@1", "accuracy")
    ]


def show_measures(values: Sequence[Any]) -> str:
    """Return figures of UF, c@1 and accuracy as text."""
    return "uf {:.4f}, c@1 {:.4f}, accuracy {:.4f}".format(*map(float, values))


def compare_ratios(absolute: Sequence[Any], relative: Sequence[Any]) -> list[float]:
    """Return how much larger UF's differences are than those of c@1: the relative ones, the
    absolute ones."""
    return [float(of[0]) / float(of[1]) for of in (relative, absolute)]


REQUIRED, RELATIVE = "required_difference", "relative_difference"
TRIALS = {
    "respubliqa-2009-simulated": {
        "n_ac_is_nearer": Trial(
            by_measure("distance", "c@1", "uf_half", "accuracy"),
            lambda it: it[0] < it[1],
            lambda it: "n_ac/n is {:.3f} away, 0.5 is {:.3f}, 0 is {:.3f}".format(*it),
        ),
        "silence_is_chosen": Trial(
            take("right of withheld", "right of answers"), lambda it: it[0] < it[1]
        ),
        "curves_fall": Trial(
            take("falling curves"), lambda it: it[0] == 3, lambda it: f"{it[0]:g} of 3 do"
        ),
        "c1_is_slightly_better": Trial(
            by_measure("mean error rate", "c@1", "accuracy"), lambda it: it[0] < it[1]
        ),
        "stable_measures": Trial(take("largest error rate"), lambda it: it[0] <= 0.05),
        "lower_error_rate": Trial(
            by_measure("error rate"), lambda it: it[0] > max(it[1:]), show_measures
        ),
        "absolute_difference": Trial(
            by_measure(REQUIRED),
            lambda it: it[0] > max(it[1:]),
            show_measures,
            of_table_2(REQUIRED),
        ),
        "relative_difference": Trial(
            lambda row: compare_ratios(by_measure(REQUIRED)(row), by_measure(RELATIVE)(row)),
            lambda it: it[0] < it[1],
            lambda it: "UF's is {:.2f} times c@1's, the absolute one {:.2f} times".format(*it),
            lambda data: compare_ratios(of_table_2(REQUIRED)(data), of_table_2(RELATIVE)(data)),
        ),
        "sensitivity": Trial(
            by_measure("sensitivity"),
            lambda it: min(it[:2]) > it[2],
            show_measures,
            of_table_2("sensitivity"),
        ),
    },
    "trec-2002-simulated": {
        "patterns": Trial(
            take("patterns", "RRX and RXX"),
            lambda it: {*it[0].split()} == {"RRX", "RXX"} and abs(it[1] - 1 / 3) < 0.05,
            lambda it: f"{' and '.join(it[0].split())} are, and RRX and RXX are {it[1]:.1%}",
        ),
        "number_correct": Trial(
            take("cws tau", "accuracy tau"),
            lambda it: it[0] < it[1],
            printed=lambda data: data.facts(FACTS, *TAUS),
        ),
        "adjudicated": Trial(take("cws tau", "cws tau of assessors"), lambda it: it[0] > it[1]),
        "stable_rankings": Trial(
            take("cws tau", "accuracy tau"),
            lambda it: min(it) > 0.9,
            printed=lambda data: data.facts(FACTS, *TAUS),
        ),
        "small_swaps": Trial(
            take("swaps", "swaps_005", "swaps_007"),
            lambda it: it[2] == 0 and 1 - it[1] / it[0] >= 0.9,
            lambda it: "of {:g} swaps {:g} are of runs that differ by 0.05, {:g} by 0.07".format(
                *map(float, it)
            ),
            lambda data: data.facts(
                FACTS,
                "swaps of the three one-assessor rankings against the adjudicated one "
                "(confidence-weighted score)",
                *(f"{SWAPS} {size}" for size in ("0.05", "0.07")),
            ),
        ),
        "error_rate": Trial(take("error rate"), lambda it: abs(it[0] - 0.08) < 0.01),
        "required_difference_500": Trial(
            take("required difference"), lambda it: abs(it[0] - 0.07) < 1e-9
        ),
    },
}


def try_claims(data: Data, conclusions: dict[str, dict[str, str]]) -> Iterator[Found]:
    """Count the simulated campaigns for whose figures a claim holds."""
    for campaign, trials in TRIALS.items():
        rows = [
            {
                key: value if key == "patterns" else float(value or "nan")
                for key, value in row.items()
            }
            for row in read_rows(campaign, data.simulation)
        ]
        for id, trial in trials.items():
            figures, printed = [*map(trial.select, rows)], trial.printed and trial.printed(data)
            reading, caveat = (conclusions[id][name] for name in ("reading", "caveat"))
            evidence = [f"printed: {trial.show(printed)}"] if printed else []
            evidence += [
                f"true where {reading}",
                f"in the shipped campaign {trial.show(figures[0])}",
            ]
            evidence += [f"no evidence, since {caveat}"] if caveat else []
            held = sum(map(trial.holds, figures)), len(figures)
            yield Found(
                id, "; ".join(evidence), trial.holds(printed) if printed else None, simulated=held
            )


CHECKS = (
    check_silence,
    check_four_runs,
    check_other_measures,
    check_voorhees,
    check_romip,
    check_algorithms,
    check_deft,
)


def check_claims(data: Data | None = None) -> list[tuple[dict[str, str], Found]]:
    """Return each claim of the papers with what was found."""
    data = data or Data()
    conclusions = {row["id"]: row for row in data.rows("claims")}
    found = {
        one.id: one
        for one in (*(it for check in CHECKS for it in check(data)), *try_claims(data, conclusions))
    }
    return [(row, found[id]) for id, row in conclusions.items()]
