"""Read the files of a campaign into tables, with all their faults; never fails on what is in the files."""

from pathlib import Path
from typing import TYPE_CHECKING

from nonresponse import commands
from nonresponse.settings import Files

if TYPE_CHECKING:
    import polars as pl
    from nonresponse.faults import Fault
    from nonresponse.ingest.files import Matched

OPTIONS = {
    "files": {"type": commands.from_json, "help": "a path, may hold * and **, or a list of such, as JSON"},
    "file": {"help": "the CSV file; of logs a path, may hold * and **"},
    "shard": {"type": int, "help": "the number of this shard"},
    "shards": {"type": int, "help": "how many shards the files are spread over"},
    "options": {"type": commands.from_json, "help": "how to read the files: a JSON object as in config.yaml"},
    "questions_options": {"type": commands.from_json, "help": "the file of questions and how to read it, or null"},
    "labels": {"type": commands.from_json, "help": "the labels there may be, a JSON list"},
    "output": {"type": Path, "help": "the Parquet file to write"},
    "questions": {"type": Path, "help": "the Parquet file of questions to write"},
    "imports": {"type": Path, "help": "the table of what logs say of themselves to write"},
    "texts": {"type": Path, "help": "the table of what there is to read of responses to write"},
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
    options: Files,
    task: str,
    output: Path,
    faults: Path,
    names: Path,
    contents: str,
    read: Path,
    ruled: Path,
    imports: Path | None = None,
    texts: Path | None = None,
) -> None:
    """Reads a shard of the runs into responses; with --imports and --texts, a shard of graded responses."""
    from nonresponse import formats
    from nonresponse.ingest import reading, refusals
    from nonresponse.ingest.files import in_shard

    format, frames = options["format"], {}
    chosen = in_shard(files, shard, shards, formats.folders(format))
    if imports and texts:
        table, run_files, frames[texts], frames[imports], faulty = reading.graded(chosen.files, options, task)
    else:
        table, run_files, faulty = reading.responses(chosen.files, options, task)
    frames |= {output: table.drop(refusals.DECIDED, strict=False), ruled: refusals.account(table), names: run_files}
    chosen = chosen._replace(files=formats.read_with(format, chosen.files, options))
    leave(chosen, contents, read, frames, faulty, faults)


def judgments(
    files: str | list[str],
    options: Files,
    labels: list[str],
    task: str,
    output: Path,
    questions: Path,
    faults: Path,
    contents: str,
    read: Path,
    names: Path,
    questions_options: Files | None,
) -> None:
    """The judgments of all assessors, and the question set: a file of its own, or what the judgments mention."""
    from nonresponse import tables
    from nonresponse.ingest import reading
    from nonresponse.ingest.files import matched

    chosen = matched(files)
    table, faulty = reading.judgments(chosen.files, options, labels, task)
    asked, more = reading.questions(questions_options) if questions_options else (reading.questions_judged(table), [])
    asked = reading.with_format(asked, table, options["format"])
    assessors = reading.said_beside(table.drop_nulls("assessor"), ["assessor"]).sort("assessor")
    frames = {output: table.select(*tables.JUDGMENTS), questions: asked, names: assessors}
    leave(chosen, contents, read, frames, faulty + more, faults, questions_options)


def questions(options: Files | None, output: Path, faults: Path, contents: str, read: Path) -> None:
    """The question set of graded responses, empty where there is no file of it."""
    from nonresponse import tables
    from nonresponse.ingest import reading
    from nonresponse.ingest.files import Matched

    asked, faulty = reading.questions(options) if options else (tables.empty(tables.QUESTIONS), [])
    leave(Matched([], {}), contents, read, {output: asked}, faulty, faults, options)


def counts(
    file: str, options: Files, task: str, output: Path, faults: Path, imports: Path, contents: str, read: Path
) -> None:
    """Tables of published counts, or logs that hold counts."""
    from nonresponse import formats
    from nonresponse.ingest import readers
    from nonresponse.ingest.files import Matched, matched

    format = options.get("format", "")
    chosen = matched(file) if format else Matched([file], {})
    frame, account, faulty = readers.read_counted(chosen.files, options, task)
    chosen = chosen._replace(files=formats.read_with(format, chosen.files, options))
    leave(chosen, contents, read, {output: frame, imports: account}, faulty, faults)


def leave(
    chosen: "Matched",
    contents: str,
    read: Path,
    frames: "dict[Path, pl.DataFrame]",
    faulty: "list[Fault]",
    faults: Path,
    questions: Files | None = None,
) -> None:
    """Writes checksums, tables and faults; writes nothing and exits if the files are not as Snakemake saw them."""
    from nonresponse import tables
    from nonresponse.checksums import certificate
    from nonresponse.faults import write_faults
    from nonresponse.ingest.files import all_matched, lost

    read_from = [*all_matched(chosen), *([questions["file"]] if questions else [])]
    tables.write_text(certificate(read_from, contents), read)
    for path, frame in frames.items():
        tables.write(frame, path)
    write_faults(lost(chosen) + faulty, faults)


if __name__ == "__main__":
    commands.run(__doc__, [runs, judgments, questions, counts], OPTIONS)
