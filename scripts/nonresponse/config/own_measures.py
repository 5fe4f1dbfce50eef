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
    part = campaign[source(campaign)]
    if log := formats.LOGS.get(part["format"]):
        return {*log.tells} if part.keys() >= {*log.told_with} else set()
    told = {"withheld"} if "answer_from" in part else set()
    if source(campaign) == "graded":
        return set() if part["layout"] == "wide" else {"scores", "ranks"} | told
    gold, romip = campaign["judgments"], tasks.get(campaign["task"]).labels_of_format.get("romip", ())
    told |= {"key", *formats.FORMATS[part["format"]].tells, *formats.FORMATS[gold["format"]].tells}
    named = {*gold.get("correct", []), *gold.get("partial", []), *gold.get("labels", {}).values()}
    return told | ({"nil"} & part.keys()) | ({"romip"} if named & {*romip} else set())
