"""One DuckDB for the tests of a process: to open another takes 12 ms, a new database in it 0.1 ms.

Each connection has a database of its own, so that its tables, views and types are seen by no other;
it goes with the connection. Variables are a connection's own anyway, and the one setting that a
stage makes is put back.
"""

import itertools
import weakref
from functools import cache
from typing import Any

import duckdb

new, numbers = duckdb.connect, itertools.count()


def connect(config: dict[str, Any]) -> duckdb.DuckDBPyConnection:
    """What duckdb.connect gives, for the processes of the tests."""
    shared, name = opened(**config), f"database_{next(numbers)}"
    connection = shared.cursor()
    connection.execute(f"RESET disabled_optimizers; ATTACH ':memory:' AS {name}; USE {name}")
    weakref.finalize(connection, shared.execute, f"DETACH {name}").atexit = False
    return connection


def unoptimised(config: dict[str, Any]) -> duckdb.DuckDBPyConnection:
    """The same for tables of a few rows, for which optimising a query does not pay: it would be
    half of its cost."""
    connection = connect(config)
    connection.execute("PRAGMA disable_optimizer")
    return connection


@cache
def opened(**config: Any) -> duckdb.DuckDBPyConnection:
    """As the stages set it up, except that file contents are not cached, and that the query itself
    reads the files."""
    return new(config=config | {"enable_external_file_cache": False, "async_threads": 0})
