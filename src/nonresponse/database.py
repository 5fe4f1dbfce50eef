"""Queries in SQL: by Polars on the rows of a verdict store, by DuckDB on single responses.

DuckDB is set up alike for every stage.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

# Reals are rounded to multiples of 2^-32: their sum then does not depend on its order
EXACT = 2**32


def connect() -> DuckDBPyConnection:
    """Open an in-memory database with the job's threads and a bound on memory. It spills beside the
    working folder.

    On SLURM the bound is two thirds of what the job asked for, and the rest is for Python;
    elsewhere, where no job is killed for its memory, it is 4 GB.
    """
    import duckdb

    megabytes = int(os.environ.get("SLURM_MEM_PER_NODE") or 0) or 6000
    threads = int(os.environ.get("OMP_NUM_THREADS", os.cpu_count() or 1))  # as Snakemake gives it
    config: dict[str, Any] = {"threads": threads, "memory_limit": f"{megabytes * 2 // 3}MB"}
    if os.environ.get("TMPDIR"):
        config["temp_directory"] = os.environ["TMPDIR"]
    connection = duckdb.connect(config=config)
    # DuckDB would draw a progress bar for queries longer than two seconds, on standard output; in a
    # notebook without ipywidgets it cannot, and refuses the setting.
    with contextlib.suppress(duckdb.InvalidInputException):
        connection.execute("SET enable_progress_bar_print = false")
    return connection


def fetch_rows(rows: DuckDBPyRelation) -> pl.DataFrame:
    """Return the rows of a query as a Polars table, without PyArrow, which loads slowly."""
    import polars as pl

    return pl.scan_arrow_c_stream(rows).collect()


def exact(value: pl.Expr) -> pl.Expr:
    """Return reals as multiples of 2^-32: their sum then does not depend on its order."""
    return (value * EXACT).round(mode="half_away_from_zero") / EXACT


def query_rows(query: str, **frames: pl.DataFrame | pl.LazyFrame) -> pl.LazyFrame:
    """Return the rows of a query in SQL, by Polars, from frames by name."""
    import polars as pl

    return pl.SQLContext(frames, eager=False).execute(query)


def copy(connection: DuckDBPyConnection, query: str, path: str | Path) -> None:
    """Write the result of a query as a Parquet file, its enumerations as text.

    Equal results make equal files. Hence text: the dictionaries that DuckDB 2.0 writes for
    enumerations differ from run to run. Hence no propagation of statistics: a column is declared as
    never null where the statistics of its sources rule nulls out, and DuckDB has these for one
    Parquet file, but not for several.
    """
    from nonresponse.tables import ROW_GROUP, replacing

    rows = connection.sql(query)
    types = dict(zip(rows.columns, rows.types, strict=True))
    text = [f"{name}::VARCHAR AS {name}" for name, kind in types.items() if kind.id == "enum"]
    if text:
        query = f"SELECT * REPLACE ({', '.join(text)}) FROM ({query})"
    connection.execute("SET disabled_optimizers = 'statistics_propagation'")
    with replacing(path) as part:
        name = str(part).replace("'", "''")
        # Nobody looks a single value up, which is what Bloom filters are for.
        options = (
            "FORMAT parquet, COMPRESSION zstd, WRITE_BLOOM_FILTER false, ROW_GROUP_SIZE "
            f"{ROW_GROUP}"
        )
        connection.execute(f"COPY ({query}) TO '{name}' ({options})")
