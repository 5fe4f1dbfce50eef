"""What is compared: logs with one run each, runs in the same files, or runs of a campaign in
config.yaml."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import polars as pl
import yaml

from nonresponse import campaign as config
from nonresponse import formats, tables
from nonresponse.campaign import file as configfile
from nonresponse.front import RefusedError, local
from nonresponse.front.campaign import NO_VERDICTS, AskedError, Known, checked, every_known, known
from nonresponse.front.comparison import Comparison
from nonresponse.front.pairs import compare_runs, corrected
from nonresponse.ingest import imports
from nonresponse.judging.store import Verdicts, read_verdicts
from nonresponse.legible import short
from nonresponse.statistics.outcomes import clusters_in
from nonresponse.wording import joined, listed
from nonresponse.workflow import paths
from nonresponse.workflow.campaigns import Campaign, evaluations

NAME = "compare"  # of the campaign made of two logs
OF_WORKFLOW = ("gates", "scenarios", "systems")  # keys with results in the workflow only


class Log(NamedTuple):
    """Files with the responses of one run."""

    path: str
    what: Known
    campaign: Campaign
    run: str
    graded: pl.DataFrame  # its responses, under the official assessor
    # The measure of the log, and which metric, filter or split was taken of several
    rules: list[str]


def compare_logs(
    a: str, others: Sequence[str], measures: Sequence[str], options: Mapping[str, Any]
) -> list[Comparison]:
    """Compare each of the others with a; all are files or folders with one run. RefusedError where
    they are not."""
    with TemporaryDirectory() as folder:
        first, *rest = read_logs([a, *others], Path(folder), options)
        found = [
            compare_two(first, it, Path(folder, f"with-{index}"), measures)
            for index, it in enumerate(rest)
        ]
    return corrected(found)


def compare_files(
    paths: Sequence[str], runs: Sequence[str], measures: Sequence[str], options: Mapping[str, Any]
) -> list[Comparison]:
    """Compare runs in the same files, each with the first."""
    with TemporaryDirectory() as folder:
        what = known(paths, NAME, options)
        campaign, store = judge_files(what, Path(folder))
        return compare_with_first(to_compare(campaign, measures), store, runs, what.left_out)


def compare_in_campaign(
    name: str,
    runs: Sequence[str],
    measures: Sequence[str],
    file: Path,
    run: Callable[[list[str]], int],
) -> list[Comparison]:
    """Compare runs of a campaign by its own rules, each with the first; `run` brings the campaign
    up to date."""
    campaign = configured(name, file)
    [verdicts] = paths.verdicts(campaign)
    up_to_date(name, [verdicts, *paths.accounts(campaign)], run)
    return compare_with_first(
        with_measures(campaign, measures), read_verdicts(Path(verdicts)), runs
    )


def compare_with_first(
    campaign: Campaign, store: Verdicts, runs: Sequence[str], warnings: Sequence[str] = ()
) -> list[Comparison]:
    """Compare runs of a campaign, whose results are in a folder, each with the first."""
    rules = [(run, rules_of(campaign, run)) for run in runs]
    stated = [
        headlines_of_partial([(campaign, run, run) for run in (runs[0], other)])
        for other in runs[1:]
    ]
    lines = [
        [*warnings, *under_rules([rules[0], other]), *more]
        for other, more in zip(rules[1:], stated, strict=True)
    ]
    pairs = zip(runs[1:], lines, strict=True)
    return corrected(
        [
            compare_runs(campaign, store, runs[0], other, clusters_of(campaign), of_pair)
            for other, of_pair in pairs
        ]
    )


def read_logs(paths: Sequence[str], folder: Path, options: Mapping[str, Any]) -> list[Log]:
    """Read logs, each in a folder of its own below this one. What any of them leaves open is asked
    of all, at once."""
    try:
        return [read_log(path, folder / str(index), options) for index, path in enumerate(paths)]
    except AskedError:
        every_known(paths, NAME, options)
        raise


def read_log(path: str, folder: Path, options: Mapping[str, Any]) -> Log:
    """Read a log in a folder. RefusedError where it has no graded responses, or several runs."""
    what = known([path], NAME, options)
    campaign = checked(what)
    if campaign.source != "graded":
        kind = "raw runs" if campaign.single else "counts, which say nothing of single questions"
        advice = (
            "put all of it into one folder, and name two runs: compare --in FOLDER RUN RUN"
            * campaign.single
        )
        raise RefusedError(
            f"{path} holds {kind}: {advice or 'compare logs with a line for each response'}"
        )
    campaign = local.in_folder(campaign, folder)
    local.ingest(campaign)
    graded = tables.spelt(pl.concat(pl.read_parquet(file) for file in paths.graded(campaign)))
    official = tables.official(campaign.official, graded)
    graded = graded.filter(pl.col("assessor") == official).with_columns(
        assessor=pl.lit(tables.OFFICIAL)
    )
    runs = graded["run"].unique().sort().to_list()
    if len(runs) != 1:
        raise RefusedError(
            f"{path} holds {len(runs)} runs ({listed(runs)}): name two, compare --in {path} RUN RUN"
        )
    return Log(path, what, campaign, runs[0], graded, rules_of(campaign, runs[0]))


def judge_files(
    what: Known, folder: Path, measures: Sequence[str] | None = None
) -> tuple[Campaign, Verdicts]:
    """Read and judge the files of a campaign in a folder; return the campaign and its verdicts."""
    if unread := [key for key in OF_WORKFLOW if key in what.written]:
        raise RefusedError(
            f"Nothing reads {joined(unread)} here: put that into config.yaml, which "
            "nonresponse run evaluates"
        )
    campaign = checked(what, measures)
    if not campaign.single:
        raise RefusedError(f"{what.name} {NO_VERDICTS}: put it into config.yaml")
    campaign = local.in_folder(campaign, folder)
    local.ingest(campaign)
    return campaign, read_verdicts(local.judge(campaign))


def clusters_of(campaign: Campaign) -> dict[str, str]:
    """Return the cluster of each question that is in one."""
    return clusters_in([Path(file) for file in paths.clusters(campaign)])


def rules_of(campaign: Campaign, run: str) -> list[str]:
    """By which measure the logs of a run state their number, and which metric, filter or split was
    taken of several."""
    account = imports.read_accounts(Path(file) for file in paths.accounts(campaign)).filter(run=run)
    return [
        *dict.fromkeys(
            filter(None, [*account["measure"], *account.explode("chosen")["chosen"].drop_nulls()])
        )
    ]


def headlines_of_partial(logs: Sequence[tuple[Campaign, str, str]]) -> list[str]:
    """Return a sentence on the runs whose logs state a score of mostly partly correct answers.

    Each is a campaign, the name of the run in it, and its name here.
    """
    accounts = [
        imports.read_accounts(map(Path, paths.accounts(campaign)))
        .filter(run=run)
        .with_columns(run=pl.lit(name))
        for campaign, run, name in logs
    ]
    return imports.headlines_of_partial(imports.by_run(pl.concat(accounts)))


def compare_two(a: Log, b: Log, folder: Path, measures: Sequence[str]) -> Comparison:
    """Compare the runs of two logs, as a campaign of both."""
    campaign, store, names, lines = merged([a, b], folder)
    return compare_runs(
        to_compare(campaign, measures), store, names[0], names[1], clusters_of(campaign), lines
    )


def merged(
    logs: Sequence[Log], folder: Path, gates: Sequence[Any] = ()
) -> tuple[Campaign, Verdicts, list[str], list[str]]:
    """One log or two as a campaign: the campaign, its verdicts, the names of its runs, and
    warnings.

    Of two logs, the first is the baseline of the gates. Runs of the same name get A and B added.
    """
    a, b = logs[0], logs[-1]
    names = [one.run for one in logs]
    lines = [note for one in logs for note in one.what.left_out] + differing(a, b)
    if len({*names}) < len(names):
        names = [f"{a.run} A", f"{b.run} B"]
        lines = [
            f"{short(names[0])} is that of {a.path}, {short(names[1])} that of {b.path}.",
            *lines,
        ]
    lines += headlines_of_partial(
        [(one.campaign, one.run, name) for one, name in zip(logs, names, strict=True)]
    )
    tasks = [one.campaign.task for one in (a, b)]
    if tasks[0] != tasks[1]:
        raise RefusedError(
            f"{a.path} is of task {tasks[0]}, {b.path} of {tasks[1]}: compare logs of one task"
        )
    asked = {"gates": [*gates]} | ({"baseline": names[0]} if len(logs) > 1 else {}) if gates else {}
    campaign = local.in_folder(checked(a.what._replace(written=a.what.written | asked)), folder)
    renamed = pl.concat(
        one.graded.with_columns(run=pl.lit(name)) for one, name in zip(logs, names, strict=True)
    )
    questions = pl.concat(pl.read_parquet(paths.questions(one.campaign)[0]) for one in logs)
    [graded, *others], [asked_of] = paths.graded(campaign), paths.questions(campaign)
    tables.write(renamed.sort(tables.GRADED_KEY), graded)
    for other in others:
        tables.write(renamed.clear(), other)
    tables.write(questions.unique("question", keep="first").sort("question"), asked_of)
    return campaign, read_verdicts(local.judge(campaign)), names, lines


def differing(a: Log, b: Log) -> list[str]:
    """Sentences on how the scoring or the reading of two logs differs; empty if it does not."""
    lines = []
    both = [(one, one.what.written["graded"]) for one in (a, b)]
    kinds = [written["format"] for _, written in both]
    if kinds[0] != kinds[1]:
        blind = [
            f"{one.path} ({kind}): "
            f"{formats.LOGS[kind].blind if kind in formats.LOGS else 'its own words'}"
            for (one, _), kind in zip(both, kinds, strict=True)
        ]
        lines.append(
            f"The two are of different harnesses, whose states differ. {'. '.join(blind)}."
        )
    else:
        lines += under_rules([(one.path, one.rules) for one in (a, b)])
    options = [
        {key: value for key, value in one.items() if key not in ("files", "format")}
        for _, one in both
    ]
    meant = [one.pop("verdicts", {}) for one in options]
    other = [word for word in meant[0].keys() & meant[1].keys() if meant[0][word] != meant[1][word]]
    if kinds[0] == kinds[1] and (other or options[0] != options[1]):
        keys = sorted(
            key for key in {*options[0], *options[1]} if options[0].get(key) != options[1].get(key)
        )
        lines.append(f"The two are read in different ways: {', '.join([*keys, *other])} differ.")
    return lines


def under_rules(of_two: Sequence[tuple[str, list[str]]]) -> list[str]:
    """Return a sentence on the rules of two logs or runs, each after its name, if they differ."""
    if len({frozenset(rules) for _, rules in of_two}) < 2:
        return []
    by = [
        f"{short(name)} by {listed(rules) if rules else 'what it does not say'}"
        for name, rules in of_two
    ]
    return [f"The two were scored under different rules: {', '.join(by)}."]


def up_to_date(name: str, results: list[str], run: Callable[[list[str]], int]) -> None:
    """Brings these results of a campaign up to date; `run`: runs Snakemake. RefusedError where that
    fails."""
    if run(results):
        raise RefusedError(f"{name} could not be evaluated: see above")


def configured(name: str, file: Path) -> Campaign:
    """Return a campaign of config.yaml that has verdicts. RefusedError if it has only counts, or as
    `named_in`."""
    campaign = named_in(file, name)
    if not campaign.single:
        raise RefusedError(f"{name} {NO_VERDICTS}")
    return campaign


def named_in(file: Path, name: str) -> Campaign:
    """Return a campaign of config.yaml. RefusedError if there is none of that name, or the file is
    invalid."""
    if not file.is_file():
        raise RefusedError(
            f"{name} is no file here, nor a campaign, since there is no {file}: name where the "
            "runs are"
        )
    found = all_in(file)
    if name not in found or found[name].whole:
        raise RefusedError(f"{file} has no campaign {name!r}; it has {listed(names_in(file))}")
    return found[name]


def names_in(file: Path) -> list[str]:
    """Return the names of the campaigns of config.yaml. RefusedError if the file is invalid."""
    return [name for name in all_in(file) if "/" not in name]


def all_in(file: Path) -> dict[str, Campaign]:
    """Return the campaigns of config.yaml and their scenarios. RefusedError if it is invalid."""
    if problems := configfile.problems([str(file)]):
        raise RefusedError("\n".join(problems))
    try:
        written = configfile.load(str(file))
        return evaluations(config.checked(written, str(file), files=[str(file)]))
    except config.ConfigError as error:
        raise RefusedError(str(error)) from None


def written(name: str, file: Path) -> dict[str, Any]:
    """Return the block of a campaign as config.yaml has it. RefusedError if there is none of that
    name."""
    configured(name, file)
    block: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))["campaigns"][name]
    return block


def with_measures(campaign: Campaign, ids: Sequence[str]) -> Campaign:
    """Return the campaign with these measures, if there are any. RefusedError where the task has
    none of that name."""
    if not ids:
        return campaign
    try:
        known = [campaign.measure(id).id for id in ids]
    except KeyError as error:
        raise RefusedError(f"{error.args[0]}") from None
    return replace(campaign, options={**campaign.options, "measures": known})


def to_compare(campaign: Campaign, ids: Sequence[str]) -> Campaign:
    """Return the campaign with these measures or, if none are named, those that a comparison of its
    task shows."""
    task = campaign.task_record
    own = (
        campaign.options["measures_named"]
        or not campaign.judged
        or [*campaign.measures] == [*task.of_unanswerable]
    )
    return with_measures(campaign, ids or ([] if own else task.of_logs))
