"""Every name that a record asks for is known: a misspelled one would be left out without a word."""

import pytest
from every_place import places
from nonresponse import campaign as config
from nonresponse.campaign.validation import json_schema
from nonresponse.dag import facts, reads, trials
from nonresponse.dag.campaigns import evaluations
from nonresponse.dag.results import read_by_report
from nonresponse.dag.topics import TOPICS
from nonresponse.views import VIEWS
from reading import write

LISTS = (facts.HEAD, facts.LEADERBOARD, facts.RELIABILITY, facts.SUMMARY, facts.CHECKED, facts.REPORT)


def keys(part: object) -> set[str]:
    """All keys that a schema gives a meaning, at whatever depth."""
    if isinstance(part, list):
        return {key for one in part for key in keys(one)}
    if not isinstance(part, dict):
        return set()
    own = part.get("properties", {})
    return {*own} | {key for one in part.values() for key in keys(one)}


def test_every_setting_is_a_fact_or_an_option():
    of_check = {"measures_named", "attributes", "names_from"}  # which nonresponse.campaign adds
    options = keys(json_schema()) | of_check
    asked = {name for names in LISTS for name in names}
    asked |= {name for topic in TOPICS.values() for name in topic.settings}
    asked |= {name for one in trials.WITH_TRIALS.values() for name in one.settings}
    asked |= {name for view in VIEWS.values() for name in view.settings}
    assert sorted(asked - options - facts.FACTS.keys() - facts.SEVERAL.keys()) == []


def test_no_fact_hides_an_option_that_a_record_asks_for_as_it_is():
    """The facts of the check are options as the configuration has them, except those made of several options."""
    made = facts.FACTS.keys() & {*facts.CHECKED}
    assert made == {"owned"}


def test_whatever_is_read_is_made():
    tables = {folder for one in trials.WITH_TRIALS.values() for folder in one.tables}
    words = {word for topic in TOPICS.values() for word in topic.reads}
    of_views = {word for view in VIEWS.values() for word in view.reads}
    written = {name for topic in TOPICS.values() for name in topic.writes}
    assert words <= reads.READS.keys() | tables
    assert {word for word in of_views if not word.endswith(".parquet")} <= reads.READS.keys() | tables
    assert {f"reliability/{word}" for word in of_views if word.endswith(".parquet")} <= written


@pytest.mark.parametrize("place", places())
def test_the_report_reads_no_topic_that_the_campaign_lacks(place, tmp_path, monkeypatch):
    """A list of columns, `systems:` of a wide table, was once taken for the systems of a campaign."""
    monkeypatch.chdir(tmp_path)
    campaign, files = places()[place]
    for name, content in files.items():
        write(tmp_path, name, content)
    checked = config.checked({"campaigns": {"t": campaign}})
    it = evaluations(checked)["t"]
    read = {path.removeprefix(f"{it.folder}/") for path in read_by_report(it)}
    lacking = {name for topic in TOPICS.values() if not topic.applies(it) for name in topic.writes}
    assert sorted(read & lacking) == []
