"""Claims of Voorhees 2003, on TREC 2002. Its tables and figure 2 are lost: of the text only the sentences are left."""

from fractions import Fraction
from functools import partial
from math import comb

from nonresponse.pages import claims
from nonresponse.pages.cells import rounded
from nonresponse.pages.claims import Data, Found, Untestable

FACTS = "voorhees-2003-facts"
SIMULATED = "trec-2002-simulated"
RANKINGS = f"{SIMULATED}/reliability/rankings.csv"
PATTERNS = f"{SIMULATED}/reliability/agreement_patterns.csv"
AGREEMENT = f"{SIMULATED}/reliability/agreement.csv"
SAMPLE_SIZE = f"{SIMULATED}/reliability/sample_size.csv"
CURVES = f"{SIMULATED}/reliability/sample_size/cws.parquet"
OFFICIAL = "adjudicated"
BY_CWS = "mean Kendall tau with the adjudicated ranking (confidence-weighted score)"
BY_NUMBER = "mean Kendall tau with the adjudicated ranking (number correct)"
SWAPS = "swaps of the three one-assessor rankings against the adjudicated one (confidence-weighted score)"
ENOUGH = "smallest difference with an extrapolated error rate below 0.05 at 500 questions"
JUDGES = 3
YEARS = ("TREC-8", "TREC 2001")

claim = partial(claims.claim, source="Voorhees 2003")


def taus(data: Data, measure: str, with_official: bool = True) -> float:
    """The mean tau of the rankings under single assessors: with the official one, or with each other."""
    import polars as pl

    between = data.table(RANKINGS).filter(compared="assessors", measure=measure)
    one = (pl.col("a") == OFFICIAL) | (pl.col("b") == OFFICIAL)
    found = between.filter(one if with_official else ~one)["tau"].cast(pl.Float64).drop_nulls()
    if found.is_empty():
        raise Untestable(f"{RANKINGS} has no rankings of two assessors by {measure}")
    return float(found.to_numpy().mean())


@claim("section 1.2", "exactanswer answered 19 fewer questions correctly than pris2002, 54.2 % and 58.0 % of 500.")
def fewer_right(data: Data) -> Found:
    one, other = (
        data.fact(FACTS, f"questions answered correctly by {run} in percent") for run in ("pris2002", "exactanswer")
    )
    number = (one - other) / 100 * data.fact(FACTS, "questions")
    evidence = f"({float(one):.1f} - {float(other):.1f}) % of {data.fact(FACTS, 'questions')} are {float(number):g}"
    return Found(evidence, printed=number == data.fact(FACTS, "fewer right answers of exactanswer than of pris2002"))


@claim("section 2", "1,886 of 15,948 response pairs, 11.8 %, had some disagreement among three assessors.", AGREEMENT)
def disagreement(data: Data) -> Found:
    share = data.fact(FACTS, "pairs with some disagreement") / pairs(data)
    printed = data.fact(FACTS, "pairs with some disagreement in percent")
    here = of_disagreement(data, "disagreement")
    evidence = f"printed: {rounded(100 * share, 2)} %; here {here:.1%}"
    return Found(evidence, rounded(100 * share, 1) == f"{float(printed):.1f}", abs(here - float(share)) < 0.02)


@claim("section 2", "There was some disagreement for half of the responses that were not obviously wrong.", AGREEMENT)
def half_of_those(data: Data) -> Found:
    """Half: nearer to a half than to any other tenth."""
    disputed = data.fact(FACTS, "pairs with some disagreement")
    of = data.fact(FACTS, "pairs that at least one assessor did not call wrong")
    here = of_disagreement(data, "disagreement_not_all_wrong")
    true = [abs(value - 0.5) < 0.05 for value in (float(disputed / of), here)]
    return Found(f"printed: {disputed} of {of} are {float(disputed / of):.1%}; here {here:.1%}", *true)


@claim("section 2", "RRX and RXX are the most frequent disagreements, a third of them.", PATTERNS)
def patterns(data: Data) -> Found:
    import polars as pl

    disputed = data.columns(PATTERNS, "pattern", "items", "share_of_disagreements").sort("items", descending=True)
    first = disputed.head(2)["pattern"].to_list()
    shares = disputed.filter(pl.col("pattern").is_in(["RRX", "RXX"]))["share_of_disagreements"]
    share = sum(shares.to_list())
    evidence = f"the most frequent are {' and '.join(first)}; RRX and RXX are {share:.1%}"
    return Found(evidence, computed=set(first) == {"RRX", "RXX"} and abs(share - 1 / 3) < 0.05)


@claim("section 3", "Rankings agree less than in TREC-8 (tau .956) and TREC 2001 (.967): .930 and .945.", RANKINGS)
def earlier_years(data: Data) -> Found:
    years = [float(data.fact(FACTS, f"mean Kendall tau with the adjudicated ranking in {year}")) for year in YEARS]
    printed = [float(data.fact(FACTS, name)) for name in (BY_CWS, BY_NUMBER)]
    here = [taus(data, measure) for measure in ("cws", "accuracy")]
    shown = [f"{by_cws:.3f} by cws and {by_number:.3f} by accuracy" for by_cws, by_number in (printed, here)]
    evidence = f"earlier {years[0]:.3f} and {years[1]:.3f}; printed {shown[0]}; here {shown[1]}"
    return Found(evidence, *(max(of) < min(years) for of in (printed, here)))


@claim(
    "section 3", "Rankings by the number correct agree better than those by the confidence-weighted score.", RANKINGS
)
def number_correct(data: Data) -> Found:
    printed = [float(data.fact(FACTS, name)) for name in (BY_NUMBER, BY_CWS)]
    here = [taus(data, measure) for measure in ("accuracy", "cws")]
    shown = [f"{by_number:.3f} and {by_cws:.3f}" for by_number, by_cws in (printed, here)]
    return Found(f"printed {shown[0]}; here {shown[1]}", *(of[0] > of[1] for of in (printed, here)))


@claim("section 3", "Correlations are slightly higher with the adjudicated judgments than between assessors.", RANKINGS)
def adjudicated(data: Data) -> Found:
    official, others = taus(data, "cws"), taus(data, "cws", with_official=False)
    return Found(f"mean tau by cws {official:.3f} and {others:.3f}", computed=official > others)


@claim("section 3", "Both ways to rank are stable enough: tau is above 0.9.", RANKINGS)
def stable(data: Data) -> Found:
    enough = data.fact(FACTS, "Kendall tau above which correlations are taken for acceptable")
    printed = min(data.fact(FACTS, name) for name in (BY_CWS, BY_NUMBER))
    here = min(taus(data, measure) for measure in ("cws", "accuracy"))
    return Found(f"the lower one is {float(printed):.3f} as printed, here {here:.3f}", printed > enough, here > enough)


@claim("section 3", "177 pairs are swapped in three rankings, whose mean tau with the adjudicated one is .930.")
def swaps_and_tau(data: Data) -> Found:
    """Without ties each swapped pair takes 2 / pairs from tau, and there are as many pairs as two runs of N."""
    swaps, tau = data.fact(FACTS, SWAPS) / JUDGES, data.fact(FACTS, BY_CWS)
    of_runs = {runs: 1 - 2 * swaps / comb(runs, 2) for runs in range(20, 200)}
    fitting = [runs for runs, value in of_runs.items() if abs(value - tau) <= Fraction(1, 2000)]
    below = max(runs for runs, value in of_runs.items() if value < tau)
    shown = f"{below} runs give {float(of_runs[below]):.4f}, {below + 1} give {float(of_runs[below + 1]):.4f}"
    return Found(f"if no runs tie, {shown}", printed=bool(fitting))


@claim("section 3", "Swapped runs have very similar scores: 4 of 177 pairs differ by 0.05, none by 0.07.", RANKINGS)
def small_swaps(data: Data) -> Found:
    against = data.table(RANKINGS).filter(compared="assessors", measure="cws", a=OFFICIAL)
    swaps, large, very_large = (int(against[name].sum()) for name in ("swaps", "swaps_005", "swaps_007"))
    if not swaps:
        raise Untestable(f"{RANKINGS} has no swapped pairs")
    share = data.fact(FACTS, "of those with a difference of at least 0.05") / data.fact(FACTS, SWAPS)
    evidence = f"here {large} of {swaps} by 0.05, {very_large} by 0.07"
    return Found(evidence, computed=very_large == 0 and large / swaps < 2 * share)


@claim("section 4", "At 500 questions the error rate of a difference of 0.05 is about 8 %.", CURVES)
def error_rate(data: Data) -> Found:
    rate = at_all_questions(data, 0.05)
    printed = data.fact(FACTS, "error rate at 500 questions for a difference of 0.05 (extrapolated)")
    return Found(f"here {rate:.1%}", computed=abs(rate - float(printed)) < 0.01)


@claim(
    "section 4", "At 500 questions a difference of at least 0.07 is needed for an error rate below 5 %.", SAMPLE_SIZE
)
def required_difference(data: Data) -> Found:
    required = data.value(SAMPLE_SIZE, "voorhees_required_difference", measure="cws")
    return Found(f"here {required:.2f}", computed=abs(required - float(data.fact(FACTS, ENOUGH))) < 0.005)


@claim("section 4", "The pris2002, IRST02D1 and IBMPQSQACYC runs are equivalently effective, as are five others.")
def equivalent(data: Data) -> Found:
    raise Untestable("the text has no scores of these runs: table 1 is lost")


@claim("section 1.2", "But for the best run, NIL accuracy is low.")
def low_nil(data: Data) -> Found:
    raise Untestable("the text has no scores of the runs: table 1 is lost")


def pairs(data: Data) -> Fraction:
    """How many response pairs were judged."""
    return data.fact(FACTS, "distinct response pairs judged by three assessors")


def of_disagreement(data: Data, statistic: str) -> float:
    """A statistic of the labels of the single assessors."""
    rows = data.table(AGREEMENT).filter(scale="label", statistic=statistic)
    if rows.is_empty() or rows["value"][0] is None:
        raise Untestable(f"{AGREEMENT} has no {statistic}")
    return float(rows["value"][0])


def at_all_questions(data: Data, difference: float) -> float:
    """The error rate that Voorhees' curve has at all questions, for runs that differ by so much."""
    import polars as pl

    all_questions = data.columns(CURVES, "size")["size"].max()
    at_all = data.table(CURVES).filter(pl.col("size") == all_questions)
    fitted = at_all.filter((pl.col("lower") - difference).abs() < 1e-9)["fitted"]
    if fitted.is_empty() or fitted[0] is None:
        raise Untestable(f"no curve fits differences of {difference:g}")
    return float(fitted[0])
