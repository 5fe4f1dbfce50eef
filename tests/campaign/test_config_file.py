"""The text of config.yaml: keys that stand there twice and what is not YAML are refused, with their
lines."""

import itertools
import json
from pathlib import Path

import pytest
from conftest import HOME, TINY
from nonresponse.campaign import file as configfile

TWICE = "campaigns:\n  t:\n    task: qa\n    measures: [c@1]\n    measures: [uf]\n  t: {task: qa}\n"
LAUGHS = "a0: &a0 {x: y}\n" + "".join(
    f"a{i}: &a{i} {{p: *a{i - 1}, q: *a{i - 1}}}\n" for i in range(1, 40)
)


def problems(folder, text, name: str = "config.yaml") -> list[str]:
    path = Path(folder, name)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return [problem.removeprefix(str(path)) for problem in configfile.problems([str(path)])]


def test_the_shipped_file_and_one_that_is_not_there(tmp_path):
    [said] = configfile.problems([str(HOME / "config.yaml"), none := str(tmp_path / "none.yaml")])
    assert said.startswith(f"{none}: no such file in ")


def test_keys_that_stand_there_twice(tmp_path):
    expected = [
        ":6: found the key 't' a second time, first on line 2; expected it once",
        ":5: found the key 'measures' a second time, first on line 4; expected it once",
    ]
    assert problems(tmp_path, TWICE) == expected


def test_keys_that_stand_there_twice_in_json(tmp_path):
    text = '{\t"campaigns": {\n\t"t": {"task": "qa"},\n\t"t": {"task": "qa"}}}\n'
    assert json.loads(text)["campaigns"] == {"t": {"task": "qa"}}  # the last one, in silence
    assert problems(tmp_path, text, "config.json") == [
        ":3: found the key 't' a second time, first on line 2; expected it once"
    ]


def test_aliases_and_merged_keys_are_as_they_were(tmp_path):
    text = "campaigns:\n  a: &a {task: qa, shards: 1}\n  b:\n    <<: *a\n    shards: 2\n  c: *a\n"
    assert problems(tmp_path, text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: b: c\n", ":1:5: not YAML (mapping values are not allowed here)"),
        ("a: 1\n\tb: 2\n", ":2:1: not YAML (found character '\\t' that cannot start any token)"),
        ("a: [\n", ":2:1: not YAML (expected the node content, but found '<stream end>')"),
        ("a: 1\nb: *x\n", ":2:4: not YAML (found undefined alias 'x')"),
        ("a: 1\n---\nb: 2\n", ":2:1: not YAML (but found another document)"),
        ('a: 1\nb: "\x01"\n', ":2: not YAML (the character '\\x01')"),
        ("", ": no keys; it has to begin with `campaigns:`"),
        ("- a\n", ": no keys; it has to begin with `campaigns:`"),
        ("a: 2011-99-99\n", ":1:4: '2011-99-99' is not a valid timestamp; put it in quotes"),
        ("a: !!int abc\n", ":1:4: 'abc' is not a valid int; put it in quotes"),
        ("a: !!bool x\n", ":1:4: 'x' is not a valid bool; put it in quotes"),
        (
            "a: !!python/name:os.system x\n",
            "the tag 'tag:yaml.org,2002:python/name:os.system' is not for a configuration",
        ),
        (
            "a: !!python/object/apply:os.system [ls]\n",
            "python/object/apply:os.system' is not for a configuration",
        ),
        (
            "a: {1: correct, yes: correct}\n",
            ":1: the key 'yes' is not text in YAML; put it in quotes",
        ),
        ("a: {~: correct}\n", ":1: the key '~' is not text in YAML; put it in quotes"),
        (
            "a: {010: correct}\n",
            ":1:5: found '010', which YAML reads as 8; expected that, or quotes",
        ),
        (
            "a: {2011-01-01: correct}\n",
            ":1: the key '2011-01-01' is not text in YAML; put it in quotes",
        ),
        (
            'a: {1: x, "1": y}\n',
            ":1: found the key '1' a second time, first on line 1; expected it once",
        ),
        ("? [a, b]\n: 1\n", ":1: a key that is a list or has keys of its own; a key is a word"),
        ("a: &a [*a]\n", ": aliases that stand for more than 1,000,000 values"),
        ("a: &a {b: *a}\n", ": aliases that stand for more than 1,000,000 values"),
        (LAUGHS, ": aliases that stand for more than 1,000,000 values"),
        ("a: " + 1000 * "[" + 1000 * "]", ": too many brackets within brackets"),
        (b"a: b\nb: \xff\n", ":2: found the byte 0xff; expected UTF-8 text"),
    ],
    ids=itertools.count(),
)
def test_what_is_no_configuration(tmp_path, text, expected):
    (problem,) = problems(tmp_path, text)
    assert expected in problem


@pytest.mark.slow
def test_snakemake_says_it_of_every_file_before_it_loads_the_first(tiny):
    """One run for both files that --configfile names; config.yaml beside them is not looked at."""
    tiny.write("config.yaml", "no: [YAML")
    tiny.write("first.yaml", TWICE)
    tiny.write("more.yaml", json.dumps({"campaigns": {"u": TINY}})[:-2] + ', "u": {}}}')
    run = tiny.snakemake("--configfile", "first.yaml", "more.yaml", check=False)
    assert run.returncode == 1 and "Traceback" not in run.stderr
    assert "first.yaml:5: found the key 'measures' a second time, first on line 4" in run.stderr
    assert "more.yaml:1: found the key 'u' a second time, first on line 1" in run.stderr
    assert not (tiny.folder / "results").exists()


@pytest.mark.slow
def test_snakemake_stops_before_any_job(tiny):
    tiny.configure(tiny=TINY | {"measures": ["acuracy"]})
    run = tiny.snakemake(check=False)
    assert run.returncode == 1
    line = 1 + tiny.folder.joinpath("config.yaml").read_text().split("measures")[0].count("\n")
    where = f"config.yaml:{line}: campaigns.tiny.measures: "
    assert f"{where}no measure 'acuracy' for qa (did you mean accuracy?)" in run.stderr
    assert not (tiny.folder / "results").exists()
