"""Test imports.csv: what a log states beside its samples and beside the leaderboard."""

import json

import polars as pl
import pytest
from log_samples import INSPECT, inspect_sample, lines
from nonresponse import tables
from nonresponse.ingest import imports
from nonresponse.ingest.readers import import_log
from nonresponse.tasks import VERDICTS
from reading import write


def account(values: list[float | None], **fields) -> pl.DataFrame:
    """Return the account of a log with these values, null where unscored; its mean is stated."""
    names = {None: "unscored", 0.0: "wrong", 1.0: "correct"}
    verdicts = [names.get(value, "partial") for value in values]
    scored = [value for value in values if value is not None]
    mean = sum(scored) / len(scored) if scored else None
    row = {"run": "m", "file": "m.json", "samples": len(values), "epochs": 1, "told": None}
    row |= dict.fromkeys(("scorer", "provider", "why"), "") | {"chosen": [], "notes": []}
    row |= {"measure": "accuracy", "stated": mean, "recomputed": mean}
    row |= {name: verdicts.count(name) for name in VERDICTS} | fields
    return pl.DataFrame([row], schema=tables.IMPORTS)


def counts(values: list[float | None]) -> pl.DataFrame:
    """What the leaderboard has of these samples by the default policies."""
    right, partial = values.count(1.0), sum(value not in (None, 0.0, 1.0) for value in values)
    row = {"assessor": "official", "run": "m", "n": len(values), "n_ac": right, "n_u": 0}
    row |= {"n_aw": len(values) - right, "n_partial": partial, "n_unscored": values.count(None)}
    return pl.DataFrame([row | {"n_error": 0}])


def reconcile(log: pl.DataFrame, board: pl.DataFrame) -> dict:
    """The row of imports.csv of one log."""
    return imports.reconcile(imports.summarise_runs(log), board).row(0, named=True)


def test_what_differs_stays_so_and_a_run_without_questions_agrees_with_nothing():
    row = reconcile(account([1.0, 0.0], stated=0.75), counts([1.0, 0.0]))
    assert row["outcome"] == imports.DIFFERS
    row = reconcile(account([1.0]), counts([1.0]).with_columns(n=0, n_ac=0))
    assert (row["accuracy"], row["outcome"]) == (None, imports.RECONCILED)


RULED = {"judge": "gpt", "prompt": "12ab", "failures": "unscored", "questions": "q1q2"}
RULED |= {"texts": "t1"}
OTHER_PARTS = {"judge": "gemini", "prompt": "34cd", "failures": "wrong", "texts": "t2"}
OTHER_PARTS |= {"scorer": "qa"}


@pytest.mark.parametrize(("part", "value"), OTHER_PARTS.items())
def test_runs_that_were_not_measured_alike(part, value):
    """The check and the ranking name a run of another ruler; the others share one."""
    logs = [account([1.0], **RULED, run=run) for run in "ab"]
    equal_rows = imports.summarise_runs(pl.concat(logs))
    assert imports.describe_rulers(equal_rows) == imports.list_differing_parts(equal_rows) == []
    accounts = pl.concat([*logs, account([1.0], **RULED | {part: value, "run": "c"})])
    rows = imports.summarise_runs(accounts)
    assert imports.list_differing_parts(rows) == [part]
    assert rows["ruler"].unique_counts().to_list() == [2, 1]
    [warning] = [line for line in imports.list_warnings(accounts, "inspect") if "alike" in line]
    [sentence] = imports.describe_rulers(rows)
    assert all(imports.RULER[part] in text for text in (warning, sentence))
    are_named = f"c by {value}" in warning and "a and b by " in warning
    assert are_named == (part not in imports.DIGESTS)


def test_other_questions_are_another_ruler_and_no_other_texts():
    """The leaderboard shows what runs were asked; a log that omits it is not called different."""
    parts = {"a": {}, "b": {"questions": "q1", "texts": "t3"}, "c": dict.fromkeys(RULED)}
    logs = [account([1.0], **RULED | part, run=run) for run, part in parts.items()]
    rows = imports.summarise_runs(pl.concat(logs))
    assert rows["ruler"].n_unique() == 3 and imports.list_differing_parts(rows) == []


def test_several_logs_without_samples_have_no_mean():
    logs = pl.concat([account([1.0], samples=0, file=file) for file in "ab"])
    [row] = imports.summarise_runs(logs).rows(named=True)
    assert (row["files"], row["samples"], row["stated"], row["recomputed"]) == (2, 0, None, None)


LIKE_NONE = [2, "I don't know", 1, "HTTP 500"]


@pytest.mark.parametrize(
    ("options", "metrics", "found"),
    [
        ({}, {}, LIKE_NONE),
        ({"unanswered": ["I don't know"]}, {}, []),
        ({}, {"not_attempted": 1}, LIKE_NONE[2:]),
    ],
)
def test_wrong_answers_that_may_be_none_are_told_unless_log_or_rules_mark_them(
    tmp_path, options, metrics, found
):
    texts = ["I don't know", "Oslo", "I don't know", "unknown", "HTTP 500"]
    samples = [
        {"doc_id": id, "target": text, "filtered_resps": [text], "em": float(id == 3), "f1": 0.5}
        for id, text in enumerate(texts)
    ]
    samples[1] |= metrics
    path = write(tmp_path, "samples_t.jsonl", lines(*samples))
    account = import_log(path, {"format": "lm-eval"} | options)[1]
    rows = imports.summarise_runs(account)
    row = rows.select("like_unanswered", "as_unanswered", "like_error", "as_error").row(0)
    assert [value for value in row if value] == found
    assert len(imports.describe_likes(rows)) == len(found) / 2
    assert "metric 'em' of 'em', 'f1'" in " ".join(imports.describe_logs(account, rows))


def test_empty_answers_may_be_none(tmp_path):
    samples = [{"doc_id": id, "target": "x", "filtered_resps": [""], "em": 0.0} for id in "ab"]
    path = write(tmp_path, "samples_t.jsonl", lines(*samples))
    account = import_log(path, {"format": "lm-eval"})[1]
    assert account["like_unanswered"].to_list() == [2]


@pytest.mark.parametrize(("epochs", "number"), [("first", 1), ("all", 2)])
def test_wrong_answers_that_may_be_none_are_those_of_scored_epochs(tmp_path, epochs, number):
    scores = {"qa": {"value": "I", "answer": "I don't know"}}
    samples = [inspect_sample("q", "I", epoch, scores=scores) for epoch in (1, 2)]
    path = write(tmp_path, "log.json", json.dumps(INSPECT | {"samples": samples}))
    account = import_log(path, {"format": "inspect", "epochs": epochs})[1]
    assert account["like_unanswered"].to_list() == [number]


def test_notes_and_numbers_that_differ_are_told_first_each_once():
    logs = [account([1.0], notes=["status 'cancelled'"], run=run) for run in "abc"]
    accounts = pl.concat([*logs, account([1.0, 0.0], stated=0.75, run="d"), account([1.0])])
    differs, note = imports.describe_logs(accounts, imports.summarise_runs(accounts))
    assert "of d: it states accuracy 0.75, its samples give 0.5" in differs
    assert "of a, b and c: status 'cancelled'" in note
