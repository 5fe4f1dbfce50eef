"""The tables of the analysis `judges`: a row per judge; a row per judge and run; and corrected scores."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from nonresponse import tables as files
from nonresponse.measures import Measure
from nonresponse.reliability import corrected, judge_rankings, judges
from nonresponse.reliability.clusters import clusters_in
from nonresponse.reliability.outcomes import Outcomes, read
from nonresponse.tasks import Task

JUDGES = {"judge": pl.String, **judges.COMPARED, **corrected.DIFFERS, **judge_rankings.RANKED}


def tables(
    verdicts: Path,
    clusters: list[Path],
    comparisons: dict[str, Path],
    task: Task,
    measure: Measure | None,
    settings: dict,
) -> list[pl.DataFrame]:
    """JUDGES, the official assessor first; judges.BY_RUN; and corrected.CORRECTED.

    `measure` ranks the runs, None = there is none that could; `comparisons` are the files of the runs compared by each
    measure; `clusters` is the table of the questions, where these come in clusters.
    """
    official = files.official(settings.get("official"), pl.scan_parquet(verdicts))
    cases = judges.crossed(verdicts, official, task.trivial)
    whole, of_clusters = judges.unjudged(cases), clusters_in(clusters)

    def seen(judge: str, failed: str) -> tuple[Outcomes, Outcomes]:
        """See judge_rankings.Seen; the runs of which either judged nothing stay out."""
        assert measure
        policy, without = settings["policy"] | {"unscored": "exclude"}, [*task.trivial, *whole.get(judge, [])]
        with TemporaryDirectory() as folder:
            file = Path(folder, "verdicts.parquet")
            files.write(judges.side_by_side(verdicts, judge, official, failed), file)
            theirs = read(file, measure, policy, judge, without, of_clusters)
            return theirs, read(file, measure, policy, official, [*without, *whole.get(official, [])], of_clusters)

    apart = told_apart(comparisons[measure.id], settings["level"]) if measure and measure.id in comparisons else None
    rows = []
    for judge in judges.names(cases, official):
        own = cases.filter(pl.col("judge") == judge)
        row = {"judge": judge} | judges.compare(own, settings["failed_judgments"], judge == official)
        if judge != official:
            row |= corrected.differences(own, judge, settings["seed"])
        if measure and judge != official:
            row |= judge_rankings.compare(seen, judge, settings, apart)
        rows.append(row | {"unjudged": len(whole.get(judge, []))})
    by_run = judges.by_run(cases, official, settings["failed_judgments"])
    of_judges = pl.DataFrame(rows, JUDGES)
    scores = corrected.table(cases, official, corrected.questions_of(verdicts, official), settings["level"])
    return [of_judges, by_run, corrected.without_pooled(scores, of_judges, settings["level"])]


def told_apart(comparisons: Path, level: float) -> set[tuple[str, str]]:
    """The pairs of runs that differ under the official judgments, from a table of `comparison`."""
    pairs = pl.read_parquet(comparisons, columns=["a", "b", "p_maxt"]).filter(pl.col("p_maxt") <= level)
    return {(a, b) for a, b, _ in pairs.rows()}
