"""Measures of one campaign: the score of every run, with bounds, and by category."""

import json
from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "task": {"help": "a task, such as qa"},
    "measure": {"help": "its id, such as cws"},
    "measures": {"nargs": "+", "help": "their ids, such as c@1 accuracy"},
    "total": {"type": Path, "help": "the counts by run, Parquet"},
    "categories": {"type": Path, "help": "the counts by run and category, Parquet"},
    "bounds": {"type": Path, "nargs": "+", "help": "the counts by run of other ways to take the answers, Parquet"},
    "file": {"type": Path, "help": "the verdicts, Parquet"},
    "without_rules": {"type": Path, "help": "the verdicts if the rules on the text of answers did not count, Parquet"},
    "policy": {"type": json.loads, "help": "what unscored, error and partial count as, a JSON object"},
    "output": {"type": Path, "help": "the Parquet file of scores to write"},
    "by_category": {"type": Path, "help": "the Parquet file of scores by category to write"},
    "outputs": {"type": Path, "nargs": "+", "help": "one for each measure"},
    "outputs_by_category": {"type": Path, "nargs": "+", "help": "likewise"},
}


def counts(
    task: str,
    measures: list[str],
    total: Path,
    categories: Path,
    bounds: list[Path],
    outputs: list[Path],
    outputs_by_category: list[Path],
) -> None:
    """Measures of counts."""
    from nonresponse import measures as known
    from nonresponse import tables
    from nonresponse.scoring.score import score_counts

    for id, output, by_category in zip(measures, outputs, outputs_by_category, strict=True):
        scores, split = score_counts(known.get(task, id), total, categories, *bounds)
        tables.write(scores, output)
        tables.write(split, by_category)


def verdicts(
    task: str,
    measure: str,
    file: Path,
    policy: dict,
    output: Path,
    by_category: Path,
    without_rules: Path | None = None,
) -> None:
    """A measure of self-scores, of ranks or of an order, which reads the verdicts."""
    from nonresponse import measures, tables
    from nonresponse.scoring.score import score_verdicts

    scores, split = score_verdicts(measures.get(task, measure), file, policy, without_rules)
    tables.write(scores, output)
    tables.write(split, by_category)


if __name__ == "__main__":
    commands.run(__doc__, [counts, verdicts], OPTIONS)
