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
from nonresponse.front import FaultyError, RefusedError
from nonresponse.ingest import check as checking
from nonresponse.ingest import imports
from nonresponse.stages import ingest as ingesting
from nonresponse.stages import judge as judging
from nonresponse.stages import pages, params, score, statistics
from nonresponse.workflow import paths
from nonresponse.workflow.campaigns import Campaign

Record = TypeVar("Record", bound=params.Params)


@contextmanager
def refuse() -> Iterator[None]:
    """Turn the end of a stage (SystemExit) into RefusedError, with what the stage wrote as the
    reason."""
    output = io.StringIO()
    try:
        with redirect_stderr(output):
            yield
    except SystemExit as error:
        reason = output.getvalue() or (error.code if isinstance(error.code, str) else "")
        raise RefusedError(reason.strip()) from None


def place(campaign: Campaign, results: Path) -> Campaign:
    """Return the campaign with its results in a folder of this folder."""
    return replace(campaign, results=str(results))


def to_paths(names: list[str]) -> list[Path]:
    """Return paths of texts."""
    return [Path(name) for name in names]


def locate(campaign: Campaign, **files: str) -> dict[str, Path]:
    """Return the paths of results of a campaign."""
    return {name: Path(campaign.folder, file) for name, file in files.items()}


def make_params(kind: type[Record], campaign: Campaign, **fields: object) -> Record:
    """Return the parameters of a stage as a job gets them."""
    return kind.parse(kind.project(campaign, **fields))


def ingest(campaign: Campaign) -> None:
    """Write the tables that verdicts or counts are made of. RefusedError with all faults of the
    files."""
    with refuse():
        read(campaign)
    folder, settings = Path(campaign.folder), make_params(params.CheckParams, campaign)
    tables = [str(Path(path).relative_to(folder)) for path in paths.faults(campaign)]
    accounts = imports.read_accounts(to_paths(paths.accounts(campaign)))
    options = settings.checked_options
    problems, *_ = checking.check_campaign(options, folder, tables, settings.shards, accounts)
    if problems:
        raise FaultyError(faults.render_report(problems, campaign.name, whole_file="").strip())


def report(campaign: Campaign) -> tuple[bool, str]:
    """Return whether all files of a campaign are without faults, and the report on them."""
    read(campaign)
    outputs = locate(campaign, report="faults.txt", check="check.txt", data="check.json")
    with redirect_stderr(io.StringIO()), suppress(SystemExit):
        ingesting.check(
            to_paths(paths.faults(campaign)),
            to_paths(paths.checked_tables(campaign)),
            to_paths(paths.accounts(campaign)),
            **outputs,
            params=make_params(params.CheckParams, campaign),
        )
    is_sound = outputs["check"].is_file()
    return is_sound, outputs["check" if is_sound else "report"].read_text(encoding="utf-8")


def read(campaign: Campaign) -> None:
    """Write the tables of the files, and of the faults of each."""
    if not campaign.single:
        unreadable = campaign.count_files.unreadable
        outputs = {"table": "table.parquet", "faults": "faults/counts.tsv"}
        ingesting.ingest_counts(
            to_paths(campaign.matched_count_files),
            to_paths(paths.count_files(campaign)),
            **locate(campaign, **outputs, imports="imports/counts.parquet"),
            params=make_params(params.ReadParams, campaign, unreadable=unreadable),
        )
        return
    graded = campaign.source == "graded"
    for shard, matches in campaign.shard_matches.items():
        settings = make_params(params.ReadParams, campaign, unreadable=matches.unreadable)
        outputs = {name: f"{name}/{shard}.parquet" for name in ("ruled", "texts", "imports")}
        outputs |= {"table": f"{paths.FOLDERS[campaign.source]}/{shard}.parquet"}
        outputs |= {"names": f"runs/{shard}.parquet", "faults": f"faults/runs-{shard}.tsv"}
        files = to_paths(matches.files)
        if graded:
            opened = to_paths(paths.shard_files(campaign, shard))
            ingesting.ingest_graded(files, opened, **locate(campaign, **outputs), params=settings)
        else:
            outputs = {name: outputs[name] for name in ("ruled", "table", "names", "faults")}
            ingesting.ingest_runs(files, **locate(campaign, **outputs), params=settings)
    questions = to_paths(paths.question_files(campaign))
    question_set = {"question_set": "questions.parquet"}
    if graded:
        ingesting.ingest_questions(
            questions,
            **locate(campaign, **question_set, faults="faults/questions.tsv"),
            params=make_params(params.QuestionsParams, campaign),
        )
        return
    outputs = {"table": "judgments.parquet", "names": "assessors.parquet"}
    ingesting.ingest_judgments(
        to_paths(paths.judgment_files(campaign)),
        questions,
        **locate(campaign, **question_set, **outputs, faults="faults/judgments.tsv"),
        params=make_params(
            params.JudgmentsParams, campaign, unreadable=campaign.judgment_files.unreadable
        ),
    )


def list_variants(campaign: Campaign) -> list[Campaign]:
    """Return the campaign and, before it, the same without its rules on answers, if it has any."""
    return [*([campaign.unruled] if campaign.ruled else []), campaign]


def judge(campaign: Campaign) -> Path:
    """Write the verdicts with and without the campaign's rules; return the path of those with."""
    for variant in list_variants(campaign):
        judging.judge(
            to_paths(paths.responses(variant)),
            to_paths(paths.graded(variant)),
            to_paths(paths.judgments(variant)),
            to_paths(paths.questions(variant)),
            [],
            verdicts=Path(variant.folder, "verdicts.npz"),
            params=make_params(params.JudgeParams, variant),
        )
    return Path(campaign.folder, "verdicts.npz")


def count(campaign: Campaign) -> None:
    """Write the counts of the verdicts, or of the table of published counts, that is there."""
    files = {
        "counts": "counts.parquet",
        "categories": "counts_by_category.parquet",
        "bounds": "counts_by_variant.parquet",
    }
    if not campaign.single:
        with refuse():
            table = Path(campaign.folder, "table.parquet")
            score.count_table(table, [], **locate(campaign, **files))
        return
    for variant in list_variants(campaign):
        verdicts = Path(variant.folder, "verdicts.npz")
        settings = make_params(params.CountParams, variant)
        score.count(verdicts, **locate(variant, **files), params=settings)


def rank(campaign: Campaign) -> None:
    """Write the leaderboard of a campaign with verdicts or counts, and all that it shows."""
    count(campaign)
    folder, settings = Path(campaign.folder), make_params(params.CountParams, campaign)
    counts, category_counts = folder / "counts.parquet", folder / "counts_by_category.parquet"
    bounds = to_paths(paths.bounds(campaign))
    verdicts, plain_verdicts = folder / "verdicts.npz", to_paths(paths.unruled_verdicts(campaign))
    for id in campaign.measures:
        categories = f"scores_by_category/{id}.parquet"
        outputs = locate(campaign, scores=f"scores/{id}.parquet", category_scores=categories)
        if campaign.measure(id).kind == "counts":
            score.score_counts(
                counts, category_counts, bounds, **outputs, measure=id, params=settings
            )
        else:
            score.score_verdicts(verdicts, plain_verdicts, **outputs, measure=id, params=settings)
    with refuse():
        leaders = {id: to_paths(paths.leader(campaign, id)) for id in campaign.measures}
        for id in sorted(leaders, key=lambda id: len(leaders[id])) if campaign.has_trials else ():
            statistics.trials(
                verdicts,
                to_paths(paths.clusters(campaign)),
                leaders[id],
                folder=folder / f"reliability/by_measure/{id}",
                measure=id,
                params=make_params(params.TrialsParams, campaign),
            )
        pages.leaderboard(
            counts,
            to_paths(paths.scores(campaign)),
            to_paths(paths.scores_by_category(campaign)),
            to_paths(paths.trials(campaign)),
            to_paths(paths.choice_tables(campaign)),
            to_paths(paths.accounts(campaign)),
            [],
            [],
            out=[folder / "leaderboard.csv"],
            previous=None,
            params=make_params(params.LeaderboardParams, campaign),
        )


def evaluate(campaign: Campaign) -> None:
    """Write all that the leaderboard of a campaign shows, and the leaderboard."""
    ingest(campaign)
    if campaign.single:
        judge(campaign)
    rank(campaign)


def gate(campaign: Campaign) -> None:
    """Write the outcome of the campaign's gates."""
    folder, settings = Path(campaign.folder), make_params(params.GatesParams, campaign)
    with refuse():
        clusters = to_paths(paths.clusters(campaign))
        pages.gates(folder / "verdicts.npz", clusters, out=[folder / "gates.json"], params=settings)
