"""Verdicts into counts: by run, by run and category, and for the bounds by run and treatment."""

import json
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
Task = Annotated[str, typer.Option(help="a task, such as qa")]
In = Annotated[Path, typer.Option(help="a Parquet file to read")]
Out = Annotated[Path, typer.Option(help="a Parquet file to write")]


@app.command()
def verdicts(
    file: In,
    task: Task,
    policy: Annotated[str, typer.Option(help="what unscored, error and partial count as, a JSON object")],
    output: Out,
    categories: Out,
    bounds: Out,
) -> None:
    """Count the verdicts of a campaign."""
    from nonresponse import tables
    from nonresponse.tally import tally

    frames = tally(file, task, json.loads(policy))
    for frame, path in zip(frames, (output, categories, bounds), strict=True):
        tables.write(frame, path)


@app.command()
def table(file: In, output: Out, categories: Out, bounds: Out) -> None:
    """Door three: the counts are there already; they become the official ones."""
    import polars as pl
    from nonresponse import tables

    counts = pl.read_parquet(file).with_columns(assessor=pl.lit("official"))
    counts = counts.select("assessor", "run", pl.exclude("assessor", "run")).sort("assessor", "run")
    tables.write(counts, output)
    tables.write(counts.clear().with_columns(category=pl.lit(None, pl.String)), categories)
    tables.write(counts.clear().with_columns(treatment=pl.lit(0, pl.Int64)), bounds)


if __name__ == "__main__":
    app()
