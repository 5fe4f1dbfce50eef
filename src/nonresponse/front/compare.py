"""Compare logs with one run each, or runs of the same files or of a campaign in config.yaml."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from string import ascii_uppercase
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

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
from nonresponse.front.responses import Responses, judge, judge_files, judged
from nonresponse.ingest import imports
from nonresponse.legible import short
from nonresponse.wording import summarise_names
from nonresponse.workflow import paths
from nonresponse.workflow.campaigns import Campaign

NAME = "compare"  # of the campaign made of two logs


class Log(NamedTuple):
    """Files with the responses of one run."""

    path: str
    what: CampaignBlock
    campaign: Campaign
    run: str
    graded: pl.DataFrame  # its responses, under the official assessor
    accounts: pl.DataFrame  # tables.IMPORTS


def compare_logs(
    first: str, others: Sequence[str], measures: Sequence[str], options: Mapping[str, Any]
) -> list[Comparison]:
    """Compare each of the others with the first; all are files or folders with one run."""
    with TemporaryDirectory() as folder:
        logs = read_logs([first, *others], Path(folder), options)
        responses, names = merged(logs, Path(folder, "merged"))
    warnings = [
        [*responses.notes, *differing(logs[0], log), *headlines(responses, names[0], name)]
        for log, name in zip(logs[1:], names[1:], strict=True)
    ]
    return compare_with_first(responses, names, measures, warnings)


def compare_inside(
    where: str,
    runs: Sequence[str],
    measures: Sequence[str],
    options: Mapping[str, Any],
    config: Path,
) -> list[Comparison]:
    """Compare runs in the same files, or of a campaign of config.yaml, each with the first."""
    with TemporaryDirectory() as folder:
        if Path(where).exists():
            what = find_campaign([where], NAME, options)
            responses, left_out = judge_files(what, Path(folder)), what.left_out
        else:
            responses, left_out = judge(read_campaign(config, where), Path(folder)), ()
    warnings = []
    for run in runs[1:]:
        rules = [(name, rules_of(responses.accounts, name)) for name in (runs[0], run)]
        warnings.append([*left_out, *under_rules(rules), *headlines(responses, runs[0], run)])
    return compare_with_first(responses, runs, measures, warnings)


def read_logs(paths: Sequence[str], folder: Path, options: Mapping[str, Any]) -> list[Log]:
    """Read logs, each in a folder of its own below this one. What any of them leaves open is asked
    of all, at once."""
    try:
        return [read_log(path, folder / str(index), options) for index, path in enumerate(paths)]
    except AskedError:
        find_campaigns(paths, NAME, options)
        raise


def read_log(path: str, folder: Path, options: Mapping[str, Any]) -> Log:
    """Read a log in a folder. RefusedError where it has no graded responses, or several runs."""
    what = find_campaign([path], NAME, options)
    campaign = complete_campaign(what)
    if campaign.source != "graded":
        kind, advice = "counts", "compare logs with a line for each response"
        if campaign.single:
            kind = "raw runs"
            advice = "put all into one folder, and name two runs: compare --in FOLDER RUN RUN"
        raise RefusedError(f"{path} holds {kind}: {advice}")
    campaign = local.in_folder(campaign, folder)
    local.ingest(campaign)
    graded = tables.spell(pl.concat(map(pl.read_parquet, paths.graded(campaign))))
    official = tables.find_official(campaign.official, graded)
    graded = graded.filter(assessor=official).with_columns(assessor=pl.lit(tables.OFFICIAL))
    runs = graded["run"].unique().sort().to_list()
    if len(runs) != 1:
        raise RefusedError(
            f"{path} holds {len(runs)} runs ({summarise_names(runs)}): name two, "
            f"compare --in {path} RUN RUN"
        )
    accounts = imports.read_accounts(local.as_paths(paths.accounts(campaign)))
    return Log(path, what, campaign, runs[0], graded, accounts)


def merged(
    logs: Sequence[Log], folder: Path, gates: Sequence[Any] = ()
) -> tuple[Responses, list[str]]:
    """Return logs as the responses of one campaign, with notes, and the names of its runs.

    The first of several is the baseline of the gates. Runs of the same name get A, B, … added.
    """
    first, *others = logs
    for log in others:
        if log.campaign.task != first.campaign.task:
            raise RefusedError(
                f"{first.path} is of task {first.campaign.task}, {log.path} of "
                f"{log.campaign.task}: compare logs of one task"
            )
    names = [log.run for log in logs]
    notes = [note for log in logs for note in log.what.left_out]
    if len({*names}) < len(names):
        labels = ascii_uppercase if len(logs) <= len(ascii_uppercase) else range(1, len(logs) + 1)
        names = [f"{name} {label}" for name, label in zip(names, labels, strict=False)]
        whose = [
            f"{short(name)} is that of {log.path}" for name, log in zip(names, logs, strict=True)
        ]
        notes.insert(0, f"{', '.join(whose)}.")
    asked: dict[str, Any] = {"gates": [*gates]} if gates else {}
    asked |= {"baseline": names[0]} if gates and others else {}
    written = first.what._replace(block=first.what.block | asked)
    campaign = local.in_folder(complete_campaign(written), folder)

    def renamed(tables_of_logs: Iterable[pl.DataFrame]) -> pl.DataFrame:
        """Return the tables of all logs as one, under the names of the runs."""
        named = zip(tables_of_logs, names, strict=True)
        return pl.concat(table.with_columns(run=pl.lit(name)) for table, name in named)

    rows = renamed(log.graded for log in logs)
    questions = pl.concat(pl.read_parquet(paths.questions(log.campaign)[0]) for log in logs)
    questions = questions.unique("question", keep="first").sort("question")
    for index, file in enumerate(paths.graded(campaign)):  # all in the table of the first shard
        tables.write(rows.clear() if index else rows.sort(tables.GRADED_KEY), file)
    tables.write(questions, paths.questions(campaign)[0])
    accounts = renamed(log.accounts.filter(run=log.run) for log in logs)
    return replace(judged(campaign, notes), accounts=accounts), names


def differing(a: Log, b: Log) -> list[str]:
    """Return sentences on how the scoring or the reading of two logs differs."""
    written = [{**log.what.block["graded"]} for log in (a, b)]
    kinds = [options.pop("format") for options in written]
    if kinds[0] != kinds[1]:
        blind = [
            f"{log.path} ({kind}): "
            f"{formats.LOGS[kind].blind if kind in formats.LOGS else 'its own words'}."
            for log, kind in zip((a, b), kinds, strict=True)
        ]
        return [f"The two are of different harnesses, whose states differ. {' '.join(blind)}"]
    lines = under_rules([(log.path, rules_of(log.accounts, log.run)) for log in (a, b)])
    # Columns and words that both have; how the records are written changes no verdict
    maps = [{**options.pop("columns", {}), **options.pop("verdicts", {})} for options in written]
    keys = {*written[0], *written[1]} - {"files", *formats.SHAPE}
    other = sorted(key for key in keys if written[0].get(key) != written[1].get(key))
    other += [name for name in maps[0] if maps[1].get(name, maps[0][name]) != maps[0][name]]
    if other:
        lines.append(f"The two are read in different ways: {', '.join(other)} differ.")
    return lines


def rules_of(accounts: pl.DataFrame, run: str) -> list[str]:
    """Return by which measure the logs of a run state their number, and which metric, filter or
    split was taken of several."""
    own = accounts.filter(run=run)
    chosen = own["chosen"].explode().drop_nulls()
    return list(dict.fromkeys(filter(None, [*own["measure"], *chosen])))


def under_rules(of_two: Sequence[tuple[str, list[str]]]) -> list[str]:
    """Return a sentence on the rules of two logs or runs, each after its name, if they differ."""
    if len({frozenset(rules) for _, rules in of_two}) < 2:
        return []
    by = [
        f"{short(name)} by {summarise_names(own or ['what it does not say'])}"
        for name, own in of_two
    ]
    return [f"The two were scored under different rules: {', '.join(by)}."]


def headlines(responses: Responses, *runs: str) -> list[str]:
    """Return a sentence on the runs whose logs state a score of mostly partly correct answers."""
    accounts = pl.concat(responses.accounts.filter(run=run) for run in runs)
    return imports.describe_partial_headlines(imports.summarise_runs(accounts))
