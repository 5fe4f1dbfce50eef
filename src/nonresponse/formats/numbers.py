"""What a number is, in the files of every format: a plain decimal that a double can hold.

Not taken, though Python or Polars would: 1_000, the digits of other scripts, nan, inf, and 1e400,
which is inf. Everything else that Polars casts to a finite number is taken
(tests/formats/test_numbers.py), so that most columns need no second look.
"""

import math
import re
from collections.abc import Callable

import polars as pl

REAL_NUMBER = r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?"
WHOLE_NUMBER = r"[+-]?[0-9]+(\.0+)?"  # JSON and Parquet write 1 as 1.0
PERCENT = r"[ \x{a0}\x{202f}]?%$"  # 85 % is 0.85
DECIMALS = ("comma", "point")
LIMIT = 2**31  # whole numbers lie below it, as Int32 does


def parse_real(text: str) -> float | None:
    """Return the number that a text is; null where it is none."""
    value = float(text) if re.fullmatch(REAL_NUMBER, text) else math.inf
    return value if math.isfinite(value) else None


def parse_whole(text: str) -> int | None:
    """Return the whole number that a text is; null where it is none."""
    value = float(text) if re.fullmatch(WHOLE_NUMBER, text) else math.inf
    return int(value) if abs(value) < LIMIT else None


def parse_reals(texts: pl.Series, decimal: str | None = None) -> pl.Series:
    """Return the numbers of a column of text, passing over blanks; null where there is none. 85 %
    is 0.85.

    decimal: the mark of decimals, `comma` or `point`; the other mark separates thousands.
    """
    texts = spell_plainly(texts, decimal) if decimal else texts
    values = texts.cast(pl.Float64, strict=False)
    if values.null_count() == texts.null_count() and math.isfinite(values.sum()):
        return values  # all of them are finite, since their sum is
    return cast_matching(REAL_NUMBER, spell_percent(texts))


def spell_percent(texts: pl.Series) -> pl.Series:
    """Return percentages as numbers with an exponent, and any other text without outer blanks."""
    return texts.str.strip_chars(" \t").str.replace(PERCENT, "e-2")


def spell_plainly(texts: pl.Series, decimal: str) -> pl.Series:
    """Return numbers with this mark of decimals as plain ones; any other text as it is."""
    mark, group = (",", ".") if decimal == "comma" else (".", ",")
    whole = rf"[1-9][0-9]{{0,2}}([{group}][0-9]{{3}})+|[0-9]*"
    pattern = rf"^[+-]?({whole})([{mark}][0-9]+)?([eE][+-]?[0-9]+)?$"
    texts = spell_percent(texts)
    plain = texts.str.replace_all(group, "", literal=True).str.replace(mark, ".", literal=True)
    return plain.zip_with(texts.str.contains(pattern), texts)


def find_decimals(texts: pl.Series, fit: Callable[[pl.Series], bool] = lambda _: True) -> list[str]:
    """Return the marks of decimals with which all texts are numbers that fit; none if they are and
    do as they stand."""
    present = texts.drop_nulls().unique()
    plain = parse_reals(present)
    if present.is_empty() or (not plain.has_nulls() and fit(plain)):
        return []
    readings = {mark: parse_reals(present, mark) for mark in DECIMALS}
    return [mark for mark, reals in readings.items() if not reals.has_nulls() and fit(reals)]


def parse_wholes(texts: pl.Series) -> pl.Series:
    """Return the whole numbers of a column of text, passing over blanks; null for others."""
    values = texts.cast(pl.Int32, strict=False)
    if values.null_count() == texts.null_count():
        return values
    values = cast_matching(WHOLE_NUMBER, texts)
    return values.set(values.abs() >= LIMIT, None).cast(pl.Int32)


def cast_matching(pattern: str, texts: pl.Series) -> pl.Series:
    """Return the finite numbers of a column of text that match a pattern; null elsewhere."""
    text = pl.lit(texts.str.strip_chars(" \t"))
    value = pl.when(text.str.contains(f"^({pattern})$")).then(text).cast(pl.Float64, strict=False)
    return pl.select(pl.when(value.is_finite()).then(value)).to_series()
