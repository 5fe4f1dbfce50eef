"""Questions and answers (Peñas & Rodrigo 2011; Voorhees 2003; ROMIP 2010)."""

from nonresponse.tasks import (
    ASKED_COUNTS,
    COLUMNS,
    ERROR,
    ERROR_VARIANTS,
    NO_RESPONSE,
    POLICY,
    UNSCORED,
    VERDICTS,
    Count,
    IndependentCount,
    N,
    Sum,
    Task,
    split_names,
)

TREC_LABELS = ("R", "W", "U", "X")
ROMIP_LABELS = ("good", "long", "partial", "bad")


def count_labelled(column: str, meaning: str, within: tuple[str, ...]) -> Count:
    """Return a count of questions with an answer of a label, null in campaigns without it."""
    return Count(f"given AND {column}", meaning, within, column)


WITHHELD = "verdict = 'unanswered' AND candidate_verdict"
COUNTS = {
    "n": N,
    "n_ac": Count("verdict = 'correct'", "answered correctly, or rightly not answered"),
    "n_aw": Count("verdict = 'wrong'", "answered wrongly"),
    "n_u": Count(
        "verdict = 'unanswered'", "not answered, and not rightly so; n_ac + n_aw + n_u = n"
    ),
    "n_ur": Count(
        f"{WITHHELD} = 'correct'", "not answered, and the withheld candidate is right", ("n_u",)
    ),
    "n_uw": Count(
        f"{WITHHELD} IN ('wrong', 'partial')",
        "not answered, and the withheld candidate is wrong or partly right",
        ("n_u",),
    ),
    "n_ue": Count(f"{WITHHELD} IS NULL", "not answered, and no candidate was submitted", ("n_u",)),
    "n_ux": Count(
        f"{WITHHELD} = 'unscored'",
        "not answered, and nobody judged the candidate; n_ur + n_uw + n_ue + n_ux = n_u",
        ("n_u",),
    ),
    "n_partial": IndependentCount(
        "raw = 'partial'",
        "answered partly right, whatever the policy makes of it; so the next two",
    ),
    "n_unscored": UNSCORED,
    "n_error": ERROR,
    "n_missing": NO_RESPONSE,
    **ASKED_COUNTS,
    "nil_returned": Count("nil", "answered with NIL, “there is no answer in the collection”"),
    "nil_right": Count(
        "nil AND verdict = 'correct'",
        "answered with NIL where no answer is known",
        ("nil_returned", "nil_gold", "n_ac"),
    ),
    "nil_gold": Count("NOT has_answer", "no answer is known", needs="has_answer"),
    "n_unanswerable": Count("unanswerable", "the data say that there is no answer", ("nil_gold",)),
    "n_rightful": Count(
        "rightful",
        "not answered, and rightly so, as the data say that there is no answer",
        ("n_ac", "n_unanswerable", "e"),
        none_without="n_unanswerable",
    ),
    "a": Count(
        "has_answer AND any_right",
        "an answer is known, and a right one was given, at whatever rank (Solovyev, table 1)",
        ("n", "q_answered"),
    ),
    "b": Count(
        "has_answer AND given AND NOT any_right",
        "an answer is known, and only wrong ones were given",
        ("n", "q_answered"),
    ),
    "c": Count(
        "NOT has_answer AND given",
        "no answer is known, and some were given",
        ("n", "q_answered", "nil_gold"),
    ),
    "d": Count(
        "has_answer AND NOT given", "an answer is known, and none was given; NIL counts as none"
    ),
    "e": Count(
        "NOT has_answer AND NOT given", "no answer is known, and none was given", ("n", "nil_gold")
    ),
    "q_answered": Count("given", "some answer was given"),
    "q_good": count_labelled(
        "good", "an answer has the label `good`", ("q_answered", "q_good_any")
    ),
    "q_good_any": count_labelled(
        "good_any", "an answer has the label `good`, `long` or `partial`", ("q_answered",)
    ),
    "q_long_good": count_labelled(
        "long_good",
        "a long answer, a fragment of text, has the label `good`",
        ("q_good", "q_long_good_partial"),
    ),
    "q_long_good_partial": count_labelled(
        "long_good_partial", "a long answer has the label `good` or `partial`", ("q_good_any",)
    ),
    "n_aw_partial": Count(
        "verdict = 'wrong' AND raw = 'partial'",
        "answered partly right, and counted as wrong by the policy",
        ("n_aw", "n_partial"),
        none_without="n_partial",
    ),
    "n_x_partial": Count(
        "verdict = 'exclude' AND raw = 'partial'",
        "answered partly right, and excluded from n by the policy",
        ("n_partial",),
        none_without="n_partial",
    ),
    "nil_unanswered": Count(
        "verdict = 'unanswered' AND NOT has_answer",
        "not answered, and no answer is known",
        ("n_u", "nil_gold"),
    ),
    "n_by_rule": IndependentCount(
        "by_rule",
        "whose first answer is none, wrong or an error because a rule of the campaign says so",
    ),
}


def resolve_answers(policy: dict) -> list[str]:
    """Return SQL for whether a question got an answer, and a right one, under a policy."""
    answer = ["decided"] + ["failed"] * (policy["error"] == "wrong")
    answer += ["partly"] * (policy["partial"] != "unanswered")
    answer += ["unscored > 0"] * (policy["unscored"] != "unanswered")
    right = ["any_right"] + ["unscored > 0"] * (policy["unscored"] == "correct")
    return [f"({' OR '.join(answer)}) AS given", f"({' OR '.join(right)}) AS any_right"]


def resolve_values(policy: dict) -> list[str]:
    """Return SQL for the values that all answers to a question contribute to, under a policy."""
    worth = {"correct": "+", "wrong": "-"}
    terms = [f" {worth[choice]} k_{name}" for name, choice in policy.items() if choice in worth]
    columns = [f"k_value{''.join(terms)} AS k_value"]
    if policy["unscored"] == "correct":  # a bound: as if all unjudged answers were right
        columns += [f"{name}_best AS {name}" for name in ("reciprocal_rank", "average_precision")]
    return columns


def unanswered_counts(
    n: float, nil_gold: float | None, n_unanswerable: float = 0
) -> dict[str, float]:
    """Return the counts of a run that answers nothing, without those that need nil_gold if null."""
    counts = dict.fromkeys(COUNTS, 0.0) | {"n": n}
    counts |= dict.fromkeys(("n_ac", "n_rightful", "n_unanswerable"), n_unanswerable)
    counts |= dict.fromkeys(("n_u", "n_ue"), n - n_unanswerable)
    if nil_gold is None:
        unknown = ("nil_gold", "nil_unanswered", "d", "e")
        return {name: number for name, number in counts.items() if name not in unknown}
    nil = {"d": n - nil_gold, "nil_unanswered": nil_gold - n_unanswerable}
    return counts | nil | dict.fromkeys(("nil_gold", "e"), nil_gold)


TASK = Task(
    id="qa",
    title="Question answering",
    measures=("question_answering", "romip", "abstention", "confidence"),
    log_measures=split_names(
        "c@1 accuracy precision_answered answered f_simpleqa hallucination_rate"
    ),
    unanswerable_measures=split_names(
        "accuracy c@1 abstention_precision abstention_recall abstention_f1 false_abstention"
    ),
    judge="answers",
    labels=TREC_LABELS,
    labels_of_format={"romip": ROMIP_LABELS, "tabular": (*TREC_LABELS, *ROMIP_LABELS)},
    fact_labels={"romip": ROMIP_LABELS},
    right=("R", "good"),
    words=VERDICTS,
    sources=("runs", "graded", "counts"),
    counts=COUNTS,
    columns=(
        *COLUMNS,
        *split_names("epoch candidate_verdict score position by_rule nil has_answer unanswerable"),
        *split_names("rightful given decided partly any_right failed unscored reciprocal_rank"),
        *split_names("reciprocal_rank_best average_precision average_precision_best k_value"),
        *split_names("k_unscored k_partial k_error good good_any long_good long_good_partial"),
    ),
    board_counts=("n", "n_ac", "n_aw", "n_u"),
    required=("n_ac", "n_aw", "n_u"),
    alternative=tuple("abcde"),
    sums=(
        Sum("n", ("n_ac", "n_aw", "n_u")),
        Sum("n", tuple("abcde")),
        Sum("n", ("a", "b", "d", "nil_gold")),
        Sum("n", ("q_answered", "d", "e")),
        Sum("n", ("nil_returned", "n_u", "n_rightful"), complete=False),
        Sum("n_u", ("n_ur", "n_uw", "n_ue", "n_ux")),
        Sum("nil_gold", ("c", "e")),
        Sum("q_answered", tuple("abc")),
    ),
    policy_variants=tuple(
        {"unscored": unscored, **variant}
        for unscored in (*POLICY, "correct")  # the last one is for the bounds only
        for variant in ERROR_VARIANTS
    ),
    uncertain={"unscored": "unscored > 0", "error": "failed"},
    key=("run", "question", "epoch", "rank"),
    repeated=True,
    pooled=True,
    seen_by_policy=resolve_answers,
    values_by_policy=resolve_values,
    unanswered_counts=unanswered_counts,
)
