"""The configurations of a system against its baseline: what each gains and costs, and whether the
scores differ.

Solovyev proposes to evaluate a module by comparing runs of one system in several configurations:
without the module, with a trivial one, with one that rejects everything, with the one proposed.
"""

from pathlib import Path

import polars as pl

from nonresponse import measures, tasks
from nonresponse.database import connect, fetched
from nonresponse.judging.store import read_verdicts
from nonresponse.owners import Owner
from nonresponse.scoring.tally import with_excluded
from nonresponse.statistics.outcomes import TOLERANCE
from nonresponse.tables import typed

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


def gains(
    verdicts: Path, task: str, policy: dict, official: str, systems: list[Owner]
) -> pl.DataFrame:
    """GAINS, a row per configuration, from the verdicts of the official assessor."""
    record = tasks.get(task)
    right, wrong = (record.counts[name].condition for name in record.answer_counts)
    connection, store = connect(), read_verdicts(verdicts)
    store.add_rows(connection, record.columns, official)
    connection.register("chosen", pairs(systems).to_arrow())
    # Samples of a question are compared epoch by epoch
    epoch = "epoch" if record.repeated else "NULL AS epoch"
    connection.execute(
        f"CREATE TABLE seen AS SELECT run, question, candidate, {epoch}, CASE WHEN verdict = "
        "'exclude' THEN 'excluded'"
        f" WHEN {right} THEN 'right' WHEN {wrong} THEN 'wrong' ELSE 'none' END AS seen"
        f" FROM ({with_excluded(policy, task)}) WHERE assessor = $1 AND "
        f"({record.counts['n'].condition})"
        " AND run IN (SELECT run FROM chosen UNION SELECT baseline FROM chosen)",
        [official],
    )
    columns = [
        f"count(*) FILTER (b.seen = '{x}' AND c.seen = '{y}') AS {name}"
        for (x, y), name in CHANGES.items()
    ]
    excluded = ["b.seen = 'excluded'", "c.seen = 'excluded'"]
    columns.append(f"count(*) FILTER (({excluded[0]}) <> ({excluded[1]})) AS not_compared")
    columns.append(f"count(*) FILTER (NOT ({' OR '.join(excluded)})) AS compared")
    changes = connection.sql(
        f"SELECT o.number, o.system, o.run, o.baseline, {', '.join(columns)} FROM chosen AS o"
        " JOIN seen AS c ON c.run = o.run"
        " JOIN seen AS b ON b.run = o.baseline AND b.question = c.question AND b.candidate = "
        "c.candidate"
        " AND b.epoch IS NOT DISTINCT FROM c.epoch"
        " GROUP BY ALL ORDER BY number"
    )
    return typed(fetched(changes), GAINS)


def pairs(systems: list[Owner]) -> pl.DataFrame:
    """Return every configuration, in the order of the systems: number, system, run, baseline."""
    rows = [(system.name, run, system.baseline) for system in systems for run in system.others]
    table = pl.DataFrame(
        rows, dict.fromkeys(["system", "run", "baseline"], pl.String), orient="row"
    )
    return table.with_row_index("number")


def differences(
    scores: dict[str, pl.DataFrame],
    comparisons: dict[str, pl.DataFrame],
    task: str,
    official: str,
    systems: list[Owner],
) -> pl.DataFrame:
    """DIFFERENCES, a row per configuration and measure; `scores` and `comparisons` are tables by
    measure.

    Without comparisons there are no intervals and no p; a trivial run, such as accept-all, is never
    compared.
    """
    chosen = pairs(systems)
    frames = []
    for id, table in scores.items():
        value = table.filter(pl.col("assessor") == official).select("run", "value")
        baseline = value.select(baseline="run", baseline_value="value")
        rows = chosen.join(value, on="run", how="left").join(baseline, on="baseline", how="left")
        rows = rows.join(oriented(comparisons.get(id)), on=["run", "baseline"], how="left").sort(
            "number"
        )
        difference = pl.col("value") - pl.col("baseline_value")
        up = difference if measures.get(task, id).higher_is_better else -difference
        rows = rows.with_columns(
            measure=pl.lit(id),
            difference=difference,
            better=pl.when(difference.abs() > TOLERANCE).then(up > 0),
        )
        frames.append(typed(rows, DIFFERENCES))
    return pl.concat(frames)


def oriented(comparisons: pl.DataFrame | None) -> pl.DataFrame:
    """run, baseline, lower, upper, p, p_maxt of every pair, in both directions."""
    columns = ["run", "baseline", "lower", "upper", "p", "p_maxt"]
    if comparisons is None:
        return pl.DataFrame(schema={name: DIFFERENCES[name] for name in columns})
    one = comparisons.rename({"a": "run", "b": "baseline"})
    other = comparisons.rename({"b": "run", "a": "baseline"})
    other = other.with_columns(lower=-pl.col("upper"), upper=-pl.col("lower"))
    return pl.concat([one.select(columns), other.select(columns)])
