"""Jobs of the analyses of one measure: which analyses share a job, over how many jobs trials are spread, resources.

Most functions take a campaign and the ids of the analyses that share a job.
"""

from collections.abc import Iterable, Iterator

from nonresponse.dag import facts, files
from nonresponse.dag.campaigns import Campaign
from nonresponse.reliability.analyses import ANALYSES

WITH_TRIALS = {one.id: one.trials for one in ANALYSES.values() if one.trials}
Ids = tuple[str, ...]


def together(campaigns: Iterable[Campaign]) -> Iterator[tuple[str, Ids]]:
    """The analyses that share a job for each measure, by campaign; one that is spread over blocks has its own jobs."""
    for campaign in campaigns:
        alone = [ids for _, ids in spread([campaign])]
        yield campaign.name, tuple(one.id for one in campaign.analyses if one.trials and (one.id,) not in alone)
        yield from ((campaign.name, ids) for ids in alone)


def spread(campaigns: Iterable[Campaign]) -> list[tuple[str, Ids]]:
    """The analyses whose trials are spread over several jobs, each with the name of its campaign."""
    of_each = ((it, (one.id,)) for it in campaigns for one in it.analyses if one.trials)
    return [(campaign.name, ids) for campaign, ids in of_each if number_of_blocks(campaign, ids) > 1]


def folders(ids: Ids) -> list[str]:
    """The folders of these analyses' tables in reliability/."""
    return [folder for id in ids for folder in WITH_TRIALS[id].tables]


def number_of_blocks(campaign: Campaign, ids: Ids) -> int:
    """Over how many jobs the trials are spread: as configured, but no more than have trials."""
    if len(ids) > 1:
        return 1
    asked = campaign.reliability["blocks"].get(ids[0], 1)
    return min(asked, WITH_TRIALS[ids[0]].most_blocks(campaign.reliability))


def counted_by_blocks(campaign: Campaign, ids: Ids, measure: str) -> list[str]:
    """The files that the blocks of trials wrote; none where one job runs all trials."""
    number = number_of_blocks(campaign, ids)
    parts = range(number) if number > 1 else ()
    return files.below(campaign, *(f"blocks/{ids[0]}/{measure}/{block}.npz" for block in parts))


def settings(campaign: Campaign, ids: Ids) -> str:
    """What a job must know of the configuration, as JSON."""
    names = [name for id in ids for name in WITH_TRIALS[id].settings]
    return facts.as_json(facts.facts_of(campaign, "official", "policy", *names))


def memory(campaign: Campaign, ids: Ids, verdicts: float) -> float:
    """Memory in MB, given the megabytes of verdicts: that of the analysis that needs most."""
    return max(base + per_megabyte * verdicts for base, per_megabyte in (WITH_TRIALS[id].memory for id in ids))


def minutes(campaign: Campaign, ids: Ids, verdicts: float) -> float:
    """Minutes of one block, or of all analyses that share a job; docs/cluster.md has what was measured."""
    of_each = ((WITH_TRIALS[id].minutes, WITH_TRIALS[id].work(campaign.reliability)) for id in ids)
    return sum(
        base + per_megabyte * verdicts * work / number_of_blocks(campaign, ids)
        for (base, per_megabyte), work in of_each
    )
