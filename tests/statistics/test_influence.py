"""Influence values in cells have the products and the signed sums of the same values one by one."""

import numpy as np
import pytest
from nonresponse.statistics import influence
from nonresponse.statistics.influence import CellValues, Dense

FLIPS = 600


def in_cells(cells: int, runs: int = 5, questions: int = influence.BLOCK + 75) -> CellValues:
    """Values of runs, in cells that not every run has; a cell without a question of a run has no
    value."""
    draw = np.random.default_rng(cells)
    where = draw.integers(0, cells, (runs, questions)).astype(np.uint8)
    where[0] = cells - 1
    values = draw.normal(size=(runs, cells))
    values[0, : cells - 1] = np.nan
    return CellValues(where, values, tuple(range(cells)))


@pytest.mark.parametrize("cells", [1, 2, 3, 4, 6])
def test_cells_are_as_values(cells):
    given = in_cells(cells)
    dense = Dense(given.dense)
    assert given.defined.all() and dense.defined.all()
    # Which are rounded
    assert given.products() == pytest.approx(dense.products(), rel=1e-5, abs=0.02)
    deviations = given.dense - given.dense.mean(axis=1, keepdims=True)
    assert given.products() == pytest.approx(deviations @ deviations.T, abs=1e-8)
    bits = np.concatenate([*influence.draw_flips(1, "c", given.questions, FLIPS)])
    signs = 1.0 - 2 * influence.unpack_bits(bits, given.questions)
    for one in (given, dense):
        sums = [*one.signed_sums(1, "c", FLIPS)]
        assert [part.shape[1] for part in sums] == [250, 250, 100]
        assert np.concatenate(sums, axis=1) == pytest.approx(deviations @ signs.T, abs=1e-8)


def test_sums_are_the_same_in_any_order_of_questions_and_equal_for_equal_runs():
    given = in_cells(3)
    again = CellValues(given.cells[[0, 1, 1, 4]], given.values[[0, 1, 1, 4]], given.names)
    for one in (again, Dense(again.dense)):
        products, sums = one.products(), np.concatenate([*one.signed_sums(1, "c", FLIPS)], axis=1)
        assert (products[1] == products[2]).all() and (products == products.T).all()
        assert (sums[1] == sums[2]).all()
