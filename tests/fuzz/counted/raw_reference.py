"""The reference for `raw`, from docs/formats.md and docs/measures.md."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import partial
from typing import TYPE_CHECKING

from fuzz.counted import Expected, FaultyError, UnsureError, deduplicate, deduplicate_judgments
from fuzz.counted.answers import Answer, count_by_run
from fuzz.counted.drawing import Row, fill_policy, list_cutoffs
from fuzz.counted.words import apply_refusals, squad

if TYPE_CHECKING:
    from fuzz.counted.raw import Draft


def reference(draft: Draft, campaign: dict) -> Expected:
    gold = deduplicate_labels(draft)
    responses = {run: deduplicate_responses(draft, rows) for run, rows in draft.runs.items()}
    names = draft.question_set.names(key[1] for key in gold)
    for question in {key[1] for key in gold} | {
        key[0] for rows in responses.values() for key in rows
    }:
        if question not in names:
            raise FaultyError(f"a question that is not in the question set: {question!r}")
    if "run" in draft.judged_fields and isinstance(draft.options.get("answer_from"), list):
        raise UnsureError("which run judgments name, where cut-offs make several of one")
    if "document" in draft.judged_fields and all(
        row["document"] is None
        for rows in responses.values()
        for row in rows.values()
        if read_kind(draft, row) != "nil"
    ):
        raise UnsureError("whether the runs name documents")
    every_scenario = {"": {}} | campaign.get("scenarios", {})
    return {
        name: count_scenario(draft, campaign, scenario, gold, responses, names)
        for name, scenario in every_scenario.items()
    }


def count_scenario(
    draft: Draft, campaign: dict, scenario: dict, gold: dict, responses: dict, names: list[str]
) -> dict:
    settings = {"correct": ["R"], "partial": [], "closed": False} | draft.gold | scenario
    partly = [label for label in settings["partial"] if label not in settings["correct"]]
    verdicts = {"correct": settings["correct"], "partial": partly}
    labels = dict(gold)
    labels |= elect(draft, gold, verdicts)
    policy = fill_policy(campaign, scenario)
    counts = {}
    for assessor in {key[0] for key in labels}:
        assessor_labels = {key[1:]: label for key, label in labels.items() if key[0] == assessor}
        labelled = {key[0]: set() for key in assessor_labels}
        for key, label in assessor_labels.items():
            labelled[key[0]].add((is_of_nil(draft, key), label == "R"))
        answerable = {
            question
            for question, kinds in labelled.items()
            if kinds & {(False, True), (True, False)}
        }
        for question, kinds in labelled.items():
            fact = draft.question_set.look_up(question)[0]
            contrary = (
                ((True, True), fact or question in answerable),
                ((True, False), fact is False),
            )
            if any(kind in kinds and against for kind, against in contrary):
                raise FaultyError("a judgment of NIL that is contradicted")
        unanswerable = {question for question, kinds in labelled.items() if (True, True) in kinds}
        questions = draft.question_set.questions(names, answerable, unanswerable=unanswerable)
        has_answer = {question.name: question.has_answer for question in questions}
        run_answers: dict = {}
        for name, cutoff in list_cutoffs(draft.options):
            for run, rows in responses.items():
                run_answers[name(run)] = {}
                for question, epoch, rank in sorted(rows):
                    row, first = rows[question, epoch, rank], rows[question, epoch, 1]
                    answers = run_answers[name(run)].setdefault((epoch, question), [])
                    is_first_an_answer = read_kind(draft, first) in ("answer", "nil")
                    if cutoff is not None and rank > 1 and not is_first_an_answer:
                        raise UnsureError("which confidence decides where rank 1 has no answer")
                    is_unsure = cutoff is not None and is_first_an_answer
                    is_unsure = is_unsure and float(str(first["confidence"])) < cutoff
                    item = (question, run, (first if is_unsure else row)["document"])
                    closed, has = settings["closed"], has_answer[question]
                    look = partial(look_up, draft, assessor_labels, item, verdicts, closed)
                    if is_unsure:
                        answers[:] = [judge_withheld(draft, str(first["answer"]), look, has)]
                    else:
                        answers.append(judge_answer(draft, row, look, has))
        counts |= count_by_run(assessor, questions, run_answers, policy)
    return counts


def is_of_nil(draft: Draft, key: tuple) -> bool:
    if (
        "answer" not in draft.judged_fields
        and "run" in draft.judged_fields
        and draft.options.get("nil")
    ):
        raise UnsureError("which judgments of a run are of NIL")
    return key[3] in [
        squad(word) if draft.normalise else word for word in draft.options.get("nil", [])
    ]


def deduplicate_labels(draft: Draft) -> dict[tuple, str]:
    """The label of each judged answer: assessor, question, and what the judgments name."""
    meaning = {word: label for label, word in draft.words.items()}

    def item(row: Row) -> tuple:
        answer = row["answer"]
        if answer is not None and draft.normalise:
            answer = squad(str(answer))
        question = draft.full(str(row["question"]))
        return row["assessor"], question, row["run"], row["document"], answer

    labels = [str(row["label"]) for row in draft.judgments]
    labels = [meaning.get(label, label) for label in labels]
    unique = deduplicate_judgments(zip(map(item, draft.judgments), labels, strict=True), draft.gold)
    if not all(assessor in {key[0] for key in unique} for assessor in draft.assessors):
        raise UnsureError("an assessor who has judged nothing")
    return unique


def elect(draft: Draft, gold: dict[tuple, str], verdicts: dict) -> dict[tuple, str]:
    """The judgments of one more assessor, if what is official is a vote."""
    official = draft.gold.get("official")
    vote, *ties = official if isinstance(official, list) else [official]
    if vote not in ("majority", "2 of 3"):
        return {}
    elected = {}
    for item in {key[1:] for key in gold}:
        labels = {key[0]: label for key, label in gold.items() if key[1:] == item}
        votes = Counter(find_verdict(label, verdicts) for label in labels.values())
        winner, number = votes.most_common(1)[0]
        if not (number >= 2 if vote == "2 of 3" else 2 * number > len(labels)):
            if not {*ties} & {*labels}:
                continue
            winner = find_verdict(labels[ties[0]], verdicts)
        frequency = Counter(
            label for label in labels.values() if find_verdict(label, verdicts) == winner
        )
        elected[(vote, *item)] = min(frequency, key=lambda label: (-frequency[label], label))
    return elected


def find_verdict(label: str, verdicts: dict) -> str:
    return next((verdict for verdict, labels in verdicts.items() if label in labels), "wrong")


def deduplicate_responses(draft: Draft, rows: list[Row]) -> dict[tuple[str, int, int], Row]:
    """The rows of a run by question, epoch and rank, each once."""
    file_count = 2 if draft.run_source == "columns in files" else 1

    def key(row: Row) -> tuple[str, int, int]:
        question = draft.full(str(row["question"]))
        return question, int(row.get("epoch") or 0), int(row.get("rank") or 1)

    files: dict[tuple, set] = defaultdict(set)
    for number, row in enumerate(rows):
        files[key(row)[:2]].add(number % file_count)
        if row["question"] is not None and len(files[key(row)[:2]]) > 1:
            raise FaultyError("a question in two files")
    alone = [row | {"run": None} for row in rows]
    unique = deduplicate(alone, draft.options, key, partial(are_alike, draft), file_count)
    for (_, _, rank), row in unique.items():
        if (
            "answer_from" in draft.options
            and row["confidence"] is None
            and read_kind(draft, row) in ("answer", "nil")
        ):
            if rank > 1:
                raise UnsureError("whether an answer that does not decide needs a confidence")
            raise FaultyError("an answer without a confidence")
    if any((question, epoch, 1) not in unique for question, epoch, _ in unique):
        raise FaultyError("ranks that do not start at 1")
    return unique


def are_alike(draft: Draft, a: Row, b: Row) -> bool:
    """Whether two rows have the same answer."""
    texts = [str(row["answer"] or "") for row in (a, b)]
    if texts[0] == texts[1]:
        return True
    if read_kind(draft, a) == read_kind(draft, b) != "answer":
        raise UnsureError("whether two words for silence are the same answer")
    return draft.normalise and squad(texts[0]) == squad(texts[1])


def read_kind(draft: Draft, row: Row) -> str:
    """What the row itself says: answer, unanswered, nil or failed."""
    text = str(row["answer"] or "")
    if not text.strip() or text in draft.options.get("unanswered", []):
        return "unanswered"
    if text in draft.options.get("nil", []):
        return "nil"
    return "failed" if text in draft.options.get("failed", []) else "answer"


def judge_answer(draft: Draft, row: Row, look, has_answer: bool) -> Answer:
    kind, text = read_kind(draft, row), None if row["answer"] is None else str(row["answer"])
    if kind == "failed":
        return Answer("error")
    if kind == "nil":
        return Answer("wrong" if has_answer else "correct", nil=True)
    rule = apply_refusals(text, draft.rules)
    if rule and kind == "answer":
        return Answer(rule, by_rule=True)
    candidate = row.get("candidate")
    # Which it is anyway
    if rule and not (text or "").strip() and candidate is None and rule != "unanswered":
        return Answer(rule, by_rule=True)
    if kind == "answer":
        return Answer(look(text))
    if candidate is None and ("answer" in draft.judged_fields or row["document"] is None):
        return Answer("unanswered")
    return judge_withheld(draft, None if candidate is None else str(candidate), look, has_answer)


def judge_withheld(draft: Draft, text: str | None, look, has_answer: bool) -> Answer:
    """Judge a withheld text as an answer; a NIL is right where there is no answer."""
    if text in draft.options.get("nil", []):
        return Answer("unanswered", withheld="wrong" if has_answer else "correct")
    return Answer("unanswered", withheld=look(text))


def look_up(
    draft: Draft, labels: dict, item: tuple, verdicts: dict, closed: bool, text: str | None
) -> str:
    """Return the verdict on an answer, given its question, its run and its document."""
    question, run, document = item
    if text is not None and draft.normalise:
        text = squad(text)
    key = (
        question,
        run if "run" in draft.judged_fields else None,
        document if "document" in draft.judged_fields else None,
        text if "answer" in draft.judged_fields else None,
    )
    if key not in labels:
        return "wrong" if closed else "unscored"
    return find_verdict(labels[key], verdicts)
