"""What one start of Snakemake notes for the next, in .snakemake/nonresponse; imports nothing heavy."""

import json
import os
from pathlib import Path

FOLDER = Path(".snakemake/nonresponse")


def noted(path: Path) -> dict:
    """What a note says; nothing where there is none or it is damaged."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def note(path: Path, what: dict) -> None:
    """Writes a note beside its place and moves it there; none where it cannot be written, on a full disk say."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(what, indent=0), encoding="utf-8")
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
