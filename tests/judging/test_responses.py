"""Test responses.jsonl and .parquet: every response with its state, the reason and texts."""

import json
import random
from pathlib import Path

import polars as pl
from nonresponse.front import local
from nonresponse.front.campaign import CampaignBlock, complete_campaign
from nonresponse.judging import responses
from nonresponse.judging.store import read_verdicts
from nonresponse.tasks import VERDICTS

HOSTILE = '<script>alert(1)</script>\u202e 😀\n=1\t"quoted"\x01'
# What the schema of Every Eval Ever wants of a response in one turn, by the kind of each value; no
# other fields.
SCHEMA = {
    **dict.fromkeys(("input", "output", "evaluation", "metadata"), dict),
    **dict.fromkeys(("schema_version", "evaluation_id", "model_id", "evaluation_name"), str),
    **dict.fromkeys(("sample_id", "interaction_type"), str),
    **{"sample_hash": str | None, "error": str | None, "answer_attribution": list},
}


def export(folder: Path, options: dict) -> tuple[list[dict], pl.DataFrame, pl.DataFrame]:
    """Return JSONL lines, Parquet file and verdicts of a campaign read, judged and exported."""
    campaign = local.place(
        complete_campaign(CampaignBlock("mine", options, [], [])), folder / "results"
    )
    local.ingest(campaign)
    verdicts, out = local.judge(campaign), Path(campaign.folder)
    local.call("export_responses", campaign)
    table = out / responses.PARQUET
    lines = (out / responses.JSONL).read_text(encoding="utf-8").splitlines()
    lines = [*map(json.loads, lines)]
    for line in lines:
        assert_conforms(line)
    return lines, pl.read_parquet(table), read_verdicts(verdicts).rows()


def assert_conforms(line: dict) -> None:
    """Assert that a line is what the schema wants."""
    assert line.keys() == SCHEMA.keys()
    assert all(isinstance(line[name], kind) for name, kind in SCHEMA.items())
    texts = [line["input"]["raw"], *line["input"]["reference"], *line["output"]["raw"]]
    texts += line["metadata"].values()
    assert all(isinstance(text, str) for text in texts), "metadata are text, and never null"
    assert line["interaction_type"] == "single_turn"
    assert {*line["evaluation"]} == {"score", "is_correct"}
    assert isinstance(line["evaluation"]["is_correct"], bool)


def list_states(lines: list[dict]) -> list[str]:
    return [line["metadata"]["nonresponse_state"] for line in lines]


def test_what_is_exported_is_read_back_in_the_same_states(tmp_path):
    """A table with every state, rules, hostile texts; columns that are not there have no text."""
    draw, texts = random.Random(0), ["Paris", "", "I cannot say", HOSTILE, "x" * 5000]
    rows = [
        {"run": f"m{number // 15}", "question": f"q{number % 15}"}
        | {"verdict": draw.choice(VERDICTS), "answer": draw.choice(texts)}
        | {"asked": f"Question? {HOSTILE}", "target": draw.choice([None, "Rome"])}
        | {"explanation": draw.choice([None, HOSTILE])}
        for number in range(45)
    ]
    Path(tmp_path, "table.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    graded = {"format": "tabular", "files": str(tmp_path / "table.jsonl")}
    graded |= {"columns": {name: name for name in rows[0]}}
    graded |= {"refusals": {"prefixes": ["i cannot"], "empty": "unanswered"}}
    lines, _, _ = export(tmp_path, {"task": "qa", "graded": graded})
    rows_by_key = {(row["run"], row["question"]): row for row in rows}
    assert len(lines) == len(rows)
    for line in lines:
        row, ours = rows_by_key[line["model_id"], line["sample_id"]], line["metadata"]
        assert (line["input"]["raw"], line["output"]["raw"]) == (row["asked"], [row["answer"]])
        assert line["input"]["reference"] == ([row["target"]] if row["target"] else [])
        is_judged = row["verdict"] in ("correct", "wrong", "partial", "unscored")
        rule = {"I cannot say": "prefixes", "": "empty"}.get(row["answer"]) if is_judged else None
        expected = {"explanation": row["explanation"], "rule": rule}
        expected["nonresponse_state"] = "unanswered" if rule else row["verdict"]
        expected["field"] = None if rule else "verdict"
        expected["phrase"] = "i cannot" if rule == "prefixes" else None
        assert {name: ours.get(name) for name in expected} == expected
    source = {"format": "every-eval-ever", "files": str(tmp_path / "results/mine/responses.jsonl")}
    lines_again, _, _ = export(tmp_path / "again", {"task": "qa", "graded": source})
    for name in ("model_id", "input", "output"):
        assert [line[name] for line in lines_again] == [line[name] for line in lines]
    assert list_states(lines_again) == list_states(lines)


def test_of_runs_what_they_said_and_what_they_withheld(tmp_path):
    tmp_path.joinpath("run.csv").write_text("question,answer,candidate\nq1,Paris,\nq2,NOA,Rome\n")
    judgments = "question,answer,label\nq1,Paris,R\nq2,Rome,W\nq3,x,R\n"
    tmp_path.joinpath("judgments.csv").write_text(judgments)
    runs = {"format": "tabular", "files": str(tmp_path / "run.csv"), "unanswered": ["NOA"]}
    judgments = {"format": "tabular", "files": str(tmp_path / "judgments.csv")}
    lines, _, _ = export(tmp_path, {"task": "qa", "runs": runs, "judgments": judgments})
    values = [(line["sample_id"], line["output"]["raw"], line["metadata"]) for line in lines]
    assert values == [
        ("q1", ["Paris"], {"nonresponse_state": "correct", "field": "judgments"}),
        ("q2", ["Rome"], {"nonresponse_state": "unanswered", "field": "judgments"}),
        ("q3", [], {"nonresponse_state": "unanswered", "field": "missing"}),
    ]
