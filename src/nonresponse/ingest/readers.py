"""Chooses the readers of a campaign's files by the options in the configuration."""

from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from nonresponse import formats, tables, tasks
from nonresponse.faults import Fault, quote
from nonresponse.formats import Read, log_reader
from nonresponse.formats.counts import completed, empty, read_counts
from nonresponse.formats.logs import Log, Sample, Statement, digest
from nonresponse.formats.records import with_nul
from nonresponse.formats.tabular import FOR_PEOPLE as TEXTS
from nonresponse.formats.tabular import read_graded
from nonresponse.formats.text import UNPACKED, is_file
from nonresponse.ingest import names
from nonresponse.settings import Files
from nonresponse.tasks import VERDICTS

# Logs that were read to see what is in them: the bytes of their files, and their samples
LOGS_READ: dict[tuple[str, str, str], tuple[int, Log]] = {}
LARGEST = 2**26  # bytes of all logs that are kept
# Options that change no sample: ..., or where they have this value
UNREAD = {"layout": "long", "unpacked": UNPACKED} | dict.fromkeys(
    ("correct_from", "epochs", "names", "names_from"), ...
)
READABLE = (*TEXTS, "metadata")  # columns of logs for people to read, apart from answers


def get_reader(
    part: str,
    options: Files,
    task: str = "qa",
    accounts: list[pl.DataFrame] | None = None,
    keep: bool = False,
) -> Read:
    """Return the reader of a part's files; of logs, `accounts` gets their tables.IMPORTS.

    With `keep`, the next reader of a log gets it without reading it again.
    """
    if part != "graded":
        module = formats.get_reader(options["format"])
        return module.read_runs if part == "runs" else module.read_judgments

    def read_log(path: str, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
        rows, account, faults = import_log(path, options, keep)
        if accounts is not None:
            accounts.append(account)
        return rows, faults

    return read_log if options["format"] in formats.LOGS else partial(read_graded, task=task)


def read_samples(path: str, options: Files, keep: bool) -> Log:
    """Return the samples of a log, unless another reader has kept them; `keep` them for the next
    one if they are few."""
    spec = formats.LOGS[options["format"]]
    states = [Path(file).stat() for file in spec.list_files(path, options) if is_file(file)]
    own = sorted(
        (key, value)
        for key, value in options.items()
        if key not in UNREAD or UNREAD[key] not in (..., value)
    )
    key = (path, repr([(state.st_mtime_ns, state.st_size) for state in states]), repr(own))
    _, log = (LOGS_READ.get if keep else LOGS_READ.pop)(key, (0, None))
    log = log or log_reader.read_log(spec, path, options)
    size = sum(state.st_size for state in states)
    if keep and size + sum(held for held, _ in LOGS_READ.values()) < LARGEST:
        LOGS_READ[key] = size, log
    return log


def import_log(
    path: str, options: Files, keep: bool = False
) -> tuple[pl.DataFrame, pl.DataFrame, list[Fault]]:
    """Return a log's rows for tables.GRADED and texts; its tables.IMPORTS; its faults."""
    log = read_samples(path, options, keep)
    types: dict[str, Any] = {"line": pl.Int64, "epoch": pl.Int32, "missing": pl.Boolean}
    types |= dict.fromkeys(("confidence", "share"), pl.Float64)
    schema = {name: types.get(name, pl.String) for name in Sample._fields}
    rows = pl.DataFrame(log.samples, schema, orient="row")
    faults = log.faults + with_nul(path, rows.drop("answer", *READABLE))
    if not rows.height and not faults:
        faults = [Fault(path, 0, "no samples", "a log with its samples")]
    if faults:
        return pl.DataFrame(), tables.empty(tables.IMPORTS), faults
    if "correct_from" in options:
        enough = pl.when(pl.col("share") >= options["correct_from"])
        right, partial = enough.then(pl.lit("correct")).otherwise(pl.lit("wrong")), "partial"
        verdict = pl.when(pl.col("verdict") == partial).then(right).otherwise("verdict")
        rows = rows.with_columns(verdict=verdict)
    account = describe_log(path, rows.drop("share"), log.statements, options)
    return select_epochs(rows, options).with_columns(assessor=pl.lit(tables.OFFICIAL)), account, []


def select_epochs(rows: pl.DataFrame, options: Files) -> pl.DataFrame:
    """Return the samples that `epochs:` asks for; only `all` keeps their numbers."""
    wanted, epoch = options.get("epochs", "first"), pl.col("epoch")
    if wanted == "all":
        return rows
    if wanted == "first":
        rows = rows.filter(epoch == epoch.min().over("run", "question"))
    else:
        numbered = pl.format("{} #{}", "run", "epoch")
        rows = rows.with_columns(run=pl.when(epoch > 1).then(numbered).otherwise("run"))
    return rows.with_columns(epoch=pl.lit(0, pl.Int32))


def describe_log(
    path: str, rows: pl.DataFrame, statements: list[Statement], options: Files
) -> pl.DataFrame:
    """Return tables.IMPORTS of a log: what it states of each run, and what its samples are."""
    states = {verdict: (pl.col("verdict") == verdict).sum() for verdict in VERDICTS}
    questions = pl.col("question").unique().sort().implode()
    questions = questions.map_elements(lambda names: digest(names.to_list()))
    epochs = pl.col("epoch").n_unique()
    of_runs = rows.filter(~pl.col("missing")).group_by("run")
    seen = of_runs.agg(samples=pl.len(), epochs=epochs, questions=questions, **states)
    schema = {name: tables.IMPORTS[name] for name in Statement._fields}
    stated = pl.DataFrame([one._asdict() for one in statements], schema)
    numbers = pl.col("samples", "epochs", *VERDICTS).fill_null(0)
    counted = stated.join(seen, on="run", how="left").with_columns(numbers, file=pl.lit(path))
    first = options.get("epochs", "first") == "first"
    kept = first and "epochs" in formats.LOGS[options["format"]].options
    only = pl.format("only the first of {} epochs is scored (`epochs:`)", "epochs")
    notes = pl.when(pl.lit(kept) & (pl.col("epochs") > 1)).then(pl.concat_list("notes", only))
    return tables.complete(counted.with_columns(notes.otherwise("notes")), tables.IMPORTS)


def read_published(
    files: list[str], options: Files, task: str
) -> tuple[pl.DataFrame, pl.DataFrame, list[Fault]]:
    """Return the counts of tables or logs; tables.IMPORTS, empty of tables; all faults."""
    if options.get("format") in formats.LOGS:
        frame, account, faults = read_logs(files, options, task)
    else:
        account = tables.empty(tables.IMPORTS)
        frame, faults = read_tables(files, options, task)
    if (given := options.get("names")) and not faults:
        faults = names.find_unknown_names(given, options["names_from"], frame["run"].to_list())
        named = names.rename_runs(frame, given).with_columns(file=pl.lit(", ".join(files)))
        faults += names.find_collisions(named)
        frame = named.drop("original", "file").sort("run")
        account = names.rename_runs(account, given).drop("original", strict=False)
    return frame, account, faults


def read_tables(paths: list[str], options: Files, task: str) -> tuple[pl.DataFrame, list[Fault]]:
    """Return the counts of all tables by run; and all faults, such as a run in two."""
    frames, faults = [empty(list(tasks.get(task).counts))], []
    seen: dict[str, str] = {}
    for path in paths:
        frame, of_file = read_counts(path, task, options)
        faults += of_file
        for run in frame["run"]:
            if (first := seen.setdefault(run, path)) != path:
                found = f"the run {quote(run)}, which is in {first}, too"
                faults.append(Fault(path, 0, found, "one row per run"))
        frames.append(frame)
    return pl.concat(frames).sort("run"), faults


def read_logs(
    paths: list[str], options: Files, task: str
) -> tuple[pl.DataFrame, pl.DataFrame, list[Fault]]:
    """Return the counts of all logs, tables.IMPORTS, and all faults."""
    record, module = tasks.get(task), formats.get_reader(options["format"])
    rows, accounts, faults = [], [], []
    for path in dict.fromkeys(module.list_files(path, options)[-1] for path in paths):
        row, statement, of_file = module.read_counts(path, options)
        faults += of_file
        if row and statement:
            rows.append({"file": path, **row})
            states = {"correct": row["n_ac"], "wrong": row["n_aw"], "unanswered": row["n_u"]}
            counted = dict.fromkeys(VERDICTS, 0) | states | {"samples": row["n"], "epochs": 1}
            accounts.append({**statement._asdict(), **counted, "file": path})
    if not rows:
        return empty(list(record.counts)), tables.empty(tables.IMPORTS), faults
    frame = pl.DataFrame(rows)
    for file, run in frame.filter(~pl.col("run").is_first_distinct()).select("file", "run").rows():
        faults.append(Fault(file, 0, f"a second log of run {quote(run)}", "one log of a run"))
    account = tables.complete(pl.DataFrame(accounts, infer_schema_length=None), tables.IMPORTS)
    return completed(frame, record).select("run", *record.counts).sort("run"), account, faults
