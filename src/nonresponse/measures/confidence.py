"""How well confidences order the answers, and how near they are to the share of correct ones.

docs/abstention.md says which conventions they follow. None of them is computed unless `measures:`
names it.
"""

from functools import partial

from nonresponse.measures import Bounds, measure, register
from nonresponse.measures.question_answering import (
    ANSWER_ORDER,
    RIGHT,
    ROW_ORDER,
    SELF_SCORED,
    answered_term,
)

GEIFMAN = "Geifman, Uziel & El-Yaniv 2019"

SELF_SCORES = f"""
    SELECT *, verdict = 'correct' AS "right", FALSE AS abstained,
        confidence AS sort_key, TRUE AS has_order
    FROM {{rows}} WHERE {SELF_SCORED}"""
UNORDERED = "the run gives no order or confidence"
NO_ORDER = f"{UNORDERED}, or answers nothing"
NO_SCORES = "no answer has a confidence in [0, 1]"

ordering = partial(
    register, task="qa", kind="ordering", undefined=NO_ORDER, is_default=False, needs=("scores",)
)
answer_ordering = partial(ordering, rows=ANSWER_ORDER)
risk_ordering = partial(answer_ordering, higher_is_better=False)
sums = partial(measure, task="qa", kind="sums", undefined=NO_SCORES, is_default=False)
error_sums = partial(sums, needs=("scores",), higher_is_better=False)

risk_ordering(
    "aurc",
    "risk.area",
    formula=r"\frac{1}{a}\sum_{k=1}^{a}\frac{k - C(k)}{k}",
    source=GEIFMAN,
    ends="places",
    leave_one_out="risk.leave_one_out",
)

risk_ordering(
    "e_aurc",
    "risk.excess",
    formula=r"\mathrm{aurc} - \left(e + (1 - e)\ln(1 - e)\right),\quad e = "
    r"\frac{\text{wrong}}{\text{answers}}",
    source=GEIFMAN,
    ends="places",
)

risk_ordering(
    "augrc",
    "risk.generalized",
    formula=r"\int_0^1 \frac{\text{wrong among the } \kappa a \text{ most confident}}{a}\,d\kappa",
    source="Traub et al. 2024",
    range=(0, 0.5),
    ends="pairs",
)

answer_ordering(
    "prr",
    "risk.rejection_ratio",
    formula=r"\frac{\sum_{k=1}^{a} C(k)/k - C(a)}{C(a)\,(H_a - H_{C(a)})},\quad H_j = "
    r"\sum_{i=1}^{j}\frac{1}{i}",
    source="Malinin & Gales 2021: prediction rejection ratio; as LM-Polygraph computes it",
    undefined=f"{UNORDERED}, or its answers are all right or all wrong",
    range=(None, 1),
    ends="places",
    classes=True,
)

answer_ordering(
    "auroc_confidence",
    "risk.separation",
    formula=r"P(s_\text{right} > s_\text{wrong}) + \tfrac{1}{2} P(s_\text{right} = s_\text{wrong})",
    source="Hanley & McNeil 1982",
    undefined=f"{UNORDERED}, or its answers are all right or all wrong",
    classes=True,
)

ordering(
    "coverage",
    "risk.coverage",
    formula=r"\frac{1}{n}\max\left\{k : \frac{k - C(k)}{k} \le r\right\}",
    source="Whitehead et al. 2022: C@R",
    parameter="r",
    default=0.1,
    bounds=Bounds(0, 1, open_high=True),
    rows=ROW_ORDER,
    biased=True,  # the largest k of many profits from noise
    smooth=False,
)

risk_ordering(
    "risk",
    "risk.risk",
    formula=r"\frac{k - C(k)}{k},\quad k = \lceil \mathrm{cov}\cdot n \rceil",
    source="El-Yaniv & Wiener 2010",
    undefined=f"{UNORDERED}, or answers fewer questions",
    parameter="cov",
    default=0.8,
    bounds=Bounds(0, 1, open_low=True),
    rows=ROW_ORDER,
    smooth=False,
)

bins = partial(
    risk_ordering,
    formula=r"\sum_{b=1}^{k}\frac{a_b}{a}\left\lvert\mathrm{accuracy}_b - \bar{s}_b\right\rvert",
    undefined=NO_SCORES,
    parameter="k",
    default=10,
    bounds=Bounds(1),
    rows=SELF_SCORES,
    biased=True,
    smooth=False,
)

bins("ece", "risk.equal_width", source="Naeini, Cooper & Hauskrecht 2015")

bins("ece_mass", "risk.equal_mass", source="adaptive bins: Nixon et al. 2019")

root_mean_square = partial(
    bins,
    formula=r"\sqrt{\sum_{b}\frac{a_b}{a}\left(\mathrm{accuracy}_b - \bar{s}_b\right)^2}",
    parameter="b",
    default=100,
)

root_mean_square(
    "rms_calibration",
    "risk.root_mean_square",
    source="Hendrycks, Mazeika & Dietterich 2019: RMS calibration error",
)

root_mean_square(
    "rms_calibration_hle",
    "risk.root_mean_square_hle",
    source="Phan et al. 2025 (Humanity's Last Exam): its script",
    undefined=f"{NO_SCORES}, or there are fewer than 2b",
)

ANSWERS = {"m": answered_term("1")}


@error_sums(
    r"\frac{1}{m}\sum (s - c)^2",
    "Brier 1950",
    sums={"squared": answered_term(f"(confidence - {RIGHT}) * (confidence - {RIGHT})"), **ANSWERS},
)
def brier_confidence(squared, m):
    """Mean squared distance of confidence and correctness."""
    return squared / m


@error_sums(
    r"-\frac{1}{m}\sum \ln\begin{cases}s & \text{right}\\ 1 - s & \text{wrong}\end{cases}",
    "Good 1952",
    range=(0, 34.54),
    ends="seen",
    sums={
        "loss": answered_term(
            "-ln(greatest(least(CASE verdict WHEN 'correct' THEN confidence"
            " ELSE 1 - confidence END, 1 - 1e-15), 1e-15))"
        ),
        **ANSWERS,
    },
)
def nll(loss, m):
    """Mean negative logarithm of the confidence in what was the case."""
    return loss / m


@error_sums(
    r"\bar{s} - \frac{\sum c}{m}",
    "Lichtenstein & Fischhoff 1977",
    range=(-1, 1),
    descriptive=True,
    sums={"s": answered_term("confidence"), "c": answered_term(RIGHT), **ANSWERS},
)
def overconfidence(s, c, m):
    """Mean confidence less the share of correct answers."""
    return (s - c) / m
