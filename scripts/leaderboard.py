"""The leaderboard of a campaign, as CSV, Parquet, Markdown and LaTeX, and its scores by category."""

from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "campaign": {"help": "its name"},
    "task": {"help": "a task, such as qa"},
    "measures": {"help": "ids, comma-separated; the first one sorts"},
    "folder": {"type": Path, "help": "the campaign's results; the leaderboard is written here too"},
    "options": {
        "type": commands.from_json,
        "help": "title, simulated, official, baseline, reject_all, accept_all, options, missing, compare_on, level, "
        "measures_named, attributes, published; a JSON object",
    },
    "digits": {"type": int, "help": "decimals in print, %(default)s if left out"},
}


def main(campaign: str, task: str, measures: str, folder: Path, options: dict, digits: int = 4) -> None:
    from nonresponse.pages import leaderboard as leaderboard_page

    leaderboard_page.write(campaign, task, measures.split(","), folder, options, digits)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
