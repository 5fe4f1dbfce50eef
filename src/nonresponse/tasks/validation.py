"""Answer validation: pairs that are accepted, rejected or unanswered (Solovyev; PAN; AVE)."""

from dataclasses import replace

from nonresponse.tasks import (
    ASKED_COUNTS,
    COLUMNS,
    EXCLUSION,
    NO_RESPONSE,
    Count,
    IndependentCount,
    Sum,
    Task,
    split_names,
)

COUNTS = {
    "n": IndependentCount(
        "positive IS NOT NULL",
        f"pairs of a question and an answer whose truth is known; {EXCLUSION}",
    ),
    "tp": Count("verdict = 'correct' AND positive", "right and accepted"),
    "fp": Count(
        "verdict = 'wrong' AND NOT positive", "wrong and accepted (an error of the first kind)"
    ),
    "fn": Count(
        "verdict = 'wrong' AND positive", "right and rejected (an error of the second kind)"
    ),
    "tn": Count("verdict = 'correct' AND NOT positive", "wrong and rejected"),
    "u_p": Count(
        "verdict = 'unanswered' AND positive",
        "right and unanswered; PAN: a score of exactly 0.5, or none",
    ),
    "u_n": Count(
        "verdict = 'unanswered' AND NOT positive",
        "wrong and unanswered; tp + fp + fn + tn + u_p + u_n = n",
    ),
    "n_unscored": IndependentCount(
        "positive IS NULL AND raw <> 'not asked'",
        "pairs whose truth is unknown; they belong to none of the six",
    ),
    "n_error": IndependentCount("raw = 'error'", "pairs on which the system broke down"),
    "n_missing": replace(NO_RESPONSE, condition="missing AND positive IS NOT NULL"),
    **{
        name: replace(count, condition=f"{count.condition} AND positive IS NOT NULL")
        for name, count in ASKED_COUNTS.items()
    },
    "n_questions": Count("first_of_question", "questions that have a pair among the n"),
    "q_selected_right": Count(
        "selected AND positive",
        "questions for which the answer that the run selected is right",
        ("n_questions", "tp"),
        "selected",
    ),
    "q_rejected_right": Count(
        "rejected_right",
        "questions all of whose answers were rejected, and all are wrong",
        ("n_questions", "tn"),
    ),
}


ACCEPT_ALL, REJECT_ALL = "accept-all", "reject-all"
RIGHT, WRONG = "YES", "NO"  # labels of a pair; with any other, the truth is unknown
CELLS = ("tp", "fp", "fn", "tn", "u_p", "u_n")

TASK = Task(
    id="validation",
    title="Answer validation",
    measures=("validation",),
    judge="pairs",
    labels=(RIGHT, WRONG, "UNKNOWN"),
    correct=(RIGHT,),
    words=(*CELLS, "unscored"),
    sources=("runs", "graded", "counts"),
    counts=COUNTS,
    columns=(
        *COLUMNS,
        *split_names("score accepted positive selected squared_error first_of_question"),
        "rejected_right",
    ),
    board_counts=CELLS,
    required=("tp", "fp", "fn", "tn"),
    sums=(
        Sum("n", CELLS),
        Sum("n_questions", ("q_selected_right", "q_rejected_right"), complete=False),
    ),
    key=("run", "question", "candidate"),
    outcomes={"correct": ("tp", "tn"), "unanswered": ("u_p", "u_n"), "wrong": ("fp", "fn")},
    answer_counts=("tp", "fp"),
    pairs=True,
    trivial=(ACCEPT_ALL, REJECT_ALL),
)
