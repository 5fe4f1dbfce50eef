"""What becomes of rows of a file that say something of the same response, where `duplicates:` says so."""

import polars as pl


def once(rows: pl.DataFrame, key: list[str], said: list[str], duplicates: str) -> pl.DataFrame:
    """The rows without those that `duplicates` drops: all but the `first` or `last` of each key within a file.

    `same` drops those that have a key and what is said of it in common with an earlier one; `fault` drops none.
    """
    if duplicates == "fault":
        return rows
    of = ["file", *key, *(said if duplicates == "same" else [])]
    rows = rows.sort("file", "line", maintain_order=True)
    return rows.unique(of, keep="last" if duplicates == "last" else "first", maintain_order=True)
