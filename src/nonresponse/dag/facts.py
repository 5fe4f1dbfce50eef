"""Facts by name: what a job must know of the configuration and no more, so that a change repeats only what it affects.

A name that is not defined here is an option: of `reliability:`, else of the judgments, else of the campaign, else of
its graded responses.
"""

import json
import re
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from nonresponse import campaign as config
from nonresponse import measures
from nonresponse.campaign import scenarios
from nonresponse.dag import files
from nonresponse.dag.campaigns import Campaign
from nonresponse.settings import Files, Options, Reliability

OF_JUDGING = {"files", "official", "correct", "partial", "pooled", "vote"}  # not about how files are read
LABELS = ("correct", "partial", "closed", "pooled", "vote")
OPTIONS = {*Options.__annotations__, *Files.__annotations__, *Reliability.__annotations__}

words = str.split

# The facts that a job is told, by what it makes; HEAD is what every page must know.
HEAD = words("title simulated official")
CHECKED = [
    *words("task runs judgments graded counts names names_from attributes baseline reject_all accept_all"),
    *["questions", "options", "owned", "size_of_halves", *scenarios.ASKED],
]
LEADERBOARD = [
    *HEAD,
    *words("measures measures_named baseline trivial_runs options ordered_attributes published compared"),
    *words("source seed threshold judged unscored"),
    *scenarios.ASKED,
]
RELIABILITY = [*HEAD, *words("measures tested analyses level flips exchanges failed_judgments")]
EXPORT = words("official field")
SUMMARY = words("name title simulated measures analysed dated")
REPORT = [
    *HEAD,
    *words("measures analyses silent dated views read responses texts policy seed source judged compared"),
    "configuration",
]


def trivial(campaign: Campaign) -> list[str]:
    """The names of the trivial runs, which all others are compared with."""
    if campaign.single:
        return list(campaign.task.trivial)
    return [campaign.options[key] for key in ("accept_all", "reject_all") if key in campaign.options]


def years(campaign: Campaign) -> dict[str, int]:
    """The first and last year, and the farthest distance in years of the curve; empty where answers are no years."""
    if "years" not in campaign.options:
        return {}
    first, last = campaign.options["years"]
    known = (measures.get(campaign.task.id, id).extra for id in [*campaign.measures, "auc@10"])
    return {"first": first, "last": last, "farthest": next(its["years"] for its in known if "years" in its)}


def owned(campaign: Campaign) -> dict[str, list] | None:
    """The options that assign runs to owners, each with the number of runs that at least one owner must have.

    Null if no such option is set.
    """
    options: Mapping[str, Any] = campaign.options
    named = {key: [options[key], least] for key, least in config.OWNERS.items() if key in options}
    return named or None


def halves(campaign: Campaign) -> dict[str, int]:
    """The number of questions in a half, if it is set and some analysis takes halves; else empty."""
    taken = any("size" in one.trials.settings for one in campaign.analyses if one.trials)
    return {"size": campaign.reliability["size"]} if taken and campaign.reliability["size"] else {}


def judging(campaign: Campaign) -> dict[str, Any]:
    """What labels mean, how a missing response counts, what runs are compared on, whether rules on answers count."""
    return labels(campaign) | facts_of(campaign, *scenarios.ASKED) | ({} if campaign.by_rule else {"by_rule": False})


def labels(campaign: Campaign) -> dict[str, Any]:
    """Which labels are correct, which partial, whether an answer key is closed, how assessors vote."""
    return {key: value for key, value in campaign.judgments.items() if key in LABELS}


def files_of_runs(campaign: Campaign) -> str | list[str]:
    """The pattern or patterns of the files of its runs, or of graded responses."""
    return campaign.raw["files"]


def files_of_judgments(campaign: Campaign) -> str | list[str]:
    """The pattern or patterns of the files of its judgments."""
    return campaign.judgments["files"]


def files_of_counts(campaign: Campaign) -> str | list[str]:
    """The path of its table of counts, or the pattern or patterns of its logs."""
    return campaign.counts["files"]


def how_to_read_runs(campaign: Campaign) -> dict[str, Any]:
    """How the files of its runs, or of graded responses, are read."""
    return {key: value for key, value in campaign.raw.items() if key not in OF_JUDGING}


def how_to_read_judgments(campaign: Campaign) -> dict[str, Any]:
    """How the files of its judgments are read."""
    return {key: value for key, value in campaign.judgments.items() if key not in OF_JUDGING}


def how_to_read_counts(campaign: Campaign) -> dict[str, Any]:
    """How its table of counts is read, or the logs that hold counts."""
    named = {key: campaign.options[key] for key in ("names", "names_from") if key in campaign.options}
    return {key: value for key, value in campaign.counts.items() if key != "files"} | named


def configuration(campaign: Campaign) -> dict[str, Any]:
    """The options that the report shows: without the number of shards, which changes no result, and `reliability:`."""
    left_out = ("shards", "reliability", "measures_named")
    return {key: value for key, value in campaign.options.items() if key not in left_out} | campaign.policy


def of_views(campaign: Campaign) -> dict[str, Any]:
    """The facts that the views of the campaign must know."""
    names = [name for view in campaign.views for name in view.settings]
    names += ["shards"] if {"judged", "responses"} & campaign.view_reads else []
    names += ["meaning", "format"] if "judged" in campaign.view_reads else []
    return facts_of(campaign, *names)


def field(campaign: Campaign) -> str:
    """What decides on a response: the word `judgments`, or columns of its file, first the one that takes precedence."""
    if campaign.source == "runs":
        return "judgments"
    part = campaign.raw
    columns, official = part.get("columns", {}), campaign.official
    said = [columns[name] for name in ("error", "state") if name in columns]
    if "gold" in part:
        return ", ".join([*said, f"{columns.get('answer', 'answer')} against {part['gold']}"])
    judged = part.get("assessors", {}).get(official, official) if official else columns.get("verdict", "verdict")
    return ", ".join([*said, *[judged] * part.get("judged", True)])


def trivial_runs(campaign: Campaign) -> dict[str, str]:
    """The names of the trivial runs, by option (accept_all, reject_all); a table of counts names its own."""
    if campaign.single:
        return dict(zip(("accept_all", "reject_all"), campaign.task.trivial, strict=False))
    return facts_of(campaign, "accept_all", "reject_all")


# Names of a single fact each; below, SEVERAL has the names that stand for several facts.
FACTS: dict[str, Callable[[Campaign], Any]] = {
    **{
        name: attrgetter(name)
        for name in words("known_labels name number_of_shards official policy shards source with_outcomes")
    },
    "analysed": lambda it: bool(it.analyses),
    "analyses": lambda it: [one.id for one in it.analyses],
    "configuration": configuration,
    "dated": lambda it: it.task.years,
    "field": field,
    "meaning": labels,
    "owned": owned,
    "published": lambda it: str(files.resources("published")) if it.printed else None,
    "read": files.read_notes,
    "responses": lambda it: [f"responses/{shard}.parquet" for shard in it.shards if it.source == "runs"],
    "seed": lambda it: it.reliability["seed"],
    "silent": lambda it: "n_u" in it.task.shown,
    "tables": lambda it: files.COMPARABLE[it.source],
    "tested": lambda it: it.tested if it.has_trials else None,
    "texts": lambda it: [f"texts/{shard}.parquet" for shard in it.shards if it.source == "graded"],
    "threshold": lambda it: it.analysed("sample_size") or None,
    "trivial": trivial,
    "views": lambda it: [view.id for view in it.views],
}
SEVERAL: dict[str, Callable[[Campaign], dict[str, Any]]] = {
    "compared": lambda it: facts_of(it, "level", "tested") if it.analysed("comparison") else {},
    "of_views": of_views,
    "ordered_attributes": lambda it: {"attributes": [*it.attributes.items()]},  # JSON's keys have no order
    "described_scenarios": lambda it: scenarios.described(it.options),
    "trivial_runs": trivial_runs,
    "size_of_halves": halves,
    "years": years,
}


def facts_of(campaign: Campaign, *names: str) -> dict[str, Any]:
    """These facts of a campaign by name, without options that are not set and facts that are null.

    KeyError for a name that is neither a fact nor an option.
    """
    judgments = campaign.options.get("judgments", {})
    options = {**campaign.options.get("graded", {}), **campaign.options, **judgments, **campaign.reliability}
    known: dict[str, Any] = {}
    for name in names:
        if name in SEVERAL:
            known |= SEVERAL[name](campaign)
        elif name in FACTS:
            known |= {name: value} if (value := FACTS[name](campaign)) is not None else {}
        elif name in options:
            known[name] = options[name]
        elif name not in OPTIONS:
            raise KeyError(name)
    return known


def as_json(value: object) -> str:
    """A parameter as JSON: one word for the shell, and equal text for equal values.

    A long value reaches the job as a file, <(printf %s …): Linux limits the length of an argument, but not for printf,
    which is built into bash. Snakemake's report writes parameters into a page unescaped: so they are ASCII without <, >
    and &.
    """
    return re.sub("[<>&]", lambda letter: f"\\u{ord(letter[0]):04x}", json.dumps(value, sort_keys=True))
