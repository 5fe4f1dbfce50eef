"""Test scenarios in config.yaml and their options; test_config.py has their faults."""

from pathlib import Path

import pytest
from conftest import JUDGMENTS, RUNS, TINY
from nonresponse import campaign as config
from nonresponse.campaign import scenarios


@pytest.fixture(autouse=True)
def enter_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("raw/runs").mkdir(parents=True)
    for run, text in RUNS.items():
        Path(f"raw/runs/{run}.tsv").write_text(text)
    Path("raw/judgments.tsv").write_text(JUDGMENTS)


def check(scenario_options: dict, campaign: dict = TINY) -> dict:
    return config.check_config({"campaigns": {"t": campaign | {"scenarios": scenario_options}}})[
        "campaigns"
    ]


def test_a_scenario_is_the_campaign_with_some_options_set_otherwise():
    base = TINY | {"judgments": TINY["judgments"] | {"partial": ["X", "U"]}}
    campaigns = check(
        {"lenient": {"correct": ["X", "R"]}, "silent": {"unscored": "unanswered"}}, base
    )
    assert config.check_config({"campaigns": {"t": base}})["campaigns"]["t"] == {
        key: value for key, value in campaigns["t"].items() if key != "scenarios"
    }
    expanded = scenarios.expand_scenarios(campaigns)
    assert list(expanded) == ["t/scenarios/lenient", "t/scenarios/silent"]
    lenient, silent = expanded.values()
    assert (lenient["judgments"]["correct"], lenient["judgments"]["partial"]) == (["X", "R"], ["U"])
    assert lenient | {"judgments": campaigns["t"]["judgments"]} == campaigns["t"]
    assert silent == campaigns["t"] | {"unscored": "unanswered"}
    assert (
        scenarios.select_verdict_options(silent)
        == scenarios.select_verdict_options(campaigns["t"])
        != scenarios.select_verdict_options(lenient)
    )
    assert scenarios.describe_scenarios(campaigns["t"])["own"] == "official"


def test_a_scenario_may_be_what_the_campaign_is():
    campaign = check({"strict": {"correct": ["R"]}, "lenient": {"correct": ["R", "X"]}})["t"]
    described = scenarios.describe_scenarios(campaign)
    assert described["own"] == "strict"
    assert [name for name, _ in described["scenarios"]] == ["strict", "lenient"]
