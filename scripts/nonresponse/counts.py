"""The counts of a campaign, each as an SQL condition on a row of the resolved verdicts.

A count is the number of rows of an assessor and run that meet its condition; `verdict` is what the campaign's
policy makes of it, `raw` what it was before (unscored, error and partial are counted by that name).
"""

QA = {
    "n": "TRUE",
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

# The columns of verdicts that the conditions look at, before and after a policy.
SEEN = {
    "qa": [
        *["verdict", "candidate_verdict", "missing", "nil", "has_answer", "given", "decided", "partly", "any_right"],
        *["unscored", "good", "good_any", "long_good", "long_good_partial"],
    ],
    "validation": [
        *["verdict", "positive", "missing", "selected", "first_of_question", "rejected_right"],
    ],
}

OF_TASK = {"qa": QA, "validation": VALIDATION}

# Counts that are null where no response of the campaign has the column: ROMIP's labels, AVE's selections.
OPTIONAL = {
    "q_good": "good",
    "q_good_any": "good_any",
    "q_long_good": "long_good",
    "q_long_good_partial": "long_good_partial",
    "q_selected_right": "selected",
}

# What a policy excludes leaves every count but these, which tell how much that was.
OF_ALL = ("n_partial", "n_unscored", "n_error", "n_missing")

# What each policy may be; `correct` in TREATMENTS is for the bounds only.
POLICIES = {"unscored": "wrong", "error": "wrong", "partial": "wrong"}

# Every way to take the unscored and the failed: a score's bounds are its extremes over these. A pair whose
# truth is unknown is left out of validation whatever the policy, so that only the failed make a difference.
TREATMENTS = {
    "qa": [
        {"unscored": unscored, "error": error}
        for unscored in ("wrong", "unanswered", "exclude", "correct")
        for error in ("wrong", "unanswered", "exclude")
    ],
    "validation": [{"error": error} for error in ("wrong", "unanswered", "exclude")],
}

# The verdicts that the treatments take differently.
UNCERTAIN = {"qa": "(unscored > 0 OR verdict = 'error')", "validation": "verdict = 'error'"}
