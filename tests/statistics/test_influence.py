"""Influence values in cells have the products and the signed sums of the same values one by one."""

import numpy as np
import pytest
from nonresponse.statistics import influence
from nonresponse.statistics.influence import CellValues, Dense

FLIPS = 600


def make_values(cells: int, runs: int = 5, questions: int = influence.BLOCK + 75) -> CellValues:
    """Make values of runs in cells, which are undefined where a run has no question."""
    draw = np.random.default_rng(cells)
    places = draw.integers(0, cells, (runs, questions)).astype(np.uint8)
    places[0] = cells - 1
    values = draw.normal(size=(runs, cells))
    values[0, : cells - 1] = np.nan
    return CellValues(places, values, tuple(range(cells)))


@pytest.mark.parametrize("cells", [1, 2, 3, 4, 6])
def test_cells_are_as_values(cells):
    cell_values = make_values(cells)
    dense = Dense(cell_values.dense)
    assert cell_values.defined.all() and dense.defined.all()
    # Which are rounded
    assert cell_values.products() == pytest.approx(dense.products(), rel=1e-5, abs=0.02)
    deviations = cell_values.dense - cell_values.dense.mean(axis=1, keepdims=True)
    assert cell_values.products() == pytest.approx(deviations @ deviations.T, abs=1e-8)
    bits = np.concatenate([*influence.draw_flips(1, "c", cell_values.questions, FLIPS)])
    signs = 1.0 - 2 * influence.unpack_bits(bits, cell_values.questions)
    for form in (cell_values, dense):
        sums = [*form.signed_sums(1, "c", FLIPS)]
        assert [part.shape[1] for part in sums] == [250, 250, 100]
        assert np.concatenate(sums, axis=1) == pytest.approx(deviations @ signs.T, abs=1e-8)


def test_sums_are_the_same_in_any_order_of_questions_and_equal_for_equal_runs():
    cell_values = make_values(3)
    repeated = CellValues(
        cell_values.cells[[0, 1, 1, 4]], cell_values.values[[0, 1, 1, 4]], cell_values.names
    )
    for form in (repeated, Dense(repeated.dense)):
        products, sums = form.products(), np.concatenate([*form.signed_sums(1, "c", FLIPS)], axis=1)
        assert (products[1] == products[2]).all() and (products == products.T).all()
        assert (sums[1] == sums[2]).all()
