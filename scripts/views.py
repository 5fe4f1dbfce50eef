"""What else a campaign's results say: a table per view, its figure if it has one, and a page of them."""

import json
from pathlib import Path

from nonresponse import commands

OPTIONS = {
    "campaign": {"help": "its name"},
    "task": {"help": "a task, such as qa"},
    "views": {"help": "ids, comma-separated"},
    "folder": {"type": Path, "help": "the campaign's results; views.md and views/*.csv go here"},
    "policy": {"type": json.loads, "help": "what unscored, error and partial count as, a JSON object"},
    "settings": {
        "type": commands.from_json,
        "help": "measures, title, simulated, published, official (assessor), trivial (runs), level of a"
        " comparison and the measures tested, and what the views ask for; JSON",
    },
}


def main(campaign: str, task: str, views: str, folder: Path, policy: dict, settings: dict) -> None:
    from nonresponse import tables, tasks
    from nonresponse import views as records
    from nonresponse.pages import single
    from nonresponse.pages.sections import Campaign
    from nonresponse.pages.sections import views as page

    whole = Campaign(campaign, task, folder, settings)
    material = records.Material(tasks.get(task), folder, policy, settings)
    topics = {}
    for view in map(records.get, views.split(",")):
        table = view.make(material)
        tables.write_text(table.write_csv(), folder / f"views/{view.id}.csv")
        if table.height:
            topics[view.id] = page.of_view(view, table, material, whole.title)
    single.write(whole, "views", topics)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
