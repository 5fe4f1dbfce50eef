"""What a job that reads raw files leaves."""

from pathlib import Path

import polars as pl

from nonresponse import tables
from nonresponse.checksums import certificate
from nonresponse.faults import Fault, write_faults


def write_job(
    read_from: list[str], contents: str, read: Path, frames: dict[Path, pl.DataFrame], found: list[Fault], faults: Path
) -> None:
    """The checksums of what was read, the tables, and the faults.

    `contents` is the checksum of what Snakemake saw of the files. SystemExit if they have changed: nothing is written.
    """
    tables.write_text(certificate(read_from, contents), read)
    for path, frame in frames.items():
        tables.write(frame, path)
    write_faults(found, faults)
