"""Checks beyond the types of keys: sources, formats, words, votes, measures, gates and missing
files of a campaign.

A problem is a key of the campaign, such as runs.files or "", and a sentence.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from nonresponse import formats, measures, owners, tasks
from nonresponse.campaign import RESERVED, refusals, scenarios, votes
from nonresponse.campaign.completion import complete_labels, resolve_measure
from nonresponse.campaign.effects import explain_idle, find_idle
from nonresponse.campaign.options import ANSWERS, SOURCES, explain_unjudged, is_judged, list_labels
from nonresponse.campaign.paths import find_path_problems
from nonresponse.campaign.validation import suggest_word
from nonresponse.faults import quote
from nonresponse.statistics import SHARES

Problem = tuple[str, str]

# Keys of a part whose lists may not share a word, which would have two meanings.
DISJOINT_LISTS = {
    "runs": ("failed", "unanswered", "nil"),
    "judgments": ("correct", "partial"),
    "graded": ("missing", "failed", "unanswered"),
}
LIMITS = ("margin", "at_most", "at_least")  # of gates


def find_problems(
    name: str, campaign: Mapping[str, Any], campaign_as_written: dict
) -> Iterator[Problem]:
    """Yield what is wrong with a campaign that satisfies the models, before and after defaults."""
    problems = list[Problem]()
    if name in RESERVED:
        problems.append(("", f"results/{name} is the workflow's own; give it another name"))
    unfit = list(find_source_problems(campaign))
    problems += unfit or find_option_problems(campaign, campaign_as_written)
    for key, problem in problems:
        yield f"campaigns.{name}{f'.{key}' * bool(key)}", problem


def find_source_problems(campaign: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield why it is not clear where the data come from; then nothing else can be checked."""
    sources = [name for name in SOURCES if {*SOURCES[name]} & campaign.keys()]
    if len(sources) != 1:
        expected = "give runs and judgments, or graded, or counts, and only one of the three"
        yield "", f"{expected}; found {', '.join(sources) or 'none'}"
        return
    [origin], task = sources, tasks.get(campaign["task"])
    if missing := [part for part in SOURCES[origin] if part not in campaign]:
        yield "", f"the key {missing[0]} is missing beside {origin}"
    elif origin not in task.sources:
        yield origin, f"task {task.id} takes runs and judgments only"


def find_option_problems(
    campaign: Mapping[str, Any], campaign_as_written: dict
) -> Iterator[Problem]:
    """Yield what is wrong with the options of a campaign with one source."""
    task = tasks.get(campaign["task"])
    if "cluster" in campaign and "questions" not in campaign:
        yield "cluster", "names a column of the question file; give `questions:`, too"
    yield from find_path_problems(campaign)
    parts = {name: part for name, part in campaign.items() if isinstance(part, dict)}
    for part in ("runs", "judgments", "graded", "counts"):
        format, allowed = parts.get(part, {}).get("format"), formats.list_formats(part, task.id)
        if format and format not in allowed:
            reason = f"{format} is not for task {task.id}; allowed are {', '.join(allowed)}"
            yield f"{part}.format", reason
    idle = list(find_idle(campaign_as_written))
    yield from idle
    counts = parts.get("counts", {})
    columns = ["run"] * ("run" not in counts) + [*task.counts]
    for name in counts.get("columns", {}):
        if name not in columns:
            hint = suggest_word(name, columns) or f"; allowed are {', '.join(columns)}"
            yield "counts.columns", f"unknown key {name}{hint}"
    if not idle:
        yield from find_word_problems(campaign, task)
        yield from refusals.find_problems(campaign)
        yield from find_assessor_problems(campaign)
        yield from find_scenario_problems(complete_labels(campaign))
    yield from find_measure_problems(campaign)
    for index, gate in enumerate(campaign.get("gates", [])):
        if problem := explain_gate(gate, campaign):
            yield f"gates.{index}", problem
    if "systems" in campaign:
        yield from owners.find_problems(campaign["systems"])


def find_word_problems(campaign: Mapping[str, Any], task: tasks.Task) -> Iterator[Problem]:
    """Yield words with no meaning in the task, or with two, and `normalise` in only one part."""
    for part, lists in DISJOINT_LISTS.items():
        words = campaign.get(part, {})
        for name, other_name in itertools.combinations(lists, 2):
            for word in sorted({*words.get(name, [])} & {*words.get(other_name, [])}):
                yield f"{part}.{other_name}", f"{quote(word)} is among {name}, too"
    if gold := campaign.get("judgments"):
        allowed = list_labels(campaign)
        yield from find_unknown("judgments.labels", gold.get("labels", {}).values(), allowed)
        for option in ("correct", "partial"):
            yield from find_unknown(f"judgments.{option}", gold.get(option, []), allowed)
    graded = campaign.get("graded", {})
    if graded.get("layout") == "wide" and "systems" not in graded:
        yield "graded.systems", "is missing; layout wide has a column for each of them"
    for word, verdict in graded.get("verdicts", {}).items():
        if verdict not in task.words:
            reason = f"{verdict} is not for task {task.id}; allowed are {', '.join(task.words)}"
            yield f"graded.verdicts.{word}", reason
    if "runs" in campaign:
        for part, partner in (("runs", "judgments"), ("judgments", "runs")):
            if "normalise" in campaign[part] and "normalise" not in campaign[partner]:
                yield f"{part}.normalise", f"has no effect without the same in {partner}"


def find_unknown(key: str, labels: Iterable[str], allowed: list[str]) -> Iterator[Problem]:
    """Yield labels that are none of those that the campaign's judgments may carry."""
    for label in labels:
        if label not in allowed:
            yield key, f"{quote(label)} is not a label; allowed are {', '.join(allowed)}"


def find_assessor_problems(campaign: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield votes that can decide nothing, and assessors without one of them as the official."""
    closed = any(scenario.get("closed") for scenario in campaign.get("scenarios", {}).values())
    for name in {"judgments", "graded"} & campaign.keys():
        part, voting = campaign[name], campaign["task"] in ANSWERS
        for problem in votes.find_problems(part, part.get("closed", False) or closed, voting):
            yield f"{name}.official", problem
    graded = campaign.get("graded", {})
    assessors = list(graded.get("assessors", []))
    official = graded.get("official", *assessors[:1])
    if assessors and votes.parse_vote(graded) is None and official not in assessors:
        yield "graded.official", f"{quote(official)} is none of {', '.join(assessors)}"
    if len(assessors) > 1 and "official" not in graded:
        yield "graded.official", f"is missing; name one of {', '.join(assessors)}"


def suggest_measure(id: str, task: str) -> str:
    """Return the nearest measure to a misspelt one, or where all are, as a remark; "" if what is
    wrong is not its name."""
    if "(" in id or (task, id.partition("@")[0]) in measures.REGISTRY:
        return ""
    hint = suggest_word(id, list(measures.load_measures(task)))
    return hint or "; docs/measures.md has all of them"


def find_measure_problems(campaign: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield measures that the task does not have, or that the campaign's source cannot serve."""
    task = campaign["task"]
    given_ids: dict[str, str] = {}
    for id in campaign.get("measures", []):
        try:
            measure = measures.get(task, resolve_measure(campaign, id))
        except KeyError as error:
            yield "measures", f"{error.args[0]}{suggest_measure(id, task)}"
            continue
        if previous := given_ids.get(measure.id):
            problem = f"{previous} and {id} are the same measure, {measure.id}"
            yield "measures", f"{problem}; name it once"
        given_ids[measure.id] = id
        if reason := explain_unjudged(campaign, measure.id):
            yield "measures", reason
        if "counts" in campaign and measure.kind != "counts":
            reason = "needs the single responses, and this campaign has only counts"
            yield "measures", f"{id} {reason}"


def explain_gate(gate: Mapping[str, Any], campaign: Mapping[str, Any]) -> str:
    """Return why a gate cannot be evaluated; "" if it can."""
    limits, measure = [name for name in LIMITS if name in gate], gate["measure"]
    if len(limits) != 1:
        names = " and ".join(limits) or "none"
        return f"give one number: margin, at_most or at_least; found {names}"
    if "margin" in gate and "baseline" not in campaign:
        return "there is no baseline; name a run, `baseline:`"
    ends: tuple[float | None, float | None] = (0, 1)
    if measure in SHARES:
        if limits != ["at_most"]:
            return f"{measure}, a share of the questions, has at_most"
        if measure == "n_unscored" and not is_judged(campaign):
            return "beside `judged: false` all answers are unscored; gate on the measure answered"
    else:
        try:
            record = measures.get(campaign["task"], resolve_measure(campaign, measure))
        except KeyError as error:
            return f"{error.args[0]}{suggest_measure(measure, campaign['task'])}"
        if reason := explain_unjudged(campaign, record.id):
            return reason
        ends = record.range
    low, high = (-math.inf if ends[0] is None else ends[0]), (ends[1] or math.inf)
    if limits == ["margin"]:
        low, high = 0, high - low
    if not low <= gate[limits[0]] <= high:
        number = f"found {limits[0]} {gate[limits[0]]:g}; expected"
        return f"{number} a number from {low:g} to {high:g}, as {measure} has no other"
    return ""


def find_scenario_problems(campaign: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is wrong with the scenarios of a campaign whose own options are sound."""
    for name, scenario in campaign.get("scenarios", {}).items():
        key = f"scenarios.{name}"
        if name == scenarios.OFFICIAL:
            reason = "official is the campaign as it is configured"
            yield key, f"{reason}; give the scenario another name"
        for option in scenario:
            prefix = "judgments." * (option in scenarios.LABEL_OPTIONS)
            if idle := explain_idle(campaign, f"{prefix}{option}"):
                yield f"{key}.{option}", idle
            elif option == "correct":
                yield from find_unknown(f"{key}.correct", scenario[option], list_labels(campaign))
