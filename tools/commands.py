"""The command lines of tools and benchmarks: functions, whose parameters are options."""

import argparse
from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any


def run(
    about: str | None,
    commands: list[Callable],
    options: Mapping[str, Any],
    arguments: list[str] | None = None,
) -> None:
    """Call the function that the command line names, or the only one there is, with the options
    given there.

    A parameter without a default is an option that must be given. `options` holds for each
    parameter the keywords of `argparse.add_argument`: `help`, and `type` or `action` where the
    value is not text.
    """
    parser = argparse.ArgumentParser(description=about, allow_abbrev=False)
    subparsers = (
        parser.add_subparsers(metavar="COMMAND", required=True) if len(commands) > 1 else None
    )
    for command in commands:
        name, description = command.__name__.replace("_", "-"), command.__doc__
        subparser = (
            subparsers.add_parser(
                name, help=description, description=description, allow_abbrev=False
            )
            if subparsers
            else parser
        )
        subparser.set_defaults(command=command)
        for parameter in signature(command).parameters.values():
            is_required = parameter.default is parameter.empty
            presence = {"required": True} if is_required else {"default": parameter.default}
            subparser.add_argument(
                f"--{parameter.name.replace('_', '-')}", **options[parameter.name], **presence
            )
    values = vars(parser.parse_args(arguments))
    values.pop("command")(**values)
