"""Test what people read: leaderboards in every form, and which measures get a column."""

import re
import shutil
from pathlib import Path

import polars as pl
import pytest
from nonresponse import legible, measures, tables, tasks
from nonresponse.report import document, model
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Column, Table
from nonresponse.report.sections import leaderboard as topic
from nonresponse.scoring import leaderboard
from report_files import typeset


def board_of(values: dict, id: str = "c@1", task: str = "qa", **options) -> pl.DataFrame:
    """The leaderboard of these scores by run; options: worst, best, trivial and baseline."""
    ends = {end: [*options.pop(end, values).values()] for end in ("worst", "best")}
    base = pl.DataFrame({"run": [*values]}).with_columns(assessor=pl.lit("official"))
    scores = base.hstack(pl.DataFrame({"value": [*values.values()]} | ends))
    counts = base.with_columns(n=1, n_ac=1, n_aw=1, n_u=1)
    content = ({id: scores}, counts, [measures.get(task, id)], "official")
    return leaderboard.rank_runs(*content, **{"trivial": []} | options)


def test_trivial_runs_have_no_rank_lower_may_be_better_and_undefined_comes_last():
    values = {"none": None, "good": 0.1, "reject-all": 0.15, "bad": 0.2, "accept-all": 0.5}
    trivial = ["accept-all", "reject-all"]
    board = board_of(values, id="e@2", task="validation", trivial=trivial)
    assert board.select("run", "rank").rows() == [
        ("good", 1),
        ("reject-all", None),
        ("bad", 2),
        ("accept-all", None),
        ("none", None),
    ]


def test_differences_have_the_decimals_of_scores():
    """The baseline has none, which no note calls undefined."""
    board = board_of({"a": 0.5, "b": 0.75, "c": 0.25}, baseline="a")
    assert board["c@1 difference"].to_list() == [0.25, 0.0, -0.25]
    board = board.with_columns(pl.Series("c@1 difference", [5.6e-17, 0.0, -0.25]))
    settings = {"measures": ["c@1"], "baseline": "a"}
    table = topic.tabulate_scores(board, Campaign("camp", "qa", Path(), settings), [])
    cells = [dict(zip(table.header, row, strict=True)) for row in table.cells]
    assert [row["c@1 − a"] for row in cells] == ["+0.0000", "–", "-0.2500"]
    assert table.notes == []


@pytest.mark.parametrize(
    ("values", "cells"),
    [([35.8, 4.0, None], ["35.8", "4.0", "–"]), ([1237, 0], ["1,237", "0"]), ([1 / 3], ["0.33"])],
)
def test_counts_have_the_same_decimals_all_down(values, cells):
    board = pl.DataFrame({"n_ac": values}).with_columns(n=1, n_aw=0, n_u=0)
    columns = {column.name: column for column in topic.list_count_columns(board, tasks.get("qa"))}
    assert [model.format_cell({"n_ac": value}, columns["n_ac"]) for value in values] == cells
    unlike = pl.DataFrame({"n": [1, 2], "n_ac": 1, "n_aw": 0, "n_u": 0})
    assert topic.list_count_columns(unlike, tasks.get("qa"))[0].name == "n"


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="no pdflatex")
@pytest.mark.parametrize("runs", [40, 90])
def test_a_leaderboard_of_ten_measures_fits_the_page_of_an_article(tmp_path, runs):
    ids = [id for id in measures.load_measures("qa") if id not in ("cws", "auc")][:10]
    header = ["rank", "ranks", "run", ids[0], "95 %", *ids[1:], "n", "n_ac", "n_aw", "n_u"]
    row = ["0.5754", "0.5312–0.6194", *["-0.5754 [-0.6000, 0.6000]"] * 9, *["500"] * 4]
    cells = [
        [f"{number}=", "1–13", legible.short(f"{number}" + "W" * 93) + " †", *row]
        for number in range(1, runs + 1)
    ]
    columns = [Column(name, "text") for name in header]
    table = Table(header, cells, columns, "", ["The runs by c@1, highest first."])
    text = document.render_latex(
        "A campaign with a title of some length (simulated data)", table, "camp"
    )
    log = typeset(text, tmp_path, "booktabs,graphicx,textcomp", "12pt")
    assert "Overfull" not in log and "too large" not in log, log[-2000:]
    assert re.findall(r"\\label{tab:(.*)}", text) == ["camp", "camp-2", "camp-3"][: -(-runs // 40)]
    numbers = re.findall("^ *([0-9]+)= *&", text, re.MULTILINE)
    assert numbers == [str(number) for number in range(1, runs + 1)]


def test_pages_on_reliability_pass_over_what_no_run_has(tmp_path):
    """Except for the measure that sorts."""
    values, folder = {"k1": None, "accuracy": 0.5, "cws": None}, tmp_path / "reliability"
    for id, value in values.items():
        # Bob's are not the official judgments
        rows = [("ann", "a", value), ("bob", "a", 0.5)]
        scores = pl.DataFrame(rows, ["assessor", "run", "value"], orient="row")
        tables.write(scores, tmp_path / f"scores/{id}.parquet")
        tables.write(pl.DataFrame({"difference": [0.1]}), folder / f"by_measure/{id}/swap.parquet")
    tables.write(pl.DataFrame({"assessor": ["ann"]}), tmp_path / "counts.parquet")
    sizes = pl.DataFrame({"measure": [*values], "size": 1})
    tables.write(sizes, folder / "summaries/sensitivity.parquet")
    pairs = [("measures", "", "k1", "accuracy"), ("assessors", "cws", "ann", "bob")]
    pairs += [("assessors", "k1", "cws", "bob")]
    rankings = pl.DataFrame(pairs, ["compared", "measure", "a", "b"], orient="row")
    tables.write(rankings, folder / "summaries/rankings.parquet")
    settings = {"measures": [*values], "official": "ann"}
    campaign = Campaign("camp", "qa", tmp_path, settings)
    defined = ["k1", "accuracy"]
    assert (campaign.undefined_measures, campaign.defined_measures) == (["cws"], defined)
    assert campaign.read_summary("sensitivity")["measure"].to_list() == defined
    assert [*campaign.read_by_measure("swap")] == defined
    assert campaign.read_summary("rankings").rows() == [pairs[0], pairs[2]]
