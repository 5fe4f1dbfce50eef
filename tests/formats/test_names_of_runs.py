"""Names of runs are text in every format: slashes, colons, 300 characters, and those that a safe
path would merge."""

import json
from pathlib import Path
from xml.sax.saxutils import quoteattr

import log_samples
import polars as pl
import pytest
from format_samples import SAMPLES, read
from nonresponse import legible
from reading import write

NAMES = [
    "meta-llama/Llama-3.1-70B",
    "Meta-Llama/llama-3.1-70b",  # differs in capitals only
    "meta-llama_Llama-3.1-70B",  # and what is made of the first one where it must be safe
    "qwen2.5:7b",
    "n" * 300,
    "../../etc/passwd",
    "..",
    "-rf",
    "CON",
    "ü|<b>&",
]
# The name in a sample, where the file has it and may have any.
INSIDE = {
    "tabular": (None, "run\tquestion\tanswer\nNAME\tq1\tParis\n"),
    "trec-qa": ("runA", SAMPLES["trec-qa"][1][1]),
    "clef-qa4mre": ('"r"', SAMPLES["clef-qa4mre"][1][1]),
}


def test_every_format_whose_files_name_the_run_is_among_them(tmp_path):
    for format, (_, (file, text), _) in SAMPLES.items():
        rows, _ = read(format, "runs", write(tmp_path, file, text))
        there = rows["run"].unique().to_list() != [Path(file).stem]
        assert not there or format in INSIDE, (
            f"add {format} to INSIDE: its sample with the name that stands in it"
        )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("format", INSIDE)
def test_in_the_files_of_runs(tmp_path, format, name):
    was, text = INSIDE[format]
    name_there = quoteattr(name) if format == "clef-qa4mre" else name
    file = tmp_path / f"run{Path(SAMPLES[format][1][0]).suffix}"
    file.write_text(text.replace(was or "NAME", name_there), encoding="utf-8")
    rows, faults = read(format, "runs", str(file))
    assert faults == [] and rows["run"].unique().to_list() == [name]
    assert rows["run"].cast(pl.String).str.contains(legible.NAME).all()


@pytest.mark.parametrize("name", NAMES[::3])
@pytest.mark.parametrize("format", log_samples.SAMPLES)
def test_in_logs(tmp_path, format, name):
    """Where the log has the name of the model in it; of the others the file names the run."""
    sample = log_samples.SAMPLES[format]
    [was] = {run for run, _ in sample.verdicts}
    there = name if sample.named.endswith(".csv") else json.dumps(name)[1:-1]
    files = {
        path: text.replace(was, there) if isinstance(text, str) else text
        for path, text in sample.files.items()
    }
    if files == sample.files:
        pytest.skip("the file names the run")
    rows, account, faults = log_samples.read(tmp_path, format, files)
    assert faults == []
    assert log_samples.verdicts(rows) == {
        (name, question): said for (_, question), said in sample.verdicts.items()
    }
    assert account["run"].unique().to_list() == [name]


@pytest.mark.slow
def test_no_name_is_a_path(project):
    """The files of a campaign's results are the same whatever its runs are called."""
    odd, plain = NAMES, [f"run{number}" for number in range(len(NAMES))]
    wide = {"format": "tabular", "layout": "wide", "verdicts": {"R": "correct", "W": "wrong"}}
    campaigns = {}
    for campaign, names in {"odd": odd, "plain": plain}.items():
        columns = {
            name: ["R" if n * 7 + q % 3 else "W" for q in range(6)] for n, name in enumerate(names)
        }
        frame = pl.DataFrame({"question": [f"q{q}" for q in range(6)]} | columns)
        project.write(f"raw/{campaign}.csv", frame.write_csv())
        own = {"graded": wide | {"files": f"raw/{campaign}.csv"}, "systems": {"s": names[:2]}}
        own |= {"task": "qa", "measures": ["c@1"], "baseline": names[0], "shards": 1}
        campaigns[campaign] = own
    project.configure({"analyses": []}, **campaigns)
    project.snakemake()
    assert not (project.folder / "etc").exists()
    folders = (project.folder / "results" / name for name in campaigns)
    files = [sorted(str(path.relative_to(one)) for path in one.rglob("*")) for one in folders]
    assert files[0] == files[1]
    board = pl.read_parquet(project.folder / "results/odd/leaderboard.parquet")
    assert sorted(board["run"]) == sorted(NAMES)
