"""The reference for `graded` and `wide`, from docs/formats.md and docs/measures.md."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fuzz.counted import Expected, FaultyError, UnsureError, deduplicate
from fuzz.counted.answers import ANSWER_VERDICTS, VERDICTS, Answer, count_by_run
from fuzz.counted.drawing import Row, fill_policy, list_cutoffs
from fuzz.counted.words import among, apply_refusals, are_equal, squad

if TYPE_CHECKING:
    from fuzz.counted.graded import Draft


def reference(draft: Draft, campaign: dict) -> Expected:
    """Count rows of run, question, epoch, rank, and verdicts or an answer with its key."""
    responses = deduplicate_rows(draft, draft.rows)
    row_verdicts = {key: verdicts(draft, row) for key, row in responses.items()}
    assessors = draft.assessors or ["official"]
    assessor_verdicts = {
        name: {key: answers[number] for key, answers in row_verdicts.items()}
        for number, name in enumerate(assessors)
    }
    assessor_verdicts |= elect(draft, assessor_verdicts)
    mentioned = list(dict.fromkeys(key[1] for key in responses))
    names = draft.question_set.names(mentioned)
    if any(name not in names for name in mentioned):
        raise FaultyError("a question that is not in the question set")
    every_scenario = {"": {}} | campaign.get("scenarios", {})
    policies = {name: fill_policy(campaign, part) for name, part in every_scenario.items()}
    return {
        name: count_scenario(draft, assessor_verdicts, responses, names, policy)
        for name, policy in policies.items()
    }


def count_scenario(
    draft: Draft, assessor_verdicts: dict, rows: dict, names: list[str], policy: dict
) -> dict:
    category = draft.categories if draft.has_categories else {}
    counts = {}
    for assessor, answers in assessor_verdicts.items():
        right = {
            key[1]
            for key, answer in answers.items()
            if "correct" in (answer.verdict, answer.withheld)
        }
        # The questions whose key says that there is none
        keys: dict[bool, set[str]] = {True: set(), False: set()}
        for key, row in rows.items() if draft.way == "gold" else ():
            keys[among(str(row["the key"]), draft.options.get("unanswered", []))].add(key[1])
        questions = draft.question_set.questions(names, keys[False], category, keys[True], right)
        responses: dict = {}
        for name, cutoff in list_cutoffs(draft.options):
            for key in sorted(answers):
                run, question, epoch, rank = key
                first = answers[run, question, epoch, 1]
                if cutoff is not None and rank > 1 and first.verdict not in ANSWER_VERDICTS:
                    raise UnsureError("which confidence decides where rank 1 has no answer")
                ranked = responses.setdefault(name(run), {}).setdefault((epoch, question), [])
                answer = apply_rules(draft, rows[key], answers[key])
                sure = rows[run, question, epoch, 1].get("confidence")
                if (
                    cutoff is not None
                    and first.verdict in ANSWER_VERDICTS
                    and float(str(sure)) < cutoff
                ):
                    ranked[:] = [Answer("unanswered", withheld=first.verdict)]
                else:
                    ranked.append(answer)
        counts |= count_by_run(assessor, questions, responses, policy)
    return counts


def deduplicate_rows(draft: Draft, rows: list[Row]) -> dict[tuple, Row]:
    """Each response once: by run, question, epoch and rank."""
    if "answer_from" in draft.options and all(row["confidence"] is None for row in rows):
        raise UnsureError("whether a file without confidences has a column for them")

    def key(row: Row) -> tuple:
        numbers = int(row.get("epoch") or 0), int(row.get("rank") or 1)
        return (row["run"], row["question"], *numbers)

    unique = deduplicate(
        rows,
        draft.options,
        key,
        lambda former, row: verdicts(draft, former) == verdicts(draft, row),
    )
    for key, row in unique.items():
        is_answer = any(answer.verdict in ANSWER_VERDICTS for answer in verdicts(draft, row))
        if "answer_from" in draft.options and is_answer and row["confidence"] is None:
            if key[3] > 1:
                raise UnsureError("whether an answer that does not decide needs a confidence")
            raise FaultyError("an answer without a confidence")
    if any((*key[:3], 1) not in unique for key in unique):
        raise FaultyError("ranks that do not start at 1")
    never = {key: verdicts(draft, row)[0].missing for key, row in unique.items()}
    if any(missing != never[*key[:3], 1] for key, missing in never.items()):
        raise FaultyError("a question that the run never saw, with an answer at another rank")
    return unique


def verdicts(draft: Draft, row: Row) -> list[Answer]:
    """Return the verdict of each assessor; a run was asked what one of them judged."""
    answers = [
        verdict(draft, row, column)
        for column in draft.options.get("assessors", {"": "verdict"}).values()
    ]
    if all(answer.missing for answer in answers):
        return answers
    return [Answer("unscored") if answer.missing else answer for answer in answers]


def verdict(draft: Draft, row: Row, column: str) -> Answer:
    """What one assessor's column says of a response."""
    if draft.way == "gold":
        return judge_by_key(draft, row)
    text = str(row[column]) if row.get(column) is not None else ""
    if text in draft.options.get("missing", []):
        return Answer("unanswered", missing=True)
    if text in draft.words:
        return Answer(draft.words[text])
    if not text:
        return Answer("unscored")
    if text in VERDICTS:
        return Answer(text)
    if draft.way == "numbers":
        number = {"true": 1.0, "false": 0.0}.get(text)
        number = float(text) if number is None else number
        return Answer("correct" if number >= draft.options["correct_from"] else "wrong")
    raise FaultyError(f"a verdict {text!r}")


def judge_by_key(draft: Draft, row: Row) -> Answer:
    answer, key = str(row["answer"] or ""), str(row["the key"])
    for option, outcome in (
        ("missing", Answer("unanswered", missing=True)),
        ("failed", Answer("error")),
        ("unanswered", Answer("unanswered")),
    ):
        if answer.strip() and among(answer, draft.options.get(option, [])):
            return outcome
    if not answer.strip():
        return Answer("unanswered")
    if among(key, draft.options.get("unanswered", [])):
        return Answer("wrong")
    spelt_alike = "normalise" in draft.options and squad(answer) == squad(key)
    return Answer("correct" if are_equal(answer, key) or spelt_alike else "wrong")


def apply_rules(draft: Draft, row: Row, answer: Answer) -> Answer:
    """The same after the rules on the text of answers."""
    if not draft.rules or answer.missing:
        return answer
    text = str(row["answer"] or "")
    rule = apply_refusals(text, draft.rules)
    if answer.verdict in ANSWER_VERDICTS and rule and rule != answer.verdict:
        return Answer(rule, by_rule=True)
    if draft.way == "gold" and not text.strip() and rule and rule != "unanswered":
        return Answer(rule, by_rule=True)
    return answer


def elect(draft: Draft, assessor_verdicts: dict) -> dict:
    """The verdicts of one more assessor, if what is official is a vote."""
    official = draft.options.get("official")
    if official is None or official in draft.assessors:
        return {}
    vote, *ties = official if isinstance(official, list) else [official]
    if "answer_from" in draft.options:
        raise UnsureError("what a vote makes of what each of the assessors has withheld")
    elected = {}
    for key in next(iter(assessor_verdicts.values())):
        answers = {assessor: verdicts[key] for assessor, verdicts in assessor_verdicts.items()}
        if any(answer.missing for answer in answers.values()):  # of all, then
            elected[key] = next(iter(answers.values()))
            continue
        votes = Counter(
            answer.verdict for answer in answers.values() if answer.verdict != "unscored"
        )
        winner, number = votes.most_common(1)[0] if votes else ("unscored", 0)
        if not (number >= 2 if vote == "2 of 3" else 2 * number > votes.total()):
            winner = answers[ties[0]].verdict if ties else "unscored"
        elected[key] = Answer(winner)
    return {vote: elected}
