"""Read the files of a campaign into tables, with all their faults; never fails on what is in the files."""

from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "files": {"type": commands.from_json, "help": "a path, may hold * and **, or a list of such, as JSON"},
    "file": {"help": "the CSV file; of logs a path, may hold * and **"},
    "shard": {"type": int, "help": "the number of this shard"},
    "shards": {"type": int, "help": "how many shards the files are spread over"},
    "options": {"type": commands.from_json, "help": "how to read the files: a JSON object as in config.yaml"},
    "questions_options": {"type": commands.from_json, "help": "the file of questions and how to read it, or null"},
    "labels": {"type": commands.from_json, "help": "the labels there may be, a JSON list"},
    "task": {"help": "a task, such as qa"},
    "output": {"type": Path, "help": "the Parquet file to write"},
    "questions": {"type": Path, "help": "the Parquet file of questions to write"},
    "imports": {"type": Path, "help": "the table of what logs say of themselves to write"},
    "ruled": {"type": Path, "help": "the table of answers whose state a rule decided to write"},
    "names": {"type": Path, "help": "the table of runs and their files, or of assessors, to write"},
    "faults": {"type": Path, "help": "the table of faults to write"},
    "contents": {"help": "the checksum of what Snakemake saw of the files"},
    "read": {"type": Path, "help": "where to write the checksums of what was read"},
}


def runs(
    files: str | list[str],
    shard: int,
    shards: int,
    options: dict,
    task: str,
    output: Path,
    faults: Path,
    names: Path,
    contents: str,
    read: Path,
    ruled: Path,
) -> None:
    """One shard of the runs into responses."""
    from nonresponse import formats, tables
    from nonresponse.formats import repeated
    from nonresponse.ingest import reading, refusals, written
    from nonresponse.ingest.files import in_shard, lost, named
    from nonresponse.ingest.readers import run_reader

    chosen = in_shard(files, shard, shards)
    table, run_files, faulty = reading.responses(
        chosen.files,
        run_reader(options),
        task,
        options.get("years"),
        repeated.wanted(options),
        options if formats.ruled(options) else None,
        together=options,
    )
    frames = {output: table.select(*tables.RESPONSES), ruled: refusals.account(table), names: run_files}
    written.write_job(named(chosen), contents, read, frames, lost(chosen) + faulty, faults)


def judgments(
    files: str | list[str],
    options: dict,
    labels: list[str],
    task: str,
    output: Path,
    questions: Path,
    faults: Path,
    contents: str,
    read: Path,
    names: Path,
    questions_options: dict | None,
) -> None:
    """The judgments of all assessors, and the question set: a file of its own, or what the judgments mention."""
    from nonresponse import formats, tables
    from nonresponse.formats import repeated
    from nonresponse.ingest import reading, written
    from nonresponse.ingest.files import lost, matched, named
    from nonresponse.ingest.readers import judgment_reader

    chosen = matched(files)
    read_one, years, duplicated = judgment_reader(options), options.get("years"), repeated.wanted(options)
    table, faulty = reading.judgments(chosen.files, read_one, labels, task, years, duplicated, together=options)
    faulty += lost(chosen)
    read_from = named(chosen)
    if questions_options:
        asked, more = reading.questions(questions_options)
        faulty += more
        read_from.append(questions_options["file"])
    else:
        asked = reading.questions_judged(table)
    if pattern := formats.FORMATS[options["format"]].cluster:
        asked = reading.clustered(asked, pattern)
    frames = {output: table.select(*tables.JUDGMENTS), questions: asked, names: reading.assessors_of(table)}
    written.write_job(read_from, contents, read, frames, faulty, faults)


def graded(
    files: str | list[str],
    shard: int,
    shards: int,
    options: dict,
    task: str,
    output: Path,
    faults: Path,
    names: Path,
    imports: Path,
    contents: str,
    read: Path,
    ruled: Path,
) -> None:
    """One shard of the graded responses."""
    import polars as pl
    from nonresponse import formats, tables
    from nonresponse.formats import repeated
    from nonresponse.ingest import reading, refusals, written
    from nonresponse.ingest.files import in_shard, lost, named
    from nonresponse.ingest.readers import graded_reader

    format, accounts = options["format"], [tables.empty(tables.IMPORTS)]
    chosen = in_shard(files, shard, shards, formats.folders(format))
    rules = options if formats.ruled(options) else None
    read_one, duplicated = graded_reader(options, task, accounts), repeated.wanted(options)
    table, run_files, faulty = reading.graded(chosen.files, read_one, task, duplicated, rules, together=options)
    read_from = chosen._replace(files=formats.read_with(format, chosen.files, options))
    frames = {output: table.select(*tables.GRADED), ruled: refusals.account(table), names: run_files}
    frames[imports] = pl.concat(accounts)
    written.write_job(named(read_from), contents, read, frames, lost(chosen) + faulty, faults)


def questions(options: dict | None, output: Path, faults: Path, contents: str, read: Path) -> None:
    """The question set of graded responses, empty where there is no file of it."""
    from nonresponse import tables
    from nonresponse.ingest import reading, written

    chosen = [options["file"]] if options else []
    asked, faulty = reading.questions(options) if options else (tables.empty(tables.QUESTIONS), [])
    written.write_job(chosen, contents, read, {output: asked}, faulty, faults)


def counts(
    file: str, options: dict, task: str, output: Path, faults: Path, imports: Path, contents: str, read: Path
) -> None:
    """Tables of published counts, or logs that hold counts."""
    from nonresponse import formats, tables
    from nonresponse.ingest import names, written
    from nonresponse.ingest.files import Matched, lost, matched, named
    from nonresponse.ingest.readers import read_logs, read_tables

    chosen = matched(file) if "format" in options else Matched([file], {})
    if options.get("format") in formats.LOGS:
        frame, account, faulty = read_logs(chosen.files, options, task)
    else:
        account = tables.empty(tables.IMPORTS)
        frame, faulty = read_tables(chosen.files, options, task)
    if options.get("names") and not faulty:
        frame, faulty = names.counted(frame, options["names"], options["names_from"], ", ".join(chosen.files))
        account = account.with_columns(names.new(options["names"]))
    read_from = named(chosen._replace(files=formats.read_with(options.get("format", ""), chosen.files, options)))
    written.write_job(read_from, contents, read, {output: frame, imports: account}, lost(chosen) + faulty, faults)


if __name__ == "__main__":
    commands.run(__doc__, [runs, judgments, graded, questions, counts], OPTIONS)
