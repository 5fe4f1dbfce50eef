"""What the results were made of: versions, seed, configuration, and the checksum of every file that was read."""

import json
import platform
from importlib.metadata import version

import polars as pl

from nonresponse import __version__, legible
from nonresponse.pages.blocks import Block, Column, of_frame, of_table, read_topics, sentences
from nonresponse.pages.sections import Campaign

LIBRARIES = ("polars", "duckdb", "numpy", "scipy")  # those that compute the results


def blocks(campaign: Campaign) -> list[Block]:
    """Versions, seed and configuration key by key, and the files."""
    versions = {"nonresponse": __version__, "Python": platform.python_version()}
    versions |= {library: version(library) for library in LIBRARIES}
    known = {**versions, "seed": campaign.settings["seed"], **campaign.settings["configuration"]}
    # Names and titles are cut short, as elsewhere on pages.
    keys = [
        (key, legible.short(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        for key, value in known.items()
    ]
    files = [(legible.visible(path), digest) for path, digest in campaign.settings["files"]]
    found, notes = read_topics(campaign.folder / "check.json").values()
    return [
        sentences([*found.sentences, *notes.sentences], found.heading),
        uncut(keys, ("key", "value"), "Configuration"),
        uncut(files, ("file", "sha256"), "Files"),
    ]


def uncut(rows: list[tuple[str, str]], names: tuple[str, str], name: str) -> Block:
    """A table whose texts are not cut short, folded away."""
    frame = pl.DataFrame(rows, dict.fromkeys(names, pl.String), orient="row")
    columns = [Column(column, long=column != "key") for column in names]
    return of_table(of_frame(frame, columns, f"The {name.lower()}", folded=name))
