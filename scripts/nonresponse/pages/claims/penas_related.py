"""Claims of Peñas & Rodrigo 2011 on other measures: section 5."""

from fractions import Fraction

from nonresponse import measures
from nonresponse.pages.claims import Data, Found, Source, Untestable, score, systems

N = 500  # questions of a ranking
FEW = 20  # questions, of which every system that there may be is tried
ALMOST_ALL, HARDLY = 0.9, 0.01  # of CWS

SOURCE = Source("Peñas & Rodrigo 2011")
claim = SOURCE.claim


@claim(
    "section 5",
    "Together with MRR, accuracy “belongs to the set of measures that pushes in favor of giving always a response, even"
    " wrong, since there is no punishment for it”.",
)
def no_punishment(data: Data) -> Found:
    """One more answer, of one rank, in the place of silence."""
    silent = [counts for counts in systems(FEW) if counts["n_u"]]
    punished = {
        id: sum(answering(id, counts, "n_aw") < answering(id, counts, "n_u") for counts in silent)
        for id in ("accuracy", "mrr", "c@1")
    }
    rewarded = all(
        answering(id, counts, "n_ac") > answering(id, counts, "n_u") for counts in silent for id in ("accuracy", "mrr")
    )
    told = ", ".join(f"{id} of {number:,}" for id, number in punished.items())
    evidence = (
        f"of {len(silent):,} systems that leave any of {FEW} questions open, one wrong answer more lowers {told};"
        f" one right answer more raises accuracy and mrr of {'all' * rewarded or 'not all'}"
    )
    return Found(evidence, computed=rewarded and not punished["accuracy"] + punished["mrr"])


@claim("section 5", "CWS is given almost completely by the questions at the top of the ranking.")
def top_of_the_ranking(data: Data) -> Found:
    first = share_of_cws(N // 10)
    enough = next(places for places in range(N + 1) if share_of_cws(places) >= ALMOST_ALL)
    evidence = (
        f"of {N} questions the first tenth carries {first:.0%}, the first half {share_of_cws(N // 2):.0%}; almost"
        f" all is read as {ALMOST_ALL:.0%} by the first tenth, and the first {enough} places carry that"
    )
    return Found(evidence, computed=first >= ALMOST_ALL)


@claim("section 5", "Questions at the bottom of the ranking hardly count in CWS.")
def bottom_of_the_ranking(data: Data) -> Found:
    last = 1 - share_of_cws(N - N // 10)
    evidence = f"of {N} questions the last tenth carries {last:.1%}; hardly: less than {HARDLY:.0%}"
    return Found(evidence, computed=last < HARDLY)


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


def answering(id: str, counts: dict[str, int], to: str) -> Fraction:
    """The measure of the system if one of the questions that it left open were counted as this instead."""
    counts = counts | {"n_u": counts["n_u"] - 1}
    counts = counts | {to: counts[to] + 1}
    if id == "mrr":  # of one answer to a question, the reciprocal rank is 1 if it is right, else 0
        return measures.get("qa", id)(reciprocal_rank=Fraction(counts["n_ac"]), n=FEW)
    return score("qa", id, **counts)


def share_of_cws(first: int) -> float:
    """Which part of the score the questions in the first so many places can give."""
    return sum(min(place, first) / place for place in range(1, N + 1)) / N


def k1(right: list[float], wrong: list[float]) -> float:
    """K1 of a system with these self-scores of its right and wrong answers."""
    return measures.get("qa", "k1")(signed=sum(right) - sum(wrong), n=len(right) + len(wrong))
