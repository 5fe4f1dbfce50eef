"""The year of publication of a fragment of text (DEFT 2011, task A)."""

from functools import partial

from nonresponse.tasks import ASKED_COUNTS, COLUMNS, ERROR, NO_RESPONSE, Count, N, Sum, Task

COUNTS = {
    "n": N,
    "n_ac": Count(
        "verdict = 'correct'",
        "the most confident hypothesis, the first of equals, is the reference",
    ),
    "n_aw": Count("verdict = 'wrong'", "it is another; a near miss is one, too"),
    "n_u": Count("verdict = 'unanswered'", "no hypothesis; n_ac + n_aw + n_u = n"),
    "n_error": ERROR,
    "n_missing": NO_RESPONSE,
    **ASKED_COUNTS,
}

HYPOTHESES = (*COLUMNS, "answer", "similarity", "similarity_c")  # columns of verdicts

# A run gives weighted hypotheses, one of them right.
hypotheses_task = partial(
    Task,
    judge="references",
    labels=("R",),
    counts=COUNTS,
    columns=HYPOTHESES,
    board_counts=("n", "n_ac", "n_aw", "n_u"),
    sums=(Sum("n", ("n_ac", "n_aw", "n_u")),),
    references=True,
    weighted=True,
)

TASK = hypotheses_task(
    id="dating",
    title="Year of publication",
    measures=("deft",),
    columns=(*HYPOTHESES, "year", "distance"),
    years=True,
)
