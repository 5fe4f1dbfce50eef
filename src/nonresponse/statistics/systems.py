"""What each configuration of a system gains and costs against its baseline.

Solovyev proposes to evaluate a module by comparing runs of one system in several configurations:
without the module, with a trivial one, with one that rejects everything, with the one proposed.
"""

from pathlib import Path

import polars as pl

from nonresponse import tasks
from nonresponse.database import connect, fetch_rows
from nonresponse.judging.store import read_verdicts
from nonresponse.owners import Owner
from nonresponse.scoring.tally import select_with_excluded
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
