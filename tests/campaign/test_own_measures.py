"""The measures of a campaign that names none: those that its configuration leaves possible."""

import gzip
from pathlib import Path

import pytest
from nonresponse import campaign as config
from nonresponse import formats, measures, tasks

COUNT_MEASURES = ["c@1", "accuracy", "uf", "precision_answered", "answered"]
NIL = {"nil_precision", "nil_recall", "nil_f"}
ROMIP = {id for id in measures.load_measures("qa") if id.startswith("romip_")}
SCORED = {"cws", "k1", "r"}


@pytest.fixture(autouse=True)
def enter_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {"x.csv": "question\n", "na.json": "{}", "x.json": "{}"}.items():
        Path(name).write_text(text)


def default_measures(task: str = "qa", **parts) -> list[str]:
    actual = config.check_config({"campaigns": {"a": {"task": task, **parts}}})
    return actual["campaigns"]["a"]["measures"]


def raw(runs: dict, judgments: dict | None = None, task: str = "qa") -> set[str]:
    parts = {"runs": runs, "judgments": judgments or {}}
    parts = {name: {"format": "tabular", "files": "x.csv"} | part for name, part in parts.items()}
    return set(default_measures(task, **parts))


def graded(**keys) -> list[str]:
    return default_measures(graded={"format": "tabular", "files": "x.csv"} | keys)


def test_graded_responses_have_no_nil_no_labels_and_no_key():
    assert graded(layout="wide", gold="key", systems=["m"]) == COUNT_MEASURES
    assert set(graded()) == {*COUNT_MEASURES, "mrr", *SCORED}
    assert set(graded(answer_from=0.5)) == {*COUNT_MEASURES, "mrr", "candidate_accuracy", *SCORED}


def test_raw_runs_have_nil_and_labels_where_these_are_named():
    plain = raw({})
    assert plain == {*COUNT_MEASURES, "candidate_accuracy", "mrr", "map", "k", *SCORED}
    assert raw({"nil": ["NIL"]}) == plain | NIL
    for gold in ({"correct": ["good"]}, {"partial": ["long"]}, {"labels": {"yes": "good"}}):
        assert raw({}, gold) == plain | ROMIP
    trec, romip = (raw({"format": name}, {"format": name}) for name in ("trec-qa", "romip"))
    assert trec >= NIL and not trec & {*ROMIP, "candidate_accuracy"}
    assert romip >= ROMIP and not romip & {*NIL, *SCORED}


def test_logs_have_what_is_asked_of_language_models():
    """By optimistic and wrong_rate, total silence and total failure would come first."""
    six = ["c@1", "accuracy", "precision_answered", "answered", "f_simpleqa", "hallucination_rate"]
    assert graded(format="inspect") == graded(format="lm-eval") == six
    assert graded(format="squad2", key="x.csv", na_prob="na.json") == [
        *tasks.get("qa").unanswerable_measures
    ]
    assert default_measures(counts={"format": "simple-evals", "files": "x.json"}) == six


def test_pairs_that_no_run_selects_or_scores():
    group = measures.load_measures("validation")
    pan = raw({"format": "pan"}, {"format": "pan"}, "validation")
    lacking = {id for id, measure in group.items() if measure.is_default} - pan
    assert lacking == {"qa_accuracy", "qa_estimated"}


def test_a_published_table_has_what_its_counts_give():
    Path("x.csv").write_text("run,n_ac,n_aw,n_u\na,1,2,3\n")
    assert default_measures(counts="x.csv") == COUNT_MEASURES
    table = "run n_ac n_aw n_u a b c d e nil_right nil_returned\na" + " 1" * 10
    Path("x.tsv.gz").write_bytes(gzip.compress(table.replace(" ", "\t").encode()))
    given = default_measures(counts="x.tsv.gz")
    assert {"romip_error", "romip_nil_recall", "nil_precision"} < {*given}


def test_what_measures_need_and_formats_tell_are_facts():
    groups = map(measures.load_measures, tasks.NAMES)
    needed = {need for group in groups for measure in group.values() for need in measure.needs}
    records = (formats.FORMATS | formats.LOGS).values()
    assert needed == {*measures.FACTS} >= {fact for record in records for fact in record.tells}
