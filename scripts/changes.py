"""What a change did to a campaign, against its previous results, which are kept here."""

import json
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    campaign: Annotated[str, typer.Option(help="its name")],
    task: Annotated[str, typer.Option(help="a task, such as qa")],
    measures: Annotated[str, typer.Option(help="ids, comma-separated; the first one ranks")],
    folder: Annotated[Path, typer.Option(help="the campaign's results")],
    tables: Annotated[str, typer.Option(help="what is compared: leaderboard, verdicts, judgments; comma-separated")],
    state: Annotated[Path, typer.Option(help="the folder where the previous results are kept")],
    output: Annotated[Path, typer.Option(help="the Markdown page to write")],
    options: Annotated[str, typer.Option(help="title, simulated, official; a JSON object")] = "{}",
) -> None:
    from nonresponse import changes, previous, publish
    from nonresponse.tables import write_text

    option = json.loads(options)
    now = previous.results_in(folder, tables.split(","), task, measures.split(","), option.get("official"))
    before = previous.previous(state, now)
    heading = publish.heading(campaign, option.get("title"), option.get("simulated", False))
    write_text(changes.page(heading, before, now), output)


if __name__ == "__main__":
    app()
