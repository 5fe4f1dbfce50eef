"""Responses and judgments, or graded responses, into verdicts."""

import json
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    task: Annotated[str, typer.Option(help="a task, such as qa")],
    folder: Annotated[Path, typer.Option(help="the campaign's results")],
    shards: Annotated[str, typer.Option(help="the numbers of the shards, a JSON list")],
    output: Annotated[Path, typer.Option(help="the Parquet file of verdicts to write")],
    graded: Annotated[bool, typer.Option(help="whether the responses come graded")] = False,
    rules: Annotated[str, typer.Option(help="correct, partial and closed, a JSON object")] = "{}",
) -> None:
    from nonresponse.judge import write_verdicts

    table = "graded" if graded else "responses"
    sources = {"questions": [folder / "questions.parquet"]}
    sources["graded_responses" if graded else table] = [
        folder / table / f"{part}.parquet" for part in json.loads(shards)
    ]
    if not graded:
        sources["judgments"] = [folder / "judgments.parquet"]
    write_verdicts(task, sources, output, **json.loads(rules))


if __name__ == "__main__":
    app()
