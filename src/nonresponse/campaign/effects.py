"""Whether each key that a campaign has takes effect, by what py declares beside the key."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from nonresponse import formats
from nonresponse.campaign.keys import keys_of, mapping_in
from nonresponse.campaign.models import Campaign, Needs
from nonresponse.campaign.options import source

PARTS = ("runs", "judgments", "graded", "counts", "questions")


@cache
def declared_options() -> dict[str, list[Needs]]:
    """Return every option of a campaign and of its parts, such as `runs.columns.rank`, with what it
    needs.

    An option that contains others comes before them.
    """
    found: dict[str, list[Needs]] = {}

    def add(model: type, before: str, part: str) -> None:
        for name, declared in keys_of(model).items():
            option = before + name
            found[option] = [
                needs for needs in declared.needs if not needs.part or part in needs.part
            ]
            if name in ("columns", *([] if before else PARTS)) and option != "counts.columns":
                add(mapping_in(declared.type), f"{option}.", part or name)

    add(Campaign, "", "")
    return found


def find_idle(campaign: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each option that is written but has no effect, and why; options inside such an option
    are left out."""
    above: tuple[str, ...] = ()
    for option in declared_options():
        written = is_written(campaign, option) and not option.startswith(above)
        if written and (reason := explain_idle(campaign, option)):
            above = (*above, f"{option}.")
            yield option, reason


def is_written(campaign: Mapping[str, Any], option: str) -> bool:
    """Return whether a campaign has an option, which is named with a dot for each level."""
    name, _, inside = option.partition(".")
    return (
        isinstance(campaign, dict)
        and name in campaign
        and (not inside or is_written(campaign[name], inside))
    )


def explain_idle(campaign: Mapping[str, Any], option: str) -> str | None:
    """Return why an option has no effect in a campaign; null where it has one."""
    reasons = (
        explain_unmet(campaign, option, needs) for needs in declared_options()[option] or [Needs()]
    )
    return next((reason for reason in reasons if reason), None)


def explain_unmet(campaign: Mapping[str, Any], option: str, needs: Needs) -> str | None:
    """Return which condition of an option does not hold; null where all do."""
    origin, task = source(campaign), campaign["task"]
    place, _, inside = option.partition(".")
    part = campaign[place if inside else origin]
    written = part if isinstance(part, dict) else {}
    format = written.get("format")
    taken = formats.taking(place, inside) if place in PARTS[:4] else []
    for said, fact, allowed in (
        ("task {}", task, needs.task),
        ("a campaign of {}", origin, needs.source),
        ("{} files", format, needs.format or taken),
        ("layout {}", written.get("layout", "long"), needs.layout),
        ("graded responses of task {}", task if origin == "graded" else None, needs.graded),
    ):
        if allowed and fact not in (None, *allowed):
            return f"has no effect on {said.format(fact)}; it is for {', '.join(allowed)}"
    if others := [name for name in needs.without if is_written(written, name)]:
        return f"has no effect beside {others[0]}"
    if others := [name for name in needs.beside if not is_written(written, name)]:
        return f"has no effect without {others[0]}"
    if (
        needs.either
        and format not in formats.LOGS
        and not any(is_written(written, it) for it in needs.either)
    ):
        return f"has no effect without {' or '.join(needs.either)}"
    return None
