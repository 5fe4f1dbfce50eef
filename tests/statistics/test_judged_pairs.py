"""Pairs compared with a judge's help: simulated judges of known errors, and real ones."""

import numpy as np
import polars as pl
import pytest
from nonresponse.statistics import judged_pairs
from validation.judges import beside

SETTINGS = {"seed": 1, "level": 0.05, "flips": 250}


def test_a_judge_who_says_the_same_of_all_has_no_weight():
    table = judged_pairs.pairs(
        beside(1, [0.4, 0.6], 50, 100, 1.0, 1.0), "j", ["accuracy"], {}, SETTINGS
    )
    assert table["weight"].item() == 0 and table["p_maxt"].item() == table["official_p_maxt"].item()


def test_too_little_that_was_judged_twice_and_nothing_that_was_not():
    for gold, others in ((19, 100), (100, 0)):
        assert judged_pairs.pairs(
            beside(1, [0.4, 0.6], gold, others), "j", ["accuracy"], {}, SETTINGS
        ).is_empty()


def test_a_cluster_with_the_name_of_a_question_is_not_that_question():
    """Twenty units, of which nineteen were counted."""
    rows, clusters = beside(1, [0.4, 0.6], 20, 100), {"q00000": "q00001"}
    assert judged_pairs.pairs(rows, "j", ["accuracy"], clusters, SETTINGS).height == 1


def test_what_nobody_had_to_judge_counts_as_it_is():
    """If both leave open as many questions again, the difference is halved."""
    rows = beside(1, [0.4, 0.6], 50, 200)
    silent = rows.with_columns(question="x" + pl.col("question"), ours=2, theirs=2, to_judge=False)
    both = pl.concat([rows, silent.cast(dict(rows.schema))])
    one, half = (
        judged_pairs.pairs(it, "j", ["accuracy"], {}, SETTINGS)["difference"].item()
        for it in (rows, both)
    )
    assert half == pytest.approx(one / 2)


def unlike_often(number: int, gold: int = 60, others: int = 60) -> pl.DataFrame:
    """Two equal runs; a was asked the easy questions eight times and the hard ones once, b the
    other way round."""
    draw, rows = np.random.default_rng([14, number]), []
    for run in "ab":
        for question in range(gold + others):
            easy = question % 2 == 0
            for _ in range(8 if easy == (run == "a") else 1):
                ours = int(draw.random() > (0.9 if easy else 0.1))
                theirs = ours if draw.random() < 0.95 else 1 - ours
                rows.append(
                    (run, f"q{question:03}", theirs, ours if question < gold else None, True)
                )
    return pl.DataFrame(rows, ["run", "question", "theirs", "ours", "to_judge"], orient="row")


def test_a_response_is_a_part_of_its_question():
    """Responses counted alike made a better by .6, with p below .001."""
    tables = [
        judged_pairs.pairs(unlike_often(number), "j", ["accuracy"], {}, SETTINGS)
        for number in range(20)
    ]
    found = pl.concat(tables)
    assert abs(found["difference"].mean()) < 0.02 and (found["p_maxt"] <= 0.05).sum() <= 3
    assert ((found["lower"] <= 0) & (found["upper"] >= 0)).sum() >= 17
