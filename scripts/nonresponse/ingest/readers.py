"""The readers of a campaign's files, as the options of their part of the configuration say."""

import polars as pl

from nonresponse import formats, tables, tasks
from nonresponse.faults import Fault, shown
from nonresponse.formats import Read
from nonresponse.formats.counts import completed, empty, read_counts
from nonresponse.formats.logs import imported
from nonresponse.formats.tabular import read_graded
from nonresponse.ingest import names


def reader(campaign: dict) -> Read:
    """The reader of a file of a campaign's runs, or of its graded responses."""
    graded = "graded" in campaign
    return graded_reader(campaign["graded"], campaign["task"]) if graded else run_reader(campaign["runs"])


def run_reader(options: dict) -> Read:
    """The reader of a file of runs."""
    module = formats.module(options["format"])
    return names.under(lambda file: module.read_runs(file, options), options.get("names", {}))


def judgment_reader(options: dict) -> Read:
    """The reader of a file of judgments."""
    module = formats.module(options["format"])
    return names.under(lambda file: module.read_judgments(file, options), options.get("names", {}), of_runs=False)


def graded_reader(options: dict, task: str, accounts: list[pl.DataFrame] | None = None) -> Read:
    """The reader of a file of graded responses, or of what else is a log.

    What logs say of themselves is added to the `accounts`.
    """
    given = options.get("names", {})

    def read_log(path: str) -> tuple[pl.DataFrame, list[Fault]]:
        rows, account, faults = imported(path, options)
        if accounts is not None:
            accounts.append(account.with_columns(names.new(given)) if given else account)
        return rows, faults

    is_log = options["format"] in formats.LOGS
    return names.under(read_log if is_log else lambda file: read_graded(file, options, task), given)


def read_tables(paths: list[str], options: dict, task: str) -> tuple[pl.DataFrame, list[Fault]]:
    """The counts of all tables, and all faults; a run is in one of them."""
    frames, faults = [empty(list(tasks.get(task).counts))], []
    seen: dict[str, str] = {}
    for path in paths:
        frame, of_file = read_counts(path, task, options)
        faults += of_file
        for run in frame["run"]:
            if seen.setdefault(run, path) != path:
                faults.append(Fault(path, 0, f"the run {shown(run)}, which is in {seen[run]}, too", "one row per run"))
        frames.append(frame)
    return pl.concat(frames).sort("run"), faults


def read_logs(paths: list[str], options: dict, task: str) -> tuple[pl.DataFrame, pl.DataFrame, list[Fault]]:
    """The table of counts, tables.IMPORTS, and all faults; of a log in two files, the one with all results is read."""
    record, module = tasks.get(task), formats.module(options["format"])
    rows, accounts, faults = [], [], []
    for path in dict.fromkeys(module.files_of(path, options)[-1] for path in paths):
        row, said, of_file = module.read_counts(path, options)
        faults += of_file
        if row and said:
            rows.append({"file": path, **row})
            counted = {"samples": row["n"], "epochs": 1, "file": path, "notes": ""}
            states = {"correct": row["n_ac"], "wrong": row["n_aw"], "unanswered": row["n_u"]}
            accounts.append({**said._asdict(), **counted, **states, "partial": 0, "unscored": 0, "error": 0})
    if not rows:
        return empty(list(record.counts)), tables.empty(tables.IMPORTS), faults
    frame = pl.DataFrame(rows)
    for file, run in frame.filter(~pl.col("run").is_first_distinct()).select("file", "run").rows():
        faults.append(Fault(file, 0, f"a second log of run {shown(run)}", "one log of a run"))
    account = tables.complete(pl.DataFrame(accounts, infer_schema_length=None), tables.IMPORTS)
    return completed(frame, record).select("run", *record.counts).sort("run"), account, faults
