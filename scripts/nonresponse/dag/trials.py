"""The jobs of an analysis of one measure: over how many its trials are spread, and what they ask of a machine.

Each function takes a campaign and the id of its analysis.
"""

from collections.abc import Sequence

from nonresponse.dag import facts, files
from nonresponse.dag.campaigns import Campaign
from nonresponse.reliability.analyses import ANALYSES

WITH_TRIALS = {one.id: one.trials for one in ANALYSES.values() if one.trials}
PLAIN = [id for id, trials in WITH_TRIALS.items() if trials.tables == (id,)]  # one table, which has its name
# The rules, each with its analysis and the folders of its tables. An analysis whose only table has its own name is a
# job of the rule `trials`; any other has a rule of its own name.
RULES: list[tuple[str, str, Sequence[str]]] = [("trials", "{analysis}", ["{analysis}"])]
RULES += [(id, id, tuple(it.tables)) for id, it in WITH_TRIALS.items() if id not in PLAIN]


def blocks(campaign: Campaign, analysis: str) -> int:
    """Over how many jobs the trials are spread: as asked for, but none of them without trials."""
    asked = campaign.reliability["blocks"].get(analysis, 1)
    return min(asked, WITH_TRIALS[analysis].blocks(campaign.reliability))


def counted(campaign: Campaign, analysis: str, measure: str) -> list[str]:
    """What the blocks of the trials counted; none where one job does it all."""
    number = blocks(campaign, analysis)
    parts = range(number) if number > 1 else ()
    return files.below(campaign, *(f"blocks/{analysis}/{measure}/{block}.npz" for block in parts))


def settings(campaign: Campaign, analysis: str) -> str:
    """What a job must know of the configuration, as JSON."""
    return facts.as_json(facts.facts_of(campaign, "official", *WITH_TRIALS[analysis].settings))


def memory(campaign: Campaign, analysis: str, verdicts: float) -> float:
    """In MB, for so many megabytes of verdicts, which outcomes are bits of."""
    base, per_megabyte = WITH_TRIALS[analysis].memory
    return base + per_megabyte * verdicts


def minutes(campaign: Campaign, analysis: str, verdicts: float) -> float:
    """Of one block; docs/cluster.md has what was measured."""
    base, per_megabyte = WITH_TRIALS[analysis].minutes
    work = WITH_TRIALS[analysis].work(campaign.reliability) / blocks(campaign, analysis)
    return base + per_megabyte * verdicts * work
