"""What a job must know of the configuration, and nothing else, so that a change repeats nothing else: facts by name.

A fact that has no name here is an option: of `reliability:`, else of the judgments, of the campaign, or of its graded
responses.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from nonresponse import config, measures
from nonresponse.config import scenarios
from nonresponse.dag import files
from nonresponse.dag.campaigns import Campaign

OF_JUDGING = ("files", "official", "correct", "partial", "pooled", "vote")  # options that are not how files are read
LABELS = ("correct", "partial", "closed", "pooled", "vote")
HEAD = ("title", "simulated", "official")  # what every page must know
CHECKED = (
    *("task", "runs", "judgments", "graded", "counts", "names", "names_from", "attributes", "baseline", "reject_all"),
    *("accept_all", "questions", "grouped", "size of halves", *scenarios.ASKED),
)
LEADERBOARD = (
    *HEAD,
    *(
        "measures",
        "measures_named",
        "baseline",
        "trivial runs",
        "options",
        "attributes in order",
        "published",
        "compared",
    ),
    *scenarios.ASKED,
)
RELIABILITY = (*HEAD, "published", "measures", "tested", "analyses", "level", "flips", "exchanges", "failed_judgments")
SUMMARY = ("name", "title", "simulated", "measures", "analysed", "dated", "published")
REPORT = (
    *(
        *HEAD,
        "measures",
        "analyses",
        "silent",
        "dated",
        "ruled",
        "disputed",
        "scenarios",
        "systems",
        "imported",
        "views",
    ),
    *("read", "responses", "policy", "seed", "source", "compared", "configuration"),
)


def trivial(campaign: Campaign) -> list[str]:
    """The runs that all others are compared with."""
    if campaign.single:
        return list(campaign.task.trivial)
    return [campaign.options[key] for key in ("accept_all", "reject_all") if key in campaign.options]


def years(campaign: Campaign) -> dict[str, int]:
    """The bounds of the years, and the distance in years that the curve goes to."""
    first, last = campaign.options["years"]
    areas = [id for id in [*campaign.measures, "auc@10"] if id.startswith("auc@")]
    return {"first": first, "last": last, "farthest": measures.get(campaign.task.id, areas[0]).extra["years"]}


def grouped(campaign: Campaign) -> dict[str, list]:
    """The options that group runs, each with the number of runs that some group must have."""
    return {key: [campaign.options[key], least] for key, least in config.GROUPS.items() if key in campaign.options}


def halves(campaign: Campaign) -> dict[str, int]:
    """How many questions a half takes, where that is said and some analysis takes halves."""
    taken = any("size" in one.trials.settings for one in campaign.analyses if one.trials)
    return {"size": campaign.reliability["size"]} if taken and campaign.reliability["size"] else {}


def judging(campaign: Campaign) -> dict[str, Any]:
    """What labels mean, what a question without a response is, what runs are compared on, and whether rules count."""
    asked = {key: campaign.options[key] for key in scenarios.ASKED}
    return labels(campaign) | asked | ({} if campaign.by_rule else {"by_rule": False})


def labels(campaign: Campaign) -> dict[str, Any]:
    """Which labels are correct, which partial, whether an answer key is closed, how assessors vote."""
    return {key: campaign.judgments[key] for key in LABELS if key in campaign.judgments}


def of_reader(campaign: Campaign, part: str) -> dict[str, Any]:
    """How to read the files of a part of the campaign."""
    return {key: value for key, value in campaign.options[part].items() if key not in OF_JUDGING}


def counts_options(campaign: Campaign) -> dict[str, Any]:
    """How to read the counts."""
    counts = campaign.options["counts"]
    named = {key: campaign.options[key] for key in ("names", "names_from") if key in campaign.options}
    return {key: counts[key] for key in counts if key != "files"} | named if isinstance(counts, dict) else named


def configuration(campaign: Campaign) -> dict[str, Any]:
    """What the report shows of it: neither how the work is spread, which changes no result, nor what analyses read."""
    left_out = ("shards", "reliability", "measures_named")
    return {key: value for key, value in campaign.options.items() if key not in left_out} | campaign.policy


FACTS: dict[str, Callable[[Campaign], Any]] = {
    "analysed": lambda campaign: bool(campaign.analyses),
    "analyses": lambda campaign: [one.id for one in campaign.analyses],
    "configuration": configuration,
    "dated": lambda campaign: campaign.task.years,
    "disputed": lambda campaign: campaign.disputed,
    "grouped": lambda campaign: grouped(campaign) or None,
    "imported": lambda campaign: campaign.imported,
    "name": lambda campaign: campaign.name,
    "official": lambda campaign: campaign.official,
    "policy": lambda campaign: campaign.policy,
    "published": lambda campaign: str(files.resources("published")) if campaign.printed else None,
    "read": files.read_notes,
    "rules": labels,
    "responses": lambda campaign: [
        f"responses/{shard}.parquet" for shard in campaign.shards if "runs" in campaign.options
    ],
    "ruled": lambda campaign: campaign.ruled,
    "scenarios": lambda campaign: "scenarios" in campaign.options,
    "seed": lambda campaign: campaign.reliability["seed"],
    "shards": lambda campaign: campaign.shards,
    "silent": lambda campaign: "n_u" in campaign.task.shown,
    "source": lambda campaign: campaign.source,
    "tables": lambda campaign: files.COMPARABLE[campaign.source],
    "tested": lambda campaign: campaign.tested if campaign.has_trials else None,
    "trivial": trivial,
    "views": lambda campaign: [view.id for view in campaign.views],
}


def of_views(campaign: Campaign) -> dict[str, Any]:
    """What its views must know."""
    found = of(campaign, *(name for view in campaign.views for name in view.settings))
    if {"judged", "responses"} & campaign.view_reads:
        found |= {"shards": campaign.shards}
    return found | (of(campaign, "rules", "format") if "judged" in campaign.view_reads else {})


# Several facts under a name of their own; none where it is not so.
TOGETHER: dict[str, Callable[[Campaign], dict[str, Any]]] = {
    "compared": lambda campaign: of(campaign, "level", "tested") if campaign.analysed("comparison") else {},
    "of views": of_views,
    # JSON's keys have no order here.
    "attributes in order": lambda campaign: {"attributes": [*campaign.options.get("attributes", {}).items()]},
    "scenarios described": lambda campaign: (
        scenarios.described(campaign.options) if "scenarios" in campaign.options else {}
    ),
    # A table of counts names its own.
    "trivial runs": lambda campaign: (
        dict(zip(("accept_all", "reject_all"), campaign.task.trivial, strict=False))
        if campaign.single
        else of(campaign, "accept_all", "reject_all")
    ),
    "size of halves": halves,
    "years": lambda campaign: years(campaign) if "years" in campaign.options else {},
}


def of(campaign: Campaign, *names: str) -> dict[str, Any]:
    """These facts of a campaign; what is not set, and what is null, is left out."""
    judgments = campaign.options.get("judgments", {})
    options = campaign.options.get("graded", {}) | campaign.options | judgments | campaign.reliability
    found: dict[str, Any] = {}
    for name in names:
        if name in TOGETHER:
            found |= TOGETHER[name](campaign)
        elif name in FACTS:
            found |= {name: value} if (value := FACTS[name](campaign)) is not None else {}
        elif name in options:
            found[name] = options[name]
    return found


def as_json(value: object) -> str:
    """A parameter that is one word for the shell and the same text whenever it means the same.

    What may grow reaches the job as a file, <(printf %s …): Linux bounds an argument, and printf is bash's own.
    Snakemake's report writes the parameters of its results into a page as they are: they are ASCII without <, > and &.
    """
    return re.sub("[<>&]", lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, sort_keys=True))
