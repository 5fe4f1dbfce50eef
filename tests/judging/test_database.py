"""The database as every stage sets it up."""

import subprocess
import sys

from conftest import HOME

LONG = """
import sys
sys.path.insert(0, sys.argv[1])
import duckdb
from nonresponse import database
connection = {connect}
connection.execute("SET progress_bar_time = 1")  # milliseconds, of which it waits for two thousand otherwise
connection.sql("SELECT sum(number * number) FROM range(20_000_000) of(number)").fetchall()
"""


def printed_by(connect: str) -> str:
    command = [sys.executable, "-c", LONG.format(connect=connect), HOME / "src"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return run.stdout + run.stderr


def test_no_query_draws_a_bar_however_long_it_takes():
    """What a command prints is its own: `nonresponse evaluate` had bars of a slow machine in its answer."""
    assert "%" in printed_by("duckdb.connect()")
    assert printed_by("database.connect()") == ""
