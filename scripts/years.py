"""How far the predicted years of a dating campaign are from the reference: tables, figures and a page."""

import json
from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "campaign": {"help": "its name"},
    "task": {"help": "a task whose answers are years"},
    "folder": {"type": Path, "help": "the campaign's results; years.md and years/ go here"},
    "verdicts": {"type": Path, "help": "the Parquet file of verdicts"},
    "policy": {"type": json.loads, "help": "what unscored, error and partial count as, a JSON object"},
    "options": {
        "type": commands.from_json,
        "help": "first and last (years), farthest (E of the curve), title, simulated, official (assessor); JSON",
    },
}


def main(campaign: str, task: str, folder: Path, verdicts: Path, policy: dict, options: dict) -> None:
    import polars as pl
    from nonresponse import tables
    from nonresponse.pages import document, year_page
    from nonresponse.scoring import year_distances

    distances = year_distances.distances(verdicts, task, policy)
    tables.write(year_distances.within(distances, options["farthest"]), folder / "years/within.parquet")
    tables.write(year_distances.decades(distances), folder / "years/decades.parquet")
    of_official = distances.filter(pl.col("assessor") == tables.official(options.get("official"), distances))
    heading = document.heading(campaign, options.get("title"), options.get("simulated", False))
    year_page.write(folder, heading, of_official, options["farthest"], (options["first"], options["last"]))


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
