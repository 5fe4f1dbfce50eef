"""What logs of harnesses say of themselves, beside what was read: imports.csv, and what the check warns of."""

from collections.abc import Iterable
from pathlib import Path

import polars as pl

from nonresponse import formats
from nonresponse.formats.logs import NOTES
from nonresponse.tables import IMPORTS, replacing
from nonresponse.tasks import VERDICTS

NEAR = 1e-6  # two numbers agree; some logs are rounded
MOST = 20  # warnings of a campaign
AGREES, DIFFERS, OPEN = "agrees", "differs", "cannot be reconciled"


def outcomes(accounts: pl.DataFrame) -> pl.DataFrame:
    """tables.IMPORTS with `outcome`: whether what a log states is what its samples give."""
    both = pl.col("stated").is_not_null() & pl.col("recomputed").is_not_null()
    near = (pl.col("stated") - pl.col("recomputed")).abs() <= NEAR
    outcome = pl.when(~both | (pl.col("why") != "")).then(pl.lit(OPEN)).when(near).then(pl.lit(AGREES))
    return accounts.with_columns(outcome=outcome.otherwise(pl.lit(DIFFERS))).sort("run", "file")


def by_run(accounts: pl.DataFrame) -> pl.DataFrame:
    """A row per run: its logs, samples, epochs and states, what is stated and recomputed, and whether that agrees.

    Of a run in several logs, `stated` and `recomputed` are means over them, weighted by samples, null where one of them
    has none; the outcome is the worst of them.
    """
    known = outcomes(accounts)
    weight = pl.col("samples")

    def overall(name: str) -> pl.Expr:
        mean = pl.when(pl.len() == 1).then(pl.col(name).first())
        return mean.otherwise((pl.col(name) * weight).sum() / weight.sum()).alias(name)

    complete = {name: pl.col(name).is_not_null().all() for name in ("stated", "recomputed")}
    rows = known.group_by("run", maintain_order=True).agg(
        pl.len().alias("files"),
        pl.col("samples").sum(),
        pl.col("epochs").max(),
        pl.col(*VERDICTS).sum(),
        pl.col("measure").filter(pl.col("measure") != "").unique(maintain_order=True).str.join(" | "),
        *[pl.when(whole).then(overall(name)).alias(name) for name, whole in complete.items()],
        pl.when((pl.col("outcome") == DIFFERS).any())
        .then(pl.lit(DIFFERS))
        .when((pl.col("outcome") == OPEN).any())
        .then(pl.lit(OPEN))
        .otherwise(pl.lit(AGREES))
        .alias("outcome"),
        pl.struct("file", "why", "notes", "outcome", "stated", "recomputed").alias("logs"),
    )
    return rows.with_columns(remarks=pl.col("logs").map_elements(remarks, return_dtype=pl.String)).drop("logs")


def remarks(logs: pl.Series) -> str:
    """Why a run cannot be reconciled, and what else to know of its logs, each remark once and with its logs."""
    found: dict[str, list[str]] = {}
    for log in logs.to_list():
        said = [log["why"], *log["notes"].split(NOTES)]
        if log["outcome"] == DIFFERS and len(logs) > 1:
            said.insert(0, f"states {log['stated']:.6g}, its samples give {log['recomputed']:.6g}")
        for remark in filter(None, said):
            found.setdefault(remark, []).append(log["file"])
    if len(logs) == 1:
        return "; ".join(found)
    shown = {remark: ", ".join(files[:3]) + ", …" * (len(files) > 3) for remark, files in found.items()}
    return "; ".join(f"{remark} ({files})" for remark, files in shown.items())


def warnings(accounts: pl.DataFrame, format: str) -> list[str]:
    """Lines for the check: what differs, what stopped early or was chosen, and what the format cannot tell apart."""
    rows = by_run(accounts).filter((pl.col("outcome") == DIFFERS) | (pl.col("remarks") != ""))
    lines = [line_on(row) for row in rows.sort(pl.col("outcome") != DIFFERS, maintain_order=True).rows(named=True)]
    more = [f"And {len(lines) - MOST:,} more such runs: imports.csv has all."] if len(lines) > MOST else []
    blind = formats.LOGS[format].blind
    return lines[:MOST] + more + ([f"In {format} logs, {blind}."] if accounts.height else [])


def line_on(row: dict) -> str:
    """A line on a run whose logs need one."""
    one, said = row["files"] == 1, [row["remarks"]] if row["remarks"] else []
    if one and row["outcome"] == DIFFERS:  # of several logs, the remarks have it
        values = f"{row['stated']:.6g}, and its samples give {row['recomputed']:.6g}"
        said.insert(0, f"it states {row['measure']} {values}")
    who = f"{'Warning: t' if row['outcome'] == DIFFERS else 'T'}he log{'s' * (not one)} of {row['run']!a}"
    return f"{who}: {'; '.join(said)}."


def read(paths: Iterable[Path]) -> pl.DataFrame:
    """Tables of logs as one."""
    return pl.concat([pl.DataFrame(schema=IMPORTS), *map(pl.read_parquet, paths)])


def write(accounts: pl.DataFrame, path: Path) -> None:
    """imports.csv, a row per run."""
    with replacing(path) as part:
        by_run(accounts).write_csv(part)
