"""Write docs/measures.md from the registry of measures: what is counted, what is computed, and what it means."""

from pathlib import Path

from nonresponse import commands

OPTIONS = {"output": {"type": Path, "help": "the page to write"}}


def main(output: Path) -> None:
    from nonresponse.pages import measures as measures_page
    from nonresponse.tables import write_text

    write_text(measures_page.page(), output)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
