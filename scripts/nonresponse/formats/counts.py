"""Door three: a table of published counts, a row per run (docs/formats.md)."""

import polars as pl

from nonresponse import tasks
from nonresponse.faults import Fault, shown
from nonresponse.formats import records
from nonresponse.ingest import SAFE_NAME

PARTS_OF = [
    ("nil_right", "nil_returned"),
    ("nil_right", "nil_gold"),
    *[(part, "n_u") for part in ("n_ur", "n_uw", "n_ue", "n_ux")],
]
TOLERANCE = 0.51  # the sum of counts that were rounded one by one


def read_counts(file, task: str) -> tuple[pl.DataFrame, list[Fault]]:
    """run and the counts of the task, as real numbers (a table in percent has fractions); null = not given.

    n is the sum of its parts where the table leaves it out; u_p and u_n are 0 there.
    """
    own = tasks.get(task)
    known = list(own.counts)
    frame, faults = records.read(file)
    if not frame.columns:
        return empty(known), faults
    wanted = ["run"] if has_categories(frame, known) else ["run", *own.required]
    for name in wanted:
        if name not in frame.columns:
            have = ", ".join(shown(column, 30) for column in frame.columns if column != "line")
            faults.append(Fault(str(file), 1, f"no column '{name}' among {have}", f"a column {name}"))
    for name in set(frame.columns) - {"line", "run", *known}:
        faults.append(Fault(str(file), 1, f"the column {shown(name)}", f"run, or a count: {', '.join(known)}"))
    if faults:
        return empty(known), faults
    for name in known:
        if name not in frame.columns:
            continue
        number = frame[name].str.strip_chars().cast(pl.Float64, strict=False)
        blank = pl.col(name).is_null() & pl.lit(name not in own.required)
        bad = frame.filter(~(number.is_finite() & (number >= 0)).fill_null(False) & ~blank)
        for line, text in bad.select("line", name).rows():
            faults.append(
                Fault(str(file), line, f"the count {name} {shown(text or '')}", "a number that is not negative")
            )
        frame = frame.with_columns(number)
    safe = frame["run"].str.contains(SAFE_NAME).fill_null(False)
    for line, run in frame.filter(~safe).select("line", "run").rows():
        faults.append(Fault(str(file), line, f"the run name {shown(run)}", "a name that can be a file name"))
    for line, run in frame.filter(~frame["run"].is_first_distinct() & safe).select("line", "run").rows():
        faults.append(Fault(str(file), line, f"a second row for run {shown(run)}", "one row per run"))
    if not frame.height:
        faults.append(Fault(str(file), 1, "no row but the first", "a row per run"))
    return (empty(known), faults) if faults else completed(file, frame, own)


def has_categories(frame: pl.DataFrame, known: list[str]) -> bool:
    """A table of ROMIP's categories a to e needs no n_ac, n_aw, n_u."""
    return set("abcde") <= set(frame.columns) & set(known)


def empty(known: list[str]) -> pl.DataFrame:
    return pl.DataFrame(schema={"run": pl.String, **dict.fromkeys(known, pl.Float64)})


def completed(file, frame: pl.DataFrame, own: tasks.Task) -> tuple[pl.DataFrame, list[Fault]]:
    zero = [pl.lit(0.0).alias(name) for name in own.parts if name not in {*own.required, *frame.columns}]
    frame = frame.with_columns(zero)
    parts = own.parts if set(own.parts) <= set(frame.columns) else "abcde"
    total = pl.sum_horizontal(parts)
    if "n" not in frame.columns:
        frame = frame.with_columns(n=total)
    faults = [
        Fault(str(file), line, f"n = {n:g} beside {' + '.join(parts)} = {summed:g}", "an n that is their sum")
        for line, n, summed in frame.select("line", "n", total.alias("sum"))
        .filter((pl.col("n") - pl.col("sum")).abs() > pl.min_horizontal(TOLERANCE, pl.col("n") / 200))
        .rows()
    ]
    for part, of in PARTS_OF:
        if {part, of} <= set(frame.columns):
            for line, less, more in frame.filter(pl.col(part) > pl.col(of)).select("line", part, of).rows():
                faults.append(
                    Fault(str(file), line, f"{part} = {less:g} beside {of} = {more:g}", f"no more {part} than {of}")
                )
    missing = [pl.lit(None, pl.Float64).alias(name) for name in own.counts if name not in frame.columns]
    return frame.with_columns(missing).select("run", *own.counts).sort("run"), faults
