"""Test what holds for all logs: every state is read, every file that is read is watched."""

import gzip
import json
import sys

import log_samples
import polars as pl
import pytest
from every_record import assert_a_line_each
from log_samples import SAMPLES, parquet, put, read, verdicts
from nonresponse import formats
from nonresponse.ingest import imports
from nonresponse.ingest.readers import import_log, read_logs
from nonresponse.tasks import VERDICTS
from reading import locate_faults, write

GRADED, COUNT_FORMATS = (
    [log.id for log in formats.LOGS.values() if log.part == part] for part in ("graded", "counts")
)
every_log = pytest.mark.parametrize("format", GRADED)

OPENED: set[str] = set()  # the paths of files that this process has opened
sys.addaudithook(lambda event, about: OPENED.add(str(about[0])) if event == "open" else None)


def test_every_log_has_a_module_and_a_sample_with_each_of_its_states():
    for ids, samples, name in (
        (GRADED, SAMPLES, "SAMPLES"),
        (COUNT_FORMATS, log_samples.COUNT_LOGS, "COUNT_LOGS"),
    ):
        assert_a_line_each(
            ids, samples, f"{name} of tests/log_samples.py: a log with each of its states"
        )
    for id, log in formats.LOGS.items():
        assert formats.get_reader(id) and log.limitation and set(log.verdicts) <= set(VERDICTS), id
        assert log.caveat == f"In {id} logs, {log.limitation}." and log.limitation[-1] != ".", id
        assert id in COUNT_FORMATS or set(SAMPLES[id].verdicts.values()) == set(log.verdicts), id


@pytest.mark.parametrize("format", COUNT_FORMATS)
def test_the_sample_of_counts_has_every_state(tmp_path, format):
    frame, account, faults = read_logs(
        [write(tmp_path, *log_samples.COUNT_LOGS[format])], {"format": format}, "qa"
    )
    assert locate_faults(faults) == []
    assert imports.summarise_runs(account)["outcome"].to_list() == [imports.AGREES]
    count = {"correct": "n_ac", "wrong": "n_aw", "unanswered": "n_u"}
    assert all(frame[count[state]].item() > 0 for state in formats.LOGS[format].verdicts)


@every_log
def test_each_state_is_read_and_the_log_is_reconciled(tmp_path, format):
    """The name of the run is any text, where it is not that of the file."""
    sample, name = SAMPLES[format], "../../ü|<b>&:7b"
    [placeholder] = {run for run, _ in sample.verdicts}
    written_name = name if sample.path.endswith(".csv") else json.dumps(name)[1:-1]
    files = {
        path: text.replace(placeholder, written_name) if isinstance(text, str) else text
        for path, text in sample.files.items()
    }
    run = placeholder if files == sample.files else name
    rows, account, faults = read(tmp_path, format, files)
    assert locate_faults(faults) == []
    states = {(run, question): verdict for (_, question), verdict in sample.verdicts.items()}
    assert verdicts(rows) == states
    row = imports.summarise_runs(account).row(0, named=True)
    assert (row["run"], row["outcome"], row["files"]) == (run, sample.outcome, 1)
    assert account["file"].unique().to_list() == [str(tmp_path / sample.path)]


@every_log
def test_every_file_that_is_read_is_one_that_is_watched(tmp_path, format):
    """A change of any of them repeats the import: Snakemake watches what files_of names."""
    path, options = put(tmp_path, format)
    expected = set(formats.expand_files(format, [path], options))
    OPENED.clear()
    import_log(path, options)
    assert {name for name in OPENED if name.startswith(str(tmp_path))} == expected


@every_log
def test_packed_files_read_the_same(tmp_path, format):
    if formats.takes_folders(format):
        pytest.skip("the files of a folder have their names")
    sample = SAMPLES[format]
    packed = {name: content for name, content in sample.files.items() if name != sample.path}
    content = sample.files[sample.path]
    packed[f"{sample.path}.gz"] = gzip.compress(
        content if isinstance(content, bytes) else content.encode()
    )
    path, options = put(tmp_path, format, packed)
    rows, _, faults = import_log(f"{path}.gz", options)
    assert locate_faults(faults) == [] and verdicts(rows) == sample.verdicts


@every_log
def test_a_sample_twice_is_a_fault(tmp_path, format):
    from nonresponse.ingest.reading import read_graded

    double = {
        "inspect": lambda name, text: json.dumps(
            (log := json.loads(text)) | {"samples": log["samples"] * 2}
        ),
        "helm": lambda name, text: json.dumps(json.loads(text) * 2),
        "lighteval": lambda name, data: parquet(pl.read_parquet(data).to_dicts() * 2),
        "squad2": lambda name, text: json.dumps(
            (key := json.loads(text)) | {"data": key["data"] * 2}
        ),
    }
    targets = {"squad2": "key.json", "helm": "mmlu:model=org_model/per_instance_stats.json"}
    epoch_formats = "abstentionbench promptfoo deepeval verifiers ragas langsmith mlflow"
    if format in epoch_formats.split():
        pytest.skip("the place of a sample is its name, or a second one is an epoch")
    name = targets.get(format, SAMPLES[format].path)
    repeat = double.get(format) or (name.endswith(".jsonl") and (lambda name, text: text * 2))
    assert repeat, f"say in `double` how a sample of {format} comes twice, or skip it"
    files = SAMPLES[format].files | {name: repeat(name, SAMPLES[format].files[name])}
    path, options = put(tmp_path, format, files)
    *_, faults = read_graded([path], options, "qa")
    assert any("a second" in fault.found for fault in faults)
