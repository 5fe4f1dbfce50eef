"""Where runs may stand: plain loops, and campaigns whose true order is known."""

import numpy as np
from comparing import count_flips
from nonresponse.statistics import sign_flips
from nonresponse.statistics.influence import Dense, draw_flips
from nonresponse.statistics.pairs import Pairs


def test_the_flips_that_lead_as_far_as_was_seen_in_a_loop():
    psi = np.random.default_rng(1).normal([[0.0], [0.2], [0.5], [0.5]], size=(4, 30))
    score = psi.mean(axis=1)
    counts = count_flips(sign_flips.count_behind, Pairs(score, Dense(psi)), 1, "c", 300)
    centred = psi - score[:, None]
    signs = 1 - 2.0 * np.unpackbits(
        np.concatenate(list(draw_flips(1, "c", 30, 300))), axis=1, count=30
    )
    for i in range(4):
        opponents = [j for j in range(4) if j != i]
        scale = {j: np.sqrt(((centred[j] - centred[i]) ** 2).sum()) for j in opponents}

        def lead(j: int, i: int = i) -> float:
            """sqrt(n) t / sqrt(t² + n - 1), as of the flips."""
            t = (score[j] - score[i]) * np.sqrt(30) / (psi[j] - psi[i]).std(ddof=1)
            return t * np.sqrt(30) / np.sqrt(t**2 + 29)

        outcomes = max(max(map(lead, opponents)), 0)
        flipped = [
            max(((centred[j] - centred[i]) @ sign) / scale[j] for j in opponents) for sign in signs
        ]
        assert counts[i] == sum(max(value, 0) >= outcomes * (1 - 1e-9) for value in flipped), i
    assert counts[score.argmax()] == 300
