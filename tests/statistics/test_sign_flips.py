"""Sign flips beside plain loops on the same signs."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from comparing import count_flips
from hypothesis import given, settings
from hypothesis import strategies as st
from nonresponse.statistics import influence, sign_flips
from nonresponse.statistics.influence import CellValues, Dense, draw_flips
from nonresponse.statistics.pairs import Pairs

FLIPS = 300


def draw_signs(questions: int, flips: int = FLIPS) -> np.ndarray:
    packed = np.concatenate(list(draw_flips(1, "c", questions, flips)))
    return 1.0 - 2 * np.unpackbits(packed, axis=1, count=questions).T


def make_values(seed: int, runs: int = 5, questions: int = 20) -> tuple[np.ndarray, np.ndarray]:
    """Return scores and pseudo-values with means near them; every second seed has ties."""
    draw = np.random.default_rng(seed)
    psi = (draw.random((runs, questions)) < draw.random((runs, 1))).astype(float)
    if seed % 2:
        psi += draw.normal(size=psi.shape)
    return psi.mean(axis=1) + (seed % 2) * draw.normal(size=runs) * 0.001, psi


def p_maxt(score: np.ndarray, psi: np.ndarray, seed: int, flips: int) -> np.ndarray:
    tested = Pairs(score, Dense(psi))
    return sign_flips.step_down(
        tested, count_flips(sign_flips.count_exceeding, tested, seed, "c", flips), flips
    )


def p_max_t(score, psi, signs) -> dict:
    """The recipe word by word."""
    n, flips = signs.shape

    def t(difference, c):
        variance = ((c**2).sum() - difference**2 / n) / (n - 1)
        return abs(difference) / np.sqrt(n) / np.sqrt(variance) if variance > 1e-12 else np.inf

    least = 2.0 ** (1 - n)  # of n questions, that all differences have one sign
    statistic, centred, p = {}, {}, {}
    for x, y in combinations(range(len(psi)), 2):
        d = psi[x] - psi[y]
        gap = abs(score[x] - score[y])
        if np.allclose(d, d[0]):
            p[x, y] = 1.0 if gap < 1e-9 else max(1 / (flips + 1), least)
        else:
            statistic[x, y], centred[x, y] = gap * np.sqrt(n) / d.std(ddof=1), d - d.mean()
    starred = [{pair: t((sign * c).sum(), c) for pair, c in centred.items()} for sign in signs.T]
    for pair, value in statistic.items():
        rivals = [rival for rival in statistic if statistic[rival] <= value * (1 + 1e-9)]
        exceeding = sum(
            max(flip[rival] for rival in rivals) >= value * (1 - 1e-9) for flip in starred
        )
        p[pair] = max((1 + exceeding) / (flips + 1), least)
    largest_first = sorted(statistic, key=statistic.get, reverse=True)
    for larger, smaller in pairwise(largest_first):
        p[smaller] = max(p[smaller], p[larger])
    return p


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([5, 8, 20]))
def test_max_t_in_a_loop(seed, questions):
    score, psi = make_values(seed, questions=questions)
    counts = p_maxt(score, psi, 1, FLIPS)
    expected = p_max_t(score, psi, draw_signs(psi.shape[1]))
    assert dict(zip(combinations(range(5), 2), counts, strict=True)) == pytest.approx(expected)


def test_differences_that_are_the_same_for_every_question():
    psi = np.array([[1.0] * 30, [0.0] * 30, [1.0] * 30])
    score = psi.mean(axis=1)
    assert p_maxt(score, psi, 1, 100).tolist() == [1 / 101, 1, 1 / 101]


def make_cells(psi: np.ndarray) -> CellValues:
    """Values of 0 and 1 as cells."""
    return CellValues(psi.astype(np.uint8), np.tile([0.0, 1.0], (len(psi), 1)), (0, 1))


@pytest.mark.parametrize("kind", [Dense, make_cells])
def test_flips_of_few_questions_are_counted_once_as_often_as_they_were_drawn(kind, monkeypatch):
    """20,000 runs of 10 questions took minutes to count 5,000 flips, of which 1,024 differ."""
    monkeypatch.setattr(sign_flips, "MAX_PAIRS", 0)
    psi = (np.random.default_rng(1).random((9, 6)) < 0.6).astype(float)
    pairs, looked_at = Pairs(psi.mean(axis=1), kind(psi)), []

    def watch(compared: Pairs) -> sign_flips.FlipCounter:
        return lambda sums, times: looked_at.append(sums.shape[1]) or np.zeros(1, np.int64)

    count_flips(watch, pairs, 1, "c", FLIPS)
    assert sum(looked_at) <= 2**6 < FLIPS
    for counter in (sign_flips.count_exceeding, sign_flips.count_behind):
        counts = count_flips(counter, pairs, 1, "c", FLIPS)
        count = counter(pairs)
        parts = [count(block, None) for block in pairs.influence.signed_sums(1, "c", FLIPS)]
        assert counts.tolist() == sum(parts).tolist()


def test_the_flips_that_lead_as_far_as_was_seen_in_a_loop():
    psi = np.random.default_rng(1).normal([[0.0], [0.2], [0.5], [0.5]], size=(4, 30))
    score = psi.mean(axis=1)
    counts = count_flips(sign_flips.count_behind, Pairs(score, Dense(psi)), 1, "c", FLIPS)
    centred, signs = psi - score[:, None], draw_signs(30).T
    for i in range(4):
        leads, flipped = [0.0], [np.zeros(FLIPS)]
        for j in {0, 1, 2, 3} - {i}:
            t = (score[j] - score[i]) * np.sqrt(30) / (psi[j] - psi[i]).std(ddof=1)
            leads.append(t * np.sqrt(30) / np.sqrt(t**2 + 29))
            gap = centred[j] - centred[i]
            flipped.append(signs @ gap / np.sqrt((gap**2).sum()))
        assert counts[i] == (np.max(flipped, axis=0) >= max(leads) * (1 - 1e-9)).sum(), i
    assert counts[score.argmax()] == FLIPS


def draw_cells(cells: int, runs: int = 5, questions: int = influence.BLOCK + 75) -> CellValues:
    """Make values of runs in cells, which are undefined where a run has no question."""
    draw = np.random.default_rng(cells)
    places = draw.integers(0, cells, (runs, questions)).astype(np.uint8)
    places[0] = cells - 1
    values = draw.normal(size=(runs, cells))
    values[0, : cells - 1] = np.nan
    return CellValues(places, values, tuple(range(cells)))


def test_sums_are_the_same_in_any_order_of_questions_and_equal_for_equal_runs():
    values, repeats = draw_cells(3), [0, 1, 1, 4]
    repeated = CellValues(values.cells[repeats], values.values[repeats], values.names)
    for form in (repeated, Dense(repeated.dense)):
        products, sums = form.products(), np.concatenate([*form.signed_sums(1, "c", FLIPS)], axis=1)
        assert (products[1] == products[2]).all() and (products == products.T).all()
        assert (sums[1] == sums[2]).all()
