"""Files that are written as a whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Yield a path beside `path` to write to; move it into place when the block succeeds.

    Its name has the process id, so that a process left over from a killed workflow and the job that
    repeats it never share a file; the files of such processes are removed first.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    for leftover in path.parent.glob(f".{path.name}.*.part"):
        leftover.unlink(missing_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield part
        part.replace(path)
    except OSError as error:  # that of a full disk names no file
        error.filename = error.filename or str(path)
        raise
    finally:
        part.unlink(missing_ok=True)


def write_text(text: str, path: str | Path) -> None:
    """Write a text as a UTF-8 file, all of it or nothing."""
    with replacing(path) as part:
        # Names of files may be any bytes
        part.write_text(text, encoding="utf-8", errors="surrogateescape")
