"""The gates of two logs, or of one, as a campaign of both that has them."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from nonresponse.front import Refused, sides
from nonresponse.front.engine import Engine
from nonresponse.pages import blocks
from nonresponse.pages.blocks import Topic

FILES = ("gates.json", "gates.md", "gates.xml")


def read_gates(path: Path, baseline: bool) -> list[Any]:
    """What a YAML file says: a list of gates, or that below `gates:`. Refused where there is none."""
    try:
        written = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise Refused(f"{path} cannot be read as YAML: {str(error).splitlines()[0]}") from None
    written = written.get("gates") if isinstance(written, dict) else written
    if not isinstance(written, list) or not written:
        example = "[{measure: c@1, against: baseline, margin: 0.02}]"
        raise Refused(f"{path}: found no list of gates; expected one, such as {example}")
    if not baseline and any(isinstance(gate, dict) and "against" in gate for gate in written):
        raise Refused(f"{path}: there is no baseline; name its log, --against FILE")
    return written


def run(
    new: str, old: str | None, file: Path, options: Mapping[str, Any], into: Path | None
) -> tuple[str, list[Topic], list[str]]:
    """pass, fail or inconclusive; what is shown; what makes the logs incomparable. `into` gets FILES, if given.

    Refused where a gate cannot be asked of the logs.
    """
    written = read_gates(file, old is not None)
    with TemporaryDirectory() as folder:
        logs = [
            sides.side(path, Path(folder, str(place)), options) for place, path in enumerate(filter(None, (old, new)))
        ]
        campaign, _, _, said = sides.merged(logs, Path(folder, "merged"), gates=written)
        engine = Engine(campaign, Path(folder, "merged"))
        engine.tally()
        engine.topics("gates")
        found = json.loads((engine.folder / "gates.json").read_text(encoding="utf-8"))
        shown = blocks.read(engine.folder / "gates/blocks.json")
        if into:
            into.mkdir(parents=True, exist_ok=True)
            for name in FILES:
                shutil.copy2(engine.folder / name, into / name)
    return found["state"], [*shown.values()], said
