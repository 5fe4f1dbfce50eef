"""read, score, compare and evaluate give what the workflow gives, as docs/notebook.ipynb shows.

To write the outputs of that notebook anew, with PYTHONPATH=$PWD/src:
jupyter execute --inplace --NotebookClient.record_timing=False docs/notebook.ipynb
"""

import copy
import doctest
import json
from pathlib import Path
from typing import Any

import nonresponse
import polars as pl
import pytest
from conftest import HOME
from mutants import crash_judge, draw_system, write
from nonresponse.front import RefusedError, api
from nonresponse.front.campaign import find_campaign
from nonresponse.judging.store import read_verdicts

OLD, NEW = draw_system(60, 0.6, 0.2), draw_system(50, 0.7, 0.1, seed=2)


# Rules on the text of answers, without which there are other bounds
RULED = "x,q1,I do not know,wrong\nx,q2,Oslo,correct\ny,q1,Rome,correct\ny,q2,,wrong\n"
OPTIONS = {  # of two campaigns; in one, a run was asked less, and a judge has failed
    "two-systems": {"measures": ["c@1", "cws"], "missing": "exclude"},
    "with-rules": {"measures": ["c@1", "cws"], "refusals": {"prefixes": ["I do not"]}},
}


def assert_same(actual: pl.DataFrame, right: pl.DataFrame) -> None:
    assert actual.schema == right.schema
    assert actual.equals(right)


@pytest.mark.slow
def test_it_is_what_the_workflow_gives(project, monkeypatch):
    monkeypatch.chdir(project.folder)
    write(OLD, Path("two-systems/before.csv"))
    write(crash_judge(NEW), Path("two-systems/after.csv"))
    project.write("with-rules/graded.csv", f"run,question,answer,verdict\n{RULED}")
    campaigns = {name: find_campaign([name], name, OPTIONS[name]).block for name in OPTIONS}
    project.configure({"analyses": ["comparison"]}, **campaigns)
    project.snakemake()
    for name, options in OPTIONS.items():
        evaluation, results = nonresponse.evaluate(name, name, **options), Path("results", name)
        responses = evaluation.responses
        assert_same(responses.frame, read_verdicts(results / "verdicts.npz").scan().collect())
        assert_same(nonresponse.read(name, **options).frame, responses.frame)
        assert_same(evaluation.leaderboard, pl.read_parquet(results / "leaderboard.parquet"))
        for [id], frame in evaluation.differences.group_by("measure", maintain_order=True):
            path = results / f"reliability/by_measure/{id}/comparisons.parquet"
            assert_same(frame.drop("measure"), pl.read_parquet(path))
        page = (results / "leaderboard.md").read_text()
        assert not [text for text in evaluation.sentences if text.split(":")[0] not in page]
        for verdicts in (responses, responses.frame):
            for [id], frame in nonresponse.score(verdicts, options["measures"]).group_by("measure"):
                tables = frame.drop("measure"), pl.read_parquet(results / f"scores/{id}.parquet")
                # These responses say nothing of what they would be without rules
                bounds = ["worst", "best"] * (name == "with-rules")
                assert_same(*(table.drop(bounds) for table in tables))


def test_what_was_found_is_shown_in_a_notebook(tmp_path):
    grade(tmp_path, {"<i>x": OLD, "y": NEW})
    verdicts = nonresponse.read(tmp_path, missing="exclude")
    page = nonresponse.compare(verdicts, "<i>x", "y", ["c@1"])._repr_html_()
    assert "&lt;i&gt;x" in page and "<i>" not in page
    evaluation = nonresponse.evaluate(tmp_path, measures=["c@1"], missing="exclude")
    assert "<table>" in evaluation._repr_html_()


def test_a_frame_is_read_as_a_file_of_its_rows(tmp_path):
    frame = pl.read_csv(write(OLD, tmp_path / "before.csv")).with_columns(run=pl.lit("before"))
    file_evaluation = nonresponse.evaluate(tmp_path, measures=["c@1"])
    frame_evaluation = nonresponse.evaluate(frame, "before", measures=["c@1"])
    assert frame_evaluation.leaderboard.equals(file_evaluation.leaderboard)
    with pytest.raises(RefusedError) as refusal:
        nonresponse.read(frame.rename({"verdict": "x"}))
    assert str(refusal.value).startswith("responses.parquet: ")


@pytest.mark.parametrize("function", [nonresponse.read, nonresponse.evaluate])
def test_no_files_and_what_only_the_workflow_reads_are_refused(function, tmp_path):
    for nothing in ([], ""):
        with pytest.raises(RefusedError, match="No file is named: give a file or a folder"):
            function(nothing)
    for value in (None, b"a.csv", pl.LazyFrame({"a": [1]})):
        with pytest.raises(RefusedError, match=f"of type {type(value).__name__}: give a path"):
            function(value)
    write(OLD, tmp_path / "before.csv")
    for key in ("gates", "scenarios", "systems"):
        with pytest.raises(RefusedError, match=rf"Nothing reads {key} here"):
            function(tmp_path, **{key: {}})


def test_a_notebook_completes_the_names_of_all_functions():
    assert {"read", "score", "compare", "evaluate", "plan"} < {*dir(nonresponse)}


def test_what_is_no_measure_no_run_or_no_task_is_refused(tmp_path, frame):
    listed = r"The measures are 'c@1': give a list of ids, such as \['c@1'\]"
    with pytest.raises(RefusedError, match=listed):
        nonresponse.evaluate(tmp_path, measures="c@1")
    tasks = "qa, validation, dating and matching"
    for refused, message in (
        (lambda: nonresponse.score(frame, "c@1"), listed),
        (lambda: nonresponse.score(frame, ["acuracy"]), "for qa .did you mean accuracy"),
        (lambda: nonresponse.compare(frame, 7, "b"), "There is no run 7; there are: a, b"),
        (lambda: nonresponse.score(frame, task="x"), f"There is no task 'x'; there are {tasks}"),
    ):
        with pytest.raises(RefusedError, match=message):
            refused()


def test_files_of_a_folder_that_cannot_be_read_are_named(tmp_path):
    write(OLD, tmp_path / "before.csv")
    (tmp_path / "README").touch()
    notes = nonresponse.evaluate(tmp_path, measures=["c@1"]).notes
    assert notes[0].startswith(f"Left out: {tmp_path}/README: found ")


def grade(folder: Path, systems: dict[str, dict[str, str]]) -> pl.DataFrame:
    """The verdicts on these systems."""
    rows = [f"{run},{q},{state}\n" for run, row in systems.items() for q, state in row.items()]
    (folder / "graded.csv").write_text("run,question,verdict\n" + "".join(rows))
    return nonresponse.read(folder / "graded.csv", missing="exclude").frame


@pytest.fixture
def frame(tmp_path) -> pl.DataFrame:
    """The verdicts on two runs."""
    return grade(tmp_path, {"a": OLD, "b": NEW})


ROWS_OF_A = (pl.col("run") == "a") & (pl.col("question") == "q0003")


def set_verdict(frame: pl.DataFrame, verdict: str | None) -> pl.DataFrame:
    """With another verdict on one question of a."""
    return frame.with_columns(verdict=pl.when(ROWS_OF_A).then(pl.lit(verdict)).otherwise("verdict"))


def fill(frame: pl.DataFrame, **values: object) -> pl.DataFrame:
    return frame.with_columns(**{name: pl.lit(value) for name, value in values.items()})


A_ON_Q3, Q0 = "run 'a' on question 'q0003'", "run 'a' on question 'q0000'"
NO_FRAMES = {
    "a row is missing": (lambda f: f.filter(~ROWS_OF_A), rf"no row of {A_ON_Q3}.* \(1 such gap\)"),
    "rows are there twice": (lambda f: pl.concat([f, f]), f"several rows of {Q0}: kee"),
    "no column of verdicts": (lambda f: f.drop("verdict"), "lack the column verdict"),
    "a capital": (lambda f: set_verdict(f, "Correct"), f"{A_ON_Q3} is 'Correct': give one of"),
    "no verdict": (lambda f: set_verdict(f, None), f"{A_ON_Q3} is None: give one of correct"),
    "no run": (
        lambda f: f.with_columns(run=pl.lit(None, pl.String)),
        "run None on .*: give a name",
    ),
    "a confidence in percent": (
        lambda f: fill(f, confidence=90.0),
        f"The confidence of {Q0} is 90.0: give a number from 0 to 1",
    ),
    "a confidence in words": (lambda f: fill(f, confidence="sure"), "is 'sure': give a number"),
    "another type": (lambda f: fill(f, compared="x"), "have a column of another type: casting"),
    "a lazy frame": (lambda f: f.lazy(), "are of type LazyFrame: give a pl.DataFrame"),
    "no row at all": (lambda f: f.clear(), "There are no verdicts"),
}


@pytest.mark.parametrize("case", NO_FRAMES)
def test_frames_that_read_does_not_return_are_refused(case, frame):
    change, message = NO_FRAMES[case]
    for function in (nonresponse.score, lambda frame: nonresponse.compare(frame, "a", "b")):
        with pytest.raises(RefusedError, match=message):
            function(change(frame))


def test_measures_of_questions_without_an_answer_need_a_frame_that_says_which():
    frame = pl.DataFrame(
        {
            "run": "a",
            "question": [*"1234"],
            "verdict": ["correct", "correct", "unanswered", "wrong"],
            "unanswerable": [True, False, False, True],
            "rightful": [True, False, False, False],
        }
    )
    ids = ["abstention_recall", "abstention_f1", "false_abstention", "decision_accuracy"]
    assert nonresponse.score(frame, ids)["value"].to_list() == 4 * [0.5]
    frame = frame.drop("unanswerable", "rightful")
    assert nonresponse.score(frame, ids)["value"].to_list() == 4 * [None]


def test_a_frame_may_have_several_assessors(frame):
    graded = pl.concat([frame.with_columns(assessor=pl.lit(name)) for name in ("ann", "bob")])
    scores = nonresponse.score(graded, ["c@1"])
    assert scores["assessor"].to_list() == ["ann", "ann", "bob", "bob"]
    assert_same(
        scores.filter(assessor="ann").drop("assessor"),
        scores.filter(assessor="bob").drop("assessor"),
    )
    assert_same(nonresponse.score(frame, ["c@1"]).drop("assessor"), scores.head(2).drop("assessor"))


def test_what_was_read_knows_its_task_its_policies_and_its_clusters(tmp_path):
    values = {"a": [0.9, 0.8, 0.1], "b": [0.9, 0.2, 0.5], "truth": [True, False, False]}
    (tmp_path / "pan").mkdir()
    for name, row in values.items():
        key = "same" if name == "truth" else "value"
        lines = [json.dumps({"id": f"p{place}", key: value}) for place, value in enumerate(row)]
        (tmp_path / f"pan/{name}.jsonl").write_text("\n".join([*lines, ""]))
    pairs = nonresponse.read(tmp_path / "pan")
    scores = dict(nonresponse.score(pairs, ["accuracy"]).select("run", "value").iter_rows())
    assert (pairs.task, scores["a"], scores["b"]) == ("validation", 2 / 3, 2 / 3)
    assert nonresponse.compare(pairs, "a", "b").measures["measure"][0] == "c@1"
    write(OLD, tmp_path / "before.csv")
    write(crash_judge(OLD), tmp_path / "after.csv")
    (tmp_path / "questions.csv").write_text(
        "question,test\n" + "".join(f"{name},t{name[-1]}\n" for name in OLD)
    )
    files, clusters = [tmp_path / "before.csv", tmp_path / "after.csv"], {"cluster": "test"}
    responses = nonresponse.read(
        files, questions=str(tmp_path / "questions.csv"), unscored="exclude", **clusters
    )
    # Without that of the questions that nobody judged
    assert nonresponse.compare(responses, "before", "after").units == 9
    number = sum(place % 10 > 0 for place in range(60))
    right = sum(state == "correct" for place, state in enumerate(OLD.values()) if place % 10)
    [row] = nonresponse.score(responses, ["accuracy"]).filter(run="after").to_dicts()
    assert row["value"] == pytest.approx(right / number)
    assert row["worst"] < row["value"] < row["best"]
    assert "2 runs, 60 questions; " in repr(responses)


def run_cell(notebook: Any) -> list[list[Any]]:
    """What the outputs of each cell show, without when and where they were made."""
    outputs = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    return [[line.get("data", line.get("text", line)) for line in output] for output in outputs]


@pytest.mark.slow
def test_the_notebook_shows_what_it_gives(monkeypatch):
    nbformat = pytest.importorskip("nbformat", reason="nbclient executes the notebook")
    nbclient = pytest.importorskip("nbclient", reason="nbclient executes the notebook")
    pytest.importorskip("ipykernel", reason="ipykernel executes the notebook")
    monkeypatch.setenv("PYTHONPATH", str(HOME / "src"))
    stored = nbformat.read(HOME / "docs/notebook.ipynb", as_version=4)
    notebook = copy.deepcopy(stored)
    run = nbclient.NotebookClient(
        notebook, resources={"metadata": {"path": str(HOME / "docs")}}, timeout=300
    )
    run.execute()
    assert all(run_cell(stored))
    assert run_cell(notebook) == run_cell(stored)


def test_the_examples_in_docstrings_give_what_they_say(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.csv").write_text(
        "run,question,verdict\na,q1,correct\na,q2,unanswered\nb,q1,wrong\nb,q2,correct\n"
    )
    result = doctest.testmod(api)
    assert (result.failed, result.attempted > 3) == (0, True)
