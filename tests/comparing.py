"""The comparison of runs as the workflow makes it; what its tests share."""

import numpy as np
from nonresponse.statistics import analyses, sign_flips
from nonresponse.statistics.outcomes import Outcomes
from nonresponse.statistics.pairs import Pairs
from nonresponse.statistics.pseudo_values import influence_values

OPTIONS = {"seed": 1, "samples": 300, "flips": 300}


def compared(seen, level: float = 0.1, campaign: str = "c", **options):
    """intervals and comparisons as the workflow makes them, seed 1."""
    options = OPTIONS | {"level": level} | options
    return analyses.make_tables("comparison", seen, "gold", campaign, options)[:2]


def scored(seen: Outcomes) -> tuple[np.ndarray, np.ndarray]:
    """Scores and pseudo-values."""
    score, influence = influence_values(seen)
    return score, influence.dense


def flips_of(counter, pairs: Pairs, seed: int, campaign: str, flips: int):
    """What one counter of sign_flips counts."""
    [found] = sign_flips.count_flips(pairs, [counter], seed, campaign, flips)
    return found
