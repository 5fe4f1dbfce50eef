"""Groups of runs as letters: two runs share a letter exactly when they cannot be told apart.

Piepho (2004) splits groups at every pair that differs; with hundreds of runs and pairs that differ here and there, that
makes thousands of groups. Here a group is made for a pair that has none yet: as correct, and there are few groups.
"""

from string import ascii_lowercase

import numpy as np

from nonresponse.reliability.rank_positions import best_first


def groups(score: np.ndarray, apart: np.ndarray, higher_is_better: bool) -> list[str]:
    """Letters for each run, a being a group of the best; "" where the score is undefined.

    score (runs,), NaN = undefined; apart (pairs,) says of each pair, x before y, whether it can be told apart.
    """
    runs = len(score)
    differ = np.zeros((runs, runs), bool)
    differ[np.triu_indices(runs, 1)] = apart
    differ |= differ.T
    order = best_first(score, higher_is_better)
    letters = [""] * runs
    for number, members in enumerate(covering(~differ[np.ix_(order, order)])):
        for member in members:
            letters[order[member]] += letter(number)
    return letters


def covering(alike: np.ndarray) -> list[np.ndarray]:
    """Groups of runs that are all alike, so that any two runs that are alike share a group; alike (runs, runs)."""
    covered = []
    shared = np.zeros_like(alike)  # which two are in a group together
    for run in range(len(alike)):
        while (waiting := np.flatnonzero(alike[run] & ~shared[run])).size:
            members = {run, waiting[-1] if shared[run, run] else run}
            fitting = np.logical_and.reduce(alike[sorted(members)])
            for candidate in range(len(alike)):
                if fitting[candidate]:
                    members.add(candidate)
                    fitting &= alike[candidate]
            group = np.array(sorted(members))
            shared[np.ix_(group, group)] = True
            covered.append(group)
    return covered


def letter(number: int) -> str:
    """a, b, ..., z, then a', b', ... with a prime for each time round."""
    rounds, place = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[place] + "'" * rounds
