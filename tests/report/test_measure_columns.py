"""Columns of a campaign that names no measures: pages leave out what says nothing, and say so in
one line."""

from pathlib import Path

import polars as pl
import pytest
from nonresponse.report import campaign as campaigns
from nonresponse.report import measure_columns
from nonresponse.report.sections import leaderboard
from nonresponse.tables import write
from pipeline import Campaign

IDS = ["c@1", "map", "answered", "uf", "accuracy"]
SILENT = ["cws", "k1", "r", "k", "aurc", "ece@10"]


def shown(*given, **options) -> tuple[list[str], str]:
    """The measures that get a column, and the text of the note on the others."""
    return measure_columns.shown(*given, **options)


def board(**columns) -> pl.DataFrame:
    types = dict.fromkeys(columns, pl.Float64)
    return pl.DataFrame({"run": ["a", "b"]} | columns, {"run": pl.String} | types)


def test_what_is_undefined_or_the_same_for_all_has_no_column():
    frame = board(
        **{"c@1": [1, 1], "map": [None, None], "answered": [0.1 + 0.2, 0.3], "uf": [1, None]}
    )
    frame = frame.with_columns(accuracy=pl.Series([0.5, 0.6]))
    why = (
        "undefined for all runs: map (the known correct answers are not listed (graded responses))"
    )
    line = f"Without a column: {why}; the same for all runs: answered (0.30)."
    assert shown(frame, IDS, "qa", digits=2) == (["c@1", "uf", "accuracy"], line)
    line = f"Without a column: {why}; the same as c@1 for all runs: uf."
    assert shown(frame.head(1), IDS, "qa") == (["c@1", "answered", "accuracy"], line)
    assert shown(frame, ["accuracy", "uf"], "qa") == (["accuracy", "uf"], "")
    line = f"Without a column: {why}."
    assert shown(frame, IDS, "qa", named=True) == (["c@1", "answered", "uf", "accuracy"], line)


def test_a_score_that_could_be_another_stays():
    """Two runs have the same score, but one of them, or both alike, have unjudged answers that
    might change it."""
    frame = board(
        **{"c@1": [1, 0], "uf": [0.5, 0.5], "uf worst": [0.5, 0.25], "uf best": [0.5, 0.75]}
    )
    assert shown(frame, ["c@1", "uf"], "qa") == (["c@1", "uf"], "")
    frame = frame.with_columns(pl.lit(0.25).alias("uf worst"), pl.lit(0.75).alias("uf best"))
    assert shown(frame, ["c@1", "uf"], "qa") == (["c@1", "uf"], "")


def test_a_score_that_is_another_one_for_all_runs_has_no_column():
    same = {"c@1": [0.5, 0.2], "accuracy": [0.5, 0.2 + 1e-16], "uf": [0, -0.6], "mrr": [0.5, 0.2]}
    line = "Without a column: the same as c@1 for all runs: accuracy, mrr."
    assert shown(board(**same), list(same), "qa") == (["c@1", "uf"], line)
    for other in (
        {"accuracy": [0.5, 0.3], "mrr": [0.5, 0.4]},
        {"accuracy": [0.5, None], "mrr": [None, 0.2]},
    ):
        assert shown(board(**same | other), list(same), "qa") == (list(same), "")
    ends = {"accuracy worst": [0.5, 0.1], "accuracy best": [0.5, 0.2]}
    own = {name.replace("accuracy", "c@1"): values for name, values in ends.items()}
    assert shown(board(**same, **ends), ["c@1", "accuracy"], "qa") == (["c@1", "accuracy"], "")
    assert shown(board(**same, **ends, **own), ["c@1", "accuracy"], "qa")[0] == ["c@1"]
    off = own | {"c@1 best": [0.5, 0.3]}
    assert shown(board(**same, **ends, **off), ["c@1", "accuracy"], "qa")[0] == ["c@1", "accuracy"]


def test_of_a_trivial_run_one_of_two_equal_scores_may_be_unknown():
    frame = board(accuracy=[0.5, 0.25], mrr=[0.5, None]).with_columns(
        trivial=pl.Series([False, True])
    )
    assert shown(frame, ["accuracy", "mrr"], "qa")[0] == ["accuracy"]
    frame = frame.with_columns(trivial=False)
    assert shown(frame, ["accuracy", "mrr"], "qa")[0] == ["accuracy", "mrr"]


@pytest.mark.parametrize(
    ("told", "named"), [({}, False), ({"confidence": 0.5}, True), ({"position": 1}, False)]
)
def test_what_needs_self_scores_is_said_by_the_data(tmp_path, named, told):
    """Whatever columns there are."""
    rows = [
        {"question": f"q{n}", "verdict": verdict} | told
        for n, verdict in enumerate(("correct", "wrong"))
    ]
    campaign = Campaign(tmp_path).graded({"a": rows, "b": rows})
    ids = ["accuracy", *SILENT]
    frame = pl.DataFrame({"run": ["a", "b"]} | {id: campaign.scores(id)["value"] for id in ids})
    columns, line = shown(frame, ids, "qa", named=named)
    if any(value is not None for value in told.values()):
        assert (
            "cws" in columns + line.split(" the same ")[-1].replace(",", "").split()
            and "a place in an order" not in line
        )
        return
    assert columns == ["accuracy"]
    reason = "no response has a place in an order, a confidence or a score"
    assert (
        line == f"Without a column: undefined for all runs: cws, k1, r, k, aurc, ece@10 ({reason})."
    )


def test_pages_on_reliability_pass_over_what_no_run_has(tmp_path):
    """Except for the measure that sorts."""
    ids = ["k1", "accuracy", "cws"]
    for id, found in {"k1": None, "accuracy": 0.5, "cws": None}.items():
        by = {"assessor": ["ann", "bob"], "run": "a"}  # bob's are not the official judgments
        scores = pl.DataFrame(by | {"value": [found, 0.5]}, schema_overrides={"value": pl.Float64})
        (tmp_path / "scores").mkdir(exist_ok=True)
        scores.write_parquet(tmp_path / f"scores/{id}.parquet")
    pl.DataFrame({"assessor": ["ann"]}).write_parquet(tmp_path / "counts.parquet")
    folder = tmp_path / "reliability"
    for id in ids:
        write(pl.DataFrame({"difference": [0.1]}), folder / f"by_measure/{id}/swap.parquet")
    (folder / "summaries").mkdir()
    pl.DataFrame({"measure": ids, "size": 1}).write_parquet(
        folder / "summaries/sensitivity.parquet"
    )
    pairs = [
        ("measures", "", "k1", "accuracy"),
        ("measures", "", "accuracy", "cws"),
        ("assessors", "cws", "ann", "bob"),
    ]
    pairs += [("assessors", "k1", "cws", "bob")]
    pl.DataFrame(pairs, ["compared", "measure", "a", "b"], orient="row").write_parquet(
        folder / "summaries/rankings.parquet"
    )
    campaign = campaigns.Campaign("camp", "qa", tmp_path, {"measures": ids, "official": "ann"})
    assert campaign.undefined == ["cws"] and campaign.defined == ["k1", "accuracy"]
    assert (
        [*campaign.by_measure("swap")]
        == campaign.summary("sensitivity")["measure"].to_list()
        == campaign.defined
    )
    known = campaign.summary("rankings")
    assert known.select("measure", "a", "b").rows() == [
        ("", "k1", "accuracy"),
        ("k1", "cws", "bob"),
    ]


def test_the_interval_of_a_first_measure_that_is_undefined_is_not_shown():
    frame = board(
        uf=[None, None], accuracy=[0.5, 0.6], **{"uf lower": [None, None], "uf upper": [None, None]}
    )
    frame = frame.with_columns(
        rank=None, tied=False, trivial=False, behind_reject_all=None, n=1, n_ac=1, n_aw=0, n_u=0
    )
    campaign = campaigns.Campaign(
        "camp", "qa", Path(), {"measures": ["uf", "accuracy"], "level": 0.05}
    )
    table = leaderboard.scores_table(frame, campaign, [])
    assert table.header == ["rank", "run", "accuracy", "n", "n_ac", "n_aw", "n_u"]
    assert not [note for note in table.below() if "interval" in note or "Ranks" in note]
