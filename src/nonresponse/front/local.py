"""The stages of one campaign, called in this process, with results laid out as below results/.

What a leaderboard does not need is left out: pages, scenarios, and analyses other than the
comparison of runs.
"""

import io
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, suppress
from dataclasses import replace
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

from nonresponse.front import FaultyError, RefusedError
from nonresponse.stages import load_stage
from nonresponse.workflow import paths
from nonresponse.workflow.campaigns import Campaign


@contextmanager
def refuse(kind: type[RefusedError] = RefusedError) -> Iterator[None]:
    """Turn the end of a stage (SystemExit) into an error of this kind, with what the stage wrote as
    the reason."""
    output = io.StringIO()
    try:
        with redirect_stderr(output):
            yield
    except SystemExit as error:
        reason = output.getvalue() or (error.code if isinstance(error.code, str) else "")
        raise kind(reason.strip()) from None


def place(campaign: Campaign, results: Path) -> Campaign:
    """Return the campaign with its results in a folder of this folder."""
    return replace(campaign, results=str(results))


def to_paths(names: list[str]) -> list[Path]:
    """Return paths of texts."""
    return [Path(name) for name in names]


def call(stage: str, campaign: Campaign, *shard: int, **given: Any) -> None:
    """Call a stage, of a shard if it reads one, with a campaign's files and parameters.

    An argument that is not given is the output of that name (paths.OUTPUTS), or what the function
    of that name in paths returns. What is given but no argument is a field of the parameters.
    """
    function, outputs = load_stage(stage), paths.OUTPUTS.get(stage, {})
    arguments: dict[str, Any] = {}
    parameters = signature(function).parameters
    for name, parameter in parameters.items():
        if name in given:
            arguments[name] = given[name]
        elif name in outputs:
            wildcards = {"shard": shard[0]} if shard else given
            arguments[name] = Path(campaign.folder, outputs[name].format(**wildcards))
        elif name == "params":
            fields = {name: value for name, value in given.items() if name not in parameters}
            kind = parameter.annotation
            arguments[name] = kind.parse(kind.project(campaign, **fields))
        elif parameter.default is Parameter.empty:
            files = to_paths(getattr(paths, name)(campaign, *shard))
            arguments[name] = files if parameter.annotation == list[Path] else files[0]
    function(**arguments)


def read(campaign: Campaign) -> None:
    """Write the tables of the files, and of the faults of each."""
    for shard in campaign.shards:
        unreadable = paths.unreadable(campaign, shard)
        call(f"ingest_{campaign.source}", campaign, shard, unreadable=unreadable)
    if campaign.source == "graded":
        call("ingest_questions", campaign)
    else:
        stage = "ingest_judgments" if campaign.single else "ingest_counts"
        call(stage, campaign, unreadable=paths.unreadable(campaign))


def ingest(campaign: Campaign, **given: Any) -> None:
    """Write the tables that verdicts or counts are made of, and notes on the files unless `data` is
    null. FaultyError with all faults of the files."""
    with refuse():
        read(campaign)
    with refuse(FaultyError):
        call("check", campaign, report=None, **given)


def report(campaign: Campaign) -> tuple[bool, str]:
    """Return whether all files of a campaign are without faults, and the report on them."""
    read(campaign)
    report, check = (Path(campaign.folder, name) for name in ("faults.txt", "check.txt"))
    with redirect_stderr(io.StringIO()), suppress(SystemExit):
        call("check", campaign, report=report)
    is_sound = check.is_file()
    return is_sound, (check if is_sound else report).read_text(encoding="utf-8")


def list_variants(campaign: Campaign) -> list[Campaign]:
    """Return the campaign and, before it, the same without its rules on answers, if it has any."""
    return [*([campaign.unruled] if campaign.ruled else []), campaign]


def judge(campaign: Campaign) -> Path:
    """Write the verdicts with and without the campaign's rules; return the path of those with."""
    for variant in list_variants(campaign):
        call("judge", variant)
    return Path(*paths.verdicts(campaign))


def count(campaign: Campaign) -> None:
    """Write the counts of the verdicts, or of the table of published counts, that is there."""
    with refuse():
        for variant in list_variants(campaign):
            call("count" if campaign.single else "count_table", variant)


def rank(campaign: Campaign) -> None:
    """Write the leaderboard of a campaign with verdicts or counts, and all that it shows."""
    count(campaign)
    for id in campaign.measures:
        stage = "score_counts" if campaign.measure(id).kind == "counts" else "score_verdicts"
        call(stage, campaign, measure=id)
    with refuse():
        leaders = {id: to_paths(paths.leader(campaign, id)) for id in campaign.measures}
        for id in sorted(leaders, key=lambda id: len(leaders[id])) if campaign.has_trials else ():
            folder = Path(campaign.folder, "reliability/by_measure", id)
            call("trials", campaign, measure=id, leader=leaders[id], folder=folder)
        board = [Path(campaign.folder, "leaderboard.csv")]
        call("leaderboard", campaign, out=board, previous=None)


def evaluate(campaign: Campaign) -> None:
    """Write all that the leaderboard of a campaign shows, and the leaderboard."""
    ingest(campaign)
    if campaign.single:
        judge(campaign)
    rank(campaign)


def gate(campaign: Campaign) -> None:
    """Write the outcome of the campaign's gates."""
    with refuse():
        call("gates", campaign, out=[Path(campaign.folder, "gates.json")])
