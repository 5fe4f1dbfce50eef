"""The stages of an evaluation: functions of input files, output files and a record of parameters.

Rules of the workflow, notebooks and the command line call the same functions. A stage opens no file
but those that it is handed. `python -m nonresponse.stages STAGE --NAME PATH ... --params JSON`
calls one, each parameter an option.
"""

import argparse
import gc
import os
import resource
import sys
from collections.abc import Callable
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from types import NoneType
from typing import Any, get_args

# The module of each stage.
STAGES = {
    **dict.fromkeys(
        ("ingest_runs", "ingest_graded", "ingest_judgments", "ingest_questions", "ingest_counts"),
        "ingest",
    ),
    "check": "ingest",
    **dict.fromkeys(("judge", "export_verdicts", "export_responses"), "judge"),
    **dict.fromkeys(("count", "count_table", "score_counts", "score_verdicts"), "score"),
    **dict.fromkeys(("trials", "summaries", "judging"), "statistics"),
    **dict.fromkeys(
        ("imports", "leaderboard", "reliability", "audit", "adjudication", "scenarios"), "pages"
    ),
    **dict.fromkeys(("systems", "gates"), "pages"),
    **dict.fromkeys(("report_part", "report"), "report"),
}


def load_stage(stage: str) -> Callable[..., None]:
    """Return the function of a stage, which loads what it needs."""
    return getattr(import_module(f"nonresponse.stages.{STAGES[stage]}"), stage)


def main() -> None:
    """Call the stage that the command line names, and exit without taking libraries down."""
    # Objects between garbage collections: at 700, they take a third of loading Polars
    gc.set_threshold(100_000)
    # The job's threads; Polars reads its own variable when it is loaded
    if "OMP_NUM_THREADS" in os.environ:
        os.environ["POLARS_MAX_THREADS"] = os.environ["OMP_NUM_THREADS"]
    run(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def run(arguments: list[str]) -> None:
    """Call the stage that these arguments name.

    A parameter that is a list takes several paths. Parameters of the stage are JSON, read from
    standard input for `-`.
    """
    program = "nonresponse.stages"
    parser = argparse.ArgumentParser(prog=program, description=__doc__, allow_abbrev=False)
    parser.add_argument("stage", choices=STAGES, metavar="STAGE", help=", ".join(STAGES))
    stage = load_stage(parser.parse_args(arguments[:1]).stage)
    stage_parser = argparse.ArgumentParser(prog=f"{program} {stage.__name__}", allow_abbrev=False)
    options = {"--help"}
    for name, parameter in signature(stage).parameters.items():
        option = f"--{name.replace('_', '-')}"
        options.add(option)
        stage_parser.add_argument(option, **describe_option(parameter))
    names = [word for word in arguments[1:] if word in options]
    if twice := {word for word in names if names.count(word) > 1}:
        stage_parser.error(f"given twice, or the name of a file: {', '.join(sorted(twice))}")
    # A file may have a name like -a.csv.
    values = (
        f"./{word}" if word.startswith("-") and word != "-" and word not in names else word
        for word in arguments[1:]
    )
    stage(**vars(stage_parser.parse_args([*values])))
    usage = resource.getrusage(resource.RUSAGE_SELF)
    seconds, megabytes = usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024
    text = f"{seconds:.2f} CPU seconds, at most {megabytes:,} MB of memory"
    print(f"{stage.__name__}: {text}", file=sys.stderr)


def describe_option(parameter: Parameter) -> dict[str, Any]:
    """Return how argparse reads a parameter: a path, several paths, or a record."""
    kind, option = parameter.annotation, dict[str, Any]()
    if parameter.default is Parameter.empty:
        option["required"] = True
    else:
        option["default"] = parameter.default
    if kind == list[Path]:
        return option | {"type": Path, "nargs": "*"}
    [kind] = [form for form in get_args(kind) or (kind,) if form is not NoneType]
    if kind in (Path, str):
        return option | {"type": kind}
    return option | {"type": lambda text: kind.parse(sys.stdin.read() if text == "-" else text)}
