"""The outcomes of gates: those of a campaign of config.yaml, or those in a file for one log or
two."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from nonresponse.campaign import file as configfile
from nonresponse.front import RefusedError, compare, local
from nonresponse.front.campaign import read_campaign
from nonresponse.front.responses import judge
from nonresponse.report import model
from nonresponse.report.model import Section
from nonresponse.workflow.campaigns import Campaign

FILES = ("gates.json", "gates.md", "gates.xml")
Outcome = tuple[str, list[Section]]  # pass, fail or inconclusive; what is shown


def read_gates(path: Path, baseline: bool) -> list[Any]:
    """Read the gates in a YAML file: a list, or the list at `gates:`. RefusedError if there are
    none, or no baseline for one."""
    try:
        gates = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.MarkedYAMLError as error:
        raise RefusedError(f"{path}{configfile.describe_syntax(error)}") from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise RefusedError(f"{path} cannot be read as YAML: {reason}") from None
    gates = gates.get("gates") if isinstance(gates, dict) else gates
    if not isinstance(gates, list) or not gates:
        example = "[{measure: c@1, margin: 0.02}]"
        raise RefusedError(f"{path}: found no list of gates; expected one, such as {example}")
    if not baseline and any(isinstance(gate, dict) and "margin" in gate for gate in gates):
        raise RefusedError(f"{path}: there is no baseline; name its log, --against FILE")
    return gates


def decide(campaign: Campaign, into: Path | None) -> Outcome:
    """Return the outcome of the gates of a campaign whose verdicts are there. FILES are copied to
    `into`, if given."""
    local.gate(campaign)
    folder = Path(campaign.folder)
    state = json.loads((folder / "gates.json").read_text(encoding="utf-8"))["state"]
    if into:
        into.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            shutil.copy2(folder / name, into / name)
    return state, [*model.read_sections(folder / "gates/sections.json").values()]


def decide_campaign(name: str, config: Path, into: Path | None) -> Outcome:
    """Return the outcome of a campaign's gates on its files as they are now."""
    if Path(name).exists():
        raise RefusedError(f"{name} is a file or a folder: name the gates of a log, --gates FILE")
    campaign = read_campaign(config, name)
    if "gates" not in campaign.options:
        raise RefusedError(f"{name} has no gates: write `gates:` into its block of {config}")
    with TemporaryDirectory() as folder:
        return decide(judge(campaign, Path(folder)).campaign, into)


def decide_logs(
    new: str,
    old: str | None,
    file: Path,
    options: Mapping[str, Any],
    into: Path | None,
    accept: bool = False,
) -> tuple[Outcome, list[str]]:
    """Return the outcome of the gates in a file for one log or two, and warnings of what makes the
    logs incomparable.

    `old`: the log of the baseline. RefusedError if a gate does not apply to the logs.
    """
    entries = read_gates(file, old is not None)
    with TemporaryDirectory() as folder:
        paths = [path for path in (old, new) if path]
        logs = compare.read_logs(paths, Path(folder), options, accept)
        responses, names = compare.merge_logs(logs, Path(folder, "merged"), gates=entries)
        different = compare.describe_differences(*logs) if old else []
        warnings = [*responses.notes, *different, *compare.describe_headlines(responses, *names)]
        return decide(responses.campaign, into), warnings
