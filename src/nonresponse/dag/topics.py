"""Topics: what is found out from a campaign's scores and verdicts, one record each, and the rules that make them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from nonresponse.dag import facts, files, reads
from nonresponse.dag.campaigns import Campaign, distinct
from nonresponse.dag.facts import HEAD
from nonresponse.reliability.analyses import ANALYSES, Summary

PAGE = (*HEAD, "measures", "compared")


@dataclass(frozen=True)
class Topic:
    """A topic; its id is also the name of its module in nonresponse/topics, except for summaries of analyses."""

    id: str
    writes: tuple[str, ...]  # in the campaign's folder; what ends with / is a folder
    reads: tuple[str, ...]  # words of dag.reads.READS, or folders of reliability/
    settings: Sequence[str]  # names of dag.facts
    applies: Callable[[Campaign], bool] = lambda campaign: True
    waits: bool = False  # whether it waits for the counts of the campaign's scenarios, too
    rule: str = ""  # the rule whose job makes it; if left out, a rule of its own name
    analysis: str = ""  # the analysis that it is the summary of, if any

    @property
    def module(self) -> str:
        """The name of the module whose function `make` makes the topic."""
        return "summaries" if self.analysis else self.id

    def files(self, campaign: Campaign) -> list[str]:
        """The files that the topic reads of a campaign."""
        return reads.files_of(campaign, self.reads)

    def told(self, campaign: Campaign) -> dict[str, Any]:
        """What the topic must know of the configuration, and nothing else."""
        return facts.facts_of(campaign, *self.settings) | ({"analysis": self.analysis} if self.analysis else {})


def page(id: str, *tables: str) -> tuple[str, ...]:
    """The files of a page: its text, and its blocks and tables in a folder of its name."""
    return (f"{id}.md", f"{id}/blocks.json", *(f"{id}/{name}" for name in tables))


OF_ITSELF = (
    Topic(
        "imports",
        writes=("imports.csv", "imports.json"),
        reads=("accounts", "counts"),
        settings=(),
        applies=lambda campaign: campaign.imported,
    ),
    Topic(
        "leaderboard",
        writes=(*(f"leaderboard.{ending}" for ending in ("csv", "parquet", "md", "tex", "json")), "categories.csv"),
        reads=("all scores", "intervals", "pairs", "threshold", "questions", "published", "accounts"),
        settings=facts.LEADERBOARD,
    ),
    Topic(
        "changes",
        writes=("changes.md", "changes.json"),
        reads=("before and now",),
        settings=(*HEAD, "measures", "tables"),
        rule="leaderboard",
    ),
    Topic(
        "reliability",
        writes=("figures/", "reliability/findings.csv", "reliability/blocks.json", "reliability.md", "reliability.tex"),
        reads=("analysed",),
        settings=facts.RELIABILITY,
        applies=lambda campaign: bool(campaign.analyses),
        rule="pages",
    ),
    Topic(
        "audit",
        writes=("audit.csv", "audit.json"),
        reads=("audited",),
        settings=("meaning", "official", "shards", "source"),
        applies=lambda campaign: campaign.ruled,
    ),
    Topic(
        "adjudication",
        writes=("to_adjudicate.csv", "adjudication.json"),
        reads=("verdicts", "counts", "judged responses", "voters"),
        settings=("measures", "official", "vote", "seed"),
        applies=lambda campaign: campaign.disputed,
    ),
    Topic(
        "scenarios",
        writes=page("scenarios", "scores.csv", "rankings.csv", "swaps.csv", "findings.csv"),
        reads=("scenarios",),
        settings=(*PAGE, "described_scenarios"),
        applies=lambda campaign: "scenarios" in campaign.options,
        waits=True,
    ),
    Topic(
        "systems",
        writes=page("systems", "gains.csv", "differences.csv", "findings.csv"),
        reads=("verdicts", "scores", "pairs"),
        settings=(*PAGE, "systems", "policy"),
        applies=lambda campaign: "systems" in campaign.options,
    ),
    Topic(
        "views",
        writes=page("views", "", "findings.csv"),
        reads=("of views",),
        settings=(*PAGE, "policy", "views", "trivial", "of_views"),
        applies=lambda campaign: bool(campaign.views),
        rule="pages",
    ),
    Topic(
        "gates",
        writes=("gates.json", "gates.xml", *page("gates", "findings.csv")),
        reads=("verdicts", "clusters"),
        settings=(*PAGE, "gates", "baseline", "policy", "level", "judged"),
        applies=lambda campaign: "gates" in campaign.options,
    ),
    Topic(
        "history",
        writes=page("history", ""),
        reads=("history",),
        settings=(*HEAD, "measures"),
        applies=lambda campaign: bool(files.history(campaign)),
    ),
    Topic(
        "years",
        writes=page("years", "", "within.parquet", "decades.parquet", "within.svg"),
        reads=("verdicts",),
        settings=(*HEAD, "policy", "years"),
        applies=lambda campaign: campaign.task.years,
    ),
)


def of_analysis(id: str, summary: Summary) -> Topic:
    """The topic of an analysis: its tables that concern the whole campaign."""
    return Topic(
        id,
        writes=tuple(f"reliability/{name}.{kind}" for name in summary.tables for kind in ("csv", "parquet")),
        reads=summary.reads,
        settings=summary.settings,
        applies=lambda campaign: campaign.analysed(id),
        rule=summary.rule,
        analysis=id,
    )


# The topics of a rule are made in this order.
TOPICS = {
    topic.id: topic
    for topic in (*OF_ITSELF, *(of_analysis(one.id, one.summary) for one in ANALYSES.values() if one.summary))
}


@dataclass(frozen=True)
class Together:
    """Topics that one job makes, for the campaigns that have all of them and no other of their rule."""

    rule: str
    topics: list[Topic]
    campaigns: list[str]  # their names

    @property
    def writes(self) -> list[str]:
        """What the job writes, in the campaign's folder."""
        return [name for topic in self.topics for name in topic.writes]

    def files(self, campaign: Campaign) -> list[str]:
        """What the job reads of a campaign and does not write itself."""
        read = dict.fromkeys(path for topic in self.topics for path in topic.files(campaign))
        written = files.below(campaign, *self.writes)
        return [path for path in read if path not in written]

    def told(self, campaign: Campaign) -> str:
        """What each topic is told, as JSON: its settings, and which of the files it reads."""
        place = {path: number for number, path in enumerate(self.files(campaign))}
        read = ([place[path] for path in topic.files(campaign) if path in place] for topic in self.topics)
        return facts.as_json([*zip((topic.told(campaign) for topic in self.topics), read, strict=True)])


def rules(campaigns: list[Campaign]) -> list[Together]:
    """The rules for all topics that these campaigns have."""
    found = []
    for name in dict.fromkeys(topic.rule or topic.id for topic in TOPICS.values()):
        own = [topic for topic in TOPICS.values() if name == (topic.rule or topic.id)]
        sets = distinct(name, ((it.name, tuple(one.id for one in own if one.applies(it))) for it in campaigns))
        found += [Together(rule, [TOPICS[id] for id in ids], names) for rule, ids, names in sets]
    return found
