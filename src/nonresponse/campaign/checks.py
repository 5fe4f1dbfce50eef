"""What the models cannot see: sources, formats, words, votes, measures, gates and missing files of
a campaign."""

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from nonresponse import formats, measures, owners, tasks
from nonresponse.campaign import OWNERS, RESERVED, names, refusals, scenarios, votes
from nonresponse.campaign.completion import COLUMNS, YEARS, open_as, with_labels
from nonresponse.campaign.effects import explain_idle, find_idle
from nonresponse.campaign.options import (
    ANSWERS,
    SOURCES,
    is_judged,
    known_labels,
    needs_judgments,
)
from nonresponse.campaign.paths import file_problems
from nonresponse.campaign.validation import did_you_mean
from nonresponse.faults import shown
from nonresponse.statistics import SHARES

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
) -> Iterator[str]:
    """Yield what is wrong with a campaign that satisfies the models; `written` is without
    defaults."""
    key = f"campaigns.{name}"
    if name in RESERVED:
        yield f"{key}: results/{name} is the workflow's own; give the campaign another name"
    for own in (name, *campaign.get("scenarios", {})):
        if PERIODIC.search(own):
            why = "ends with 20 times the same, which Snakemake takes for a recursion"
            yield f"{key}: the name {shown(own)} {why}; give it another name"
    found = [name for name in SOURCES if any(part in campaign for part in SOURCES[name])]
    if len(found) != 1:
        said = ", ".join(found) or "none"
        yield (
            f"{key}: give runs and judgments, or graded, or counts, and only one of the "
            f"three; found {said}"
        )
        return
    [origin] = found
    for part in SOURCES[origin]:
        if part not in campaign:
            yield f"{key}: the key {part} is missing beside {origin}"
            return
    task = tasks.get(campaign["task"])
    if origin not in task.sources:
        yield f"{key}.{origin}: task {task.id} takes runs and judgments only"
        return
    for name in COLUMNS:
        if isinstance(campaign.get(name), str) and "questions" not in campaign:
            yield f"{key}.{name}: names a column of the question file; give `questions:`, too"
    yield from file_problems(key, campaign)
    for part in ("runs", "judgments", "graded", "counts"):
        allowed = formats.in_part(part, task.id)
        form = campaign[part].get("format") if isinstance(campaign.get(part), dict) else None
        if form and form not in allowed:
            yield (
                f"{key}.{part}.format: {form} is not for task {task.id}; allowed are "
                f"{', '.join(allowed)}"
            )
    idle = list(find_idle(written))
    yield from (f"{key}.{option}: {reason}" for option, reason in idle)
    if isinstance(counts := campaign.get("counts"), dict):
        known = ["run"] * ("run" not in counts) + [*task.counts]
        for name in counts.get("columns", {}).keys() - {*known}:
            hint = did_you_mean(name, known) or f"; allowed are {', '.join(known)}"
            yield f"{key}.counts.columns: unknown key {name}{hint}"
    if not idle:
        yield from find_word_problems(key, campaign, task)
        yield from refusals.problems(key, campaign)
        yield from find_assessor_problems(key, campaign)
    yield from find_measure_problems(key, campaign, origin)
    yield from names.problems(key, campaign, unpacked)
    for place, gate in enumerate(campaign.get("gates", [])):
        if problem := explain_gate(gate, campaign):
            yield f"{key}.gates.{place}: {problem}"
    for part in OWNERS:
        if part in campaign:
            yield from owners.problems(f"{key}.{part}", campaign[part])
    if "scenarios" in campaign and not idle:
        yield from find_scenario_problems(key, with_labels(campaign))
    first, last = campaign.get("years", YEARS)
    if first > last:
        yield f"{key}.years: the first year, {first}, comes after the last, {last}"


def find_word_problems(key: str, campaign: Mapping[str, Any], task: tasks.Task) -> Iterator[str]:
    """Yield words that are no labels or verdicts of the task, or have two meanings; `normalise` in
    only one part."""
    for part, lists in APART.items():
        words = campaign.get(part, {})
        for one, other in itertools.combinations(lists, 2):
            for word in sorted({*words.get(one, [])} & {*words.get(other, [])}):
                yield f"{key}.{part}.{other}: {shown(word)} is among {one}, too"
    if "judgments" in campaign:
        gold, known = campaign["judgments"], known_labels(campaign)
        used = {"labels": gold.get("labels", {}).values()}
        for option, labels in (
            used | {name: gold.get(name, []) for name in ("correct", "partial")}
        ).items():
            yield from (
                f"{key}.judgments.{option}: {no_label(one, known)}"
                for one in labels
                if one not in known
            )
    graded = campaign.get("graded", {})
    if graded.get("ignore") == "rest" and graded["layout"] == "wide":
        yield (
            f"{key}.graded.ignore: rest leaves no system; `systems:` names them, and all "
            "other columns are ignored"
        )
    for word, verdict in graded.get("verdicts", {}).items():
        if verdict not in task.words:
            allowed = ", ".join(task.words)
            yield (
                f"{key}.graded.verdicts.{word}: {verdict} is not for task {task.id}; allowed "
                f"are {allowed}"
            )
    spelt = sorted(
        ("normalise" in campaign[part], part) for part in ("runs", "judgments") if part in campaign
    )
    if len(spelt) == 2 and spelt[0][0] != spelt[1][0]:
        yield f"{key}.{spelt[1][1]}.normalise: has no effect without the same in {spelt[0][1]}"


def no_label(label: str, labels: list[str]) -> str:
    """Return a sentence that a label is none of those that the campaign's judgments may carry."""
    return f"{shown(label)} is not a label; allowed are {', '.join(labels)}"


def find_assessor_problems(key: str, campaign: Mapping[str, Any]) -> Iterator[str]:
    """Yield votes that can decide nothing; several assessors without an official one, or with a
    stranger as such."""
    scenarios_closed = any(
        scenario.get("closed") for scenario in campaign.get("scenarios", {}).values()
    )
    for part in {"judgments", "graded"} & campaign.keys():
        closed = campaign[part].get("closed", False) or scenarios_closed
        yield from votes.problems(
            f"{key}.{part}.official", campaign[part], closed, campaign["task"] in ANSWERS
        )
    graded = campaign.get("graded", {})
    assessors = list(graded.get("assessors", []))
    official = graded.get("official", *assessors[:1])
    if assessors and votes.vote_of(graded) is None and official not in assessors:
        yield (
            f"{key}.graded.official: {shown(graded['official'])} is none of {', '.join(assessors)}"
        )
    if len(assessors) > 1 and "official" not in graded:
        yield f"{key}.graded.official: is missing; name one of {', '.join(assessors)}"


def find_measure_problems(key: str, campaign: Mapping[str, Any], origin: str) -> Iterator[str]:
    """Yield measures that the task does not have, or that the campaign's source cannot serve."""
    task = campaign["task"]
    seen: dict[str, str] = {}
    for id in campaign.get("measures", []):
        try:
            measure = measures.get(task, open_as(campaign, id))
        except KeyError as error:
            known = list(measures.of_task(task))
            hint = did_you_mean(id, known) or "; docs/measures.md has those that there are"
            yield f"{key}.measures: {error.args[0]}{hint}"
            continue
        if measure.id in seen:
            yield (
                f"{key}.measures: {seen[measure.id]} and {id} are the same measure, "
                f"{measure.id}; name it once"
            )
        seen[measure.id] = id
        if unjudged := needs_judgments(campaign, measure.id):
            yield f"{key}.measures: {unjudged}"
        if origin == "counts" and measure.kind != "counts":
            yield (
                f"{key}.measures: {id} needs the single responses, and this campaign has "
                "only counts"
            )


def explain_gate(gate: Mapping[str, Any], campaign: Mapping[str, Any]) -> str:
    """Return why a gate cannot be evaluated; "" if it can."""
    limits = [name for name in LIMITS if name in gate]
    if len(limits) != 1:
        return (
            f"give one number: margin, at_most or at_least; found {' and '.join(limits) or 'none'}"
        )
    if "margin" in gate and "baseline" not in campaign:
        return "there is no baseline; name a run, `baseline:`"
    if gate["measure"] in SHARES:
        if limits != ["at_most"]:
            return f"{gate['measure']}, a share of the questions, has at_most"
        if gate["measure"] == "n_unscored" and not is_judged(campaign):
            return "beside `judged: false` all answers are unscored; gate on the measure answered"
        return ""
    try:
        return needs_judgments(campaign, measures.get(campaign["task"], gate["measure"]).id)
    except KeyError as error:
        return error.args[0]


def find_scenario_problems(key: str, campaign: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the scenarios of a campaign whose own options are sound."""
    labels = known_labels(campaign) if "judgments" in campaign else []
    seen: dict[str, dict] = {}
    for name, scenario in campaign["scenarios"].items():
        place = f"{key}.scenarios.{name}"
        own = "is the campaign as it is configured; give the scenario another name"
        wrong = [f"{place}: {scenarios.OFFICIAL} {own}"] if name == scenarios.OFFICIAL else []
        wrong += [
            f"{place}.{option}: {why}"
            for option in scenario
            if (
                why := explain_idle(
                    campaign, f"{'judgments.' * (option in scenarios.OF_JUDGMENTS)}{option}"
                )
            )
        ]
        wrong = wrong or [
            f"{place}.correct: {no_label(label, labels)}"
            for label in scenario.get("correct", [])
            if label not in labels
        ]
        if not wrong:
            seen[name] = scenarios.score_options(scenarios.in_scenario(campaign, scenario))
            same = next(other for other, says in seen.items() if says == seen[name])
            if same != name:
                wrong.append(f"{place}: says the same as {same}")
            elif len(campaign["scenarios"]) == 1 and seen[name] == scenarios.score_options(
                campaign
            ):
                wrong.append(f"{place}: says what the campaign says; name one that differs")
        yield from wrong
