"""The stages of one campaign, called in this process; results are laid out as below results/, in
another folder.

What a leaderboard does not need is left out: pages, scenarios, and analyses other than the
comparison of runs.
"""

import io
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from nonresponse.faults import report as as_text
from nonresponse.front import RefusedError
from nonresponse.ingest import check as checking
from nonresponse.ingest import imports
from nonresponse.stages import ingest as ingesting
from nonresponse.stages import judge as judging
from nonresponse.stages import pages, params, score, statistics
from nonresponse.workflow import paths
from nonresponse.workflow.campaigns import Campaign

Record = TypeVar("Record", bound=params.Params)


@contextmanager
def refusing() -> Iterator[None]:
    """Turn the end of a stage (SystemExit) into RefusedError, with what the stage wrote as the
    reason."""
    said = io.StringIO()
    try:
        with redirect_stderr(said):
            yield
    except SystemExit as error:
        reason = said.getvalue() or (error.code if isinstance(error.code, str) else "")
        raise RefusedError(reason.strip()) from None


def in_folder(campaign: Campaign, results: Path) -> Campaign:
    """Return the campaign with its results in a folder of this folder."""
    return replace(campaign, results=str(results))


def as_paths(names: list[str]) -> list[Path]:
    """Return paths of texts."""
    return [Path(name) for name in names]


def record(kind: type[Record], campaign: Campaign, **more: object) -> Record:
    """Return the parameters of a stage as a job gets them."""
    return kind.parse(kind.project(campaign, **more))


def ingest(campaign: Campaign) -> None:
    """Write the tables that verdicts are made of. RefusedError with all faults of the files."""
    with refusing():
        read(campaign)
        check(campaign)


def check(campaign: Campaign) -> None:
    """Check all files of a campaign that were read. RefusedError with all their faults."""
    folder, params_of = Path(campaign.folder), record(params.CheckParams, campaign)
    tables = [str(Path(path).relative_to(folder)) for path in paths.faults(campaign)]
    said = imports.read_accounts(as_paths(paths.accounts(campaign)))
    found, _, _ = checking.checked(
        params_of.checked_options, folder, tables, params_of.shards, said
    )
    if found:
        raise RefusedError(as_text(found, campaign.name, whole="").strip())


def report(campaign: Campaign) -> tuple[bool, str]:
    """Return whether all files of a campaign are without faults, and the report on them."""
    folder = Path(campaign.folder)
    read(campaign) if campaign.single else read_counts(campaign)
    faults, sound = folder / "faults.txt", folder / "check.txt"
    with redirect_stderr(io.StringIO()), suppress(SystemExit):
        ingesting.check(
            as_paths(paths.faults(campaign)),
            as_paths(paths.checked(campaign)),
            as_paths(paths.accounts(campaign)),
            report=faults,
            check=sound,
            data=folder / "check.json",
            params=record(params.CheckParams, campaign),
        )
    return sound.is_file(), (sound if sound.is_file() else faults).read_text(encoding="utf-8")


def read(campaign: Campaign) -> None:
    """Write the tables of the files, and of the faults of each."""
    folder = Path(campaign.folder)
    for shard in campaign.shards:
        there = campaign.sharded[shard]
        made = {name: folder / f"{name}/{shard}.parquet" for name in ("ruled", "texts", "imports")}
        made |= {"table": folder / f"{paths.FOLDERS[campaign.source]}/{shard}.parquet"}
        made |= {
            "names": folder / f"runs/{shard}.parquet",
            "faults": folder / f"faults/runs-{shard}.tsv",
        }
        reading = record(params.ReadParams, campaign, unreadable=there.others)
        if campaign.source == "graded":
            opened = as_paths(paths.shard_files(campaign, shard))
            ingesting.ingest_graded(as_paths(there.files), opened, **made, params=reading)
        else:
            own = {name: path for name, path in made.items() if name not in ("texts", "imports")}
            ingesting.ingest_runs(as_paths(there.files), **own, params=reading)
    asked, questions = folder / "questions.parquet", as_paths(paths.question_files(campaign))
    if campaign.source == "graded":
        faults, of_questions = (
            folder / "faults/questions.tsv",
            record(params.QuestionsParams, campaign),
        )
        ingesting.ingest_questions(questions, asked=asked, faults=faults, params=of_questions)
    else:
        ingesting.ingest_judgments(
            as_paths(paths.judgment_files(campaign)),
            questions,
            table=folder / "judgments.parquet",
            asked=asked,
            faults=folder / "faults/judgments.tsv",
            names=folder / "assessors.parquet",
            params=record(
                params.JudgmentsParams, campaign, unreadable=campaign.judgment_files.others
            ),
        )


def evaluations(campaign: Campaign) -> list[Campaign]:
    """Return the campaign and, before it, the same without its rules on answers, if it has any."""
    return [*([campaign.without_rules] if campaign.ruled else []), campaign]


def judge(campaign: Campaign) -> Path:
    """Write the verdicts with and without the campaign's rules; return the path of those with."""
    for it in evaluations(campaign):
        judging.judge(
            as_paths(paths.responses(it)),
            as_paths(paths.graded(it)),
            as_paths(paths.judgments(it)),
            as_paths(paths.questions(it)),
            [],
            verdicts=Path(it.folder, "verdicts.npz"),
            params=record(params.JudgeParams, it),
        )
    return Path(campaign.folder, "verdicts.npz")


def count_files(folder: Path) -> dict[str, Path]:
    """Return the files of counts in a folder, by the arguments of the stages that write them."""
    made = {"counts": "counts", "categories": "counts_by_category", "bounds": "counts_by_variant"}
    return {name: folder / f"{file}.parquet" for name, file in made.items()}


def count(campaign: Campaign) -> None:
    """Write the counts of the verdicts that are there."""
    for it in evaluations(campaign):
        made, own = count_files(Path(it.folder)), record(params.CountParams, it)
        score.count(Path(it.folder, "verdicts.npz"), **made, params=own)


def score_all(campaign: Campaign) -> None:
    """Write the scores by each measure."""
    folder, counted = Path(campaign.folder), record(params.CountParams, campaign)
    tables = folder / "counts.parquet", folder / "counts_by_category.parquet"
    without = as_paths(paths.verdicts_without_rules(campaign))
    for id in campaign.measures:
        made = {
            "scores": folder / f"scores/{id}.parquet",
            "by_category": folder / f"scores_by_category/{id}.parquet",
        }
        if campaign.measure(id).kind == "counts":
            score.score_counts(
                *tables, as_paths(paths.bounds(campaign)), **made, measure=id, params=counted
            )
        else:
            score.score_verdicts(
                folder / "verdicts.npz", without, **made, measure=id, params=counted
            )


def test_pairs(campaign: Campaign) -> None:
    """Write the tables of the comparison of runs by each measure."""
    folder, clusters = Path(campaign.folder), as_paths(paths.clusters(campaign))
    with refusing():
        for id in campaign.measures:
            statistics.trials(
                folder / "verdicts.npz",
                clusters,
                folder=folder / f"reliability/by_measure/{id}",
                measure=id,
                params=record(params.TrialsParams, campaign),
            )


def write_leaderboard(campaign: Campaign) -> None:
    """Write the leaderboard."""
    folder = Path(campaign.folder)
    with refusing():
        pages.leaderboard(
            folder / "counts.parquet",
            as_paths(paths.scores(campaign)),
            as_paths(paths.scores_by_category(campaign)),
            as_paths(paths.trials(campaign)),
            as_paths(paths.of_choices(campaign)),
            as_paths(paths.accounts(campaign)),
            [],
            [],
            out=[folder / "leaderboard.csv"],
            previous=None,
            params=record(params.LeaderboardParams, campaign),
        )


def read_counts(campaign: Campaign) -> None:
    """Write the tables of published counts, and of their faults."""
    folder = Path(campaign.folder)
    ingesting.ingest_counts(
        as_paths(campaign.named_count_files),
        as_paths(paths.count_files(campaign)),
        table=folder / "table.parquet",
        faults=folder / "faults/counts.tsv",
        imports=folder / "imports/counts.parquet",
        params=record(params.ReadParams, campaign, unreadable=campaign.count_files.others),
    )


def tabulate(campaign: Campaign) -> None:
    """Write the counts of a table of published counts. RefusedError with all its faults."""
    folder = Path(campaign.folder)
    with refusing():
        read_counts(campaign)
        check(campaign)
    score.count_table(folder / "table.parquet", [], **count_files(folder))


def evaluate(campaign: Campaign) -> None:
    """Write all that the leaderboard of a campaign shows, and the leaderboard."""
    if campaign.single:
        ingest(campaign)
        judge(campaign)
    else:
        tabulate(campaign)
    rank(campaign)


def rank(campaign: Campaign) -> None:
    """Write the leaderboard of a campaign with verdicts or counts, and all that it shows."""
    if campaign.single:
        count(campaign)
    score_all(campaign)
    if campaign.has_trials:
        test_pairs(campaign)
    write_leaderboard(campaign)


def gate(campaign: Campaign) -> None:
    """Write the outcome of the campaign's gates."""
    folder = Path(campaign.folder)
    with refusing():
        clusters, read = as_paths(paths.clusters(campaign)), record(params.GatesParams, campaign)
        pages.gates(folder / "verdicts.npz", clusters, out=[folder / "gates.json"], params=read)
