"""Complete a campaign: what follows from other keys, or from records."""

import re
from collections.abc import Mapping
from typing import Any

from nonresponse import formats, measures, tasks
from nonresponse.campaign import refusals, votes
from nonresponse.campaign.options import ANSWERS, UNJUDGED, find_source, is_judged
from nonresponse.campaign.paths import find_question_file
from nonresponse.ingest.files import match_files
from nonresponse.settings import Files
from nonresponse.tasks import MISSING_BY_SOURCE

READ_WITH_OPTIONS = {"runs", "judgments", "graded", "questions"}


def complete(campaign: dict) -> None:
    """Fill in what follows from other keys, with `measures_named` and `aliases` of measures."""
    task = tasks.get(campaign["task"])
    complete_questions(campaign)
    if "names" in campaign:
        complete_names(campaign)
    for part in READ_WITH_OPTIONS & campaign.keys():
        for option in {*refusals.OPTIONS} & campaign[part].keys():
            campaign[part][option] = refusals.expand_lists(campaign[part][option])
    if find_source(campaign) in MISSING_BY_SOURCE:
        campaign.setdefault("missing", MISSING_BY_SOURCE[find_source(campaign)])
    campaign |= complete_labels(campaign)
    for part in {"judgments", "graded"} & campaign.keys():
        if task.id in ANSWERS:
            campaign[part] = votes.add_vote(campaign[part])
    if not is_judged(campaign):
        campaign["error"] = "exclude"  # an error is neither an answer nor an abstention
    measure_ids = {
        id: measures.get(task.id, resolve_measure(campaign, id)).id
        for id in campaign.get("measures", [])
    }
    for gate in campaign.get("gates", []):
        gate["measure"] = resolve_measure(campaign, gate["measure"])
    campaign["measures_named"] = bool(measure_ids)
    campaign["aliases"] = {alias: id for alias, id in measure_ids.items() if alias != id}
    campaign["measures"] = [*measure_ids.values()] or choose_measures(campaign)


def complete_questions(campaign: dict) -> None:
    """Complete the table of questions: a log's own file, and the columns that options name."""
    log = formats.LOGS.get(campaign.get("graded", {}).get("format"))
    if log and log.questions in campaign["graded"] and "questions" not in campaign:
        campaign["questions"] = {"file": campaign["graded"][log.questions], "format": log.id}
    if file := find_question_file(campaign):
        questions = campaign["questions"] if isinstance(campaign["questions"], dict) else {}
        columns = {"cluster": campaign["cluster"]} if "cluster" in campaign else {}
        if columns := questions.get("columns", {}) | columns:
            questions = questions | {"columns": columns}
        campaign["questions"] = {"file": file, **questions}


def complete_names(campaign: dict) -> None:
    """Give the new names of runs to all parts that name runs."""
    for part in ("runs", "judgments", "graded"):
        if part in campaign:
            campaign[part]["names"] = campaign["names"]
    if "run" in campaign.get("questions", {}).get("columns", {}):
        campaign["questions"]["names"] = campaign["names"]


def choose_measures(campaign: Mapping[str, Any]) -> list[str]:
    """Return the ids of the measures that a complete campaign can have and that fit it."""
    source, task = find_source(campaign), tasks.get(campaign["task"])
    part = campaign[source]
    task_measures, unanswerable = measures.load_measures(task.id), says_unanswerable(campaign)
    if not is_judged(campaign):
        return [*UNJUDGED] if unanswerable else [UNJUDGED[0]]
    candidates = [measure for measure in task_measures.values() if measure.is_default]
    if task.log_measures and isinstance(part, dict) and part.get("format") in formats.LOGS:
        candidates = [task_measures[id] for id in task.log_measures]
    if unanswerable:
        leading = [task_measures[id] for id in task.unanswerable_measures]
        following = candidates if source == "runs" else []
        candidates = leading + [measure for measure in following if measure not in leading]
    record = formats.FORMATS.get(campaign.get("judgments", {}).get("format"))
    if record and record.headed_by:
        candidates.sort(key=lambda measure: measure.id != record.headed_by)
    if source == "counts":
        counts = list_counts(campaign)
        candidates = [m for m in candidates if m.kind == "counts" and counts >= set(m.totals)]
    else:
        facts = find_facts(campaign)
        candidates = [measure for measure in candidates if facts >= set(measure.needs)]
    return [resolve_measure(campaign, measure.id) for measure in candidates]


def resolve_measure(campaign: Mapping[str, Any], id: str) -> str:
    """Return the id of a measure. Under `open: rejected`, f becomes f_2024, also if combined."""
    return re.sub(r"\bf@", "f_2024@", id) if "open" in campaign else id


def says_unanswerable(campaign: Mapping[str, Any]) -> bool:
    """Return whether graded responses, or the question file, may name unanswerable questions."""
    graded, questions = campaign.get("graded", {}), campaign.get("questions", {})
    log = formats.LOGS.get(graded.get("format", questions.get("format")))
    columns = {"has_answer", "unanswerable"} & graded.get("columns", {}).keys()
    if (log and log.unanswerable) or columns:
        return True
    tabular = questions and questions.get("format") in (None, "tabular")
    if campaign["task"] not in ANSWERS or not tabular:
        return False
    from nonresponse.formats.tabular import read_questions
    from nonresponse.formats.text import is_file

    if not is_file(questions["file"]):
        return False
    table, faults = read_questions(questions["file"], questions)
    return not faults and "has_answer" in table.columns and not table["has_answer"].all()


def find_facts(campaign: Mapping[str, Any]) -> set[str]:
    """Return which facts (measures.FACTS) responses may tell, as far as the options show."""
    part = campaign[find_source(campaign)]
    if log := formats.LOGS.get(part["format"]):
        return {*log.tells} if part.keys() >= {*log.needs_options} else set()
    facts = {"withheld"} if "answer_from" in part else set()
    if find_source(campaign) == "graded":
        return set() if part["layout"] == "wide" else {"scores", "ranks"} | facts
    gold, fact_labels = campaign["judgments"], tasks.get(campaign["task"]).fact_labels
    gold_labels = {
        *gold.get("correct", []),
        *gold.get("partial", []),
        *gold.get("labels", {}).values(),
    }
    facts |= {fact for fact, labels in fact_labels.items() if gold_labels & {*labels}}
    facts |= {*formats.FORMATS[part["format"]].tells, *formats.FORMATS[gold["format"]].tells}
    return facts | {"key"} | ({"nil"} & part.keys())


def complete_labels(campaign: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the campaign with default labels and the words for NIL. References are closed."""
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


def list_counts(campaign: Mapping[str, Any]) -> set[str]:
    """Return the counts that the first line of a published table has, and those that follow."""
    from nonresponse.formats.counts import read_columns

    task, counts = tasks.get(campaign["task"]), campaign["counts"]
    options: Files = counts if isinstance(counts, dict) else {}
    parts = {name: count.none_without for name, count in task.counts.items() if count.none_without}
    if options.get("format") in formats.LOGS:
        # These counts are 0: no such log has partly correct answers.
        return {*task.required, "n", *parts} | task.derived
    files = match_files(counts["files"]).files if options else [counts]
    tables = [read_columns(file, options, task) for file in files]
    # A table with faults is assumed to have the required counts; the check says what they are.
    columns = [{*task.required} if faults else {*frame.columns} for frame, faults in tables]
    table_counts = set.intersection(*columns or [set()]) | task.derived
    zero = {name for name, container in parts.items() if container not in table_counts}
    return table_counts | zero
