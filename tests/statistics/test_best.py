"""Where runs may stand: plain loops, and campaigns whose true order is known."""

import numpy as np
import pytest
from comparing import compared, flips_of
from nonresponse import measures
from nonresponse.statistics import sign_flips
from nonresponse.statistics.influence import Dense, turned
from nonresponse.statistics.outcomes import Outcomes
from nonresponse.statistics.pairs import Pairs
from nonresponse.statistics.shrinkage import shrink
from validation import ranks, shrunken
from validation.ranks import NAMES, drawn, standing


def test_the_flips_that_lead_as_far_as_was_seen_in_a_loop():
    psi = np.random.default_rng(1).normal([[0.0], [0.2], [0.5], [0.5]], size=(4, 30))
    score = psi.mean(axis=1)
    found = flips_of(sign_flips.behind, Pairs(score, Dense(psi)), 1, "c", 300)
    centred = psi - score[:, None]
    signs = 1 - 2.0 * np.unpackbits(np.concatenate(list(turned(1, "c", 30, 300))), axis=1, count=30)
    for i in range(4):
        others = [j for j in range(4) if j != i]
        scale = {j: np.sqrt(((centred[j] - centred[i]) ** 2).sum()) for j in others}

        def lead(j: int, i: int = i) -> float:
            """sqrt(n) t / sqrt(t² + n - 1), as of the flips."""
            t = (score[j] - score[i]) * np.sqrt(30) / (psi[j] - psi[i]).std(ddof=1)
            return t * np.sqrt(30) / np.sqrt(t**2 + 29)

        seen = max(max(map(lead, others)), 0)
        flipped = [max(((centred[j] - centred[i]) @ sign) / scale[j] for j in others) for sign in signs]
        assert found[i] == sum(max(value, 0) >= seen * (1 - 1e-9) for value in flipped), i
    assert found[score.argmax()] == 300


def test_less_is_better_the_other_way_round():
    right = drawn(1, np.array([0.3, 0.5, 0.9]), 60)
    matrices = {"n_ac": right, "n_aw": ~right}
    names = NAMES[:3], [f"{q:02}" for q in range(60)]
    counts = {name: matrix.astype(np.float32) for name, matrix in matrices.items()} | {
        "n": np.ones((1, 60), np.float32)
    }
    found, _ = compared(Outcomes(measures.get("qa", "wrong_given_attempted"), *names, counts), level=0.05)
    assert found["may_be_best"].to_list() == standing(right)["may_be_best"].to_list() == [False, False, True]
    assert found.select("rank_low", "rank_high").row(2) == (1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("rights", list(ranks.RUNS.values())[:3], ids=list(ranks.RUNS)[:3])
def test_ranges_of_ranks_and_possible_bests_hold_the_truth(rights):
    """And are not wider than necessary: they hardly ever span all ranks if runs are far apart."""
    found = ranks.places_held(rights, 200, 40)
    assert found["ranks"].mean() >= 0.9 and found["best"].mean() >= 0.85
    if np.ptp(rights):
        assert found["width"].mean() < 7.5


@pytest.mark.parametrize("runs", [10, 30])
def test_the_best_run_is_drawn_in_as_far_as_it_was_lucky(runs):
    """The first of equal runs scores too high by .05 or more, but hardly so once shrunken; also if runs differ."""
    for spread in (0.0, 0.03):
        raw, drawn_in = shrunken.luck_of_the_best(runs, spread, 200).values()
        assert np.mean(raw) > 0.04 and abs(np.mean(drawn_in)) < 0.015, spread
        assert np.square(drawn_in).mean() < np.square(raw).mean()


def test_a_run_of_few_questions_is_drawn_in_more_than_one_of_many():
    """Six runs were asked 20 of 1,000 questions, six all; shrinking brings the few nearer, and spares the many."""
    raw, drawn_in, asked = [], [], np.repeat([20, 1000], 6)
    for number in range(40):
        draw = np.random.default_rng([9, number])
        rights = 0.6 + 0.05 * draw.normal(size=12)
        right = (draw.random((12, 1000)) < rights[:, None]).astype(float)
        known = draw.permuted(np.arange(1000) < asked[:, None], axis=1)
        score = (right * known).sum(axis=1) / asked
        psi = score[:, None] + known * (right - score[:, None]) * 1000 / asked[:, None]
        raw.append(np.square(score - rights))
        drawn_in.append(np.square(shrink(Pairs(score, Dense(psi))) - rights))
    few, many = (np.mean(drawn_in, axis=0) / np.mean(raw, axis=0)).reshape(2, 6).mean(axis=1)
    assert few < 0.4 and many < 1.1


def test_what_is_not_drawn_in():
    right = (np.random.default_rng(1).random((2, 50)) < 0.5).astype(float)
    assert np.isnan(shrink(Pairs(right.mean(axis=1), Dense(right)))).all(), "two runs"
    assert shrink(Pairs(np.ones(4), Dense(np.ones((4, 50))))).tolist() == [1.0] * 4
