"""Bring the table and the figure of docs/abstention.md, on when it pays to guess, up to date with the measures."""

from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "page": {"type": Path, "help": "the page; what stands between the two marks in it is written anew"},
    "figure": {"type": Path, "help": "the SVG file to write"},
}


def main(page: Path, figure: Path) -> None:
    from nonresponse.figures.page import write_svg
    from nonresponse.pages import guessing_pays
    from nonresponse.tables import write_text

    write_text(guessing_pays.renewed(page.read_text(encoding="utf-8")), page)
    write_svg(guessing_pays.figure(), figure)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
