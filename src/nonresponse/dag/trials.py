"""Jobs of the analyses of one measure: which analyses share a job, and its resources.

Most functions take a campaign and the ids of the analyses that share a job.
"""

from collections.abc import Iterable, Iterator

from nonresponse.dag import facts
from nonresponse.dag.campaigns import Campaign
from nonresponse.reliability.analyses import ANALYSES

WITH_TRIALS = {one.id: one.trials for one in ANALYSES.values() if one.trials}
Ids = tuple[str, ...]


def together(campaigns: Iterable[Campaign]) -> Iterator[tuple[str, Ids]]:
    """Return the analyses that share a job for each measure, by campaign."""
    for campaign in campaigns:
        yield campaign.name, tuple(one.id for one in campaign.analyses if one.trials)


def folders(ids: Ids) -> list[str]:
    """The folders of these analyses' tables in reliability/."""
    return [folder for id in ids for folder in WITH_TRIALS[id].tables]


def settings(campaign: Campaign, ids: Ids) -> str:
    """What a job must know of the configuration, as JSON."""
    names = [name for id in ids for name in WITH_TRIALS[id].settings]
    return facts.as_json(facts.facts_of(campaign, "official", *names))


def memory(campaign: Campaign, ids: Ids, verdicts: float) -> float:
    """Memory in MB, given the megabytes of verdicts: that of the analysis that needs most."""
    return max(base + per_megabyte * verdicts for base, per_megabyte in (WITH_TRIALS[id].memory for id in ids))


def minutes(campaign: Campaign, ids: Ids, verdicts: float) -> float:
    """Minutes of all analyses that share a job; docs/cluster.md has what was measured."""
    of_each = ((WITH_TRIALS[id].minutes, WITH_TRIALS[id].work(campaign.reliability)) for id in ids)
    return sum(base + per_megabyte * verdicts * work for (base, per_megabyte), work in of_each)
