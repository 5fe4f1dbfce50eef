"""Views: what else a campaign's results say, each a table from which sentences, a figure and a part of the page follow.

Here is what the workflow must know of each; what it shows is in the module of its name. This one imports neither Polars
nor numpy: Snakemake reads it each time it starts.
"""

from dataclasses import dataclass

from nonresponse import measures, tasks
from nonresponse.tasks import Task


@dataclass(frozen=True)
class View:
    """One view; its id is also the name of its module, and of its table, a CSV file."""

    id: str
    of: str  # what a campaign must have: words of `known`, or options of its own
    reads: tuple[str, ...] = ()  # beside counts and scores: words of dag.files.READS, or tables of reliability/
    settings: tuple[str, ...] = ()  # of the campaign
    section: str = "views"  # of the report, that shows it

    def applies(self, task: Task, campaign: dict) -> bool:
        """Whether a campaign has it."""
        return all(word in campaign or known(task, campaign).get(word) for word in self.of.split())


def known(task: Task, campaign: dict) -> dict[str, bool]:
    """What may be known of a campaign of this task, configured like this."""
    single = "counts" not in campaign
    return {
        "single": single,  # responses
        "answers": single and not task.pairs and not task.references,  # to questions, each judged
        "ordered": single and "aurc" in measures.of_task(task.id),  # answers, by how sure a run may be of them
        "silent": task.silent is not None,  # runs
        "weighted": task.weighted,  # hypotheses
        "pairs": task.pairs,
        "several": len(campaign["measures"]) > 1,
        "confirmed": single and "sample_size" in campaign["reliability"]["analyses"],  # a difference, by its questions
    }


# In the order of the page.
VIEWS = {
    view.id: view
    for view in (
        View("participants", "participants", settings=("participants",)),
        View("orders", "several", reads=("pairs",)),
        View("required", "confirmed", reads=("sample_size.csv",)),
        View("labels", "answers judgments", reads=("judged", "verdicts")),
        View("silence", "silent", reads=("verdicts",)),
        View("combination", "single", reads=("verdicts",)),
        View("nil_places", "answers", reads=("verdicts",)),
        View("hypotheses", "weighted", reads=("responses",)),
        View("roc", "pairs"),
        View("guessing", "silent options", ("verdicts", "questions"), ("options",), "answering"),
        View("penalties", "silent", section="answering"),
        View("crossings", "silent", section="answering"),
        View("risk", "ordered", reads=("verdicts",), section="answering"),
        View("reliability_diagram", "ordered", reads=("verdicts",), section="answering"),
        View("cut_offs", "ordered", ("verdicts",), ("seed",), "answering"),
        View("guarantee", "ordered", reads=("verdicts",), section="answering"),
    )
}


def of(campaign: dict) -> list[View]:
    """The views that a campaign has."""
    return [view for view in VIEWS.values() if view.applies(tasks.get(campaign["task"]), campaign)]
