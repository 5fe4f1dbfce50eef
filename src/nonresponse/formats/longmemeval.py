"""`format: longmemeval`: LongMemEval, .eval-results-* of version 1, per_question.jsonl of 2."""

import math
from collections.abc import Iterable, Iterator
from typing import Any

from nonresponse.faults import Fault, quote
from nonresponse.formats.declared import (
    RESULTS_OF_HARNESS,
    RIGHT_OR_WRONG,
    RULE_OPTIONS,
    Sign,
    Spec,
)
from nonresponse.formats.json_pieces import get_first_letter, read_array, read_json_lines
from nonresponse.formats.logs import dig, get_number, get_text, note_missing_questions
from nonresponse.formats.text import Faults, get_ending, is_file
from nonresponse.formats.words import FALSE_WORDS, NO_ANSWER, TRUE_WORDS
from nonresponse.settings import Files

GIVEN = "given"  # stands for a gold answer that the log does not give
LABEL = "autoeval_label"  # of version 1; authors of memory systems have other names
# What judges say besides true and false.
SAID = dict.fromkeys((*TRUE_WORDS, "correct"), 1.0) | dict.fromkeys(
    (*FALSE_WORDS, "incorrect", "wrong"), 0.0
)


def judged(reading: Any, found: object) -> Iterator[tuple[int, dict]]:
    """Yield the judged answers, each with its question."""
    path, options, faults = reading.path, reading.options, reading.faults
    asked = questions(str(options["key"]), options, faults) if "key" in options else {}
    seen, categories = set[str | None](), set[str | None]()
    label_at = str(options.get("metric", LABEL))
    for line, value in records_in(path, SPEC.about, options, faults):
        id, label = get_text(dig(value, "question_id")), dig(value, *label_at.split("."))
        first = label_at != LABEL or (isinstance(value, dict) and LABEL in value)  # version 1
        given = said_by_judge(label if first else dig(value, "score"))
        unknown, absent = dig(value, "is_unknown"), dig(value, "is_abstention_problem")
        of_second = isinstance(unknown, bool) and isinstance(absent, bool)
        if not isinstance(value, dict) or not (first or of_second):
            faults.add(line, "a line without what the judge said", SPEC.about)
        elif given not in (None, 0, 1):
            faults.add(line, f"the label {quote(label)} of question {quote(id)}", "true or false")
        elif asked and id and id not in asked:
            faults.add(line, f"the question {quote(id)}", "a question of the key")
        else:
            none = (NO_ANSWER in id if first else absent is True) if id else False
            known = asked.get(id) or own(value)
            seen.add(id)
            categories.add(known["type"])
            yield (
                line,
                known
                | {
                    "id": id,
                    "scores": {"": given},
                    "state": "unanswered" if unknown is True or (given == 1 and none) else None,
                    "answer": value.get("hypothesis" if first else "response_parsed_boxed"),
                    "gold": "" if none else known["gold"],
                    "target": known["gold"] if known["gold"] != GIVEN else None,
                    "judge": dig(label, "model"),
                },
            )
    reading.notes += note_missing_questions(len(asked.keys() - seen), len(asked))
    if None in categories:
        note = "no categories: `key:` names the file of the questions, which has them"
        reading.notes.append(note)


def records_in(
    file: str, expected: str, options: Files, faults: list[Fault]
) -> Iterable[tuple[int, object]]:
    """Return the records of a list, or one on each line."""
    if get_ending(file) not in (".jsonl", ".ndjson") and get_first_letter(file, options) == "[":
        return read_array(file, (), options, faults)
    return read_json_lines(file, expected, options, faults)


def said_by_judge(label: object) -> float | None:
    """Return 1 if the judge says right, 0 if wrong, null if nothing; else another number."""
    word = label.get("label") if isinstance(label, dict) else label
    return SAID.get(word.strip().lower(), math.nan) if isinstance(word, str) else get_number(word)


def own(value: dict) -> dict[str, str | None]:
    """Return category, gold answer and text of a question, as far as its line has them."""
    of_version_1 = value.get("answer") if value.get("hypothesis") is not None else None
    return {
        "type": get_text(value.get("category")) or get_text(value.get("question_type")),
        "gold": get_text(value.get("answer_gold")) or get_text(of_version_1) or GIVEN,
        "asked": get_text(value.get("question_text")) or get_text(value.get("question")),
    }


def questions(
    file: str, options: Files, faults: list[Fault]
) -> dict[str | None, dict[str, str | None]]:
    """Return category, gold answer and text by question id, from the file of the questions."""
    expected, of_file = "the questions of LongMemEval, such as longmemeval_s.json", Faults(file)
    asked = dict[str | None, dict[str, str | None]]()
    for line, one in records_in(file, expected, options, of_file):
        names = ("question_id", "question_type", "answer", "question")
        id, type, gold, words = (get_text(dig(one, name)) for name in names)
        if id:
            asked[id] = {"type": type, "gold": gold or GIVEN, "asked": words}
        else:
            of_file.add(line, quote(one), expected)
    faults += of_file
    return asked


def questions_in(file: str) -> set[str]:
    """Return the questions of a file that has their types; none of any other file."""
    faults: list[Fault] = []
    asked = questions(file, {}, faults)
    typed = not faults and all(one["type"] for one in asked.values())
    return {str(id) for id in asked} if typed else set()


SPEC = Spec(
    "longmemeval",
    "a line of .eval-results-* or per_question.jsonl of LongMemEval",
    (*RIGHT_OR_WRONG, "unanswered", "unscored"),
    options=("key", "metric", *RULE_OPTIONS),
    unanswerable=True,
    blind="a failed judge said no, a failed request is an empty answer, and in version 1 "
    "abstention may be wrong",
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
    list_more_files=lambda path, options: (
        [options["key"]] if is_file(options.get("key", "")) else []
    ),
    records=judged,
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
    read_question_ids=questions_in,
)
