"""What the models cannot see: sources, formats, words, votes, measures, gates and missing files of
a campaign.

A problem is a key of the campaign, such as runs.files or "", and a sentence.
"""

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from nonresponse import formats, measures, owners, tasks
from nonresponse.campaign import RESERVED, names, refusals, scenarios, votes
from nonresponse.campaign.completion import COLUMNS, YEARS, open_as, with_labels
from nonresponse.campaign.effects import explain_idle, find_idle
from nonresponse.campaign.options import ANSWERS, SOURCES, is_judged, known_labels, needs_judgments
from nonresponse.campaign.paths import find_path_problems
from nonresponse.campaign.validation import did_you_mean, instead
from nonresponse.faults import quote
from nonresponse.statistics import SHARES

Problem = tuple[str, str]

PERIODIC = re.compile(r"(.+)\1{19}$")
# Keys of a part whose lists may not share a word, which would have two meanings.
APART = {
    "runs": ("failed", "unanswered", "nil"),
    "judgments": ("correct", "partial"),
    "graded": ("missing", "failed", "unanswered"),
}
LIMITS = ("margin", "at_most", "at_least")  # of gates


def find_problems(
    name: str, campaign: Mapping[str, Any], written: dict, unpacked: dict
) -> Iterator[Problem]:
    """Yield what is wrong with a campaign that satisfies the models; `written` is without
    defaults."""
    problems = list(find_name_problems(name, campaign))
    unfit = list(find_source_problems(campaign))
    problems += unfit or find_option_problems(campaign, written, unpacked)
    for key, problem in problems:
        yield f"campaigns.{name}{f'.{key}' * bool(key)}", problem


def find_name_problems(name: str, campaign: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield names of a campaign and of its scenarios that cannot name a folder of results."""
    if name in RESERVED:
        yield "", f"results/{name} is the workflow's own; give the campaign another name"
    for own in (name, *campaign.get("scenarios", {})):
        if PERIODIC.search(own):
            why = "ends with 20 times the same, which Snakemake takes for a recursion"
            yield "", f"the name {quote(own)} {why}; give it another name"


def find_source_problems(campaign: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield why it is not clear where the data come from; then nothing else can be checked."""
    found = [name for name in SOURCES if {*SOURCES[name]} & campaign.keys()]
    if len(found) != 1:
        sources = "give runs and judgments, or graded, or counts, and only one of the three"
        yield "", f"{sources}; found {', '.join(found) or 'none'}"
        return
    [origin], task = found, tasks.get(campaign["task"])
    if missing := [part for part in SOURCES[origin] if part not in campaign]:
        yield "", f"the key {missing[0]} is missing beside {origin}"
    elif origin not in task.sources:
        yield origin, f"task {task.id} takes runs and judgments only"


def find_option_problems(
    campaign: Mapping[str, Any], written: dict, unpacked: dict
) -> Iterator[Problem]:
    """Yield what is wrong with the options of a campaign with one source."""
    task = tasks.get(campaign["task"])
    for name in COLUMNS:
        if isinstance(campaign.get(name), str) and "questions" not in campaign:
            yield name, "names a column of the question file; give `questions:`, too"
    yield from find_path_problems(campaign)
    parts = {name: part for name, part in campaign.items() if isinstance(part, dict)}
    for part in ("runs", "judgments", "graded", "counts"):
        form, allowed = parts.get(part, {}).get("format"), formats.in_part(part, task.id)
        if form and form not in allowed:
            reason = f"{form} is not for task {task.id}; allowed are {', '.join(allowed)}"
            yield f"{part}.format", reason
    idle = list(find_idle(written))
    yield from idle
    known = ["run"] * ("run" not in parts.get("counts", {})) + [*task.counts]
    for name in parts.get("counts", {}).get("columns", {}).keys() - {*known}:
        yield "counts.columns", f"unknown key {name}{instead(name, known)}"
    if not idle:
        yield from find_word_problems(campaign, task)
        yield from refusals.find_problems(campaign)
        yield from find_assessor_problems(campaign)
        yield from find_scenario_problems(with_labels(campaign))
    yield from find_measure_problems(campaign)
    yield from names.find_problems(campaign, unpacked)
    for index, gate in enumerate(campaign.get("gates", [])):
        if problem := explain_gate(gate, campaign):
            yield f"gates.{index}", problem
    if "systems" in campaign:
        yield from owners.find_problems(campaign["systems"])
    first, last = campaign.get("years", YEARS)
    if first > last:
        yield "years", f"the first year, {first}, comes after the last, {last}"


def find_word_problems(campaign: Mapping[str, Any], task: tasks.Task) -> Iterator[Problem]:
    """Yield words that are no labels or verdicts of the task, or have two meanings; `normalise` in
    only one part."""
    for part, lists in APART.items():
        words = campaign.get(part, {})
        for one, other in itertools.combinations(lists, 2):
            for word in sorted({*words.get(one, [])} & {*words.get(other, [])}):
                yield f"{part}.{other}", f"{quote(word)} is among {one}, too"
    if gold := campaign.get("judgments"):
        used = gold | {"labels": [*gold.get("labels", {}).values()]}
        for option in ("labels", "correct", "partial"):
            yield from find_strange_labels(
                f"judgments.{option}", used.get(option, []), known_labels(campaign)
            )
    graded = campaign.get("graded", {})
    if graded.get("ignore") == "rest" and graded["layout"] == "wide":
        why = "`systems:` names them, and all other columns are ignored"
        yield "graded.ignore", f"rest leaves no system; {why}"
    for word, verdict in graded.get("verdicts", {}).items():
        if verdict not in task.words:
            reason = f"{verdict} is not for task {task.id}; allowed are {', '.join(task.words)}"
            yield f"graded.verdicts.{word}", reason
    spelt = {part: "normalise" in campaign.get(part, {}) for part in ("runs", "judgments")}
    if "runs" in campaign and len({*spelt.values()}) > 1:
        without, having = sorted(spelt, key=lambda part: spelt[part])
        yield f"{having}.normalise", f"has no effect without the same in {without}"


def find_strange_labels(key: str, used: list[str], known: list[str]) -> Iterator[Problem]:
    """Yield labels that are none of those that the campaign's judgments may carry."""
    for label in used:
        if label not in known:
            yield key, f"{quote(label)} is not a label; allowed are {', '.join(known)}"


def find_assessor_problems(campaign: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield votes that can decide nothing; several assessors without an official one, or with a
    stranger as such."""
    closed = any(scenario.get("closed") for scenario in campaign.get("scenarios", {}).values())
    for name in {"judgments", "graded"} & campaign.keys():
        part, voting = campaign[name], campaign["task"] in ANSWERS
        for problem in votes.find_problems(part, part.get("closed", False) or closed, voting):
            yield f"{name}.official", problem
    graded = campaign.get("graded", {})
    assessors = list(graded.get("assessors", []))
    official = graded.get("official", *assessors[:1])
    if assessors and votes.vote_of(graded) is None and official not in assessors:
        yield "graded.official", f"{quote(official)} is none of {', '.join(assessors)}"
    if len(assessors) > 1 and "official" not in graded:
        yield "graded.official", f"is missing; name one of {', '.join(assessors)}"


def find_measure_problems(campaign: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield measures that the task does not have, or that the campaign's source cannot serve."""
    task = campaign["task"]
    seen: dict[str, str] = {}
    for id in campaign.get("measures", []):
        try:
            measure = measures.get(task, open_as(campaign, id))
        except KeyError as error:
            hint = did_you_mean(id, list(measures.of_task(task)))
            yield (
                "measures",
                error.args[0] + (hint or "; docs/measures.md has those that there are"),
            )
            continue
        if other := seen.get(measure.id):
            same = f"{other} and {id} are the same measure, {measure.id}"
            yield "measures", f"{same}; name it once"
        seen[measure.id] = id
        if unjudged := needs_judgments(campaign, measure.id):
            yield "measures", unjudged
        if "counts" in campaign and measure.kind != "counts":
            reason = "needs the single responses, and this campaign has only counts"
            yield "measures", f"{id} {reason}"


def explain_gate(gate: Mapping[str, Any], campaign: Mapping[str, Any]) -> str:
    """Return why a gate cannot be evaluated; "" if it can."""
    limits, measure = [name for name in LIMITS if name in gate], gate["measure"]
    if len(limits) != 1:
        found = " and ".join(limits) or "none"
        return f"give one number: margin, at_most or at_least; found {found}"
    if "margin" in gate and "baseline" not in campaign:
        return "there is no baseline; name a run, `baseline:`"
    if measure in SHARES:
        if limits != ["at_most"]:
            return f"{measure}, a share of the questions, has at_most"
        if measure == "n_unscored" and not is_judged(campaign):
            return "beside `judged: false` all answers are unscored; gate on the measure answered"
        return ""
    try:
        return needs_judgments(campaign, measures.get(campaign["task"], measure).id)
    except KeyError as error:
        return error.args[0]


def find_scenario_problems(campaign: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is wrong with the scenarios of a campaign whose own options are sound."""
    own, of_all = scenarios.score_options(campaign), campaign.get("scenarios", {})
    seen: dict[str, dict] = {}
    for name, scenario in of_all.items():
        key, found = f"scenarios.{name}", list[Problem]()
        if name == scenarios.OFFICIAL:
            is_own = "official is the campaign as it is configured"
            found.append((key, f"{is_own}; give the scenario another name"))
        for option in scenario:
            whole = f"{'judgments.' * (option in scenarios.OF_JUDGMENTS)}{option}"
            if why := explain_idle(campaign, whole):
                found.append((f"{key}.{option}", why))
        if not found and "correct" in scenario:
            known = known_labels(campaign)
            found += find_strange_labels(f"{key}.correct", scenario["correct"], known)
        if not found:
            seen[name] = scenarios.score_options(scenarios.in_scenario(campaign, scenario))
            same = next(other for other, says in seen.items() if says == seen[name])
            if same != name:
                found.append((key, f"says the same as {same}"))
            elif len(of_all) == 1 and seen[name] == own:
                found.append((key, "says what the campaign says; name one that differs"))
        yield from found
