"""All results of a campaign: what its verdicts are made of, the verdicts, and what follows from them."""

from pathlib import Path
from typing import Any, cast

from nonresponse.dag import facts, files, reads
from nonresponse.dag.campaigns import Campaign
from nonresponse.dag.topics import TOPICS, Topic
from nonresponse.pages.report import read_by, sections_of
from nonresponse.settings import Settings

BY_VARIANT = ("counts_by_category.parquet", "counts_by_variant.parquet")
OF_ALL = ("check.txt", "check.json", *BY_VARIANT, "report.json", "report.html")


def exported(campaign: Campaign) -> list[str]:
    """The campaign's responses for other programs; none for a table of counts."""
    return files.below(campaign, "responses.parquet", "responses.jsonl") if campaign.single else []


def on_demand(campaign: Campaign) -> list[str]:
    """Results that are made only when asked for, and kept up to date as long as they exist."""
    return exported(campaign) + files.below(campaign, "verdicts.parquet") * campaign.single


def results_of(campaign: Campaign) -> list[str]:
    """The paths of all results of a campaign."""
    names = [*OF_ALL, *(f"read/{name}" for name in files.read_notes(campaign)), *files.accounts(campaign)]
    names += ["tested.json"] if campaign.single else []
    names += [name.rstrip("/") for topic in topics_of(campaign) for name in topic.writes]
    paths = [*files.checked(campaign), *files.below(campaign, *names), *files.of_each_shard(campaign, "ruled")]
    paths += [path for path in on_demand(campaign) if Path(path).exists()]
    paths += files.verdicts(campaign) if campaign.single else []
    paths += files.texts(campaign) + files.all_scores(campaign) + reads.analysed(campaign)
    if campaign.ruled:
        without = campaign.without_rules
        paths += files.verdicts(without) + files.below(without, "counts.parquet", *BY_VARIANT)
    for evaluation in campaign.own_scenarios:
        paths += files.verdicts(evaluation) + files.below(evaluation, *BY_VARIANT) + files.all_scores(evaluation)
    return list(dict.fromkeys(paths))


def read_by_summary(campaign: Campaign) -> list[str]:
    """What the summary reads of a campaign, and the pages that it names."""
    pages = ["reliability/blocks.json"] * bool(campaign.analyses) + ["years.md"] * campaign.task.years
    return files.below(campaign, "leaderboard.json", "check.json", *pages)


def topics_of(campaign: Campaign) -> list[Topic]:
    """The topics that a campaign has."""
    return [topic for topic in TOPICS.values() if topic.applies(campaign)]


def told_to_report(campaign: Campaign) -> dict[str, Any]:
    """What the sections of its part of the report must know of the configuration, and the ids of its topics."""
    return facts.facts_of(campaign, *facts.REPORT) | {"topics": [topic.id for topic in topics_of(campaign)]}


def read_by_report(campaign: Campaign) -> list[str]:
    """The tables that the sections of its part of the report read."""
    settings = cast(Settings, told_to_report(campaign))
    names = [name for section in sections_of(settings) for name in read_by(section, settings)]
    paths: list[str] = []
    for name in ["leaderboard.parquet", *names]:
        if name == "verdicts":
            paths += files.verdicts(campaign)
        elif "{shard}" in name:
            paths += files.responses(campaign) + files.texts(campaign)
        elif "{measure}" in name:
            paths += files.below(campaign, *(name.format(measure=id) for id in campaign.tested))
        else:
            paths += files.below(campaign, name)
    return list(dict.fromkeys(paths + files.below(campaign, *(f"read/{name}" for name in files.read_notes(campaign)))))
