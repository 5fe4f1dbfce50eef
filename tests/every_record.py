"""A table of the tests must have a line for each record; a new one fails with what to add."""

from collections.abc import Hashable, Iterable


def assert_a_line_each(records: Iterable[Hashable], lines: Iterable[Hashable], place: str) -> None:
    """Hold records against lines; `place` says where the lines stand and what one says."""
    records, lines = set(records), set(lines)
    assert records <= lines, f"add {sorted(records - lines)} to {place}"
    assert lines <= records, f"take {sorted(lines - records)}, which there is not, out of {place}"
