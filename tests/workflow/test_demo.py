"""The demo, with the figures that README and docs quote of it; test_wheel starts a run from a
shell.

It has a campaign of every task. All analyses are of the one that README quotes; the others have
one, of few samples.
"""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
import yaml
from conftest import HOME, QUICK
from nonresponse import tasks
from nonresponse.statistics.analyses import ANALYSES
from simulation import seeds
from simulation.evaluated import SWAP_TRIALS

QUOTED = "respubliqa-2009-simulated"  # by README
FEW = QUICK | {"samples": 1000}


@pytest.mark.slow
def test_the_demo(project):
    config = yaml.safe_load((HOME / "config.yaml").read_text())
    campaigns, shipped = config["campaigns"], config["reliability"]
    assert {campaign["task"] for campaign in campaigns.values()} == {*tasks.NAMES}
    campaigns[QUOTED]["reliability"] = {name: shipped[name] for name in FEW} | {
        "analyses": sorted(ANALYSES),
        "trials": SWAP_TRIALS // 10,
    }
    config["reliability"] = shipped | FEW | {"analyses": ["comparison"]}
    project.write("config.yaml", yaml.safe_dump(config))
    (project.folder / "resources").symlink_to(HOME / "resources")
    run = project.snakemake()
    assert "All of it on one page, for a browser: results/report.html" in run.stdout + run.stderr
    results = project.folder / "results"
    assert_is_the_shipped_row(results / QUOTED / "reliability")
    # What is not in the manifest would not be missed.
    listed = {
        line.split("  ", 1)[1] for line in (results / "manifest.sha256").read_text().splitlines()
    }
    files = {
        str(path.relative_to(project.folder)) for path in results.rglob("[!.]*") if path.is_file()
    }
    kept = ("results/logs/", "results/.memo/", "results/previous/", "results/manifest.sha256")
    assert {path for path in files if not path.startswith(kept)} == listed


def assert_is_the_shipped_row(folder: Path) -> None:
    """The row of the shipped seed, which claims on lost data rest on, has the figures of these
    results."""
    drawn = pl.read_csv(HOME / f"resources/simulation/{QUOTED}.csv")
    [row] = drawn.filter(seed=seeds.shipped.SEED).to_dicts()
    for id in seeds.STUDIED:
        found = seeds.literal_sensitivity(
            pl.read_parquet(folder / f"by_measure/{id}/swap.parquet"), 0.05
        )
        for figure in seeds.SENSITIVITY:
            assert row[f"{id} {figure}"] == pytest.approx(found[figure], abs=1e-6)
    estimates = dict(
        pl.read_csv(folder / "summaries/estimates.csv").select("estimate", "distance").iter_rows()
    )
    assert row["c@1 distance"] == pytest.approx(estimates["c@1"], abs=1e-6)
    # Of stability, the row was drawn with 100 trials.
    curves = {
        id: pl.read_parquet(folder / f"by_measure/{id}/stability.parquet").sort("ties")
        for id in seeds.STUDIED
    }
    assert row["ties"] == pytest.approx(
        min(curve["ties"].max() for curve in curves.values()), abs=0.005
    )
    for id, curve in curves.items():
        at_most = np.interp(row["ties"], curve["ties"], curve["error_rate"])
        assert row[f"{id} error rate"] == pytest.approx(at_most, abs=0.005)
