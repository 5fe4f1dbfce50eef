"""The text of config.yaml: repeated keys and what is not YAML are refused, with lines."""

import itertools
import json
import re

import pytest
from conftest import HOME, TINY
from nonresponse.campaign import file as configfile
from reading import write

TWICE = "campaigns:\n  t:\n    task: qa\n    measures: [c@1]\n    measures: [uf]\n  t: {task: qa}\n"


def problems(folder, text: str | bytes, name: str = "config.yaml") -> list[str]:
    path = write(folder, name, text)
    return [problem.removeprefix(path) for problem in configfile.find_problems([path])]


def test_the_shipped_file_and_one_that_is_not_there(tmp_path):
    shipped, missing = str(HOME / "config.yaml"), str(tmp_path / "none.yaml")
    [message] = configfile.find_problems([shipped, missing])
    assert message.startswith(f"{missing}: no such file in ")


REPEATED = "found the key {!r} a second time, first on line {}; expected it once"


def test_keys_that_stand_there_twice(tmp_path):
    expected = [f":6: {REPEATED.format('t', 2)}", f":5: {REPEATED.format('measures', 4)}"]
    assert problems(tmp_path, TWICE) == expected
    text = '{\t"campaigns": {\n\t"t": {"task": "qa"},\n\t"t": {"task": "qa"}}}\n'
    assert problems(tmp_path, text, "config.json") == [f":3: {REPEATED.format('t', 2)}"]


def test_aliases_and_merged_keys_are_as_they_were(tmp_path):
    text = "campaigns:\n  a: &a {task: qa, shards: 1}\n  b:\n    <<: *a\n    shards: 2\n  c: *a\n"
    assert problems(tmp_path, text) == []


LAUGHS = "a0: &a0 {x: y}\n" + "".join(
    f"a{i}: &a{i} {{p: *a{i - 1}, q: *a{i - 1}}}\n" for i in range(1, 40)
)
NOT_TEXT = "is not text in YAML; put it in quotes"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: b: c\n", ":1:5: not YAML (mapping values are not allowed here)"),
        ("a: 1\n\tb: 2\n", ":2:1: not YAML (a tab; indent with blanks)"),
        ("a:\n  x: 1\n  b:c\n  d: 1\n", ":3:3: not YAML (could not find expected ':' and a blank)"),
        ("a: 1\nb: *x\n", ":2:4: not YAML (found undefined alias 'x')"),
        ("a: 1\n---\nb: 2\n", ":2:1: not YAML (but found another document)"),
        ('a: 1\nb: "\x01"\n', ":2: not YAML (the character '\\x01')"),
        ("", ": no keys; it has to begin with `campaigns:`"),
        ("- a\n", ": no keys; it has to begin with `campaigns:`"),
        ("a: 2011-99-99\n", "for another kind (month must be in 1..12); put it in quotes"),
        (
            "a: !!python/name:os.system x\n",
            ":1:4: not YAML (could not determine a constructor for the tag",
        ),
        ("a: {1: correct, yes: correct}\n", f":1: the key 'yes' {NOT_TEXT}"),
        ('a: {1: x, "1": y}\n', f":1: {REPEATED.format('1', 1)}"),
        ("? [a, b]\n: 1\n", ":1:3: not YAML (found unhashable key)"),
        ("a: &a [*a]\n", ": aliases that stand for more than 1,000,000 values"),
        (LAUGHS, ": aliases that stand for more than 1,000,000 values"),
        ("a: " + 600 * "[" + 600 * "]", ": too many brackets within brackets"),
        (b"a: b\nb: \xff\n", ":2: found the byte 0xff; expected UTF-8 text"),
    ],
    ids=itertools.count(),
)
def test_what_is_no_configuration(tmp_path, text, expected):
    (problem,) = problems(tmp_path, text)
    assert expected in problem


@pytest.mark.slow
def test_snakemake_says_it_of_every_file_before_any_job(tiny):
    """One run for both files that --configfile names; config.yaml beside them is not looked at."""
    tiny.write("config.yaml", "no: [YAML")
    tiny.write("first.yaml", TWICE)
    tiny.write("more.yaml", json.dumps({"campaigns": {"u": TINY}})[:-2] + ', "u": {}}}')
    run = tiny.snakemake("--configfile", "first.yaml", "more.yaml", check=False)
    assert run.returncode == 1 and "Traceback" not in run.stderr
    assert f"first.yaml:5: {REPEATED.format('measures', 4)}" in run.stderr
    assert f"more.yaml:1: {REPEATED.format('u', 1)}" in run.stderr
    tiny.configure(tiny=TINY | {"measures": ["acuracy"]})
    run = tiny.snakemake(check=False)
    position = "campaigns.tiny.measures: no measure 'acuracy' for qa (did you mean accuracy?)"
    assert run.returncode == 1 and re.search(rf"config.yaml:\d+: {re.escape(position)}", run.stderr)
    assert not (tiny.folder / "results").exists()
