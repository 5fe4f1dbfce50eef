"""What each configuration of a system gains and costs against its baseline.

Solovyev proposes to evaluate a module by comparing runs of one system in several configurations:
without the module, with a trivial one, with one that rejects everything, with the one proposed.
"""

from pathlib import Path

import polars as pl

from nonresponse import measures, tasks
from nonresponse.database import connect, fetch_rows
from nonresponse.judging.store import read_verdicts
from nonresponse.owners import Owner
from nonresponse.scoring.tally import select_with_excluded
from nonresponse.statistics.outcomes import TOLERANCE
from nonresponse.tables import cast_types

# What a user sees of a question, or of a pair: under the baseline, then under the other
# configuration.
CHANGES = {
    ("right", "right"): "right_kept",
    ("right", "none"): "right_lost",
    ("right", "wrong"): "right_spoiled",
    ("wrong", "wrong"): "wrong_kept",
    ("wrong", "none"): "wrong_removed",
    ("wrong", "right"): "wrong_corrected",
    ("none", "right"): "right_added",
    ("none", "wrong"): "wrong_added",
    ("none", "none"): "none_kept",
}
GAINS = {
    "system": pl.String,
    "run": pl.String,
    "baseline": pl.String,
    # Questions (or their samples, or pairs whose truth is known) that count for both runs; the sum
    # of the next nine.
    "compared": pl.Int64,
    **dict.fromkeys(CHANGES.values(), pl.Int64),
    "not_compared": pl.Int64,  # excluded by the policy for only one of the two
}
DIFFERENCES = {
    "system": pl.String,
    "run": pl.String,
    "baseline": pl.String,
    "measure": pl.String,
    "value": pl.Float64,
    "baseline_value": pl.Float64,
    "difference": pl.Float64,  # value less baseline_value
    "better": pl.Boolean,  # null = equal, or one of the two undefined
    "lower": pl.Float64,  # of the difference, at 1 - level; null as in reliability/comparisons
    "upper": pl.Float64,
    "p": pl.Float64,  # of the pair by itself; null = not compared
    "p_maxt": pl.Float64,  # for all pairs of runs together
}


def count_gains(
    verdicts: Path, task: str, policy: dict, official: str, systems: list[Owner]
) -> pl.DataFrame:
    """Return GAINS, a row per configuration, from the verdicts of the official assessor."""
    record = tasks.get(task)
    right, wrong = (record.counts[name].condition for name in record.answer_counts)
    connection, store = connect(), read_verdicts(verdicts)
    store.add_rows(connection, record.columns, official)
    connection.register("configurations", list_configurations(systems).to_arrow())
    # Samples of a question are compared epoch by epoch
    epoch = "epoch" if record.repeated else "NULL AS epoch"
    connection.execute(
        f"""CREATE TABLE states AS SELECT run, question, candidate, {epoch}, CASE
            WHEN verdict = 'exclude' THEN 'excluded'
            WHEN {right} THEN 'right' WHEN {wrong} THEN 'wrong' ELSE 'none' END AS state
        FROM ({select_with_excluded(policy, task)})
        WHERE assessor = $1 AND ({record.counts["n"].condition}) AND run IN
            (SELECT run FROM configurations UNION SELECT baseline FROM configurations)""",
        [official],
    )
    columns = [
        f"count(*) FILTER (b.state = '{before}' AND r.state = '{after}') AS {name}"
        for (before, after), name in CHANGES.items()
    ]
    excluded = ["b.state = 'excluded'", "r.state = 'excluded'"]
    columns.append(f"count(*) FILTER (({excluded[0]}) <> ({excluded[1]})) AS not_compared")
    columns.append(f"count(*) FILTER (NOT ({' OR '.join(excluded)})) AS compared")
    changes = connection.sql(
        f"""SELECT c.number, c.system, c.run, c.baseline, {", ".join(columns)}
        FROM configurations AS c
        JOIN states AS r ON r.run = c.run
        JOIN states AS b ON b.run = c.baseline AND b.question = r.question
            AND b.candidate = r.candidate AND b.epoch IS NOT DISTINCT FROM r.epoch
        GROUP BY ALL ORDER BY number"""
    )
    return cast_types(fetch_rows(changes), GAINS)


def list_configurations(systems: list[Owner]) -> pl.DataFrame:
    """Return every configuration, in the order of the systems: number, system, run, baseline."""
    rows = [(system.name, run, system.baseline) for system in systems for run in system.other_runs]
    types = dict.fromkeys(["system", "run", "baseline"], pl.String)
    return pl.DataFrame(rows, types, orient="row").with_row_index("number")


def list_differences(
    scores: dict[str, pl.DataFrame],
    comparisons: dict[str, pl.DataFrame],
    task: str,
    official: str,
    systems: list[Owner],
) -> pl.DataFrame:
    """Return DIFFERENCES, a row per configuration and measure, from tables by measure.

    Without comparisons there are no intervals and no p. A trivial run, such as accept-all, is never
    compared.
    """
    configurations = list_configurations(systems)
    parts = []
    for id, table in scores.items():
        value = table.filter(pl.col("assessor") == official).select("run", "value")
        baseline = value.select(baseline="run", baseline_value="value")
        rows = configurations.join(value, on="run", how="left")
        rows = rows.join(baseline, on="baseline", how="left")
        tests = orient_pairs(comparisons.get(id))
        rows = rows.join(tests, on=["run", "baseline"], how="left").sort("number")
        difference = pl.col("value") - pl.col("baseline_value")
        gain = difference if measures.get(task, id).higher_is_better else -difference
        better = pl.when(difference.abs() > TOLERANCE).then(gain > 0)
        rows = rows.with_columns(measure=pl.lit(id), difference=difference, better=better)
        parts.append(cast_types(rows, DIFFERENCES))
    return pl.concat(parts)


def orient_pairs(comparisons: pl.DataFrame | None) -> pl.DataFrame:
    """Return run, baseline, lower, upper, p, p_maxt of every pair, in both directions."""
    columns = ["run", "baseline", "lower", "upper", "p", "p_maxt"]
    if comparisons is None:
        return pl.DataFrame(schema={name: DIFFERENCES[name] for name in columns})
    pairs = comparisons.rename({"a": "run", "b": "baseline"})
    reverse = comparisons.rename({"b": "run", "a": "baseline"})
    reverse = reverse.with_columns(lower=-pl.col("upper"), upper=-pl.col("lower"))
    return pl.concat([pairs.select(columns), reverse.select(columns)])
