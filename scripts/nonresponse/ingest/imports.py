"""What logs of harnesses say of themselves, beside what was read: imports.csv, and what the check warns of."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl

from nonresponse import formats
from nonresponse.formats.logs import NOTES, digest
from nonresponse.tables import IMPORTS
from nonresponse.tasks import VERDICTS
from nonresponse.wording import joined, listed

NEAR = 1e-6  # two numbers agree; some logs are rounded
MOST = 20  # warnings of a campaign
PARTLY = "most of its score comes from partly right answers, of which none counts as right here (`partial:`)"
MOSTLY = 0.5  # of a headline, the share from partly right answers beyond which it is warned of
AGREES, RECONCILED, DIFFERS, OPEN = "agrees", "reconciled", "differs", "cannot be reconciled"
WORST = {DIFFERS: 0, OPEN: 1, AGREES: 2}
# What a log's own rule may take in another way than accuracy here does: a count, and what it counts.
OTHERWISE = {
    "n_partial": "partly right (`partial:`)",
    "n_unscored": "not scored (`unscored:`)",
    "n_error": "failed (`error:`)",
    "n_u": "unanswered",
}


# By what a run was measured, a column each, and what it is called where runs differ in it.
RULER = {
    "scorer": "scorer, metric or filter",
    "judge": "judge",
    "prompt": "what the judge was told",
    "failures": "what failed judgments are",
    "questions": "questions",
    "texts": "texts of questions",
}

# imports.csv: a row per run, its logs counted together.
BY_RUN = {
    "run": pl.String,
    **dict.fromkeys(("files", "samples", "epochs", *VERDICTS), pl.Int64),
    "measure": pl.String,
    **dict.fromkeys(("stated", "recomputed", "from_partial"), pl.Float64),
    **dict.fromkeys((*RULER, "ruler"), pl.String),
    "accuracy": pl.Float64,
    **dict.fromkeys(("outcome", "remarks"), pl.String),
}


def outcomes(accounts: pl.DataFrame) -> pl.DataFrame:
    """tables.IMPORTS with `outcome`: whether what a log states is what its samples give."""
    both = pl.col("stated").is_not_null() & pl.col("recomputed").is_not_null()
    near = (pl.col("stated") - pl.col("recomputed")).abs() <= NEAR
    outcome = pl.when(~both | (pl.col("why") != "")).then(pl.lit(OPEN)).when(near).then(pl.lit(AGREES))
    return accounts.with_columns(outcome=outcome.otherwise(pl.lit(DIFFERS))).sort("run", "file")


def by_run(accounts: pl.DataFrame) -> pl.DataFrame:
    """A row per run: its logs, samples, epochs and states, what is stated and recomputed, and whether that agrees.

    `from_partial` is the share of the headline that comes from partly right answers, null where that cannot be said. Of
    several logs there are means weighted by samples, null where one has none, and the worst outcome.
    """
    known = outcomes(accounts).with_columns(scorer=pl.col("measure").str.replace("^.* of ", ""))
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
        *[pl.col(name).filter(pl.col(name) != "").unique().sort().str.join(" | ") for name in RULER],
        *[pl.when(whole).then(overall(name)).alias(name) for name, whole in complete.items()],
        pl.col("outcome").sort_by(pl.col("outcome").replace_strict(WORST)).first(),
        pl.struct("file", "why", "notes", "outcome", "stated", "recomputed").alias("logs"),
    )
    rows = rows.with_columns(remarks=pl.col("logs").map_elements(remarks, return_dtype=pl.String)).drop("logs")
    # What is left of a mean over scored samples once the right ones are taken off. Where so many partly right ones
    # cannot give that, the log scored by another rule, and the share is null.
    total = pl.coalesce("recomputed", "stated") * (pl.col("samples") - pl.col("unscored") - pl.col("error"))
    rest = total - pl.col("correct")
    some = pl.when((rest > 0) & (rest < pl.col("partial"))).then(rest / total)
    share = pl.when((pl.col("partial") == 0) & (total > 0)).then(0.0).otherwise(some)
    rows = rows.with_columns(from_partial=share, ruler=pl.struct(*RULER).map_elements(digest, pl.String))
    rows = rows.select(*[name for name in BY_RUN if name in rows.columns])
    mostly = pl.when(pl.col("from_partial") > MOSTLY).then(with_remark(pl.lit(PARTLY)))
    return rows.with_columns(remarks=mostly.otherwise("remarks"))


def with_remark(remark: pl.Expr) -> pl.Expr:
    return pl.concat_str(remark, pl.when(pl.col("remarks") != "").then("remarks"), separator="; ", ignore_nulls=True)


def beside_page(rows: pl.DataFrame, counts: pl.DataFrame) -> pl.DataFrame:
    """The rows with the leaderboard's `accuracy`; where it is not the headline, the remarks say what may differ."""
    counted = [name for name in OTHERWISE if name in counts.columns]
    known = counts.filter(pl.col("assessor") == "official")
    known = known.select("run", *counted, accuracy=pl.col("n_ac") / pl.when(pl.col("n") > 0).then("n"))
    beside = rows.join(known, on="run", how="left", maintain_order="left")
    near = ((pl.col("accuracy") - pl.col("stated")).abs() <= NEAR).fill_null(False)
    otherwise = (pl.col("outcome") == AGREES) & ~near
    # A count, or a mean over epochs with two decimals.
    said = {name: pl.col(name).cast(pl.Float64).round(2).cast(pl.String).str.strip_suffix(".0") for name in counted}
    parts = [pl.when(pl.col(name) > 0).then(pl.format(f"{{}} {OTHERWISE[name]}", said[name])) for name in counted]
    parts.append(pl.when(pl.col("epochs") > 1).then(pl.format("{} epochs (`epochs:`)", "epochs")))
    listed = pl.concat_str(parts, separator=", ", ignore_nulls=True)
    other = pl.lit("accuracy here is another number")
    why = pl.concat_str(other, pl.when(listed != "").then(listed), separator=": ", ignore_nulls=True)
    return beside.with_columns(
        outcome=pl.when(otherwise).then(pl.lit(RECONCILED)).otherwise("outcome"),
        remarks=pl.when(otherwise).then(with_remark(why)).otherwise("remarks"),
    ).select(*rows.columns[:-2], "accuracy", "outcome", "remarks")


def remarks(logs: pl.Series) -> str:
    """Why a run cannot be reconciled, and what else to know of its logs, each remark once and with its logs."""
    logs_of: dict[str, list[str]] = {}
    for log in logs.to_list():
        said = [log["why"], *log["notes"].split(NOTES)]
        if log["outcome"] == DIFFERS and len(logs) > 1:
            said.insert(0, f"states {log['stated']:.6g}, its samples give {log['recomputed']:.6g}")
        for remark in filter(None, said):
            logs_of.setdefault(remark, []).append(log["file"])
    if len(logs) == 1:
        return "; ".join(logs_of)
    return "; ".join(f"{one} ({', '.join(files[:3])}{', …' * (len(files) > 3)})" for one, files in logs_of.items())


def warnings(accounts: pl.DataFrame, format: str) -> list[str]:
    """Lines for the check: what differs, what stopped early or was chosen, and what the format cannot tell apart."""
    every = by_run(accounts)
    rows = every.filter((pl.col("outcome") == DIFFERS) | (pl.col("remarks") != ""))
    lines = [line_on(row) for row in rows.sort(pl.col("outcome") != DIFFERS, maintain_order=True).rows(named=True)]
    more = [f"And {len(lines) - MOST:,} more such runs: imports.csv has all."] if len(lines) > MOST else []
    more = measured_by(every, formats.LOGS[format].options) + more
    blind = formats.LOGS[format].blind
    return lines[:MOST] + more + ([f"In {format} logs, {blind}."] if accounts.height else [])


def differing(rows: pl.DataFrame) -> list[str]:
    """Which parts of their rulers runs differ in, of those that logs tell; of `by_run`.

    That runs were asked different questions is told elsewhere; texts differ where questions of the same names do.
    """
    parts = [name for name in RULER if name not in ("questions", "texts") and different(rows, name)]
    same_names = [own for _, own in rows.filter(pl.col("questions") != "").group_by("questions")]
    return parts + ["texts"] * any(different(own, "texts") for own in same_names)


def different(rows: pl.DataFrame, name: str) -> bool:
    """Whether a part is known to differ."""
    return rows.filter(pl.col(name) != "")[name].n_unique() > 1


def measured_by(rows: pl.DataFrame, options: Sequence[str]) -> list[str]:
    """A warning for each part of their rulers that runs differ in, and the options that choose one for all."""
    lines = []
    for part in differing(rows):
        by = rows.filter(pl.col(part) != "").group_by(part).agg(pl.col("run").sort()).sort(part)
        told = "; ".join(f"{name} of {listed([ascii(run) for run in runs])}" for name, runs in by.rows())
        chosen = [f"`{name}:`" for name in options if part == "scorer" and name in ("scorer", "metric", "filter")]
        more = f" One for all is named by {listed(chosen)}." if chosen else ""
        lines.append(f"Warning: runs are measured by different rulers, {RULER[part]}: {told}.{more}")
    return lines


def caution(rows: pl.DataFrame) -> list[str]:
    """A sentence beside a ranking of runs that were not measured by the same ruler."""
    if parts := [RULER[part] for part in differing(rows)]:
        return [f"The runs are ranked together, but not measured alike: they differ in {joined(parts)} (imports.csv)."]
    return []


def line_on(row: dict) -> str:
    one, said = row["files"] == 1, [row["remarks"]] if row["remarks"] else []
    warned = row["outcome"] == DIFFERS or (row["from_partial"] or 0) > MOSTLY
    if one and row["outcome"] == DIFFERS:  # of several logs, the remarks have it
        values = f"{row['stated']:.6g}, and its samples give {row['recomputed']:.6g}"
        said.insert(0, f"it states {row['measure']} {values}")
    who = f"{'Warning: t' if warned else 'T'}he log{'s' * (not one)} of {row['run']!a}"
    return f"{who}: {'; '.join(said)}."


def read_accounts(paths: Iterable[Path]) -> pl.DataFrame:
    return pl.concat([pl.DataFrame(schema=IMPORTS), *map(pl.read_parquet, paths)])
