"""What claims on lost data rest on: the same rows again, by the workflow's own analyses, with the parameters stated."""

import inspect
import shutil
import subprocess
import sys

import numpy as np
import polars as pl
import pytest
import yaml
from conftest import HOME, Project
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


@pytest.mark.slow
def test_the_command_writes_the_same_bytes_again(tmp_path):
    command = [sys.executable, HOME / "tools/simulate.py", "seeds", "--number", "1", "--into", tmp_path]
    subprocess.run(command, check=True, cwd=tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in SIMULATION.glob("*.csv")}
    for path in tmp_path.iterdir():
        of_shipped = (SIMULATION / path.name).read_text(encoding="utf-8")
        if path.stem in seeds.FIGURES:
            of_shipped = "".join(of_shipped.splitlines(keepends=True)[:2])
        assert path.read_text(encoding="utf-8") == of_shipped


def test_there_is_a_row_for_each_of_a_hundred_seeds_and_all_differ():
    for name in seeds.FIGURES:
        rows = drawn(name)
        assert rows["seed"].to_list() == list(range(shipped.SEED, shipped.SEED + 100))
        assert rows.drop("seed").unique().height == 100
        text = (SIMULATION / f"{name}.csv").read_text(encoding="utf-8")
        assert rows.write_csv() == text


def test_the_parameters_are_those_of_the_model_and_of_the_shipped_configuration():
    assert seeds.parameters().write_csv() == (SIMULATION / "parameters.csv").read_text(encoding="utf-8")
    config = yaml.safe_load((HOME / "config.yaml").read_text(encoding="utf-8"))
    for name in seeds.FIGURES:
        known = {row["parameter"]: row["value"] for row in seeds.parameters().filter(campaign=name).to_dicts()}
        runs = len(list((HOME / "resources" / name / "runs").iterdir()))
        assert (known["runs"], known["questions"]) == (str(runs), "500")
        assert known["trials"] == str(config["reliability"]["trials"]) and known["correct"] == "['R']"
        for module in seeds.MODULES[name]:
            text = inspect.getsource(module)
            assert {key for key in vars(module) if key.isupper() and f"\n{key}" in text} <= {*known}


@pytest.mark.slow
def test_the_shipped_row_is_what_the_workflow_finds(project: Project):
    """The DAG on the shipped campaign, and its figures found by plain reading of its results."""
    config = yaml.safe_load((HOME / "config.yaml").read_text(encoding="utf-8"))
    name = seeds.RESPUBLIQA
    config["campaigns"] = {name: config["campaigns"][name] | {"measures": list(seeds.STUDIED)}}
    config["reliability"]["analyses"] = ["swap", "stability", "withheld"]
    project.write("config.yaml", yaml.safe_dump(config))
    shutil.copytree(HOME / "resources" / name, project.folder / "resources" / name)
    folder = project.folder / "results" / name
    stability = [folder / f"reliability/stability/{id}.parquet" for id in seeds.STUDIED]
    tables = [folder / f"reliability/summaries/{table}.csv" for table in ("sensitivity", "estimates")]
    project.snakemake(*(str(path.relative_to(project.folder)) for path in [*stability, *tables]))
    row = drawn(name).filter(seed=shipped.SEED).to_dicts()[0]
    sensitivity, estimates = map(pl.read_csv, tables)
    for found in sensitivity.to_dicts():
        for figure in seeds.SENSITIVITY:
            assert row[f"{found['measure']} {figure}"] == pytest.approx(found[f"literal_{figure}"], abs=1e-6)
    distances = dict(estimates.select("estimate", "distance").iter_rows())
    assert row["c@1 distance"] == pytest.approx(distances["c@1"], abs=1e-6)
    curves = [pl.read_parquet(path).sort("fuzziness") for path in stability]
    assert row["ties"] == pytest.approx(min(curve["ties"].max() for curve in curves), abs=1e-6)
    for id, curve in zip(seeds.STUDIED, curves, strict=True):
        at_most = np.interp(row["ties"], curve["ties"], curve["error_rate"])
        assert row[f"{id} error rate"] == pytest.approx(at_most, abs=1e-6)


def test_curves_of_stability():
    """Points at 1, 2 and 4 % ties, and a curve that begins and ends later: the common range is 2 to 4 %."""
    curve = pl.DataFrame({"ties": [0.01, 0.02, 0.04], "error_rate": [0.05, 0.04, 0.03]})
    later = pl.DataFrame({"ties": [0.05, 0.02], "error_rate": [0.03, 0.06]})
    found = seeds.stability({"c@1": curve, "accuracy": curve, "uf": later})
    assert found["falling curves"] == 3 and found["ties"] == 0.04 and found["largest error rate"] == 0.06
    assert (found["c@1 error rate"], found["uf error rate"]) == (0.03, pytest.approx(0.04))
    assert (found["c@1 mean error rate"], found["uf mean error rate"]) == (pytest.approx(0.035), pytest.approx(0.05))
    rising = curve.with_columns(error_rate=pl.Series([0.05, 0.06, 0.03]))
    assert seeds.stability({"c@1": curve, "accuracy": rising, "uf": later})["falling curves"] == 2
