"""Pages of a campaign without named measures leave out empty columns, and say so."""

from pathlib import Path

import polars as pl
from nonresponse.report import campaign as campaigns
from nonresponse.report.measure_columns import choose_measures
from nonresponse.report.sections import leaderboard
from nonresponse.tables import write


def test_a_measure_has_a_column_if_it_says_something_of_its_own():
    """Of runs that are not trivial, up to what the order of computation changes."""
    columns = {"c@1": [0.1, 0.1], "map": [0.2, 0.2], "answered": [0.3, 0.1]}  # the first stays
    columns |= {"uf": [0.3, 0.1 + 1e-16], "accuracy": [0.3, 0.1]}
    columns |= {"accuracy worst": [0.3, 0.1], "accuracy best": [0.4, 0.4], "trivial": [False] * 2}
    board, ids = pl.DataFrame(columns), ["c@1", "map", "answered", "uf", "accuracy"]
    trivial = pl.DataFrame([[0.7, 0.8, 0.9, 0.6, 0.5, 0.5, 0.5, True]], board.schema, orient="row")
    expected, note = choose_measures(pl.concat([board, trivial]), ids, "qa", keep_redundant=False)
    assert expected == ["c@1", "answered", "accuracy"] and "map" in note and "uf" in note
    assert choose_measures(board, ids, "qa", keep_redundant=True) == (ids, "")
    expected, note = choose_measures(board.head(1), ids, "qa", keep_redundant=False)
    assert expected == ["c@1", "map", "answered", "accuracy"] and "map" not in note


def test_pages_on_reliability_pass_over_what_no_run_has(tmp_path):
    """Except for the measure that sorts."""
    values, folder = {"k1": None, "accuracy": 0.5, "cws": None}, tmp_path / "reliability"
    for id, value in values.items():
        # Bob's are not the official judgments
        rows = [("ann", "a", value), ("bob", "a", 0.5)]
        scores = pl.DataFrame(rows, ["assessor", "run", "value"], orient="row")
        write(scores, tmp_path / f"scores/{id}.parquet")
        write(pl.DataFrame({"difference": [0.1]}), folder / f"by_measure/{id}/swap.parquet")
    write(pl.DataFrame({"assessor": ["ann"]}), tmp_path / "counts.parquet")
    sizes = pl.DataFrame({"measure": [*values], "size": 1})
    write(sizes, folder / "summaries/sensitivity.parquet")
    pairs = [("measures", "", "k1", "accuracy"), ("assessors", "cws", "ann", "bob")]
    pairs += [("assessors", "k1", "cws", "bob")]
    rankings = pl.DataFrame(pairs, ["compared", "measure", "a", "b"], orient="row")
    write(rankings, folder / "summaries/rankings.parquet")
    settings = {"measures": [*values], "official": "ann"}
    campaign = campaigns.Campaign("camp", "qa", tmp_path, settings)
    defined = ["k1", "accuracy"]
    assert (campaign.undefined_measures, campaign.defined_measures) == (["cws"], defined)
    assert campaign.read_summary("sensitivity")["measure"].to_list() == defined
    assert [*campaign.read_by_measure("swap")] == defined
    assert campaign.read_summary("rankings").rows() == [pairs[0], pairs[2]]


def test_the_interval_of_a_first_measure_that_is_undefined_is_not_shown():
    nulls = {
        key: [None, None] for key in ("uf", "uf lower", "uf upper", "rank", "behind_reject_all")
    }
    frame = pl.DataFrame({"run": ["a", "b"], "accuracy": [0.5, 0.6]} | nulls)
    frame = frame.with_columns(tied=False, trivial=False, n=1, n_ac=1, n_aw=0, n_u=0)
    settings = {"measures": ["uf", "accuracy"], "level": 0.05}
    table = leaderboard.tabulate_scores(
        frame, campaigns.Campaign("camp", "qa", Path(), settings), []
    )
    assert table.header == ["rank", "run", "accuracy", "n", "correct", "wrong", "unanswered"]
    assert not [note for note in table.list_notes() if "interval" in note or "Ranks" in note]
