"""A table of published counts, a row per run (docs/tables.md)."""

from pathlib import Path

import polars as pl

from nonresponse import tasks
from nonresponse.faults import Fault
from nonresponse.formats import numbers, own_columns, tabular
from nonresponse.formats.text import Faults
from nonresponse.legible import NAME, NAMING
from nonresponse.settings import Files

TOLERANCE = 0.51  # by which a sum may be off, since counts were rounded one by one


def read_counts(
    file: str | Path, task: str, options: Files | None = None
) -> tuple[pl.DataFrame, list[Fault]]:
    """Return a row per run: `run` and the task's counts (null = not given); none with faults."""
    record, options = tasks.get(task), options or {}
    ours = list(record.counts)
    frame, faults = read_columns(file, options, record)
    if not frame.columns:
        return make_empty(ours), faults
    columns = {*frame.columns} - {"line"}
    # In qa n_ac, n_aw and n_u, or instead of them ROMIP's a to e.
    needed, alternative = record.required, record.alternative
    if alternative and {*alternative} <= columns and not {*needed} <= columns:
        needed = alternative
    if "n" in columns and len({*needed} - columns) == 1:  # which is what the others leave
        needed = ("n", *({*needed} & columns))
    for name in {"run", *needed} - columns - {*own_columns.map_columns(options)}:
        expected = f"one, or `columns: {{{name}: …}}` in config.yaml says which it is"
        faults.add(1, f"no column {name}", expected)
    for name in columns & {*ours}:
        number = numbers.parse_reals(frame[name], options.get("decimal"))
        blank = pl.col(name).is_null() & pl.lit(name not in needed)
        bad = frame.filter(~(number >= 0).fill_null(False) & ~blank)
        expected = f"a number that is not negative{tabular.hint_at_decimals(bad[name])}"
        faults.add_rows(bad, f"the count {name} {{}}", expected, name)
        frame = frame.with_columns(number)
    if "run" in columns:
        safe = frame["run"].str.contains(NAME).fill_null(False)
        faults.add_rows(frame.filter(~safe), "the run name {}", NAMING, "run")
        repeated = frame.filter(~frame["run"].is_first_distinct() & safe)
        faults.add_rows(repeated, "a second row for run {}", "one row per run", "run")
    if not frame.height and not faults:
        faults.add(1, "no row but the first", "a row per run")
    if faults:
        return make_empty(ours), faults
    frame = complete(frame, record)
    for name in record.required:
        faults.add_rows(
            frame.filter(pl.col(name) < 0), f"{name} {{}}, the rest of n", "0 or more", name
        )
    if not faults:
        add_contradictions(frame, record, faults)
    return frame.select("run", *record.counts).sort("run"), faults


def read_columns(
    file: str | Path, options: Files, record: tasks.Task
) -> tuple[pl.DataFrame, Faults]:
    """Return runs and the task's counts as texts; a count that is no column is 0."""
    mapping = own_columns.map_columns(options)
    sources = own_columns.list_sources(mapping.values())
    names = [name for name in ("run", *record.counts) if name in mapping or name not in sources]
    if options.get("ignore") == own_columns.ALL_OTHERS:
        options = options | {"ignore": []}
    frame, faults = tabular.read_mapped(file, options, names, [])
    nothing = [name for name, column in options.get("columns", {}).items() if column is False]
    nothing = nothing if frame.columns else []
    return frame.with_columns(pl.lit("0").alias(name) for name in nothing), faults


def make_empty(ours: list[str]) -> pl.DataFrame:
    return pl.DataFrame(schema={"run": pl.String, **dict.fromkeys(ours, pl.Float64)})


def complete(frame: pl.DataFrame, task: tasks.Task) -> pl.DataFrame:
    """Return all counts of the task; if not given, n is a sum, one that is required is the rest of
    n, and an optional part, or a count of nothing, is 0.

    A count is one of nothing if the count that it cannot exist without (none_without) is 0 or not
    given.
    """
    absent = [name for name in task.counts if name not in frame]
    optional = [name for name in task.parts if name not in task.required]
    frame = frame.with_columns(pl.lit(None, pl.Float64).alias(name) for name in absent)
    frame = frame.with_columns(pl.col(name).fill_null(0) for name in optional)
    frame = frame.with_columns(
        pl.when(pl.col(base).fill_null(0) > 0).then(name).otherwise(pl.col(name).fill_null(0))
        for name, count in task.counts.items()
        if (base := count.none_without)
    )
    for name in task.required if "n" not in absent else ():
        other_parts = pl.sum_horizontal(
            [part for part in task.parts if part != name], ignore_nulls=False
        )
        frame = frame.with_columns(pl.coalesce(name, pl.col("n") - other_parts).alias(name))
    parts = filter(None, (task.parts, task.alternative))
    sums = [pl.sum_horizontal(names, ignore_nulls=False) for names in parts]
    return frame.with_columns(n=pl.coalesce("n", *sums))


def add_contradictions(frame: pl.DataFrame, task: tasks.Task, faults: Faults) -> None:
    """Add a fault for each count that exceeds its whole, and for counts that do not add up."""
    for part in task.counts:
        wholes = task.find_containing(part)
        least = pl.min_horizontal(wholes) if wholes else pl.lit(None)
        exceeding = frame.filter(pl.col(part) > least).select("line", part, *wholes)
        for row in exceeding.rows(named=True):
            known_wholes = [name for name in wholes if row[name] is not None]
            smallest = min(known_wholes, key=lambda name: row[name])
            found = f"{part} = {row[part]:.12g} beside {smallest} = {row[smallest]:.12g}"
            faults.add(row["line"], found, f"no more {part} than {smallest}")
    rounding = pl.min_horizontal(pl.lit(TOLERANCE), pl.col("n") / 200)
    for sum_name, parts, is_complete in task.sums:
        present = [part for part in parts if frame[part].is_not_null().any()]
        if len(present) < 2:
            continue
        total, stated_sum = pl.sum_horizontal(present), pl.col(sum_name)
        are_stated = pl.all_horizontal(pl.col(*parts).is_not_null())
        falls_short = pl.lit(is_complete) & are_stated & (total < stated_sum - rounding)
        faulty = frame.filter((total > stated_sum + rounding) | falls_short)
        expected = f"no more than {sum_name}"
        if present == list(parts) and is_complete:
            expected = f"{sum_name} to be their sum"
        for line, number, sum_of_parts in faulty.select("line", sum_name, sum=total).rows():
            found = f"{sum_name} = {number:.12g} beside {' + '.join(present)} = {sum_of_parts:.12g}"
            faults.add(line, found, expected)
