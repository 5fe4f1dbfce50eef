"""Measures of question answering on counts (Peñas & Rodrigo 2011, Voorhees 2003)."""

from functools import partial

from nonresponse.measures import EXACT, measure, register

PENAS = "Peñas & Rodrigo 2011"
VOORHEES = "Voorhees 2003"
HERRERA = "Herrera, Peñas & Verdejo 2005"

counts = partial(measure, task="qa", kind="counts")
sums = partial(measure, task="qa", kind="sums")
# Rightful abstention counts as correct, and is no answer.
answered_counts = partial(
    counts,
    undefined="nothing was answered",
    divides_by=("n_ac", "n_aw"),
    not_in_divisor=("n_rightful",),
)
nil_counts = partial(counts, needs=("nil",))


@counts(r"\frac{1}{n}\left(n_{ac} + n_u\,\frac{n_{ac}}{n}\right)", f"{PENAS}, eq. 4", id="c@1")
def c_at_1(n_ac, n_u, n):
    """Accuracy, plus the unanswered share credited at that accuracy."""
    return (n_ac + n_u * n_ac / n) / n


@counts(r"\frac{n_{ac}}{n}", f"{PENAS}, section 3.1", aliases=("abstention_accuracy",))
def accuracy(n_ac, n):
    """Share of questions answered correctly or rightly not answered. Other abstentions earn 0."""
    return n_ac / n


@counts(
    r"\frac{n_{ac} - n_{aw}}{n}",
    f"{PENAS}, eq. 1",
    range=(-1, 1),
    aliases=("er", "idk_score", "truthfulness"),
    follows=lambda: ("phi", 1, 1, 0),
)
def uf(n_ac, n_aw, n):
    """Utility function: a correct answer is worth 1, a wrong one -1, none 0."""
    return (n_ac - n_aw) / n


@counts(
    r"\frac{n_{ac}}{n} + 0.5\,\frac{n_u}{n}",
    f"{PENAS}, eq. 2",
    is_default=False,
    follows=lambda: ("phi", 1, 0.5, 0.5),
)
def uf_half(n_ac, n_u, n):
    """The utility function moved to [0, 1]. Ranks as uf."""
    return (n_ac + n_u / 2) / n


@counts(r"\frac{n_{ac} + n_u}{n}", f"{PENAS}, section 3.2", is_default=False)
def optimistic(n_ac, n_u, n):
    """Every unanswered question taken as right: an upper bound, won by answering nothing."""
    return (n_ac + n_u) / n


@answered_counts(
    r"\frac{n_{ac} - n_\mathrm{rightful}}{n_{ac} - n_\mathrm{rightful} + n_{aw}}",
    f"{PENAS}, eq. 5",
    aliases=("correct_given_attempted", "selective_accuracy"),
)
def precision_answered(n_ac, n_rightful, n_aw):
    """Share of the answers that are right; rewards answering one sure question and no other."""
    return (n_ac - n_rightful) / (n_ac - n_rightful + n_aw)


@counts(
    r"\frac{n_{ac}}{n} + \frac{n_{aw}}{n_{ac} + n_{aw}}\cdot\frac{n_u}{n}",
    f"{PENAS}, eq. 6",
    undefined="nothing was answered",
    divides_by=("n_ac", "n_aw"),
    is_default=False,
)
def wrong_rate(n_ac, n_aw, n_u, n):
    """Unanswered questions credited at the rate of failure: easily cheated, kept for comparison."""
    return n_ac / n + n_aw / (n_ac + n_aw) * n_u / n


@counts(r"\frac{n_{ac} - n_\mathrm{rightful} + n_{aw}}{n}", f"{PENAS}, table 1", descriptive=True)
def answered(n_ac, n_rightful, n_aw, n):
    """Coverage: share of questions answered at all."""
    return (n_ac - n_rightful + n_aw) / n


@counts(r"\frac{n_{ac} + n_{ur}}{n}", f"{PENAS}, section 4.1", needs=("withheld",))
def candidate_accuracy(n_ac, n_ur, n):
    """Accuracy, had the run answered with the candidates that it withheld."""
    return (n_ac + n_ur) / n


# An explicit position takes precedence over a confidence, and a confidence over a raw score;
# unanswered questions, rightly or not, come last, in one block. Which of the three a run gives is
# decided by all its rows under an assessor, of any category.
ROW_ORDER = """
    SELECT *, CASE WHEN abstained THEN NULL WHEN positions > 0 THEN -position
            WHEN confidences > 0 THEN confidence ELSE score END AS sort_key,
        positions + confidences + scores > 0 AS has_order
    FROM (
        SELECT *, verdict = 'correct' AS "right", verdict = 'unanswered' OR rightful AS abstained,
            count(position) OVER (PARTITION BY assessor, run) AS positions,
            count(confidence) OVER (PARTITION BY assessor, run) AS confidences,
            count(score) OVER (PARTITION BY assessor, run) AS scores
        FROM {rows}
    )"""

ANSWER_ORDER = f"SELECT * FROM ({ROW_ORDER}) WHERE NOT abstained"

register(
    "cws",
    "cws.score",
    task="qa",
    kind="ordering",
    formula=r"\frac{1}{n}\sum_{i=1}^{n}\frac{C(i)}{i},\quad C(i)=\sum_{j=1}^{i} I(j)",
    source=f"{PENAS}, eq. 9-10; {VOORHEES}, section 1.1",
    undefined="the run gives no order, confidence or score",
    needs=("scores",),
    lacking="no response has a place in an order, a confidence or a score",
    rows=ROW_ORDER,
    ends="places",
    leave_one_out="cws.leave_one_out",
)


@sums(
    r"\frac{1}{n}\sum_{i=1}^{n}\frac{1}{\text{rank of the first correct answer}_i}",
    "Voorhees & Tice 1999; Fukumoto et al. 2002",
    needs=("ranks",),
    parameter="depth",
    # Half a rank of slack: reciprocals are rounded to multiples of 2^-32.
    sums={
        "reciprocal_rank": "CASE WHEN reciprocal_rank > 1 / ({depth} + 0.5) THEN "
        "reciprocal_rank ELSE 0 END"
    },
)
def mrr(reciprocal_rank, n):
    """Mean reciprocal rank of the first correct answer, 0 without one; mrr@5 reads five ranks."""
    return reciprocal_rank / n


@sums(
    r"\frac{1}{n}\sum_{i=1}^{n}\frac{1}{R_i}\sum_{r} I_i(r)\,\frac{C_i(r)}{r}",
    f"{PENAS}, eq. 11",
    id="map",
    undefined="the known correct answers are not listed (graded responses)",
    needs=("key",),
    sums={"average_precision": "average_precision"},
)
def mean_average_precision(average_precision, n):
    """Mean average precision."""
    return average_precision / n


@sums(
    r"\frac{1}{n}\left(\sum_{\text{correct}} s_i - \sum_{\text{wrong}} s_i\right)",
    f"{PENAS}, eq. 12; {HERRERA}",
    range=(-1, 1),
    undefined="the run gives no confidence in [0, 1]",
    needs=("scores",),
    lacking="no response has a confidence in [0, 1]",
    sums={
        "signed": "CASE verdict WHEN 'correct' THEN confidence WHEN 'wrong' THEN -confidence "
        "ELSE 0 * confidence END"
    },
)
def k1(signed, n):
    """Utility weighted with the run's confidence. A confidence of 0 is no answer."""
    return signed / n


@sums(
    r"\frac{1}{n}\sum_{i=1}^{n}\frac{\sum_r "
    r"s_i(r)\,\mathrm{eval}_i(r)}{\max(R_i,\ \text{answers given}_i)}",
    HERRERA,
    range=(-1, 1),
    undefined="the run gives no confidence in [0, 1], or the known correct answers are not listed",
    needs=("scores", "key"),
    sums={"k_value": "k_value"},
)
def k(k_value, n):
    """k1 for several answers to a question: eval is 1 for right, 0 for repeated, -1 for wrong."""
    return k_value / n


# The square of a confidence has 64 binary places. Split into three sums of 32 places each, it is
# exact, so that the test whether the spread is 0 is exact, too.
ROUNDED = f"round(confidence * {EXACT}) / {EXACT}"
HIGH = "round(confidence * 65536) / 65536"
LOW = f"({ROUNDED} - {HIGH})"
SELF_SCORED = "verdict IN ('correct', 'wrong') AND NOT rightful AND confidence IS NOT NULL"
RIGHT = "CAST(verdict = 'correct' AS INTEGER)"


def answered_term(term: str) -> str:
    """Return SQL for the term where a question was answered and has a confidence, 0 where not."""
    return f"CASE WHEN {SELF_SCORED} THEN {term} ELSE 0 END"


@sums(
    r"\frac{m\sum s c-\sum s\sum c}{\sqrt{m\sum s^2-(\sum s)^2}\sqrt{m\sum c^2-(\sum c)^2}}",
    HERRERA,
    range=(-1, 1),
    undefined="no answer has a confidence, or the confidences of the answers, or their "
    "correctness, are all the same",
    needs=("scores",),
    sums={
        "s": answered_term("confidence"),
        "hh": answered_term(f"{HIGH} * {HIGH}"),
        "hl": answered_term(f"{HIGH} * {LOW} * 65536"),
        "ll": answered_term(f"{LOW} * {LOW} * {EXACT}"),
        "sc": answered_term(f"confidence * {RIGHT}"),
        "c": answered_term(RIGHT),
        "m": answered_term("1"),
    },
    smooth=False,  # where nearly all answers are right, a wrong one weighs more than all others
    ends="correlation",
)
def r(s, hh, hl, ll, sc, c, m):
    """Pearson's correlation of the confidence and the correctness of answers."""
    spread = m * (hh + hl / 2**15 + ll / EXACT) - s * s
    spread = spread * (spread > m * m / 2**48)  # a smaller one is the rounding of equal confidences
    return (m * sc - s * c) / (spread * (m * c - c * c)) ** 0.5


@nil_counts(
    r"\frac{\mathrm{nil\_right}}{\mathrm{nil\_returned}}",
    f"{VOORHEES}, section 1.2",
    undefined="NIL was never returned",
    divides_by=("nil_returned",),
)
def nil_precision(nil_right, nil_returned):
    """How often NIL was right when it was returned."""
    return nil_right / nil_returned


@nil_counts(
    r"\frac{\mathrm{nil\_right}}{\mathrm{nil\_gold}}",
    f"{VOORHEES}, section 1.2",
    undefined="every question has a known answer",
    divides_by=("nil_gold",),
)
def nil_recall(nil_right, nil_gold):
    """Share of the questions without a known answer for which the run returned NIL."""
    return nil_right / nil_gold


@nil_counts(
    r"\frac{2\,\mathrm{nil\_right}}{\mathrm{nil\_returned} + \mathrm{nil\_gold}}",
    "harmonic mean",
    undefined="NIL was never returned and every question has a known answer",
    divides_by=("nil_returned", "nil_gold"),
)
def nil_f(nil_right, nil_returned, nil_gold):
    """Harmonic mean of nil_precision and nil_recall; 0 when only one of them is undefined."""
    return 2 * nil_right / (nil_returned + nil_gold)
