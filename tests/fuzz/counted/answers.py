"""The counts of answers to questions, as docs/measures.md says, in plain loops."""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

VERDICTS = ["correct", "wrong", "partial", "unanswered", "unscored", "error"]
GIVEN = ("correct", "wrong", "partial", "unscored")  # an answer that was given may be one of these
POLICIES = ("unscored", "error", "partial")
CHOICES = ("wrong", "unanswered", "exclude")


class Answer(NamedTuple):
    """One response, as an assessor sees it."""

    verdict: str  # correct, wrong, partial, unanswered, unscored or error
    nil: bool = False  # “there is no answer in the collection”
    withheld: str | None = None  # the verdict on what was withheld
    by_rule: bool = False  # a rule on the text of answers decided
    missing: bool = False  # the run never saw the question


class Question(NamedTuple):
    name: str
    has_answer: bool
    category: str | None = None


NAMES = "n n_ac n_aw n_u n_ur n_uw n_ue n_ux n_partial n_unscored n_error n_missing nil_returned nil_right nil_gold"
NAMES += " a b c d e q_answered n_aw_partial n_x_partial nil_silent n_by_rule"


def counts(questions: Iterable[Question], given: dict[tuple[int, str], list[Answer]], policy: dict) -> dict:
    """Of one assessor and run: means over the run's epochs.

    `given` has the answers to each question in each epoch, the first one first; `policy` also says what a question
    without any counts as (missing).
    """
    epochs = {epoch for epoch, _ in given}
    total = dict.fromkeys(NAMES.split(), Fraction(0))
    for epoch in epochs:
        for question in questions:
            answers = given.get((epoch, question.name)) or [Answer("unanswered", missing=True)]
            for name in counted(question, answers, policy):
                total[name] += Fraction(1, len(epochs))
    return total


def read(answer: Answer, policy: dict) -> str:
    """What an answer counts as."""
    return policy["missing"] if answer.missing else policy.get(answer.verdict, answer.verdict)


def counted(question: Question, answers: list[Answer], policy: dict) -> Iterable[str]:
    """The counts in which one question is."""
    first = answers[0]
    verdict = read(first, policy)
    yield from (f"n_{name}" for name in POLICIES if first.verdict == name)
    if first.missing:
        yield "n_missing"
    if first.by_rule:
        yield "n_by_rule"
    if verdict == "exclude":
        if first.verdict == "partial":
            yield "n_x_partial"
        return
    yield "n"
    yield {"correct": "n_ac", "wrong": "n_aw", "unanswered": "n_u"}[verdict]
    if verdict == "wrong" and first.verdict == "partial":
        yield "n_aw_partial"
    if verdict == "unanswered":
        yield {None: "n_ue", "correct": "n_ur", "wrong": "n_uw", "partial": "n_uw", "unscored": "n_ux"}[first.withheld]
    if first.nil:
        yield "nil_returned"
    if not question.has_answer:
        yield "nil_gold"
        if first.nil:
            yield "nil_right"
        if verdict == "unanswered":
            yield "nil_silent"
    some = any(was_given(answer, policy) for answer in answers)
    right = any(read(answer, policy) == "correct" and not answer.nil for answer in answers)
    if some:
        yield "q_answered"
    if question.has_answer:
        yield "a" if right else "b" if some else "d"
    else:
        yield "c" if some else "e"


def was_given(answer: Answer, policy: dict) -> bool:
    """Something else than NIL was answered. What failed was, where it counts as wrong; silence is no answer."""
    if answer.nil or read(answer, policy) == "unanswered" or answer.missing:
        return False
    return answer.verdict != "error" or read(answer, policy) == "wrong"


def by_run_and_category(questions: list[Question], given: dict, policy: dict) -> tuple[dict, dict]:
    """Counts by run, and by run and category, of one assessor; `given` has what `counts` takes of each run."""
    categories = {question.category for question in questions} - {None}
    by_run, by_category = {}, {}
    for run, answers in given.items():
        by_run[run] = counts(questions, answers, policy)
        for category in categories:
            by_category[run, category] = counts([q for q in questions if q.category == category], answers, policy)
    return by_run, by_category
