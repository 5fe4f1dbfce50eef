"""The figures of the published tables beside those that the workflow computed, and what the sources conclude."""

from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "tables": {"help": "the tables to compare, comma-separated"},
    "published": {"type": Path, "help": "the folder of the published tables"},
    "results": {"type": Path, "help": "the folder with the campaigns' results"},
    "simulation": {"type": Path, "help": "the folder of what came out of simulated campaigns"},
    "csv": {"type": Path, "help": "the table to write, a row per figure"},
    "claims": {"type": Path, "help": "the table to write, a row per claim"},
    "markdown": {"type": Path, "help": "the page to write"},
    "data": {"type": Path, "help": "the same as JSON, for the report"},
}
TITLE = "Published and computed"


def main(
    tables: str, published: Path, simulation: Path, results: Path, csv: Path, claims: Path, markdown: Path, data: Path
) -> None:
    from nonresponse.pages import blocks, document, fidelity
    from nonresponse.pages import claims as conclusions
    from nonresponse.pages.fidelity import Cell, as_csv
    from nonresponse.tables import write_text

    chosen = fidelity.tables_named(tables.split(","))
    try:
        cells = [cell for table in chosen for cell in fidelity.cells_of(table, published, results)]
    except ValueError as error:  # a campaign under a published table's name has other counts
        advice = "A campaign has the name of a published table but other counts: give it another name"
        raise SystemExit(f"{advice}. {error}.") from None
    checked = conclusions.checked(conclusions.Data(published, simulation))
    topics = [*fidelity.topics(cells, published, chosen), *conclusions.topics(checked)]
    write_text(as_csv(Cell._fields, cells), csv)
    write_text(as_csv(conclusions.Checked._fields, checked), claims)
    write_text(document.markdown(TITLE, topics), markdown)
    blocks.write({topic.heading: topic for topic in topics}, data)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
