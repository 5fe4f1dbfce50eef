"""The runs of a campaign under several readings of the same judgments: tables, and a page that says what they show."""

from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "campaign": {"help": "its name"},
    "task": {"help": "a task, such as qa"},
    "folder": {
        "type": Path,
        "help": "the campaign's results; scenarios.md and scenarios/*.csv go here",
    },
    "settings": {
        "type": commands.from_json,
        "help": "measures, readings, own (reading), title, simulated, official (assessor), level of a comparison,"
        " tested (measures); JSON",
    },
}


def main(campaign: str, task: str, folder: Path, settings: dict) -> None:
    from nonresponse import tables
    from nonresponse.pages import single
    from nonresponse.pages.sections import Campaign
    from nonresponse.pages.sections import scenarios as page
    from nonresponse.reliability import scenarios

    whole = Campaign(campaign, task, folder, settings)
    names = ("scores", "rankings", "swaps")
    found = scenarios.tables(folder, task, settings, whole.official)
    for name, table in zip(names, found, strict=True):
        tables.write_text(table.write_csv(), folder / f"scenarios/{name}.csv")
    single.write(whole, "scenarios", {"scenarios": page.page(whole, *found)})


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
