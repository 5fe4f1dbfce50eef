"""Reads small tables with the same first line as one table: each file costs as much as thousands of
lines.

If the batch has a fault, each file is read by itself, so that every fault has its file and line.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl

from nonresponse import formats
from nonresponse.faults import Fault
from nonresponse.formats import Reader
from nonresponse.formats.records import SEPARATORS, get_kind, get_separator, is_cached
from nonresponse.formats.text import BLANKS, count_byte, get_first_line, read_text
from nonresponse.settings import Files

FILE_BYTES = 2**20  # of a file that is read in a batch, at most
BATCH_BYTES = 2**24  # of all files of a batch, at most
Batch = dict[str, bytes | None]  # the text of each file, null where it is still to be read


def read_batches(
    files: list[str], reader: Reader, options: Files
) -> Iterator[tuple[pl.DataFrame, list[Fault]]]:
    """Yield the rows of all files, with `file`, the number of each row's file, and their faults."""
    start = 0
    for batch in split_batches(files, options):
        rows = read_batch(batch, reader, options)
        if rows is not None:
            yield rows.with_columns(pl.col("file") + start), []
        else:
            for number, (file, text) in enumerate(batch.items(), start):
                frame, faults = reader(file, options if text is None else options | {"text": text})
                file_number = pl.lit(number, pl.UInt32)
                yield frame.with_columns(file=file_number) if frame.width else frame, faults
        start += len(batch)


def split_batches(files: list[str], options: Files) -> Iterator[Batch]:
    """Yield the files in batches, with their texts where they may be read as one."""
    reader = formats.get_reader(options.get("format", "tabular"))
    may_join = getattr(reader, "reads_rows_alone", None)
    if may_join is None or not may_join(options):
        for file in files:
            yield {file: None}
        return
    batch: Batch = {}
    batch_shape, size = "", 0
    for file in files:
        text, shape = read_shape(file, options)
        length = len(text or b"")
        if batch and (shape != batch_shape or size + length > BATCH_BYTES):
            yield batch
            batch, size = {}, 0
        batch[file] = text
        batch_shape = shape
        size += length
    if batch:
        yield batch


def read_shape(file: str, options: Files) -> tuple[bytes | None, str]:
    """Return the text of a sound file, else null; and its shape, its kind and first line.

    Files of the same shape can be read as one. The shape of any other file is its name.
    """
    kind = get_kind(file, options)
    if kind not in SEPARATORS or is_cached(file, options):
        return None, file
    text, faults = read_text(file, options)
    if faults:
        return None, file
    header = get_first_line(text).decode()
    # Quotes may hold the end of a line
    quoted = b'"' in text and options.get("quoted", kind == ".csv")
    alone = (
        len(text) > FILE_BYTES or quoted or not header.strip(BLANKS + get_separator(kind, options))
    )
    return text, file if alone else f"{kind}\n{header}"


def read_batch(batch: Batch, reader: Reader, options: Files) -> pl.DataFrame | None:
    """Return the rows of a batch, with the number of each row's file; null if a file has faults."""
    texts = [text for text in batch.values() if text is not None]
    if len(batch) == 1 or len(texts) < len(batch):
        return None
    header = get_first_line(texts[0]) + b"\n"
    bodies = [memoryview(text)[len(header) :] for text in texts]
    ends = [b"" if text.endswith(b"\n") else b"\n" for text in texts]
    parts = (part for pair in zip(bodies, ends, strict=True) for part in pair)
    rows, faults = reader(next(iter(batch)), options | {"text": b"".join([header, *parts])})
    if faults or not rows.height:
        return None
    lines = [count_byte(b"\n", body) + len(end) for body, end in zip(bodies, ends, strict=True)]
    # The first row is on line 2
    number = np.repeat(np.arange(len(batch), dtype=np.uint32), lines)[rows["line"] - 2]
    # A file without a record has a fault of its own
    if not np.bincount(number, minlength=len(batch)).all():
        return None
    starts = np.cumsum([0, *lines], dtype=np.uint32)
    return rows.with_columns(
        file=pl.Series(number), line=pl.col("line") - pl.Series(starts[number])
    )
