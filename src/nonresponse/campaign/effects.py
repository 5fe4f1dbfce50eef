"""Whether each key that a campaign has takes effect, by what models.py declares beside the key."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, get_args

from nonresponse import formats
from nonresponse.campaign.models import Campaign, Model, Needs
from nonresponse.campaign.options import find_source

PARTS = ("runs", "judgments", "graded", "counts", "questions")


@cache
def list_options() -> dict[str, list[Needs]]:
    """Return what each option of a campaign and of its parts needs, such as `runs.columns.rank`.

    An option that contains others comes before them.
    """
    options: dict[str, list[Needs]] = {}

    def add(model: type[Model], prefix: str, part: str) -> None:
        for name, field in model.model_fields.items():
            option = prefix + name
            needs = [entry for entry in field.metadata if isinstance(entry, Needs)]
            options[option] = [entry for entry in needs if not entry.part or part in entry.part]
            if name == "columns" or (not prefix and name in PARTS):
                for part_model in find_models(field.annotation):
                    add(part_model, f"{option}.", part or name)

    add(Campaign, "", "")
    return options


def find_models(annotation: Any) -> list[type[Model]]:
    """Return the model that a type is, or that one of its forms is."""
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return [annotation]
    return [model for form in get_args(annotation) for model in find_models(form)]


def find_idle(campaign: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each option that is written but has no effect, and why, without the options in it."""
    idle_prefixes: tuple[str, ...] = ()
    for option in list_options():
        applies = is_written(campaign, option) and not option.startswith(idle_prefixes)
        if applies and (reason := explain_idle(campaign, option)):
            idle_prefixes = (*idle_prefixes, f"{option}.")
            yield option, reason


def is_written(campaign: Mapping[str, Any], option: str) -> bool:
    """Return whether a campaign has an option, which is named with a dot for each level."""
    name, _, inside = option.partition(".")
    if not isinstance(campaign, dict) or name not in campaign:
        return False
    return not inside or is_written(campaign[name], inside)


def explain_idle(campaign: Mapping[str, Any], option: str) -> str | None:
    """Return why an option has no effect in a campaign; null where it has one."""
    conditions = list_options()[option] or [Needs()]
    reasons = (explain_unmet(campaign, option, needs) for needs in conditions)
    return next(filter(None, reasons), None)


def explain_unmet(campaign: Mapping[str, Any], option: str, needs: Needs) -> str | None:
    """Return which condition of an option does not hold; null where all do."""
    origin, task = find_source(campaign), campaign["task"]
    part_name, _, inside = option.partition(".")
    part = campaign.get(part_name if inside else origin)
    part_options = part if isinstance(part, dict) else {}
    format = part_options.get("format")
    accepting = (
        formats.list_formats_with_option(part_name, inside) if part_name in PARTS[:4] else []
    )
    for condition, fact, allowed in (
        ("task {}", task, needs.task),
        ("a campaign of {}", origin, needs.source or ((part_name,) if inside and not part else ())),
        ("{} files", format, needs.format or accepting),
        ("layout {}", part_options.get("layout", "long"), needs.layout),
        ("graded responses of task {}", task if origin == "graded" else None, needs.graded),
    ):
        if allowed and fact not in (None, *allowed):
            return f"has no effect on {condition.format(fact)}; it is for {', '.join(allowed)}"
    if names := [name for name in needs.conflicts if is_written(part_options, name)]:
        return f"has no effect beside {names[0]}"
    if names := [name for name in needs.companions if not is_written(part_options, name)]:
        return f"has no effect without {names[0]}"
    alone = not any(is_written(part_options, name) for name in needs.either)
    if needs.either and alone and format not in formats.LOGS:
        return f"has no effect without {' or '.join(needs.either)}"
    return None
