"""Verdicts, or published counts, to counts and to the scores of each measure."""

from pathlib import Path

from nonresponse.stages.params import CountParams


def count(
    verdicts: Path, *, counts: Path, categories: Path, bounds: Path, params: CountParams
) -> None:
    """Count verdicts under the policy: by run, by run and category, and by run and policy
    variant."""
    from nonresponse import tables
    from nonresponse.scoring.tally import tally

    for frame, path in zip(
        tally(verdicts, params.task, params.policy), (counts, categories, bounds), strict=True
    ):
        tables.write(frame, path)


def count_table(
    table: Path, check: list[Path], *, counts: Path, categories: Path, bounds: Path
) -> None:
    """Take published counts as they are, as those of the official assessor."""
    import polars as pl

    from nonresponse import tables
    from nonresponse.scoring.tally import from_table

    for frame, path in zip(
        from_table(pl.read_parquet(table)), (counts, categories, bounds), strict=True
    ):
        tables.write(frame, path)


def score_counts(
    counts: Path,
    categories: Path,
    bounds: list[Path],
    *,
    scores: Path,
    by_category: Path,
    measure: str,
    params: CountParams,
) -> None:
    """Score all runs by a measure of counts, with bounds; `bounds` are counts of other ways to take
    the answers."""
    from nonresponse import measures, tables
    from nonresponse.scoring.score import score_counts as scored

    made = scored(measures.get(params.task, measure), counts, categories, *bounds)
    for frame, path in zip(made, (scores, by_category), strict=True):
        tables.write(frame, path)


def score_verdicts(
    verdicts: Path,
    without_rules: list[Path],
    *,
    scores: Path,
    by_category: Path,
    measure: str,
    params: CountParams,
) -> None:
    """Score all runs by a measure of confidences, of ranks or of an order.

    `without_rules` are the verdicts as if the rules on the text of answers did not count, if there
    are such rules.
    """
    from nonresponse import measures, tables
    from nonresponse.scoring.score import score_verdicts as scored

    made = scored(measures.get(params.task, measure), verdicts, params.policy, *without_rules)
    for frame, path in zip(made, (scores, by_category), strict=True):
        tables.write(frame, path)
