"""The configurations of each system of a campaign against its baseline: tables, and a page that says what they show."""

import json
from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "campaign": {"help": "its name"},
    "task": {"help": "a task, such as qa"},
    "folder": {"type": Path, "help": "the campaign's results; systems.md and systems/*.csv go here"},
    "verdicts": {"type": Path, "help": "the Parquet file of verdicts"},
    "policy": {"type": json.loads, "help": "what unscored, error and partial count as, a JSON object"},
    "settings": {
        "type": commands.from_json,
        "help": "systems, measures, title, simulated, official (assessor), level of a comparison, tested (measures);"
        " JSON",
    },
}


def main(campaign: str, task: str, folder: Path, verdicts: Path, policy: dict, settings: dict) -> None:
    import polars as pl
    from nonresponse import groups, tables
    from nonresponse.pages import single
    from nonresponse.pages.sections import Campaign
    from nonresponse.pages.sections import systems as page
    from nonresponse.reliability import systems

    whole = Campaign(campaign, task, folder, settings)

    def of_each(name: str, measures: list[str]) -> dict[str, pl.DataFrame]:
        """The tables of a folder, by measure."""
        return {id: pl.read_parquet(folder / name / f"{id}.parquet") for id in measures}

    runs = pl.read_parquet(folder / "counts.parquet").filter(pl.col("assessor") == whole.official)["run"]
    named = groups.members(settings["systems"], runs)
    compared = of_each("reliability/comparisons", settings.get("tested", []))
    found = {
        "gains": systems.gains(verdicts, task, policy, whole.official, named),
        "differences": systems.differences(of_each("scores", whole.measures), compared, task, whole.official, named),
    }
    for name, table in found.items():
        tables.write_text(table.write_csv(), folder / f"systems/{name}.csv")
    single.write(whole, "systems", {"systems": page.page(whole, **found)})


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
