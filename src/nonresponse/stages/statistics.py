"""How far scores can be trusted: analyses of single measures, and of a whole campaign."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nonresponse.stages.params import JudgmentTablesParams, SummariesParams, TrialsParams
from nonresponse.statistics.analyses import ANALYSES, Inputs, functions, make_tables

if TYPE_CHECKING:
    import polars as pl

    from nonresponse.statistics.outcomes import Outcomes


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
    from nonresponse.statistics.cache import NOTHING, Cache
    from nonresponse.statistics.outcomes import clusters_in, read_outcomes
    from nonresponse.tables import write

    settings = params.trial_settings
    outcomes, assessor = read_outcomes(
        verdicts, params.task, measure, params.policy, params.official, clusters_in(clusters)
    )
    known = outcomes.measure.id, outcomes.measure.extra, outcomes.questions, params.name, settings
    cache = Cache(Memo(memo, code), *known) if memo else NOTHING
    folder.mkdir(parents=True, exist_ok=True)
    for id in params.analyses_of_trials:
        names = ANALYSES[id].tables_of_measure
        made = tables_from(leader, id, names, outcomes) or make_tables(
            id, outcomes, assessor, params.name, settings, cache
        )
        for name, table in zip(names, made, strict=True):
            write(table, folder / f"{name}.parquet")
    cache.save()


def tables_from(
    leader: list[Path], analysis: str, names: Sequence[str], outcomes: "Outcomes"
) -> list["pl.DataFrame"]:
    """Return the tables of an analysis from those of another measure; none where they do not follow
    from these."""
    import polars as pl

    from nonresponse import measures
    from nonresponse.statistics import affine

    measure = outcomes.measure
    if not leader or any(outcomes.matrices[name].any() for name in measure.follows_without):
        return []
    other = measures.get(measure.task, leader[0].name)
    relation = measures.Affine.between(measure, other)
    if not relation or not affine.follows(analysis, relation):
        return []
    tables = {name: pl.read_parquet(leader[0] / f"{name}.parquet") for name in names}
    return affine.follow(tables, relation)


def summaries(
    verdicts: list[Path],
    counts: Path,
    scores: list[Path],
    clusters: list[Path],
    vote_tables: list[Path],
    trials: list[Path],
    *,
    folder: Path,
    params: SummariesParams,
) -> None:
    """Make the tables of analyses of a whole campaign, in a folder, each as CSV and as Parquet."""
    given = Inputs(counts, verdicts, scores, clusters, vote_tables, trials)
    write_summaries("summaries", given, params, folder)


def judging(labels: Path, pool: list[Path], *, folder: Path, params: JudgmentTablesParams) -> None:
    """Make the tables that depend on judgments even where verdicts stay the same, in a folder."""
    write_summaries("judging", Inputs(labels=[labels], pool=pool), params, folder)


def write_summaries(
    rule: str, given: Inputs, params: SummariesParams | JudgmentTablesParams, folder: Path
) -> None:
    """Write the tables of the analyses that are asked for and that the rule makes."""
    from nonresponse import tables

    folder.mkdir(parents=True, exist_ok=True)
    for analysis in (ANALYSES[id] for id in params.analyses):
        if not analysis.summary or analysis.summary.rule != rule:
            continue
        made = functions(analysis.id).summarise(given, params.task, params.settings())
        for name, table in zip(analysis.summary.tables, made, strict=True):
            tables.write_text(tables.as_csv(table), folder / f"{name}.csv")
            tables.write(table, folder / f"{name}.parquet")
