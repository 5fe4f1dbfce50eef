"""The command lines of the scripts, by argparse, which loads fast: functions, whose parameters are options."""

import argparse
import gc
import json
import os
import sys
from collections.abc import Callable, Mapping
from inspect import signature
from pathlib import Path
from typing import Any

COMMON: dict[str, dict[str, Any]] = {  # options of several commands
    "campaign": {"help": "its name"},
    "task": {"help": "a task, such as qa"},
    "folder": {"type": Path, "help": "the campaign's results"},
    "results": {"type": Path, "help": "the folder of all results"},
    "files": {"type": Path, "nargs": "+", "help": "the verdicts, a Parquet file for each shard"},
    "policy": {"type": json.loads, "help": "what unscored, error and partial count as, a JSON object"},
}


def from_json(path: str) -> Any:
    """The value in a JSON file, for options that grow with a campaign: Linux limits an argument to 131,072 bytes."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


def run(
    about: str | None, commands: list[Callable], options: Mapping[str, Any], arguments: list[str] | None = None
) -> None:
    """Calls the function that the command line names, or the only one there is, with the options given there.

    A parameter without a default is an option that must be given. `options` holds for each parameter but those of
    COMMON the keywords of `argparse.add_argument`: `help`, and `type` or `action` where the value is not text.
    `arguments` are those of the process if left out; then the process ends at once after the command, since taking down
    Polars and DuckDB, object by object, is a third of what a small job costs.
    """
    gc.set_threshold(100_000)  # objects between garbage collections: at 700, they take a third of loading Polars
    if "OMP_NUM_THREADS" in os.environ:  # the job's threads; Polars reads its own variable when it is loaded
        os.environ["POLARS_MAX_THREADS"] = os.environ["OMP_NUM_THREADS"]
    parser = argparse.ArgumentParser(description=about, allow_abbrev=False)
    named = parser.add_subparsers(metavar="COMMAND", required=True) if len(commands) > 1 else None
    for command in commands:
        name, what = command.__name__.replace("_", "-"), command.__doc__
        subparser = named.add_parser(name, help=what, description=what, allow_abbrev=False) if named else parser
        subparser.set_defaults(command=command)
        for parameter in signature(command).parameters.values():
            must = parameter.default is parameter.empty
            rest = {"required": True} if must else {"default": parameter.default}
            option = f"--{parameter.name.replace('_', '-')}"
            subparser.add_argument(option, **(COMMON | {**options})[parameter.name], **rest)
    given = vars(parser.parse_args(arguments))
    given.pop("command")(**given)
    if arguments is None:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def threads() -> int:
    """How many threads a job may use: what Snakemake gives it, else all processors."""
    return int(os.environ.get("OMP_NUM_THREADS", os.cpu_count() or 1))
