"""The outcomes of gates: those of a campaign that was run, or those in a file for one log or
two."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from nonresponse.front import RefusedError, local, logs
from nonresponse.report import model
from nonresponse.report.model import Section

FILES = ("gates.json", "gates.md", "gates.xml")
Found = tuple[str, list[Section]]  # pass, fail or inconclusive; what is shown


def read_gates(path: Path, baseline: bool) -> list[Any]:
    """Read the gates in a YAML file: a list, or the list at `gates:`. RefusedError if there are
    none, or no baseline for one."""
    try:
        written = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise RefusedError(f"{path} cannot be read as YAML: {str(error).splitlines()[0]}") from None
    written = written.get("gates") if isinstance(written, dict) else written
    if not isinstance(written, list) or not written:
        example = "[{measure: c@1, margin: 0.02}]"
        raise RefusedError(f"{path}: found no list of gates; expected one, such as {example}")
    if not baseline and any(isinstance(gate, dict) and "margin" in gate for gate in written):
        raise RefusedError(f"{path}: there is no baseline; name its log, --against FILE")
    return written


def made(folder: Path, into: Path | None) -> Found:
    """Return the outcome of gates that a run wrote into a campaign's folder. FILES are copied to
    `into`, if given."""
    state = json.loads((folder / "gates.json").read_text(encoding="utf-8"))["state"]
    if into:
        into.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            shutil.copy2(folder / name, into / name)
    return state, [*model.read_sections(folder / "gates/sections.json").values()]


def of_campaign(
    name: str, config: Path, into: Path | None, run: Callable[[list[str]], int]
) -> Found:
    """Return the outcome of a campaign's gates, which `run` brings up to date. RefusedError if it
    has none, or `run` fails."""
    if Path(name).exists():
        raise RefusedError(f"{name} is a file or a folder: name the gates of a log, --gates FILE")
    campaign = logs.configured(name, config)
    if "gates" not in campaign.options:
        raise RefusedError(f"{name} has no gates: write `gates:` into its block of {config}")
    folder = Path(campaign.folder)
    logs.up_to_date(name, [str(folder / "gates.json")], run)
    return made(folder, into)


def of_logs(
    new: str, old: str | None, file: Path, options: Mapping[str, Any], into: Path | None
) -> tuple[Found, list[str]]:
    """Return the outcome of the gates in a file for one log or two, and warnings of what makes the
    logs incomparable.

    `old`: the log of the baseline. RefusedError if a gate does not apply to the logs.
    """
    written = read_gates(file, old is not None)
    with TemporaryDirectory() as folder:
        read = logs.read_logs([path for path in (old, new) if path], Path(folder), options)
        campaign, _, _, said = logs.merged(read, Path(folder, "merged"), gates=written)
        local.gate(campaign)
        return made(Path(campaign.folder), into), said
