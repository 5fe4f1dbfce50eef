"""Test the demo, with a campaign of every task; test_wheel starts a run from a shell."""

import pytest
import yaml
from conftest import HOME, QUICK
from nonresponse import tasks
from nonresponse.statistics.analyses import ANALYSES

QUOTED = "respubliqa-2009-simulated"  # by README


@pytest.mark.slow
def test_the_demo(project):
    config = yaml.safe_load((HOME / "config.yaml").read_text())
    campaigns, shipped = config["campaigns"], config["reliability"]
    assert {campaign["task"] for campaign in campaigns.values()} == {*tasks.NAMES}
    campaigns[QUOTED]["reliability"] = QUICK | {"analyses": sorted(ANALYSES)}
    config["reliability"] = shipped | QUICK | {"analyses": ["comparison"]}
    project.write("config.yaml", yaml.safe_dump(config))
    (project.folder / "resources").symlink_to(HOME / "resources")
    run = project.snakemake()
    assert "All of it on one page, for a browser: results/report.html" in run.stdout + run.stderr
    results = project.folder / "results"
    # What is not in the manifest would not be missed.
    listed = {
        line.split("  ", 1)[1] for line in (results / "manifest.sha256").read_text().splitlines()
    }
    files = {
        str(path.relative_to(project.folder)) for path in results.rglob("[!.]*") if path.is_file()
    }
    copies = ("results/logs/", "results/.memo/", "results/previous/", "results/manifest.sha256")
    assert {path for path in files if not path.startswith(copies)} == listed
