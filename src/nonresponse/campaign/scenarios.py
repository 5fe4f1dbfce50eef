"""Scenarios: a campaign evaluated differently, with other correct labels or other policies.

A scenario is the campaign with some options changed, so that whatever judges, counts and scores a
campaign does so for a scenario, too.
"""

from collections.abc import Mapping
from typing import Any

from nonresponse.tasks import POLICIES

OFFICIAL = "official"  # the campaign as it is configured
FOLDER = "scenarios"  # in the folder of the campaign's results
ASKED = ("missing", "compare_on")  # options outside `judgments:` that verdicts depend on
# Options of a scenario that are those of `judgments:`; all others are policies.
OF_JUDGMENTS = ("correct", "closed")


def in_scenario(campaign: Mapping[str, Any], scenario: dict) -> dict:
    """Return the campaign with a scenario's options; a label that the scenario calls correct is not
    partial there."""
    policies = {name: value for name, value in scenario.items() if name not in OF_JUDGMENTS}
    if not policies.keys() < scenario.keys():
        return {**campaign, **policies}
    gold = campaign["judgments"] | {
        name: scenario[name] for name in OF_JUDGMENTS if name in scenario
    }
    gold["partial"] = [label for label in gold["partial"] if label not in gold["correct"]]
    return {**campaign, **policies, "judgments": gold}


def as_campaigns(campaigns: dict) -> dict[str, Any]:
    """Return every scenario of every campaign, under the name of its folder in results/; the
    campaigns are complete."""
    return {
        f"{name}/{FOLDER}/{scenario}": in_scenario(campaign, changes)
        for name, campaign in campaigns.items()
        for scenario, changes in campaign.get("scenarios", {}).items()
    }


def verdict_options(campaign: Mapping[str, Any]) -> dict:
    """Return the options that verdicts depend on, labels sorted: if they are equal, two scenarios
    have equal verdicts."""
    gold = campaign.get("judgments", {})
    names = {"correct": "correct", "partial": "partial labels"}
    labels = {called: sorted(gold.get(name, [])) for name, called in names.items()}
    asked = {name: campaign.get(name) for name in ASKED}
    return labels | {"closed": gold.get("closed", False)} | asked


def score_options(campaign: Mapping[str, Any]) -> dict:
    """Return the options that scores depend on: where they are equal, two scenarios are one and the
    same."""
    return verdict_options(campaign) | {name: campaign[name] for name in POLICIES}


def described(campaign: Mapping[str, Any]) -> dict:
    """Return for a page the options of each scenario, and `own`, the name of the one that equals
    the campaign or OFFICIAL."""
    named = {
        name: score_options(in_scenario(campaign, scenario))
        for name, scenario in campaign["scenarios"].items()
    }
    says = score_options(campaign)
    own = next((name for name, other in named.items() if other == says), OFFICIAL)
    return {"own": own, "scenarios": [[name, one] for name, one in ({own: says} | named).items()]}
