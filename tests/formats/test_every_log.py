"""Test what holds for all logs: every state is read, every file that is read is watched."""

import gzip
import json
import sys

import polars as pl
import pytest
from every_record import assert_a_line_each
from log_samples import COUNT_LOGS, SAMPLES, parquet, put, read, verdicts
from nonresponse import formats
from nonresponse.ingest import imports
from nonresponse.ingest.readers import import_log, read_logs
from nonresponse.ingest.reading import read_graded
from nonresponse.tasks import VERDICTS
from reading import locate_faults, write

GRADED, COUNT_FORMATS = (
    [log.id for log in formats.LOGS.values() if log.part == part] for part in ("graded", "counts")
)
every_log = pytest.mark.parametrize("format", GRADED)

OPENED: set[str] = set()  # the paths of files that this process has opened
sys.addaudithook(lambda event, about: OPENED.add(str(about[0])) if event == "open" else None)


def test_every_log_has_a_module_and_a_sample_with_each_of_its_states():
    place = "of tests/log_samples.py: a log with each of its states"
    assert_a_line_each(GRADED, SAMPLES, f"SAMPLES {place}")
    assert_a_line_each(COUNT_FORMATS, COUNT_LOGS, f"COUNT_LOGS {place}")
    for id, log in formats.LOGS.items():
        assert formats.get_reader(id) and {*log.verdicts} <= {*VERDICTS}, id
        assert id in COUNT_FORMATS or {*SAMPLES[id].verdicts.values()} == {*log.verdicts}, id


@pytest.mark.parametrize("format", COUNT_FORMATS)
def test_the_sample_of_counts_has_every_state(tmp_path, format):
    path = write(tmp_path, *COUNT_LOGS[format])
    frame, account, faults = read_logs([path], {"format": format}, "qa")
    assert locate_faults(faults) == []
    assert imports.summarise_runs(account)["outcome"].to_list() == [imports.AGREES]
    counts = {"correct": "n_ac", "wrong": "n_aw", "unanswered": "n_u"}
    assert all(frame[counts[state]].item() > 0 for state in formats.LOGS[format].verdicts)


@every_log
def test_each_state_is_read_and_the_log_is_reconciled(tmp_path, format):
    """The name of the run is any text, where it is not that of the file; the file may be packed."""
    sample, name = SAMPLES[format], "../../ü|<b>&:7b"
    [placeholder] = {run for run, _ in sample.verdicts}
    written_name = name if sample.path.endswith(".csv") else json.dumps(name)[1:-1]
    files = {
        path: text.replace(placeholder, written_name) if isinstance(text, str) else text
        for path, text in sample.files.items()
    }
    run = placeholder if files == sample.files else name
    states = {(run, question): verdict for (_, question), verdict in sample.verdicts.items()}
    rows, account, faults = read(tmp_path, format, files)
    assert locate_faults(faults) == [] and verdicts(rows) == states
    row = imports.summarise_runs(account).row(0, named=True)
    assert (row["run"], row["outcome"], row["files"]) == (run, sample.outcome, 1)
    assert account["file"].unique().to_list() == [str(tmp_path / sample.path)]
    if not formats.takes_folders(format):  # their files have their names
        content = files.pop(sample.path)
        content = content if isinstance(content, bytes) else content.encode()
        packed = files | {f"{sample.path}.gz": gzip.compress(content)}
        path, options = put(tmp_path / "packed", format, packed)
        rows, _, faults = import_log(f"{path}.gz", options)
        assert locate_faults(faults) == [] and verdicts(rows) == states


@every_log
def test_every_file_that_is_read_is_one_that_is_watched(tmp_path, format):
    """A change of any of them repeats the import: Snakemake watches what files_of names."""
    path, options = put(tmp_path, format)
    expected = set(formats.expand_files(format, [path], options))
    OPENED.clear()
    import_log(path, options)
    assert {name for name in OPENED if name.startswith(str(tmp_path))} == expected


def double(*path: str):
    def repeat(text: str) -> str:
        log = holder = json.loads(text)
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] *= 2
        return json.dumps(log)

    return repeat


# Where a second sample of a question is none: the place of a sample is its name, or it is an epoch
EPOCHS = ["abstentionbench", "promptfoo", "deepeval", "verifiers", "ragas", "langsmith", "mlflow"]
DOUBLED = {  # what has samples other than the log, and how they come twice other than as lines
    "helm": (
        "mmlu:model=org_model/per_instance_stats.json",
        # Of an instance, each metric has an entry, and some have several
        lambda text: f"{text[:-1]}, {text[1:].replace('0.5', '0.25')}",
    ),
    "lighteval": (None, lambda data: parquet(pl.read_parquet(data).to_dicts() * 2)),
    "squad2": ("key.json", double("data")),
}


@pytest.mark.parametrize("format", [format for format in GRADED if format not in EPOCHS])
def test_a_sample_twice_is_a_fault(tmp_path, format):
    files = SAMPLES[format].files
    arrays = formats.LOGS[format].arrays
    usual = double(*arrays[0]) if arrays else lambda text: text * 2
    name, repeat = DOUBLED.get(format, (None, usual))
    name = name or SAMPLES[format].path
    path, options = put(tmp_path, format, files | {name: repeat(files[name])})
    *_, faults = read_graded([path], options, "qa")
    assert any("a second" in fault.found for fault in faults)
