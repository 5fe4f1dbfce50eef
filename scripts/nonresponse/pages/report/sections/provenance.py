"""What the results were made of: the configuration, the version, and the checksum of every file that was read."""

import json

import polars as pl

from nonresponse import __version__, legible
from nonresponse.pages.report.blocks import Block, column, table
from nonresponse.pages.sections import Campaign


def blocks(campaign: Campaign) -> list[Block]:
    """The configuration key by key, and the files."""
    known = {"nonresponse": __version__, **campaign.settings["configuration"]}
    keys = [(key, told(value)) for key, value in known.items()]
    configured = pl.DataFrame(keys, {"key": pl.String, "value": pl.String}, orient="row")
    return [
        table(configured, [column("key"), column("value", long=True)], "The configuration", folded="Configuration"),
        table(files(campaign), [column("file", long=True), column("sha256", long=True)], "The files", folded="Files"),
    ]


def told(value: object) -> str:
    """A value of the configuration; names and titles are cut short, as elsewhere on pages."""
    return legible.short(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def files(campaign: Campaign) -> pl.DataFrame:
    """file and sha256 of all that was read, by name, whatever the shards."""
    lines = set()
    for path in (campaign.folder / "read" / name for name in campaign.settings["read"]):
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        lines |= {line.partition("  ")[::2] for line in text.splitlines()}
    rows = sorted((legible.visible(name), checksum) for checksum, name in lines)
    return pl.DataFrame(rows, {"file": pl.String, "sha256": pl.String}, orient="row")
