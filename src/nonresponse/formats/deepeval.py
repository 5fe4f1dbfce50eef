"""`format: deepeval`: a test run of DeepEval, .latest_test_run.json and the like (docs/formats.md)."""

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from nonresponse.faults import listed, shown
from nonresponse.formats import json_pieces, logs
from nonresponse.formats.logs import Log, Sample, Statement, at, digest, metadata, number, passage, records, said, text
from nonresponse.formats.text import Faults, stem
from nonresponse.settings import Files
from nonresponse.wording import plural

ARRAYS = [(*top, name) for top in ((), ("testRunData",)) for name in ("testCases", "conversationalTestCases")]
EXPECTED = "a test run of DeepEval with its test cases"
LATEST = re.compile(r"\.?(latest_(test_run|run_full)|temp_test_run_data)")  # file names that do not tell the run
GIVEN = re.compile(r"(conversational_)?test_case_[0-9]+")  # the default name of a test case: its place
STOPPED = "temp_test_run_data"  # what a run that was cut short leaves
HIDDEN = ".deepeval"
SUCCESS = "success"  # the value of `metric:` for the test as a whole, which passes if all of its metrics do
WORST = ("wrong", "unscored", "correct")


class Case(NamedTuple):
    line: int
    name: str
    asked: str  # its input
    success: bool | None
    verdicts: dict[str, str]  # by metric
    verdict: str  # of the case as a whole
    broken: bool  # its trace says that the system failed
    answer: str | None
    target: str | None
    metadata: str | None
    reasons: dict[str, str | None]  # by metric


def read_log(path: str, options: Files) -> Log:
    """A response per test case, by the metric of the options, else by its success; a repeated question is an epoch."""
    faults, judges, head = Faults(path), dict[str, None](), dict[str, object]()
    cases = contents(path, options, head, judges, faults)
    names = list(dict.fromkeys(name for case in cases for name in case.verdicts))
    metric = None if options.get("metric") == SUCCESS and SUCCESS not in names else options.get("metric")
    if cases and not faults and metric is not None and metric not in names:
        faults.add(0, f"no metric {shown(metric)}", f"one of {listed(names)}" if names else "a metric")
    if faults:
        return Log([], [], faults)
    parameters = head.get("hyperparameters")
    run = text(head.get("identifier")) or text(at(parameters, "model")) or name_of(path)
    own = [case for case in cases if metric is None or metric in case.verdicts]
    called = Counter(name for name, _ in {(case.name, case.asked) for case in own})
    times = Counter(case.asked for case in own)
    samples, values, asked, texts = list[Sample](), list[float | None](), Counter[str](), set[str]()
    for case in own:
        question = case.name if called[case.name] == 1 else f"{case.name}: {logs.short(case.asked)}"
        if GIVEN.fullmatch(case.name) and case.asked:  # another file may give this name to another question
            question = logs.short(case.asked) if times[case.asked] == 1 else f"{case.name}: {logs.short(case.asked)}"
        asked[question] += 1
        verdict = case.verdict if metric is None else case.verdicts[metric]
        # DeepEval's counts for a metric leave out what could not be scored; its counts of tests treat it as failed.
        value = case.success if metric is None else {"correct": True, "wrong": False}.get(verdict)
        verdict = "error" if case.broken and verdict == "unscored" else verdict
        reasons = passage([reason for name, reason in case.reasons.items() if metric in (None, name) and reason])
        response = (case.line, run, question, verdict, asked[question], None, None, case.answer)
        of_people = passage(case.asked), case.target, reasons, case.metadata
        samples.append(Sample(*response, None, False, *of_people))
        values.append(number(value))
        texts |= {f"{question} {digest(case.asked)}"}
    notes = [f"a test passes if all of its metrics do: {listed(names)}"] if metric is None and len(names) > 1 else []
    notes += [f"{plural(len(cases) - len(own), 'test')} without this metric left out"] if len(own) < len(cases) else []
    notes += ["it stopped early"] if stem(path).endswith(STOPPED) else []
    ruled = "empty" in options.get("refusals", {})
    empty = sum(sample.answer == "" for sample in samples if not ruled)
    notes += [f"{plural(empty, 'answer')} empty: what that is may be said (`refusals: {{empty: …}}`)"] if empty else []
    scores = [one for one in records(head.get("metricsScores")) if metric is not None and at(one, "metric") == metric]
    counts = [head.get("testPassed"), head.get("testFailed")]
    counts = counts if metric is None else [at(scores, 0, "passes"), at(scores, 0, "fails")]
    known = [count for one in counts if (count := logs.whole(one)) is not None and count >= 0]
    measure = "share of tests passed" if metric is None else f"share passed of {metric}"
    why = "it states no counts" if len(known) < 2 else "" if sum(known) else "nothing was scored"
    stated, recomputed = (None, None) if why else (known[0] / sum(known), logs.mean(values))
    said = Statement(run, measure, stated, recomputed, None, why, tuple(notes), texts=digest(sorted(texts)))
    said = said._replace(judge=", ".join(judges), failures="unscored" if judges else "", scorer=metric or "")
    return Log(samples, [said], [])


def contents(path: str, options: Files, head: dict, judges: dict[str, None], faults: Faults) -> list[Case]:
    """The test cases; everything else in the file goes into `head`, and the names of the judges into `judges`."""
    cases = []
    for piece in json_pieces.pieces_of(path, ARRAYS, options, faults):
        if piece.path not in ARRAYS:
            head |= {piece.path[-1]: piece.value} if piece.path else {}
        elif piece.value is not None and (case := case_of(piece.line, piece.value, judges, faults)):
            cases.append(case)
    if not cases and not faults:
        faults.add(0, "no test cases", EXPECTED)
    return cases


def case_of(line: int, case: object, judges: dict[str, None], faults: Faults) -> Case | None:
    """A test case, unscored if a metric failed and none is wrong; null, and a fault, if name or success is invalid."""
    turns, success = records(at(case, "turns")), at(case, "success")
    asked = said(at(case, "input")) or said(at(case, "scenario")) or said(at(turns, 0, "content"))
    name = text(at(case, "name")) or (asked and logs.short(asked))
    if not name or not isinstance(success, bool | None):
        problem = "a test case without a name" if not name else f"the success {shown(success)} of {shown(name)}"
        faults.add(line, problem, EXPECTED)
        return None
    verdicts: dict[str, str] = {}
    reasons = {}
    deciding = []  # verdicts of all metrics but flaky ones
    for one in records(at(case, "metricsData") or at(case, "metricsMetadata")):  # the second is its name until 2024
        failed = at(one, "error") is not None or number(at(one, "score")) is None
        passed = at(one, "success")
        verdict = "unscored" if failed or not isinstance(passed, bool) else "correct" if passed else "wrong"
        metric = str(text(at(one, "name")) or text(at(one, "metric")))
        verdicts[metric] = min(verdict, verdicts.get(metric, verdict), key=WORST.index)
        reasons[metric] = passage(at(one, "reason"), at(one, "error"))
        deciding += [] if at(one, "flaky") is True else [verdict]
        judges |= {judge: None} if (judge := text(at(one, "evaluationModel"))) else {}
    worst = min(deciding, key=WORST.index, default="unscored")
    # If a test failed though no metric did, it failed in a component that has its own metrics.
    whole_case = worst if success is not True and worst != "correct" else "wrong" if success is False else "correct"
    answer = said(at(case, "actualOutput"))
    answer = said(at(turns, -1, "content")) if turns and answer is None else answer
    broken = at(case, "trace", "status") == "ERRORED"
    others = metadata(at(case, "metadata") or at(case, "additionalMetadata"))
    target = passage(at(case, "expectedOutput"), at(case, "expectedOutcome"))
    return Case(line, name, asked or "", success, verdicts, whole_case, broken, answer, target, others, reasons)


def name_of(path: str) -> str:
    """The file's stem; if every run's file has this name, the name of the folder that it or .deepeval is in."""
    if not LATEST.fullmatch(stem(path)):
        return str(text(stem(path)))
    above = [folder.name for folder in Path(path).absolute().parents if folder.name != HIDDEN]
    return str(text(above[0]) or text(stem(path)))


def choose(path: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """For look.py: no options; with several metrics, the open question which counts (else a test has to pass all)."""
    names = list(dict.fromkeys(name for case in contents(path, {}, {}, {}, Faults(path)) for name in case.verdicts))
    several = f"which metric counts: here a test has to pass all (`metric: {SUCCESS}`) of {listed(names)} (`metric:`)"
    return {}, (several,) if len(names) > 1 else ()
