"""`format: openai-evals`: the records of OpenAI Evals, .jsonl (docs/logs.md)."""

import math

from nonresponse.faults import shown
from nonresponse.formats.json_pieces import lines_of
from nonresponse.formats.logs import Log, Sample, Statement, at, finite, mean, number, passage, said, text, verdict_of
from nonresponse.formats.text import Faults
from nonresponse.settings import Files

EXPECTED = "a record of OpenAI Evals"
ONE = "one run: records of several have to be in a file each"
NUMBERS = ("correct", "score", "accuracy")  # what events of the type `metrics` may call the score, in this order


def read_log(path: str, options: Files) -> Log:
    """A response per sample; the events of a sample are joined, in whatever order they stand."""
    faults = Faults(path)
    spec: object = None
    report: object = None
    asked: dict[str, int] = {}  # the line of each sample's first event
    scores: dict[str, tuple[int, float, bool]] = {}  # the line, the number, and whether it is that of a match
    failed: set[str] = set()
    sampled: dict[str, tuple[str | None, str | None]] = {}  # the answer, and what was asked
    right: dict[str, str | None] = {}
    runs: list[str] = []  # their ids
    for line, event in lines_of(path, EXPECTED, options, faults):
        of_run = text(at(event, "run_id")) or text(at(event, "spec", "run_id"))
        if "spec" in event and spec is not None:
            faults.add(line, "a second spec", ONE)
        elif of_run and runs and of_run not in runs:
            faults.add(line, f"a record of the run {shown(of_run)}, after {shown(runs[0])}", ONE)
        runs += [of_run] if of_run and of_run not in runs else []
        if "spec" in event:
            spec = event["spec"]
        elif "final_report" in event:
            report = event["final_report"]
        elif (id := text(at(event, "sample_id"))) is None:
            faults.add(line, "an event without a sample_id", EXPECTED)
        else:
            asked.setdefault(id, line)
            kind, content = at(event, "type"), at(event, "data")
            if kind == "error":
                failed.add(id)
            elif kind == "sampling":
                sampled.setdefault(id, (said(at(content, "sampled")), passage(at(content, "prompt"))))
            elif kind == "match" and not isinstance(at(content, "correct"), bool):
                faults.add(line, f"correct {shown(at(content, 'correct'))}", "true or false")
            elif kind == "match" and scores.get(id, (0, 0.0, False))[2]:
                faults.add(line, f"a second match of sample {shown(id)}", "one only")
            elif kind == "match":
                scores[id] = (line, float(bool(at(content, "correct"))), True)
                right[id] = passage(at(content, "expected"))
            elif kind == "metrics":
                named = [value for name in NUMBERS if (value := number(at(content, name))) is not None]
                _, known, match = scores.setdefault(id, (line, named[0], False)) if named else (0, None, True)
                if not match and known != named[0] and not math.isnan(named[0]):
                    faults.add(line, f"the score {named[0]:g} of sample {shown(id)}, after {known:g}", "one score")
    names = at(spec, "completion_fns")  # what was evaluated: one name or several
    run = text(", ".join(filter(None, map(text, names))) if isinstance(names, list) else names)
    if not faults and not run:
        faults.add(0, "no spec with completion_fns", "the records of OpenAI Evals")
    category, samples = text(at(spec, "eval_name")), []
    for id, begin in asked.items():
        line, value = scores[id][:2] if id in scores else (begin, None)
        verdict = "error" if id in failed and id not in scores else verdict_of(value)
        if verdict is None:
            faults.add(line, f"the score {value} of sample {shown(id)}", "a number from 0 to 1")
        else:
            answer, question = sampled.get(id, (None, None))
            response = (begin, str(run), id, verdict, 1, None, category, answer)
            samples.append(Sample(*response, asked=question, target=right.get(id), share=value))
    if faults:
        return Log([], [], faults)
    stated = finite(at(report, "accuracy"))
    matches = [value for _, value, match in scores.values() if match]
    notes = () if report is not None else ("stopped early: no final report",)
    why = "" if stated is not None and matches else "no matches" if stated is not None else "it states no accuracy"
    return Log(samples, [Statement(str(run), "accuracy", stated, None if why else mean(matches), None, why, notes)], [])
