"""The columns of a leaderboard by name; those of its counts, and which measures it has, depend on
the campaign.

This module imports nothing.
"""

LEADING = ("rank", "tied", "run", "trivial")
RANK_RANGE = ("rank_low", "rank_high", "may_be_best")  # of a run, by the first measure
# What follows the id of a measure in the names of its further columns.
BOUNDS = ("worst", "best")
INTERVAL = ("lower", "upper")
DIFFERENCE = "difference"


def name_column(id: str, end: str) -> str:
    """Return the name of a further column of a measure on the leaderboard."""
    return f"{id} {end}"


def name_columns(id: str, ends: tuple[str, ...]) -> list[str]:
    """Return the further columns of a measure with these ends."""
    return [name_column(id, end) for end in ends]
