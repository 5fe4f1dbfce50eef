"""Which measures a campaign has that names none: those that what it hands in could define. Imports nothing heavy."""

from nonresponse import formats, measures, tasks
from nonresponse.config.options import source


def default_measures(campaign: dict, counts: set[str] | None) -> list[str]:
    """Ids in the order of their definition. `counts` are what a published table holds; null for single responses."""
    known = [measure for measure in measures.of_task(campaign["task"]).values() if measure.by_default]
    if counts is not None:
        return [m.id for m in known if m.kind == "counts" and counts >= set(m.totals)]
    told = facts(campaign)
    return [m.id for m in known if told >= set(m.needs)]


def facts(campaign: dict) -> set[str]:
    """What single responses and their judgments may tell, as far as the configuration knows; see measures.FACTS."""
    if source(campaign) == "graded":
        return of_graded(campaign["graded"])
    runs, gold = campaign["runs"], campaign["judgments"]
    told = {"key", *formats.FORMATS[runs["format"]].tells, *formats.FORMATS[gold["format"]].tells}
    told |= {"nil"} if "nil" in runs else set()
    told |= {"withheld"} if "answer_from" in runs else set()
    named = {*gold.get("correct", []), *gold.get("partial", []), *gold.get("labels", {}).values()}
    romip = tasks.get(campaign["task"]).labels_of_format.get("romip", ())
    return told | ({"romip"} if named & set(romip) else set())


def of_graded(graded: dict) -> set[str]:
    """The same where responses come graded."""
    if graded["format"] in formats.LOGS:
        log = formats.LOGS[graded["format"]]
        return set(log.tells) if all(option in graded for option in log.told_with) else set()
    if graded["layout"] == "wide":
        return set()
    return {"scores", "ranks"} | ({"withheld"} if "answer_from" in graded else set())
