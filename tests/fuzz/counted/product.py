"""What the project counts in a random campaign: its stages in this process, no Snakemake."""

import contextlib
import copy
from pathlib import Path
from unittest.mock import patch

import configured
from nonresponse import campaign as config
from nonresponse import tasks
from nonresponse.campaign import scenarios
from nonresponse.scoring import tally

from fuzz.counted import Case, Counts


def count(case: Case, folder: Path) -> str | dict[str, Counts]:
    """The report of faults, or counts of the campaign and its scenarios.

    config.ConfigError where the configuration is refused.
    """
    for name, content in case.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    # Bounds are not compared
    no_bounds = patch.object(tally, "count_variants", lambda verdicts, cases, policy, total: total)
    with no_bounds, contextlib.chdir(folder):
        block = {"campaigns": {"c": copy.deepcopy(case.campaign)}}
        campaign = config.check_config(block)["campaigns"]["c"]
        out = Path("results/c")
        configured.ingest(campaign, out)
        if faults := configured.check_results(campaign, out):
            return "\n".join(map(str, faults))
        every_scenario = {"": campaign} | {
            name: scenarios.apply_scenario(campaign, scenario)
            for name, scenario in campaign.get("scenarios", {}).items()
        }
        return {name: count_scenario(scenario, out) for name, scenario in every_scenario.items()}


def count_scenario(campaign: dict, out: Path) -> Counts:
    """Return the counts of a campaign that was read."""
    configured.write_verdicts(campaign, out, out / "verdicts.npz")
    task = tasks.get(campaign["task"])
    frames = tally.tally(out / "verdicts.npz", config.select_policy(campaign))[:2]
    keys = ["assessor", "run", "category"]
    return {
        tuple(row[name] for name in keys if name in row): row
        for frame in frames
        for row in frame.rows(named=True)
        if row["run"] not in task.trivial
    }
