"""The measures of a campaign that names none: those that its configuration leaves possible."""

import gzip
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
    defaults = {
        id for id, measure in measures.load_measures("validation").items() if measure.is_default
    }
    pan = raw({"format": "pan"}, {"format": "pan"}, "validation")
    assert defaults - pan == {"qa_accuracy", "qa_estimated"}


def test_a_published_table_has_what_its_counts_give():
    Path("x.csv").write_text("run,n_ac,n_aw,n_u\na,1,2,3\n")
    assert default_measures(counts="x.csv") == COUNT_MEASURES
    names = ["run", "n_ac", "n_aw", "n_u", "a", "b", "c", "d", "e", "nil_right", "nil_returned"]
    table = "\t".join(names) + "\na" + "\t1" * 10 + "\n"
    Path("x.tsv.gz").write_bytes(gzip.compress(table.encode()))
    given = default_measures(counts="x.tsv.gz")
    assert {"romip_error", "romip_nil_recall", "nil_precision"} < {*given}


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
