"""Checksums of raw files, for Snakemake to see an edit that leaves a file older than the results.

Snakemake looks into a file only if its time is newer than that of the results: a run replaced by `mv`, `cp -p`,
`rsync -a` or `unzip` would go unseen. What was read once is noted, and read again when its size, times or inode
differ. A job compares what it has read with what Snakemake saw before it began. Imports nothing heavy, since every
start of Snakemake asks.
"""

import hashlib
import json
import stat
from pathlib import Path

from nonresponse import notes

NOTE = notes.FOLDER / "contents.json"
READ: dict[str, str] = {}  # a checksum of each raw file that this process has read, by path


def states(paths: list[str]) -> dict[str, list]:
    """Size, times, inode and a checksum of the content of each file, by path; files that cannot be read are left out.

    The checksum is null where a file is there but cannot be read: the job that reads it will say why.
    """
    noted = notes.noted(NOTE)  # of what is not noted, or where that is damaged, everything is read
    return {path: [*state, noted_or_read(path, state, noted)] for path in paths if (state := state_of(path))}


def note(found: dict[str, list]) -> None:
    if found != notes.noted(NOTE):
        notes.note(NOTE, found)


def forget() -> None:
    """Every file is then read again, also one that changed and looks the same, as may be on a network's disk."""
    NOTE.unlink(missing_ok=True)


def checksums(found: dict[str, list]) -> dict[str, str]:
    return {path: checksum for path, (*_, checksum) in found.items()}


def state_of(path: str) -> list[int] | None:
    """What differs when a file was written, moved or replaced."""
    try:
        found = Path(path).stat()
    except OSError:
        return None
    if not stat.S_ISREG(found.st_mode):  # a named pipe: to read it is to wait for ever
        return None
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]


def noted_or_read(path: str, state: list[int], noted: dict[str, list]) -> str | None:
    if path in noted and noted[path][:-1] == state:
        return noted[path][-1]
    try:
        with Path(path).open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return None


def checksum_of(paths: list[str], known: dict[str, str]) -> str:
    """One short checksum for the names and contents of several files."""
    return hashlib.sha256(json.dumps([[path, known.get(path)] for path in paths]).encode()).hexdigest()[:16]


def read(path) -> bytes:
    """The bytes of a raw file, all at once; their checksum is kept in READ. OSError if they cannot be had."""
    data = Path(path).read_bytes()
    READ[str(path)] = hashlib.sha256(data).hexdigest()
    return data


def certificate(paths: list[str], expected: str) -> str:
    """What this process read, a line with checksum and path for each file, as sha256sum prints them.

    SystemExit where that is not what Snakemake had seen (`expected`, by checksum_of). A file that the job did not even
    open is looked at now: it has a fault of its own.
    """
    now = checksums(states([path for path in paths if path not in READ])) | READ
    if checksum_of(paths, now) != expected:
        raise SystemExit(
            f"{', '.join(paths[:5])}{' ...' * (len(paths) > 5)}: changed while it was read, or since Snakemake began;"
            " nothing of it was kept. Let the files rest, then run snakemake again."
        )
    return "".join(f"{now[path]}  {path}\n" for path in paths if now.get(path))
