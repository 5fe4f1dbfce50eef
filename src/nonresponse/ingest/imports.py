"""What logs state, compared with what was read from them: imports.csv, and warnings."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl

from nonresponse import formats
from nonresponse.formats.logs import digest
from nonresponse.legible import short
from nonresponse.tables import IMPORTS, OFFICIAL
from nonresponse.tasks import VERDICTS
from nonresponse.wording import joined, listed, rounded

NEAR = 1e-6  # difference up to which two numbers agree, since some logs are rounded
MOST_WARNINGS = 20  # warnings on the runs of a campaign
PARTIAL_REMARK = (
    "most of its score comes from partly correct answers, of which none counts as right "
    "here (`partial:`)"
)
# A warning is due if more than this share of a headline comes from partly correct answers
MOST_OF_HEADLINE = 0.5
AGREES, RECONCILED, DIFFERS, UNRECONCILED = (
    "agrees",
    "reconciled",
    "differs",
    "cannot be reconciled",
)
WORST = {DIFFERS: 0, UNRECONCILED: 1, AGREES: 2}
# Counts that a log's own rule may treat differently from accuracy here, in words.
COUNT_REMARKS = {
    "n_partial": "partly right (`partial:`)",
    "n_unscored": "not scored (`unscored:`)",
    "n_error": "failed (`error:`)",
    "n_u": "unanswered",
}


# The parts of a run's ruler, that is, of the way it was measured: the column of each, and its name
# in a warning.
RULER = {
    "scorer": "scorer, metric or filter",
    "judge": "judge",
    "prompt": "what the judge was told",
    "failures": "what failed judgments are",
    "questions": "questions",
    "texts": "texts of questions",
}

# Columns of imports.csv: a row per run, over all its logs.
COLUMNS = {
    "run": pl.String,
    **dict.fromkeys(("files", "samples", "epochs", *VERDICTS), pl.Int64),
    "measure": pl.String,
    **dict.fromkeys(("stated", "recomputed", "from_partial"), pl.Float64),
    **dict.fromkeys((*RULER, "ruler"), pl.String),
    "accuracy": pl.Float64,
    **dict.fromkeys(("outcome", "remarks"), pl.String),
}


def add_outcomes(accounts: pl.DataFrame) -> pl.DataFrame:
    """Return tables.IMPORTS with `outcome`: whether a log's number follows from its samples."""
    stated, recomputed = pl.col("stated"), pl.col("recomputed")
    unknown = stated.is_null() | recomputed.is_null() | (pl.col("why") != "")
    near = (stated - recomputed).abs() <= NEAR
    outcome = pl.when(unknown).then(pl.lit(UNRECONCILED)).when(near).then(pl.lit(AGREES))
    return accounts.with_columns(outcome=outcome.otherwise(pl.lit(DIFFERS))).sort("run", "file")


def summarise_runs(accounts: pl.DataFrame) -> pl.DataFrame:
    """Return a row per run (BY_RUN, without `accuracy`): its logs, samples, epochs and states, and
    the stated and recomputed headline with the outcome.

    `from_partial` is the share of the headline that comes from partly correct answers, null
    where that is unknown. Runs with several logs have means weighted by samples, null if any log
    has no number, and the worst outcome.
    """
    scorer = pl.when(scorer="").then("measure").otherwise("scorer")
    known, weight = add_outcomes(accounts).with_columns(scorer=scorer), pl.col("samples")
    filled = {name: pl.col(name).filter(pl.col(name) != "").unique() for name in RULER}
    measure = pl.col("measure").filter(pl.col("measure") != "").unique(maintain_order=True)
    worst = pl.col("outcome").sort_by(pl.col("outcome").replace_strict(WORST)).first()

    def overall(name: str) -> pl.Expr:
        mean = (pl.col(name) * weight).sum() / weight.sum()
        one = pl.when(pl.len() == 1).then(pl.col(name).first()).otherwise(mean)
        return pl.when(pl.col(name).is_not_null().all()).then(one).alias(name)

    logs = pl.struct("file", "why", "chosen", "notes", "outcome", "stated", "recomputed")
    rows = known.group_by("run", maintain_order=True).agg(
        pl.len().alias("files"),
        pl.col("samples").sum(),
        pl.col("epochs").max(),
        pl.col(*VERDICTS).sum(),
        measure.str.join(" | "),
        *[names.sort().str.join(" | ") for names in filled.values()],
        *map(overall, ("stated", "recomputed")),
        worst,
        remarks=logs,
    )
    # `rest`: the credit for partly correct answers, if the headline is a mean over scored samples.
    # If that many cannot earn it, the log scored by another rule, and the share is null.
    scored = pl.col("samples") - pl.col("unscored") - pl.col("error")
    total = pl.coalesce("recomputed", "stated") * scored
    rest = total - pl.col("correct")
    some = pl.when((rest > 0) & (rest < pl.col("partial"))).then(rest / total)
    share = pl.when((pl.col("partial") == 0) & (total > 0)).then(0.0).otherwise(some)
    ruler = pl.struct(*RULER).map_elements(digest, pl.String)
    in_words = pl.col("remarks").map_elements(join_remarks, pl.String)
    rows = rows.with_columns(from_partial=share, ruler=ruler, remarks=in_words)
    mostly = pl.when(pl.col("from_partial") > MOST_OF_HEADLINE).then(
        prepend_remark(pl.lit(PARTIAL_REMARK))
    )
    rows = rows.with_columns(remarks=mostly.otherwise("remarks"))
    return rows.select(*[name for name in COLUMNS if name in rows.columns])


def prepend_remark(remark: pl.Expr) -> pl.Expr:
    """Return the remarks with another one before them."""
    others = pl.when(pl.col("remarks") != "").then("remarks")
    return pl.concat_str(remark, others, separator="; ", ignore_nulls=True)


def reconcile(rows: pl.DataFrame, counts: pl.DataFrame) -> pl.DataFrame:
    """Return rows of `by_run` with the page's `accuracy`, and why it is another number."""
    counted = [name for name in COUNT_REMARKS if name in counts.columns]
    accuracy = pl.col("n_ac") / pl.when(pl.col("n") > 0).then("n")
    known = counts.filter(pl.col("assessor") == OFFICIAL)
    known = known.select("run", "n", *counted, accuracy=accuracy)
    with_counts = rows.join(known, on="run", how="left", maintain_order="left")
    near = ((pl.col("accuracy") - pl.col("stated")).abs() <= NEAR).fill_null(False)
    otherwise = (pl.col("outcome") == AGREES) & ~near
    parts = []
    for name in counted:
        # A count is whole, or a mean over epochs, which is shown with two decimals.
        number = pl.col(name).cast(pl.Float64).round(2).cast(pl.String).str.strip_suffix(".0")
        parts.append(
            pl.when(pl.col(name) > 0).then(pl.format(f"{{}} {COUNT_REMARKS[name]}", number))
        )
    parts.append(pl.when(pl.col("epochs") > 1).then(pl.format("{} epochs (`epochs:`)", "epochs")))
    whole = pl.col("n").cast(pl.Int64)  # with one epoch
    compared = pl.format("compared on {} of {} questions", whole, "samples")
    parts.append(pl.when(pl.col("epochs") == 1, pl.col("n") < pl.col("samples")).then(compared))
    reasons = pl.concat_str(parts, separator=", ", ignore_nulls=True)
    other = pl.lit("accuracy here is another number")
    named = pl.when(reasons != "").then(reasons)
    why = prepend_remark(pl.concat_str(other, named, separator=": ", ignore_nulls=True))
    return with_counts.with_columns(
        outcome=pl.when(otherwise).then(pl.lit(RECONCILED)).otherwise("outcome"),
        remarks=pl.when(otherwise).then(why).otherwise("remarks"),
    ).select(*rows.columns[:-2], "accuracy", "outcome", "remarks")


def join_remarks(of_run: pl.Series) -> str:
    """Return the remarks on the logs of a run, each once, with its logs if several."""
    logs, logs_of = of_run.to_list(), dict[str, list[str]]()
    for log in logs:
        of_log = [log["why"], *log["chosen"], *log["notes"]]
        if log["outcome"] == DIFFERS and len(logs) > 1:
            of_log.insert(
                0, f"states {log['stated']:.6g}, its samples give {log['recomputed']:.6g}"
            )
        for remark in filter(None, of_log):
            logs_of.setdefault(remark, []).append(log["file"])
    if len(logs) == 1:
        return "; ".join(logs_of)
    return "; ".join(
        f"{one} ({', '.join(files[:3])}{', …' * (len(files) > 3)})"
        for one, files in logs_of.items()
    )


def list_warnings(accounts: pl.DataFrame, format: str) -> list[str]:
    """Return lines for check.txt: headlines, rulers, remarks, and what a format cannot tell."""
    every = summarise_runs(accounts)
    differs = pl.col("outcome") == DIFFERS
    rows = every.filter(differs | (pl.col("remarks") != "")).sort(~differs, maintain_order=True)
    lines = [describe_run(row) for row in rows.rows(named=True)]
    lines[MOST_WARNINGS:] = [
        f"And {len(lines) - MOST_WARNINGS:,} more such runs: imports.csv has all."
    ] * (len(lines) > MOST_WARNINGS)
    log = formats.LOGS[format]
    lines[MOST_WARNINGS:MOST_WARNINGS] = warn_of_rulers(every, log.options)
    return lines + ([f"In {format} logs, {log.blind}."] if accounts.height else [])


def differing_parts(rows: pl.DataFrame) -> list[str]:
    """Return the parts of the ruler in which runs (rows of `by_run`) are known to differ.

    `questions` is left out, since other pages say who was asked what; `texts` is compared only if
    the runs have the same questions by name.
    """
    parts = [
        name for name in RULER if name not in ("questions", "texts") and is_different(rows, name)
    ]
    same_names = [own for _, own in rows.filter(pl.col("questions") != "").group_by("questions")]
    return parts + ["texts"] * any(is_different(own, "texts") for own in same_names)


def is_different(rows: pl.DataFrame, name: str) -> bool:
    """Return whether runs are known to differ in this part of the ruler; "" is unknown."""
    return rows.filter(pl.col(name) != "")[name].n_unique() > 1


def warn_of_rulers(rows: pl.DataFrame, options: Sequence[str]) -> list[str]:
    """Return a warning for each part of the ruler in which runs differ."""
    lines = []
    for part in differing_parts(rows):
        by = rows.filter(pl.col(part) != "").group_by(part).agg(pl.col("run").sort()).sort(part)
        each = (f"{name} of {listed([ascii(run) for run in runs])}" for name, runs in by.rows())
        chosen = " One for all is named by `metric:`." * (part == "scorer" and "metric" in options)
        found = f"runs are measured by different rulers, {RULER[part]}: {'; '.join(each)}"
        lines.append(f"Warning: {found}.{chosen}")
    return lines


def describe_rulers(rows: pl.DataFrame) -> list[str]:
    """Return a sentence beside a ranking of runs that were not measured by the same ruler."""
    parts = joined([RULER[part] for part in differing_parts(rows)])
    alike = "The runs are ranked together, but not measured alike: they differ in"
    return [f"{alike} {parts} (imports.csv)."] if parts else []


def describe_partial_headlines(rows: pl.DataFrame) -> list[str]:
    """Return a sentence on runs whose stated score is mostly of partly correct answers."""
    mostly = rows.filter(pl.col("from_partial") > MOST_OF_HEADLINE)
    if mostly.is_empty():
        return []
    names = listed([short(run) for run in mostly["run"]])
    state = f"logs of {names} state scores that come"
    if mostly.height == 1:
        [score] = mostly.select(pl.coalesce("stated", "recomputed")).to_series()
        headline = " ".join(filter(None, [*mostly["measure"], rounded(score, 3)]))
        state = f"log of {names} states {headline}, which comes"
    why = "none of which counts as right here (option partial)"
    return [f"The {state} mostly from partly correct answers, {why}."]


def describe_run(row: dict) -> str:
    one, parts = row["files"] == 1, [row["remarks"]] if row["remarks"] else []
    warned = row["outcome"] == DIFFERS or (row["from_partial"] or 0) > MOST_OF_HEADLINE
    if one and row["outcome"] == DIFFERS:  # with several logs, the remarks already say so
        values = f"{row['stated']:.6g}, and its samples give {row['recomputed']:.6g}"
        parts.insert(0, f"it states {row['measure']} {values}")
    who = f"{'Warning: t' if warned else 'T'}he log{'s' * (not one)} of {row['run']!a}"
    return f"{who}: {'; '.join(parts)}."


def read_accounts(paths: Iterable[Path]) -> pl.DataFrame:
    return pl.concat([pl.DataFrame(schema=IMPORTS), *map(pl.read_parquet, paths)])
