"""`format: longmemeval`: LongMemEval, .eval-results-* of version 1, per_question.jsonl of 2."""

import math
from collections.abc import Iterator
from typing import Any

from nonresponse.faults import Fault, quote
from nonresponse.formats.declared import RESULTS_OF_HARNESS, RULE_OPTIONS, Records, Sign, Spec
from nonresponse.formats.json_pieces import get_first_letter, read_array, read_json_lines
from nonresponse.formats.logs import dig, get_number, get_text, note_missing_questions
from nonresponse.formats.text import Faults, get_ending, is_file
from nonresponse.formats.words import FALSE_WORDS, NO_ANSWER, TRUE_WORDS
from nonresponse.settings import Files

Question = dict[str, str | None]

SOME_ANSWER = "given"  # stands for a gold answer that the log does not give
KEY = "the questions of LongMemEval, such as longmemeval_s.json"
LABEL_KEY = "autoeval_label"  # of version 1; authors of memory systems have other names
# What judges say besides true and false.
LABEL_VALUES = dict.fromkeys((*TRUE_WORDS, "correct"), 1.0)
LABEL_VALUES |= dict.fromkeys((*FALSE_WORDS, "incorrect", "wrong"), 0.0)


def read_judged(reading: Any, records: object) -> Iterator[tuple[int, dict]]:
    path, options, faults = reading.path, reading.options, reading.faults
    questions = read_questions(str(options["key"]), options, faults) if "key" in options else {}
    ids, categories = set[str | None](), set[str | None]()
    label_path = str(options.get("metric", LABEL_KEY))
    for line, record in read_records(path, SPEC.about, options, faults):
        id, label = get_text(record, "question_id"), dig(record, *label_path.split("."))
        is_version_1 = isinstance(record, dict) and LABEL_KEY in record
        is_version_1 |= label_path != LABEL_KEY
        value = parse_label(label if is_version_1 else dig(record, "score"))
        is_unknown, is_abstention = dig(record, "is_unknown"), dig(record, "is_abstention_problem")
        is_version_2 = isinstance(is_unknown, bool) and isinstance(is_abstention, bool)
        if not isinstance(record, dict) or not (is_version_1 or is_version_2):
            faults.add(line, "a line without what the judge said", SPEC.about)
        elif value not in (None, 0, 1):
            faults.add(line, f"the label {quote(label)} of question {quote(id)}", "true or false")
        elif questions and id and id not in questions:
            faults.add(line, f"the question {quote(id)}", "a question of the key")
        else:
            has_answer = record.get("hypothesis") is not None
            question = questions.get(id) or describe_question(record, has_answer)
            lacks_answer = bool(id) and is_abstention is True
            if is_version_1:
                lacks_answer = NO_ANSWER in (id or "")
            abstained = is_unknown is True or (value == 1 and lacks_answer)
            ids.add(id)
            categories.add(question["type"])
            yield (
                line,
                question
                | {
                    "id": id,
                    "scores": {"": value},
                    "state": "unanswered" if abstained else None,
                    "answer": record.get("hypothesis" if is_version_1 else "response_parsed_boxed"),
                    "gold": "" if lacks_answer else question["gold"],
                    "target": question["gold"] if question["gold"] != SOME_ANSWER else None,
                    "judge": dig(label, "model"),
                },
            )
    reading.notes += note_missing_questions(len(questions.keys() - ids), len(questions))
    if None in categories:
        note = "no categories: `key:` names the file of the questions, which has them"
        reading.notes.append(note)


def read_records(file: str, expected: str, options: Files, faults: list[Fault]) -> Records:
    """Return the records of a list, or one on each line."""
    if get_ending(file) not in (".jsonl", ".ndjson") and get_first_letter(file) == "[":
        return read_array(file, (), options, faults)
    return read_json_lines(file, expected, options, faults)


def parse_label(label: object) -> float | None:
    """Return 1 if the judge says right, 0 if wrong, null if nothing; else another number."""
    word = label.get("label") if isinstance(label, dict) else label
    if isinstance(word, str):
        return LABEL_VALUES.get(word.strip().lower(), math.nan)
    return get_number(word)


def describe_question(record: object, has_answer: bool) -> Question:
    """Return category, gold answer and text of a question, as far as a record has them."""
    answer = get_text(record, "answer") if has_answer else None
    return {
        "type": get_text(record, "category") or get_text(record, "question_type"),
        "gold": get_text(record, "answer_gold") or answer or SOME_ANSWER,
        "asked": get_text(record, "question_text") or get_text(record, "question"),
    }


def read_questions(file: str, options: Files, faults: list[Fault]) -> dict[str | None, Question]:
    """Return the questions of the file that has all of them, by id."""
    questions, file_faults = dict[str | None, Question](), Faults(file)
    for line, record in read_records(file, KEY, options, file_faults):
        if id := get_text(record, "question_id"):
            questions[id] = describe_question(record, has_answer=True)
        else:
            file_faults.add(line, quote(record), KEY)
    faults += file_faults
    return questions


def read_question_ids(file: str) -> set[str]:
    """Return the questions of a file that has their types; none of any other file."""
    faults: list[Fault] = []
    questions = read_questions(file, {}, faults)
    typed = not faults and all(question["type"] for question in questions.values())
    return {str(id) for id in questions} if typed else set()


SPEC = Spec(
    "longmemeval",
    "a line of .eval-results-* or per_question.jsonl of LongMemEval",
    ("unanswered", "unscored"),
    options=("key", "metric", *RULE_OPTIONS),
    unanswerable=True,
    limitation="a response counts as wrong if its judge failed and as empty if its request failed, "
    "and version 1 may record abstention as wrong",
    signs=(
        Sign(".jsonl", "question_id autoeval_label"),
        Sign(".jsonl", "question_id is_unknown is_abstention_problem"),
        Sign(".json", "overall abstention_overall", "beside", reason=RESULTS_OF_HARNESS),
    ),
    paths=(
        r".*/(?P<run>[^/]+?)(\.jsonl?)?\.eval-results-[^/]*",
        r"(?P<second>.*/(?P<run>[^/]+))/per_question\.[a-z]+",  # the folder of version 2
        r".*/(?P<run>[^/]+?)(\.[a-z]*)?",
    ),
    results=("{second}/aggregated_metrics.json",),
    list_more_files=lambda _, options: [*filter(is_file, [options.get("key", "")])],
    records=read_judged,
    builds_records=True,
    run=("{run}",),
    task=("type",),
    option="",
    question_text=("asked",),
    judge=("judge",),
    measure="accuracy",
    headlines=(("overall", "overall_full_set"),),
    sample_counts=(("overall", "count_all_questions"),),
    failures="as graded",
    read_question_ids=read_question_ids,
)
