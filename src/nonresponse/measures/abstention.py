"""Measures of runs that may abstain, of counts. docs/abstention.md says which to use when.

A measure under several names is one record with aliases. Logs have two of them by default. No other
is computed unless `measures:` names it.
"""

from functools import partial

from nonresponse.measures import Bounds, measure

ARTIFICIAL_ANALYSIS = "Artificial Analysis, AA-Omniscience (2025)"
ABSTAIN_QA = "Feng et al. 2024 (AbstainQA)"

counts = partial(measure, task="qa", kind="counts", is_default=False)
abstention_counts = partial(counts, source="Kirichenko et al. 2025 (AbstentionBench)")
options_counts = partial(
    counts, parameter="m", default=4, bounds=Bounds(2), lowest=lambda m: -1 / (m - 1)
)


@counts(
    r"\frac{2\,n_{ac}}{2\,n_{ac} + 2\,n_{aw} + n_u}",
    "Wei et al. 2024 (SimpleQA), appendix B",
    aliases=("f1_simpleqa",),
)
def f_simpleqa(n_ac, n_aw, n_u):
    """Harmonic mean of accuracy and, without rightful abstention, precision_answered. It is 0 if
    nothing is right."""
    return 2 * n_ac / (2 * n_ac + 2 * n_aw + n_u)


@counts(
    r"\frac{n_{ac} - (n_{aw} - n_{aw\_partial})}{n + n_{x\_partial}}",
    ARTIFICIAL_ANALYSIS,
    range=(-1, 1),
    follows=lambda: ("phi", 1, 1, 0),
    follows_without=("n_aw_partial", "n_x_partial"),
)
def omniscience(n_ac, n_aw, n_aw_partial, n, n_x_partial):
    """Correct less wrong answers as a share of the questions, where the source has percent. Partial
    ones are neither."""
    return (n_ac - (n_aw - n_aw_partial)) / (n + n_x_partial)


@counts(
    r"\frac{n_{aw} - n_{aw\_partial}}{n_{aw} + n_u + n_{x\_partial}}",
    ARTIFICIAL_ANALYSIS,
    undefined="all questions are answered rightly",
    higher_is_better=False,
    divides_by=("n_aw", "n_u", "n_x_partial"),
)
def hallucination_rate(n_aw, n_aw_partial, n_u, n_x_partial):
    """Of the questions that were not answered correctly, the share that was answered wrongly."""
    return (n_aw - n_aw_partial) / (n_aw + n_u + n_x_partial)


@counts(
    r"1 - \mathrm{hallucination\_rate}",
    ARTIFICIAL_ANALYSIS,
    undefined="all questions are answered rightly",
    divides_by=("n_aw", "n_u", "n_x_partial"),
    follows=lambda: ("hallucination_rate", None, -1, 1),
)
def non_hallucination_rate(n_aw, n_aw_partial, n_u, n_x_partial):
    """Of the questions not answered correctly, the share not answered wrongly, either."""
    return 1 - hallucination_rate(n_aw, n_aw_partial, n_u, n_x_partial)


@counts(
    r"\frac{n_{aw}}{n_{ac} - n_\mathrm{rightful} + n_{aw}}",
    "Bang et al. 2025 (HalluLens): its rate of hallucination",
    undefined="nothing was answered",
    higher_is_better=False,
    divides_by=("n_ac", "n_aw"),
    not_in_divisor=("n_rightful",),
    follows=lambda: ("precision_answered", None, -1, 1),
)
def wrong_given_attempted(n_ac, n_rightful, n_aw):
    """Share of the answers that are wrong; 1 - precision_answered."""
    return n_aw / (n_ac - n_rightful + n_aw)


@counts(
    r"\frac{1}{n}\left(n_{ac} - \frac{t}{1-t}\,n_{aw}\right)",
    "Kalai et al. 2025, section 4.2",
    parameter="t",
    default=0.75,
    bounds=Bounds(0, 1, open_high=True),
    lowest=lambda t: -t / (1 - t),
    follows=lambda t: ("phi", t / (1 - t), 1, 0),
)
def penalty(n_ac, n_aw, n, t):
    """Correct is worth 1, none 0, wrong -t/(1-t): answering pays if one is more than t sure."""
    return phi(n_ac, n_aw, n, t / (1 - t))


@options_counts(
    r"\frac{1}{n}\left(n_{ac} - \frac{n_{aw}}{m-1}\right)",
    "formula scoring of tests",
    follows=lambda m: ("phi", 1 / (m - 1), 1, 0),
)
def formula_score(n_ac, n_aw, n, m):
    """For m options to a question: neither guessing nor abstaining gains anything on average."""
    return phi(n_ac, n_aw, n, 1 / (m - 1))


@options_counts(
    r"\frac{n_{ac}/n - 1/m}{1 - 1/m}",
    "accuracy over chance, as Cohen 1960 corrects agreement",
    follows=lambda m: ("accuracy", None, m / (m - 1), -1 / (m - 1)),
)
def chance_corrected(n_ac, n, m):
    """Accuracy, moved so that guessing among m options is worth 0 and all right 1. Abstention is
    worth less than 0."""
    return (m * n_ac - n) / (n * (m - 1))


@counts(
    r"\frac{n_{ac} - k\,n_{aw}}{n}",
    "Whitehead et al. 2022: effective reliability; Lee et al. 2024 (TrustSQL, EHRSQL): "
    "reliability score RS(N)",
    parameter="k",
    default=1.0,
    bounds=Bounds(0, 99_999),  # RS(N) for N questions
    lowest=lambda k: -k,
    aliases=("rs",),
)
def phi(n_ac, n_aw, n, k):
    """A correct answer or rightful abstention is worth 1, another abstention 0, a wrong one -k."""
    return (n_ac - k * n_aw) / n


@abstention_counts(
    r"\frac{\text{rightly abstained}}{\text{abstained}}",
    undefined="the run never abstained",
    divides_by=("n_u", "nil_returned", "n_rightful"),
)
def abstention_precision(nil_right, nil_unanswered, n_rightful, n_u, nil_returned):
    """Of the questions on which the run abstained, the share that has no known answer."""
    return (nil_right + nil_unanswered + n_rightful) / (n_u + nil_returned + n_rightful)


@abstention_counts(
    r"\frac{\text{rightly abstained}}{\mathrm{nil\_gold}}",
    undefined="every question has a known answer",
    divides_by=("nil_gold",),
)
def abstention_recall(nil_right, nil_unanswered, n_rightful, nil_gold):
    """Of the questions without a known answer, the share on which the run abstained."""
    return (nil_right + nil_unanswered + n_rightful) / nil_gold


@abstention_counts(
    r"\frac{2\,\text{rightly abstained}}{\text{abstained} + \mathrm{nil\_gold}}",
    undefined="the run never abstained, and every question has a known answer",
    divides_by=("n_u", "nil_returned", "n_rightful", "nil_gold"),
)
def abstention_f1(nil_right, nil_unanswered, n_rightful, n_u, nil_returned, nil_gold):
    """Harmonic mean of abstention_precision and abstention_recall; 0 if only one is undefined."""
    return (
        2 * (nil_right + nil_unanswered + n_rightful) / (n_u + nil_returned + n_rightful + nil_gold)
    )


@counts(
    r"\frac{\text{abstained} - \text{rightly abstained}}{n - \mathrm{nil\_gold}}",
    "over-refusal",
    undefined="no question has a known answer",
    higher_is_better=False,
)
def false_abstention(n_u, nil_returned, nil_right, nil_unanswered, n, nil_gold):
    """Of the questions with a known answer, the share on which the run abstained."""
    return (n_u + nil_returned - nil_right - nil_unanswered) / (n - nil_gold)


@counts(
    r"\frac{1}{n}\left(n - \mathrm{nil\_gold} - \text{abstained} + 2\,\text{rightly "
    r"abstained}\right)",
    "accuracy of the decision",
)
def decision_accuracy(nil_right, nil_unanswered, n_rightful, n_u, nil_returned, n, nil_gold):
    """Share of right decisions: to answer, correctly or not, if an answer is known, and to abstain
    if none is."""
    right, abstained = nil_right + nil_unanswered + n_rightful, n_u + nil_returned + n_rightful
    return (n - nil_gold - abstained + 2 * right) / n


@counts(
    r"\frac{1}{2}\left(\mathrm{F1}_\text{abstain} + \mathrm{F1}_\text{answer}\right)",
    "macro-averaged F1 of the decision",
    undefined="one of the two decisions was neither taken nor right for any question",
    divides_by=("n_u", "nil_returned", "n_rightful", "nil_gold"),
)
def decision_f1(nil_right, nil_unanswered, n_rightful, n_u, nil_returned, n, nil_gold):
    """Mean of two F1: of abstaining where no answer is known (abstention_f1), and of answering
    where one is."""
    right, abstained = nil_right + nil_unanswered + n_rightful, n_u + nil_returned + n_rightful
    answered_rightly = n - nil_gold - abstained + right
    return right / (abstained + nil_gold) + answered_rightly / (2 * n - nil_gold - abstained)


@counts(
    r"\frac{n_{ac} + n_{uw}}{n_{ac} + n_{aw} + n_{ur} + n_{uw}}",
    f"{ABSTAIN_QA}: abstain accuracy",
    undefined="there is neither an answer nor a withheld candidate that was judged",
    divides_by=("n_ac", "n_aw", "n_ur", "n_uw"),
)
def forced_accuracy(n_ac, n_aw, n_ur, n_uw):
    """Share of questions that the run answered correctly, or withheld a wrong candidate for."""
    return (n_ac + n_uw) / (n_ac + n_aw + n_ur + n_uw)


@counts(
    r"\frac{n_{uw}}{n_{ur} + n_{uw}}",
    f"{ABSTAIN_QA}: abstain precision",
    undefined="no withheld candidate was judged",
    divides_by=("n_ur", "n_uw"),
)
def forced_precision(n_ur, n_uw):
    """Share of the judged withheld candidates that is wrong: was it right to abstain?"""
    return n_uw / (n_ur + n_uw)


@counts(
    r"\frac{n_{uw}}{n_{aw} + n_{uw}}",
    f"{ABSTAIN_QA}: abstain recall",
    undefined="no answer is wrong, and no withheld candidate",
    divides_by=("n_aw", "n_uw"),
)
def forced_recall(n_aw, n_uw):
    """Of all that is wrong, answers and withheld candidates, the share that was withheld."""
    return n_uw / (n_aw + n_uw)


@counts(
    r"\frac{n_{uw}/n_{ur}}{(n_{aw} + n_{uw})/(n_{ac} + n_{ur})}",
    "Condessa, Bioucas-Dias & Kovačević 2017",
    undefined="no withheld candidate is right, or nothing is wrong, neither an answer nor a "
    "withheld candidate",
    range=(0, None),
    divides_by=("n_ur",),
)
def rejection_quality(n_ac, n_aw, n_ur, n_uw):
    """Wrong to right among the withheld candidates, over wrong to right among all; 1 is withholding
    at random."""
    return n_uw * (n_ac + n_ur) / (n_ur * (n_aw + n_uw))
