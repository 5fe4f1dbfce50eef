"""Stability and swaps as the tool RankingEvaluation (Dunaiski and others 2018; Python 2.7) computes them, written anew.

A dictionary of scores by run and set of questions, then plain loops over pairs of runs, sets, values of the fuzziness
and bins. So that the answers can be compared, some is as in Peñas & Rodrigo 2011, and not as in the tool: the sets of
questions are those that we draw; two runs tie by a share of the better one (the tool: of the mean of all runs); a swap
is an opposite order (the tool: a tie in the other set too); bins are 0.01 wide (the tool: a share of the largest
difference seen). Scores are whole numbers, c@1 times n²: rounding must not decide on the edge of a margin or a bin.
"""

import json
from itertools import combinations
from pathlib import Path


def reader(folder: Path, *sets: str):
    """What reads right and unanswered by run, and the sets of questions of each trial, as lists."""
    import numpy as np

    def read():
        marks = [np.load(folder / f"{name}.npy").astype(int).tolist() for name in ("right", "unanswered")]
        chosen = [[np.flatnonzero(row).tolist() for row in np.load(folder / f"{name}.npy")] for name in sets]
        return marks, chosen

    return read


def percents(folder: Path, name: str) -> list[int]:
    """A list of shares in FOLDER/sizes.json, in percent."""
    return [round(100 * share) for share in json.loads((folder / "sizes.json").read_text())[name]]


def scored(marks, sets) -> list[dict]:
    """c@1 · n² of every run on each of the sets of n questions."""
    by_run = []
    for right, unanswered in zip(*marks, strict=True):
        scores = {}
        for trial, questions in enumerate(sets):
            n = len(questions)
            n_ac, n_u = sum(right[q] for q in questions), sum(unanswered[q] for q in questions)
            scores[trial] = n_ac * (n + n_u)
        by_run.append(scores)
    return by_run


def stability(folder: Path):
    def compute(data):
        marks, [sets] = data
        answers = []
        for percent in percents(folder, "fuzziness"):
            by_run = scored(marks, sets)  # the tool evaluates anew for every fuzziness
            errors = ties = 0
            for first, second in combinations(by_run, 2):
                better, equal, worse = 0, 0, 0
                for trial in range(len(sets)):
                    x, y = first[trial], second[trial]
                    if x == y or 100 * abs(x - y) < percent * max(x, y):
                        equal += 1
                    elif x > y:
                        better += 1
                    else:
                        worse += 1
                errors += min(better, worse)
                ties += equal
            answers += [errors, ties]
        return answers

    return reader(folder, "first"), compute


def swap(folder: Path):
    def compute(data):
        marks, sets = data
        one, other = (scored(marks, some) for some in sets)
        lower = [percent * len(sets[0][0]) ** 2 for percent in percents(folder, "lower")]
        comparisons, swaps = [0] * len(lower), [0] * len(lower)
        for x, y in combinations(range(len(one)), 2):
            for trial in range(len(sets[0])):
                difference = one[x][trial] - one[y][trial]
                opposite = difference * (other[x][trial] - other[y][trial]) < 0
                found = 0
                for bin, bound in enumerate(lower):
                    if 100 * abs(difference) < bound:
                        break
                    found = bin
                comparisons[found] += 1
                swaps[found] += opposite
        return comparisons + swaps

    return reader(folder, "first", "second"), compute
