"""The counts of answers to questions, as docs/measures.md says, in plain loops."""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from fuzz.counted import check_strangers, compared, listed

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


Given = dict[tuple[int, str], list[Answer]]  # of a run, by epoch and question


class Question(NamedTuple):
    name: str
    has_answer: bool
    category: str | None = None
    unanswerable: bool = False  # somebody says that it has no answer


NAMES = listed(
    "n|n_ac|n_aw|n_u|n_ur|n_uw|n_ue|n_ux|n_partial|n_unscored|n_error|n_missing|nil_returned|"
    "nil_right|nil_gold|a|b|c|d|e|q_answered|n_aw_partial|n_x_partial|nil_unanswered|n_by_rule|"
    "n_asked|n_not_asked|n_shared|n_unanswerable|n_rightful"
)


def counts(questions: Iterable[Question], shared: set[str], responses: Given, policy: dict) -> dict:
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
        asked = [own for own in answers if not (own[0].missing and policy["missing"] == "exclude")]
        total["n_asked" if asked else "n_not_asked"] += 1
        if question.name not in shared or not asked:
            continue
        total["n_shared"] += 1
        for own in asked:
            for name in counted(question, own, policy):
                total[name] += Fraction(1, len(asked))
    return total


def read(answer: Answer, policy: dict) -> str:
    """What an answer counts as."""
    return policy["missing"] if answer.missing else policy.get(answer.verdict, answer.verdict)


def counted(question: Question, answers: list[Answer], policy: dict) -> Iterable[str]:
    """The counts in which one question is."""
    first = answers[0]
    verdict = read(first, policy)
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
        none = first.missing or first.verdict == "unanswered"
        if (
            verdict == "unanswered"
            and none
            and not any(answer.verdict in GIVEN and not answer.nil for answer in answers)
        ):
            yield "n_rightful"
            verdict = "correct"
    yield {"correct": "n_ac", "wrong": "n_aw", "unanswered": "n_u"}[verdict]
    if verdict == "wrong" and first.verdict == "partial":
        yield "n_aw_partial"
    if verdict == "unanswered":
        yield {
            None: "n_ue",
            "correct": "n_ur",
            "wrong": "n_uw",
            "partial": "n_uw",
            "unscored": "n_ux",
        }[first.withheld]
    if first.nil:
        yield "nil_returned"
    if not question.has_answer:
        yield "nil_gold"
        if first.nil:
            yield "nil_right"
        if verdict == "unanswered":
            yield "nil_unanswered"
    some = any(was_given(answer, policy) for answer in answers)
    right = any(read(answer, policy) == "correct" and not answer.nil for answer in answers)
    if some:
        yield "q_answered"
    if question.has_answer:
        yield "a" if right else "b" if some else "d"
    else:
        yield "c" if some else "e"


def was_given(answer: Answer, policy: dict) -> bool:
    """Whether something other than NIL was answered; failed or missing answers were, if they count
    as wrong."""
    if answer.nil or read(answer, policy) == "unanswered":
        return False
    return not (answer.missing or answer.verdict == "error") or read(answer, policy) == "wrong"


def by_run_and_category(
    questions: list[Question], responses: dict[str, Given], policy: dict
) -> tuple[dict, dict]:
    """Counts by run, and by run and category, of one assessor; `given` has what `counts` takes of
    each run."""
    answered = {
        run: {name for (_, name), answers in own.items() if answers and not answers[0].missing}
        for run, own in responses.items()
    }
    check_strangers(answered, policy)
    every = {question.name for question in questions}
    asked = answered if policy["missing"] == "exclude" else dict.fromkeys(responses, every)
    among, shared = compared(asked, policy["compare_on"])
    by_run, by_category = {}, {}
    for run, own in responses.items():
        of_run = shared if run in among else set()
        by_run[run] = counts(questions, of_run, own, policy)
        for category in {question.category for question in questions} - {None}:
            some = [question for question in questions if question.category == category]
            by_category[run, category] = counts(some, of_run, own, policy)
    return by_run, by_category
