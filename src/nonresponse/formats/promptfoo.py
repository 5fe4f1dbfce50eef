"""`format: promptfoo`: results of promptfoo, .json or .jsonl (docs/logs.md)."""

import itertools
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from nonresponse.formats import logs
from nonresponse.formats.json_pieces import elements_of, lines_of, value_of
from nonresponse.formats.logs import Log, Sample, Statement, at, mean, passage, records, said, text, whole
from nonresponse.formats.text import Faults, ending
from nonresponse.settings import Files

EXPECTED = "a result of promptfoo"
ERROR = 2  # failureReason: 0 none, 1 an assertion, 2 an error
SESSION = ("sessionId", "sessionIds")
UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")  # what `transformVars` may draw for each run
LONGEST = 100  # letters of a prompt in the name of a run


class Result(NamedTuple):
    line: int
    test: int  # its number in the file; a repeat has one of its own
    system: tuple[str, int]  # provider and number of the prompt
    label: str  # of the prompt
    question: str
    asserted: str  # what its test asks of the answer
    verdict: str
    passed: float
    answer: str | None
    asked: str | None
    explanation: str | None


def read_log(path: str, options: Files) -> Log:
    """A response per test, provider and prompt; tests that are asked again are epochs."""
    faults, one_a_line = Faults(path), ending(path) in (".jsonl", ".ndjson")
    elements = elements_of(path, ("results", "results"), options, faults)
    own: Iterator[tuple[int, object]] = lines_of(path, EXPECTED, options, faults) if one_a_line else elements
    results = [result for line, value in own if (result := result_of(line, value, faults))]
    if faults:
        return Log([], [], faults)
    results.sort(key=lambda result: (result.system, result.test))
    for before, after in itertools.pairwise(results):
        if (before.system, before.test) == (after.system, after.test):
            found = f"a second result of test {after.test}, prompt {after.system[1]}"
            faults.add(after.line, found, f"one only; the first is on line {before.line}")
    if faults:
        return Log([], [], faults)
    asks = defaultdict(set)  # tests with the same variables may ask for different things
    for result in results:
        asks[result.question].add(result.asserted)
    results = [
        result._replace(question=f"{result.question} {result.asserted}") if len(asks[result.question]) > 1 else result
        for result in results
    ]
    prompts_of: dict[str, dict[int, str]] = defaultdict(dict)
    for result in results:
        prompts_of[result.system[0]].setdefault(result.system[1], result.label[:LONGEST])
    names = {  # the provider; if it has several prompts, with the prompt; if labels are equal, with the prompt's number
        (provider, prompt): f"{provider}, prompt{f' {prompt}' * ([*own.values()].count(label) > 1)}: {label}"
        if len(own) > 1
        else provider
        for provider, own in prompts_of.items()
        for prompt, label in own.items()
    }
    samples, asked = [], Counter[tuple[str, str]]()
    for result in results:
        run = names[result.system]
        asked[run, result.question] += 1
        epoch = asked[run, result.question]
        response = (result.line, run, result.question, result.verdict, epoch, None, None, result.answer)
        samples.append(Sample(*response, asked=result.asked, explanation=result.explanation))
    prompts = [] if one_a_line else records(at(value_of(path, options, faults), "results", "prompts"))
    passed = {system: [one.passed for one in results if one.system == system] for system in names}
    said = [statement(names[system], prompts, system, own) for system, own in passed.items()]
    return Log(samples, said, faults)


def result_of(line: int, value: object, faults: Faults) -> Result | None:
    """A result; null, and a fault, where it lacks what makes it one."""
    provider = at(value, "provider")
    system = text(at(provider, "label")) or text(at(provider, "id")) or text(provider)
    test, prompt, success = whole(at(value, "testIdx")), whole(at(value, "promptIdx")), at(value, "success")
    if system is None or test is None or prompt is None or not isinstance(success, bool):
        faults.add(line, "a result without provider, testIdx, promptIdx or success", EXPECTED)
        return None
    reason, response = at(value, "failureReason"), at(value, "response")
    failed = reason == ERROR or (reason is None and at(value, "error") is not None and not at(value, "gradingResult"))
    refused = at(response, "isRefusal") is True
    verdict = "error" if failed else "unanswered" if refused else "correct" if success else "wrong"
    # A prompt without a label is its own label: white space that a name may not have becomes a single blank.
    label = "".join(letter if letter.isprintable() else " " for letter in text(at(value, "prompt", "label")) or "")
    output = at(response, "output")
    if output is None:
        answer = "" if isinstance(response, dict) and "output" in response else None
    else:
        answer = said(output) if isinstance(output, str) else text(json.dumps(output))
    label, question = " ".join(label.split()), question_of(value, test)
    asserted = str(text(json.dumps(at(value, "testCase", "assert"), sort_keys=True, ensure_ascii=False)))
    texts = passage(at(value, "prompt", "raw")), passage(at(value, "gradingResult", "reason"))
    return Result(line, test, (system, prompt), label, question, asserted, verdict, float(success), answer, *texts)


def question_of(value: object, test: int) -> str:
    """The name of a question: its description and variables, which are the same in other files; else the test's number.

    Variables that are filled in during a run are left out: answers to earlier questions are variables of the result
    only, not of the test; names that begin with _, and ids of sessions, may be among both.
    """
    description = text(at(value, "testCase", "description")) or text(at(value, "description")) or ""
    given = at(value, "testCase", "vars")
    given = given if isinstance(given, dict) else at(value, "vars")
    drawn = "uuid" in str(at(value, "testCase", "options", "transformVars"))
    own = {
        name: content
        for name, content in (given if isinstance(given, dict) else {}).items()
        if not (name.startswith("_") or name in SESSION or (drawn and UUID.fullmatch(str(content))))
    }
    told = str(text(json.dumps(own, sort_keys=True, ensure_ascii=False))) if own else ""
    return f"{description} {told}".strip() or f"test {test}"


def statement(run: str, prompts: list[dict], system: tuple[str, int], passed: list[float]) -> Statement:
    """The share of tests that passed, from the counts that promptfoo writes for a prompt of a provider."""
    provider, prompt = system
    metrics = at(prompts, prompt, "metrics")
    counts = [whole(at(metrics, f"test{kind}Count")) for kind in ("Pass", "Fail", "Error")]
    known = [count for count in counts if count is not None]
    told = sum(known) if len(known) == len(counts) and min(known) >= 0 else None
    why = "" if told else "it states no counts"
    notes = tuple(logs.lacking(len(passed), told))
    stated = known[0] / told if told else None
    said = Statement(run, "share of tests passed", stated, None if why else mean(passed), told, why, notes)
    return said._replace(provider=provider if run != provider else "")
