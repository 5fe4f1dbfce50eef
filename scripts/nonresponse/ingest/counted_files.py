"""Tables of counts, and logs that hold counts and no single responses, as one table of counts."""

import polars as pl

from nonresponse import formats, tables
from nonresponse.faults import Fault, shown
from nonresponse.formats.counts import completed, empty, read_counts
from nonresponse.tasks import get


def read_tables(paths: list[str], options: dict, task: str) -> tuple[pl.DataFrame, list[Fault]]:
    """The counts of all tables, and all faults; a run is in one of them."""
    frames, faults = [empty(list(get(task).counts))], []
    seen: dict[str, str] = {}
    for path in paths:
        frame, found = read_counts(path, task, options)
        faults += found
        for run in frame["run"]:
            if seen.setdefault(run, path) != path:
                faults.append(Fault(path, 0, f"the run {shown(run)}, which is in {seen[run]}, too", "one row per run"))
        frames.append(frame)
    return pl.concat(frames).sort("run"), faults


def read_logs(paths: list[str], options: dict, task: str) -> tuple[pl.DataFrame, pl.DataFrame, list[Fault]]:
    """The table of counts, tables.IMPORTS, and all faults; of a log in two files, the one with all results is read."""
    record, module = get(task), formats.module(options["format"])
    rows, accounts, faults = [], [], []
    for path in dict.fromkeys(module.files_of(path, options)[-1] for path in paths):
        row, said, found = module.read_counts(path, options)
        faults += found
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
