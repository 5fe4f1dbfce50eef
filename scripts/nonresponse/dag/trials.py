"""The jobs of the analyses of one measure: which share one, over how many trials are spread, what they ask for.

Most functions take a campaign and the ids of the analyses that share a job.
"""

from collections.abc import Iterable, Iterator

from nonresponse.dag import facts, files
from nonresponse.dag.campaigns import Campaign
from nonresponse.reliability.analyses import ANALYSES

WITH_TRIALS = {one.id: one.trials for one in ANALYSES.values() if one.trials}


def together(campaigns: Iterable[Campaign]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The analyses that share a job for each measure, by campaign; those that are spread over blocks have their own."""
    for campaign in campaigns:
        ids = [one.id for one in campaign.analyses if one.trials]
        alone = [id for id in ids if blocks(campaign, id) > 1]
        yield from ((campaign.name, (id,)) for id in alone)
        yield campaign.name, tuple(id for id in ids if id not in alone)


def folders(ids: Iterable[str]) -> list[str]:
    """The folders of their tables in reliability/."""
    return [folder for id in ids for folder in WITH_TRIALS[id].tables]


def blocks(campaign: Campaign, id: str) -> int:
    """Over how many jobs the trials are spread: as asked for, but none of them without trials."""
    asked = campaign.reliability["blocks"].get(id, 1)
    return min(asked, WITH_TRIALS[id].blocks(campaign.reliability))


def counted(campaign: Campaign, ids: Iterable[str], measure: str) -> list[str]:
    """What the blocks of the trials counted; none where one job does it all."""
    numbers = {id: number for id in ids if (number := blocks(campaign, id)) > 1}
    parts = [f"blocks/{id}/{measure}/{block}.npz" for id, number in numbers.items() for block in range(number)]
    return files.below(campaign, *parts)


def settings(campaign: Campaign, ids: Iterable[str]) -> str:
    """What a job must know of the configuration, as JSON."""
    return facts.as_json(
        facts.facts_of(campaign, "official", *(name for id in ids for name in WITH_TRIALS[id].settings))
    )


def memory(campaign: Campaign, ids: Iterable[str], verdicts: float) -> float:
    """In MB, for so many megabytes of verdicts, which outcomes are bits of."""
    return max(base + per_megabyte * verdicts for base, per_megabyte in (WITH_TRIALS[id].memory for id in ids))


def minutes(campaign: Campaign, ids: Iterable[str], verdicts: float) -> float:
    """Of one block, or of all that share a job; docs/cluster.md has what was measured."""
    total = 0.0
    for id in ids:
        base, per_megabyte = WITH_TRIALS[id].minutes
        total += base + per_megabyte * verdicts * WITH_TRIALS[id].work(campaign.reliability) / blocks(campaign, id)
    return total
