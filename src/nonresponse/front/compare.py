"""Compare logs with one run each, or runs of the same files or of a campaign in config.yaml."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from string import ascii_uppercase
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, NoReturn

import polars as pl

from nonresponse import formats, tables
from nonresponse.front import RefusedError, local
from nonresponse.front.campaign import (
    AskedError,
    CampaignBlock,
    complete_campaign,
    find_campaign,
    find_campaigns,
    read_campaign,
)
from nonresponse.front.comparison import Comparison
from nonresponse.front.pairs import compare_with_first
from nonresponse.front.responses import Responses, judge, judge_files, judge_tables
from nonresponse.ingest import imports
from nonresponse.legible import short
from nonresponse.wording import join_names, summarise_names
from nonresponse.workflow import paths
from nonresponse.workflow.campaigns import Campaign

NAME = "compare"  # of the campaign made of two logs


class Log(NamedTuple):
    """Files with the responses of one run."""

    path: str
    source: CampaignBlock
    campaign: Campaign
    run: str
    graded: pl.DataFrame  # its responses, under the official assessor
    accounts: pl.DataFrame  # tables.IMPORTS


def compare_logs(
    files: Sequence[str],
    measures: Sequence[str],
    options: Mapping[str, Any],
    accept: bool = False,
) -> list[Comparison]:
    """Compare each log with the first; all are files or folders with one run."""
    with TemporaryDirectory() as folder:
        logs = read_logs(files, Path(folder), options, accept)
        responses, names = merge_logs(logs, Path(folder, "merged"))
    warnings = []
    for log, name in zip(logs[1:], names[1:], strict=True):
        headlines = describe_headlines(responses, names[0], name)
        warnings.append([*responses.notes, *describe_differences(logs[0], log), *headlines])
    return compare_with_first(responses, names, measures, warnings)


def compare_inside(
    source: str,
    runs: Sequence[str],
    measures: Sequence[str],
    options: Mapping[str, Any],
    config: Path,
    accept: bool = False,
) -> list[Comparison]:
    """Compare runs in the same files, or of a campaign of config.yaml, each with the first."""
    with TemporaryDirectory() as folder:
        if Path(source).exists():
            block = find_campaign([source], NAME, options, accept)
            responses, left_out = judge_files(block, Path(folder)), block.left_out
        else:
            responses, left_out = judge(read_campaign(config, source), Path(folder)), ()
    warnings = []
    for run in runs[1:]:
        warnings.append([*left_out, *describe_headlines(responses, runs[0], run)])
    return compare_with_first(responses, runs, measures, warnings)


def read_logs(
    paths: Sequence[str], folder: Path, options: Mapping[str, Any], accept: bool = False
) -> list[Log]:
    """Read logs, each in a folder of its own below this one. What any of them leaves open is asked
    of all, at once."""
    try:
        return [
            read_log(path, folder / str(index), options, accept) for index, path in enumerate(paths)
        ]
    except AskedError:
        keys = [str(options["key"])] if options.get("key") else []
        campaigns = find_campaigns([*paths, *keys], NAME, options, accept)
        if keys and any("runs" in campaign.block for campaign in campaigns):
            refuse_raw_runs(join_names([*paths]))
        raise


def read_log(path: str, folder: Path, options: Mapping[str, Any], accept: bool) -> Log:
    """Read a log in a folder. RefusedError where it has no graded responses, or several runs."""
    block = find_campaign([path], NAME, options, accept)
    campaign = complete_campaign(block)
    if campaign.source != "graded":
        if campaign.single:
            refuse_raw_runs(path)
        raise RefusedError(f"{path} holds counts: compare logs with a line for each response")
    campaign = local.place(campaign, folder)
    local.ingest(campaign, data=None)
    graded = tables.spell(pl.concat(map(tables.read_parquet, paths.graded(campaign))))
    official = tables.find_official(campaign.official, graded)
    graded = graded.filter(assessor=official).with_columns(assessor=pl.lit(tables.OFFICIAL))
    runs = graded["run"].unique().sort().to_list()
    if len(runs) != 1:
        raise RefusedError(
            f"{path} holds {len(runs)} runs ({summarise_names(runs)}): name two, "
            f"compare --in {path} RUN RUN"
        )
    accounts = imports.read_accounts(local.to_paths(paths.accounts(campaign)))
    return Log(path, block, campaign, runs[0], graded, accounts)


def refuse_raw_runs(files: str) -> NoReturn:
    """Refuse answers that judgments or a key in another file judge."""
    advice = "put all into one folder, and name two runs: compare --in FOLDER RUN RUN"
    raise RefusedError(f"{files}: answers that another file judges; {advice}")


def merge_logs(
    logs: Sequence[Log], folder: Path, gates: Sequence[Any] = ()
) -> tuple[Responses, list[str]]:
    """Return logs as the responses of one campaign, with notes, and the names of its runs.

    The first of several is the baseline of the gates. Runs of the same name get A, B, … added.
    """
    baseline = logs[0]
    for log in logs[1:]:
        if log.campaign.task != baseline.campaign.task:
            raise RefusedError(
                f"{baseline.path} is of task {baseline.campaign.task}, {log.path} of "
                f"{log.campaign.task}: compare logs of one task"
            )
    names = [log.run for log in logs]
    notes = [note for log in logs for note in log.source.left_out]
    if len({*names}) < len(names):
        labels = ascii_uppercase if len(logs) <= len(ascii_uppercase) else range(1, len(logs) + 1)
        names = [f"{name} {label}" for name, label in zip(names, labels, strict=False)]
        pairs = zip(names, logs, strict=True)
        notes.insert(
            0, f"{', '.join(f'{short(name)} is that of {log.path}' for name, log in pairs)}."
        )
    options: dict[str, Any] = {}
    if gates:
        options = {"gates": [*gates]} | ({"baseline": names[0]} if len(logs) > 1 else {})
    source = baseline.source._replace(block=baseline.source.block | options)
    campaign = local.place(complete_campaign(source), folder)

    def rename_runs(frames: Iterable[pl.DataFrame]) -> pl.DataFrame:
        """Return the tables of all logs as one, under the names of the runs."""
        pairs = zip(frames, names, strict=True)
        return pl.concat(frame.with_columns(run=pl.lit(name)) for frame, name in pairs)

    rows = rename_runs(log.graded for log in logs)
    questions = pl.concat(tables.read_parquet(paths.questions(log.campaign)[0]) for log in logs)
    questions = questions.unique("question", keep="first").sort("question")
    for index, file in enumerate(paths.graded(campaign)):  # all in the table of the first shard
        tables.write(rows.clear() if index else rows.sort(tables.GRADED_KEY), file)
    tables.write(questions, paths.questions(campaign)[0])
    accounts = rename_runs(log.accounts.filter(run=log.run) for log in logs)
    return replace(judge_tables(campaign, notes), accounts=accounts), names


def describe_differences(a: Log, b: Log) -> list[str]:
    """Return sentences on how the scoring or the reading of two logs differs."""
    a_options, b_options = ({**log.source.block["graded"]} for log in (a, b))
    kinds = [a_options.pop("format"), b_options.pop("format")]
    if kinds[0] != kinds[1]:
        origins = join_names(
            [f"{log.path} ({kind})" for log, kind in zip((a, b), kinds, strict=True)]
        )
        caveats = [formats.LOGS[kind].caveat for kind in kinds if kind in formats.LOGS]
        differ = f"{origins} come from different harnesses, whose verdicts differ."
        return [differ, *filter(None, caveats)]
    # Columns and words that both have; how the records are written changes no verdict
    a_names, b_names = (
        {**options.pop("columns", {}), **options.pop("verdicts", {})}
        for options in (a_options, b_options)
    )
    keys = {*a_options, *b_options} - {"files", *formats.SHAPE}
    different = sorted(key for key in keys if a_options.get(key) != b_options.get(key))
    different += [name for name, value in a_names.items() if b_names.get(name, value) != value]
    return [f"The two are read in different ways: {', '.join(different)} differ."] * bool(different)


def describe_headlines(responses: Responses, *runs: str) -> list[str]:
    """Return sentences on how the logs of runs differ, what they state, and how they are read."""
    accounts = pl.concat(responses.accounts.filter(run=run) for run in runs)
    rows = imports.summarise_runs(accounts)
    return imports.describe_differing_parts(rows) + imports.describe_logs(accounts, rows)
