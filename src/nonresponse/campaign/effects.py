"""Whether each key that a campaign has takes effect, by what models.py declares beside the key."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, get_args

from nonresponse import formats
from nonresponse.campaign.models import Campaign, Model, Needs
from nonresponse.campaign.options import source

PARTS = ("runs", "judgments", "graded", "counts", "questions")


@cache
def declared_options() -> dict[str, list[Needs]]:
    """Return every option of a campaign and of its parts, such as `runs.columns.rank`, with what it
    needs.

    An option that contains others comes before them.
    """
    found: dict[str, list[Needs]] = {}

    def add(model: type[Model], before: str, part: str) -> None:
        for name, field in model.model_fields.items():
            option = before + name
            needs = [one for one in field.metadata if isinstance(one, Needs)]
            found[option] = [one for one in needs if not one.part or part in one.part]
            if name == "columns" or (not before and name in PARTS):
                for inside in models_in(field.annotation):
                    add(inside, f"{option}.", part or name)

    add(Campaign, "", "")
    return found


def models_in(annotation: Any) -> list[type[Model]]:
    """Return the model that a type is, or that one of its forms is."""
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return [annotation]
    return [model for form in get_args(annotation) for model in models_in(form)]


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
    if not isinstance(campaign, dict) or name not in campaign:
        return False
    return not inside or is_written(campaign[name], inside)


def explain_idle(campaign: Mapping[str, Any], option: str) -> str | None:
    """Return why an option has no effect in a campaign; null where it has one."""
    needs = declared_options()[option] or [Needs()]
    reasons = (explain_unmet(campaign, option, one) for one in needs)
    return next((reason for reason in reasons if reason), None)


def explain_unmet(campaign: Mapping[str, Any], option: str, needs: Needs) -> str | None:
    """Return which condition of an option does not hold; null where all do."""
    origin, task = source(campaign), campaign["task"]
    part_name, _, inside = option.partition(".")
    part = campaign.get(part_name if inside else origin)
    written = part if isinstance(part, dict) else {}
    format = written.get("format")
    taken = formats.taking(part_name, inside) if part_name in PARTS[:4] else []
    for condition, fact, allowed in (
        ("task {}", task, needs.task),
        ("a campaign of {}", origin, needs.source or ((part_name,) if inside and not part else ())),
        ("{} files", format, needs.format or taken),
        ("layout {}", written.get("layout", "long"), needs.layout),
        ("graded responses of task {}", task if origin == "graded" else None, needs.graded),
    ):
        if allowed and fact not in (None, *allowed):
            return f"has no effect on {condition.format(fact)}; it is for {', '.join(allowed)}"
    if others := [name for name in needs.without if is_written(written, name)]:
        return f"has no effect beside {others[0]}"
    if others := [name for name in needs.beside if not is_written(written, name)]:
        return f"has no effect without {others[0]}"
    alone = not any(is_written(written, name) for name in needs.either)
    if needs.either and alone and format not in formats.LOGS:
        return f"has no effect without {' or '.join(needs.either)}"
    return None
