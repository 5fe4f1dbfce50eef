"""A table of published counts, a row per run (docs/tables.md)."""

from pathlib import Path

import polars as pl

from nonresponse import tasks
from nonresponse.faults import Fault, quote
from nonresponse.formats import numbers, own_columns, records
from nonresponse.formats.json_records import ColumnRequest
from nonresponse.formats.text import Faults
from nonresponse.legible import NAME, NAMING
from nonresponse.settings import Files

COUNT_TASKS = [task for task in map(tasks.get, tasks.NAMES) if "counts" in task.sources]
ALL_OTHERS = "rest"  # the value of `ignore` for all columns that no other option names
TOLERANCE = 0.51  # by which a sum may be off, since counts were rounded one by one


def read_counts(
    file: str | Path, task: str, options: Files | None = None
) -> tuple[pl.DataFrame, list[Fault]]:
    """Return a row per run: `run` and the task's counts (null = not given); none with faults."""
    record, options = tasks.get(task), options or {}
    ours = list(record.counts)
    frame, faults = read_mapped(file, options)
    columns = {*frame.columns} - {"line"}
    if not columns:
        return make_empty(ours), faults
    # In qa n_ac, n_aw and n_u, or instead of them ROMIP's a to e.
    needed, alternative = record.required, record.alternative
    if alternative and {*alternative} <= columns and not {*needed} <= columns:
        needed = alternative
    if "n" in columns and len({*needed} - columns) == 1:  # which is what the others leave
        needed = ("n", *({*needed} & columns))
    for name in {"run", *needed} - columns - {*own_columns.map_columns(options)}:
        faults.add_missing([name], frame.columns, f"a column {name}")
    expected = f"run, or a count: {', '.join(ours)}; `columns` and `ignore` say what others are"
    for name in columns - {"run", *ours}:
        faults.add(1, f"the column {quote(name)}", expected)
    for name in columns & {*ours}:
        number = numbers.parse_reals(frame[name])
        blank = pl.col(name).is_null() & pl.lit(name not in needed)
        bad = frame.filter(~(number >= 0).fill_null(False) & ~blank)
        faults.add_rows(bad, f"the count {name} {{}}", "a number that is not negative", name)
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


def read_mapped(file: str | Path, options: Files) -> tuple[pl.DataFrame, Faults]:
    """Return the table under our column names, without those that the options ignore."""
    mapping, ignored = own_columns.map_columns(options), options.get("ignore", [])
    ignores_rest, ignored = ignored == ALL_OTHERS, [] if ignored == ALL_OTHERS else ignored
    request = ColumnRequest(own_columns.list_paths(mapping.values()))
    frame, faults = records.read_table(file, options, request)
    if not frame.columns:
        return frame, faults
    for name, column in [*mapping.items(), *[("`ignore`", column) for column in ignored]]:
        if missing := own_columns.find_missing(column, frame):
            faults.add_missing(missing, frame.columns, f"a column for {name}")
    sources = {"line", *own_columns.list_sources(mapping.values()), *ignored}
    counts = {"run", *(name for task in COUNT_TASKS for name in task.counts)}
    free = [name for name in frame.columns if name not in sources]
    free = [name for name in free if name in counts] if ignores_rest else free
    for name in mapping.keys() & {*free}:
        remark = f"beside {quote(mapping[name])}, which is {name} by `columns`"
        expected = "one of them, or the other in `ignore`"
        faults.add(1, f"the column {quote(name)} {remark}", expected)
    frame = own_columns.add_patterns(frame, file, mapping)
    mapped = {name: column for name, column in mapping.items() if column in frame.columns}
    rows = frame.select("line", *[name for name in free if name not in mapped], **mapped)
    faults += records.find_nuls(file, rows)
    nothing = [name for name, column in options.get("columns", {}).items() if column is False]
    return rows.with_columns(pl.lit("0").alias(name) for name in nothing), faults


def make_empty(ours: list[str]) -> pl.DataFrame:
    """Return a table without rows."""
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
