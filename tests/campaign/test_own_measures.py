"""The measures of a campaign that names none: those that its configuration leaves possible."""

from pathlib import Path

import format_samples
import log_samples
import polars as pl
import pytest
from nonresponse import campaign as config
from nonresponse import formats, measures, tasks

COUNT_MEASURES = ["c@1", "accuracy", "uf", "precision_answered", "answered"]
NIL = {"nil_precision", "nil_recall", "nil_f"}
ROMIP = {id for id in measures.load_measures("qa") if id.startswith("romip_")}
SCORED = {"cws", "k1", "r"}
RAW = {
    "runs": {"format": "tabular", "files": "x.csv"},
    "judgments": {"format": "tabular", "files": "x.csv"},
}


@pytest.fixture(autouse=True)
def enter_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "x.csv": "question\n",
        "x.txt": "\n",
        "na.json": "{}",
        "x.json": "{}",
    }.items():
        Path(name).write_text(text)
    Path("results").mkdir()


def default_measures(task: str = "qa", **parts) -> list[str]:
    actual = config.check_config({"campaigns": {"a": {"task": task, **parts}}})
    return actual["campaigns"]["a"]["measures"]


def raw(runs: dict, judgments: dict | None = None, task: str = "qa") -> list[str]:
    return default_measures(
        task, runs=RAW["runs"] | runs, judgments=RAW["judgments"] | (judgments or {})
    )


def graded(**keys) -> list[str]:
    return default_measures(graded={"format": "tabular", "files": "x.csv"} | keys)


def test_graded_responses_have_no_nil_no_labels_and_no_key():
    assert graded(layout="wide", gold="key") == COUNT_MEASURES
    assert set(graded()) == {*COUNT_MEASURES, "mrr", *SCORED}
    assert set(graded(answer_from=0.5)) == {*COUNT_MEASURES, "mrr", "candidate_accuracy", *SCORED}


def test_raw_runs_have_nil_and_labels_where_these_are_named():
    plain = set(raw({}))
    assert plain == {*COUNT_MEASURES, "candidate_accuracy", "mrr", "map", "k", *SCORED}
    assert set(raw({"nil": ["NIL"]})) == plain | NIL
    for gold in ({"correct": ["good"]}, {"partial": ["long"]}, {"labels": {"yes": "good"}}):
        assert set(raw({}, gold)) == plain | ROMIP
    trec = set(raw({"format": "trec-qa"}, {"format": "trec-qa"}))
    assert trec >= NIL and not trec & {*ROMIP, "candidate_accuracy"}
    romip = set(raw({"format": "romip"}, {"format": "romip"}))
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
    defaults = {
        id for id, measure in measures.load_measures("validation").items() if measure.is_default
    }
    assert defaults - set(raw({"format": "pan"}, {"format": "pan"}, "validation")) == {
        "qa_accuracy",
        "qa_estimated",
    }


def test_a_published_table_has_what_its_counts_give():
    Path("x.csv").write_text("run,n_ac,n_aw,n_u\na,1,2,3\n")
    assert default_measures(counts="x.csv") == COUNT_MEASURES
    Path("x.csv").write_text(
        "run,n_ac,n_aw,n_u,a,b,c,d,e,nil_right,nil_returned\na,1,2,3,1,2,1,1,1,1,1\n"
    )
    assert {"romip_error", "romip_nil_recall", "nil_precision"} < set(
        default_measures(counts="x.csv")
    )


def test_what_measures_need_and_formats_tell_are_facts():
    defaults = [
        measure for task in tasks.NAMES for measure in measures.load_measures(task).values()
    ]
    needed = {need for measure in defaults for need in measure.needs}
    records = [*formats.FORMATS.values(), *formats.LOGS.values()]
    facts = {fact for record in records for fact in record.tells}
    assert needed == set(measures.FACTS) and facts <= needed
    assert all(set(log.needs_options) <= set(log.options) for log in formats.LOGS.values())


def list_facts(rows: pl.DataFrame) -> set[str]:
    """The facts that rows show."""
    columns = {name for name in rows.columns if rows[name].is_not_null().any()}
    withheld = rows.filter(answered=False)
    facts = {
        "withheld": "candidate" in columns and withheld["candidate"].is_not_null().any(),
        "scores": columns & {"confidence", "score", "position"},
        "ranks": "rank" in columns and rows["rank"].max() > 1,
        "selected": "answer" in columns and rows["answer"].eq("SELECTED").any(),
        "nil": "nil" in columns and rows["nil"].any(),
    }
    return {fact for fact, holds in facts.items() if holds}


@pytest.mark.parametrize("format", [format for format in formats.FORMATS if format != "deft"])
def test_no_sample_of_a_format_holds_what_its_record_does_not_tell(format):
    name, text = format_samples.sample(format, "runs")
    Path(name).write_text(text)
    rows, _ = format_samples.read(format, "runs", name)
    facts = set(formats.FORMATS[format].tells)
    assert list_facts(rows) <= facts and (list_facts(rows) or not facts or format == "clef-qa4mre")


@pytest.mark.parametrize("format", log_samples.SAMPLES)
def test_no_sample_of_a_log_either(tmp_path, format):
    rows, _, _ = log_samples.read(tmp_path, format)
    rows = rows.with_columns(answered=pl.lit(True))
    assert list_facts(rows) <= set(formats.LOGS[format].tells)
