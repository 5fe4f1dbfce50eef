"""One measure of one campaign: the score of every run, with bounds, and by category."""

import json
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
Task = Annotated[str, typer.Option(help="a task, such as qa")]
Measure = Annotated[str, typer.Option(help="its id, such as c@1")]
In = Annotated[Path, typer.Option(help="a Parquet file to read")]
Out = Annotated[Path, typer.Option(help="a Parquet file to write")]


@app.command()
def counts(task: Task, measure: Measure, total: In, categories: In, bounds: In, output: Out, by_category: Out) -> None:
    """A measure of counts."""
    from nonresponse import measures, tables
    from nonresponse.score import score_counts

    scores, split = score_counts(measures.get(task, measure), total, categories, bounds)
    tables.write(scores, output)
    tables.write(split, by_category)


@app.command()
def verdicts(
    task: Task,
    measure: Measure,
    file: In,
    policy: Annotated[str, typer.Option(help="what unscored, error and partial count as, a JSON object")],
    output: Out,
    by_category: Out,
) -> None:
    """A measure of self-scores, of ranks or of an order, which reads the verdicts."""
    from nonresponse import measures, tables
    from nonresponse.score import score_verdicts

    scores, split = score_verdicts(measures.get(task, measure), file, json.loads(policy))
    tables.write(scores, output)
    tables.write(split, by_category)


if __name__ == "__main__":
    app()
