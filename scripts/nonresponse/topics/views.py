"""What else a campaign's results say: a table per view, its figure if it has one, and a page of them."""

from pathlib import Path

from nonresponse import tasks, views
from nonresponse.pages import single
from nonresponse.pages.sections import Campaign
from nonresponse.pages.sections import views as page


def make(campaign: Campaign, files: list[Path], published: list[Path]) -> None:
    """The tables and figures of views/, and the page."""
    settings = campaign.settings
    material = views.Material(tasks.get(campaign.task), campaign.folder, settings["policy"], settings)
    found = {id: views.get(id).make(material) for id in settings["views"]}
    single.write_tables(campaign, "views", found)
    topics = {
        id: page.of_view(views.get(id), table, material, campaign.title) for id, table in found.items() if table.height
    }
    single.write(campaign, "views", topics)
