"""How far rankings agree: under different judgments, and by different measures."""

from nonresponse import measures, tasks
from nonresponse.reliability.analyses import Analysis, Summary, by_measure


def summarise(files: list, task: str, settings: dict, published: list) -> list:
    """Kendall's tau between rankings: of every two assessors, and of every two measures."""
    from nonresponse import tables
    from nonresponse.reliability import kendall

    scores = by_measure(files, settings["measures"])
    higher = {id: measures.get(task, id).higher_is_better for id in scores}
    official = tables.official(settings.get("official"), next(iter(scores.values())))
    return [kendall.rankings(scores, higher, official, tasks.get(task).trivial)]


ANALYSIS = Analysis(
    "rankings",
    summary=Summary(
        rule="rankings",
        tables=("rankings",),
        reads="scores",
        settings=("measures", "official"),
        make=summarise,
    ),
)
