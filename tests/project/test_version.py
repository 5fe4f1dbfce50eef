"""The version stands in pyproject.toml; what else tells it says the same."""

import re
import tomllib

import nonresponse
import yaml
from conftest import HOME

VERSION = tomllib.loads((HOME / "pyproject.toml").read_text())["project"]["version"]


def test_the_library_has_it():
    assert nonresponse.__version__ == VERSION


def test_what_is_to_be_cited_has_it():
    assert yaml.safe_load((HOME / "CITATION.cff").read_text())["version"] == VERSION


def test_the_newest_changes_are_those_of_it():
    newest = re.search(r"^## (\S+)", (HOME / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest[1] == VERSION
