"""Facts that follow from several keys of a campaign. Imports nothing heavy."""

from collections.abc import Mapping
from typing import Any

from nonresponse import formats, tasks
from nonresponse.settings import Source
from nonresponse.tasks import POLICIES

SOURCES: dict[Source, tuple[str, ...]] = {
    "runs": ("runs", "judgments"),
    "graded": ("graded",),
    "counts": ("counts",),
}
# Measures of responses that nobody judged; all but the first ask whether questions have an answer.
UNJUDGED = (
    "answered",
    "abstention_precision",
    "abstention_recall",
    "abstention_f1",
    "false_abstention",
)

PAIRS = tuple(name for name in tasks.NAMES if tasks.get(name).pairs)
REFERENCES = tuple(name for name in tasks.NAMES if tasks.get(name).references)
# Tasks whose judgments have labels
LABELS = tuple(name for name in tasks.NAMES if name not in REFERENCES)
ANSWERS = tuple(name for name in LABELS if name not in PAIRS)
REPEATED = tuple(name for name in tasks.NAMES if tasks.get(name).repeated)


def find_source(campaign: Mapping[str, Any]) -> Source:
    """Return where a campaign's data come from: `runs` and judgments, `graded` or `counts`."""
    return next(name for name in SOURCES if name in campaign)


def is_judged(campaign: Mapping[str, Any]) -> bool:
    """Return whether anybody judged the responses."""
    return campaign.get("graded", {}).get("judged", True)


def explain_unjudged(campaign: Mapping[str, Any], id: str) -> str:
    """Return why a measure cannot be computed without judgments; "" if it can."""
    if is_judged(campaign) or id in UNJUDGED:
        return ""
    return f"{id} needs judgments; allowed beside `judged: false` are {', '.join(UNJUDGED)}"


def list_labels(campaign: Mapping[str, Any]) -> list[str]:
    """Return the labels that the campaign's judgments may carry."""
    return tasks.get(campaign["task"]).list_labels(campaign["judgments"]["format"])


def has_clusters(campaign: Mapping[str, Any]) -> bool:
    """Return whether questions come in clusters, by a column or by the format."""
    gold, questions = campaign.get("judgments", {}).get("format"), campaign.get("questions")
    is_log = isinstance(questions, dict) and "format" in questions
    return "cluster" in campaign or is_log or bool(gold and formats.FORMATS[gold].cluster)


def select_policy(campaign: Mapping[str, Any]) -> dict[str, str]:
    """Return what unscored, error and partial verdicts count as."""
    return {name: campaign[name] for name in POLICIES}
