"""What holds for the logs of every harness: each state is read; whatever is in a file, rows or faults come of it."""

import copy
import gzip
import json
import random
import re
import sys

import log_samples
import polars as pl
import pytest
from conftest import HOME
from every_record import assert_a_line_each
from fuzz.naive import logs as naive
from fuzz.samples import LOGS
from log_samples import SAMPLES, lines, parquet, put, read, verdicts
from nonresponse import formats, tables
from nonresponse.campaign.validation import json_schema
from nonresponse.faults import Fault
from nonresponse.ingest import imports
from nonresponse.ingest.readers import imported, read_logs
from nonresponse.tasks import VERDICTS
from reading import places, write

SCHEMA = json_schema()
GRADED, COUNTED = ([log.id for log in formats.LOGS.values() if log.part == part] for part in ("graded", "counts"))
every_log = pytest.mark.parametrize("format", GRADED)
# What may stand in the place of any value of a JSON file.
ODD = [None, 7, -1, 0.5, "", "x", "q1\0", "\ud800", [], {}, True, [[]], {"": {}}, 1e999, 10**30, float("nan")]

OPENED: set[str] = set()  # the paths of files that this process has opened
sys.addaudithook(lambda event, about: OPENED.add(str(about[0])) if event == "open" else None)


def test_every_log_has_a_sample():
    assert {*GRADED, *COUNTED} == set(formats.LOGS), "a part of the configuration whose logs have no samples yet"
    assert_a_line_each(GRADED, SAMPLES, "SAMPLES of tests/log_samples.py: a log with each of its states")
    assert_a_line_each(COUNTED, log_samples.COUNTED, "COUNTED of tests/log_samples.py: a log with each of its states")


def test_every_log_has_a_module_and_says_what_it_cannot_tell():
    for id, log in formats.LOGS.items():
        assert formats.module(id)
        assert log.blind and log.blind[0].islower() and not log.blind.endswith(".")
        assert set(log.states) <= set(VERDICTS), id


@every_log
def test_the_sample_has_every_state(format):
    assert set(SAMPLES[format].verdicts.values()) == set(formats.LOGS[format].states)


@pytest.mark.parametrize("format", COUNTED)
def test_the_sample_of_counts_has_every_state(tmp_path, format):
    frame, account, faults = read_logs([write(tmp_path, *log_samples.COUNTED[format])], {"format": format}, "qa")
    assert places(faults) == [] and imports.by_run(account)["outcome"].to_list() == [imports.AGREES]
    count = {"correct": "n_ac", "wrong": "n_aw", "unanswered": "n_u"}
    assert all(frame[count[state]].item() > 0 for state in formats.LOGS[format].states)


def test_the_options_of_every_log_are_in_the_schema():
    own = {option for log in formats.LOGS.values() for option in log.options}
    assert own <= set(SCHEMA["$defs"]["Graded"]["properties"])


def test_the_documentation_lists_all_logs_with_their_states_and_options():
    page = (HOME / "docs/formats.md").read_text()
    rows = re.findall(r"^\| \[([a-z0-9-]+)\]\(logs\.md#\1\) \| (.*?) \| (.*?) \| (.*?) \|$", page, re.MULTILINE)
    sections = (HOME / "docs/logs.md").read_text()
    logs = {id: (states, options) for id, _, states, options in rows}
    for id, log in formats.LOGS.items():
        states, options = logs[id]
        assert states == ", ".join(state for state in VERDICTS if state in log.states), id
        assert options == (", ".join(log.options) or "–"), id
        assert f"\n## {id}\n" in sections


@every_log
def test_each_state_is_read_and_the_log_is_reconciled(tmp_path, format):
    rows, account, faults = read(tmp_path, format)
    assert places(faults) == []
    assert verdicts(rows) == SAMPLES[format].verdicts
    assert imports.by_run(account)["outcome"].to_list() == [SAMPLES[format].outcome]
    assert account["file"].unique().to_list() == [str(tmp_path / SAMPLES[format].named)]


@every_log
def test_every_file_that_is_read_is_one_that_is_watched(tmp_path, format):
    """A change of any of them repeats the import: Snakemake watches what files_of names."""
    path, options = put(tmp_path, format)
    expected = set(formats.read_with(format, [path], options))
    OPENED.clear()
    imported(path, options)
    assert {name for name in OPENED if name.startswith(str(tmp_path))} == expected


@every_log
def test_packed_files_read_the_same(tmp_path, format):
    if formats.folders(format):
        pytest.skip("the files of a folder have their names")
    sample = SAMPLES[format]
    packed = {name: content for name, content in sample.files.items() if name != sample.named}
    content = sample.files[sample.named]
    packed[f"{sample.named}.gz"] = gzip.compress(content if isinstance(content, bytes) else content.encode())
    path, options = put(tmp_path, format, packed)
    rows, _, faults = imported(f"{path}.gz", options)
    assert places(faults) == [] and verdicts(rows) == sample.verdicts


def test_logs_of_one_text_file_have_naive_readers_and_samples_to_damage():
    """Those that need no other file, which an option names."""
    texts = [
        id for id, log in SAMPLES.items() if isinstance(log.files.get(log.named), str) and "key" not in log.options
    ]
    assert_a_line_each(texts, naive.GRADED, "GRADED of tests/fuzz/naive/logs.py: a naive reader")
    assert_a_line_each(texts, LOGS, "LOGS of tests/fuzz/samples.py: the name of a file, and its content")


@every_log
def test_a_file_that_is_missing_cut_short_or_empty_is_a_fault(tmp_path, format):
    """But for those that a log may lack: without results nothing is stated."""
    sample = SAMPLES[format]
    may_lack = ("results", "InferencePipeline", "stats.json", "na/", "reports/", "metadata.json", "data/u.json")
    for number, name in enumerate(sample.files):
        others = {other: content for other, content in sample.files.items() if other != name}
        content = sample.files[name]
        data = content if isinstance(content, bytes) else content.encode()
        for what, cut in (("missing", None), ("short", data[: len(data) // 2]), ("empty", b"")):
            files = others | ({} if cut is None else {name: cut})
            optional = any(part in name.replace("per_instance_stats", "") for part in may_lack)
            if name == "na/model.json" or (optional and what == "missing" and name != sample.named):
                continue
            _, _, faults = read(tmp_path / f"{number}-{what}", format, files)
            assert places(faults), (name, what)
            assert all(str(tmp_path) in fault.file for fault in faults)


@every_log
def test_a_sample_twice_is_a_fault(tmp_path, format):
    from nonresponse.ingest.reading import graded

    double = {
        "inspect": lambda name, text: json.dumps((log := json.loads(text)) | {"samples": log["samples"] * 2}),
        "helm": lambda name, text: json.dumps(json.loads(text) * 2),
        "lighteval": lambda name, data: parquet(pl.read_parquet(data).to_dicts() * 2),
        "squad2": lambda name, text: json.dumps((key := json.loads(text)) | {"data": key["data"] * 2}),
    }
    of = {"squad2": "key.json", "helm": "mmlu:model=org_model/per_instance_stats.json"}
    if format in ("abstentionbench", "promptfoo", "deepeval", "verifiers", "mmlu", "ragas", "langsmith", "mlflow"):
        pytest.skip("the place of a sample is its name, or a second one is an epoch")
    name = of.get(format, SAMPLES[format].named)
    again = double.get(format) or (name.endswith(".jsonl") and (lambda name, text: text * 2))
    assert again, f"say in `double` how a sample of {format} comes twice, or skip it"
    files = SAMPLES[format].files | {name: again(name, SAMPLES[format].files[name])}
    path, options = put(tmp_path, format, files)
    *_, faults = graded([path], options, "qa")
    assert any("a second" in fault.found for fault in faults)


def leaves(value: object, path: tuple = ()):
    """Every place in a JSON value."""
    yield path
    for key, inside in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from leaves(inside, (*path, key))


def replaced(value: object, path: tuple, new: object):
    if not path:
        return new
    value = copy.copy(value)
    value[path[0]] = replaced(value[path[0]], path[1:], new)
    return value


def texts(name: str, value: object) -> str:
    return lines(*value) if name.endswith(".jsonl") else json.dumps(value)


@pytest.mark.slow
@every_log
def test_whatever_stands_in_the_place_of_a_value_rows_or_faults_come_of_it(tmp_path, format):
    sample, number = SAMPLES[format], 0
    for name, content in sample.files.items():
        if isinstance(content, bytes) or name.endswith(".csv"):
            number += 1
            continue
        whole = [json.loads(line) for line in content.splitlines()] if name.endswith("l") else json.loads(content)
        every = list(leaves(whole))
        for path in random.Random(name).sample(every, min(len(every), 20)):
            changed = replaced(whole, path, random.Random(f"{name} {path}").choice(ODD))
            if name.endswith(".jsonl") and not isinstance(changed, list):
                continue
            number += 1
            found(*read(tmp_path, format, sample.files | {name: texts(name, changed)}))
    assert number


def found(rows: pl.DataFrame, account: pl.DataFrame, faults: list[Fault]) -> None:
    """Asserts that there are rows or faults, and that the workflow can process them."""
    places(faults)
    assert bool(faults) != bool(rows.height)
    if not faults:
        assert set(rows["verdict"]) <= set(VERDICTS)
        assert rows["question"].null_count() == rows["run"].null_count() == 0
        assert account.columns == list(tables.IMPORTS)
        imports.warnings(account, "inspect")
        assert set(imports.by_run(account)["outcome"]) <= {imports.AGREES, imports.DIFFERS, imports.OPEN}


@pytest.mark.slow
@every_log
def test_nothing_that_is_in_a_file_raises(tmp_path, format):
    sample, draw = SAMPLES[format], random.Random(format)
    pieces = [b'"', b"{", b"}", b"[", b"]", b",", b":", b"\0", b"\xff", b"NaN", b"-Infinity", b"1e999", b"null", b"\n"]
    for number in range(25):
        name = draw.choice(list(sample.files))
        content = sample.files[name]
        data = content if isinstance(content, bytes) else content.encode()
        for _ in range(draw.randint(1, 3)):
            begin = draw.randrange(len(data) + 1)
            end = min(len(data), begin + draw.randint(0, 20))
            data = data[:begin] + draw.choice([b"", data[begin:end] * 2, draw.choice(pieces)]) + data[end:]
        found(*read(tmp_path / str(number), format, sample.files | {name: data}))


@every_log
@pytest.mark.parametrize(
    "deep", ["[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000], ids=["lists", "objects", "closed"]
)
def test_brackets_within_brackets_are_a_fault(tmp_path, format, deep):
    sample = SAMPLES[format]
    if sample.named.endswith(".parquet"):
        pytest.skip("no JSON")
    name = sample.named if sample.named in sample.files else next(reversed(sample.files))
    _, _, faults = read(tmp_path, format, sample.files | {name: deep})
    assert places(faults)
