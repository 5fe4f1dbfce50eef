"""Solovyev's error, recall and NIL over a to e, for ROMIP 2010."""

from functools import partial

from nonresponse.measures.question_answering import counts

SOLOVYEV = "Solovyev"
question_counts = partial(counts, needs=("romip",))


@question_counts(r"E=\frac{b+c+d}{a+b+c+d+e}", f"{SOLOVYEV}, table 1", higher_is_better=False)
def romip_error(a, b, c, d, e):
    """Share of questions decided wrongly. Rightful abstention is a right decision."""
    return (b + c + d) / (a + b + c + d + e)


@question_counts(
    r"R=\frac{a}{a+b+d}",
    f"{SOLOVYEV}, table 1",
    undefined="no question has an answer",
    divides_by=("a", "b", "d"),
)
def romip_recall(a, b, d):
    """Share of the questions with an answer in the collection that got a right one."""
    return a / (a + b + d)


@question_counts(
    r"\frac{e}{d+e}",
    f"{SOLOVYEV}, on NIL precision, before table 1",
    undefined="some answer was given to every question",
    divides_by=("d", "e"),
)
def romip_nil_precision(d, e):
    """Share of the unanswered questions that have no answer."""
    return e / (d + e)


@question_counts(
    r"\frac{e}{c+e}",
    f"{SOLOVYEV}, on NIL recall, before table 1",
    undefined="every question has a known answer",
    divides_by=("c", "e"),
)
def romip_nil_recall(c, e):
    """Share of the questions without a known answer left unanswered."""
    return e / (c + e)
