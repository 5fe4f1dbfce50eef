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

    chosen = [table for table in fidelity.TABLES if table.name in tables.split(",")]
    cells = [cell for table in chosen for cell in fidelity.cells_of(table, published, results)]
    write_text(fidelity.as_csv(cells), csv)
    write_text(fidelity.as_markdown(cells, published, chosen), markdown)


if __name__ == "__main__":
    app()
