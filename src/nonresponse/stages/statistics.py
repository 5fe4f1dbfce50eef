"""How far scores can be trusted: analyses of single measures, and of a whole campaign."""

from pathlib import Path

from nonresponse.stages.params import (
    AnalysesParams,
    JudgmentTablesParams,
    SummariesParams,
    TrialsParams,
)
from nonresponse.statistics.analyses import ANALYSES, Inputs, load_module, make_tables


def trials(
    verdicts: Path,
    clusters: list[Path],
    leader: list[Path],
    *,
    folder: Path,
    measure: str,
    memo: Path | None = None,
    code: str = "",
    params: TrialsParams,
) -> None:
    """Make the tables of the analyses of one measure that are asked for, in a folder.

    `clusters` is the table of the questions, if these come in clusters; `leader` is the folder of
    another measure, if this one follows from it; `memo` is a file that may hold what an earlier
    call counted, by the same `code`.
    """
    from nonresponse.memo import Memo
    from nonresponse.statistics import affine
    from nonresponse.statistics.cache import NOTHING, Cache
    from nonresponse.statistics.outcomes import read_clusters, read_outcomes
    from nonresponse.tables import write

    settings = params.trial_settings
    outcomes, assessor = read_outcomes(
        verdicts, params.task, measure, params.policy, params.official, read_clusters(clusters)
    )
    key = outcomes.measure.id, outcomes.measure.extra, outcomes.questions, params.name, settings
    cache = Cache(Memo(memo, code), *key) if memo else NOTHING
    folder.mkdir(parents=True, exist_ok=True)
    for id in params.analyses_of_trials:
        names = ANALYSES[id].tables_of_measure
        frames = affine.derive_tables(leader, id, names, outcomes.measure, outcomes.matrices)
        if not frames:
            frames = make_tables(id, outcomes, assessor, params.name, settings, cache)
        for name, table in zip(names, frames, strict=True):
            write(table, folder / f"{name}.parquet")
    cache.save()


def summaries(
    verdicts: list[Path],
    counts: Path,
    scores: list[Path],
    clusters: list[Path],
    trials: list[Path],
    *,
    folder: Path,
    params: SummariesParams,
) -> None:
    """Make the tables of analyses of a whole campaign, in a folder, each as CSV and as Parquet."""
    inputs = Inputs(counts, verdicts, scores, clusters, trials)
    write_summaries("summaries", inputs, params, folder)


def judging(labels: Path, pool: list[Path], *, folder: Path, params: JudgmentTablesParams) -> None:
    """Make the tables that depend on judgments even where verdicts stay the same, in a folder."""
    write_summaries("judging", Inputs(labels=[labels], pool=pool), params, folder)


def write_summaries(rule: str, inputs: Inputs, params: AnalysesParams, folder: Path) -> None:
    """Write the tables of the analyses that are asked for and that the rule makes."""
    from nonresponse import tables

    folder.mkdir(parents=True, exist_ok=True)
    for analysis in (ANALYSES[id] for id in params.analyses):
        if not analysis.summary or analysis.summary.rule != rule:
            continue
        frames = load_module(analysis.id).summarise(inputs, params.task, params.settings())
        for name, table in zip(analysis.summary.tables, frames, strict=True):
            tables.write_text(tables.to_csv(table), folder / f"{name}.csv")
            tables.write(table, folder / f"{name}.parquet")
