"""Claims of Voorhees 2003, on TREC 2002. Of its tables only the scores in table 1 are left."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from nonresponse.pages.claims import Data, Found, Source, Untestable
from nonresponse.pages.fidelity import rounded

FACTS, TABLE_1 = "voorhees-2003-facts", "voorhees-2003-table-1"
SIMULATED = "trec-2002-simulated"
BY_CWS = "mean Kendall tau with the adjudicated ranking (confidence-weighted score)"
BY_NUMBER = "mean Kendall tau with the adjudicated ranking (number correct)"
SWAPS = "swaps of the three one-assessor rankings against the adjudicated one (confidence-weighted score)"
ENOUGH = "smallest difference with an extrapolated error rate below 0.05 at 500 questions"
YEARS = ("TREC-8", "TREC 2001")
EQUIVALENT = (  # those that the last sentence names
    ("pris2002", "IRST02D1", "IBMPQSQACYC"),
    ("uwmtB3", "BBN2002C", "isi02", "limsiQalir2", "ali2002b"),
)
ABOUT = 0.01  # how far from an error rate counts as about
NEAR_A_THIRD, NEAR_A_HALF = 0.05, 0.05
VAST = 0.9  # a vast majority
MUCH = 2  # from this factor on, it is "much more"
CHOSEN = "the model's parameters were chosen to come near what the paper has of it"
BUILT_IN = "the model's adjudicated label is the middle one of the three assessors'"

SOURCE = Source("Voorhees 2003", SIMULATED)
claim = SOURCE.claim


def figures(data: Data, *facts: str) -> list[float]:
    """Figures of the text."""
    return [float(data.fact(FACTS, fact)) for fact in facts]


def both(values: Sequence[float]) -> str:
    """Two coefficients, as text."""
    return " and ".join(f"{value:.3f}" for value in values)


@claim("section 1.2", "exactanswer answered 19 fewer questions correctly than pris2002, 54.2 % and 58.0 % of 500.")
def fewer_right(data: Data) -> Found:
    one, other = (
        data.fact(FACTS, f"questions answered correctly by {run} in percent") for run in ("pris2002", "exactanswer")
    )
    number = (one - other) / 100 * data.fact(FACTS, "questions")
    evidence = f"({float(one):.1f} - {float(other):.1f}) % of {data.fact(FACTS, 'questions')} are {float(number):g}"
    return Found(evidence, printed=number == data.fact(FACTS, "fewer right answers of exactanswer than of pris2002"))


@claim("section 1.2", "exactanswer has a greater confidence-weighted score than pris2002.")
def greater_score(data: Data) -> Found:
    scores = table_1(data)
    one, other = (float(scores[run]) for run in ("exactanswer", "pris2002"))
    return Found(both([one, other]), printed=one > other)


@claim("section 2", "1,886 of 15,948 response pairs, 11.8 %, had some disagreement among three assessors.")
def disagreement(data: Data) -> Found:
    disputed = data.fact(FACTS, "pairs with some disagreement")
    share = 100 * disputed / data.fact(FACTS, "distinct response pairs judged by three assessors")
    printed = data.fact(FACTS, "pairs with some disagreement in percent")
    return Found(f"{rounded(share, 2)} %", rounded(share, 1) == f"{float(printed):.1f}")


@claim("section 2", "There was some disagreement for half of the responses that were not obviously wrong.")
def half_of_those(data: Data) -> Found:
    disputed = data.fact(FACTS, "pairs with some disagreement")
    of = data.fact(FACTS, "pairs that at least one assessor did not call wrong")
    share = float(disputed / of)
    evidence = f"{disputed} of {of} are {share:.1%}; half: less than {NEAR_A_HALF:.0%} away from it"
    return Found(evidence, abs(share - 0.5) < NEAR_A_HALF)


SOURCE.tried(
    "section 2",
    "RRX and RXX are the most frequent disagreements, a third of them.",
    lambda row: set(row["patterns"].split()) == {"RRX", "RXX"} and abs(row["RRX and RXX"] - 1 / 3) < NEAR_A_THIRD,
    f"they are the most frequent, and less than {NEAR_A_THIRD:.0%} away from a third",
    lambda row: f"{' and '.join(str(row['patterns']).split())} are, and RRX and RXX are {row['RRX and RXX']:.1%}",
    CHOSEN,
)


@claim("section 3", "Rankings agree less than in TREC-8 (tau .956) and TREC 2001 (.967): .930 and .945.")
def earlier_years(data: Data) -> Found:
    years = figures(data, *(f"mean Kendall tau with the adjudicated ranking in {year}" for year in YEARS))
    printed = figures(data, BY_CWS, BY_NUMBER)
    return Found(f"{both(printed)}, earlier {both(years)}", max(printed) < min(years))


@claim("section 3", "Rankings by the number correct agree better than those by the confidence-weighted score.")
def number_correct(data: Data) -> Found:
    return data.tried(
        SIMULATED,
        lambda taus: taus[0] > taus[1],
        "the mean tau with the adjudicated ranking is higher",
        both,
        CHOSEN,
        lambda row: (row["accuracy tau"], row["cws tau"]),
        figures(data, BY_NUMBER, BY_CWS),
    )


@claim(
    "section 3",
    "“The confidence-weighted score is much more sensitive to differences in judgments for questions at small (close to"
    " one) ranks”.",
)
def small_ranks(data: Data) -> Found:
    """How much one judgment moves the score at each rank; it moves the share correct by 1/n at every rank."""
    n = int(data.fact(FACTS, "questions"))
    score = [Fraction(0)] * (n + 1)  # what a right answer at each rank adds, computed from the last rank up
    for rank in range(n, 0, -1):
        score[rank - 1] = score[rank] + Fraction(1, n * rank)
    moved = [float(value) for value in score[:n]]
    more = sum(value >= MUCH / n for value in moved)
    evidence = (
        f"of {n} questions, one judgment moves it by {moved[0]:.4f} at rank 1, {moved[n // 2 - 1]:.4f} at rank"
        f" {n // 2}, {moved[-1]:.6f} at rank {n}, the share correct by {1 / n:.4f} at any; at the first {more} ranks it"
        f" moves {MUCH} times as much or more, as which “much more” is read here"
    )
    falling = all(one > other for one, other in pairwise(moved))
    return Found(evidence, computed=falling and 0 < more < n // 2)


SOURCE.tried(
    "section 3",
    "Correlations are slightly higher with the adjudicated judgments than between assessors.",
    lambda row: row["cws tau"] > row["cws tau of assessors"],
    "the mean tau by cws is higher",
    lambda row: both([row["cws tau"], row["cws tau of assessors"]]),
    BUILT_IN,
)


@claim("section 3", "Both ways to rank are stable enough: tau is above 0.9.")
def stable(data: Data) -> Found:
    enough, *printed = figures(data, "Kendall tau above which correlations are taken for acceptable", BY_CWS, BY_NUMBER)
    so, what = (lambda taus: min(taus) > enough), f"both are above {enough:g}"
    return data.tried(SIMULATED, so, what, both, CHOSEN, lambda row: (row["cws tau"], row["accuracy tau"]), printed)


@claim("section 3", "“The vast majority of swaps involve systems whose scores are very similar”: none differ by 0.07.")
def small_swaps(data: Data) -> Found:
    large, very_large = (f"of those with a difference of at least {size}" for size in ("0.05", "0.07"))
    return data.tried(
        SIMULATED,
        lambda swaps: swaps[2] == 0 and 1 - swaps[1] / swaps[0] >= VAST,
        f"none are of runs that differ by 0.07, and {VAST:.0%} of runs that differ by less than 0.05",
        lambda swaps: "of {:g} swaps {:g} are of runs that differ by 0.05, {:g} by 0.07".format(*swaps),
        CHOSEN,
        lambda row: [row[name] for name in ("swaps", "swaps_005", "swaps_007")],
        figures(data, SWAPS, large, very_large),
        "printed:",
    )


@claim("section 4", "At 500 questions the error rate of a difference of 0.05 is about 8 %.")
def error_rate(data: Data) -> Found:
    [printed] = figures(data, "error rate at 500 questions for a difference of 0.05 (extrapolated)")
    return data.tried(
        SIMULATED,
        lambda row: abs(row["error rate"] - printed) < ABOUT,
        f"it is less than {ABOUT:.0%} away from that",
        lambda row: f"{row['error rate']:.1%}",
    )


@claim("section 4", "At 500 questions a difference of at least 0.07 is needed for an error rate below 5 %.")
def required_difference(data: Data) -> Found:
    [printed] = figures(data, ENOUGH)
    return data.tried(
        SIMULATED,
        lambda row: abs(row["required difference"] - printed) < 1e-9,
        "that is the smallest that suffices",
        lambda row: f"it is {row['required difference']:.2f}",
    )


@claim(
    "section 4",
    "By that, “the pris2002, IRST02D1, and IBMPQSQACYC runs from Table 1 should be considered equivalently effective,"
    " as should the uwmtB3, BBN2002C, isi02, limsiQalir2, and ali2002b runs”.",
)
def equivalent(data: Data) -> Found:
    """Checks that scores differ by less within the two groups, and by more from the runs around them."""
    scores, required = table_1(data), data.fact(FACTS, ENOUGH)
    spans = [max(of) - min(of) for of in ([scores[run] for run in group] for group in EQUIVALENT)]
    named = {run: group for group in EQUIVALENT for run in group}
    order = sorted(scores, key=lambda run: -scores[run])
    apart = [
        scores[one] - scores[other] for one, other in pairwise(order) if named.get(one, one) != named.get(other, other)
    ]
    evidence = (
        f"within the groups scores differ by up to {float(spans[0]):.3f} and {float(spans[1]):.3f}, the runs of table 1"
        f" next to them by {float(min(apart)):.3f} or more; {float(required):g} are needed"
    )
    return Found(evidence, printed=max(spans) < required <= min(apart))


@claim("section 1.2", "But for the best run, NIL accuracy is low.")
def low_nil(data: Data) -> Found:
    raise Untestable("of table 1 the columns of NIL accuracy are lost")


def table_1(data: Data) -> dict[str, Fraction]:
    """The confidence-weighted scores of the ten runs, by run."""
    return {row["run"]: Fraction(row["score"]) for row in data.rows(TABLE_1)}
