"""Reads small tables with the same first line as one: a file by itself costs as much as thousands
of lines.

If the joined table has any fault, each file is read by itself, so that every fault has its file and
line.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from nonresponse import formats
from nonresponse.formats import Read
from nonresponse.formats.records import SEPARATORS, is_kept, kind_of, separator
from nonresponse.formats.text import BLANKS, Loaded, first_line, occurrences, read_text
from nonresponse.settings import Files

# Bytes of one text that is read with others, and of all texts of a batch
SMALL, MOST = 2**20, 2**24


def batches(files: list[str], options: Files | None) -> Iterator[Sequence[str]]:
    """Yield the files in batches: of several, with their texts, where the options allow to read
    them as one; else of one."""
    if options is None or options.get("names") or not by_rows(options):
        yield from ([file] for file in files)
        return
    batch: list[str] = []
    shared, size = "", 0
    for file in files:
        loaded, shape = opened(file, options)
        length = len(loaded.text) if isinstance(loaded, Loaded) else 0
        if batch and (shape != shared or size + length > MOST):
            yield batch
            batch, size = [], 0
        batch.append(loaded)
        shared, size = shape, size + length
    if batch:
        yield batch


def by_rows(options: Files) -> bool:
    """Return whether the format of these options reads each row without regard to its file."""
    asked = getattr(formats.module(options["format"]), "by_rows", None)
    return asked is not None and asked(options)


def opened(file: str, options: Files) -> tuple[str, str]:
    """Return the file, as Loaded if it is sound; and its shape, equal for files that can be read as
    one: kind and first line.

    The shape of a file that is read by itself is its name.
    """
    if is_kept(file, options):
        return file, file
    kind = kind_of(file, options)
    text, faults = read_text(file, options) if kind in SEPARATORS else (b"", [])
    if faults or not text:
        return file, file
    header = first_line(text).decode()
    # Quotes may hold the end of a line
    quoted = b'"' in text and options.get("quoted", kind == ".csv")
    alone = len(text) > SMALL or quoted or not header.strip(BLANKS + separator(kind, options))
    return Loaded(file, text), file if alone else f"{kind}\n{header}"


def joined(files: Sequence[str], read: Read) -> pl.DataFrame | None:
    """Return the rows of a batch, with `file`, the number of each row's file in it; null if files
    must be read one by one."""
    texts = [file.text for file in files if isinstance(file, Loaded)]
    if len(files) == 1 or len(texts) < len(files):
        return None
    header = first_line(texts[0]) + b"\n"
    bodies = [memoryview(text)[len(header) :] for text in texts]
    lasts = [b"" if text.endswith(b"\n") else b"\n" for text in texts]
    pieces: list[bytes | memoryview] = [header]
    for body, last in zip(bodies, lasts, strict=True):
        pieces += (body, last)
    rows, faults = read(Loaded(files[0], b"".join(pieces)))
    if faults or not rows.height:
        return None
    lines = [occurrences(b"\n", body) + len(last) for body, last in zip(bodies, lasts, strict=True)]
    # After the column names
    number = np.repeat(np.arange(len(files), dtype=np.uint32), lines)[rows["line"] - 2]
    # A file without a record has a fault of its own
    if not np.bincount(number, minlength=len(files)).all():
        return None
    before = np.cumsum([0, *lines], dtype=np.uint32)  # lines in the files before each
    return rows.with_columns(
        file=pl.Series(number), line=pl.col("line") - pl.Series(before[number])
    )
