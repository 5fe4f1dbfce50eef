"""Scenarios in config.yaml: the options in which each differs; test_config.py has what is wrong
with one."""

from pathlib import Path

import pytest
from conftest import JUDGMENTS, RUNS, TINY
from nonresponse import campaign as config
from nonresponse.campaign import scenarios


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("raw/runs").mkdir(parents=True)
    for run, text in RUNS.items():
        Path(f"raw/runs/{run}.tsv").write_text(text)
    Path("raw/judgments.tsv").write_text(JUDGMENTS)


def checked(named: dict, campaign: dict = TINY) -> dict:
    return config.checked({"campaigns": {"t": campaign | {"scenarios": named}}})["campaigns"]


def problems(named: dict, campaign: dict = TINY) -> list[str]:
    with pytest.raises(config.ConfigError) as error:
        checked(named, campaign)
    return [
        line.removeprefix("config.yaml: campaigns.t.scenarios")
        for line in str(error.value).split("\n")
    ]


def test_a_scenario_is_the_campaign_with_some_options_set_otherwise():
    own = TINY | {"judgments": TINY["judgments"] | {"partial": ["X", "U"]}}
    campaigns = checked(
        {"lenient": {"correct": ["X", "R"]}, "silent": {"unscored": "unanswered"}}, own
    )
    assert config.checked({"campaigns": {"t": own}})["campaigns"]["t"] == {
        key: value for key, value in campaigns["t"].items() if key != "scenarios"
    }
    read = scenarios.as_campaigns(campaigns)
    assert list(read) == ["t/scenarios/lenient", "t/scenarios/silent"]
    lenient, silent = read.values()
    assert (lenient["judgments"]["correct"], lenient["judgments"]["partial"]) == (["X", "R"], ["U"])
    assert lenient | {"judgments": campaigns["t"]["judgments"]} == campaigns["t"]
    assert silent == campaigns["t"] | {"unscored": "unanswered"}
    assert (
        scenarios.verdict_options(silent)
        == scenarios.verdict_options(campaigns["t"])
        != scenarios.verdict_options(lenient)
    )
    assert scenarios.described(campaigns["t"])["own"] == "official"


def test_a_scenario_may_be_what_the_campaign_is():
    campaign = checked({"strict": {"correct": ["R"]}, "lenient": {"correct": ["R", "X"]}})["t"]
    described = scenarios.described(campaign)
    assert (described["own"], [name for name, _ in described["scenarios"]]) == (
        "strict",
        ["strict", "lenient"],
    )


def test_all_faults_at_once():
    found = problems(
        {"a": {"correct": ["Z", "Y"], "error": "exclude"}, "official": {"unscored": "exclude"}}
    )
    assert [text.split(":")[0] for text in found] == [".a.correct", ".a.correct", ".official"]
