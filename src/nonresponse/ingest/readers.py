"""Chooses the readers of a campaign's files by the options in the configuration."""

from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from nonresponse import formats, tables, tasks
from nonresponse.faults import Fault, quote
from nonresponse.formats import Reader, log_reader
from nonresponse.formats.counts import complete, make_empty, read_counts
from nonresponse.formats.logs import Log, Sample, Statement, digest
from nonresponse.formats.records import find_nuls
from nonresponse.formats.tabular import READABLE as TEXTS
from nonresponse.formats.tabular import read_graded
from nonresponse.formats.text import is_file
from nonresponse.formats.words import ABSTENTION, FAILURE
from nonresponse.ingest import names
from nonresponse.settings import Files
from nonresponse.tasks import VERDICTS

# The last logs read, for their next reader: the bytes of their files, and their samples
CACHE: dict[tuple[str, str, str], tuple[int, Log]] = {}
CACHE_BYTES, MOST_LOGS = 2**26, 1000  # of the files of all logs in it, and their number, at most
# Options that change no sample, whatever their value (...) or with this value
IRRELEVANT = {"layout": "long"} | dict.fromkeys(("correct_from", "epochs", "names"), ...)


def get_reader(
    part: str,
    options: Files,
    task: str = "qa",
    accounts: list[pl.DataFrame] | None = None,
    keep: bool = False,
) -> Reader:
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
    """Return the samples of a log, from the cache if it has them; `keep` puts them there if they
    fit."""
    spec = formats.LOGS[options["format"]]
    states = [Path(file).stat() for file in spec.list_files(path, options) if is_file(file)]
    relevant = sorted(
        (key, value)
        for key, value in options.items()
        if key not in IRRELEVANT or IRRELEVANT[key] not in (..., value)
    )
    key = (path, repr([(state.st_mtime_ns, state.st_size) for state in states]), repr(relevant))
    _, log = (CACHE.get if keep else CACHE.pop)(key, (0, None))
    log = log or log_reader.read_log(spec, path, options)
    size = sum(state.st_size for state in states)
    if (
        keep
        and len(CACHE) < MOST_LOGS
        and size + sum(bytes for bytes, _ in CACHE.values()) < CACHE_BYTES
    ):
        CACHE[key] = size, log
    return log


def import_log(
    path: str, options: Files, keep: bool = False
) -> tuple[pl.DataFrame, pl.DataFrame, list[Fault]]:
    """Return a log's rows for tables.GRADED and texts; its tables.IMPORTS; its faults."""
    log = read_samples(path, options, keep)
    types: dict[str, Any] = {
        "line": pl.Int64,
        "epoch": pl.Int32,
        "missing": pl.Boolean,
        "confidence": pl.Float64,
    }
    schema = {name: types.get(name, pl.String) for name in Sample._fields}
    rows = pl.DataFrame(log.samples, schema, orient="row")
    faults = log.faults + find_nuls(path, rows.drop("answer", "metadata", *TEXTS))
    if faults:
        return pl.DataFrame(), tables.make_empty(tables.IMPORTS), faults
    account = describe_log(path, rows, log.statements, options)
    return select_epochs(rows, options).with_columns(assessor=pl.lit(tables.OFFICIAL)), account, []


def select_epochs(rows: pl.DataFrame, options: Files) -> pl.DataFrame:
    """Return the samples that `epochs:` asks for; only `all` keeps their numbers."""
    option, epoch = options.get("epochs", "first"), pl.col("epoch")
    if option == "all":
        return rows
    if option == "first":
        rows = rows.filter(epoch == epoch.min().over("run", "question"))
    else:
        numbered = pl.format("{} #{}", "run", "epoch")
        rows = rows.with_columns(run=pl.when(epoch > 1).then(numbered).otherwise("run"))
    return rows.with_columns(epoch=pl.lit(0, pl.Int32))


def describe_log(
    path: str, rows: pl.DataFrame, statements: list[Statement], options: Files
) -> pl.DataFrame:
    """Return tables.IMPORTS of a log: what it states of each run, and what its samples are."""
    questions = pl.col("question").unique().sort().implode()
    is_scored = options.get("epochs", "first") != "first"
    is_scored |= pl.col("epoch") == pl.col("epoch").min().over("run", "question")
    samples = rows.filter(~pl.col("missing")).with_columns(is_scored=is_scored).group_by("run")
    verdict, answer = pl.col("verdict"), pl.col("answer")
    patterns = (
        {}
        if formats.has_text_rules(options)
        else {"unanswered": f"{ABSTENTION}|^$", "error": FAILURE}
    )
    likes = {
        state: (verdict == "wrong")
        & pl.col("is_scored")
        & answer.str.contains(pattern)
        & (verdict != state).all()
        for state, pattern in patterns.items()
    }
    numbers = samples.agg(
        samples=pl.len(),
        epochs=pl.col("epoch").n_unique(),
        questions=questions.map_elements(lambda names: digest(names.to_list())),
        **{word: (verdict == word).sum() for word in VERDICTS},
        **{f"like_{state}": is_like.sum() for state, is_like in likes.items()},
        **{f"as_{state}": answer.filter(is_like).mode().min() for state, is_like in likes.items()},
    )
    schema = {name: tables.IMPORTS[name] for name in Statement._fields}
    account = pl.DataFrame([statement._asdict() for statement in statements], schema)
    account = account.join(numbers, on="run", how="left").with_columns(
        pl.col("samples", "epochs", *VERDICTS).fill_null(0), file=pl.lit(path)
    )
    has_epochs = "epochs" in formats.LOGS[options["format"]].options
    if has_epochs and options.get("epochs", "first") == "first":
        note = pl.format("only the first of {} epochs is scored (`epochs:`)", "epochs")
        notes = pl.when(pl.col("epochs") > 1).then(pl.concat_list("notes", note))
        account = account.with_columns(notes.otherwise("notes"))
    return tables.complete(account, tables.IMPORTS)


def read_published(
    files: list[str], options: Files, task: str
) -> tuple[pl.DataFrame, pl.DataFrame, list[Fault]]:
    """Return the counts of tables or logs; tables.IMPORTS, empty of tables; all faults."""
    if options.get("format") in formats.LOGS:
        frame, account, faults = read_logs(files, options, task)
    else:
        account = tables.make_empty(tables.IMPORTS)
        frame, faults = read_tables(files, options, task)
    new_names = options.get("names")
    if new_names and not faults:
        faults = names.find_unknown_names(new_names, frame["run"].to_list())
        frame = names.rename_runs(frame, new_names).with_columns(file=pl.lit(", ".join(files)))
        faults += names.find_collisions(frame)
        frame = frame.drop("original", "file").sort("run")
        account = names.rename_runs(account, new_names).drop("original", strict=False)
    return frame, account, faults


def read_tables(paths: list[str], options: Files, task: str) -> tuple[pl.DataFrame, list[Fault]]:
    """Return the counts of all tables by run; and all faults, such as a run in two."""
    frames, faults = [make_empty(list(tasks.get(task).counts))], []
    first_paths: dict[str, str] = {}
    for path in paths:
        frame, table_faults = read_counts(path, task, options)
        faults += table_faults
        for run in frame["run"]:
            if (first := first_paths.setdefault(run, path)) != path:
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
        row, statement, log_faults = module.read_counts(path, options)
        faults += log_faults
        if row and statement:
            rows.append({"file": path, **row})
            states = {"correct": row["n_ac"], "wrong": row["n_aw"], "unanswered": row["n_u"]}
            numbers = dict.fromkeys(VERDICTS, 0) | states | {"samples": row["n"], "epochs": 1}
            accounts.append({**statement._asdict(), **numbers, "file": path})
    if not rows:
        return make_empty(list(record.counts)), tables.make_empty(tables.IMPORTS), faults
    frame = pl.DataFrame(rows)
    for file, run in frame.filter(~pl.col("run").is_first_distinct()).select("file", "run").rows():
        faults.append(Fault(file, 0, f"a second log of run {quote(run)}", "one log of a run"))
    account = tables.complete(pl.DataFrame(accounts, infer_schema_length=None), tables.IMPORTS)
    return complete(frame, record).select("run", *record.counts).sort("run"), account, faults
