"""What graded responses come to: the reference for `graded` and `wide`, from docs/formats.md and
docs/measures.md."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fuzz.counted import Expected, FaultyError, UnsureError, once
from fuzz.counted.answers import GIVEN, VERDICTS, Answer, by_run_and_category
from fuzz.counted.drawing import Row, cutoffs, policy_of
from fuzz.counted.words import among, refused, same, squad

if TYPE_CHECKING:
    from fuzz.counted.graded import Made


def reference(made: Made, rows: list[Row], campaign: dict) -> Expected:
    """`rows` have run, question, epoch, rank, and a verdict, verdicts by assessor, or an answer and
    the right one."""
    found = each_once(made, rows)
    by_key_of_row = {key: verdicts(made, row) for key, row in found.items()}
    assessors = made.assessors or ["official"]
    by_assessor = {
        name: {key: answers[number] for key, answers in by_key_of_row.items()}
        for number, name in enumerate(assessors)
    }
    by_assessor |= elected(made, by_assessor)
    mentioned = list(dict.fromkeys(key[1] for key in found))
    asked = made.asked.names(mentioned)
    if any(name not in asked for name in mentioned):
        raise FaultyError("a question that is not in the question set")
    every_scenario = {"": {}} | campaign.get("scenarios", {})
    return {
        name: of_scenario(made, by_assessor, found, asked, policy_of(campaign, scenario))
        for name, scenario in every_scenario.items()
    }


def of_scenario(made: Made, by_assessor: dict, rows: dict, asked: list[str], policy: dict) -> tuple:
    category = made.categories if made.with_categories else {}
    by_run, by_category = {}, {}
    for assessor, answers in by_assessor.items():
        right = {
            key[1]
            for key, answer in answers.items()
            if "correct" in (answer.verdict, answer.withheld)
        }
        # The questions whose key says that there is none
        keys: dict[bool, set[str]] = {True: set(), False: set()}
        for key, row in rows.items() if made.way == "gold" else ():
            keys[among(str(row["the key"]), made.own.get("unanswered", []))].add(key[1])
        known = made.asked.questions(asked, keys[False], category, keys[True], right)
        responses: dict = {}
        for name, cutoff in cutoffs(made.own):
            for key in sorted(answers):
                run, question, epoch, rank = key
                first = answers[run, question, epoch, 1]
                if cutoff is not None and rank > 1 and first.verdict not in GIVEN:
                    raise UnsureError("which confidence decides where rank 1 has no answer")
                of_question = responses.setdefault(name(run), {}).setdefault((epoch, question), [])
                answer = by_rule(made, rows[key], answers[key])
                sure = rows[run, question, epoch, 1].get("confidence")
                if cutoff is not None and first.verdict in GIVEN and float(str(sure)) < cutoff:
                    of_question[:] = [Answer("unanswered", withheld=first.verdict)]
                else:
                    of_question.append(answer)
        of_runs, of_categories = by_run_and_category(known, responses, policy)
        by_run |= {(assessor, run): counts for run, counts in of_runs.items()}
        by_category |= {(assessor, *key): counts for key, counts in of_categories.items()}
    return by_run, by_category


def each_once(made: Made, rows: list[Row]) -> dict[tuple, Row]:
    """Each response once: by run, question, epoch and rank."""
    if "answer_from" in made.own and all(row["confidence"] is None for row in rows):
        raise UnsureError("whether a file without confidences has a column for them")

    def key(row: Row) -> tuple:
        numbers = int(row.get("epoch") or 0), int(row.get("rank") or 1)
        return (row["run"], row["question"], *numbers)

    found = once(rows, made.own, key, lambda one, row: verdicts(made, one) == verdicts(made, row))
    for key, row in found.items():
        answered = any(answer.verdict in GIVEN for answer in verdicts(made, row))
        if "answer_from" in made.own and answered and row["confidence"] is None:
            if key[3] > 1:
                raise UnsureError("whether an answer that does not decide needs a confidence")
            raise FaultyError("an answer without a confidence")
    if any((*key[:3], 1) not in found for key in found):
        raise FaultyError("ranks that do not start at 1")
    never = {key: verdicts(made, row)[0].missing for key, row in found.items()}
    if any(missing != never[*key[:3], 1] for key, missing in never.items()):
        raise FaultyError("a question that the run never saw, with an answer at another rank")
    return found


def verdicts(made: Made, row: Row) -> list[Answer]:
    """What each assessor's column says of a response; what one of them judged, the run was
    asked."""
    found = [
        verdict(made, row, column) for column in made.own.get("assessors", {"": "verdict"}).values()
    ]
    if all(answer.missing for answer in found):
        return found
    return [Answer("unscored") if answer.missing else answer for answer in found]


def verdict(made: Made, row: Row, column: str) -> Answer:
    """What one assessor's column says of a response."""
    if made.way == "gold":
        return by_key(made, row)
    text = str(row[column]) if row.get(column) is not None else ""
    if text in made.own.get("missing", []):
        return Answer("unanswered", missing=True)
    if text in made.words:
        return Answer(made.words[text])
    if not text:
        return Answer("unscored")
    if text in VERDICTS:
        return Answer(text)
    if made.way == "numbers":
        number = {"true": 1.0, "false": 0.0}.get(text)
        return Answer(
            "correct"
            if (float(text) if number is None else number) >= made.own["correct_from"]
            else "wrong"
        )
    raise FaultyError(f"a verdict {text!r}")


def by_key(made: Made, row: Row) -> Answer:
    answer, key = str(row["answer"] or ""), str(row["the key"])
    for option, found in (
        ("missing", Answer("unanswered", missing=True)),
        ("failed", Answer("error")),
        ("unanswered", Answer("unanswered")),
    ):
        if answer.strip() and among(answer, made.own.get(option, [])):
            return found
    if not answer.strip():
        return Answer("unanswered")
    if among(key, made.own.get("unanswered", [])):
        return Answer("wrong")
    spelt_alike = "normalise" in made.own and squad(answer) == squad(key)
    return Answer("correct" if same(answer, key) or spelt_alike else "wrong")


def by_rule(made: Made, row: Row, answer: Answer) -> Answer:
    """The same after the rules on the text of answers."""
    if not made.rules or answer.missing:
        return answer
    text = str(row["answer"] or "")
    rule = refused(text, made.rules)
    if answer.verdict in GIVEN and rule and rule != answer.verdict:
        return Answer(rule, by_rule=True)
    if made.way == "gold" and not text.strip() and rule and rule != "unanswered":
        return Answer(rule, by_rule=True)
    return answer


def elected(made: Made, by_assessor: dict) -> dict:
    """The verdicts of one more assessor, if what is official is a vote."""
    official = made.own.get("official")
    if official is None or official in made.assessors:
        return {}
    vote, *ties = official if isinstance(official, list) else [official]
    if "answer_from" in made.own:
        raise UnsureError("what a vote makes of what each of the assessors has withheld")
    found = {}
    for key in next(iter(by_assessor.values())):
        answers = {assessor: verdicts[key] for assessor, verdicts in by_assessor.items()}
        if any(answer.missing for answer in answers.values()):  # of all, then
            found[key] = next(iter(answers.values()))
            continue
        votes = Counter(
            answer.verdict for answer in answers.values() if answer.verdict != "unscored"
        )
        most, number = votes.most_common(1)[0] if votes else ("unscored", 0)
        if not (number >= 2 if vote == "2 of 3" else 2 * number > votes.total()):
            most = answers[ties[0]].verdict if ties else "unscored"
        found[key] = Answer(most)
    return {vote: found}
