"""Names of runs are text in every format, with slashes, colons, markup or 300 characters."""

import json
from pathlib import Path
from xml.sax.saxutils import quoteattr

import log_samples
import polars as pl
import pytest
from format_samples import SAMPLES, read
from nonresponse import legible
from reading import write

NAMES = ["meta-llama/Llama-3.1-70B", "qwen2.5:7b", "n" * 300, "../../etc/passwd", "-rf", "ü|<b>&"]
# The name in a sample, where the file has it and may have any.
NAMED_INSIDE = {
    "tabular": ("NAME", "run\tquestion\tanswer\nNAME\tq1\tParis\n"),
    "trec-qa": ("runA", SAMPLES["trec-qa"][1][1]),
    "clef-qa4mre": ('"r"', SAMPLES["clef-qa4mre"][1][1]),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("format", NAMED_INSIDE)
def test_in_the_files_of_runs(tmp_path, format, name):
    placeholder, text = NAMED_INSIDE[format]
    text = text.replace(placeholder, quoteattr(name) if format == "clef-qa4mre" else name)
    file = write(tmp_path, f"run{Path(SAMPLES[format][1][0]).suffix}", text)
    rows, faults = read(format, "runs", file)
    assert faults == [] and rows["run"].unique().to_list() == [name]
    assert rows["run"].cast(pl.String).str.contains(legible.NAME).all()


@pytest.mark.parametrize("format", log_samples.SAMPLES)
def test_in_logs(tmp_path, format):
    """Where the log has the name of the model in it; of the others the file names the run."""
    name, sample = "../../ü|<b>&:7b", log_samples.SAMPLES[format]
    [placeholder] = {run for run, _ in sample.verdicts}
    written_name = name if sample.path.endswith(".csv") else json.dumps(name)[1:-1]
    files = {
        path: text.replace(placeholder, written_name) if isinstance(text, str) else text
        for path, text in sample.files.items()
    }
    if files == sample.files:
        pytest.skip("the file names the run")
    rows, account, faults = log_samples.read(tmp_path, format, files)
    states = {(name, question): verdict for (_, question), verdict in sample.verdicts.items()}
    assert faults == [] and log_samples.verdicts(rows) == states
    assert account["run"].unique().to_list() == [name]
