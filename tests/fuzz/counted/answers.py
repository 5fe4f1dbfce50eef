"""The counts of answers to questions, as docs/measures.md says, in plain loops."""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from fuzz.counted import Counts, check_strangers, select_common, split_words

VERDICTS = ["correct", "wrong", "partial", "unanswered", "unscored", "error"]
ANSWER_VERDICTS = ("correct", "wrong", "partial", "unscored")  # on an answer that was given
POLICIES = ("unscored", "error", "partial")
CHOICES = ("wrong", "unanswered", "exclude")


class Answer(NamedTuple):
    """One response, as an assessor sees it."""

    verdict: str  # correct, wrong, partial, unanswered, unscored or error
    nil: bool = False  # “there is no answer in the collection”
    withheld: str | None = None  # the verdict on what was withheld
    by_rule: bool = False  # a rule on the text of answers decided
    missing: bool = False  # the run never saw the question


Responses = dict[tuple[int, str], list[Answer]]  # of a run, by epoch and question


class Question(NamedTuple):
    name: str
    has_answer: bool
    category: str | None = None
    unanswerable: bool = False  # somebody says that it has no answer


NAMES = split_words(
    "n|n_ac|n_aw|n_u|n_ur|n_uw|n_ue|n_ux|n_partial|n_unscored|n_error|n_missing|nil_returned|nil_right|nil_gold|a|b|c|d|e|q_answered|n_aw_partial|n_x_partial|nil_unanswered|n_by_rule|n_asked|n_not_asked|n_shared|n_unanswerable|n_rightful"
)


def counts(
    questions: Iterable[Question], common: set[str], responses: Responses, policy: dict
) -> dict:
    """The counts of one assessor and run: for each question, the mean over the epochs in which the
    run was asked it.

    `given` has the answers to each question in each epoch, the first one first; `policy` also says
    what a question without any counts as (missing); `shared` are the questions that it is compared
    on.
    """
    epochs = {epoch for epoch, _ in responses}
    total = dict.fromkeys(NAMES, Fraction(0))
    for question in questions if epochs else ():
        answers = [
            responses.get((epoch, question.name)) or [Answer("unanswered", missing=True)]
            for epoch in epochs
        ]
        valid = [
            group for group in answers if not (group[0].missing and policy["missing"] == "exclude")
        ]
        total["n_asked" if valid else "n_not_asked"] += 1
        if question.name not in common or not valid:
            continue
        total["n_shared"] += 1
        for group in valid:
            for name in list_counts(question, group, policy):
                total[name] += Fraction(1, len(valid))
    return total


def resolve(answer: Answer, policy: dict) -> str:
    """What an answer counts as."""
    return policy["missing"] if answer.missing else policy.get(answer.verdict, answer.verdict)


def list_counts(question: Question, answers: list[Answer], policy: dict) -> Iterable[str]:
    """The counts in which one question is."""
    first = answers[0]
    verdict = resolve(first, policy)
    yield from (f"n_{name}" for name in POLICIES if first.verdict == name)
    if first.by_rule:
        yield "n_by_rule"
    if verdict == "exclude":
        if first.verdict == "partial":
            yield "n_x_partial"
        return
    yield "n"
    if first.missing:
        yield "n_missing"
    if question.unanswerable:
        yield "n_unanswerable"
        abstains = first.missing or first.verdict == "unanswered"
        if (
            verdict == "unanswered"
            and abstains
            and not any(answer.verdict in ANSWER_VERDICTS and not answer.nil for answer in answers)
        ):
            yield "n_rightful"
            verdict = "correct"
    yield {"correct": "n_ac", "wrong": "n_aw", "unanswered": "n_u"}[verdict]
    if verdict == "wrong" and first.verdict == "partial":
        yield "n_aw_partial"
    if verdict == "unanswered":
        names = {"correct": "n_ur", "wrong": "n_uw", "partial": "n_uw", "unscored": "n_ux"}
        yield names[first.withheld] if first.withheld else "n_ue"
    if first.nil:
        yield "nil_returned"
    if not question.has_answer:
        yield "nil_gold"
        if first.nil:
            yield "nil_right"
        if verdict == "unanswered":
            yield "nil_unanswered"
    is_answered = any(is_answer(answer, policy) for answer in answers)
    right = any(resolve(answer, policy) == "correct" and not answer.nil for answer in answers)
    if is_answered:
        yield "q_answered"
    if question.has_answer:
        yield "a" if right else "b" if is_answered else "d"
    else:
        yield "c" if is_answered else "e"


def is_answer(answer: Answer, policy: dict) -> bool:
    """Return whether it is no NIL; failed or missing answers count if they are wrong."""
    if answer.nil or resolve(answer, policy) == "unanswered":
        return False
    return not (answer.missing or answer.verdict == "error") or resolve(answer, policy) == "wrong"


def count_by_run(
    assessor: str, questions: list[Question], responses: dict[str, Responses], policy: dict
) -> Counts:
    """Return the counts of one assessor."""
    attempted = {
        run: {name for (_, name), answers in run_rows.items() if answers and not answers[0].missing}
        for run, run_rows in responses.items()
    }
    check_strangers(attempted, policy)
    all_names = {question.name for question in questions}
    asked_names = (
        attempted if policy["missing"] == "exclude" else dict.fromkeys(responses, all_names)
    )
    among, common = select_common(asked_names, policy["compare_on"])
    result: Counts = {}
    for run, run_rows in responses.items():
        comparable = common if run in among else set()
        result[assessor, run] = counts(questions, comparable, run_rows, policy)
        for category in {question.category for question in questions} - {None}:
            part = [question for question in questions if question.category == category]
            result[assessor, run, category] = counts(part, comparable, run_rows, policy)
    return result
