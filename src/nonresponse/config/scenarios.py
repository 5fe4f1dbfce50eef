"""Scenarios: a campaign evaluated differently, with other correct labels or other policies.

A scenario is the campaign with some options changed, so that whatever judges, counts and scores a campaign does so for
a scenario, too.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from nonresponse.config.options import against, source
from nonresponse.faults import shown
from nonresponse.tasks import POLICIES

OFFICIAL = "official"  # the campaign as it is configured
FOLDER = "scenarios"  # in the folder of the campaign's results
ASKED = ("missing", "compare_on")  # options outside `judgments:` that verdicts depend on
# Options of a scenario that are those of `judgments:`; all others are policies.
OF_JUDGMENTS = ("correct", "closed", "pooled")


def in_scenario(campaign: Mapping[str, Any], scenario: dict) -> dict:
    """The campaign with a scenario's options; a label that the scenario calls correct is not partial there."""
    policies = {name: value for name, value in scenario.items() if name not in OF_JUDGMENTS}
    if not policies.keys() < scenario.keys():
        return {**campaign, **policies}
    gold = campaign["judgments"] | {name: scenario[name] for name in OF_JUDGMENTS if name in scenario}
    gold["partial"] = [label for label in gold["partial"] if label not in gold["correct"]]
    return {**campaign, **policies, "judgments": gold}


def as_campaigns(campaigns: dict) -> dict[str, Any]:
    """Every scenario of every campaign, under the name of its folder in results/; the campaigns are complete."""
    return {
        f"{name}/{FOLDER}/{scenario}": in_scenario(campaign, changes)
        for name, campaign in campaigns.items()
        for scenario, changes in campaign.get("scenarios", {}).items()
    }


def verdict_options(campaign: Mapping[str, Any]) -> dict:
    """The options that verdicts depend on, labels sorted: if they are equal, two scenarios have equal verdicts."""
    gold = campaign.get("judgments", {})
    names = {"correct": "correct", "partial": "partial labels", "pooled": "pooled"}
    labels = {called: sorted(gold.get(name, [])) for name, called in names.items()}
    return labels | {"closed": gold.get("closed", False)} | {name: campaign.get(name) for name in ASKED}


def score_options(campaign: Mapping[str, Any]) -> dict:
    """The options that scores depend on: where they are equal, two scenarios are one and the same."""
    return verdict_options(campaign) | {name: campaign[name] for name in POLICIES}


def no_label(label: str, labels: list[str]) -> str:
    """A sentence that a label is none of those that the campaign's judgments may carry."""
    return f"{shown(label)} is not a label; allowed are {', '.join(labels)}"


def problems(key: str, campaign: Mapping[str, Any], labels: list[str]) -> Iterator[str]:
    """What is wrong with the scenarios of a campaign whose own options are sound; `labels` are those of its task."""
    seen: dict[str, dict] = {}
    for name, scenario in campaign.get("scenarios", {}).items():
        place = f"{key}.scenarios.{name}"
        own = "is the campaign as it is configured; give the scenario another name"
        wrong = [f"{place}: {OFFICIAL} {own}"] if name == OFFICIAL else []
        wrong += [f"{place}.{option}: {reason}" for option in scenario if (reason := idle(campaign, option))]
        wrong = wrong or [
            f"{place}.{option}: {no_label(label, labels)}"
            for option in ("correct", "pooled")
            for label in scenario.get(option, [])
            if label not in labels
        ]
        if not wrong:
            seen[name] = score_options(in_scenario(campaign, scenario))
            same = next(other for other, says in seen.items() if says == seen[name])
            if same != name:
                wrong.append(f"{place}: says the same as {same}")
            elif len(campaign["scenarios"]) == 1 and seen[name] == score_options(campaign):
                wrong.append(f"{place}: says what the campaign says; name one that differs")
        yield from wrong


def idle(campaign: Mapping[str, Any], option: str) -> str | None:
    """Why an option of a scenario has no effect in the campaign; null where it has one."""
    if option in OF_JUDGMENTS and "judgments" not in campaign:
        return f"has no effect on a campaign of {source(campaign)}; it is for runs"
    return against(campaign, f"judgments.{option}" if option in OF_JUDGMENTS else option)


def described(campaign: Mapping[str, Any]) -> dict:
    """For a page: the options of each scenario, and `own`, the name of the one that equals the campaign or OFFICIAL."""
    named = {name: score_options(in_scenario(campaign, scenario)) for name, scenario in campaign["scenarios"].items()}
    own = next((name for name, says in named.items() if says == score_options(campaign)), OFFICIAL)
    return {"own": own, "scenarios": [[name, says] for name, says in ({own: score_options(campaign)} | named).items()]}
