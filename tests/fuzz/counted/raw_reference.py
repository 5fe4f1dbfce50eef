"""What raw runs and judgments come to: the reference for `raw`, from docs/formats.md and
docs/measures.md."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import partial
from typing import TYPE_CHECKING

from fuzz.counted import Expected, FaultyError, UnsureError, once, once_judged
from fuzz.counted.answers import Answer, by_run_and_category
from fuzz.counted.drawing import Row, cutoffs, policy_of
from fuzz.counted.words import refused, squad

if TYPE_CHECKING:
    from fuzz.counted.raw import Made


def reference(made: Made, campaign: dict) -> Expected:
    gold = judged_once(made)
    responses = {run: once_given(made, rows) for run, rows in made.runs.items()}
    asked = made.asked.names(key[1] for key in gold)
    for question in {key[1] for key in gold} | {
        key[0] for rows in responses.values() for key in rows
    }:
        if question not in asked:
            raise FaultyError(f"a question that is not in the question set: {question!r}")
    if "run" in made.named and isinstance(made.own.get("answer_from"), list):
        raise UnsureError("which run judgments name, where cut-offs make several of one")
    if "document" in made.named and all(
        row["document"] is None
        for rows in responses.values()
        for row in rows.values()
        if not is_nil(made, row)
    ):
        raise UnsureError("whether the runs name documents")
    every_scenario = {"": {}} | campaign.get("scenarios", {})
    return {
        name: of_scenario(made, campaign, scenario, gold, responses, asked)
        for name, scenario in every_scenario.items()
    }


def of_scenario(
    made: Made, campaign: dict, scenario: dict, gold: dict, responses: dict, asked: list[str]
) -> tuple:
    settings = {"correct": ["R"], "partial": [], "closed": False} | made.gold | scenario
    partly = [label for label in settings["partial"] if label not in settings["correct"]]
    verdicts = {"correct": settings["correct"], "partial": partly}
    labels = dict(gold)
    labels |= elected(made, gold, verdicts)
    policy = policy_of(campaign, scenario)
    by_run, by_category = {}, {}
    for assessor in {key[0] for key in labels}:
        own = {key[1:]: label for key, label in labels.items() if key[0] == assessor}
        labelled = {key[0]: set() for key in own}
        for key, label in own.items():
            labelled[key[0]].add((of_nil(made, key), label == "R"))
        answered = {
            question
            for question, kinds in labelled.items()
            if kinds & {(False, True), (True, False)}
        }
        for question, kinds in labelled.items():
            in_file = made.asked.stated(question)[0]
            contrary = (
                ((True, True), in_file or question in answered),
                ((True, False), in_file is False),
            )
            if any(what in kinds and against for what, against in contrary):
                raise FaultyError("a judgment of NIL that is contradicted")
        without = {question for question, kinds in labelled.items() if (True, True) in kinds}
        questions = made.asked.questions(asked, answered, without=without)
        has_answer = {question.name: question.has_answer for question in questions}
        counted: dict = {}
        for name, cutoff in cutoffs(made.own):
            for run, rows in responses.items():
                counted[name(run)] = {}
                for (question, epoch, _), row in sorted(
                    rows.items(), key=lambda item: (item[0][:2], item[0][2])
                ):
                    first = rows[question, epoch, 1]
                    item = (question, run, row["document"])
                    look = partial(looked_up, made, own, item, verdicts, settings["closed"])
                    answers = counted[name(run)].setdefault((epoch, question), [])
                    if (
                        cutoff is not None
                        and row is not first
                        and says(made, first) not in ("answer", "nil")
                    ):
                        raise UnsureError("which confidence decides where rank 1 has no answer")
                    if cutoff is not None and below(made, first, cutoff):
                        look = partial(
                            looked_up, made, own, (question, run, first["document"]), verdicts
                        )
                        look = partial(look, settings["closed"])
                        answers[:] = [
                            withheld(made, str(first["answer"]), look, has_answer[question])
                        ]
                    else:
                        answers.append(judged_answer(made, row, look, has_answer[question]))
        own_runs, own_categories = by_run_and_category(questions, counted, policy)
        by_run |= {(assessor, run): found for run, found in own_runs.items()}
        by_category |= {(assessor, *key): found for key, found in own_categories.items()}
    return by_run, by_category


def of_nil(made: Made, key: tuple) -> bool:
    """Whether a judgment is of NIL."""
    if "answer" not in made.named and "run" in made.named and made.own.get("nil"):
        raise UnsureError("which judgments of a run are of NIL")
    return key[3] in [squad(word) if made.normalise else word for word in made.own.get("nil", [])]


def judged_once(made: Made) -> dict[tuple, str]:
    """The label of each judged answer: assessor, question, and what the judgments name."""
    meaning = {word: label for label, word in made.words.items()}

    def item(row: Row) -> tuple:
        answer = row["answer"]
        if answer is not None and made.normalise:
            answer = squad(str(answer))
        question = made.full(str(row["question"]))
        return row["assessor"], question, row["run"], row["document"], answer

    labels = [str(row["label"]) for row in made.judgments]
    labels = [meaning.get(label, label) for label in labels]
    found = once_judged(zip(map(item, made.judgments), labels, strict=True), made.gold)
    if not all(assessor in {key[0] for key in found} for assessor in made.assessors):
        raise UnsureError("an assessor who has judged nothing")
    return found


def elected(made: Made, gold: dict[tuple, str], verdicts: dict) -> dict[tuple, str]:
    """The judgments of one more assessor, if what is official is a vote."""
    official = made.gold.get("official")
    vote, *ties = official if isinstance(official, list) else [official]
    if vote not in ("majority", "2 of 3") or official in made.assessors:
        return {}
    found = {}
    for item in {key[1:] for key in gold}:
        labels = {key[0]: label for key, label in gold.items() if key[1:] == item}
        votes = Counter(verdict_of(label, verdicts) for label in labels.values())
        most, number = votes.most_common(1)[0]
        if not (number >= 2 if vote == "2 of 3" else 2 * number > len(labels)):
            if not {*ties} & {*labels}:
                continue
            most = verdict_of(labels[ties[0]], verdicts)
        counted = Counter(label for label in labels.values() if verdict_of(label, verdicts) == most)
        found[(vote, *item)] = min(counted, key=lambda label: (-counted[label], label))
    return found


def verdict_of(label: str, verdicts: dict) -> str:
    return next((verdict for verdict, labels in verdicts.items() if label in labels), "wrong")


def once_given(made: Made, rows: list[Row]) -> dict[tuple[str, int, int], Row]:
    """The rows of a run by question, epoch and rank, each once."""
    in_files = 2 if made.by == "columns in files" else 1

    def key(row: Row) -> tuple[str, int, int]:
        question = made.full(str(row["question"]))
        return question, int(row.get("epoch") or 0), int(row.get("rank") or 1)

    files: dict[tuple, set] = defaultdict(set)
    for number, row in enumerate(rows):
        files[key(row)[:2]].add(number % in_files)
        if row["question"] is not None and len(files[key(row)[:2]]) > 1:
            raise FaultyError("a question in two files")
    alone = [row | {"run": None} for row in rows]
    found = once(alone, made.own, key, partial(alike, made), in_files)
    for (_, _, rank), row in found.items():
        if (
            "answer_from" in made.own
            and row["confidence"] is None
            and says(made, row) in ("answer", "nil")
        ):
            if rank > 1:
                raise UnsureError("whether an answer that does not decide needs a confidence")
            raise FaultyError("an answer without a confidence")
    if any((question, epoch, 1) not in found for question, epoch, _ in found):
        raise FaultyError("ranks that do not start at 1")
    return found


def alike(made: Made, one: Row, other: Row) -> bool:
    """Whether two rows have the same answer."""
    texts = [str(row["answer"] or "") for row in (one, other)]
    if texts[0] == texts[1]:
        return True
    if says(made, one) == says(made, other) != "answer":
        raise UnsureError("whether two words for silence are the same answer")
    return made.normalise and squad(texts[0]) == squad(texts[1])


def says(made: Made, row: Row) -> str:
    """What the row itself says: answer, unanswered, nil or failed."""
    text = str(row["answer"] or "")
    if not text.strip() or text in made.own.get("unanswered", []):
        return "unanswered"
    return (
        "nil"
        if text in made.own.get("nil", [])
        else "failed"
        if text in made.own.get("failed", [])
        else "answer"
    )


def is_nil(made: Made, row: Row) -> bool:
    return says(made, row) == "nil"


def below(made: Made, row: Row, cutoff: float) -> bool:
    """Whether the first answer to a question is not sure enough."""
    return says(made, row) in ("answer", "nil") and float(str(row["confidence"])) < cutoff


def judged_answer(made: Made, row: Row, look, has_answer: bool) -> Answer:
    kind, text = says(made, row), None if row["answer"] is None else str(row["answer"])
    if kind == "failed":
        return Answer("error")
    if kind == "nil":
        return Answer("wrong" if has_answer else "correct", nil=True)
    rule = refused(text, made.rules)
    if rule and kind == "answer":
        return Answer(rule, by_rule=True)
    candidate = row.get("candidate")
    # Which it is anyway
    if rule and not (text or "").strip() and candidate is None and rule != "unanswered":
        return Answer(rule, by_rule=True)
    if kind == "answer":
        return Answer(look(text))
    if candidate is None and ("answer" in made.named or row["document"] is None):
        return Answer("unanswered")
    return withheld(made, None if candidate is None else str(candidate), look, has_answer)


def withheld(made: Made, what: str | None, look, has_answer: bool) -> Answer:
    """What was withheld is looked up as the answer would have been; a NIL is right where there is
    no answer."""
    if what in made.own.get("nil", []):
        return Answer("unanswered", withheld="wrong" if has_answer else "correct")
    return Answer("unanswered", withheld=look(what))


def looked_up(
    made: Made, own: dict, item: tuple, verdicts: dict, closed: bool, what: str | None
) -> str:
    """The verdict on an answer, or on what was withheld in its place: its question, its run and its
    document."""
    question, run, document = item
    if what is not None and made.normalise:
        what = squad(what)
    key = (
        question,
        run if "run" in made.named else None,
        document if "document" in made.named else None,
        what if "answer" in made.named else None,
    )
    if key not in own:
        return "wrong" if closed else "unscored"
    return verdict_of(own[key], verdicts)
