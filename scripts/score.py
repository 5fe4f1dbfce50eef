"""Measures of one campaign: the score of every run, with bounds, and by category."""

from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "measures": {"nargs": "+", "help": "ids, such as c@1 accuracy"},
    "folder": {"type": Path, "help": "the campaign's results: counts are read from it, scores are written into it"},
    "bounds": {"type": Path, "nargs": "+", "help": "the counts by run of other ways to take the answers, Parquet"},
    "verdicts": {"type": Path, "help": "the verdict store"},
    "without_rules": {"type": Path, "help": "the same if the rules on the text of answers did not count"},
}


def counts(task: str, measures: list[str], folder: Path, bounds: list[Path]) -> None:
    """Measures of counts."""
    from nonresponse.scoring.score import score_counts, write_scores

    total, by_category = folder / "counts.parquet", folder / "counts_by_category.parquet"
    write_scores(task, measures, folder, lambda measure: score_counts(measure, total, by_category, *bounds))


def verdicts(
    task: str, measures: list[str], folder: Path, verdicts: Path, policy: dict, without_rules: Path | None = None
) -> None:
    """Measures of confidences, of ranks or of an order, which read the verdicts."""
    from nonresponse.scoring.score import score_verdicts, write_scores

    write_scores(task, measures, folder, lambda measure: score_verdicts(measure, verdicts, policy, without_rules))


if __name__ == "__main__":
    commands.run(__doc__, [counts, verdicts], OPTIONS)
