"""The figures of the published tables beside those that the workflow computed."""

from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "tables": {"help": "the tables to compare, comma-separated"},
    "published": {"type": Path, "help": "the folder of the published tables"},
    "results": {"type": Path, "help": "the folder with the campaigns' results"},
    "csv": {"type": Path, "help": "the table to write, a row per figure"},
    "markdown": {"type": Path, "help": "the page to write"},
}


def main(tables: str, published: Path, results: Path, csv: Path, markdown: Path) -> None:
    from nonresponse.pages import fidelity
    from nonresponse.tables import write_text

    chosen = fidelity.tables_named(tables.split(","))
    try:
        cells = [cell for table in chosen for cell in fidelity.cells_of(table, published, results)]
    except ValueError as error:  # a campaign under a published table's name has other counts
        advice = "A campaign has the name of a published table but other counts: give it another name"
        raise SystemExit(f"{advice}. {error}.") from None
    write_text(fidelity.as_csv(cells), csv)
    write_text(fidelity.as_markdown(cells, published, chosen), markdown)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
