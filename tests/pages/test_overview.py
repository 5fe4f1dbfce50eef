"""Runs across campaigns: a table for each group of campaigns that have runs in common."""

import random

import polars as pl
import report_files
from nonresponse.pages.report import overview, page, part
from nonresponse.pages.report.overview import groups, shared
from nonresponse.pages.sections import Campaign


def card(name: str, *runs: str) -> dict:
    """A campaign in which these runs are ranked in this order."""
    scores = {run: [1 - place / 10, place, place, place] for place, run in enumerate(runs, start=1)}
    return {"name": name, "measure": "c@1", "better": "higher", "scores": scores}


def test_ranks_among_other_runs_stand_in_another_table():
    cards = [card("a", "x", "y", "only"), card("b", "p", "q"), card("c", "y", "x"), card("d", "q", "p"), card("e", "z")]
    first, second = shared(cards)
    assert [row[0] for row in first["rows"]] == ["x", "y"] and [row[0] for row in second["rows"]] == ["p", "q"]
    assert [row[1] for row in first["rows"]] == [1.5, 1.5]
    labels = [[column["label"] for column in table["columns"]] for table in (first, second)]
    assert [label[3:] for label in labels] == [["a: c@1", "c: c@1"], ["b: c@1", "d: c@1"]]


def test_a_group_is_what_can_be_reached_by_runs():
    for seed in range(200):
        drawn = random.Random(seed)
        cards = [card(str(place), *drawn.sample("abcdefghij", drawn.randint(0, 3))) for place in range(8)]
        reached = {place: {place} for place in range(8)}
        for _ in cards:
            for place, known in reached.items():
                runs = {run for one in known for run in cards[one]["scores"]}
                reached[place] = known | {other for other in range(8) if runs & {*cards[other]["scores"]}}
        expected = sorted({tuple(sorted(known)) for known in reached.values()})
        assert [tuple(int(one["name"]) for one in group) for group in groups(cards)] == expected


def carded(folder, task: str, source: str, **columns) -> dict:
    """The card of a campaign whose leaderboard has these columns."""
    board = pl.DataFrame({"trivial": False, "rank": 1, "c@1": 0.5} | columns, strict=False)
    board.write_parquet(folder / "leaderboard.parquet")
    settings = report_files.SETTINGS | {"measures": ["c@1"], "source": source}
    return part.card(Campaign("camp", task, folder, settings))


def test_a_trivial_run_is_none_of_the_runs(tmp_path):
    board = {"run": ["a", "b", "reject-all"], "trivial": [False, False, True], "rank": [1, 2, None]}
    made = carded(tmp_path, "qa", "graded", **board, n=[10, 10, 10], n_u=[1, 2, 10], n_unscored=[0, 1, 10])
    assert (made["runs"], made["questions"], made["open"], made["unscored"]) == (2, 10, 0.15, 1)


def test_what_counts_do_not_tell_is_not_0(tmp_path):
    none = pl.Series([None, None], dtype=pl.Float64)
    made = carded(tmp_path, "qa", "counts", run=["a", "b"], n=[10, 10], n_u=none, n_unscored=none)
    assert made["open"] is None is made["unscored"]
    made = carded(tmp_path, "qa", "counts", run=["a", "b"], n=[10, 20], n_u=[None, 5], n_unscored=[0, 0])
    assert (made["open"], made["unscored"]) == (0.25, 0), "of the runs whose counts tell it"
    [table] = [overview.campaigns([made | {"title": "camp"}])]
    assert [row[-2:] for row in table["rows"]] == [["25 %", 0]]


def test_pairs_are_no_questions(tmp_path):
    counts = {"n": [160], "n_questions": [80], "u_p": [10], "u_n": [6]}
    made = carded(tmp_path, "validation", "runs", run=["a"], **counts)
    assert (made["questions"], made["pairs"], made["open"]) == (80, 160, 0.1)
    made["title"] = "camp"
    [table] = [overview.campaigns([made])]
    assert dict(zip(table["names"], table["rows"][0], strict=True))["questions"] == 80
    article = page.template("article.html.j2").render(card=made, sections=[], data="")
    assert "1 run · 80 questions, 160 pairs" in article
