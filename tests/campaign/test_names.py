"""Test `names:` of a campaign, a map or a table: its faults are found before any job starts."""

from pathlib import Path

import pytest
from nonresponse import campaign as config

COUNTS = {"task": "qa", "counts": "counts.csv", "measures": ["c@1"]}


@pytest.fixture(autouse=True)
def enter_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("counts.csv").write_text("run,n_ac,n_aw,n_u\na,1,2,3\nb,2,2,2\n")


def complete(names: str | dict) -> dict:
    """The campaign with a map of names, or with this table of them."""
    if isinstance(names, str):
        Path("models.csv").write_text(names)
        names = "models.csv"
    return config.check_config({"campaigns": {"x": COUNTS | {"names": names}}})["campaigns"]["x"]


# A map or a table, the names of runs, and the attributes of these names
NAMES = [
    ({"a": "org/A-70B"}, {"a": "org/A-70B"}, {}),
    (
        'run,name,size,"family, of models"\na,A,70,"x, y"\nb,,,\n',
        {"a": "A", "b": "b"},
        {"size": {"A": "70"}, "family, of models": {"A": "x, y"}},
    ),
    ("run,date\nb,2024\n", {"b": "b"}, {"date": {"b": "2024"}}),
    # One table may serve campaigns that call the same model otherwise
    ("run,name,size\na,A,1\norg/a,A,1\n", {"a": "A", "org/a": "A"}, {"size": {"A": "1"}}),
]


@pytest.mark.parametrize(("given", "names", "attributes"), NAMES)
def test_names_and_attributes(given, names, attributes):
    campaign = complete(given)
    assert (campaign["names"], campaign["attributes"]) == (names, attributes)
    assert campaign["names_from"] == ("models.csv" if isinstance(given, str) else None)


# What each line of the message has, by what is wrong
WRONG = [
    ({"a": "x\n", "b": "y\0z"}, [r"found the name 'x\n'", r"found the name 'y\x00z'"]),
    ({"a": "n" * 301}, ["expected at most 300 characters"]),
    ("id,name\na,b\n", ["models.csv:1: no column run"]),
    ("run,name\na,A\na,B\n,C\n", ["csv:3: found the run 'a' a second time", ":4: found no run"]),
    ("run,name,size\na,A,1\nb,A,2\n", ["models.csv:3: found other attributes of 'A'"]),
    ("run,n_ac,rank\na,1,3\n", [":1: found the column 'n_ac'", ":1: found the column 'rank'"]),
    ("run,c@1 worst\na,2\n", ["models.csv:1: found the column 'c@1 worst'"]),
    ("run,name\na\n", ["found 1 fields"]),
]


@pytest.mark.parametrize(("names", "expected"), WRONG, ids=range(len(WRONG)))
def test_what_is_wrong(names, expected):
    with pytest.raises(config.ConfigError) as error:
        complete(names)
    lines = str(error.value).split("\n")
    assert len(lines) == len(expected) and all(map(str.__contains__, lines, expected)), lines
    assert all(line.startswith("config.yaml: campaigns.x.names") for line in lines)
