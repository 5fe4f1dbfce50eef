"""Test `names:` of a campaign, a map or a table: its faults are found before any job starts."""

from pathlib import Path

import pytest
from nonresponse import campaign as config

COUNTS = {"task": "qa", "counts": "counts.csv", "measures": ["c@1"]}


@pytest.fixture(autouse=True)
def enter_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("counts.csv").write_text("run,n_ac,n_aw,n_u\na,1,2,3\nb,2,2,2\n")
    Path("results").mkdir()


def complete(names: object) -> dict:
    return config.check_config({"campaigns": {"x": COUNTS | {"names": names}}})["campaigns"]["x"]


def problems(names: object) -> list[str]:
    with pytest.raises(config.ConfigError) as error:
        complete(names)
    return [
        line.removeprefix("config.yaml: campaigns.x.names: ")
        for line in str(error.value).split("\n")
    ]


def table(text: str) -> str:
    Path("models.csv").write_text(text)
    return "models.csv"


def test_a_map():
    campaign = complete({"a": "meta-llama/Llama-3.1-70B"})
    assert campaign["names"] == {"a": "meta-llama/Llama-3.1-70B"}
    assert (campaign["names_from"], campaign["attributes"]) == (None, {})


def test_a_table_with_attributes_and_runs_that_keep_their_names():
    campaign = complete(table('run,name,size,"family, of models"\na,A,70,"x, y"\nb,,,\n'))
    assert campaign["names"] == {"a": "A", "b": "b"} and campaign["names_from"] == "models.csv"
    assert campaign["attributes"] == {"size": {"A": "70"}, "family, of models": {"A": "x, y"}}
    assert complete(table("run,date\nb,2024\n"))["attributes"] == {"date": {"b": "2024"}}


def test_what_is_wrong():
    assert problems({"a": "x\n", "b": "y\0z"}) == [
        r"found the name 'x\n'; expected a name of 1 to 300 characters, none of them a control "
        r"character",
        r"found the name 'y\x00z'; expected a name of 1 to 300 characters, none of them a "
        r"control character",
    ]
    assert "expected at most 300 characters" in problems({"a": "n" * 301})[0]
    assert "there is no file 'nowhere.csv'" in problems("nowhere.csv")[0]
    assert problems(table("id,name\na,b\n")) == [
        "models.csv:1: no column run; expected one, with the names that the files have"
    ]
    assert problems(table("run,name\na,A\na,B\n,C\n")) == [
        "models.csv:3: found the run 'a' a second time; expected it once",
        "models.csv:4: found no run; expected a name of 1 to 300 characters, none of them a "
        "control character",
    ]
    assert problems(table("run,name,size\na,A,1\nb,A,2\n")) == [
        "models.csv:3: found other attributes of 'A' than above; expected the same"
    ]
    assert problems(table("run,n_ac,c@1 worst,rank\na,1,2,3\n")) == [
        f"models.csv:1: found the column '{name}', one of the leaderboard's own; expected another"
        for name in ("n_ac", "c@1 worst", "rank")
    ]
    assert "found 1 fields" in problems(table("run,name\na\n"))[0]


def test_two_names_for_the_runs_of_several_campaigns():
    """One table may serve campaigns that call the same model otherwise."""
    assert complete(table("run,name,size\na,A,1\norg/a,A,1\n"))["attributes"] == {
        "size": {"A": "1"}
    }
