"""Read the files of a campaign into tables, with all their faults; never fails on what is in the files."""

from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "files": {"type": commands.from_json, "help": "a path, may hold * and **, or a list of such, as JSON"},
    "file": {"help": "the CSV file; of logs a path, may hold * and **"},
    "accounts": {"type": commands.from_json, "help": "the tables of what logs say of themselves, a JSON list"},
    "counted": {"type": Path, "help": "the counts of the leaderboard"},
    "shard": {"type": int, "help": "the number of this shard"},
    "shards": {"type": int, "help": "how many shards the files are spread over"},
    "options": {"type": commands.from_json, "help": "how to read the files: a JSON object as in config.yaml"},
    "questions_options": {
        "type": commands.from_json,
        "help": "the file of questions and how to read it, or null",
    },
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
    ruled: Path | None = None,
) -> None:
    """One shard of the runs into responses."""
    from nonresponse import formats, tables
    from nonresponse.checksums import certificate
    from nonresponse.faults import write
    from nonresponse.formats import repeated
    from nonresponse.ingest import reading, refusals
    from nonresponse.ingest.files import in_shard, lost, named
    from nonresponse.ingest.readers import run_reader

    chosen = in_shard(files, shard, shards)
    table, run_files, found = reading.responses(
        chosen.files,
        run_reader(options),
        task,
        options.get("years"),
        repeated.wanted(options),
        options if formats.ruled(options) else None,
        together=options,
    )
    tables.write_text(certificate(named(chosen), contents), read)
    tables.write(table.select(*tables.RESPONSES), output)
    if ruled:
        tables.write(refusals.account(table), ruled)
    tables.write(run_files, names)
    write(lost(chosen) + found, faults)


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
    questions_options: dict | None = None,
) -> None:
    """The judgments of all assessors, and the question set: a file of its own, or what the judgments mention."""
    from nonresponse import formats, tables
    from nonresponse.checksums import certificate
    from nonresponse.faults import write
    from nonresponse.formats import repeated
    from nonresponse.ingest import reading
    from nonresponse.ingest.files import lost, matched, named
    from nonresponse.ingest.readers import judgment_reader

    chosen = matched(files)
    table, found = reading.judgments(
        chosen.files,
        judgment_reader(options),
        labels,
        task,
        options.get("years"),
        repeated.wanted(options),
        together=options,
    )
    found += lost(chosen)
    read_from = named(chosen)
    if questions_options:
        asked, more = reading.questions(questions_options)
        found += more
        read_from.append(questions_options["file"])
    else:
        asked = reading.questions_judged(table)
    if pattern := formats.FORMATS[options["format"]].cluster:
        asked = reading.clustered(asked, pattern)
    tables.write_text(certificate(read_from, contents), read)
    tables.write(table.select(*tables.JUDGMENTS), output)
    tables.write(asked, questions)
    tables.write(reading.assessors_of(table), names)
    write(found, faults)


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
    ruled: Path | None = None,
) -> None:
    """One shard of the graded responses."""
    import polars as pl
    from nonresponse import formats, tables
    from nonresponse.checksums import certificate
    from nonresponse.faults import write
    from nonresponse.formats import repeated
    from nonresponse.ingest import reading, refusals
    from nonresponse.ingest.files import in_shard, lost, named
    from nonresponse.ingest.readers import graded_reader

    format, accounts = options["format"], [tables.empty(tables.IMPORTS)]
    chosen = in_shard(files, shard, shards, formats.folders(format))
    rules = options if formats.ruled(options) else None
    read_one, duplicated = graded_reader(options, task, accounts), repeated.wanted(options)
    table, run_files, found = reading.graded(chosen.files, read_one, task, duplicated, rules, together=options)
    read_from = chosen._replace(files=formats.read_with(format, chosen.files, options))
    tables.write_text(certificate(named(read_from), contents), read)
    tables.write(table.select(*tables.GRADED), output)
    if ruled:
        tables.write(refusals.account(table), ruled)
    tables.write(run_files, names)
    tables.write(pl.concat(accounts), imports)
    write(lost(chosen) + found, faults)


def questions(options: dict | None, output: Path, faults: Path, contents: str, read: Path) -> None:
    """The question set of graded responses, empty where there is no file of it."""
    from nonresponse import tables
    from nonresponse.checksums import certificate
    from nonresponse.faults import write
    from nonresponse.ingest import reading

    chosen = [options["file"]] if options else []
    asked, found = reading.questions(options) if options else (tables.empty(tables.QUESTIONS), [])
    tables.write_text(certificate(chosen, contents), read)
    tables.write(asked, output)
    write(found, faults)


def counts(
    file: str, options: dict, task: str, output: Path, faults: Path, imports: Path, contents: str, read: Path
) -> None:
    """Tables of published counts, or logs that hold counts."""
    from nonresponse import formats, tables
    from nonresponse.checksums import certificate
    from nonresponse.faults import write
    from nonresponse.ingest import names
    from nonresponse.ingest.files import Matched, lost, matched, named
    from nonresponse.ingest.readers import read_logs, read_tables

    chosen = matched(file) if "format" in options else Matched([file], {})
    if options.get("format") in formats.LOGS:
        frame, account, found = read_logs(chosen.files, options, task)
    else:
        account = tables.empty(tables.IMPORTS)
        frame, found = read_tables(chosen.files, options, task)
    if options.get("names") and not found:
        frame, found = names.counted(frame, options["names"], options["names_from"], ", ".join(chosen.files))
        account = account.with_columns(names.new(options["names"]))
    read_from = chosen._replace(files=formats.read_with(options.get("format", ""), chosen.files, options))
    tables.write_text(certificate(named(read_from), contents), read)
    tables.write(frame, output)
    tables.write(account, imports)
    write(lost(chosen) + found, faults)


if __name__ == "__main__":
    commands.run(__doc__, [runs, judgments, graded, questions, counts], OPTIONS)
