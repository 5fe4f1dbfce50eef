"""Real campaigns through the library's stages give what was published (see reading.DATA)."""

import polars as pl
import pytest
from nonresponse import tables
from nonresponse.ingest import reading
from nonresponse.ingest.files import find_files
from pipeline import Campaign
from reading import DATA, needs


def judge(folder, task: str, tables_by_name: dict[str, pl.DataFrame], **rules) -> Campaign:
    """Return the campaign of these tables, the first of which has the responses."""
    paths = {name: folder / f"{name}.parquet" for name in tables_by_name}
    for name, frame in tables_by_name.items():
        tables.write(frame, paths[name])
    (responses, part), *sources = paths.items()
    sources = {name: [path] for name, path in sources}
    return Campaign(folder, task).judge(sources, responses, [part], rules)


def board(campaign: Campaign, *ids: str) -> pl.DataFrame:
    """Return the counts of each run, and a column for each measure."""
    table = campaign.counts
    for id in ids:
        scores = campaign.values(id).select("assessor", "run", pl.col("value").alias(id))
        table = table.join(scores, on=["assessor", "run"])
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
    published = {"auc": "AUC", "f@1": "F1", "fu_2020@0.5": "F0.5u", "c@1": "published c@1"}
    published[f"mean({','.join(OVERALL)})"] = "Overall"
    ours = board(judge(tmp_path, "validation", sources), *published, "fu@0.5")
    theirs = pl.read_csv(DATA / "pan20/metrics_published.csv").rename({"c@1": "published c@1"})
    table = ours.join(theirs, left_on="run", right_on="system")
    assert table.height == 13 and (table["n"] == 14311).all()
    for measure, column in published.items():
        assert (table[measure] - table[column]).abs().max() < 1e-6, measure
    silent = (table["u_p"] + table["u_n"]) > 0
    assert silent.sum() == 5
    assert (table["fu@0.5"] != table["fu_2020@0.5"]).to_list() == silent.to_list()


def grade(folder, file: str, options: dict, **rules) -> Campaign:
    """Return the campaign of a file of graded responses."""
    graded, _, _, _, faults = reading.read_graded([file], {"format": "tabular"} | options, "qa")
    assert faults == []
    questions = tables.make_empty(tables.QUESTIONS)
    return judge(folder, "qa", {"graded_responses": graded, "questions": questions}, **rules)


@pytest.mark.slow
@needs("mmlu_pro")
def test_mmlu_pro_counts_and_c_at_1(tmp_path):
    """29 language models, 12,032 questions; empty = no answer, MISSING = never asked."""
    columns = {"question": "question_id", "category": "category"}
    options = {"layout": "wide", "columns": columns, "gold": "answer"}
    file = str(DATA / "mmlu_pro/pred_matrix.csv")
    _, _, _, _, *systems = pl.read_csv(file, n_rows=0).columns
    options |= {"missing": ["MISSING"], "systems": systems}
    ours = board(grade(tmp_path, file, options, missing="unanswered"), "accuracy", "c@1")
    table = ours.join(pl.read_csv(DATA / "mmlu_pro/run_counts.csv"), on="run")
    assert table.height == ours.height == 29 and (table["n"] == 12032).all()
    assert (table["n_ac"] == table["correct"]).all()
    assert (table["n_u"] - table["n_missing"] == table["null"]).all()
    complete = table.filter(pl.col("n_missing") == 0)
    assert complete.height >= 20
    for id in ("accuracy", "c@1"):
        assert (complete[id] - complete[f"{id}_right"]).abs().max() < 5.1e-5
