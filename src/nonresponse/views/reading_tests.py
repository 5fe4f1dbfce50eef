"""How many reading tests, or other clusters of questions, a run passes (CLEF: QA4MRE, Entrance Exams)."""

import polars as pl

from nonresponse.database import fetched
from nonresponse.legible import short
from nonresponse.views.material import Material
from nonresponse.wording import number, plural

PASSED = 0.5  # the c@1 from which a test is passed
HEADING = "Tests passed"
CAPTION = "c@1 test by test, a test being a cluster of questions; one with 0.5 or more is passed."
PREFIX = "c@1 of "
COLUMNS = {
    "run": "its name",
    "tests": "clusters with a question that counts for the run",
    "passed": f"those with a c@1 of {PASSED} or more",
    "lowest": "c@1 of the worst test",
    "median": "that of the middle one, or the mean of the middle two",
    "highest": "that of the best",
    "c@1 of {test}": "a column for each test; empty where none of its questions counts",
}
NOT_SHOWN = pl.selectors.starts_with(PREFIX)


def table_of(material: Material) -> pl.DataFrame:
    """A row per run, in the order of the leaderboard; questions that are in no cluster are left out."""
    material.verdicts.read_parquet(str(material.folder / "questions.parquet")).create_view("asked", replace=True)
    rows = fetched(
        material.verdicts.sql("""
        WITH tests AS (
            SELECT run, cluster, count(*) AS n, count(*) FILTER (verdict = 'correct') AS n_ac,
                count(*) FILTER (verdict = 'unanswered') AS n_u
            FROM verdicts JOIN asked USING (question) WHERE cluster IS NOT NULL GROUP BY run, cluster
        )
        SELECT run, cluster, (n_ac + n_u * n_ac / n) / n AS score FROM tests ORDER BY run, cluster""")
    )
    score = pl.col("score")
    of_runs = rows.group_by("run").agg(
        tests=pl.len().cast(pl.Int64),
        passed=(score >= PASSED).sum().cast(pl.Int64),
        lowest=score.min(),
        median=score.median(),
        highest=score.max(),
    )
    each = rows.with_columns(cluster=PREFIX + pl.col("cluster")).pivot("cluster", index="run", values="score")
    each = each.select("run", *sorted(each.columns[1:]))
    order = material.counts.filter(~pl.col("trivial")).select("run")
    found = order.join(of_runs, on="run", maintain_order="left").join(each, on="run", how="left", maintain_order="left")
    return found.select("run", "tests", "passed", "lowest", "median", "highest", *each.columns[1:])


def sentences(table: pl.DataFrame, material: Material) -> list[str]:
    """Which run passes most, and how many pass half of theirs."""
    most = table.sort("passed", "median", descending=True, maintain_order=True).row(0, named=True)
    half = table.filter(2 * pl.col("passed") >= pl.col("tests")).height
    text = f"{short(most['run'])} passes {most['passed']:,} of {plural(most['tests'], 'test')}, with a median c@1 of"
    text += f" {number(most['median'], 3)}"
    return [f"{text}; {plural(half, 'run', 'passes', 'pass')} half of the tests or more."]
