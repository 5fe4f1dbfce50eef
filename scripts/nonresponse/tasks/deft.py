"""What the tasks have in common in which a run gives weighted hypotheses, one of them right (DEFT 2011)."""

from functools import partial

from nonresponse.tasks import ASKED, NO_RESPONSE, Count, Sum, Task

COUNTS = {
    "n": Count("TRUE", "questions of the campaign; with the policy `exclude`, those that are left", within=()),
    "n_ac": Count(
        "verdict = 'correct'", "the most confident hypothesis, the first of equals, is the reference", within=("n",)
    ),
    "n_aw": Count("verdict = 'wrong'", "it is another; a near miss is one, too", within=("n",)),
    "n_u": Count("verdict = 'unanswered'", "no hypothesis; n_ac + n_aw + n_u = n", within=("n",)),
    "n_error": Count("raw = 'error'", "the system broke down", within=()),
    "n_missing": NO_RESPONSE,
    **ASKED,
}

hypotheses_task = partial(
    Task,
    judge="references",
    labels=("R",),
    counts=COUNTS,
    seen=("verdict", "missing", "compared"),
    shown=("n", "n_ac", "n_aw", "n_u"),
    sums=(Sum("n", ("n_ac", "n_aw", "n_u")),),
    # Every question has a reference: only the failed make a difference.
    policy_variants=tuple({"error": error} for error in ("wrong", "unanswered", "exclude")),
    uncertain="verdict = 'error'",
    references=True,
    weighted=True,
)
