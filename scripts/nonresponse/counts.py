"""The counts of a campaign, each as an SQL condition (or number) on a row of the resolved verdicts.

A count is the sum of its expression over the rows of an assessor and run; `verdict` is what the campaign's
policy makes of it, `raw` what it was before (unscored, error and partial are counted by that name).
"""

QA = {
    "n": "1",
    "n_ac": "verdict = 'correct'",
    "n_aw": "verdict = 'wrong'",
    "n_u": "verdict = 'unanswered'",
    "n_ur": "verdict = 'unanswered' AND candidate_verdict = 'correct'",
    "n_uw": "verdict = 'unanswered' AND candidate_verdict IN ('wrong', 'partial')",
    "n_ue": "verdict = 'unanswered' AND candidate_verdict IS NULL",
    "n_ux": "verdict = 'unanswered' AND candidate_verdict = 'unscored'",
    "n_partial": "raw = 'partial'",
    "n_unscored": "raw = 'unscored'",
    "n_error": "raw = 'error'",
    "n_missing": "missing",
    "nil_returned": "nil",
    "nil_right": "nil AND verdict = 'correct'",
    "nil_gold": "NOT has_answer",
    "a": "has_answer AND any_right",
    "b": "has_answer AND given AND NOT any_right",
    "c": "NOT has_answer AND given",
    "d": "has_answer AND NOT given",
    "e": "NOT has_answer AND NOT given",
    "q_answered": "given",
    "q_good": "good",
    "q_good_any": "good_any",
    "q_long_good": "long_good",
    "q_long_good_partial": "long_good_partial",
}

VALIDATION = {
    "n": "positive IS NOT NULL",
    "tp": "verdict = 'correct' AND positive",
    "fp": "verdict = 'wrong' AND NOT positive",
    "fn": "verdict = 'wrong' AND positive",
    "tn": "verdict = 'correct' AND NOT positive",
    "u_p": "verdict = 'unanswered' AND positive",
    "u_n": "verdict = 'unanswered' AND NOT positive",
    "n_unscored": "raw = 'unscored'",
    "n_error": "raw = 'error'",
    "n_missing": "missing",
    "n_questions": "first_of_question",
    "q_selected_right": "selected AND positive",
    "q_rejected_right": "rejected_right",
}

OF_TASK = {"qa": QA, "validation": VALIDATION}

# What each policy may be; `correct` and its kin in TREATMENTS are for the bounds only.
POLICIES = {"unscored": "wrong", "error": "wrong", "partial": "wrong"}

# Every way to take the unscored and the failed: a score's bounds are its extremes over these.
TREATMENTS = [
    {"unscored": unscored, "error": error}
    for unscored in ("wrong", "unanswered", "exclude", "correct")
    for error in ("wrong", "unanswered", "exclude")
]
