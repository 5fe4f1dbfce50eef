"""The stages of one campaign, called in this process, with results laid out as below results/.

What a leaderboard does not need is left out: pages, scenarios, and analyses other than the
comparison of runs.
"""

import io
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from nonresponse import faults
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
    written = io.StringIO()
    try:
        with redirect_stderr(written):
            yield
    except SystemExit as error:
        reason = written.getvalue() or (error.code if isinstance(error.code, str) else "")
        raise RefusedError(reason.strip()) from None


def in_folder(campaign: Campaign, results: Path) -> Campaign:
    """Return the campaign with its results in a folder of this folder."""
    return replace(campaign, results=str(results))


def as_paths(names: list[str]) -> list[Path]:
    """Return paths of texts."""
    return [Path(name) for name in names]


def below(campaign: Campaign, **files: str) -> dict[str, Path]:
    """Return the paths of results of a campaign."""
    return {name: Path(campaign.folder, file) for name, file in files.items()}


def record(kind: type[Record], campaign: Campaign, **more: object) -> Record:
    """Return the parameters of a stage as a job gets them."""
    return kind.parse(kind.project(campaign, **more))


def ingest(campaign: Campaign) -> None:
    """Write the tables that verdicts or counts are made of. RefusedError with all faults of the
    files."""
    with refusing():
        read(campaign)
    folder, own = Path(campaign.folder), record(params.CheckParams, campaign)
    tables = [str(Path(path).relative_to(folder)) for path in paths.faults(campaign)]
    accounts = imports.read_accounts(as_paths(paths.accounts(campaign)))
    found, _, _ = checking.check_campaign(own.checked_options, folder, tables, own.shards, accounts)
    if found:
        raise RefusedError(faults.render_report(found, campaign.name, whole="").strip())


def report(campaign: Campaign) -> tuple[bool, str]:
    """Return whether all files of a campaign are without faults, and the report on them."""
    read(campaign)
    written_to = below(campaign, report="faults.txt", check="check.txt", data="check.json")
    found, checked = as_paths(paths.faults(campaign)), as_paths(paths.checked_tables(campaign))
    accounts, own = as_paths(paths.accounts(campaign)), record(params.CheckParams, campaign)
    with redirect_stderr(io.StringIO()), suppress(SystemExit):
        ingesting.check(found, checked, accounts, **written_to, params=own)
    sound = written_to["check"].is_file()
    return sound, written_to["check" if sound else "report"].read_text(encoding="utf-8")


def read(campaign: Campaign) -> None:
    """Write the tables of the files, and of the faults of each."""
    if not campaign.single:
        ingesting.ingest_counts(
            as_paths(campaign.matched_count_files),
            as_paths(paths.count_files(campaign)),
            **below(
                campaign,
                table="table.parquet",
                faults="faults/counts.tsv",
                imports="imports/counts.parquet",
            ),
            params=record(params.ReadParams, campaign, unreadable=campaign.count_files.unreadable),
        )
        return
    graded = campaign.source == "graded"
    for shard, there in campaign.shard_matches.items():
        own = record(params.ReadParams, campaign, unreadable=there.unreadable)
        outputs = {name: f"{name}/{shard}.parquet" for name in ("ruled", "texts", "imports")}
        outputs |= {"table": f"{paths.FOLDERS[campaign.source]}/{shard}.parquet"}
        outputs |= {"names": f"runs/{shard}.parquet", "faults": f"faults/runs-{shard}.tsv"}
        files = as_paths(there.files)
        if graded:
            opened = as_paths(paths.shard_files(campaign, shard))
            ingesting.ingest_graded(files, opened, **below(campaign, **outputs), params=own)
        else:
            outputs = {name: outputs[name] for name in ("ruled", "table", "names", "faults")}
            ingesting.ingest_runs(files, **below(campaign, **outputs), params=own)
    questions = as_paths(paths.question_files(campaign))
    question_set = {"question_set": "questions.parquet"}
    if graded:
        ingesting.ingest_questions(
            questions,
            **below(campaign, **question_set, faults="faults/questions.tsv"),
            params=record(params.QuestionsParams, campaign),
        )
        return
    outputs = {"table": "judgments.parquet", "names": "assessors.parquet"}
    ingesting.ingest_judgments(
        as_paths(paths.judgment_files(campaign)),
        questions,
        **below(campaign, **question_set, **outputs, faults="faults/judgments.tsv"),
        params=record(
            params.JudgmentsParams, campaign, unreadable=campaign.judgment_files.unreadable
        ),
    )


def evaluations(campaign: Campaign) -> list[Campaign]:
    """Return the campaign and, before it, the same without its rules on answers, if it has any."""
    return [*([campaign.unruled] if campaign.ruled else []), campaign]


def judge(campaign: Campaign) -> Path:
    """Write the verdicts with and without the campaign's rules; return the path of those with."""
    for variant in evaluations(campaign):
        judging.judge(
            as_paths(paths.responses(variant)),
            as_paths(paths.graded(variant)),
            as_paths(paths.judgments(variant)),
            as_paths(paths.questions(variant)),
            [],
            verdicts=Path(variant.folder, "verdicts.npz"),
            params=record(params.JudgeParams, variant),
        )
    return Path(campaign.folder, "verdicts.npz")


def count(campaign: Campaign) -> None:
    """Write the counts of the verdicts, or of the table of published counts, that is there."""
    names = {"counts": "counts", "categories": "counts_by_category", "bounds": "counts_by_variant"}
    files = {name: f"{file}.parquet" for name, file in names.items()}
    if not campaign.single:
        with refusing():
            table = Path(campaign.folder, "table.parquet")
            score.count_table(table, [], **below(campaign, **files))
        return
    for variant in evaluations(campaign):
        own = record(params.CountParams, variant)
        score.count(Path(variant.folder, "verdicts.npz"), **below(variant, **files), params=own)


def rank(campaign: Campaign) -> None:
    """Write the leaderboard of a campaign with verdicts or counts, and all that it shows."""
    count(campaign)
    folder, counted = Path(campaign.folder), record(params.CountParams, campaign)
    counts, by_category = folder / "counts.parquet", folder / "counts_by_category.parquet"
    bounds = as_paths(paths.bounds(campaign))
    verdicts, without = folder / "verdicts.npz", as_paths(paths.unruled_verdicts(campaign))
    for id in campaign.measures:
        files = {name: f"{name}/{id}.parquet" for name in ("scores", "scores_by_category")}
        categories = files["scores_by_category"]
        outputs = below(campaign, scores=files["scores"], category_scores=categories)
        if campaign.measure(id).kind == "counts":
            score.score_counts(counts, by_category, bounds, **outputs, measure=id, params=counted)
        else:
            score.score_verdicts(verdicts, without, **outputs, measure=id, params=counted)
    with refusing():
        leaders = {id: as_paths(paths.leader(campaign, id)) for id in campaign.measures}
        for id in sorted(leaders, key=lambda id: len(leaders[id])) if campaign.has_trials else ():
            statistics.trials(
                verdicts,
                as_paths(paths.clusters(campaign)),
                leaders[id],
                folder=folder / f"reliability/by_measure/{id}",
                measure=id,
                params=record(params.TrialsParams, campaign),
            )
        pages.leaderboard(
            counts,
            as_paths(paths.scores(campaign)),
            as_paths(paths.scores_by_category(campaign)),
            as_paths(paths.trials(campaign)),
            as_paths(paths.choice_tables(campaign)),
            as_paths(paths.accounts(campaign)),
            [],
            [],
            out=[folder / "leaderboard.csv"],
            previous=None,
            params=record(params.LeaderboardParams, campaign),
        )


def evaluate(campaign: Campaign) -> None:
    """Write all that the leaderboard of a campaign shows, and the leaderboard."""
    ingest(campaign)
    if campaign.single:
        judge(campaign)
    rank(campaign)


def gate(campaign: Campaign) -> None:
    """Write the outcome of the campaign's gates."""
    folder, own = Path(campaign.folder), record(params.GatesParams, campaign)
    with refusing():
        clusters = as_paths(paths.clusters(campaign))
        pages.gates(folder / "verdicts.npz", clusters, out=[folder / "gates.json"], params=own)
