"""config.yaml, checked as a whole before any job starts, each problem in a sentence; imports nothing heavy."""

import copy
import itertools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from nonresponse import formats, measures, owners, tasks
from nonresponse.config import gates, options, refusals, scenarios, schema, votes
from nonresponse.config import names as run_names
from nonresponse.config.options import SOURCES, source
from nonresponse.config.paths import file_problems, questions_file
from nonresponse.faults import shown
from nonresponse.ingest.files import matched
from nonresponse.settings import Files
from nonresponse.tasks import MISSING_BY_SOURCE, POLICIES

RESERVED = ("benchmarks", "logs", "previous")
PERIODIC = re.compile(r"(.+)\1{19}$")
YEARS = [1801, 1944]  # those of DEFT 2011
# Options of a part whose lists may not share a word, which would have two meanings.
APART = {
    "runs": ("failed", "unanswered", "nil"),
    "judgments": ("correct", "partial"),
    "graded": ("missing", "failed", "unanswered"),
}
OWNERS = {"systems": 2, "participants": 1}  # options that assign runs to owners; runs that at least one must have
COLUMNS = ("cluster", "options")  # options that may name a column of the question file
READ_WITH_OPTIONS = {"runs", "judgments", "graded", "questions"}


class ConfigError(Exception):
    """What is wrong with the configuration, a sentence per line."""


def checked(config: dict, schema_file: Path, called: str = "config.yaml", sound: bool = False) -> dict:
    """The configuration with all defaults filled in; ConfigError with every problem, each after `called`, its name.

    On a node of a cluster it is known to be `sound`, and only completed: it was checked before the job was submitted.
    """
    rules = schema.read_schema(schema_file)
    try:
        config = schema.plain(config)
        former = dict(renamed(config))
        problems = [] if sound else list(schema.problems(config, rules))
    except RecursionError:
        raise refused(["too many brackets within brackets"], called) from None
    except (ValueError, TypeError) as error:
        raise refused([str(error)], called) from None
    if not problems:
        written = copy.deepcopy(config["campaigns"])
        for campaign in config["campaigns"].values():
            campaign["reliability"] = config.get("reliability", {}) | campaign.get("reliability", {})
        schema.fill_defaults(config, rules, rules)
        for name, campaign in config["campaigns"].items():
            campaign["reliability"]["seed"] = config["seed"]
            if not sound:
                problems += campaign_problems(name, campaign, written[name], config["unpacked"])
    if problems:
        raise refused(problems, called)
    for name, campaign in config["campaigns"].items():
        complete(campaign, config["unpacked"])
        campaign["aliases"] |= former.get(name, {})
    return config


def renamed(config: dict) -> Iterator[tuple[str, dict[str, str]]]:
    """Renames former keys; yields each campaign with its former keys and their present names.

    If a campaign has a key under both names, it keeps both, and the schema objects.
    """
    campaigns = config.get("campaigns") if isinstance(config, dict) else None
    for name, campaign in campaigns.items() if isinstance(campaigns, dict) else ():
        known = isinstance(campaign, dict)
        former = {old: new for old, new in schema.FORMER.items() if known and old in campaign and new not in campaign}
        for old, new in former.items():
            campaign[new] = campaign.pop(old)
        yield name, former


def refused(problems: list[str], called: str) -> ConfigError:
    """One error with all problems, cut to what a person reads; characters that control a terminal become ?."""
    more = [f"and {len(problems) - 100:,} more"] if len(problems) > 100 else []
    short = [problem if len(problem) <= 1000 else f"{problem[:999]}…" for problem in problems[:100] + more]
    lines = ["".join(letter if letter.isprintable() else "?" for letter in problem) for problem in short]
    return ConfigError("\n".join(f"{called}: {line}" for line in lines))


def campaign_problems(name: str, campaign: Mapping[str, Any], written: dict, unpacked: dict) -> Iterator[str]:
    """Problems that the schema cannot see: sources, formats, measures, missing files; `written` is without defaults."""
    key = f"campaigns.{name}"
    if name in RESERVED:
        yield f"{key}: results/{name} is the workflow's own; give the campaign another name"
    for own in (name, *campaign.get("scenarios", {})):
        if PERIODIC.search(own):
            why = "ends with 20 times the same, which Snakemake takes for a recursion"
            yield f"{key}: the name {shown(own)} {why}; give it another name"
    sources = [name for name in SOURCES if any(part in campaign for part in SOURCES[name])]
    if len(sources) != 1:
        found = ", ".join(sources) or "none"
        yield f"{key}: give runs and judgments, or graded, or counts, and only one of the three; found {found}"
        return
    for part in SOURCES[sources[0]]:
        if part not in campaign:
            yield f"{key}: the key {part} is missing beside {sources[0]}"
            return
    task = tasks.get(campaign["task"])
    if sources[0] not in task.sources:
        yield f"{key}.{sources[0]}: task {task.id} takes runs and judgments only"
        return
    for name in COLUMNS:
        if isinstance(campaign.get(name), str) and "questions" not in campaign:
            yield f"{key}.{name}: names a column of the question file; give `questions:`, too"
    yield from file_problems(key, campaign)
    for part in ("runs", "judgments", "graded", "counts"):
        allowed = formats.in_part(part, task.id)
        form = campaign[part].get("format") if isinstance(campaign.get(part), dict) else None
        if form and form not in allowed:
            yield f"{key}.{part}.format: {form} is not for task {task.id}; allowed are {', '.join(allowed)}"
    idle = list(options.idle(written))
    yield from (f"{key}.{option}: {reason}" for option, reason in idle)
    if not idle:
        yield from word_problems(key, campaign, task)
        yield from refusals.problems(key, campaign)
        yield from assessor_problems(key, campaign)
    yield from measure_problems(key, campaign, sources[0])
    yield from run_names.problems(key, campaign, unpacked)
    yield from gates.problems(key, campaign)
    for part in OWNERS:
        if part in campaign:
            yield from owners.problems(f"{key}.{part}", campaign[part])
    if "scenarios" in campaign and not idle:
        labels = known_labels(campaign) if "judgments" in campaign else []
        yield from scenarios.problems(key, with_labels(campaign), labels)
    first, last = campaign.get("years", YEARS)
    if first > last:
        yield f"{key}.years: the first year, {first}, comes after the last, {last}"


def word_problems(key: str, campaign: Mapping[str, Any], task: tasks.Task) -> Iterator[str]:
    """Words that are no labels or verdicts of the task, or have two meanings; `normalise` in only one of the parts."""
    for part, names in APART.items():
        words = campaign.get(part, {})
        for one, other in itertools.combinations(names, 2):
            for word in sorted({*words.get(one, [])} & {*words.get(other, [])}):
                yield f"{key}.{part}.{other}: {shown(word)} is among {one}, too"
    if "judgments" in campaign:
        gold, known = campaign["judgments"], known_labels(campaign)
        used = {"labels": gold.get("labels", {}).values()}
        for option, labels in (used | {name: gold.get(name, []) for name in ("correct", "partial", "pooled")}).items():
            for label in (label for label in labels if label not in known):
                yield f"{key}.judgments.{option}: {scenarios.no_label(label, known)}"
    if campaign.get("graded", {}).get("ignore") == "rest" and campaign["graded"].get("layout") == "wide":
        yield f"{key}.graded.ignore: rest leaves no system; `systems:` names them, and all other columns are ignored"
    for word, verdict in campaign.get("graded", {}).get("verdicts", {}).items():
        if verdict not in task.words:
            allowed = ", ".join(task.words)
            yield f"{key}.graded.verdicts.{word}: {verdict} is not for task {task.id}; allowed are {allowed}"
    spelt = sorted(("normalise" in campaign[part], part) for part in ("runs", "judgments") if part in campaign)
    if len(spelt) == 2 and spelt[0][0] != spelt[1][0]:
        yield f"{key}.{spelt[1][1]}.normalise: has no effect without the same in {spelt[0][1]}"


def assessor_problems(key: str, campaign: Mapping[str, Any]) -> Iterator[str]:
    """Votes that can decide nothing; several assessors without an official one, or with one who is none of them."""
    scenarios_closed = any(scenario.get("closed") for scenario in campaign.get("scenarios", {}).values())
    for part in {"judgments", "graded"} & campaign.keys():
        closed = campaign[part].get("closed", False) or scenarios_closed
        yield from votes.problems(f"{key}.{part}.official", campaign[part], closed, campaign["task"] in options.ANSWERS)
    graded = campaign.get("graded", {})
    assessors = list(graded.get("assessors", []))
    official = graded.get("official", *assessors[:1])
    if assessors and votes.vote_of(graded) is None and official not in assessors:
        yield f"{key}.graded.official: {shown(graded['official'])} is none of {', '.join(assessors)}"
    if len(assessors) > 1 and "official" not in graded:
        yield f"{key}.graded.official: is missing; name one of {', '.join(assessors)}"


def measure_problems(key: str, campaign: Mapping[str, Any], origin: str) -> Iterator[str]:
    """Measures that the task does not have, or that the campaign's source cannot serve."""
    task = campaign["task"]
    known = list(measures.of_task(task))
    seen: dict[str, str] = {}
    for id in campaign.get("measures", []):
        try:
            measure = measures.get(task, open_as(campaign, id))
        except KeyError as error:
            hint = schema.did_you_mean(id, known) or "; docs/measures.md has those that there are"
            yield f"{key}.measures: {error.args[0]}{hint}"
            continue
        if measure.id in seen:
            yield f"{key}.measures: {seen[measure.id]} and {id} are the same measure, {measure.id}; name it once"
        seen[measure.id] = id
        if unjudged := options.needs_judgments(campaign, measure.id):
            yield f"{key}.measures: {unjudged}"
        if origin == "counts" and measure.kind != "counts":
            yield f"{key}.measures: {id} needs the single responses, and this campaign has only counts"


def complete(campaign: dict, unpacked: dict) -> None:
    """Fills in what depends on other keys; also `measures_named` (whether the campaign names any) and `aliases`."""
    log = formats.LOGS.get(campaign.get("graded", {}).get("format"))
    if log and log.questions in campaign["graded"] and "questions" not in campaign:
        campaign["questions"] = {"file": campaign["graded"][log.questions], "format": log.id}
    if file := questions_file(campaign):
        asked = campaign["questions"] if isinstance(campaign["questions"], dict) else {}
        named_columns = {name: campaign[name] for name in COLUMNS if isinstance(campaign.get(name), str)}
        named_columns = asked.get("columns", {}) | named_columns
        campaign["questions"] = {"file": file} | asked | ({"columns": named_columns} if named_columns else {})
    if (gold := campaign.get("judgments")) and formats.FORMATS[gold["format"]].choices:
        campaign.setdefault("options", "options")  # the column of the questions that is filled from the gold standard
    if "names" in campaign:
        run_names.complete(campaign, unpacked)
    for part in READ_WITH_OPTIONS & campaign.keys():
        campaign[part]["unpacked"] = unpacked
        for option in {*refusals.OPTIONS} & campaign[part].keys():
            campaign[part][option] = refusals.with_lists(campaign[part][option])
    if source(campaign) in MISSING_BY_SOURCE:
        campaign.setdefault("missing", MISSING_BY_SOURCE[source(campaign)])
    task = tasks.get(campaign["task"])
    if task.years:
        campaign.setdefault("years", YEARS)
        for part in ("runs", "judgments"):
            campaign[part]["years"] = campaign["years"]
    campaign |= with_labels(campaign)
    for part in {"judgments", "graded"} & campaign.keys():
        if task.id in options.ANSWERS:
            campaign[part] = votes.with_official(campaign[part])
    named = {id: measures.get(task.id, open_as(campaign, id)).id for id in campaign.get("measures", [])}
    for gate in campaign.get("gates", []):
        gate |= {"measure": open_as(campaign, gate["measure"])} if "measure" in gate else {}
    campaign["measures_named"] = bool(campaign.get("measures"))
    campaign["aliases"] = {alias: id for alias, id in named.items() if alias != id}
    judged, part = options.is_judged(campaign), campaign[source(campaign)]
    every = measures.of_task(task.id)
    campaign |= {} if judged else {"error": "exclude"}  # an error is neither an answer nor silence
    if not judged and not named:
        named = {id: id for id in options.UNJUDGED if id == options.UNJUDGED[0] or tells_answers(campaign)}
    known = [] if named else [measure for measure in every.values() if measure.by_default]
    if known and task.of_logs and isinstance(part, dict) and part.get("format") in formats.LOGS:
        known = [every[id] for id in task.of_logs]
    if source(campaign) == "counts" and known:
        counts = counts_in(campaign, unpacked)
        known = [measure for measure in known if measure.kind == "counts" and counts >= set(measure.totals)]
    elif known:
        told = facts(campaign)
        known = [measure for measure in known if told >= set(measure.needs)]
    campaign["measures"] = list(named.values()) or [open_as(campaign, measure.id) for measure in known]


def open_as(campaign: Mapping[str, Any], id: str) -> str:
    """The id of a measure; under `open: rejected`, f (by itself or in a combination) becomes f_2024."""
    return re.sub(r"\bf@", "f_2024@", id) if "open" in campaign else id


def tells_answers(campaign: Mapping[str, Any]) -> bool:
    """Whether graded responses or a question file may say which questions have an answer."""
    columns = campaign["graded"].get("columns", {})
    return "questions" in campaign or bool({"has_answer", "unanswerable"} & columns.keys())


def facts(campaign: Mapping[str, Any]) -> set[str]:
    """What single responses and their judgments may tell, as far as the configuration shows; see measures.FACTS."""
    part = campaign[source(campaign)]
    if log := formats.LOGS.get(part["format"]):
        return {*log.tells} if part.keys() >= {*log.told_with} else set()
    told = {"withheld"} if "answer_from" in part else set()
    if source(campaign) == "graded":
        return set() if part["layout"] == "wide" else {"scores", "ranks"} | told
    gold, told_by = campaign["judgments"], tasks.get(campaign["task"]).told_by
    told |= {"key", *formats.FORMATS[part["format"]].tells, *formats.FORMATS[gold["format"]].tells}
    named = {*gold.get("correct", []), *gold.get("partial", []), *gold.get("labels", {}).values()}
    return told | ({"nil"} & part.keys()) | {fact for fact, labels in told_by.items() if named & {*labels}}


def with_labels(campaign: Mapping[str, Any]) -> Mapping[str, Any]:
    """The campaign with the labels that are correct by default, and the words for NIL; references are a closed key."""
    if "judgments" not in campaign:
        return campaign
    task, gold = tasks.get(campaign["task"]), campaign["judgments"]
    correct = {"correct": list(task.correct or formats.FORMATS[gold["format"]].correct)}
    runs = campaign["runs"]
    nil = runs.get("nil", ["NIL"] if "nil" in formats.FORMATS[runs["format"]].tells else [])
    if nil and formats.FORMATS[gold["format"]].judges_nil:  # else it is not judged, or its judgments are ignored
        gold = gold | {"nil": nil}
    return {**campaign, "judgments": gold | {"closed": True} if task.references else correct | gold}


def counts_in(campaign: Mapping[str, Any], unpacked: dict) -> set[str]:
    """The counts that a published table holds, from its first line, and those that follow from them."""
    from nonresponse.formats.counts import mapped

    task, counts = tasks.get(campaign["task"]), campaign["counts"]
    options: Files = cast(Files, counts) if isinstance(counts, dict) else {}
    if options.get("format") in formats.LOGS:
        # These counts are 0: no such log has partly right answers.
        partly = {name for name, count in task.counts.items() if count.none_without}
        return {*task.required, "n"} | task.derived | partly
    files = matched(counts["files"]).files if options else [counts]
    named = [mapped(file, options | {"unpacked": unpacked})[0].columns for file in files]
    # A table that cannot be read is assumed to have the required counts; the check says why it cannot be read.
    return set.intersection(*({*(columns or task.required)} for columns in named or [[]])) | task.derived


def known_labels(campaign: Mapping[str, Any]) -> list[str]:
    return tasks.get(campaign["task"]).labels_in(campaign["judgments"]["format"])


def clustered(campaign: Mapping[str, Any]) -> bool:
    """Whether a campaign's questions come in clusters: it names a column for clusters, or its format has them."""
    gold, asked = campaign.get("judgments", {}).get("format"), campaign.get("questions")
    known = isinstance(asked, dict) and "format" in asked
    return "cluster" in campaign or known or bool(gold and formats.FORMATS[gold].cluster)


def policy_of(campaign: Mapping[str, Any]) -> dict[str, str]:
    return {name: campaign[name] for name in POLICIES}
