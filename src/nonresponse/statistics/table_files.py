"""The tables of analyses, read from their files."""

from pathlib import Path

import polars as pl


def by_measure(files: list[Path], folder: str) -> dict[str, pl.DataFrame]:
    """The files in a folder of this name, each of which has the name of a measure, as tables by measure."""
    return {file.stem: pl.read_parquet(file) for file in files if file.parent.name == folder}
