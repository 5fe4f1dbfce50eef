"""That a table of the tests has a line for each of our records: a new one fails with what to
add."""

from collections.abc import Hashable, Iterable


def assert_a_line_each(records: Iterable[Hashable], lines: Iterable[Hashable], place: str) -> None:
    """A line for each record, and for nothing else; `place` says where they stand and what a line
    says."""
    records, lines = set(records), set(lines)
    assert records <= lines, f"add {sorted(records - lines)} to {place}"
    assert lines <= records, f"take {sorted(lines - records)}, which there is not, out of {place}"
