"""Junk at any key of a configuration gives a ConfigError or a configuration, nothing else."""

import copy
import datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from nonresponse import campaign as config
from sample_campaigns import QUESTIONS, make_campaigns

RELIABILITY = {"analyses": ["swap"], "trials": 2, "level": 0.05}
QUESTIONS_FILE = {"questions": {"file": "questions.csv"}}
EXTRAS = {  # what the campaigns of sample_campaigns have no need of
    "qa tabular": QUESTIONS_FILE
    | {"baseline": "run", "names": {"run": "other"}, "title": "x", "error": "wrong"},
    "dating tabular": {"years": [1801, 1944], "questions": "questions.csv"},
    "qa long": {"reliability": {"level": 0.1}},
    "qa wide": {"simulated": True},
    "validation tabular": {},
    "qa inspect log": {"error": "exclude"},
    "qa squad2 log": {},
    "qa counts": {"baseline": "a"},
}
NESTED = [[]]
for _ in range(3000):
    NESTED = [NESTED]
CIRCLE = []
CIRCLE.append(CIRCLE)
JUNK = [None, "", [], {}, -1, 0, True, 1e308, 5e-324, float("nan"), float("inf"), 10**400]
JUNK += [10**5000, "t\n", "\n", "\0", "a" * 100_000, "/" * 5000, "*" * 5000, "a*" * 2500]
JUNK += ["[a" * 2500, "**/" * 1500, "~/x", "..", ".", "*", "/dev/zero", "./results/x", "{a}"]
JUNK += ["\ud800", "\x1b[2J", "\u202e", "1e-5", "--help", "ü" * 300, ["R", "R"], [None], [[]]]
JUNK += [{"": None}, {1: 2, "1": 3}, {None: 1}, {True: 1}, {(1, 2): 3}, b"x", {1, 2}, object()]
JUNK += [datetime.date(2011, 1, 1), datetime.datetime(2011, 1, 1), NESTED, CIRCLE]
JUNK += [list(range(1000))]
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
VALUES = st.sampled_from(JUNK) | st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(SCALARS, inner, max_size=3),
    max_leaves=5,
)


def make_config() -> dict:
    """A right configuration with campaigns through every door."""
    campaigns = {}
    for name, extra in EXTRAS.items():
        campaign = copy.deepcopy(make_campaigns()[name][0] | extra)
        for part in ("runs", "judgments", "graded"):
            for option in {"files", "key"} & set(campaign.get(part, {})):
                campaign[part][option] = f"{name}/{campaign[part][option]}"
        for part in ("counts", "questions"):
            if isinstance(campaign.get(part), str):
                campaign[part] = f"{name}/{campaign[part]}"
        if isinstance(campaign.get("questions"), dict):
            campaign["questions"]["file"] = f"{name}/{campaign['questions']['file']}"
        campaigns[name.replace(" ", "-")] = campaign
    return {"campaigns": campaigns, "reliability": RELIABILITY, "seed": 1}


def paths(value, prefix=()):
    """The place of every value in a configuration, of the whole, too."""
    yield prefix
    items = enumerate(value) if isinstance(value, list) else ()
    inside = value.items() if isinstance(value, dict) else items
    for key, part in inside:
        yield from paths(part, (*prefix, key))


def spoil(path: tuple, junk, replace_key: bool) -> dict:
    """The configuration with junk in place of a value, or of its key."""
    if not path:
        return junk
    damaged = copy.deepcopy(make_config())
    part = damaged
    for key in path[:-1]:
        part = part[key]
    if replace_key and isinstance(part, dict) and junk.__hash__:
        part[junk] = part.pop(path[-1])
    else:
        part[path[-1]] = junk
    return damaged


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("junk")
    for name in EXTRAS:
        for file, text in ({"questions.csv": QUESTIONS} | make_campaigns()[name][1]).items():
            path = folder / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def test_without_junk_it_is_sound(folder, monkeypatch):
    """Otherwise the next test would show nothing."""
    monkeypatch.chdir(folder)
    assert config.check_config(make_config())["seed"] == 1


@pytest.mark.slow
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    path=st.sampled_from(sorted(paths(make_config()), key=str)),
    junk=VALUES,
    replace_key=st.booleans(),
)
# Too long for a file
@example(path=("campaigns", "qa-squad2-log", "graded", "key"), junk=300 * "a", replace_key=False)
def test_junk_at_any_key(folder, monkeypatch, path, junk, replace_key):
    monkeypatch.chdir(folder)
    assert not Path("results").exists()
    try:
        assert config.check_config(spoil(path, junk, replace_key))["campaigns"]
    except config.ConfigError as error:
        lines = str(error).split("\n")
        assert all(
            line.startswith("config.yaml: ") and line.isprintable() and len(line) < 1100
            for line in lines
        )
        assert len(lines) <= 101
