"""What is found out of a campaign from its scores and verdicts: a record each, for one rule and one command."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nonresponse.dag import facts, files
from nonresponse.dag.campaigns import Campaign
from nonresponse.dag.facts import HEAD
from nonresponse.reliability.analyses import ANALYSES, Analysis, Summary

PAGE = (*HEAD, "measures", "compared")


@dataclass(frozen=True)
class Topic:
    """One of them; its id is also the name of its rule and, for most, of the module in nonresponse/topics."""

    id: str
    writes: tuple[str, ...]  # in the campaign's folder; what ends with / is a folder
    reads: tuple[str, ...]  # words of dag.files.READS, or folders of reliability/
    settings: Sequence[str]  # names of dag.facts
    applies: Callable[[Campaign], bool] = lambda campaign: True
    waits: bool = False  # for the counts of the campaign's scenarios, too
    published: tuple[tuple[str, str], ...] = ()  # files in resources/published, each with the campaign that it is of
    local: bool = False  # too small for a cluster's queue
    memory: tuple[float, float] = (1500, 40)  # MB, and for each MB of input
    minutes: tuple[float, float] = (5, 1 / 50)  # the same
    analysis: str | None = None  # whose summary it is

    @property
    def module(self) -> str:
        """Whose function `make` makes it, below scripts/."""
        return f"nonresponse/topics/{'summaries' if self.analysis else self.id}.py"

    def files(self, campaign: Campaign) -> list[str]:
        """What it reads of a campaign."""
        return files.files_of(campaign, self.reads)

    def published_files(self, campaign: Campaign) -> list[str]:
        """Those of its published tables that are of the campaign."""
        return [str(files.resources("published") / name) for name, whose in self.published if whose == campaign.name]


def page(id: str, *tables: str) -> tuple[str, ...]:
    """A page with blocks, and tables in a folder of its name."""
    return (f"{id}.md", f"{id}/blocks.json", *(f"{id}/{name}" for name in tables))


OF_ITSELF = (
    Topic(
        "imports",
        writes=("imports.csv", "imports.json"),
        reads=("accounts", "counts"),
        settings=(),
        applies=lambda campaign: campaign.imported,
        local=True,
    ),
    Topic(
        "leaderboard",
        writes=(*(f"leaderboard.{ending}" for ending in ("csv", "parquet", "md", "tex", "json")), "categories.csv"),
        reads=("all scores", "intervals", "questions", "published"),
        settings=facts.LEADERBOARD,
        local=True,
    ),
    Topic(
        "changes",
        writes=("changes.md", "changes.json"),
        reads=("before and now", "published"),
        settings=(*HEAD, "measures", "tables", "published"),
        memory=(1000, 40),
    ),
    Topic(
        "reliability",
        writes=("figures/", "reliability/findings.csv", "reliability/blocks.json", "reliability.md", "reliability.tex"),
        reads=("analysed", "source"),
        settings=facts.RELIABILITY,
        applies=lambda campaign: bool(campaign.analyses),
        memory=(2000, 0),
        minutes=(15, 0),
    ),
    Topic(
        "audit",
        writes=("audit.csv", "audit.json"),
        reads=("audited",),
        settings=("rules", "official", "shards", "source"),
        applies=lambda campaign: campaign.ruled,
        memory=(2000, 20),
    ),
    Topic(
        "adjudication",
        writes=("to_adjudicate.csv", "adjudication.json"),
        reads=("verdicts", "counts", "judged responses"),
        settings=("measures", "official", "vote", "seed"),
        applies=lambda campaign: campaign.disputed,
        memory=(1000, 40),
    ),
    Topic(
        "scenarios",
        writes=page("scenarios", "scores.csv", "rankings.csv", "swaps.csv", "findings.csv"),
        reads=("scenarios",),
        settings=(*PAGE, "described_scenarios"),
        applies=lambda campaign: "scenarios" in campaign.options,
        waits=True,
        local=True,
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
        reads=("of views", "source"),
        settings=(*PAGE, "policy", "views", "trivial", "published", "of_views"),
        applies=lambda campaign: bool(campaign.views),
    ),
    Topic(
        "years",
        writes=page("years", "", "within.parquet", "decades.parquet", "within.svg"),
        reads=("verdicts",),
        settings=(*HEAD, "policy", "years"),
        applies=lambda campaign: campaign.task.years,
        memory=(2000, 40),
    ),
)


def of_analysis(analysis: Analysis, summary: Summary) -> Topic:
    """The tables of an analysis that are of a whole campaign."""
    return Topic(
        summary.rule or analysis.id,
        writes=tuple(f"reliability/{name}.csv" for name in summary.tables),
        reads=summary.reads,
        settings=summary.settings,
        applies=lambda campaign: campaign.analysed(analysis.id),
        published=tuple(summary.published.items()),
        local=summary.local,
        memory=(1000, 40),
        analysis=analysis.id,
    )


SUMMARIES = tuple(of_analysis(one, one.summary) for one in ANALYSES.values() if one.summary)
TOPICS = {topic.id: topic for topic in (*OF_ITSELF, *SUMMARIES)}
