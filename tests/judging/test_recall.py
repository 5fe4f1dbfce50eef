"""A memo saves time and nothing else: the verdicts are the same bytes with and without, whatever was edited."""

import random

import polars as pl
import pytest
from nonresponse import judging, tables
from nonresponse.judging.cells import Cells
from pipeline import Campaign

QUESTIONS = [f"q{number:02}" for number in range(12)]


def judged(folder, draw: random.Random) -> Campaign:
    """Runs in three shards, of which some answer several times, withhold and return NIL; two assessors."""
    texts = ["x", "y", "z", "NIL", None]
    runs = {
        f"r{number}": [
            {"question": name, "rank": rank, "answer": draw.choice(texts), "confidence": draw.random()}
            for name in QUESTIONS
            if draw.random() < 0.8
            for rank in range(1, draw.choice([1, 1, 2]) + 1)
        ]
        for number in range(6)
    }
    gold = {who: [line for name in QUESTIONS for line in lines(draw, name)] for who in ("ann", "bob")}
    return Campaign(folder, shards=3).judged(runs, gold, [{"question": name} for name in QUESTIONS], {"nil": ["NIL"]})


def lines(draw: random.Random, question: str) -> list[dict]:
    return [
        {"question": question, "answer": text, "label": draw.choice("RWX")} for text in "xyz" if draw.random() < 0.8
    ]


def edited(campaign: Campaign, draw: random.Random) -> None:
    """Turns, adds and removes judgments, or changes what a run answered, in place."""
    [file] = campaign.sources["judgments"]
    kind, rows = draw.choice(["label", "lines", "answer", "nothing"]), pl.read_parquet(file)
    number = draw.randrange(rows.height)
    if kind == "label":
        label = pl.when(pl.int_range(pl.len()) == number).then(pl.lit(draw.choice("RWX"))).otherwise("label")
        tables.write(rows.with_columns(label=label), file)
    elif kind == "lines":
        tables.write(rows.filter(pl.int_range(pl.len()) != number), file)
    elif kind == "answer":
        shard = draw.choice(campaign.sources["responses"])
        given = pl.read_parquet(shard)
        here = pl.int_range(pl.len()) == draw.randrange(given.height)
        tables.write(given.with_columns(answer=pl.when(here, "answered").then(pl.lit("w")).otherwise("answer")), shard)


@pytest.mark.parametrize("seed", range(2))
def test_the_bytes_are_those_without_a_memo(tmp_path, seed):
    draw = random.Random(seed)
    campaign, memo = judged(tmp_path, draw), tmp_path / "memo.npz"
    for step in range(8):
        rules = draw.choice([{}, {}, {}, {"correct": ["R", "X"]}])
        judging.judge("qa", campaign.sources, tmp_path / "clean.npz", **rules)
        judging.judge("qa", campaign.sources, tmp_path / "with.npz", memo=memo, code="1", **rules)
        assert (tmp_path / "with.npz").read_bytes() == (tmp_path / "clean.npz").read_bytes(), (seed, step)
        if step == 5:
            memo.write_bytes(memo.read_bytes()[:-99])  # damaged, it is no memo
        edited(campaign, draw)


def test_only_what_changed_is_judged_again(tmp_path, monkeypatch):
    campaign, memo, put = judged(tmp_path, random.Random(1)), tmp_path / "memo.npz", []
    own = Cells.put

    def counted(cells, connection, query):
        put.append(connection.sql(f"SELECT count(*) FROM ({query})").fetchall()[0][0])
        own(cells, connection, query)

    monkeypatch.setattr(Cells, "put", counted)

    def again() -> list[int]:
        put.clear()
        judging.judge("qa", campaign.sources, tmp_path / "with.npz", memo=memo, code="1")
        return list(put)

    first = again()
    assert len(first) == 3 and min(first) > 20 and again() == []
    [file] = campaign.sources["judgments"]
    rows = pl.read_parquet(file)
    bytes_of = {}
    for label in "RWX":
        changed = pl.when(pl.col("question") == "q03").then(pl.lit(label)).otherwise("label")
        tables.write(rows.with_columns(label=changed), file)
        found = again()
        assert len(found) == 3 and all(number <= 4 for number in found), label
        bytes_of[label] = (tmp_path / "with.npz").read_bytes()
    assert bytes_of["W"] == bytes_of["X"] != bytes_of["R"], "labels of the same verdict are the same bytes"
    shard = campaign.sources["responses"][1]
    given = pl.read_parquet(shard)
    tables.write(given.filter(pl.col("question") != "q00"), shard)
    assert len(again()) == 1
