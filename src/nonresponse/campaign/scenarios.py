"""Scenarios: a campaign evaluated differently, with other correct labels or other policies.

A scenario is the campaign with some options changed, so that whatever judges, counts and scores a
campaign does so for a scenario, too.
"""

from collections.abc import Mapping
from typing import Any

from nonresponse.tasks import POLICIES

OFFICIAL = "official"  # the campaign as it is configured
QUESTION_OPTIONS = ("missing", "compare_on")  # options outside `judgments:` that verdicts depend on
# Options of a scenario that are those of `judgments:`; all others are policies.
LABEL_OPTIONS = ("correct", "closed")


def apply_scenario(campaign: Mapping[str, Any], scenario: dict) -> dict:
    """Return the campaign with a scenario's options. What becomes correct is not partial."""
    policies = {name: value for name, value in scenario.items() if name not in LABEL_OPTIONS}
    if len(policies) == len(scenario):
        return {**campaign, **policies}
    gold = campaign["judgments"] | {name: scenario[name] for name in scenario.keys() - policies}
    gold["partial"] = [label for label in gold["partial"] if label not in gold["correct"]]
    return {**campaign, **policies, "judgments": gold}


def select_verdict_options(campaign: Mapping[str, Any]) -> dict:
    """Return the options that verdicts depend on: where they are equal, verdicts are."""
    gold = campaign.get("judgments", {})
    return {
        "correct": sorted(gold.get("correct", [])),
        "partial labels": sorted(gold.get("partial", [])),
        "closed": gold.get("closed", False),
        **{name: campaign.get(name) for name in QUESTION_OPTIONS},
    }


def select_score_options(campaign: Mapping[str, Any]) -> dict:
    """Return the options that scores depend on. Scenarios with equal ones are the same."""
    return select_verdict_options(campaign) | {name: campaign[name] for name in POLICIES}


def describe_scenarios(campaign: Mapping[str, Any]) -> dict:
    """Return the scenarios' options, and the name of the scenario that equals the campaign."""
    options = {
        name: select_score_options(apply_scenario(campaign, scenario))
        for name, scenario in campaign["scenarios"].items()
    }
    own_options = select_score_options(campaign)
    own_name = next((name for name in options if options[name] == own_options), OFFICIAL)
    return {"own": own_name, "scenarios": [*map(list, ({own_name: own_options} | options).items())]}
