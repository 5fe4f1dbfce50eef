"""The database as every stage sets it up."""

from nonresponse.database import connect


def test_no_query_draws_a_bar_however_long_it_takes():
    """What a command prints is its own: `nonresponse evaluate` had bars of a slow machine in its
    answer."""
    assert connect().sql("SELECT current_setting('enable_progress_bar')").fetchall() == [(False,)]
