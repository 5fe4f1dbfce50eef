"""Only what changed is judged again, and a memo changes no verdict: test_random_edits has more."""

import os
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from nonresponse import judging, tables
from nonresponse.memo import Memo
from pipeline import Campaign
from strategies import answers


def judge(campaign: Campaign, folder: Path) -> bytes:
    """The verdicts of a campaign, with the memo in the folder."""
    memo, output = folder / "memo.npz", folder / "verdicts.npz"
    judging.judge("qa", campaign.sources, output, memo, "code", **campaign.rules)
    return output.read_bytes()


@pytest.mark.slow
def test_only_what_changed_is_judged_again(tmp_path, monkeypatch):
    """Of a judgment, its question; of a run, those in the same shard."""
    sample, frames, steps = answers(1, n=8), [], iter(range(9))
    module = judging.import_module("nonresponse.judging.answers")
    judge_rows = module.judge

    def judge_and_note(connection, cells, rows):
        frames.append(tables.spell(rows.collect()))
        judge_rows(connection, cells, rows)

    def judge_again() -> pl.DataFrame:
        campaign = sample.campaign(tmp_path / str(next(steps)), shards=3)
        with monkeypatch.context() as patch:
            patch.setattr(module, "judge", judge_and_note)
            frames.clear()
            assert judge(campaign, tmp_path) == campaign.verdicts.read_bytes()
        return pl.concat(frames) if frames else pl.DataFrame({"run": [], "question": []})

    assert judge_again()["run"].n_unique() == len(sample.runs)
    assert judge_again().is_empty()
    row = sample.judgments["first"][0]
    row["label"] = "bad" if row["label"] != "bad" else "good"
    assert {*judge_again()["question"]} == {row["question"]}
    sample.runs["ranked"] = answers(2, n=8).runs["ranked"]
    assert {*judge_again()["run"]} == {*[*sample.runs][::3]}


def judge_in_turn(folder: Path, *versions: tuple[dict, dict]) -> None:
    """Judge versions of a campaign, runs and judgments, one after the other, with a memo."""
    questions = [{"question": name} for name in ("q1", "q2")]
    for number, (runs, gold) in enumerate(versions):
        campaign = Campaign(folder / str(number), shards=len(runs))
        campaign.evaluate_runs(runs, gold, questions)
        assert judge(campaign, folder) == campaign.verdicts.read_bytes(), number


def test_a_column_of_numbers_that_no_run_fills_any_longer_is_gone(tmp_path):
    row = {"question": "q1", "answer": "Rome"}
    gold = {"final": [row | {"label": "R"}]}
    judge_in_turn(
        tmp_path,
        ({"a": [row | {"confidence": 1}], "b": [row]}, gold),
        ({"a": [row], "b": [row]}, gold),
    )


def test_other_options_of_judging_and_other_assessors_leave_nothing_of_a_memo(tmp_path):
    rows = [{"question": name, "answer": "Rome"} for name in ("q1", "q2", "q3")]
    labels = [row | {"label": label} for row, label in zip(rows, "RX", strict=False)]
    memo, output = tmp_path / "memo.npz", tmp_path / "verdicts.npz"
    for assessor in ("gold", "other"):
        campaign = Campaign(tmp_path / assessor)
        questions = [{"question": row["question"]} for row in rows]
        campaign.evaluate_runs({"r": rows}, {assessor: labels}, questions)
        for options in ({}, {"partial": ["X"]}, {"closed": True}, {"closed": True}):
            stores = []
            for path in (memo, None):
                judging.judge("qa", campaign.sources, output, path, "code", **options)
                stores.append(output.read_bytes())
            assert stores[0] == stores[1], options


def test_judgments_of_documents_in_place_of_answers_are_seen_where_nothing_is_judged(tmp_path):
    """What an unanswered question withheld is then its document."""
    runs = {"a": [{"question": "q2", "answer": None, "document": "d1"}]}
    names = [{"answer": "Rome"}, {"document": "d2"}]
    gold = [{"final": [{"question": "q1", "label": "R"} | name]} for name in names]
    judge_in_turn(tmp_path, *((runs, judgments) for judgments in gold))


def test_a_memo_of_another_version_of_a_library_is_none(tmp_path, monkeypatch):
    Memo(path := tmp_path / "memo.npz", "code").keep(values=np.arange(3))
    assert Memo(path, "code").recall()
    monkeypatch.setattr("nonresponse.memo.LIBRARIES", ("2.0", "1.0"))
    assert Memo(path, "code").recall() == {}


def test_a_memo_that_is_no_file_is_not_waited_for(tmp_path):
    os.mkfifo(pipe := tmp_path / "memo.npz")
    for path in (pipe, tmp_path, Path("/dev/zero")):
        assert Memo(path, "code").recall() == {}


def test_a_damaged_memo_is_none(tmp_path):
    """Wherever a bit is turned, also in what says how large an array is, or which there are."""
    memo = Memo(path := tmp_path / "memo.npz", "code")
    memo.keep(codes=np.zeros((3, 2000), np.uint8), facts=np.zeros(3))
    content = path.read_bytes()
    assert [*memo.recall()] == ["codes", "facts"]
    for index in [*range(200), *range(len(content) - 400, len(content))]:
        path.write_bytes(content[:index] + bytes([content[index] ^ 1]) + content[index + 1 :])
        assert memo.recall() == {}, index
