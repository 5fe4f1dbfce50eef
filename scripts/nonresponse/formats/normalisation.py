"""Answers in one spelling, so that those compare equal that a campaign takes for the same: `normalise:`."""

import polars as pl

PUNCTUATION = "[!-/:-@\\[-`{-~]"  # of ASCII
ARTICLES = r"\b(a|an|the)\b"


def squad(text: pl.Expr) -> pl.Expr:
    """As evaluate-v2.0.py of SQuAD compares: small letters, no punctuation, no articles, single blanks.

    A text of which nothing would be left stays as it is.
    """
    words = text.str.to_lowercase().str.replace_all(PUNCTUATION, "").str.replace_all(ARTICLES, " ")
    bare = words.str.replace_all(r"\s+", " ").str.strip_chars()
    return pl.when(bare != "").then(bare).otherwise(text)


def normalised(rows: pl.DataFrame, options: dict, *columns: str) -> pl.DataFrame:
    """The rows with these columns, as far as they are there, in the spelling that the options ask for."""
    there = [name for name in columns if name in rows.columns]
    return rows.with_columns(squad(pl.col(name)) for name in there) if "normalise" in options else rows
