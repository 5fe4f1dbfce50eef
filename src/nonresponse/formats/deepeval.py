"""`format: deepeval`: a test run of DeepEval, .latest_test_run.json and the like."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from nonresponse.faults import quote, quote_names
from nonresponse.formats.declared import (
    NO_STATE,
    RULE_OPTIONS,
    VERDICT_WORDS,
    Paths,
    Sign,
    Spec,
)
from nonresponse.formats.logs import (
    Statement,
    clean_answer,
    cut_text,
    dig,
    get_integer,
    get_number,
    get_text,
    list_objects,
    name_input,
)
from nonresponse.formats.text import Faults, get_stem
from nonresponse.wording import plural

CASES = ("testCases", "conversationalTestCases")
ARRAYS = (*((name,) for name in CASES), *(("testRunData", name) for name in CASES))
# The default name of a test case: its position, which another file may give to another question
DEFAULT_NAME = r"(conversational_)?test_case_[0-9]+"
STOPPED = "temp_test_run_data"  # what a run that was cut short leaves
# The value of `metric:` for the test as a whole, which passes if all of its metrics do
SUCCESS = "success"
WORST = ("wrong", "unscored", "correct")


def read_cases(reading: Any, records: Iterator[tuple[int, object]]) -> Iterator[tuple[int, dict]]:
    """Yield the test cases that have the metric, with a name for each question."""
    faults = reading.faults
    test_cases = [case for line, value in records if (case := read_case(line, value, faults))]
    if not test_cases and not faults:
        faults.add(0, "no test cases", SPEC.about)
    metrics = list(dict.fromkeys(name for case in test_cases for name in case["scores"] if name))
    metric = reading.score
    if metric is None or (metric == SUCCESS and SUCCESS not in metrics):
        reading.score = ""
        reading.candidates = [SUCCESS, *metrics] if metric is None and len(metrics) > 1 else []
    elif metrics:
        reading.scores |= dict.fromkeys(metrics)  # to say which there are if none has the name
    elif test_cases:
        faults.add(0, f"no metric {quote(metric)}", "a metric")
    score = reading.score
    scored = [case for case in test_cases if score in case["scores"]]
    reading.store |= {"metrics": metrics, "left": len(test_cases) - len(scored)}
    names = Counter(name for name, _ in {(case["name"], case["asked"]) for case in scored})
    questions = Counter(case["asked"] for case in scored)
    for case in scored:
        name, text, reasons = case["name"], case["asked"], case["reasons"]
        question = f"{name}: {name_input(text)}"
        if re.fullmatch(DEFAULT_NAME, name) and text:
            question = name_input(text) if questions[text] == 1 else question
        elif names[name] == 1:
            question = name
        # A metric leaves out what could not be scored, counts of tests take it as failed.
        worth = {"correct": 1.0, "wrong": 0.0}.get(case["scores"][score])
        is_decided = case["scores"][score] in ("correct", "wrong")
        fields = {
            "id": question,
            "state": "error" if case["broken"] and not is_decided else None,
            "explanation": [*filter(None, [reasons.get(score)] if score else reasons.values())],
            "worth": worth if score else get_number(case["success"]),
        }
        yield case["line"], case | fields


def read_case(line: int, case: object, faults: Faults) -> dict | None:
    """Return what is read of a test case; null, and a fault, if its name or success is invalid.

    Its scores are verdicts by metric, and under "" that of the test. A test is unscored if a metric
    failed and none is wrong.
    """
    turns, success = list_objects(case, "turns"), dig(case, "success")
    inputs = (dig(case, "input"), dig(case, "scenario"), dig(turns, 0, "content"))
    text = next(filter(None, map(clean_answer, inputs)), "")
    name = get_text(case, "name") or (text and name_input(text))
    if not name or not isinstance(success, bool | None):
        found = f"the success {quote(success)} of {quote(name)}"
        faults.add(line, found if name else "a test case without a name", SPEC.about)
        return None
    scores, reasons, deciding = dict[str, str](), dict[str, str | None](), []
    # The second is its name until 2024
    metrics = list_objects(dig(case, "metricsData") or dig(case, "metricsMetadata"))
    # Conditions in words decide as a metric does, which they are not
    expectations = list_objects([dig(case, "expectationsData")])
    outcomes = [*metrics, *expectations]
    for outcome in outcomes:
        failed = outcome.get("error") is not None or get_number(outcome.get("score")) is None
        passed = None if failed else outcome.get("success")
        verdict = "correct" if passed is True else "wrong" if passed is False else "unscored"
        metric = str(get_text(outcome.get("name")) or get_text(outcome.get("metric")))
        if outcome not in expectations:
            scores[metric] = min(verdict, scores.get(metric, verdict), key=WORST.index)
        reasons[metric] = cut_text(outcome.get("reason"), outcome.get("error"))
        if outcome.get("flaky") is not True:
            deciding.append(verdict)
    test_verdict = min(deciding, key=WORST.index, default="unscored")
    if success is True or test_verdict == "correct":
        # If a test failed though no metric did, it failed in a component that has its own metrics.
        test_verdict = "wrong" if success is False else "correct"
    answer = clean_answer(case, "actualOutput")
    return {
        "line": line,
        "name": name,
        "asked": text,
        "success": success,
        "scores": scores | {"": test_verdict},
        "broken": dig(case, "trace", "status") == "ERRORED",  # the system failed
        "answer": clean_answer(turns, -1, "content") if turns and answer is None else answer,
        "target": cut_text(dig(case, "expectedOutput"), dig(case, "expectedOutcome")),
        "facts": dig(case, "metadata") or dig(case, "additionalMetadata"),
        "reasons": reasons,
        "judges": [outcome.get("evaluationModel") for outcome in outcomes],
    }


def headline(reading: Any, statement: Statement, worth: list[tuple]) -> Statement:
    """Return the share of tests that passed, or of those that could be scored by a metric."""
    metric, names, left_out = reading.score, reading.store["metrics"], reading.store["left"]
    empty = sum(sample.answer == "" for sample in reading.samples)
    empty *= "empty" not in reading.options.get("refusals", {})
    empty_note = "empty: what that is may be said (`refusals: {empty: …}`)"
    has_several = not metric and len(names) > 1
    notes = {
        f"a test passes if all of its metrics do: {quote_names(names)}": has_several,
        f"{plural(left_out, 'test')} without this metric left out": left_out,
        "it stopped early": get_stem(reading.path).endswith(STOPPED),
        f"{plural(empty, 'answer')} {empty_note}": empty,
    }
    way: Paths = ("metricsScores", "metric={metric}") if metric else ()
    names = ("passes", "fails") if metric else ("testPassed", "testFailed")
    counts = [get_integer(reading.find_stated((*way, name))) for name in names]
    valid = [count for count in counts if count is not None and count >= 0]
    reason = "it states no counts" if len(valid) < 2 else "" if sum(valid) else "nothing was scored"
    return statement._replace(
        measure=f"share passed of {metric}" if metric else "share of tests passed",
        stated=None if reason else valid[0] / sum(valid),
        recomputed=None if reason else statement.recomputed,
        why=reason,
        notes=tuple(note for note, applies in notes.items() if applies),
        scorer=metric,
        chosen=(),
    )


SPEC = Spec(
    "deepeval",
    "a test run of DeepEval with its test cases",
    ("unscored", "error"),
    options=("metric", "epochs", *RULE_OPTIONS),
    limitation=f"{NO_STATE}, and an empty answer that no metric can score counts as unscored",
    signs=(
        Sign(".json", "testCases", any_of="metricsScores testPassed"),
        Sign(".json", "testRunData.testCases"),
        Sign(".json", "testRunLink", "none", reason="nothing but a link to a test run of DeepEval"),
    ),
    paths=(  # of the files that are called latest, the folder is the run
        r".*/(?P<run>[^/]+)/\.deepeval/\.?(latest_(test_run|run_full)|temp_test_run_data)\.json",
        r".*/(?P<run>[^/]+)/\.?(latest_(test_run|run_full)|temp_test_run_data)\.json",
        r".*/(?P<run>[^/]+?)\.[a-z]+",
    ),
    arrays=ARRAYS,
    head_keys=("identifier", "hyperparameters", "testPassed", "testFailed", "metricsScores"),
    records=read_cases,
    builds_records=True,
    explanation=("explanation",),
    run=("head:identifier", "head:hyperparameters.model", "{run}"),
    numbers_epochs=True,
    words=VERDICT_WORDS,
    metadata="facts",
    question_text=("asked",),
    judge=("judges",),
    headline=headline,
)
