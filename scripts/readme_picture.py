"""Writes the picture at the head of README.md, from the published counts of four runs."""

from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "counts": {"type": Path, "help": "a table of run, n_ac, n_aw, n_u"},
    "output": {"type": Path, "help": "the file to write"},
}


def main(counts: Path, output: Path) -> None:
    """The picture of a table of counts."""
    from nonresponse.figures import idea
    from nonresponse.tables import write_text

    write_text(idea.svg(counts), output)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
