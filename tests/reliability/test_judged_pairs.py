"""Pairs compared with a judge's help: simulated judges of known errors, and real ones."""

import csv

import numpy as np
import polars as pl
import pytest
from nonresponse.reliability import judged_pairs
from reading import DATA, needs
from scipy.special import ndtri

SETTINGS = {"seed": 1, "level": 0.05, "flips": 250}


def beside(number: int, rights: list, gold: int, others: int, hit: float = 0.93, alarm: float = 0.08, silent=0.0):
    """gold_sample.beside: people judged some questions, the model all; questions are easy or hard for all runs."""
    draw, questions = np.random.default_rng([9, number]), gold + others
    shape = len(rights), questions
    easy = np.sqrt(0.5) * (draw.normal(size=questions) + draw.normal(size=shape))
    ours = np.where(easy < ndtri(np.array(rights))[:, None], 0, 1)
    ours[draw.random(shape) < silent] = 2
    luck = draw.random(shape)
    theirs = np.where(luck < np.where(ours == 0, hit, alarm), 0, 1)
    theirs[(ours == 2) & (luck < 0.95)] = 2
    runs, names = [f"r{run:02}" for run in range(len(rights))], [f"q{question:05}" for question in range(questions)]
    rows = {"run": np.repeat(runs, questions), "question": np.tile(names, len(runs)), "theirs": theirs.ravel()}
    frame = pl.DataFrame(rows | {"ours": ours.ravel()}).with_columns(to_judge=True)
    return frame.with_columns(ours=pl.when(pl.col("question") < f"q{gold:05}").then("ours"))


def found(rights: list, times: int, id: str = "accuracy", **world) -> dict[str, float]:
    """Shares of campaigns with a false difference, of true ones found, and of intervals that hold; their width."""
    x, y = np.triu_indices(len(rights), 1)
    true = np.array(rights)[x] - np.array(rights)[y]
    rows = {name: [] for name in ("false", "found", "alone", "held", "width", "weight")}
    for number in range(times):
        table = judged_pairs.pairs(beside(number, rights, **world), "j", [id], {}, SETTINGS)
        told, alone = ((table[name] <= 0.05).to_numpy() for name in ("p_maxt", "official_p_maxt"))
        rows["false"].append(told[true == 0].any())
        rows["found"] += told[true != 0].tolist()
        rows["alone"] += alone[true != 0].tolist()
        rows["held"] += ((table["lower"].to_numpy() <= true) & (true <= table["upper"].to_numpy())).tolist()
        rows["width"].append((table["upper"] - table["lower"]).mean())
        rows["weight"].append(table["weight"][0])
    return {name: float(np.mean(values)) if values else np.nan for name, values in rows.items()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "world"),
    [
        (0.6, {"gold": 20, "others": 300}),
        (0.6, {"gold": 100, "others": 600}),
        (0.97, {"gold": 100, "others": 600}),
        (0.6, {"gold": 100, "others": 600, "hit": 0.6, "alarm": 0.5}),
        (0.5, {"gold": 100, "others": 600, "silent": 0.2, "id": "c@1"}),
    ],
)
def test_equal_runs_are_told_apart_as_seldom_as_said(right, world):
    row = found([right] * 6, 80, **world)
    assert row["false"] <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 80) and row["held"] >= 0.91, row


@pytest.mark.slow
def test_a_good_judge_finds_what_people_alone_do_not():
    """One run of six is better: found in 96 of 100 campaigns with the judge, in 68 by the people's part alone."""
    row = found([0.5] * 5 + [0.65], 30, gold=150, others=1000)
    assert row["found"] > row["alone"] + 0.15 and row["held"] >= 0.91, row


def test_a_judge_who_says_the_same_of_all_has_no_weight():
    table = judged_pairs.pairs(beside(1, [0.4, 0.6], 50, 100, 1.0, 1.0), "j", ["accuracy"], {}, SETTINGS)
    assert table["weight"].item() == 0 and table["p_maxt"].item() == table["official_p_maxt"].item()


def test_too_little_that_was_judged_twice_and_nothing_that_was_not():
    for gold, others in ((19, 100), (100, 0)):
        assert judged_pairs.pairs(beside(1, [0.4, 0.6], gold, others), "j", ["accuracy"], {}, SETTINGS).is_empty()


def test_what_nobody_had_to_judge_counts_as_it_is():
    """As many questions again that both leave open: half the difference."""
    rows = beside(1, [0.4, 0.6], 50, 200)
    silent = rows.with_columns(question="x" + pl.col("question"), ours=2, theirs=2, to_judge=False)
    both = pl.concat([rows, silent.cast(dict(rows.schema))])
    one, half = (judged_pairs.pairs(it, "j", ["accuracy"], {}, SETTINGS)["difference"].item() for it in (rows, both))
    assert half == pytest.approx(one / 2)


@needs("nq301")
def test_real_judges_correct_to_what_people_say():
    """A model's labels of twelve systems, people's of a hundred of 301 questions: nearer the final labels of all."""
    states = {"Yes": 0, "No": 1, "Other": 1, "": None}
    with (DATA / "nq301/nq301_matrix.csv").open() as file:
        matrix = list(csv.DictReader(file))
    rows = pl.DataFrame(
        [(line["system"], line["qid"], states[line["gpt4_judge"]], states[line["final"]], True) for line in matrix],
        ["run", "question", "theirs", "ours", "to_judge"],
        orient="row",
    ).drop_nulls()
    right = dict(rows.group_by("run").agg((pl.col("ours") == 0).mean()).rows())
    by_model = dict(rows.group_by("run").agg((pl.col("theirs") == 0).mean()).rows())
    questions, held, off, raw = sorted(set(rows["question"])), [], [], []
    for number in range(15):
        some = np.random.default_rng([10, number]).permutation(questions)[:100].tolist()
        part = rows.with_columns(ours=pl.when(pl.col("question").is_in(some)).then("ours"))
        for row in judged_pairs.pairs(part, "gpt4", ["accuracy"], {}, SETTINGS).rows(named=True):
            true = right[row["a"]] - right[row["b"]]
            held.append(row["lower"] <= true <= row["upper"])
            off.append((row["difference"] - true) ** 2)
            raw.append((by_model[row["a"]] - by_model[row["b"]] - true) ** 2)
    assert np.mean(held) >= 0.93
    assert np.mean(off) < 0.05**2
