"""Compares what logs state with what was read from them: imports.csv, and warnings."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl

from nonresponse import formats
from nonresponse.faults import quote
from nonresponse.formats.logs import digest
from nonresponse.legible import short
from nonresponse.tables import IMPORTS, OFFICIAL, read_parquet
from nonresponse.tasks import VERDICTS
from nonresponse.wording import format_rounded, join_names, plural, summarise_names

NEAR = 1e-6  # difference up to which two numbers agree, since some logs are rounded
STATEMENT = ("measure", "stated", "recomputed")
MOST_NOTES = 5  # sentences on notes, before all others
# A warning is due if more than this share of a headline comes from partly correct answers
MOST_OF_HEADLINE = 0.5
AGREES, RECONCILED, DIFFERS = "agrees", "reconciled", "differs"
UNRECONCILED = "cannot be reconciled"
WORST = {DIFFERS: 0, UNRECONCILED: 1, AGREES: 2}
# Counts that the rule of a log may treat otherwise than accuracy here, in words
COUNT_REMARKS = {
    "n_partial": "partly right (`partial:`)",
    "n_unscored": "not scored (`unscored:`)",
    "n_error": "failed (`error:`)",
    "n_u": "unanswered",
}
# How a run was measured, its ruler: the column of each part, and the name of it in a warning
RULER = {
    "scorer": "scorer, metric or filter",
    "judge": "judge",
    "prompt": "what the judge was told",
    "failures": "what failed judgments are",
    "questions": "questions",
    "texts": "texts of questions",
}
DIGESTS = ("prompt", "questions", "texts")  # parts of the ruler whose values say nothing
# What wrong answers look like, by the column of their number: the state that they may be of, in
# words, and the options that say which are
LIKES = {
    "like_unanswered": ("unanswered", "abstention", "unanswered and refusals"),
    "like_error": ("error", "failures of the system", "failed and failures"),
}
# Columns of imports.csv: a row per run, over all its logs
COLUMNS = {
    "run": pl.String,
    **dict.fromkeys(("files", "samples", "epochs", *VERDICTS, *LIKES), pl.Int64),
    **dict.fromkeys((f"as_{state}" for state, _, _ in LIKES.values()), pl.String),
    "measure": pl.String,
    **dict.fromkeys(("stated", "recomputed", "from_partial"), pl.Float64),
    **dict.fromkeys((*RULER, "ruler"), pl.String),
    "accuracy": pl.Float64,
    **dict.fromkeys(("outcome", "remarks"), pl.String),
}


def add_outcomes(accounts: pl.DataFrame) -> pl.DataFrame:
    """Return tables.IMPORTS with `outcome`: whether a log's number follows from its samples."""
    headline, recomputed = pl.col("stated"), pl.col("recomputed")
    unknown = headline.is_null() | recomputed.is_null() | (pl.col("why") != "")
    is_near = (headline - recomputed).abs() <= NEAR
    outcome = pl.when(unknown).then(pl.lit(UNRECONCILED)).when(is_near).then(pl.lit(AGREES))
    # The headline of a log that lacks samples may be right
    outcome = outcome.when(pl.col("samples") < pl.col("told")).then(pl.lit(UNRECONCILED))
    return accounts.with_columns(outcome=outcome.otherwise(pl.lit(DIFFERS))).sort("run", "file")


def summarise_runs(accounts: pl.DataFrame) -> pl.DataFrame:
    """Return a row per run: COLUMNS without `accuracy`, over all its logs.

    `from_partial` is the share of the headline that comes from partly correct answers, null where
    that is unknown. Runs with several logs have means weighted by samples, null if any log has no
    number, and the worst outcome.
    """
    scorer = pl.when(scorer="").then("measure").otherwise("scorer")
    logs = add_outcomes(accounts).with_columns(scorer=scorer)
    weight, total_weight = pl.col("samples"), pl.col("samples").sum()
    parts = [pl.col(name).filter(pl.col(name) != "").unique().sort() for name in RULER]
    measures = pl.col("measure").filter(pl.col("measure") != "").unique(maintain_order=True)
    worst = pl.col("outcome").sort_by(pl.col("outcome").replace_strict(WORST)).first()

    def average(name: str) -> pl.Expr:
        mean = (pl.col(name) * weight).sum() / pl.when(total_weight > 0).then(total_weight)
        number = pl.when(pl.len() == 1).then(pl.col(name).first()).otherwise(mean)
        return pl.when(pl.col(name).is_not_null().all()).then(number).alias(name)

    rows = logs.group_by("run", maintain_order=True).agg(
        pl.len().alias("files"),
        pl.col("samples").sum(),
        pl.col("epochs").max(),
        pl.col(*VERDICTS, *LIKES).sum(),
        pl.col("^as_.*$").drop_nulls().first(),
        measures.str.join(" | "),
        *[values.str.join(" | ") for values in parts],
        *map(average, ("stated", "recomputed")),
        worst,
        remarks=pl.struct("file", "why", "chosen", "notes", "outcome", *STATEMENT),
    )
    # The credit for partly correct answers, if the headline is a mean over scored samples. If that
    # many cannot earn it, the log scored by another rule, and the share is null.
    scored = pl.col("samples") - pl.col("unscored") - pl.col("error")
    total = pl.coalesce("recomputed", "stated") * scored
    credit = total - pl.col("correct")
    is_possible = (credit > 0) & (credit < pl.col("partial"))
    has_none = (pl.col("partial") == 0) & (total > 0)
    rows = rows.with_columns(
        from_partial=pl.when(has_none).then(0.0).when(is_possible).then(credit / total),
        ruler=pl.struct(*RULER).map_elements(digest, pl.String),
        remarks=pl.col("remarks").map_elements(join_remarks, pl.String),
    )
    remark = "most of its score comes from partly correct answers, of which none counts as right "
    remarks = prepend_remark(pl.lit(f"{remark}here (`partial:`)"))
    is_mostly_partial = pl.col("from_partial") > MOST_OF_HEADLINE
    rows = rows.with_columns(remarks=pl.when(is_mostly_partial).then(remarks).otherwise("remarks"))
    return rows.select(*[name for name in COLUMNS if name in rows.columns])


def prepend_remark(remark: pl.Expr) -> pl.Expr:
    """Return the remarks with another one before them."""
    remarks = pl.when(pl.col("remarks") != "").then("remarks")
    return pl.concat_str(remark, remarks, separator="; ", ignore_nulls=True)


def reconcile(rows: pl.DataFrame, counts: pl.DataFrame) -> pl.DataFrame:
    """Return rows of `summarise_runs` with `accuracy` here, and why it is another number."""
    names = [name for name in COUNT_REMARKS if name in counts.columns]
    accuracy = pl.col("n_ac") / pl.when(pl.col("n") > 0).then("n")
    official = counts.filter(pl.col("assessor") == OFFICIAL)
    official = official.select("run", "n", *names, accuracy=accuracy)
    joint = rows.join(official, on="run", how="left", maintain_order="left")
    is_near = ((pl.col("accuracy") - pl.col("stated")).abs() <= NEAR).fill_null(False)
    reasons = []
    for name in names:
        # A count is whole, or a mean over epochs, which is shown with two decimals.
        number = pl.col(name).cast(pl.Float64).round(2).cast(pl.String).str.strip_suffix(".0")
        reason = pl.format(f"{{}} {COUNT_REMARKS[name]}", number)
        reasons.append(pl.when(pl.col(name) > 0).then(reason))
    epochs = pl.format("{} epochs (`epochs:`)", "epochs")
    reasons.append(pl.when(pl.col("epochs") > 1).then(epochs))
    # Whole numbers, with one epoch
    fewer = pl.format("compared on {} of {} questions", pl.col("n").cast(pl.Int64), "samples")
    reasons.append(pl.when(pl.col("epochs") == 1, pl.col("n") < pl.col("samples")).then(fewer))
    reason = pl.concat_str(reasons, separator=", ", ignore_nulls=True)
    remark = pl.lit("accuracy here is another number")
    remark = pl.concat_str(
        remark, pl.when(reason != "").then(reason), separator=": ", ignore_nulls=True
    )
    is_reconciled = (pl.col("outcome") == AGREES) & ~is_near
    return joint.with_columns(
        outcome=pl.when(is_reconciled).then(pl.lit(RECONCILED)).otherwise("outcome"),
        remarks=pl.when(is_reconciled).then(prepend_remark(remark)).otherwise("remarks"),
    ).select(*rows.columns[:-2], "accuracy", "outcome", "remarks")


def join_remarks(logs: pl.Series) -> str:
    """Return the remarks on the logs of a run, each once, with its logs if several."""
    files: dict[str, list[str]] = {}
    for log in logs:
        remarks = [log["why"], *log["chosen"], *log["notes"]]
        if log["outcome"] == DIFFERS and len(logs) > 1:
            remarks.insert(0, describe_difference(log))
        for remark in filter(None, remarks):
            files.setdefault(remark, []).append(log["file"])
    if len(logs) == 1:
        return "; ".join(files)
    return "; ".join(
        f"{remark} ({', '.join(names[:3])}{', …' * (len(names) > 3)})"
        for remark, names in files.items()
    )


def list_warnings(accounts: pl.DataFrame, format: str) -> list[str]:
    """Return lines for check.txt: what to know of logs, rulers, and what a format cannot tell."""
    log = formats.LOGS[format]
    runs = summarise_runs(accounts)
    lines = describe_logs(accounts, runs) + describe_differing_parts(runs, log.options)
    return lines + ([log.caveat] if accounts.height and log.caveat else [])


def list_differing_parts(rows: pl.DataFrame) -> list[str]:
    """Return the parts of the ruler in which runs (rows of `summarise_runs`) are known to differ.

    `questions` is left out, since other pages say who was asked what. `texts` is compared only if
    the runs have the same questions by name.
    """
    parts = [name for name in RULER if name not in ("questions", "texts")]
    parts = [name for name in parts if has_several(rows, name)]
    groups = rows.filter(pl.col("questions") != "").group_by("questions")
    return parts + ["texts"] * any(has_several(group, "texts") for _, group in groups)


def has_several(rows: pl.DataFrame, part: str) -> bool:
    """Return whether runs are known to differ in this part of the ruler; "" is unknown."""
    return rows.filter(pl.col(part) != "")[part].n_unique() > 1


def describe_differing_parts(rows: pl.DataFrame, options: Sequence[str] = ()) -> list[str]:
    """Return a sentence on each part of the ruler in which runs differ, with its values."""
    lines = []
    for part in list_differing_parts(rows):
        groups = rows.filter(pl.col(part) != "").group_by(part).agg(pl.col("run").sort()).sort(part)
        values = [
            f"{summarise_names([short(run) for run in runs])} by {name}"
            for name, runs in groups.rows()
        ]
        advice = " One for all is named by `metric:`." * (part == "scorer" and "metric" in options)
        shown = f" ({'; '.join(values)})" * (part not in DIGESTS)
        finding = f"The runs were not measured alike: they differ in {RULER[part]}"
        lines.append(f"{finding}{shown}.{advice}")
    return lines


def describe_logs(accounts: pl.DataFrame, runs: pl.DataFrame) -> list[str]:
    """Return sentences on what to know of logs, on what counts of several scores, on stated scores
    of mostly partly correct answers, and on wrong answers that look like abstention or failures.

    `runs` are the rows of `summarise_runs` for these accounts.
    """
    lines = describe_notes(accounts) + describe_choices(accounts)
    return lines + describe_partial_headlines(runs) + describe_likes(runs)


def describe_notes(accounts: pl.DataFrame) -> list[str]:
    """Return sentences on logs that have notes, or whose number does not follow from their
    samples."""
    logs = add_outcomes(accounts).sort(pl.col("outcome") != DIFFERS, maintain_order=True)
    runs_by_text: dict[str, dict[str, None]] = {}
    for log in logs.rows(named=True):
        remarks = [*log["notes"]]
        if log["outcome"] == DIFFERS:
            remarks.insert(0, f"it {describe_difference(log)}")
        if remarks:
            runs_by_text.setdefault("; ".join(remarks), {})[short(log["run"])] = None
    lines = [
        f"The log{'s' * (len(runs) > 1)} of {summarise_names([*runs])}: {text}."
        for text, runs in runs_by_text.items()
    ]
    more = [f"imports.csv has {plural(len(lines) - MOST_NOTES, 'other note')}."]
    return lines[:MOST_NOTES] + more * (len(lines) > MOST_NOTES)


def describe_difference(log: dict) -> str:
    """Return what a log states, and what its samples give."""
    measure = f"{log['measure']} " * bool(log["measure"])
    return f"states {measure}{log['stated']:.6g}, its samples give {log['recomputed']:.6g}"


def describe_rulers(rows: pl.DataFrame) -> list[str]:
    """Return a sentence beside a ranking of runs that were not measured by the same ruler."""
    parts = join_names([RULER[part] for part in list_differing_parts(rows)])
    sentence = "The runs are ranked together, but not measured alike: they differ in"
    return [f"{sentence} {parts} (imports.csv)."] if parts else []


def describe_partial_headlines(rows: pl.DataFrame) -> list[str]:
    """Return a sentence on runs whose stated score is mostly of partly correct answers."""
    rows = rows.filter(pl.col("from_partial") > MOST_OF_HEADLINE)
    if rows.is_empty():
        return []
    names = summarise_names([short(run) for run in rows["run"]])
    subject = f"logs of {names} state scores that come"
    if rows.height == 1:
        [score] = rows.select(pl.coalesce("stated", "recomputed")).to_series()
        headline = " ".join(filter(None, [*rows["measure"], format_rounded(score, 3)]))
        subject = f"log of {names} states {headline}, which comes"
    reason = "none of which counts as right here (option partial)"
    return [f"The {subject} mostly from partly correct answers, {reason}."]


def describe_choices(accounts: pl.DataFrame) -> list[str]:
    """Return a sentence on the scores, filters and splits by which logs with several are read."""
    choices = accounts["chosen"].explode().drop_nulls().unique(maintain_order=True).to_list()
    sentence = "The logs have several scores, filters or splits, of which these count"
    return [f"{sentence}: {'; '.join(choices)}."] * bool(choices)


def describe_likes(rows: pl.DataFrame) -> list[str]:
    """Return sentences on the wrong answers of runs that look like abstention or failures."""
    lines = []
    for name, (state, means, options) in LIKES.items():
        runs = rows.filter(pl.col(name) > 0)
        if runs.height:
            numbers = runs.select(name, "run").rows()
            subject = summarise_names([f"{number:,} of {short(run)}" for number, run in numbers])
            lines.append(
                f"Of the wrong answers, {subject} may be {means}, such as "
                f"{quote(runs[f'as_{state}'][0])}: the options {options} say which are."
            )
    return lines


def read_accounts(paths: Iterable[Path]) -> pl.DataFrame:
    return pl.concat([pl.DataFrame(schema=IMPORTS), *map(read_parquet, paths)])
