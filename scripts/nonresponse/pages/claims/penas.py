"""Claims of Peñas & Rodrigo 2011, on c@1 and its rivals."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from nonresponse import measures
from nonresponse.pages import claims
from nonresponse.pages.claims import Data, Found, Untestable, score

if TYPE_CHECKING:
    import numpy as np

SIMULATED = "respubliqa-2009-simulated"
TABLE_2, TABLE_3 = "penas-2011-table-2", "penas-2011-table-3"
SENSITIVITY = f"{SIMULATED}/reliability/sensitivity.csv"
STABILITY = [f"{SIMULATED}/reliability/stability/{id}.parquet" for id in ("c@1", "accuracy", "uf")]
COUNTS = f"{SIMULATED}/counts.parquet"
PAIRS = (("icia091ro", "uaic092ro"), ("loga092de", "base092de"))  # those that the text sets side by side
APART = ("c@1", "accuracy")
ESTIMATES = f"{SIMULATED}/reliability/estimates.csv"
N = 500  # questions of their collection

claim = partial(claims.claim, source="Peñas & Rodrigo 2011")


def column(data: Data, name: str) -> dict[str, Fraction]:
    """A column of table 2, by measure."""
    return {row["measure"]: Fraction(row[name]) for row in data.rows(TABLE_2)}


def simulated(data: Data, name: str) -> dict[str, float]:
    """The same column of the simulated campaign."""
    return {id: data.value(SENSITIVITY, name, measure=id) for id in ("c@1", "accuracy", "uf")}


def curve(data: Data, file: str) -> tuple[np.ndarray, np.ndarray]:
    """Proportions of ties, rising, and the error rate at each."""
    points = data.columns(file, "ties", "error_rate").sort("ties")
    return points["ties"].to_numpy(), points["error_rate"].to_numpy()


def shown(figures: dict) -> str:
    """Figures of measures, in a row."""
    return ", ".join(f"{id} {float(value):.4f}" for id, value in figures.items())


@claim("section 2", "Measure (2), n_ac/n + 0.5 n_u/n, ranks systems as the utility function (1) does.", COUNTS)
def same_ranking(data: Data) -> Found:
    runs = [tuple(map(int, (row["n_ac"], row["n_aw"], row["n_u"]))) for row in data.rows(TABLE_3)]
    runs += data.columns(COUNTS, "n_ac", "n_aw", "n_u").rows()
    orders = []
    for id in ("uf", "uf_half"):
        values = [score("qa", id, n_ac=right, n_aw=wrong, n_u=silent) for right, wrong, silent in runs]
        orders.append([[one > other for other in values] for one in values])
    return Found(f"the order of {len(runs)} runs by both", computed=orders[0] == orders[1])


@claim("section 2.2", "A system that answers all questions has c@1 equal to accuracy.")
def all_answered(data: Data) -> Found:
    every = [(score("qa", id, n_ac=k, n_aw=N - k, n_u=0) for id in ("c@1", "accuracy")) for k in range(N + 1)]
    return Found(f"every number of right answers to {N} questions", computed=all(one == other for one, other in every))


@claim("section 2.2", "A system that returns no answer has c@1 = 0.")
def total_silence(data: Data) -> Found:
    value = score("qa", "c@1", n_ac=0, n_aw=0, n_u=N)
    return Found(f"c@1 of silence on {N} questions: {float(value):g}", computed=value == 0)


@claim(
    "section 2.2", "P(C/¬A) is estimated better by the accuracy shown, n_ac/n, than by the arbitrary 0.5.", ESTIMATES
)
def better_than_half(data: Data) -> Found:
    distances = {id: data.value(ESTIMATES, "distance", estimate=id) for id in ("c@1", "uf_half", "accuracy")}
    shown = f"n_ac/n {distances['c@1']:.3f}, 0.5 {distances['uf_half']:.3f}, 0 {distances['accuracy']:.3f}"
    evidence = f"mean distance from the share of right ones among withheld candidates: {shown}"
    return Found(evidence, computed=distances["c@1"] < distances["uf_half"])


@claim("section 3.2", "With P(C/¬A) = 1, systems that give no answer get the maximum score.")
def optimistic(data: Data) -> Found:
    value = score("qa", "optimistic", n_ac=0, n_aw=0, n_u=N)
    return Found(f"optimistic of silence on {N} questions: {float(value):g}", computed=value == 1)


@claim("section 3.3", "With P(C/¬A) = 0.5, the sole fact of not responding is rewarded, whatever the performance.")
def half(data: Data) -> Found:
    rewards = {
        score("qa", "uf_half", n_ac=k, n_aw=N - 100 - k, n_u=100) - Fraction(k, N) for k in range(0, N - 99, 100)
    }
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
    return Found(f"wrong_rate of one wrong answer to {N} questions: {float(value):.3f}", computed=value > 0.99)


@claim(
    "section 3.4",
    "Systems do not choose at random what to answer: they can tell candidates that are wrong.",
    COUNTS,
)
def not_at_random(data: Data) -> Found:
    counted = data.columns(COUNTS, "n_ac", "n_aw", "n_ur", "n_uw").sum().row(0)
    right, wrong, withheld_right, withheld_wrong = map(float, counted)  # of several epochs, the counts are means
    judged = withheld_right + withheld_wrong
    if not judged:
        raise Untestable("no withheld candidate was judged")
    answered, withheld = right / (right + wrong), withheld_right / judged
    evidence = f"right among the answers {answered:.3f}, among {judged:,g} withheld candidates {withheld:.3f}"
    return Found(evidence, computed=withheld < answered)


@claim("section 4.2", "The error rate of each measure falls as the proportion of ties grows.", *STABILITY)
def errors_fall(data: Data) -> Found:
    import numpy as np

    curves = [curve(data, file) for file in STABILITY]
    falling = [bool((np.diff(errors) <= 0).all()) for _, errors in curves]
    return Found(f"{sum(falling)} of {len(falling)} curves fall throughout", computed=all(falling))


@claim("section 4.2", "c@1 and accuracy have a lower error rate than UF when the proportion of ties grows.", *STABILITY)
def lower_error_rates(data: Data) -> Found:
    import numpy as np

    curves = [curve(data, file) for file in STABILITY]
    ties = min(shares.max() for shares, _ in curves)  # the largest share that all of them reach
    c_at_1, accuracy, uf = (float(np.interp(ties, *both)) for both in curves)
    evidence = f"error rates at {ties:.3f} ties: c@1 {c_at_1:.4f}, accuracy {accuracy:.4f}, uf {uf:.4f}"
    return Found(evidence, computed=max(c_at_1, accuracy) < uf)


@claim("section 4.3", "UF takes a higher absolute difference to conclude that a system is better.", SENSITIVITY)
def absolute_difference(data: Data) -> Found:
    printed, here = column(data, "required_difference"), simulated(data, "required_difference")
    evidence = f"printed {shown(printed)}; here {shown(here)}"
    true = [of["uf"] > max(of["c@1"], of["accuracy"]) for of in (printed, here)]
    return Found(evidence, *true)


@claim("section 4.3", "The relative difference that UF takes is similar to that of c@1.", SENSITIVITY)
def relative_difference(data: Data) -> Found:
    """Similar: nearer to each other than the absolute differences, as the paper contrasts them."""
    ratios, true = [], []
    for of in (column, simulated):
        columns = [of(data, name) for name in ("relative_difference", "required_difference")]
        relative, absolute = (float(values["uf"]) / float(values["c@1"]) for values in columns)
        ratios.append(f"UF's is {relative:.2f} times c@1's, where the absolute one is {absolute:.2f} times")
        true.append(relative < absolute)
    return Found(f"printed: {ratios[0]}; here: {ratios[1]}", *true)


@claim("section 4.3", "UF and c@1 are about as sensitive, and more sensitive than accuracy.", SENSITIVITY)
def sensitivity(data: Data) -> Found:
    printed, here = column(data, "sensitivity"), simulated(data, "sensitivity")
    true = [min(of["uf"], of["c@1"]) > of["accuracy"] for of in (printed, here)]
    return Found(f"printed {shown(printed)}; here {shown(here)}", *true)


@claim(
    "section 4.4",
    "c@1 tells systems apart that answer as many questions correctly, of which one answers fewer incorrectly.",
)
def qualitative(data: Data) -> Found:
    rows = {row["run"]: row for row in data.rows(TABLE_3)}
    computed = {
        run: {id: score("qa", id, **{name: int(row[name]) for name in ("n_ac", "n_aw", "n_u")}) for id in APART}
        for run, row in rows.items()
    }
    printed = {run: {id: Fraction(row[id]) for id in APART} for run, row in rows.items()}
    true, shown = [], []
    for values in (printed, computed):
        by = [{id: values[one][id] - values[other][id] for id in APART} for one, other in PAIRS]
        true.append(all(abs(of["accuracy"]) <= Fraction("0.01") < of["c@1"] / 2 for of in by))
        shown.append(", ".join(f"{float(of['c@1']):.3f} and {float(of['accuracy']):.3f}" for of in by))
    names = "; ".join(f"{one} less {other}" for one, other in PAIRS)
    return Found(f"in c@1 and accuracy, {names}: {shown[0]} as printed, {shown[1]} by the counts", *true)


@claim("section 5", "CWS is given almost completely by the questions at the top of the ranking.")
def top_of_the_ranking(data: Data) -> Found:
    first = share_of_cws(N // 10)
    return Found(
        f"of {N} questions the first tenth carries {first:.0%}, the first half {share_of_cws(N // 2):.0%}",
        computed=first > 0.9,
    )


@claim("section 5", "Questions at the bottom of the ranking hardly count in CWS.")
def bottom_of_the_ranking(data: Data) -> Found:
    last = 1 - share_of_cws(N - N // 10)
    return Found(f"of {N} questions the last tenth carries {last:.1%}", computed=last < 0.01)


@claim("section 5", "A system whose self-scores are all 0 has K1 = 0.")
def k1_of_zeros(data: Data) -> Found:
    value = k1(right=[0.0] * 10, wrong=[0.0] * 20)
    return Found(f"10 right and 20 wrong answers with self-scores of 0: {value:g}", computed=value == 0)


@claim("section 5", "A positive K1 does not mean more right answers than wrong ones.")
def k1_of_few(data: Data) -> Found:
    value = k1(right=[0.9] * 10, wrong=[0.1] * 20)
    return Found(f"10 right answers with self-scores of 0.9, 20 wrong ones with 0.1: {value:.2f}", computed=value > 0)


@claim("section 5", "Most systems of TREC and CLEF had an upper bound of accuracy around 60 %.")
def upper_bound(data: Data) -> Found:
    raise Untestable("the source gives no results of those campaigns")


def share_of_cws(first: int) -> float:
    """Which part of the score the questions in the first so many places can give."""
    import numpy as np

    from nonresponse.measures import cws
    from nonresponse.measures.orderings import Order

    every = np.arange(N)
    return float(cws.contributions(Order(question=every, right=np.ones(N, bool), starts=every))[:first].sum())


def k1(right: list[float], wrong: list[float]) -> float:
    """K1 of a system with these self-scores of its right and wrong answers."""
    return measures.get("qa", "k1")(signed=sum(right) - sum(wrong), n=len(right) + len(wrong))
