"""The figures of the published tables beside those that the workflow computed."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    tables: Annotated[str, typer.Option(help="the tables to compare, comma-separated")],
    published: Annotated[Path, typer.Option(help="the folder of the published tables")],
    results: Annotated[Path, typer.Option(help="the folder with the campaigns' results")],
    csv: Annotated[Path, typer.Option(help="the table to write, a row per figure")],
    markdown: Annotated[Path, typer.Option(help="the page to write")],
) -> None:
    from nonresponse import fidelity
    from nonresponse.tables import write_text

    names = tables.split(",")
    counted = [table for table in fidelity.TABLES if table.name in names]
    similar = [table for table in fidelity.SIMILARITIES if table.name in names]
    try:
        cells = [cell for table in counted for cell in fidelity.cells_of(table, published, results)]
    except ValueError as error:  # a campaign under a published table's name has other counts
        advice = "A campaign has the name of a published table but other counts: give it another name"
        raise SystemExit(f"{advice}. {error}.") from None
    cells += [cell for table in similar for cell in fidelity.cells_of_similarity(table, published)]
    write_text(fidelity.as_csv(cells), csv)
    write_text(fidelity.as_markdown(cells, published, [*counted, *similar]), markdown)


if __name__ == "__main__":
    app()
