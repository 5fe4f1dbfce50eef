"""Views: further tables from a campaign's results, each with sentences, perhaps a figure, and its part of the page.

This module has what the workflow must know of each view; what a view shows is in the module of its name. It imports
neither Polars nor numpy: Snakemake reads it each time it starts.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nonresponse import measures, tasks
from nonresponse.campaign.options import is_judged
from nonresponse.tasks import Task


@dataclass(frozen=True)
class View:
    """One view; its id is also the name of its module, and of its table, a CSV file."""

    id: str
    of: str  # what a campaign must have: words of KNOWN, or options of its own
    reads: tuple[str, ...] = ()  # besides counts and scores: words, or tables of reliability/
    section: str = "differ"  # of the report, that shows it; "" = views.md alone

    def applies(self, task: Task, campaign: Mapping[str, Any]) -> bool:
        """Whether a campaign has this view."""
        return all(word in campaign or (word in KNOWN and KNOWN[word](task, campaign)) for word in self.of.split())


# What a campaign may have, depending on its task and its configuration; a comment completes the phrase.
KNOWN: dict[str, Callable[[Task, Mapping[str, Any]], bool]] = {
    "ordered": lambda task, it: "counts" not in it and "aurc" in measures.of_task(task.id),  # by how sure a run may be
    "silent": lambda task, it: task.silent is not None,  # runs
}


UNJUDGED = ("participants", "silence")  # views that also suit responses that nobody judged
# In the order of the page.
VIEWS = {
    view.id: view
    for view in (
        View("participants", "participants"),
        View("silence", "silent", reads=("verdicts",), section=""),
        View("guessing", "silent options", ("verdicts", "questions")),
        View("prices", "silent"),
        View("risk", "ordered", reads=("verdicts",)),
        View("reliability_diagram", "ordered", reads=("verdicts",)),
        View("guarantee", "ordered", ("verdicts", "clusters"), section="others"),
    )
}


def of(campaign: Mapping[str, Any]) -> list[View]:
    """The views that a campaign has."""
    judged = is_judged(campaign)
    return [
        it
        for it in VIEWS.values()
        if (judged or it.id in UNJUDGED) and it.applies(tasks.get(campaign["task"]), campaign)
    ]
