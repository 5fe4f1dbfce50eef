"""`format: inspect`: logs of Inspect, .eval and .json (docs/logs.md)."""

import math
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from nonresponse.faults import listed, shown
from nonresponse.formats import archives, json_pieces, logs
from nonresponse.formats.logs import Log, Sample, Statement, at, finite, number, records, said, text, verdict_of, whole
from nonresponse.formats.text import UNPACKED, Faults, Unreadable, is_packed, most_fields, on_disk, stream
from nonresponse.settings import Files
from nonresponse.wording import plural

LETTERS = {"C": "correct", "I": "wrong", "P": "partial", "N": "unanswered"}
VALUES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}  # what they are worth in Inspect's mean
GRADES = {"correct": "correct", "incorrect": "wrong", "not_attempted": "unanswered"}  # SimpleQA, a number for each
YES = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
ABSTAINED = ("refusal", "no_response", "invalid_response_format")  # reasons that a score may give
JUDGE_FAILED = ("grader_failed", "scoring_failed")
NO_GRADE = "Grade not found in model output"  # how an older scorer explains the "I" of a failed judge
GRADE = {True: re.compile("A|B|C"), False: re.compile(r"\b[ABC]\b")}  # SimpleQA's grader: the paper's scorer, the other
MEMBER = re.compile(r"samples/.*\.json", re.DOTALL)
HEADER = ("header.json", "_journal/start.json")  # the second is that of a log that was cut short
EXPECTED = "a log of Inspect, .eval or .json"
WHOLE = "a whole log of Inspect with its samples (--log-samples)"

# The options of a scorer that name the judge.
JUDGES = ("model", "grader_model", "judge_model", "grader", "judge")
UNCHANGED = "UNCHANGED"  # in an edit by hand: the value of fields that it does not change
NUMBERS = {"correct": 1.0, "wrong": 0.0, "unanswered": 0.0}  # what our verdicts are worth in Inspect's mean

Scored = tuple[str | None, float | None]  # a verdict, null = unknown; a number


def read_log(path: str, options: Files) -> Log:
    """A response per sample and epoch; the log's first headline is recomputed."""
    faults = Faults(path)
    header, asked = contents(path, options, faults)
    model, task = text(at(header, "eval", "model")), text(at(header, "eval", "task"))
    if not faults and not asked:
        faults.add(0, "no samples", WHOLE)
    if not faults and not model:
        faults.add(0, "no eval.model", EXPECTED)
    own, scorer = scorers_in(header, asked), options.get("scorer")
    if scorer is None and len(own) < 2:  # null where the log has no scorer
        scorer = own[0] if own else None
    elif not faults and scorer not in own:
        problem = f"no scorer {shown(scorer)}" if scorer else f"{len(own)} scorers"
        faults.add(0, problem, f"`scorer:` in config.yaml, one of {listed(own)}" if own else "a scorer")
    if faults:
        return Log([], [], faults)
    samples, values, attempted, otherwise = [], [], [], 0
    texts, shows_judge = set(), False
    for line, id, epoch, answers, output, lacking, gold, asks, scores, texts_of in asked:
        verdict, value, given, shows = scores.get(scorer, (lacking, None, None, False))
        texts |= {f"{id} {asks}"} if asks else set()
        shows_judge |= shows
        if verdict is None:
            expected = "C, I, P, N, a number from 0 to 1, or a grade of SimpleQA"
            faults.add(line, f"the score {shown(given)} of sample {shown(id)}", expected)
        else:
            answer = answers.get(str(scorer)) or output
            question, target, explanations, others = texts_of
            response = (line, str(model), id, verdict, epoch, None, task, answer, gold)
            of_people = question, target, explanations.get(scorer), others
            samples.append(Sample(*response, False, *of_people, share=value))
            # The verdict's value in Inspect's mean; null if the mean leaves it out.
            as_given = verdict == "partial" or (verdict == "unanswered" and finite(value) is None)
            worth = value if gold is not None or as_given else NUMBERS.get(verdict)
            values.append((id, worth))
            attempted += [(id, worth)] if verdict != "unanswered" else []
            otherwise += finite(value) not in (None, worth)
    several = len(dict(values)) < len(values)  # epochs are averaged to numbers, where precision finds no N to leave out
    means = {"accuracy": values, "mean": values, "precision": values if several else attempted}
    stated = statement(str(model), header, scorer, len(samples), means, otherwise)
    judge, prompt = judged_by(header, scorer)
    failures = ("unscored" if shows_judge else "as graded") if judge else ""
    of_texts = logs.digest(sorted(texts)) if texts else ""
    return Log(samples, [stated._replace(judge=judge, prompt=prompt, failures=failures, texts=of_texts)], faults)


def judged_by(header: dict, scorer: str | None) -> tuple[str, str]:
    """The model that a scorer asks, and a digest of its other options; both "" where the log names no model."""
    [*_, options] = [
        {},
        *(at(one, "params") for one in records(at(header, "results", "scores")) if at(one, "name") == scorer),
        *(at(one, "options") for one in records(at(header, "eval", "scorers")) if at(one, "name") == scorer),
    ]
    options = options if isinstance(options, dict) else {}
    named = [options.get(name) for name in JUDGES] + [at(header, "eval", "model_roles", "grader")]
    models = [text(at(one, "model")) or text(one) for one in named]
    judge = next(filter(None, models), "")
    rest = {name: value for name, value in options.items() if name not in JUDGES}
    return judge, logs.digest(rest) if judge and rest else ""


def contents(path: str, options: Files, faults: Faults) -> tuple[dict[str, object], list[tuple]]:
    """The header of a log, and of each sample its line and what `sample_of` takes from it."""
    header: dict[str, object] = {}
    pieces = (zipped if is_zip(path, options) else plain)(path, header, options, faults)
    return header, [(line, *taken) for line, sample in pieces if (taken := sample_of(line, sample, header, faults))]


def choose(path: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """For look.py: the first of several scorers whose scores can be read, and the open question which of them counts.

    Scorers of silence, failures, errors, lengths and the like come last.
    """
    own = sorted(
        scorers_in(*contents(path, {}, Faults(path))), key=lambda name: logs.is_beside(name) or logs.is_of_errors(name)
    )
    if len(own) < 2:
        return {}, ()
    scorer = next((name for name in own if not read_log(path, {"scorer": name}).faults), own[0])
    return {"scorer": scorer}, (f"which scorer counts: here {scorer}, of {listed(own)} (`scorer:`)",)


def is_zip(path: str, options: Files) -> bool:
    """Whether a log is an .eval file, which is a zip, by its first bytes."""
    if is_packed(path):
        return next(stream(path, options, Faults(path)), b"").startswith(b"PK")
    with suppress(OSError), Path(path).open("rb") as file:
        return file.read(2) == b"PK"
    return False


def plain(path: str, header: dict, options: Files, faults: Faults) -> Iterator[tuple[int, object]]:
    """The samples of a .json log, each with its line; all else goes into the header."""
    for piece in json_pieces.pieces_of(path, [("samples",)], options, faults):
        if piece.path == ("samples",):
            if piece.value is not None:
                yield piece.line, piece.value
        elif len(piece.path) == 1:
            header[piece.path[0]] = piece.value
        else:
            faults.add(piece.line, shown(piece.value), EXPECTED)


def zipped(path: str, header: dict, options: Files, faults: Faults) -> Iterator[tuple[int, object]]:
    """The samples of a .eval log, each with its number."""
    unreadable = Faults(path)
    with on_disk(path, options, unreadable) as file:
        faults += unreadable
        if not unreadable:
            with Path(file).open("rb") as data:
                yield from unzipped(data, header, options, faults)


def unzipped(data: BinaryIO, header: dict, options: Files, faults: Faults) -> Iterator[tuple[int, object]]:
    """The samples of an .eval log that is open, each with its number; its header goes into `header`."""
    try:
        members = archives.members(data, options.get("unpacked", UNPACKED))
    except Unreadable as error:
        faults.add(0, *error.args)
        return
    heads = [name for name in HEADER if name in members][:1]
    if not heads:
        faults.add(0, f"a zip without {HEADER[0]}", WHOLE)
    names = [*heads, *(name for name in members if MEMBER.fullmatch(name))]
    for place, name in enumerate(names):
        try:
            value = json_pieces.loaded(archives.unpacked(data, members[name]), most_fields(faults.file, options))
            if name not in HEADER:
                yield place, value
            elif isinstance(value, dict):
                header |= value
            else:
                faults.add(0, f"{shown(name)}: {shown(value)}", EXPECTED)
        except Unreadable as error:
            faults.add(0, f"{shown(name)}: {error.args[0]}", error.args[1])
        except json_pieces.NotJson as error:
            faults.add(0, f"{shown(name)}: {error.found}", "JSON")


def sample_of(line: int, sample: object, header: dict, faults: Faults) -> tuple | None:
    """What is read of a sample; null, and a fault, if its id, epoch or scores are invalid.

    Its id and epoch; the answers that scorers extracted from the output, by scorer, and the output; the verdict for
    scorers that gave it no score; gold; a digest of the input; the scores by scorer; and texts for people.
    A score is a verdict, a number, the value in the log, and whether it has a text of the judge, which shows failures.
    """
    id, epoch = text(at(sample, "id")), whole(at(sample, "epoch") or 1)
    if id is None or epoch is None or epoch < 1:
        name = "id" if id is None else "epoch"
        given = at(sample, name)
        found = f"a sample without an {name}" if given is None else f"the {name} {shown(given)}"
        found = found if isinstance(sample, dict) else f"{shown(sample)} in the place of a sample"
        faults.add(line, found, "a sample with an id and an epoch from 1")
        return None
    scores = at(sample, "scores")
    if not isinstance(scores, dict | None):
        faults.add(line, f"the scores {shown(scores)} of sample {shown(id)}", "an object, by scorer")
        return None
    invalid = at(sample, "invalidation")
    state = "error" if at(sample, "error") else "unscored" if invalid else None
    output = at(sample, "output")
    choice = at(output, "choices", 0)
    filtered = at(choice, "stop_reason") == "content_filter"
    label = at(sample, "metadata", "abstention_label")
    simpleqa = "simpleqa" in str(at(header, "eval", "task")).lower()
    graded: dict[str, tuple[str | None, float | None, object, bool]] = {}
    answers, explanations = {}, {}
    for key, score in (scores or {}).items():
        name, value = str(text(key)), at(score, "value") if isinstance(score, dict) else score
        # A value set by hand takes precedence, even after an error, and over reasons and explanations.
        history = records(at(score, "history"))  # begins with the score as it was, if there was any
        edits = history[len(history) > 1 and not at(history[0], "provenance") :]
        scored: Scored = (state, None)
        if any(edit.get("value", UNCHANGED) != UNCHANGED for edit in edits):
            scored = ("unscored", None) if invalid else of_value(value, label)
        elif not state:
            scored = score_of(score, value, label, filtered, simpleqa or "simpleqa" in name.lower())
        of_judge = [at(score, "metadata", "grader_response"), None if simpleqa else at(score, "explanation")]
        graded[name], answers[name] = (*scored, value, any(of_judge)), said(at(score, "answer"))
        explanations[name] = logs.passage(at(score, "explanation"))
    lacking = state or ("unanswered" if filtered else "unscored")
    gold = "" if label is True else "given" if label is False else None
    whole_output = said(at(output, "completion")) or said(at(choice, "message", "content"))
    if whole_output is None and isinstance(output, dict):
        whole_output = ""
    asks = at(sample, "input")
    texts = logs.passage(asks), logs.passage(at(sample, "target")), explanations, logs.metadata(at(sample, "metadata"))
    return id, epoch, answers, whole_output, lacking, gold, asks and logs.digest(asks), graded, texts


def score_of(score: object, value: object, label: object, filtered: bool, simpleqa: bool) -> Scored:
    """Verdict and number of a score; `filtered` (blocked by the provider) is unanswered unless (partly) right."""
    reason = at(score, "reason") or at(score, "metadata", "unscored_reason")
    verdict, worth = of_value(value, label)
    if reason in ABSTAINED:
        return "unanswered", worth
    if reason in JUDGE_FAILED or logs.joined(at(score, "explanation")).startswith(NO_GRADE):
        return "unscored", worth
    if filtered and verdict not in ("correct", "partial"):
        return "unanswered", worth
    grader = at(score, "metadata", "grader_response") if simpleqa and verdict == "unanswered" else None
    if isinstance(grader, str) and not GRADE[isinstance(value, dict)].search(grader):  # Inspect counts no grade as N
        return "unscored", worth
    return verdict, worth


def of_value(value: object, label: object) -> Scored:
    """Verdict and number of a score's value; the verdict is null if the value is unknown."""
    if isinstance(value, str):
        if value in LETTERS:
            return LETTERS[value], VALUES[value]
        worth = YES.get(value.strip().lower())
        if worth is None:
            with suppress(ValueError):
                worth = float(value)
        if worth is not None and isinstance(label, bool):  # AbstentionBench: whether it is an abstention
            return ("unanswered" if worth else "wrong" if label else "unscored"), worth
        return (None if worth is None else verdict_of(worth)), worth
    if isinstance(value, dict):
        marks = {name: number(value.get(name)) for name in GRADES}
        named = [name for name, mark in marks.items() if mark == 1]
        if len(named) == 1 and set(value) <= set(GRADES):
            return GRADES[named[0]], None
        unscored = set(value) <= set(GRADES) and all(mark is None or math.isnan(mark) for mark in marks.values())
        return ("unscored" if unscored else None), None
    worth = number(value)
    return (None if worth is None and value is not None else verdict_of(worth)), worth


def scorers_in(header: dict, asked: list[tuple]) -> list[str]:
    """The scorers that samples have scores of, and those that the results list."""
    used = chain.from_iterable(scores for *_, scores, _ in asked)
    listed_by = [text(at(one, "scorer")) or text(at(one, "name")) for one in records(at(header, "results", "scores"))]
    return list(dict.fromkeys([*used, *filter(None, listed_by)]))


def statement(
    model: str, header: dict, scorer: str | None, samples: int, means: dict[str, list[tuple]], otherwise: int
) -> Statement:
    """The headline metric of a scorer, stated and recomputed.

    `means`: the samples and values that each metric averages; `otherwise`: how many samples Inspect counts differently.
    """
    results = at(header, "results")
    told, completed = whole(at(results, "total_samples")), whole(at(results, "completed_samples"))
    dataset, status = at(header, "eval", "dataset"), at(header, "status")
    chosen, available = at(dataset, "sample_ids"), whole(at(dataset, "samples"))
    notes = [f"status {shown(status)}"] if status not in ("success", None) else []
    if isinstance(chosen, list) and available is not None and len(chosen) < available:
        notes += [f"limited to {len(chosen)} of {available} samples of the data set"]
    notes += [f"{completed} of {told} samples completed"] if told and completed is not None and completed < told else []
    notes += logs.lacking(samples, told)
    notes += [] if results else ["stopped early: no results"]
    notes += [f"{plural(otherwise, 'sample')} not read as it counts them"] if otherwise else []
    notes += ["invalidated"] if at(header, "invalidated") is True else []
    own = [one for one in records(at(results, "scores")) if scorer in (at(one, "scorer"), at(one, "name"))]
    first, headline = (own or [{}])[0], at(results, "headline")
    metrics = at(first, "metrics")
    metrics = metrics if isinstance(metrics, dict) else {}
    of_headline = at(headline, "metric") if at(headline, "scorer") == scorer else None
    name = of_headline if of_headline in metrics else next(iter(metrics), None)
    stated = finite(at(metrics, str(name), "value"))
    if stated is None:
        return Statement(model, str(scorer or ""), None, None, told, "it states no metric of this scorer", tuple(notes))
    reducers = at(header, "eval", "config", "epochs_reducer") or at(first, "reducer") or ["mean"]
    recomputed = logs.mean_of_means(means.get(str(name), []))
    recomputed = 0.0 if name == "precision" and not means["precision"] else recomputed  # without answers it is 0
    why = ""
    if name not in means:
        why = f"a metric of its own, {shown(name)}"
    elif reducers not in (["mean"], "mean"):
        why = f"epochs are reduced by {shown(reducers)}"
    elif len(own) > 1 or recomputed is None:
        why = "its scores are no single numbers"
    said = Statement(model, f"{name} of {scorer}", stated, None if why else recomputed, told, why, tuple(notes))
    return said._replace(scorer=str(scorer))
