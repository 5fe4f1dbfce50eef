"""Real campaigns through the library's stages give what was published (see reading.DATA)."""

import polars as pl
import pytest
from nonresponse import judging, measures, tables, tasks
from nonresponse.ingest import reading
from nonresponse.ingest.files import find_files
from nonresponse.scoring import score, tally
from reading import DATA, needs

POLICY = tasks.POLICIES


def score_runs(task: str, folder, ids: list[str]) -> pl.DataFrame:
    """run and a column per measure, from verdicts.parquet in the folder."""
    verdicts = folder / "verdicts.npz"
    paths = [folder / f"{name}.parquet" for name in ("total", "categories", "bounds")]
    for frame, path in zip(tally.tally(verdicts, task, POLICY), paths, strict=True):
        tables.write(frame, path)
    table = pl.read_parquet(paths[0])
    for id in ids:
        measure = measures.get(task, id)
        if measure.kind == "counts":
            scores, _ = score.score_counts(measure, *paths)
        else:
            scores, _ = score.score_verdicts(measure, verdicts, POLICY)
        table = table.join(
            scores.select("assessor", "run", pl.col("value").alias(id)), on=["assessor", "run"]
        )
    return table


OVERALL = ("auc", "c@1", "f@1", "fu_2020@0.5")  # of whose mean PAN 2020 made the ranking


@pytest.mark.slow
@needs("pan20")
def test_pan_2020_as_published(tmp_path):
    """All 13 runs; the corrected F differs where pairs are left open."""
    files = find_files(str(DATA / "pan20/answers/*.jsonl"))
    responses, names, faults = reading.read_responses(files, {"format": "pan"}, "validation")
    truth = [str(DATA / "pan20/truth.jsonl")]
    judgments, extra = reading.read_judgments(truth, {"format": "pan"}, ["YES", "NO"], "validation")
    assert faults + extra == [] and names.height == 13
    questions = tables.complete(judgments.select("question").sort("question"), tables.QUESTIONS)
    sources = {"responses": responses, "judgments": judgments, "questions": questions}
    for name, frame in sources.items():
        tables.write(frame, tmp_path / f"{name}.parquet")
    paths = {name: [tmp_path / f"{name}.parquet"] for name in sources}
    judging.judge("validation", paths, tmp_path / "verdicts.npz")
    published = {"auc": "AUC", "f@1": "F1", "fu_2020@0.5": "F0.5u", "c@1": "published c@1"}
    published[f"mean({','.join(OVERALL)})"] = "Overall"
    ours = score_runs("validation", tmp_path, [*published, "fu@0.5"])
    theirs = pl.read_csv(DATA / "pan20/metrics_published.csv").rename({"c@1": "published c@1"})
    board = ours.join(theirs, left_on="run", right_on="system")
    assert board.height == 13 and (board["n"] == 14311).all()
    for measure, column in published.items():
        assert (board[measure] - board[column]).abs().max() < 1e-6, measure
    silent = (board["u_p"] + board["u_n"]) > 0
    assert silent.sum() == 5
    assert (board["fu@0.5"] != board["fu_2020@0.5"]).to_list() == silent.to_list()


def write_verdicts(file: str, options: dict, folder, **rules) -> pl.DataFrame:
    """Graded responses into verdicts; the runs and their files."""
    graded, names, _, _, faults = reading.read_graded([file], {"format": "tabular"} | options, "qa")
    assert faults == []
    sources = {
        "graded_responses": [folder / "graded.parquet"],
        "questions": [folder / "questions.parquet"],
    }
    tables.write(graded, folder / "graded.parquet")
    tables.write(tables.make_empty(tables.QUESTIONS), folder / "questions.parquet")
    judging.judge("qa", sources, folder / "verdicts.npz", **rules)
    return names


@pytest.mark.slow
@needs("mmlu_pro")
def test_mmlu_pro_counts_and_c_at_1(tmp_path):
    """29 language models, 12,032 questions; empty = no answer, MISSING = never asked."""
    options = {
        "layout": "wide",
        "columns": {"question": "question_id", "category": "category"},
        "gold": "answer",
        "missing": ["MISSING"],
        "ignore": ["n_options"],
    }
    file = str(DATA / "mmlu_pro/pred_matrix.csv")
    assert write_verdicts(file, options, tmp_path, missing="unanswered").height == 29
    ours = score_runs("qa", tmp_path, ["accuracy", "c@1"])
    expected = pl.read_csv(DATA / "mmlu_pro/run_counts.csv")
    board = ours.join(expected, on="run")
    assert board.height == 29
    assert (board["n"] == 12032).all()
    assert board.filter(pl.col("n_ac") != pl.col("correct")).is_empty()
    assert board.filter(pl.col("n_u") - pl.col("n_missing") != pl.col("null")).is_empty()
    complete = board.filter(pl.col("n_missing") == 0)
    assert complete.height >= 20
    # By default what a run never saw is in no n, and all are compared on what all of them saw.
    write_verdicts(file, options, tmp_path)
    rows = score_runs("qa", tmp_path, ["accuracy"]).join(
        board.select("run", missed="n_missing"), on="run"
    )
    assert (rows["n_asked"] + rows["missed"] == 12032).all()
    assert rows["n"].n_unique() == 1 and rows["n"][0] == rows["n_shared"][0] < rows["n_asked"].min()
    assert (complete["accuracy"] - complete["accuracy_right"]).abs().max() < 5.1e-5
    assert (complete["c@1"] - complete["c@1_right"]).abs().max() < 5.1e-5


@needs("nq301")
def test_nq301_two_assessors_beside_the_final_label(tmp_path):
    """12 systems, 301 questions, two assessors side by side; an empty cell is unscored."""
    options = {
        "columns": {"question": "qid", "run": "system"},
        "assessors": {"final": "final", "ann1": "annotator1", "ann2": "annotator2"},
        "verdicts": {"Yes": "correct", "No": "wrong"},
        "official": "final",
    }
    file = str(DATA / "nq301/nq301_matrix.csv")
    assert write_verdicts(file, options, tmp_path).height == 12
    ours = score_runs("qa", tmp_path, ["accuracy"])
    assert ours.height == 36 and (ours["n"] == 301).all()
    matrix = pl.read_csv(file, infer_schema=False)
    for assessor, column in options["assessors"].items():
        right = matrix.group_by("system").agg(
            right=(pl.col(column) == "Yes").sum(), empty=pl.col(column).is_null().sum()
        )
        board = ours.filter(pl.col("assessor") == assessor).join(
            right, left_on="run", right_on="system"
        )
        assert board.filter(
            (pl.col("n_ac") != pl.col("right")) | (pl.col("n_unscored") != pl.col("empty"))
        ).is_empty()
    assert ours["n_unscored"].sum() > 0
