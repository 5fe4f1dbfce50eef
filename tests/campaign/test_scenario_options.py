"""Scenarios in config.yaml: the options in which each differs, and faults with their place."""

from pathlib import Path

import pytest
from conftest import JUDGMENTS, RUNS, TINY
from nonresponse import campaign as config
from nonresponse.campaign import scenarios

LABELS = "R, W, U, X, good, long, partial, bad"
POLICY = "wrong, unanswered, exclude"
TAKEN = "official is the campaign as it is configured; give the scenario another name"
WORDS = "correct, closed, pooled, unscored, error, partial, missing, compare_on"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("raw/runs").mkdir(parents=True)
    for run, text in RUNS.items():
        Path(f"raw/runs/{run}.tsv").write_text(text)
    Path("raw/judgments.tsv").write_text(JUDGMENTS)
    Path("raw/graded.csv").write_text("question,verdict\nq1,correct\n")
    Path("raw/counts.csv").write_text("run,n_ac,n_aw,n_u\na,1,2,3\n")
    Path("raw/years.csv").write_text("question,answer\nq1,1850\n")


def checked(named: dict, campaign: dict = TINY) -> dict:
    return config.checked({"campaigns": {"t": campaign | {"scenarios": named}}})["campaigns"]


def problems(named: dict, campaign: dict = TINY) -> list[str]:
    with pytest.raises(config.ConfigError) as error:
        checked(named, campaign)
    return [line.removeprefix("config.yaml: campaigns.t.scenarios") for line in str(error.value).split("\n")]


def test_a_scenario_is_the_campaign_with_some_options_set_otherwise():
    own = TINY | {"judgments": TINY["judgments"] | {"partial": ["X", "U"]}}
    campaigns = checked({"lenient": {"correct": ["X", "R"]}, "silent": {"unscored": "unanswered"}}, own)
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
    assert (described["own"], [name for name, _ in described["scenarios"]]) == ("strict", ["strict", "lenient"])


GRADED = {"task": "qa", "graded": {"format": "tabular", "files": "raw/graded.csv"}}
COUNTS = {"task": "qa", "counts": "raw/counts.csv"}
DATING = {
    "task": "dating",
    "runs": {"format": "tabular", "files": "raw/years.csv"},
    "judgments": {"format": "tabular", "files": "raw/years.csv"},
}


@pytest.mark.parametrize(
    ("named", "campaign", "expected"),
    [
        ({"a": {"correct": ["Z"]}}, TINY, f".a.correct: 'Z' is not a label; allowed are {LABELS}"),
        ({"a": {"corect": ["R"]}}, TINY, ".a: unknown key corect (did you mean correct?)"),
        (
            {"a": {"correct": []}},
            TINY,
            ".a.correct: found []; expected at least 1 of them (this is the labels that count as correct)",
        ),
        ({"a": {"unscored": "right"}}, TINY, f".a.unscored: found 'right'; expected one of {POLICY}"),
        ({"A b": {"correct": ["X"]}}, TINY, ": found 'A b'; expected a name of small letters, digits and hyphens"),
        ({"official": {"correct": ["X"]}}, TINY, f".official: {TAKEN}"),
        ({"a": {"correct": ["R", "X"]}, "b": {"correct": ["X", "R"]}}, TINY, ".b: says the same as a"),
        ({"a": {"correct": ["R"]}}, TINY, ".a: says what the campaign says; name one that differs"),
        ({"a": {"correct": ["R"]}}, GRADED, ".a.correct: has no effect on a campaign of graded; it is for runs"),
        ({"a": {"unscored": "exclude"}}, COUNTS, ": has no effect on a campaign of counts; it is for runs, graded"),
        ({"a": {"partial": "exclude"}}, DATING, ".a.partial: has no effect on task dating; it is for qa"),
        ({"a": {"pooled": ["Z"]}}, TINY, f".a.pooled: 'Z' is not a label; allowed are {LABELS}"),
        ({"a": {"closed": True}}, DATING, ".a.closed: has no effect on task dating; it is for qa"),
    ],
)
def test_faults_with_their_place(named, campaign, expected):
    assert problems(named, campaign) == [expected]


def test_all_faults_at_once():
    found = problems({"a": {"correct": ["Z", "Y"], "error": "exclude"}, "official": {"unscored": "exclude"}})
    assert [text.split(":")[0] for text in found] == [".a.correct", ".a.correct", ".official"]
