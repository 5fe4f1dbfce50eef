"""How far scores can be trusted: analyses of single measures, and of a whole campaign."""

from pathlib import Path
from typing import Any

from nonresponse.stages.params import JudgmentTablesParams, SummariesParams, TrialsParams


def trials(
    verdicts: Path,
    clusters: list[Path],
    *,
    tables: list[Path],
    measure: str,
    memo: Path | None = None,
    code: str = "",
    params: TrialsParams,
) -> None:
    """Make the tables of all analyses of one measure; those of analyses that are not asked for are empty.

    `tables` are in the order of the analyses' records; `clusters` is the table of the questions, if these come in
    clusters; `memo` is a file that may hold what an earlier call counted, by the same `code`.
    """
    import polars as pl

    from nonresponse.memo import Memo
    from nonresponse.statistics import jobs, subsets
    from nonresponse.statistics.analyses import ANALYSES
    from nonresponse.statistics.cache import NOTHING
    from nonresponse.statistics.clusters import clusters_in
    from nonresponse.statistics.outcomes import read_outcomes
    from nonresponse.tables import write

    settings = params.trial_settings
    of_questions = clusters_in(clusters)
    outcomes, assessor = read_outcomes(verdicts, params.task, measure, params.policy, params.official, of_questions)
    cache = jobs.cache_for(outcomes, params.name, settings, Memo(memo, code)) if memo else NOTHING
    made: list[pl.DataFrame] = []
    try:
        for analysis in ANALYSES.values():
            if not analysis.trials:
                continue
            asked = analysis.id in params.analyses_of_trials
            made += (
                jobs.make_tables(analysis.id, outcomes, assessor, params.name, settings, cache)
                if asked
                else [pl.DataFrame() for _ in analysis.trials.tables]
            )
    except subsets.SizeError as error:
        raise SystemExit(f"campaigns.{params.name}: {error}") from None
    cache.save()
    for table, path in zip(made, tables, strict=True):
        write(table, path)


def summaries(
    verdicts: list[Path],
    counts: Path,
    scores: list[Path],
    clusters: list[Path],
    voters: list[Path],
    trials: list[Path],
    *,
    folder: Path,
    params: SummariesParams,
) -> None:
    """Make the tables of analyses of a whole campaign, in a folder, each as CSV and as Parquet.

    `trials` are tables of single measures; `voters` are those of the assessors, if one of them may replace a vote.
    """
    given = {
        "comparison": [path for path in trials if path.parent.name in ("comparisons", "abstention")],
        "swap": [path for path in trials if path.parent.name == "swap"],
        "sample_size": [path for path in trials if path.parent.name in ("questions_needed", "power")],
        "judges": [*verdicts, *clusters, *(path for path in trials if path.parent.name == "comparisons"), *voters],
        "generalizability": [*verdicts, *clusters],
        "rankings": [counts, *scores],
        "withheld": [counts],
    }
    write_summaries(given, params.analyses, params.task, params.settings(), folder)


def judging(labels: Path, pool: list[Path], *, folder: Path, params: JudgmentTablesParams) -> None:
    """Make the tables that depend on judgments even where verdicts stay the same, in a folder.

    `labels` are the judgments, or the verdicts of graded responses; `pool` has the verdicts and what they are made of,
    where answers were pooled.
    """
    given = {"agreement": [labels], "pooling": pool}
    write_summaries(given, params.analyses, params.task, params.settings(), folder)


def write_summaries(
    given: dict[str, list[Path]], analyses: list[str], task: str, settings: dict[str, Any], folder: Path
) -> None:
    """Write the tables of the analyses that are asked for, each made from the files that it is given."""
    from nonresponse import tables
    from nonresponse.statistics.analyses import ANALYSES
    from nonresponse.statistics.jobs import functions

    folder.mkdir(parents=True, exist_ok=True)
    for analysis in (ANALYSES[id] for id in analyses if id in given):
        if not analysis.summary:
            continue
        made = functions(analysis.id).summarise(given[analysis.id], task, settings)
        for name, table in zip(analysis.summary.tables, made, strict=True):
            tables.write_text(tables.as_csv(table), folder / f"{name}.csv")
            tables.write(table, folder / f"{name}.parquet")
