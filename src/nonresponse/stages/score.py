"""Verdicts, or published counts, to counts and to the scores of each measure."""

from pathlib import Path

from nonresponse.stages.params import CountParams


def count(
    verdicts: Path, *, counts: Path, categories: Path, bounds: Path, params: CountParams
) -> None:
    """Count verdicts under the policy: by run, by category, and by policy variant."""
    from nonresponse import tables
    from nonresponse.scoring.tally import tally

    frames = tally(verdicts, params.policy)
    for frame, path in zip(frames, (counts, categories, bounds), strict=True):
        tables.write(frame, path)


def count_table(
    counted_table: Path, check: list[Path], *, counts: Path, categories: Path, bounds: Path
) -> None:
    """Take published counts as they are, as those of the official assessor."""

    from nonresponse import tables
    from nonresponse.scoring.tally import adopt_table

    frames = adopt_table(tables.read_parquet(counted_table))
    for frame, path in zip(frames, (counts, categories, bounds), strict=True):
        tables.write(frame, path)


def score_counts(
    counts: Path,
    categories: Path,
    bounds: list[Path],
    *,
    scores: Path,
    category_scores: Path,
    measure: str,
    params: CountParams,
) -> None:
    """Score all runs by a measure of counts. `bounds` are counts under other policies."""
    from nonresponse import measures, tables
    from nonresponse.scoring import score

    frames = score.score_counts(measures.get(params.task, measure), counts, categories, *bounds)
    for frame, path in zip(frames, (scores, category_scores), strict=True):
        tables.write(frame, path)


def score_verdicts(
    verdicts: Path,
    unruled_verdicts: list[Path],
    *,
    scores: Path,
    category_scores: Path,
    measure: str,
    params: CountParams,
) -> None:
    """Score all runs by a measure of confidences, of ranks or of an order.

    `unruled_verdicts` are those as if the rules on the text of answers did not count, if there are
    such rules.
    """
    from nonresponse import measures, tables
    from nonresponse.scoring import score

    record = measures.get(params.task, measure)
    frames = score.score_verdicts(record, verdicts, params.policy, *unruled_verdicts)
    for frame, path in zip(frames, (scores, category_scores), strict=True):
        tables.write(frame, path)
