"""Complete a campaign: what depends on other keys, on the records of formats and tasks, or on a
table of names."""

import re
from collections.abc import Mapping
from typing import Any

from nonresponse import formats, measures, tasks
from nonresponse.campaign import names, refusals, votes
from nonresponse.campaign.options import ANSWERS, UNJUDGED, is_judged, source
from nonresponse.campaign.paths import questions_file
from nonresponse.ingest.files import match_files
from nonresponse.settings import Files
from nonresponse.tasks import MISSING_BY_SOURCE

YEARS = [1801, 1944]  # those of DEFT 2011
COLUMNS = ("cluster", "options")  # options that may name a column of the question file
READ_WITH_OPTIONS = {"runs", "judgments", "graded", "questions"}


def complete(campaign: dict, unpacked: dict) -> None:
    """Fill in what depends on other keys; also `measures_named` (whether the campaign names any)
    and `aliases`."""
    task = tasks.get(campaign["task"])
    complete_questions(campaign)
    if "names" in campaign:
        names.complete(campaign, unpacked)
    for part in READ_WITH_OPTIONS & campaign.keys():
        campaign[part]["unpacked"] = unpacked
        for option in {*refusals.OPTIONS} & campaign[part].keys():
            campaign[part][option] = refusals.with_lists(campaign[part][option])
    if source(campaign) in MISSING_BY_SOURCE:
        campaign.setdefault("missing", MISSING_BY_SOURCE[source(campaign)])
    if task.years:
        campaign.setdefault("years", YEARS)
        for part in ("runs", "judgments"):
            campaign[part]["years"] = campaign["years"]
    campaign |= with_labels(campaign)
    for part in {"judgments", "graded"} & campaign.keys():
        if task.id in ANSWERS:
            campaign[part] = votes.with_official(campaign[part])
    if not is_judged(campaign):
        campaign["error"] = "exclude"  # an error is neither an answer nor an abstention
    named = {
        id: measures.get(task.id, open_as(campaign, id)).id for id in campaign.get("measures", [])
    }
    for gate in campaign.get("gates", []):
        gate["measure"] = open_as(campaign, gate["measure"])
    campaign["measures_named"] = bool(named)
    campaign["aliases"] = {alias: id for alias, id in named.items() if alias != id}
    campaign["measures"] = [*named.values()] or default_measures(campaign, unpacked)


def complete_questions(campaign: dict) -> None:
    """Complete the table of questions: the file of a log that has them, and the columns that other
    options name."""
    log = formats.LOGS.get(campaign.get("graded", {}).get("format"))
    if log and log.questions in campaign["graded"] and "questions" not in campaign:
        campaign["questions"] = {"file": campaign["graded"][log.questions], "format": log.id}
    if file := questions_file(campaign):
        asked = campaign["questions"] if isinstance(campaign["questions"], dict) else {}
        columns = {name: campaign[name] for name in COLUMNS if isinstance(campaign.get(name), str)}
        columns = asked.get("columns", {}) | columns
        campaign["questions"] = {"file": file, **asked, **({"columns": columns} if columns else {})}
    if (gold := campaign.get("judgments")) and formats.FORMATS[gold["format"]].choices:
        # The column of the questions that is filled from the gold standard
        campaign.setdefault("options", "options")


def default_measures(campaign: Mapping[str, Any], unpacked: dict) -> list[str]:
    """Return the ids of the measures of a complete campaign that names none: those that it can
    have."""
    task, part = tasks.get(campaign["task"]), campaign[source(campaign)]
    every, unanswerable = measures.of_task(task.id), says_unanswerable(campaign)
    if not is_judged(campaign):
        return [*UNJUDGED] if unanswerable else [UNJUDGED[0]]
    known = [measure for measure in every.values() if measure.by_default]
    if task.log_measures and isinstance(part, dict) and part.get("format") in formats.LOGS:
        known = [every[id] for id in task.log_measures]
    if unanswerable:
        first = [every[id] for id in task.unanswerable_measures]
        others = known if source(campaign) == "runs" else []
        known = first + [measure for measure in others if measure not in first]
    record = formats.FORMATS.get(campaign.get("judgments", {}).get("format"))
    if record and record.headed_by:
        known.sort(key=lambda measure: measure.id != record.headed_by)
    if source(campaign) == "counts":
        counts = counts_in(campaign, unpacked)
        known = [one for one in known if one.kind == "counts" and counts >= set(one.totals)]
    else:
        told = facts(campaign)
        known = [measure for measure in known if told >= set(measure.needs)]
    return [open_as(campaign, measure.id) for measure in known]


def open_as(campaign: Mapping[str, Any], id: str) -> str:
    """Return the id of a measure; under `open: rejected`, f (by itself or in a combination) becomes
    f_2024."""
    return re.sub(r"\bf@", "f_2024@", id) if "open" in campaign else id


def says_unanswerable(campaign: Mapping[str, Any]) -> bool:
    """Return whether graded responses may say that questions have no answer, or the question file
    says so of some."""
    graded, asked = campaign.get("graded", {}), campaign.get("questions", {})
    log = formats.LOGS.get(graded.get("format", asked.get("format")))
    saying = {"has_answer", "unanswerable"} & graded.get("columns", {}).keys()
    if (log and log.unanswerable) or saying:
        return True
    if campaign["task"] not in ANSWERS or not asked or asked.get("format") not in (None, "tabular"):
        return False
    from nonresponse.formats.tabular import read_questions
    from nonresponse.formats.text import there

    if not there(asked["file"]):
        return False
    questions, faults = read_questions(asked["file"], asked)
    return not faults and "has_answer" in questions.columns and not questions["has_answer"].all()


def facts(campaign: Mapping[str, Any]) -> set[str]:
    """Return what single responses and their judgments may tell, as far as the configuration shows;
    see measures.FACTS."""
    part = campaign[source(campaign)]
    if log := formats.LOGS.get(part["format"]):
        return {*log.tells} if part.keys() >= {*log.told_with} else set()
    told = {"withheld"} if "answer_from" in part else set()
    if source(campaign) == "graded":
        return set() if part["layout"] == "wide" else {"scores", "ranks"} | told
    gold, told_by = campaign["judgments"], tasks.get(campaign["task"]).fact_labels
    told |= {"key", *formats.FORMATS[part["format"]].tells, *formats.FORMATS[gold["format"]].tells}
    named = {*gold.get("correct", []), *gold.get("partial", []), *gold.get("labels", {}).values()}
    by_label = {fact for fact, labels in told_by.items() if named & {*labels}}
    return told | by_label | ({"nil"} & part.keys())


def with_labels(campaign: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the campaign with the labels that are correct by default, and the words for NIL;
    references are a closed key."""
    if "judgments" not in campaign:
        return campaign
    task, gold = tasks.get(campaign["task"]), campaign["judgments"]
    correct = {"correct": list(task.correct or formats.FORMATS[gold["format"]].correct)}
    runs = campaign["runs"]
    nil = runs.get("nil", ["NIL"] if "nil" in formats.FORMATS[runs["format"]].tells else [])
    # In a key, a word for no answer says that a question has none.
    nil = list(dict.fromkeys([*nil, *(runs.get("unanswered", []) if gold.get("closed") else [])]))
    # Else it is not judged, or its judgments are ignored
    if nil and formats.FORMATS[gold["format"]].judges_nil:
        gold = gold | {"nil": nil}
    return {**campaign, "judgments": gold | {"closed": True} if task.references else correct | gold}


def counts_in(campaign: Mapping[str, Any], unpacked: dict) -> set[str]:
    """Return the counts that a published table holds, from its first line, and those that follow
    from them."""
    from nonresponse.formats.counts import mapped

    task, counts = tasks.get(campaign["task"]), campaign["counts"]
    options: Files = counts if isinstance(counts, dict) else {}
    parts = {name: count.none_without for name, count in task.counts.items() if count.none_without}
    if options.get("format") in formats.LOGS:
        # These counts are 0: no such log has partly correct answers.
        return {*task.required, "n", *parts} | task.derived
    files = match_files(counts["files"]).files if options else [counts]
    read = [mapped(file, options | {"unpacked": unpacked}) for file in files]
    # A table with faults is assumed to have the required counts; the check says what they are.
    each = [{*task.required} if faults else {*frame.columns} for frame, faults in read] or [set()]
    known = set.intersection(*each) | task.derived
    return known | {name for name, whole in parts.items() if whole not in known}  # these are 0
