"""Tables with a memo of earlier outcomes are those of computing anew, whatever was edited."""

from dataclasses import replace

import numpy as np
import pytest
from literal_reliability import campaign
from nonresponse import measures
from nonresponse.memo import Memo
from nonresponse.statistics import analyses, extremes, sign_flips
from nonresponse.statistics.analyses import ANALYSES
from nonresponse.statistics.cache import NOTHING, Cache
from nonresponse.statistics.outcomes import Outcomes, select_rows

SETTINGS = {"seed": 1, "level": 0.05, "trials": 20, "swap_trials": 40, "fuzziness": [0.01, 0.1]}
SETTINGS |= {"bins": 5, "width": 0.05, "sizes": 12, "size_trials": 3, "samples": 40, "flips": 300}
KINDS = [("qa", "c@1"), ("qa", "precision_answered"), ("qa", "cws"), ("dating", "s")]


def cache_for(outcomes: Outcomes, settings: dict, path) -> Cache:
    """As stages.statistics.trials has it."""
    return Cache(Memo(path, "code"), outcomes.measure.id, outcomes.questions, settings)


def copy_outcomes(outcomes: Outcomes, draw: np.random.Generator) -> Outcomes:
    """Some runs get on one question, or on all, what another run has there."""
    runs = len(outcomes.runs)
    targets, source = draw.permutation(runs)[: draw.integers(1, 4)], int(draw.integers(runs))
    if outcomes.orders:
        orders = list(outcomes.orders)
        for run in targets:
            orders[run] = orders[source]
        return replace(outcomes, orders=orders)
    question = draw.integers(outcomes.n) if draw.random() < 0.8 else slice(None)

    def copy_cells(matrix: np.ndarray) -> np.ndarray:
        matrix = matrix.copy()
        if len(matrix) > 1:
            matrix[targets, question] = matrix[source, question]
        return matrix

    scorable = None if outcomes.scorable is None else copy_cells(outcomes.scorable)
    matrices = {name: copy_cells(m) for name, m in outcomes.matrices.items()}
    return replace(outcomes, matrices=matrices, scorable=scorable)


def edit(outcomes: Outcomes, draw: np.random.Generator) -> Outcomes:
    """A judgment is turned, a run is added, removed or renamed, or nothing changes."""
    kind, runs = draw.integers(5), len(outcomes.runs)
    if kind == 0 and runs > 3:
        return select_rows(outcomes, sorted(draw.permutation(runs)[: runs - 1].tolist()))
    if kind == 1:
        place = int(draw.integers(runs + 1))
        rows = select_rows(outcomes, [*range(place), int(draw.integers(runs)), *range(place, runs)])
        names = [*outcomes.runs[:place], f"new{draw.integers(10**9)}", *outcomes.runs[place:]]
        return copy_outcomes(replace(rows, runs=names), draw)
    if kind == 2:
        return replace(outcomes, runs=[f"other {run}" for run in outcomes.runs])
    return copy_outcomes(outcomes, draw) if kind == 3 else outcomes


TRIALS = [id for id in ANALYSES if ANALYSES[id].trials]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("analysis", "task", "id"),
    [(id, *KINDS[(place + i) % 4]) for place, id in enumerate(TRIALS) for i in (0, 2)],
)
def test_tables_with_a_memo_are_those_without(analysis, task, id, tmp_path):
    draw, path = np.random.default_rng(len(id) * 100 + len(analysis)), tmp_path / "memo.npz"
    outcomes, _ = campaign(measures.get(task, id), 1, runs=7, questions=30, excluding=True)
    # The sizes take seconds, and have the memo of the comparison
    for step in range(3 if analysis == "sample_size" else 6):
        settings = SETTINGS | {"seed": 2 if step % 4 == 3 else 1}
        cache = cache_for(outcomes, settings, path)
        results = [
            analyses.make_tables(analysis, outcomes, "gold", "c", settings, memo_or_none)
            for memo_or_none in (cache, NOTHING)
        ]
        cache.save()
        for actual, fresh in zip(*results, strict=True):
            assert actual.equals(fresh) and actual.schema == fresh.schema, step
        outcomes = edit(outcomes, draw)


@pytest.mark.parametrize(("id", "edits"), [("c@1", 1), ("c@1", 20), ("cws", 0), ("cws", 3)])
def test_pairs_that_decided_flips_are_known_again(id, edits, tmp_path, monkeypatch):
    """Runs change, go and come, also the best and worst; p is as from all pairs in all flips."""
    outcomes, _ = campaign(measures.get("qa", id), 2, runs=40, questions=120)
    draw, looked_at = np.random.default_rng(edits), []
    find_extremes = extremes.Extremes.find_extremes

    def watch(self, *arguments):
        looked_at.append(len(arguments[2]))
        return find_extremes(self, *arguments)

    monkeypatch.setattr(extremes.Extremes, "find_extremes", watch)
    monkeypatch.setattr(extremes, "PAIR_LIMIT", 1)
    for step in range(5):
        memo = cache_for(outcomes, SETTINGS, tmp_path / "memo.npz")
        results = []
        for max_pairs, cache in ((0, memo), (10_000, NOTHING)):
            monkeypatch.setattr(sign_flips, "MAX_PAIRS", max_pairs)
            looked_at.clear()
            results.append(
                analyses.make_tables("comparison", outcomes, "gold", "c", SETTINGS, cache)
            )
            if not max_pairs:
                repeated = sum(looked_at)
        memo.save()
        for actual, fresh in zip(*results, strict=True):
            assert actual.equals(fresh)
        assert repeated >= SETTINGS["flips"] if step == 0 else edits or not repeated
        for _ in range(edits):
            outcomes = edit(outcomes, draw)
