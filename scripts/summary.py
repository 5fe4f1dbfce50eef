"""The first runs of every leaderboard on one page, in Markdown."""

from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "campaigns": {"type": commands.from_json, "help": "what the page must know of each, a JSON list"},
    "output": {"type": Path, "help": "the Markdown page to write"},
}
TOP = 5  # rows of each leaderboard


def main(results: Path, campaigns: list[dict], output: Path) -> None:
    from nonresponse.pages import summary
    from nonresponse.tables import write_text

    write_text(summary.page(results, campaigns, TOP), output)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
