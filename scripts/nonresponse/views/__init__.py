"""Views: what else a campaign's results say, each a table from which sentences, a figure and a part of the page follow.

Here is what the workflow must know of each; what it shows is in the module of its name. This one imports neither Polars
nor numpy: Snakemake reads it each time it starts.
"""

from collections.abc import Callable
from dataclasses import dataclass

from nonresponse import measures, tasks
from nonresponse.tasks import Task


@dataclass(frozen=True)
class View:
    """One view; its id is also the name of its module, and of its table, a CSV file."""

    id: str
    fits: Callable[[Task, dict], bool]  # whether it is for a campaign of this task, configured like this
    option: str = ""  # of the campaign, without which it has none
    reads: tuple[str, ...] = ()  # beside counts and scores: words of dag.files.READS, or tables of reliability/
    settings: tuple[str, ...] = ()  # of the campaign
    section: str = "differ"  # of the report, that shows it; "" = views.md alone

    def applies(self, task: Task, campaign: dict) -> bool:
        """Whether a campaign has it."""
        return self.fits(task, campaign) and (not self.option or self.option in campaign)


def single(task: Task, campaign: dict) -> bool:
    """Whether the campaign has single responses."""
    return "counts" not in campaign


def answers(task: Task, campaign: dict) -> bool:
    """Whether it has single answers to questions, each judged."""
    return single(task, campaign) and not task.pairs and not task.references


def ordered(task: Task, campaign: dict) -> bool:
    """Whether it has single answers that a run may order by how sure it is of them."""
    return single(task, campaign) and "aurc" in measures.of_task(task.id)


def silent(task: Task, campaign: dict) -> bool:
    """Whether a run of it may be silent."""
    return task.silent is not None


def analysed(task: Task, campaign: dict) -> bool:
    """Whether the number of its questions was analysed, and so the difference that they confirm."""
    return single(task, campaign) and "sample_size" in campaign["reliability"]["analyses"]


# In the order of the page.
VIEWS = {
    view.id: view
    for view in (
        View("participants", lambda task, campaign: True, "participants", settings=("participants",)),
        View("orders", lambda task, campaign: len(campaign["measures"]) > 1, reads=("pairs",)),
        View("required", analysed, reads=("sample_size.csv",), section="judged"),
        View("labels", answers, "judgments", reads=("judged", "verdicts"), section="judged"),
        View("silence", silent, reads=("verdicts",), section=""),
        View("combination", single, reads=("verdicts",), section="questions"),
        View("nil_places", answers, reads=("verdicts",), section="questions"),
        View("hypotheses", lambda task, campaign: task.weighted, reads=("responses",), section="questions"),
        View("roc", lambda task, campaign: task.pairs),
        View("guessing", silent, "options", ("verdicts", "questions"), settings=("options",)),
        View("prices", silent, reads=("verdicts", "clusters"), settings=("seed", "flips", "level")),
        View("risk", ordered, reads=("verdicts",)),
        View("reliability_diagram", ordered, reads=("verdicts",)),
        View("cut_offs", ordered, reads=("verdicts",), settings=("seed",), section="others"),
        View("guarantee", ordered, reads=("verdicts",), section="others"),
    )
}


def of(campaign: dict) -> list[View]:
    """The views that a campaign has."""
    return [view for view in VIEWS.values() if view.applies(tasks.get(campaign["task"]), campaign)]
