"""Claims of Peñas & Rodrigo 2011 on the runs of QA@CLEF 2009, of which two tables are left (sections 2.2, 3.4, 4), and
on other measures (section 5).
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from nonresponse import measures
from nonresponse.pages.claims import Data, Drawn, Found, Source, Untestable, of_both, score, systems

SIMULATED = "respubliqa-2009-simulated"
TABLE_2, TABLE_3 = "penas-2011-table-2", "penas-2011-table-3"
STUDIED = ("c@1", "accuracy", "uf")
PAIRS = (("icia091ro", "uaic092ro"), ("loga092de", "base092de"))  # those that the text sets side by side
APART = ("c@1", "accuracy")
SIMILAR = Fraction(1, 100)  # in accuracy
LEVEL = 0.05  # of section 4.3
CHOSEN = "the model's parameters were chosen to come near table 2"
N = 500  # questions of a ranking
FEW = 20  # questions on which every possible system is tried
ALMOST_ALL, HARDLY = 0.9, 0.01  # of CWS
BUILT_IN = "the model has runs withhold what they believe least"

SOURCE = Source("Peñas & Rodrigo 2011", SIMULATED)
claim = SOURCE.claim


def column(data: Data, name: str) -> dict[str, Fraction]:
    """A column of table 2, by measure."""
    return {row["measure"]: Fraction(row[name]) for row in data.rows(TABLE_2)}


def drawn(row: Drawn, name: str) -> dict[str, float]:
    """A figure of a simulated campaign, by measure."""
    return {id: row[f"{id} {name}"] for id in STUDIED}


def in_a_row(figures: dict) -> str:
    """Figures of measures, in a row."""
    return ", ".join(f"{id} {float(value):.4f}" for id, value in figures.items())


DISTANCES = {"n_ac/n": "c@1", "0.5": "uf_half", "0": "accuracy"}
SOURCE.tried(
    "section 2.2",
    "P(C/¬A) is estimated better by the accuracy shown, n_ac/n, than by the arbitrary 0.5.",
    lambda row: row["c@1 distance"] < row["uf_half distance"],
    "on average over the runs, n_ac/n is nearer to the share of right ones among withheld candidates",
    lambda row: ", ".join(f"{name} is {row[f'{id} distance']:.3f} away" for name, id in DISTANCES.items()),
)
SOURCE.tried(
    "section 3.4",
    "Systems do not choose at random what to answer: they can tell candidates that are wrong.",
    lambda row: row["right of withheld"] < row["right of answers"],
    "fewer of the withheld candidates are right than of the answers",
    lambda row: f"{row['right of withheld']:.3f} and {row['right of answers']:.3f}",
    BUILT_IN,
)
SOURCE.tried(
    "section 4.2",
    "“There is a consistent decrease of the error rate of all measures when the proportion of ties increases”.",
    lambda row: row["falling curves"] == len(STUDIED),
    "all curves fall throughout",
    lambda row: f"{row['falling curves']:g} of {len(STUDIED)}",
)
SOURCE.tried(
    "section 4.2",
    "The curves of accuracy and c@1 show a “slightly better behavior of c@1”.",
    lambda row: row["c@1 mean error rate"] < row["accuracy mean error rate"],
    "c@1 has a lower mean error rate than accuracy over the shares of ties that all curves have",
    lambda row: in_a_row({id: row[f"{id} mean error rate"] for id in APART}),
)
SOURCE.tried(
    "section 4.2",
    "“The three measures are quite stable”.",
    lambda row: row["largest error rate"] <= LEVEL,
    f"no error rate of any curve exceeds {LEVEL:.0%}, as which “quite stable” is read here",
    lambda row: f"the largest is {row['largest error rate']:.1%}",
)
SOURCE.tried(
    "section 4.2",
    "c@1 and accuracy have “a lower error rate than UF when the proportion of ties grows”.",
    lambda row: max(row["c@1 error rate"], row["accuracy error rate"]) < row["uf error rate"],
    "both have a lower one at the largest share of ties that all curves have",
    lambda row: f"at {row['ties']:.3f} ties {in_a_row(drawn(row, 'error rate'))}",
)


def on_table_2(data: Data, name: str, so: Callable[[dict], bool], what: str) -> Found:
    """What is found of a claim on a column of table 2, as printed and as simulated."""
    return data.tried(SIMULATED, so, what, in_a_row, CHOSEN, lambda row: drawn(row, name), column(data, name))


@claim("section 4.3", "UF takes a higher absolute difference to conclude that a system is better.")
def absolute_difference(data: Data) -> Found:
    what = "UF's is higher than those of c@1 and accuracy"
    return on_table_2(data, "required_difference", lambda of: of["uf"] > max(of["c@1"], of["accuracy"]), what)


@claim("section 4.3", "The relative difference that UF takes is similar to that of c@1.")
def relative_difference(data: Data) -> Found:
    """Similar means closer to each other than the absolute differences are, since the paper contrasts the two."""

    def ratios(columns: Callable[[str], dict]) -> list[float]:
        names = ("relative_difference", "required_difference")
        return [float(of["uf"]) / float(of["c@1"]) for of in map(columns, names)]

    return data.tried(
        SIMULATED,
        lambda of: of[0] < of[1],
        "the relative ones are nearer to each other than the absolute ones, as which “similar” is read here",
        lambda of: "UF's is {:.2f} times c@1's, the absolute one {:.2f} times".format(*of),
        CHOSEN,
        lambda row: ratios(partial(drawn, row)),
        ratios(partial(column, data)),
        "printed:",
    )


@claim("section 4.3", "UF and c@1 are about as sensitive, and more sensitive than accuracy.")
def sensitivity(data: Data) -> Found:
    what = "both are more sensitive than accuracy"
    return on_table_2(data, "sensitivity", lambda of: min(of["uf"], of["c@1"]) > of["accuracy"], what)


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
        true.append(all(abs(of["accuracy"]) <= SIMILAR < of["c@1"] / 2 for of in by))
        shown.append(", ".join(f"{float(of['c@1']):.3f} and {float(of['accuracy']):.3f}" for of in by))
    names = "; ".join(f"{one} less {other}" for one, other in PAIRS)
    evidence = (
        f"in c@1 and accuracy, {names}: {shown[0]} as printed, {shown[1]} by the counts; apart in the one, not in the"
        f" other: above {float(2 * SIMILAR):g}, and at most {float(SIMILAR):g}"
    )
    return of_both(evidence, true)


@claim(
    "section 5",
    "Together with MRR, accuracy “belongs to the set of measures that pushes in favor of giving always a response, even"
    " wrong, since there is no punishment for it”.",
)
def no_punishment(data: Data) -> Found:
    """Tries one more answer, at rank 1, in place of silence."""
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


@claim("section 5", "A system whose confidences are all 0 has K1 = 0.")
def k1_of_zeros(data: Data) -> Found:
    value = k1(right=[0.0] * 10, wrong=[0.0] * 20)
    return Found(f"10 right and 20 wrong answers with confidences of 0: {value:g}", computed=value == 0)


@claim("section 5", "A positive K1 does not mean more right answers than wrong ones.")
def k1_of_few(data: Data) -> Found:
    value = k1(right=[0.9] * 10, wrong=[0.1] * 20)
    return Found(f"10 right answers with confidences of 0.9, 20 wrong ones with 0.1: {value:.2f}", computed=value > 0)


@claim("section 5", "Most systems of TREC and CLEF had an upper bound of accuracy around 60 %.")
def upper_bound(data: Data) -> Found:
    raise Untestable("the source gives no results of those campaigns")


def answering(id: str, counts: dict[str, int], to: str) -> Fraction:
    """The measure of the system if one of its open questions counted as `to` instead."""
    counts = counts | {"n_u": counts["n_u"] - 1}
    counts = counts | {to: counts[to] + 1}
    if id == "mrr":  # of one answer to a question, the reciprocal rank is 1 if it is right, else 0
        return measures.get("qa", id)(reciprocal_rank=Fraction(counts["n_ac"]), n=FEW)
    return score("qa", id, **counts)


def share_of_cws(first: int) -> float:
    """The share of the score that the first `first` places of the ranking can give."""
    return sum(min(place, first) / place for place in range(1, N + 1)) / N


def k1(right: list[float], wrong: list[float]) -> float:
    """K1 of a system with these confidences of its right and wrong answers."""
    return measures.get("qa", "k1")(signed=sum(right) - sum(wrong), n=len(right) + len(wrong))
