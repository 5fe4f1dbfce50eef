"""Measures of self-scores: how well they order the answers, and how near they are to being right so often.

docs/abstention.md tells which of the conventions these are. None of them is computed unless `measures:` names it.
"""

from functools import partial

from nonresponse.measures import Bounds, calibration, measure, risk

GEIFMAN = "Geifman, Uziel & El-Yaniv 2019"
TRAUB = "Traub et al. 2024"
WHITEHEAD = "Whitehead et al. 2022"
NAEINI = "Naeini, Cooper & Hauskrecht 2015"

ordering = partial(measure, task="qa", kind="ordering", range=(0, 1), by_default=False, needs=("scores",))
sums = partial(measure, task="qa", kind="sums", by_default=False, needs=("scores",), higher_is_better=False)
NO_ORDER = "the run gives no order and no self-scores, or answers nothing"
NO_SCORES = "no answer has a self-score in [0, 1]"

ordering(
    "aurc",
    formula=r"\frac{1}{a}\sum_{k=1}^{a}\frac{k - C(k)}{k},\quad a = \text{answers}",
    source=f"{GEIFMAN}; ties: the expectation over all their orders",
    undefined=NO_ORDER,
    higher_is_better=False,
    note="Over the answers alone: areas of runs that answer different shares of the questions do not compare.\n",
    rows=risk.ROWS,
    without_each=risk.area_without_each,
)(risk.area)

ordering(
    "e_aurc",
    formula=r"\mathrm{aurc} - \left(e + (1 - e)\ln(1 - e)\right),\quad e = \frac{\text{wrong}}{\text{answers}}",
    source=GEIFMAN,
    undefined=NO_ORDER,
    higher_is_better=False,
    note="Of few answers, the best order has more than the term in brackets: it is the limit for many.\n",
    rows=risk.ROWS,
)(risk.excess)

ordering(
    "augrc",
    formula=r"\int_0^1 \frac{\text{wrong among the } \kappa a \text{ surest}}{a}\,d\kappa,\quad a = \text{answers}",
    source=TRAUB,
    undefined=NO_ORDER,
    higher_is_better=False,
    note="It equals (1 - auroc_confidence) p (1 - p) + (1 - p)²/2, where p is the share of right answers.\n",
    rows=risk.ROWS,
)(risk.generalized)

ordering(
    "auroc_confidence",
    formula=r"P(s_\text{right} > s_\text{wrong}) + \tfrac{1}{2} P(s_\text{right} = s_\text{wrong})",
    source="Hanley & McNeil 1982",
    undefined="the run gives no order and no self-scores, or its answers are all right or all wrong",
    rows=risk.ROWS,
)(risk.separation)

ordering(
    "coverage",
    formula=r"\frac{1}{n}\max\left\{k : \frac{k - C(k)}{k} \le r\right\}",
    source=f"{WHITEHEAD}: C@R",
    undefined=NO_ORDER,
    parameter="r",
    default=0.1,
    bounds=Bounds(0, 1, below=True),
    note="Answers with equal self-scores come in together or not at all.\n",
    rows=risk.ALL_ROWS,
)(risk.coverage)

ordering(
    "risk",
    formula=r"\frac{k - C(k)}{k},\quad k = \lceil \mathrm{cov}\cdot n \rceil",
    source="El-Yaniv & Wiener 2010",
    undefined="the run gives no order and no self-scores, or answers fewer questions",
    higher_is_better=False,
    parameter="cov",
    default=0.8,
    bounds=Bounds(0, 1, above=True),
    rows=risk.ALL_ROWS,
)(risk.risk)

bins = partial(ordering, undefined=NO_SCORES, higher_is_better=False, parameter="k", default=10, bounds=Bounds(1))

bins(
    "ece",
    formula=r"\sum_{b=1}^{k}\frac{a_b}{a}\left\lvert\mathrm{accuracy}_b - \bar{s}_b\right\rvert",
    source=NAEINI,
    note="Bins ((j-1)/k, j/k], the first one closed. Self-scores within 1e-9 of an edge are on it.\n",
    rows=calibration.ROWS,
)(calibration.equal_width)

bins(
    "ece_mass",
    formula=r"\sum_{b=1}^{k}\frac{a_b}{a}\left\lvert\mathrm{accuracy}_b - \bar{s}_b\right\rvert",
    source="adaptive bins: Nixon et al. 2019",
    note="With i answers below it, an answer is in bin ⌊ik/a⌋ + 1 of k; equal self-scores stay in the lower bin.\n",
    rows=calibration.ROWS,
)(calibration.equal_mass)


def of_answers(term: str) -> str:
    """SQL: the term where a question was answered and has a self-score, nothing where not."""
    return f"CASE WHEN {calibration.SELF_SCORED} THEN {term} ELSE 0 END"


RIGHT = "CAST(verdict = 'correct' AS INTEGER)"
ANSWERS = {"m": of_answers("1")}


@sums(
    "brier_confidence",
    formula=r"\frac{1}{m}\sum (s - c)^2",
    source="Brier 1950",
    range=(0, 1),
    undefined=NO_SCORES,
    sums={"squared": of_answers(f"(confidence - {RIGHT}) ** 2"), **ANSWERS},
)
def brier_confidence(squared, m):
    """Mean squared distance of self-score and correctness over the m answers with a self-score; 0 is best."""
    return squared / m


LEAST = "1e-15"


@sums(
    "nll",
    formula=r"-\frac{1}{m}\sum \ln\begin{cases}s & \text{right}\\ 1 - s & \text{wrong}\end{cases}",
    source="Good 1952",
    range=(0, 34.54),
    undefined=NO_SCORES,
    note="Self-scores are clipped to [1e-15, 1 - 1e-15]: a wrong answer with self-score 1 costs 34.5, not infinity.\n",
    sums={
        "loss": of_answers(
            f"-ln(greatest(least(CASE verdict WHEN 'correct' THEN confidence ELSE 1 - confidence END, 1 - {LEAST}),"
            f" {LEAST}))"
        ),
        **ANSWERS,
    },
)
def nll(loss, m):
    """Mean negative logarithm of the self-score given to what was the case, over the m answers with a self-score."""
    return loss / m


@sums(
    "overconfidence",
    formula=r"\bar{s} - \frac{\sum c}{m}",
    source="Lichtenstein & Fischhoff 1977",
    range=(-1, 1),
    undefined=NO_SCORES,
    note="It describes, and ranks nothing: nearest to 0 is best, and below 0 the run is too modest.\n",
    sums={"s": of_answers("confidence"), "c": of_answers(RIGHT), **ANSWERS},
)
def overconfidence(s, c, m):
    """Mean self-score less the share of right answers, over the m answers with a self-score."""
    return (s - c) / m
