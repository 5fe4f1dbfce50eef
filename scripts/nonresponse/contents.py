"""Checksums of raw files, for Snakemake to see an edit that leaves a file older than the results.

Snakemake looks into a file only if its time is newer than that of the results: a run replaced by `mv`, `cp -p`,
`rsync -a` or `unzip` would go unseen. What was read once is noted, and read again when its size, times or inode
differ. Imports nothing heavy, since every start of Snakemake asks.
"""

import hashlib
import json
import stat
from pathlib import Path

from nonresponse import notes

NOTE = notes.FOLDER / "contents.json"


def checksums(paths: list[str]) -> dict[str, str]:
    """A checksum of each file's content, by path; files that cannot be read are left out."""
    noted = notes.noted(NOTE)  # of what is not noted, or where that is damaged, everything is read
    now = {path: [*state, noted_or_read(path, state, noted)] for path in paths if (state := state_of(path))}
    if now != noted:
        notes.note(NOTE, now)
    return {path: checksum for path, (*_, checksum) in now.items()}


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
    except OSError:  # the job that reads it will say why
        return None


def checksum_of(paths: list[str], known: dict[str, str]) -> str:
    """One short checksum for the names and contents of several files."""
    return hashlib.sha256(json.dumps([[path, known.get(path)] for path in paths]).encode()).hexdigest()[:16]
