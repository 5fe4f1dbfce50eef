"""Junk at any key of a configuration gives a ConfigError or a configuration, nothing else."""

import copy
import datetime

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from nonresponse import campaign as config
from reading import write
from sample_campaigns import QUESTIONS, make_campaigns

EXTRAS = {  # what the campaigns of sample_campaigns have no need of
    "qa tabular": {"questions": {"file": "questions.csv"}, "names": {"run": "other"}, "title": "x"},
    "dating tabular": {"questions": "questions.csv", "baseline": "run"},
    "qa long": {"reliability": {"level": 0.1}},
    "qa wide": {"title": "x"},
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


CONFIGS = {
    name: {
        "campaigns": {"a": make_campaigns()[name][0] | extra},
        "reliability": {"analyses": ["swap"], "trials": 2, "level": 0.05},
        "seed": 1,
    }
    for name, extra in EXTRAS.items()
}


def list_paths(value, prefix=()):
    """The place of every value in a configuration, of the whole, too."""
    yield prefix
    items = enumerate(value) if isinstance(value, list) else ()
    inside = value.items() if isinstance(value, dict) else items
    for key, part in inside:
        yield from list_paths(part, (*prefix, key))


PLACES = [(name, path) for name, right in CONFIGS.items() for path in list_paths(right)]


def spoil(name: str, path: tuple, junk, replace_key: bool) -> dict:
    """A right configuration with junk in place of a value, or of its key."""
    if not path:
        return junk
    part = damaged = copy.deepcopy(CONFIGS[name])
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
    for name in CONFIGS:
        for file, content in ({"questions.csv": QUESTIONS} | make_campaigns()[name][1]).items():
            write(folder / name, file, content)
    return folder


@pytest.mark.parametrize("name", CONFIGS)
def test_without_junk_it_is_sound(folder, monkeypatch, name):
    """Otherwise the next test would show nothing."""
    monkeypatch.chdir(folder / name)
    assert config.check_config(CONFIGS[name])["seed"] == 1


@pytest.mark.slow
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(place=st.sampled_from(PLACES), junk=VALUES, replace_key=st.booleans())
@example(("qa squad2 log", ("campaigns", "a", "graded", "key")), 300 * "a", False)  # a long path
def test_junk_at_any_key(folder, monkeypatch, place, junk, replace_key):
    monkeypatch.chdir(folder / place[0])
    try:
        assert config.check_config(spoil(*place, junk, replace_key))["campaigns"]
    except config.ConfigError as error:
        lines = str(error).split("\n")
        assert len(lines) <= 101 and max(map(len, lines)) < 1100
        assert all(line.startswith("config.yaml: ") and line.isprintable() for line in lines)
