"""The note on measures that are undefined for all runs, and get no column."""

from nonresponse import measures


def describe_undefined(ids: list[str], task: str) -> list[str]:
    """Return a sentence on measures that are undefined for all runs, grouped by the reason."""
    undefined = [measures.get(task, id) for id in ids]
    lacking = next((measure.lacking for measure in undefined if measure.lacking), "")
    groups: dict[str, list[str]] = {}
    for measure in undefined:
        lacks_scores = lacking and "scores" in measure.needs
        groups.setdefault(lacking if lacks_scores else measure.undefined, []).append(measure.id)
    reasons = [f"{', '.join(names)} ({reason})" for reason, names in groups.items()]
    return [f"Undefined for all runs: {', '.join(reasons)}."] * bool(reasons)
