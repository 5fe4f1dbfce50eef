"""Measures of answer validation on counts of pairs (Solovyev; PAN 2020-2021; AVE 2006-2008)."""

from functools import partial

from nonresponse.measures import measure, register

SOLOVYEV = "Solovyev"
PAN = "PAN 2020-2021"
AVE = "AVE 2008, in Peñas & Rodrigo 2011, section 5"

NO_PAIR = "no pair is right, accepted or unanswered"

counts = partial(measure, task="validation", kind="counts", undefined="there are no pairs")
# Pairs of known truth with a raw score, the lowest first.
SCORE_ORDER = """
    SELECT *, positive AS "right", FALSE AS abstained, -score AS sort_key, TRUE AS has_order
    FROM {rows} WHERE positive IS NOT NULL AND score IS NOT NULL"""
question_counts = partial(counts, source=AVE, undefined="there are no questions")
selected_counts = partial(
    question_counts,
    undefined="there are no questions, or no run selects an answer",
    needs=("selected",),
)
f_measure = partial(counts, parameter="beta", default=0.5)


@counts(r"\frac{tp+tn}{N}", f"{SOLOVYEV}, after table 2")
def accuracy(tp, tn, n):
    """Share of the pairs that were decided correctly."""
    return (tp + tn) / n


@counts(r"\frac{fp+fn}{N}", f"{SOLOVYEV}, after table 2", higher_is_better=False)
def error(fp, fn, n):
    """Share of the pairs that were decided wrongly; 1 - accuracy only if nothing is unanswered."""
    return (fp + fn) / n


@counts(r"\frac{fp}{N}", f"{SOLOVYEV}, Error I", higher_is_better=False)
def error_1(fp, n):
    """Errors of the first kind: wrong answers shown to the user."""
    return fp / n


@counts(r"\frac{fn}{N}", f"{SOLOVYEV}, Error II", higher_is_better=False)
def error_2(fn, n):
    """Errors of the second kind: correct answers kept from the user."""
    return fn / n


@counts(
    r"\frac{tp}{tp+fp}",
    f"{SOLOVYEV}, after table 2",
    undefined="nothing was accepted",
    divides_by=("tp", "fp"),
)
def precision(tp, fp):
    """Share of the accepted pairs that are right; over decided pairs."""
    return tp / (tp + fp)


@counts(
    r"\frac{tp}{tp+fn}",
    f"{SOLOVYEV}, after table 2",
    undefined="no decided pair is right",
    divides_by=("tp", "fn"),
)
def recall(tp, fn):
    """Share of the right pairs that were accepted; over decided pairs."""
    return tp / (tp + fn)


@f_measure(
    r"\frac{(1+\beta^2)\,tp}{(1+\beta^2)\,tp+\beta^2\,fn+fp}",
    f"{SOLOVYEV}, F",
    undefined="no decided pair is right or accepted",
    divides_by=("tp", "fp", "fn"),
)
def f(tp, fp, fn, beta):
    """F-measure over decided pairs; beta = 0.5 weighs precision twice as much as recall."""
    return (1 + beta**2) * tp / ((1 + beta**2) * tp + beta**2 * fn + fp)


@counts(
    r"\frac{\alpha\,fp+fn}{(\alpha+1)(tp+tn)+\alpha\,fp+fn}",
    f"{SOLOVYEV}, E",
    undefined="no pair was decided",
    higher_is_better=False,
    parameter="alpha",
    default=2.0,
    divides_by=("tp", "fp", "fn", "tn"),
)
def e(tp, fp, fn, tn, alpha):
    """Weighted error: an error of the first kind weighs as alpha errors of the second. Counts
    rightful rejection."""
    return (alpha * fp + fn) / ((alpha + 1) * (tp + tn) + alpha * fp + fn)


@counts(
    r"\frac{1}{N}\left(tp+tn+(u_p+u_n)\,\frac{tp+tn}{N}\right)",
    "Peñas & Rodrigo 2011, eq. 4, on pairs",
    id="c@1",
)
def c_at_1(tp, tn, u_p, u_n, n):
    """Accuracy, plus the unanswered pairs credited at that accuracy."""
    return (tp + tn + (u_p + u_n) * (tp + tn) / n) / n


@f_measure(
    r"\frac{(1+\beta^2)\,tp}{(1+\beta^2)\,tp+\beta^2(fn+u_p)+fp}",
    "PAN 2024 to 2026: F1 of their evaluators",
    undefined="no pair is right or accepted",
    divides_by=("tp", "fp", "fn", "u_p"),
    is_default=False,
)
def f_2024(tp, fp, fn, u_p, beta):
    """F-measure with unanswered pairs as rejected. With `open: rejected`, f stands for it."""
    return f(tp, fp, fn + u_p, beta)


@f_measure(
    r"\frac{(1+\beta^2)\,tp}{(1+\beta^2)\,tp+\beta^2(fn+u_p+u_n)+fp}",
    f"{PAN}: F0.5u (Bevendorff et al.)",
    undefined=NO_PAIR,
    divides_by=("tp", "fp", "fn", "u_p", "u_n"),
)
def fu(tp, fp, fn, u_p, u_n, beta):
    """F-measure that counts every unanswered pair as a false rejection."""
    return (1 + beta**2) * tp / ((1 + beta**2) * tp + beta**2 * (fn + u_p + u_n) + fp)


@f_measure(
    r"\frac{(1+\beta^2)\,tp'}{(1+\beta^2)\,tp'+\beta^2\,fn+fp'},\quad tp'=tp+u_p,\ fp'=fp+u_n",
    "PAN 2020: F0.5u of its evaluator",
    undefined=NO_PAIR,
    divides_by=("tp", "fp", "fn", "u_p", "u_n"),
)
def fu_2020(tp, fp, fn, u_p, u_n, beta):
    """F0.5u as PAN published it in 2020, with unanswered pairs as accepted. Use fu for what was
    meant."""
    return f(tp + u_p, fp + u_n, fn, beta)


register(
    "auc",
    "roc.area",
    task="validation",
    kind="ordering",
    formula=r"\frac{\sum_{i\in\text{right}}\mathrm{rank}_i-\frac{P(P+1)}{2}}{P\,(N-P)}",
    source=f"{PAN}, tied scores at their mean rank",
    undefined="all pairs are right, all are wrong, or the run gives no score",
    needs=("scores",),
    rows=SCORE_ORDER,
    classes=True,
    leave_one_out="roc.leave_one_out",
)


@measure(
    r"1-\frac{1}{N}\sum_{i=1}^{N}(v_i-y_i)^2",
    "PAN 2021",
    task="validation",
    kind="sums",
    undefined="the run gives no score, or one outside 0 to 1",
    needs=("scores",),
    sums={"squared_error": "squared_error"},
)
def brier(squared_error, n):
    """One minus the mean squared distance of the raw score from the truth (1 right, 0 wrong)."""
    return 1 - squared_error / n


@selected_counts(r"\frac{\text{selected and right}}{\text{questions}}")
def qa_accuracy(q_selected_right, n_questions):
    """Share of the questions for which the selected answer is right."""
    return q_selected_right / n_questions


@question_counts(r"\frac{\text{all rejected and none right}}{\text{questions}}")
def qa_rejection(q_rejected_right, n_questions):
    """Share of the questions all of whose answers were rejected, rightly."""
    return q_rejected_right / n_questions


@selected_counts(r"\mathrm{qa\_accuracy}+\mathrm{qa\_rejection}\cdot\mathrm{qa\_accuracy}")
def qa_estimated(q_selected_right, q_rejected_right, n_questions):
    """qa_accuracy, with the correctly rejected questions credited at that accuracy."""
    return (q_selected_right + q_rejected_right * q_selected_right / n_questions) / n_questions
