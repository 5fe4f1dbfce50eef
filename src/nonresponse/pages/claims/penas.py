"""Claims of Peñas & Rodrigo 2011 on what c@1 and other measures make of silence: sections 2 and 3."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from operator import ne

from nonresponse.pages.claims import Data, Found, Source, of_both, score, systems

N = 500  # questions of their collection
FEW = 20  # questions on which every possible system is tried
ALMOST_PERFECT = Fraction(99, 100)

SOURCE = Source("Peñas & Rodrigo 2011")
claim = SOURCE.claim


def credited(counts: dict[str, int], rate: Fraction) -> Fraction:
    """Formula (3): the share of right answers, were unanswered questions right at this rate, P(C/¬A)."""
    n = sum(counts.values())
    return Fraction(counts["n_ac"], n) + rate * Fraction(counts["n_u"], n)


def differing(id: str, *formulas: Callable[[dict[str, int]], Fraction]) -> list[int]:
    """How many systems answer any of FEW questions; then, for each formula, to how many it gives another score."""
    answering = [counts for counts in systems(FEW) if counts["n_u"] < FEW]
    values = [score("qa", id, **counts) for counts in answering]
    return [len(values), *(sum(map(ne, values, map(formula, answering))) for formula in formulas)]


@claim("section 2", "Measure (2), n_ac/n + 0.5 n_u/n, ranks systems as the utility function (1) does.")
def same_ranking(data: Data) -> Found:
    every = list(systems(FEW))
    by_uf, by_half = ([score("qa", id, **counts) for counts in every] for id in ("uf", "uf_half"))
    # Sorted by uf, uf_half rises exactly where uf rises.
    order = sorted(range(len(every)), key=by_uf.__getitem__)
    alike = all((by_uf[i] < by_uf[j]) == (by_half[i] < by_half[j]) for i, j in pairwise(order))
    rising = all(by_half[i] <= by_half[j] for i, j in pairwise(order))
    return Found(f"the order of all {len(every):,} systems on {FEW} questions by both", computed=alike and rising)


@claim("section 2.1", "With P(C/¬A) constantly 0.5, measure (2) “is assuming arbitrarily that P(C/¬A) = P(C/A)”.")
def assumed(data: Data) -> Found:
    """P(C/A) in this sentence is a slip for P(¬C/¬A), which section 3.3 has."""
    number, *apart = differing(
        "uf_half",
        lambda counts: credited(counts, Fraction(counts["n_ac"], counts["n_ac"] + counts["n_aw"])),
        lambda counts: credited(counts, Fraction(1, 2)),  # P(C/¬A) = P(¬C/¬A), which sum to 1
    )
    evidence = (
        f"of {number:,} systems that answer any of {FEW} questions, measure (2) differs from formula (3) with"
        f" P(C/A) for {apart[0]:,}, with P(¬C/¬A), as in section 3.3, for {apart[1]}"
    )
    return of_both(evidence, (differ == 0 for differ in apart))


@claim("section 2.2", "A system that answers all questions has c@1 equal to accuracy.")
def all_answered(data: Data) -> Found:
    every = [(score("qa", id, n_ac=k, n_aw=N - k, n_u=0) for id in ("c@1", "accuracy")) for k in range(N + 1)]
    return Found(f"every number of right answers to {N} questions", computed=all(one == other for one, other in every))


@claim("section 2.2", "A system that returns no answer has c@1 = 0.")
def total_silence(data: Data) -> Found:
    value = score("qa", "c@1", n_ac=0, n_aw=0, n_u=N)
    return Found(f"c@1 of silence on {N} questions: {float(value):g}", computed=value == 0)


@claim("section 3.2", "With P(C/¬A) = 1, systems that give no answer get the maximum score.")
def optimistic(data: Data) -> Found:
    value = score("qa", "optimistic", n_ac=0, n_aw=0, n_u=N)
    return Found(f"optimistic of silence on {N} questions: {float(value):g}", computed=value == 1)


@claim("section 3.3", "With P(C/¬A) = 0.5, the sole fact of not responding is rewarded, whatever the performance.")
def half(data: Data) -> Found:
    right = range(0, N - 99, 100)
    rewards = {score("qa", "uf_half", n_ac=k, n_aw=N - 100 - k, n_u=100) - Fraction(k, N) for k in right}
    value = ", ".join(f"{float(reward):g}" for reward in sorted(rewards))
    return Found(f"silence on 100 of {N} questions adds {value}", computed=len(rewards) == 1 and min(rewards) > 0)


@claim("section 3.4", "With P(C/¬A) = P(C/A), the system that answers one sure question and no other is rewarded.")
def one_sure_answer(data: Data) -> Found:
    value = score("qa", "precision_answered", n_ac=1, n_aw=0, n_u=N - 1)
    c_at_1 = score("qa", "c@1", n_ac=1, n_aw=0, n_u=N - 1)
    evidence = f"precision of one right answer to {N} questions: {float(value):g}; c@1: {float(c_at_1):.4f}"
    return Found(evidence, computed=value == 1)


@claim("section 3.5", "With P(C/¬A) = P(¬C/A), one wrong answer and silence on the rest get almost a perfect score.")
def one_wrong_answer(data: Data) -> Found:
    value = score("qa", "wrong_rate", n_ac=0, n_aw=1, n_u=N - 1)
    almost = f"almost: above {float(ALMOST_PERFECT):g}"
    evidence = f"wrong_rate of one wrong answer to {N} questions: {float(value):.3f}; {almost}"
    return Found(evidence, computed=value > ALMOST_PERFECT)


@claim("section 3.5", "In formula (6), P(C ∩ A) · P(¬C/A) · P(¬A) is n_ac/n + n_aw/(n_ac + n_aw) · n_u/n.")
def product_sign(data: Data) -> Found:
    """The first product sign is a slip for +, which formula (3) has there."""

    def wrong(counts: dict[str, int]) -> Fraction:
        return Fraction(counts["n_aw"], counts["n_ac"] + counts["n_aw"])

    number, *apart = differing(
        "wrong_rate",
        lambda counts: Fraction(counts["n_ac"], FEW) * wrong(counts) * Fraction(counts["n_u"], FEW),
        lambda counts: credited(counts, wrong(counts)),
    )
    evidence = (
        f"of {number:,} systems that answer any of {FEW} questions, {apart[0]:,} differ with the product as"
        f" printed, {apart[1]} with + in the place of its first sign"
    )
    return of_both(evidence, (differ == 0 for differ in apart))
