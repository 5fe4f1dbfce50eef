"""What claims on lost data rest on: the same rows again, by the workflow's own analyses, with the
parameters stated."""

import inspect

import polars as pl
import pytest
import yaml
from conftest import HOME
from simulation import seeds, shipped

SIMULATION = HOME / "resources/simulation"
OTHER = shipped.SEED + 37


def drawn(name: str) -> pl.DataFrame:
    return pl.read_csv(SIMULATION / f"{name}.csv")


@pytest.mark.slow
@pytest.mark.parametrize("name", seeds.FIGURES)
def test_a_seed_gives_its_row_again(name):
    [kept] = drawn(name).filter(seed=OTHER).to_dicts()
    assert seeds.of_seed(name, OTHER) == kept


def test_there_is_a_row_for_each_of_a_hundred_seeds_and_all_differ():
    for name in seeds.FIGURES:
        rows = drawn(name)
        assert rows["seed"].to_list() == list(range(shipped.SEED, shipped.SEED + 100))
        assert rows.drop("seed").unique().height == 100
        text = (SIMULATION / f"{name}.csv").read_text(encoding="utf-8")
        assert rows.write_csv() == text


def test_the_parameters_are_those_of_the_model_and_of_the_shipped_configuration():
    assert seeds.parameters().write_csv() == (SIMULATION / "parameters.csv").read_text(
        encoding="utf-8"
    )
    config = yaml.safe_load((HOME / "config.yaml").read_text(encoding="utf-8"))
    for name in seeds.FIGURES:
        known = {
            row["parameter"]: row["value"]
            for row in seeds.parameters().filter(campaign=name).to_dicts()
        }
        runs = len(list((HOME / "resources" / name / "runs").iterdir()))
        assert (known["runs"], known["questions"]) == (str(runs), "500")
        assert (
            known["trials"] == str(config["reliability"]["trials"]) and known["correct"] == "['R']"
        )
        for module in seeds.MODULES[name]:
            text = inspect.getsource(module)
            assert {key for key in vars(module) if key.isupper() and f"\n{key}" in text} <= {*known}


def test_curves_of_stability():
    """Points at 1, 2 and 4 % ties, and a curve that begins and ends later: the common range is 2 to
    4 %."""
    curve = pl.DataFrame({"ties": [0.01, 0.02, 0.04], "error_rate": [0.05, 0.04, 0.03]})
    later = pl.DataFrame({"ties": [0.05, 0.02], "error_rate": [0.03, 0.06]})
    found = seeds.stability({"c@1": curve, "accuracy": curve, "uf": later})
    assert (
        found["falling curves"] == 3
        and found["ties"] == 0.04
        and found["largest error rate"] == 0.06
    )
    assert (found["c@1 error rate"], found["uf error rate"]) == (0.03, pytest.approx(0.04))
    assert (found["c@1 mean error rate"], found["uf mean error rate"]) == (
        pytest.approx(0.035),
        pytest.approx(0.05),
    )
    rising = curve.with_columns(error_rate=pl.Series([0.05, 0.06, 0.03]))
    assert seeds.stability({"c@1": curve, "accuracy": rising, "uf": later})["falling curves"] == 2
