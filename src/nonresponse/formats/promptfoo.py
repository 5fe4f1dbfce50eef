"""`format: promptfoo`: results of promptfoo, .json or .jsonl."""

import itertools
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from nonresponse.formats.declared import RULE_OPTIONS, Sign, Spec
from nonresponse.formats.logs import (
    Statement,
    clean_answer,
    cut_text,
    dig,
    get_integer,
    get_object,
    get_text,
    list_objects,
    note_missing_samples,
)

ERROR = 2  # failureReason: 0 none, 1 an assertion, 2 an error
UNJUDGED = "No assertions"  # the reason why a test without assertions passes
SESSION = ("sessionId", "sessionIds")
# What `transformVars` may draw for each run
UUID = r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
TABLE = "a table of promptfoo, whose .json or .jsonl is read instead"
LABEL_LENGTH = 100  # letters of a prompt in the name of a run


def read_results(reading: Any, records: Iterator[tuple[int, object]]) -> Iterator[tuple[int, dict]]:
    """Yield the results with the names of run and question, by system and test."""
    parsed = (read_result(line, value, reading.faults) for line, value in records)
    results = sorted(filter(None, parsed), key=lambda result: (result["system"], result["test"]))
    for earlier, later in itertools.pairwise(results):
        if (earlier["system"], earlier["test"]) == (later["system"], later["test"]):
            found = f"a second result of test {later['test']}, prompt {later['system'][1]}"
            reading.faults.add(later["line"], f"{found}, as on line {earlier['line']}", "one only")
    assertions: dict[str, set[str]] = defaultdict(set)
    labels: dict[str, dict[int, str]] = defaultdict(dict)
    for result in results:
        # Tests with the same variables may ask for different things
        assertions[result["question"]].add(result["asserted"])
        provider, prompt = result["system"]
        labels[provider].setdefault(prompt, result["label"][:LABEL_LENGTH])
    for result in results:
        (provider, prompt), question = result["system"], result["question"]
        all_labels, label = [*labels[provider].values()], labels[provider][prompt]
        number = f" {prompt}" if all_labels.count(label) > 1 else ""
        run = f"{provider}, prompt{number}: {label}" if len(all_labels) > 1 else provider
        reading.store[run] = result["system"]
        question += f" {result['asserted']}" if len(assertions[question]) > 1 else ""
        yield result["line"], result | {"run": run, "question": question}


def read_result(line: int, value: object, faults: Any) -> dict | None:
    """Return what is read of a result; null, and a fault, where it lacks what makes it one."""
    provider, success = dig(value, "provider"), dig(value, "success")
    system = get_text(provider, "label") or get_text(provider, "id") or get_text(provider)
    test, prompt = get_integer(value, "testIdx"), get_integer(value, "promptIdx")
    if system is None or test is None or prompt is None or not isinstance(success, bool):
        faults.add(line, "a result without provider, testIdx, promptIdx or success", SPEC.about)
        return None
    reason, response = dig(value, "failureReason"), get_object(value, "response")
    state = "error" if reason == ERROR else None
    if reason is None and dig(value, "error") is not None and not dig(value, "gradingResult"):
        state = "error"  # of an older version
    elif state is None and response.get("isRefusal") is True:
        state = "unanswered"
    elif state is None and is_unjudged(get_object(value, "gradingResult"), success):
        state = "unscored"
    # A prompt without a label is its own label. White space that a name may not have becomes a
    # single blank.
    label = get_text(value, "prompt", "label") or ""
    label = "".join(letter if letter.isprintable() else " " for letter in label)
    output = response.get("output")
    answer = clean_answer(output) if isinstance(output, str) else get_text(json.dumps(output))
    if output is None:
        answer = "" if "output" in response else None
    return {
        "line": line,
        "test": test,
        "system": (system, prompt),
        "label": " ".join(label.split()),
        "question": name_question(value, test),
        "asserted": encode_value(dig(value, "testCase", "assert")),
        "scores": {"": success},
        "state": state,
        "answer": answer,
        "asked": cut_text(dig(value, "prompt", "raw")),
        "explanation": cut_text(dig(value, "gradingResult", "reason")),
    }


def is_unjudged(grading: dict, success: bool) -> bool:
    """Return whether a test has no assertions, or only judges that failed keep it from passing."""
    parts = list_objects(grading, "componentResults")
    failed = [part for part in parts if part.get("pass") is False and not success]
    judges_failed = [dig(part, "metadata", "graderError") is True for part in failed]
    return grading.get("reason") == UNJUDGED or (bool(failed) and all(judges_failed))


def name_question(value: object, test: int) -> str:
    """Return the name of a question: its description and variables, else the test's number.

    It is the same in other files, since variables that are filled in during a run are left out.
    Answers to earlier questions are variables of the result only, not of the test. Names that begin
    with _, and ids of sessions, may be among both.
    """
    case = dig(value, "testCase")
    description = get_text(case, "description") or get_text(value, "description") or ""
    has_own = isinstance(dig(case, "vars"), dict)
    draws_ids = "uuid" in str(dig(case, "options", "transformVars"))
    stable = {
        name: content
        for name, content in get_object(case if has_own else value, "vars").items()
        if not name.startswith("_")
        and name not in SESSION
        and not (draws_ids and re.fullmatch(UUID, str(content)))
    }
    return f"{description} {encode_value(stable) if stable else ''}".strip() or f"test {test}"


def encode_value(value: object) -> str:
    return str(get_text(json.dumps(value, sort_keys=True, ensure_ascii=False)))


def headline(reading: Any, statement: Statement, worth: list[tuple]) -> Statement:
    """Return the share of tests that passed, by promptfoo's counts for a prompt of a provider."""
    provider, prompt = reading.store[statement.run]
    metrics = dig(reading.head, "prompts", prompt, "metrics")
    counts = [get_integer(metrics, f"test{kind}Count") for kind in ("Pass", "Fail", "Error")]
    valid = [count for count in counts if count is not None and count >= 0]
    total = sum(valid) if len(valid) == len(counts) else 0
    return statement._replace(
        stated=valid[0] / total if total else None,
        told=total or None,
        why="" if total else "it states no counts",
        notes=tuple(note_missing_samples(len(worth), total)),
        provider=provider if statement.run != provider else "",
    )


SPEC = Spec(
    "promptfoo",
    "a result of promptfoo",
    ("unanswered", "unscored", "error"),
    options=("epochs", *RULE_OPTIONS),
    limitation="failures of the judge and refusals count as wrong where nothing reports them",
    signs=(
        Sign(".json", "results.results"),
        Sign(".jsonl", "testIdx promptIdx success"),
        Sign(".csv", r"Status Named\sScores Grader\sReason", "none", reason=TABLE),
    ),
    arrays=(("results", "results"),),
    head_keys=("prompts",),
    records=read_results,
    builds_records=True,
    explanation=("explanation",),
    run=("run",),
    question=("question",),
    numbers_epochs=True,
    option="",
    measure="share of tests passed",
    headline=headline,
)
