"""Read the files of a campaign into tables, with all their faults; never fails on what is in the files."""

import json
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
Options = Annotated[str, typer.Option(help="how to read the files: a JSON object as in config.yaml")]
Task = Annotated[str, typer.Option(help="a task, such as qa")]
Out = Annotated[Path, typer.Option(help="the Parquet file to write")]
Faults = Annotated[Path, typer.Option(help="the table of faults to write")]
Files = Annotated[str, typer.Option(help="a path, may hold * and **")]
Shard = Annotated[int, typer.Option(help="the number of this shard")]
Shards = Annotated[int, typer.Option(help="how many shards the files are spread over")]
Names = Annotated[Path, typer.Option(help="the table of runs and their files to write")]
Contents = Annotated[str, typer.Option(help="the checksum of what Snakemake saw of the files")]
Read = Annotated[Path, typer.Option(help="where to write the checksums of what was read")]
Questions = Annotated[str, typer.Option(help="the file of questions and how to read it, a JSON object, or null")]


@app.command()
def runs(
    files: Files,
    shard: Shard,
    shards: Shards,
    options: Options,
    task: Task,
    output: Out,
    faults: Faults,
    names: Names,
    contents: Contents,
    read: Read,
) -> None:
    """One shard of the runs into responses; `names` tells which run came from which file."""
    from nonresponse import formats, ingest, tables
    from nonresponse.checksums import certificate
    from nonresponse.faults import write
    from nonresponse.files import shard_files

    spec = json.loads(options)
    reader = formats.module(spec["format"])
    chosen = shard_files(files, shard, shards)
    table, run_files, found = ingest.responses(
        chosen, lambda file: reader.read_runs(file, spec), task, spec.get("years")
    )
    tables.write_text(certificate(chosen, contents), read)
    tables.write(table, output)
    tables.write(run_files, names)
    write(found, faults)


@app.command()
def judgments(
    files: Files,
    options: Options,
    labels: Annotated[str, typer.Option(help="the labels there may be, a JSON list")],
    task: Task,
    output: Out,
    questions: Annotated[Path, typer.Option(help="the Parquet file of questions to write")],
    faults: Faults,
    contents: Contents,
    read: Read,
    questions_options: Questions = "null",
) -> None:
    """The judgments of all assessors, and the question set: a file of its own, or what the judgments mention."""
    import polars as pl
    from nonresponse import formats, ingest, tables
    from nonresponse.checksums import certificate
    from nonresponse.faults import write
    from nonresponse.files import files_of

    spec = json.loads(options)
    reader = formats.module(spec["format"])
    chosen = files_of(files)
    table, found = ingest.judgments(
        chosen, lambda file: reader.read_judgments(file, spec), json.loads(labels), task, spec.get("years")
    )
    if question_file := json.loads(questions_options):
        asked, more = read_questions(question_file)
        found += more
        chosen.append(question_file["file"])
    else:
        asked = tables.complete(table.select(pl.col("question").unique()), tables.QUESTIONS).sort("question")
    tables.write_text(certificate(chosen, contents), read)
    tables.write(table, output)
    tables.write(asked, questions)
    write(found, faults)


def read_questions(spec: dict):
    """The question set and its faults, from its file."""
    from nonresponse import ingest
    from nonresponse.formats import tabular

    return ingest.questions(spec["file"], lambda file: tabular.read_questions(file, spec))


@app.command()
def graded(
    files: Files,
    shard: Shard,
    shards: Shards,
    options: Options,
    task: Task,
    output: Out,
    faults: Faults,
    names: Names,
    contents: Contents,
    read: Read,
) -> None:
    """Door two: one shard of the graded responses."""
    from nonresponse import ingest, tables
    from nonresponse.checksums import certificate
    from nonresponse.faults import write
    from nonresponse.files import shard_files
    from nonresponse.formats.tabular import read_graded

    spec = json.loads(options)
    chosen = shard_files(files, shard, shards)
    table, run_files, found = ingest.graded(chosen, lambda file: read_graded(file, spec, task), task)
    tables.write_text(certificate(chosen, contents), read)
    tables.write(table, output)
    tables.write(run_files, names)
    write(found, faults)


@app.command()
def questions(output: Out, faults: Faults, contents: Contents, read: Read, options: Questions = "null") -> None:
    """Door two: the question set, empty where there is no file of it."""
    from nonresponse import tables
    from nonresponse.checksums import certificate
    from nonresponse.faults import write

    question_file = json.loads(options)
    asked, found = read_questions(question_file) if question_file else (tables.empty(tables.QUESTIONS), [])
    tables.write_text(certificate([question_file["file"]] if question_file else [], contents), read)
    tables.write(asked, output)
    write(found, faults)


@app.command()
def counts(
    file: Annotated[str, typer.Option(help="the CSV file")],
    task: Task,
    output: Out,
    faults: Faults,
    contents: Contents,
    read: Read,
) -> None:
    """Door three: a table of published counts."""
    from nonresponse import tables
    from nonresponse.checksums import certificate
    from nonresponse.faults import write
    from nonresponse.formats.counts import read_counts

    frame, found = read_counts(file, task)
    tables.write_text(certificate([file], contents), read)
    tables.write(frame, output)
    write(found, faults)


if __name__ == "__main__":
    app()
