"""Pairs compared with a judge's help: simulated judges of known errors, and real ones."""

import polars as pl
import pytest
from nonresponse.statistics import judged_pairs
from validation.judges import draw_pair_states

SETTINGS = {"seed": 1, "level": 0.05, "flips": 250}


def test_a_judge_who_says_the_same_of_all_has_no_weight():
    table = judged_pairs.compare_runs(
        draw_pair_states(1, [0.4, 0.6], 50, 100, 1.0, 1.0), "j", ["accuracy"], {}, SETTINGS
    )
    assert table["weight"].item() == 0 and table["p_maxt"].item() == table["official_p_maxt"].item()


def test_too_little_that_was_judged_twice_and_nothing_that_was_not():
    for gold, unlabelled in ((19, 100), (100, 0)):
        assert judged_pairs.compare_runs(
            draw_pair_states(1, [0.4, 0.6], gold, unlabelled), "j", ["accuracy"], {}, SETTINGS
        ).is_empty()


def test_a_cluster_with_the_name_of_a_question_is_not_that_question():
    """Twenty units, of which nineteen were counted."""
    rows, clusters = draw_pair_states(1, [0.4, 0.6], 20, 100), {"q00000": "\0q00001"}
    assert judged_pairs.compare_runs(rows, "j", ["accuracy"], clusters, SETTINGS).height == 1


def test_what_nobody_had_to_judge_counts_as_it_is():
    """If both leave open as many questions again, the difference is halved."""
    rows = draw_pair_states(1, [0.4, 0.6], 50, 200)
    silent = rows.with_columns(question="x" + pl.col("question"), ours=2, theirs=2, judgeable=False)
    all_rows = pl.concat([rows, silent.cast(dict(rows.schema))])
    full, half = (
        judged_pairs.compare_runs(part, "j", ["accuracy"], {}, SETTINGS)["difference"].item()
        for part in (rows, all_rows)
    )
    assert half == pytest.approx(full / 2)
