"""What a change did to a campaign, against its previous results, which are kept here."""

import json
from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "campaign": {"help": "its name"},
    "task": {"help": "a task, such as qa"},
    "measures": {"help": "ids, comma-separated; the first one ranks"},
    "folder": {"type": Path, "help": "the campaign's results"},
    "tables": {"help": "what is compared: leaderboard, verdicts, judgments; comma-separated"},
    "state": {"type": Path, "help": "the folder where the previous results are kept"},
    "options": {"type": commands.from_json, "help": "title, simulated, official, published; a JSON object"},
    "output": {"type": Path, "help": "the Markdown page to write"},
    "data": {"type": Path, "help": "the same as JSON, for the report"},
}


def main(
    campaign: str,
    task: str,
    measures: str,
    folder: Path,
    tables: str,
    state: Path,
    options: dict,
    output: Path,
    data: Path,
) -> None:
    from nonresponse.pages import beside_source, changes, document, previous
    from nonresponse.tables import write_text

    now = previous.results_in(folder, tables.split(","), task, measures.split(","), options.get("official"))
    before = previous.previous(state, now)
    heading = document.heading(campaign, options.get("title"), options.get("simulated", False))
    found = changes.told(before, now)
    of_source = beside_source.introduction(campaign, folder, options.get("published"))
    write_text(changes.written(heading, *found, of_source), output)
    write_text(json.dumps(changes.as_data(*found)) + "\n", data)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
