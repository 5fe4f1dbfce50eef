"""How far the predicted years of a dating campaign are from the reference: tables, figures and a page."""

import json
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    campaign: Annotated[str, typer.Option(help="its name")],
    task: Annotated[str, typer.Option(help="a task whose answers are years")],
    folder: Annotated[Path, typer.Option(help="the campaign's results; years.md, years.html and years/ go here")],
    verdicts: Annotated[Path, typer.Option(help="the Parquet file of verdicts")],
    policy: Annotated[str, typer.Option(help="what unscored, error and partial count as, a JSON object")],
    options: Annotated[
        str, typer.Option(help="title, simulated, first and last (years), farthest (E of the curve); a JSON object")
    ] = "{}",
    official: Annotated[
        str, typer.Option(help="the official assessor, whom figures and page follow; may be left out if there is one")
    ] = "",
) -> None:
    import polars as pl
    from nonresponse import publish, tables, years, years_page

    option = {"title": None, "simulated": False, "first": 1801, "last": 1944, "farthest": 10} | json.loads(options)
    distances = years.distances(verdicts, task, json.loads(policy))
    tables.write(years.within(distances, option["farthest"]), folder / "years/within.parquet")
    tables.write(years.decades(distances), folder / "years/decades.parquet")
    own = distances.filter(pl.col("assessor") == tables.official(official, distances))
    heading = publish.heading(campaign, option["title"], option["simulated"])
    years_page.write(folder, heading, own, option["farthest"], (option["first"], option["last"]))


if __name__ == "__main__":
    app()
