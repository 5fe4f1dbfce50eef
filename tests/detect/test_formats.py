"""Logs and files of shared tasks are recognised by structure, and their block runs as it is."""

import json
import re
import shutil
from pathlib import Path

import detected
import log_samples
import pytest
from conftest import HOME
from format_samples import SAMPLES
from log_samples import inspect_log
from nonresponse import evaluate, formats
from nonresponse.formats import log_reader
from quick import first_of_each
from reading import DATA, needs, write

SHIPPED = {
    "trec-2002-simulated": "trec-qa",
    "respubliqa-2009-simulated": "clef-respubliqa",
    "deft-2011-dating-simulated": "deft",
    "deft-2011-matching-simulated": "deft",
}
RANKED = "1 Q0 d1 1 0.9 tag Paris\n1 Q0 d2 2 0.4 tag Rome\n2 Q0 d3 1 0.7 tag Oslo\n"
# Further forms of formats: a run, and judgments.
FORMS = {
    "trec-qa": (("run.txt", RANKED), ("final.txt", "1 d1 1 Paris\n1 d2 -1 Rome\n2 d3 R Oslo\n"))
}
# What is judged beside the samples, of which some leave a question out.
EXTRA_JUDGMENTS = {
    "trec-qa": lambda gold: f"{gold}1395 APW3 -1 nowhere\n",
    "clef-qa4mre": lambda gold: gold.replace(
        "</reading-test>", '<q q_id="2"><answer a_id="1" correct="Yes"/></q></reading-test>'
    ),
    "romip": lambda gold: f"{gold}q2\t1962\tbad\n",
}
CASES = [
    (format, run, (gold[0], EXTRA_JUDGMENTS.get(format, str)(gold[1])))
    for format, (_, run, gold) in SAMPLES.items()
    if format != "tabular"
]
CASES += [(format, run, gold) for format, (run, gold) in FORMS.items()]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def test_predictions_go_with_the_probabilities_of_their_own_name(folder):
    write(folder / "here/raw", "dev.json", json.dumps(log_samples.SQUAD_KEY))
    for run in ("first", "second"):
        write(folder / "here/raw", f"{run}.json", json.dumps(log_samples.SQUAD))
        shares = dict.fromkeys(log_samples.SQUAD, 0.5)
        write(folder / "here/raw", f"{run}_na_prob.json", json.dumps(shares))
    [campaign], scan = detected.detect_files("raw")
    assert campaign.block["graded"]["na_prob"] == "raw/{run}_na_prob.json"
    assert [question.key for question in campaign.questions] == ["threshold"] and not scan.left_out


@pytest.mark.parametrize("format", log_samples.SAMPLES)
def test_the_block_for_a_log_runs_as_it_is(folder, format):
    sample = log_samples.SAMPLES[format]
    for name, content in sample.files.items():
        write(folder / "here/raw", name, content)
    [campaign], scan = detected.detect_accepted("raw")
    assert scan.faults == [] and campaign.questions == []
    assert campaign.block["graded"]["format"] == format
    [result] = detected.run([campaign], folder).values()
    assert detected.verdicts(result) == sample.verdicts


def test_the_block_for_logs_with_counts_runs_as_it_is(folder):
    write("raw", *log_samples.COUNT_LOGS["simple-evals"])
    [campaign], scan = detected.detect_files("raw")
    [result] = detected.run([campaign], folder).values()
    assert scan.faults == [] and json.loads(result)["n_u"] == 2


@pytest.mark.parametrize(
    ("format", "run", "gold"), CASES, ids=[f"{case[0]}-{case[1][0]}" for case in CASES]
)
def test_the_block_for_runs_and_judgments_runs_as_it_is(folder, format, run, gold):
    for part, (name, text) in (("runs", run), ("judged", gold)):
        write("raw", f"{part}/{name}", text)
    [campaign], scan = detected.detect_files("raw")
    assert scan.faults == [] and campaign.questions == []
    assert {campaign.block[part]["format"] for part in ("runs", "judgments")} == {format}
    [result] = detected.run([campaign], folder).values()
    rows = json.loads(result)
    assert {row["run"] for row in rows} - {"accept-all", "reject-all"}
    assert {row["raw"] for row in rows} - {"unscored"}


@pytest.mark.parametrize("name", first_of_each(lambda name: "one of them", sorted(SHIPPED)))
def test_the_block_for_shipped_campaigns_runs_as_it_is(folder, name):
    source, raw = HOME / "resources" / name, folder / "here/raw"
    (raw / "runs").mkdir(parents=True)
    for run in sorted((source / "runs").iterdir())[:3]:
        shutil.copy(run, raw / "runs")
    [judgments] = [part for part in source.iterdir() if part.name in ("judgments", "references")]
    shutil.copytree(judgments, raw / judgments.name)
    [campaign], scan = detected.detect_files("raw")
    assert scan.faults == [] and campaign.block["runs"]["format"] == SHIPPED[name]
    [result] = detected.run([campaign], folder).values()
    assert len({row["run"] for row in json.loads(result)}) == 3


@needs("logs")
@pytest.mark.parametrize(
    "name",
    ["abstentionbench", "helm", "lighteval", "lm_eval", "openai_evals", "simple_evals", "squad2"],
)
def test_the_block_for_real_logs_runs_as_it_is(folder, name):
    campaigns, _ = detected.detect_accepted(str(DATA.resolve() / "logs" / name))
    assert campaigns and detected.keys(campaigns) == []
    for result in detected.run(campaigns, folder).values():
        assert not result.startswith("t: "), result


def test_each_log_is_read_once_though_it_is_looked_at_before(monkeypatch):
    paths, read_paths = [], log_reader.read_log

    def count_reads(spec, path, options):
        paths.append(path)
        return read_paths(spec, path, options)

    monkeypatch.setattr(log_reader, "read_log", count_reads)
    for model in "ab":
        write("logs", f"{model}.json", inspect_log({"qa": "C"}, model=model))
    assert evaluate("logs").responses.store.runs == ["a", "b"]
    assert sorted(paths) == ["logs/a.json", "logs/b.json"]


def test_of_several_scorers_it_is_asked_which_counts():
    write("raw", "two.json", inspect_log({"qa": "C", "other": "I"}))
    [campaign], _ = detected.detect_files("raw")
    [question] = campaign.questions
    assert [choice.text for choice in question.choices] == ["metric=qa", "metric=other"]
    [campaign], _ = detected.detect_files("raw", metric="other")
    assert campaign.questions == [] and campaign.block["graded"]["metric"] == "other"


def test_exports_with_other_metrics_are_asked_about_apart_and_none_is_proposed():
    """A metric without a documented name may measure anything, such as what was retrieved."""
    for metric in ("context_recall", "faithfulness"):
        write("raw", f"{metric}.csv", f"user_input,response,{metric}\nq1,x,1\nq2,y,0\n")
    campaigns, _ = detected.detect_files("raw")
    choices = [[choice.text for choice in entry.questions[0].choices] for entry in campaigns]
    assert choices == [["metric=context_recall"], ["metric=faithfulness"]]
    assert [entry.questions[0].default for entry in campaigns] == [None, None]


@pytest.mark.parametrize(
    ("logs", "campaigns"),
    [
        (("a-1", "a-2", "b-1", "c-1"), [["a-1", "b-1", "c-1"], ["a-2"]]),
        (("a-geo", "b-geo", "a-kb", "b-kb"), [["a-geo", "b-geo"], ["a-kb", "b-kb"]]),
    ],
)
def test_a_model_that_was_run_again_and_another_task_are_campaigns_of_their_own(logs, campaigns):
    for name in logs:
        model, task = name.split("-")
        task = "toy" if task.isdigit() else task
        write("logs", f"{name}.json", inspect_log({"qa": "C"}, model=model, task=task))
    found, _ = detected.detect_files("logs")
    paths = [[f"logs/{name}.json" for name in names] for names in campaigns]
    assert [campaign.paths for campaign in found] == paths


def test_runs_without_judgments_are_refused():
    write("raw", "run.txt", SAMPLES["trec-qa"][1][1])
    campaigns, scan = detected.detect_files("raw")
    assert campaigns == [] and "beside them" in scan.faults[0].expected


def test_no_room_asks_which_format_it_has():
    """A format's name in a room is a place to change for a new one; `tabular` is the default."""
    ids = {*formats.FORMATS, *formats.LOGS} - {"tabular"}
    names = "|".join(id.replace("-", "[-_]") for id in ids)
    compared = rf"""[=!]= *["']({names})["']|["']format["']: *["']({names})["']"""
    branch = re.compile(rf"{compared}|formats(\.| import .*)({names})\b")
    rooms = ("detect", "ingest", "judging", "scoring", "campaign", "workflow", "stages")
    files = [path for room in rooms for path in (HOME / "src/nonresponse" / room).rglob("*.py")]
    assert [path.name for path in files if branch.search(path.read_text())] == []
