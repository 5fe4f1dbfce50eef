"""The tables that analyses wrote, read from their files."""

from importlib import import_module
from pathlib import Path

import polars as pl

from nonresponse.reliability.analyses import ANALYSES


def read_table(file: Path) -> pl.DataFrame:
    """A CSV file in reliability/, as it was written: text is text, whatever it looks like."""
    named = {table: where for one in ANALYSES.values() if one.summary for table, where in one.summary.tables.items()}
    module, constant = named[file.stem].split(".")
    columns = getattr(import_module(f"nonresponse.reliability.{module}"), constant)
    return pl.read_csv(file, schema_overrides={"measure": pl.String, **columns}, infer_schema=False)


def by_measure(files: list[Path], folder: str) -> dict[str, pl.DataFrame]:
    """The files in a folder of this name, each of which has the name of a measure, as tables by measure."""
    return {file.stem: pl.read_parquet(file) for file in files if file.parent.name == folder}
