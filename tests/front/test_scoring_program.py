"""Test one run scored for a platform: PAN's numbers, files and refusals."""

import json
import random
import re
from pathlib import Path

import numpy as np
import pytest
from command_line import run
from nonresponse.front.campaign import complete_campaign, find_campaign
from nonresponse.front.scoring_program import FILES, PRESETS, Preset, RunScores, score_run
from reading import DATA, needs, write
from report_files import Elements
from sklearn.metrics import brier_score_loss, f1_score, roc_auc_score

# The labels of the smoke test of PAN 2026 (pan-webis-de/pan-code, clef26), in its order.
SMOKE = "0011010100110000110001101110101010"


def evaluate_as_2025(truth: np.ndarray, run: np.ndarray) -> dict[str, float]:
    """Compute what pan25-evaluator does, also in 2026; an undefined score adds 0 to the mean."""
    open_ones, accepted = run == 0.5, run > 0.5
    correct = ((truth == 1) == accepted)[~open_ones].sum()
    hits, lost = (accepted & (truth == 1)).sum(), ((run < 0.5) & (truth == 1)).sum()
    divisor = 1.25 * hits + 0.25 * (lost + open_ones.sum()) + (accepted & (truth == 0)).sum()
    numbers = {
        "roc-auc": roc_auc_score(truth, run) if len({*truth}) == 2 else None,
        "brier": 1 - brier_score_loss(truth, run),
        "c@1": (correct + open_ones.sum() * correct / len(truth)) / len(truth),
        "f1": f1_score(truth, accepted, zero_division=np.nan),
        "f05u": 1.25 * hits / divisor if divisor else None,
    }
    numbers = {
        name: value for name, value in numbers.items() if value is not None and not np.isnan(value)
    }
    return {"mean": sum(numbers.values()) / 5} | numbers


def hand_in(
    folder: Path, labels: str, values: list[float | None], field="label", truth="label"
) -> tuple[str, str]:
    """Write the truth and a run, and return their folders; a value that is null is missing."""
    kind = bool if truth == "same" else int
    truths = [{"id": f"p{n}", truth: kind(int(label))} for n, label in enumerate(labels)]
    run = [{"id": f"p{n}", field: value} for n, value in enumerate(values) if value is not None]
    for name, rows in (("truth/truth.jsonl", truths), ("run/answers.jsonl", run)):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return str(folder / "run"), str(folder / "truth")


def draw_scores(labels: str, seed: int) -> list[float | None]:
    draw = random.Random(seed)
    values = [draw.gauss(0.3 + 0.4 * int(label), 0.25) for label in labels]
    scores = [round(min(max(value, 0), 1), 3) for value in values]
    return [draw.choice([None, 0.5, value, value, value]) for value in scores]


@pytest.mark.parametrize(
    "values", [draw_scores(SMOKE, 1), draw_scores(SMOKE, 2), [0.5] * len(SMOKE), [0.9] * len(SMOKE)]
)
def test_the_scores_are_those_of_pans_evaluator_on_its_smoke_test(values, tmp_path, capsys):
    files, out = hand_in(tmp_path, SMOKE, values), tmp_path / "out"
    assert run("score", *files, "--into", out, "--task", "pan26") == 0
    filled = np.array([0.5 if value is None else value for value in values])
    expected = evaluate_as_2025(np.array([*map(int, SMOKE)]), filled)
    assert json.loads((out / FILES[0]).read_text()) == pytest.approx(expected)
    text = (out / FILES[1]).read_text()
    prototext = re.findall(r'measure\{\n  key: "(.*)"\n  value: "(.*)"\n\}', text)
    assert {name: float(value) for name, value in prototext} == pytest.approx(expected)
    printed = capsys.readouterr().out
    assert f"| c@1     | {expected['c@1']:.4f} | c@1" in printed
    assert f": {len(SMOKE)} pairs." in printed  # those without a response, too


def test_a_campaign_is_scored_by_its_own_block(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    hand_in(tmp_path, "1100", [0.9, 0.2, 0.5, 0.1], "value", "is_human")
    Path("config.yaml").write_text(
        "campaigns:\n  task: {task: validation, runs: {format: pan, files: run/*}, open: "
        "rejected, baseline: other,\n"
        "    judgments: {format: pan, files: truth/*}, measures: [c@1, f@1]}\n"
    )
    assert run("score", "run", "truth", "--into", "out", "--campaign", "task") == 0
    assert json.loads(Path("out", FILES[0]).read_text()) == pytest.approx(
        {"c@1": 0.625, "f_2024@1": 2 / 3}
    )


def test_hostile_names_are_no_markup():
    hostile = '<script>alert(1)</script><img src=x onerror="x">\u202e'
    page = RunScores(hostile, hostile, {hostile: hostile}, {hostile: 0.5}, {"correct": 1}).page
    tags = {*Elements(page).tags}
    assert not tags & {"script", "img"} and "td" in tags
    assert "\u202e" not in page and "default-src 'none'" in page


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_scored(preset, tmp_path):
    year, values = int(preset[3:]), [0.9, 0.2, 0.5, 0.8, 0.1, 0.7]
    truth = "label" if year > 24 else "is_human" if year == 24 else "same"
    files = hand_in(tmp_path, "110100", values, truth if year > 23 else "value", truth)
    assert run("score", *files, "--into", tmp_path / "out", "--task", preset) == 0
    score, *_ = json.loads((tmp_path / "out" / FILES[0]).read_text())
    assert score == (PRESETS[preset].mean or "product")
    measures = complete_campaign(find_campaign([*files])).measures
    assert measures[0] == "c@1" and ("f_2024@0.5" in measures) == (truth != "same")


def test_what_is_refused_writes_nothing(tmp_path, capsys):
    ours, truth = hand_in(tmp_path, "10", [0.9, 3.0])
    for run_folder, task, status, message in (
        (ours, "pan26", 1, "answers.jsonl:2: found the value 3.0"),
        (f"{ours}s", "pan26", 3, "runs: no such file or folder in "),
        (ours, "pan99", 3, "--task pan14 or pan15"),
        (ours, "pan26", 3, "has 2 files (dataset.jsonl, truth.jsonl): name the one to read"),
    ):
        if "dataset" in message:
            Path(truth, "dataset.jsonl").write_text("{}\n")
        arguments = ["score", run_folder, truth, "--into", tmp_path / "out", "--task", task]
        assert run(*arguments) == status and message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_submission_cannot_link_to_what_is_not_in_it(tmp_path, capsys):
    ours, truth = hand_in(tmp_path, "10", [0.9, 0.1])
    (answers,) = Path(ours).iterdir()
    answers.rename(tmp_path / "elsewhere.jsonl")
    answers.symlink_to(tmp_path / "elsewhere.jsonl")
    assert run("score", ours, truth, "--into", tmp_path / "out", "--task", "pan26") == 3
    assert "a link that leads out of" in capsys.readouterr().err


def test_the_truth_of_several_assessors_is_a_folder(tmp_path):
    run_file = write(tmp_path, "run.csv", "question,answer\nq1,a\nq2,b\n")
    for name, label in (("ann", "W"), ("bob", "R"), ("cat", "R")):
        rows = f"q1,a,{label}\nq2,b,W\n"
        write(tmp_path, f"truth/{name}.csv", f"question,answer,label\n{rows}")
    part = {"format": "tabular"}
    block = {"task": "qa", "runs": part, "judgments": {**part, "official": "majority"}}
    preset = Preset("A task", {"accuracy": "accuracy"})
    result = score_run(Path(run_file), tmp_path / "truth", preset, block)
    assert result.scores == {"accuracy": 0.5}


@needs("pan20")
@pytest.mark.parametrize("name", ["faber20-small", "boenninghoff20-large"])
def test_the_scores_of_2020_are_the_published_ones(name, tmp_path):
    import polars as pl

    truth, answers = str(DATA / "pan20/truth.jsonl"), str(DATA / f"pan20/answers/{name}.jsonl")
    assert run("score", answers, truth, "--into", str(tmp_path), "--task", "pan20") == 0
    scores = json.loads((tmp_path / FILES[0]).read_text())
    published = pl.read_csv(DATA / "pan20/metrics_published.csv")
    [row] = published.filter(system=name).to_dicts()
    names = {"overall": "Overall", "auc": "AUC", "c@1": "c@1", "F1": "F1", "f_05_u": "F0.5u"}
    assert scores == pytest.approx({ours: row[theirs] for ours, theirs in names.items()})
