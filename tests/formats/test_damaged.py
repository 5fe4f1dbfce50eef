"""Damaged files of any format give rows or faults, and never end or hang the process."""

import json
import random
import re

import format_samples
import log_samples
import polars as pl
import pytest
from fuzz.findings import limit_time
from nonresponse import formats, tables
from nonresponse.formats.counts import read_counts
from nonresponse.ingest import imports, reading
from nonresponse.ingest.readers import import_log
from nonresponse.tasks import VERDICTS
from reading import locate_faults, write

LOGS = list(log_samples.SAMPLES)
DAMAGE = [bytes([byte]) for byte in b'"{}[],:\0\xff\r\n\t<&'] + [b"", b"1" * 5000, b"x" * 5000]
DAMAGE += b"NaN -Infinity 1e999 null \xef\xbb\xbf \xed\xa0\x80 \xe2\x80\xae 1_000".split(b" ")
# What may stand in the place of any value of a JSON file.
ODD = [None, 7, -1, 0.5, "", "x", "q1\0", "\ud800", [], {}, True, [[]], {"": {}}]
ODD += [1e999, 10**30, float("nan")]
OWN_FILES = {
    "graded": (
        "a.csv",
        'question,run,verdict,answer,confidence\nq1,r,correct,"Paris, yes",0.5\nq2,r,unanswered,,\n',
    ),
    "counts": ("a.csv", "run,n_ac,n_aw,n_u\na,1,2,3\nb,4,1,1\n"),
    "json": (
        "a.json",
        '{"rows": [{"question": "q1", "verdict": "correct", "more": {"a": [1]}}, {"question": "q2"}]}',
    ),
}
JSON = re.compile("json|eval-")
ANY = [*LOGS, *("-".join(kind) for kind in format_samples.CASES), *OWN_FILES]


def list_files(name: str) -> dict[str, bytes]:
    """The files of a sound sample."""
    files = dict([OWN_FILES[name]]) if name in OWN_FILES else {}
    if name in LOGS:
        files = log_samples.SAMPLES[name].files
    elif not files:
        files = dict([format_samples.sample(*name.rsplit("-", 1))])
    return {
        file: content if isinstance(content, bytes) else content.encode()
        for file, content in files.items()
    }


def read(folder, name: str, files: dict[str, bytes]) -> tuple[pl.DataFrame, list]:
    """The rows of a log or a table, which fit the workflow if there are no faults, and these."""
    if name in LOGS:
        path, options = log_samples.put(folder, name, files)
        rows, account, faults = import_log(path, options)
        if not faults:
            assert {*rows["verdict"]} <= {*VERDICTS}
            assert rows["question"].null_count() == rows["run"].null_count() == 0
            assert account.columns == list(tables.IMPORTS)
            imports.list_warnings(account, "inspect")
        return rows, faults
    [path] = [write(folder, file, content) for file, content in files.items()]
    if name == "counts":
        return read_counts(path, "qa")
    if name in OWN_FILES:
        records = {"records": "rows"} if name == "json" else {}
        rows, *_, faults = reading.read_graded([path], {"format": "tabular"} | records, "qa")
    else:
        rows, faults = format_samples.read(*name.rsplit("-", 1), path)
    return pl.DataFrame() if faults else rows, faults


def assert_rows_or_faults(folder, name: str, files: dict[str, bytes]) -> None:
    """Whatever is read fits the workflow, or each fault is fit to be reported."""
    with limit_time(20):
        rows, faults = read(folder, name, files)
    locate_faults(faults)
    assert all(str(folder) in fault.file for fault in faults)
    assert bool(faults) != bool(rows.height) or name == "counts"


def damage(data: bytes, draw: random.Random) -> bytes:
    """The content with a piece of it repeated, or replaced by junk."""
    begin = draw.randrange(len(data) + 1)
    end = min(len(data), begin + draw.randint(0, 20))
    return data[:begin] + draw.choice([data[begin:end] * 2, *draw.sample(DAMAGE, 3)]) + data[end:]


@pytest.mark.slow
@pytest.mark.parametrize("name", ANY)
def test_nothing_that_is_in_a_file_raises(tmp_path, name):
    files, draw = list_files(name), random.Random(name)
    for number in range(25):
        file = draw.choice(list(files))
        data = files[file]
        for _ in range(draw.randint(1, 3)):
            data = damage(data, draw)
        assert_rows_or_faults(tmp_path / str(number), name, files | {file: data})


def list_paths(value: object, path: tuple = ()):
    """Every place in a JSON value, but the whole."""
    inside = enumerate(value) if isinstance(value, list) else ()
    for key, item in value.items() if isinstance(value, dict) else inside:
        yield (*path, key)
        yield from list_paths(item, (*path, key))


def replace_value(value: object, path: tuple, new: object):
    if not path:
        return new
    value = value.copy()
    value[path[0]] = replace_value(value[path[0]], path[1:], new)
    return value


JSON_FILES = [(name, file) for name in ANY for file in list_files(name) if JSON.search(file)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "file"), JSON_FILES)
def test_whatever_stands_in_the_place_of_a_value_rows_or_faults_come_of_it(tmp_path, name, file):
    files, draw = list_files(name), random.Random(file)
    texts = [files[file]] if file.endswith(".json") else files[file].splitlines()
    values = [json.loads(text) for text in texts]
    all_paths = [*list_paths(values)]
    for number, path in enumerate(draw.sample(all_paths, min(len(all_paths), 20))):
        text = log_samples.lines(*replace_value(values, path, draw.choice(ODD)))
        assert_rows_or_faults(tmp_path / str(number), name, files | {file: text.encode()})


@pytest.mark.parametrize(
    "name", [name for name in LOGS if not log_samples.SAMPLES[name].path.endswith(".parquet")]
)
def test_brackets_within_brackets_are_a_fault(tmp_path, name):
    sample = log_samples.SAMPLES[name]
    file = sample.path if sample.path in sample.files else next(reversed(sample.files))
    path, options = log_samples.put(tmp_path, name, sample.files | {file: '{"a":' * 100_000})
    assert locate_faults(import_log(path, options)[2])


# Without these a log states less, and can be read; nor does it need what its record calls results
OPTIONAL = re.compile("InferencePipeline|/stats.json|na/|metadata.json|data/u.json")


@pytest.mark.parametrize("name", ANY)
def test_a_file_that_is_missing_cut_short_or_empty_is_a_fault(tmp_path, name):
    files, is_optional = list_files(name), {}
    if name in LOGS:
        path, _ = log_samples.put(tmp_path, name)
        results = formats.LOGS[name].find_results(path)
        is_optional = {
            file: str(tmp_path / file) == results or bool(OPTIONAL.search(file)) for file in files
        } | {log_samples.SAMPLES[name].path: False}
    for number, file in enumerate(file for file in files if not file.startswith("na/")):
        cuts = [b""]
        if name in LOGS:
            cuts += [files[file][: len(files[file]) // 2], *[None] * (not is_optional[file])]
        for place, cut in enumerate(cuts):
            broken = {
                path: text for path, text in (files | {file: cut}).items() if text is not None
            }
            _, faults = read(tmp_path / f"{number}-{place}", name, broken)
            assert locate_faults(faults), (file, cut)
