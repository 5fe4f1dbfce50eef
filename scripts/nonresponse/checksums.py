"""Checksums of the files that campaigns are read from, and of their results.

Of raw files, because Snakemake looks into a file only if its time is newer than that of the results: a run replaced by
`mv`, `cp -p`, `rsync -a` or `unzip` would go unseen. A job compares what it has read with what Snakemake saw before it
began. Of results, which jobs note as they write them, to tell what was edited or damaged since. What was read once is
noted, and read again when its size, times or inode differ. Imports nothing heavy, since every start of Snakemake asks.
"""

import hashlib
import io
import json
import os
import shutil
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

# What one start of Snakemake notes for the next. It lies within what Snakemake itself notes of results, such as their
# parameters: who loses that loses this, and results that have neither are made again.
FOLDER = Path(".snakemake/metadata/nonresponse")
RAW = FOLDER / "raw.json"  # states of raw files
RESULTS = FOLDER / "results"  # states of what jobs wrote: a folder per run, named by its time, and a note per machine
ASKED = FOLDER / "asked.json"  # the results that the configuration of the last run asks for
NOTES = "NONRESPONSE_NOTES"  # in the environment of jobs: the folder for this run's notes
READ: dict[str, str] = {}  # a checksum of each raw file that this process has read, by path


def states(paths: list[str], known: dict[str, list]) -> dict[str, list]:
    """Size, times, inode and a checksum of the content of each file, by path; files that are not there are left out.

    A file that looks as it did before keeps its checksum and is not read. The checksum is null where a file cannot be
    read: the job that reads it will say why.
    """
    found: dict[str, list] = {}
    for path in paths:
        with suppress(OSError):
            status = Path(path).stat()
            if not stat.S_ISREG(status.st_mode):  # a named pipe: reading it would wait for ever
                continue
            look = [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]
            found[path] = known[path] if path in known and known[path][:-1] == look else [*look, None]
            if found[path] is not known.get(path):
                with Path(path).open("rb") as stream:
                    found[path][-1] = hashlib.file_digest(stream, "sha256").hexdigest()
    return found


def noted(note: Path) -> dict:
    """What a note says, or all notes of runs: a line adds to those before it, null takes back, damage is left out."""
    merged: dict = {}
    for part in sorted(note.glob("*/*")) if note.is_dir() else [note]:
        with suppress(OSError):
            for line in part.read_text(encoding="utf-8", errors="replace").splitlines():
                with suppress(ValueError, TypeError):
                    merged |= json.loads(line)
    return {name: what for name, what in merged.items() if what is not None}


def write_note(what: dict, note: Path) -> None:
    """Writes a note beside its place and moves it there; writes none where it cannot, such as on a full disk."""
    part = note.with_name(f".{note.name}.{os.getpid()}.part")
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(what), encoding="utf-8")
        part.replace(note)
    except OSError:
        with suppress(OSError):
            part.unlink()


def add(what: dict, note: Path) -> None:
    """Adds a line to a note; OSError where it cannot be written."""
    note.parent.mkdir(parents=True, exist_ok=True)
    with note.open("a", encoding="utf-8") as stream:
        stream.write("\n" + json.dumps(what))  # the line before it may have been cut short


def of_a_run() -> Path:
    """A folder for the notes of a run that begins now; they count more than those of earlier runs."""
    return RESULTS / str(time.time_ns())


@contextmanager
def noting(path: str) -> Iterator[None]:
    """Has a job of a run note a result as the block leaves it; if it is killed within the block, there is no note."""
    if NOTES in os.environ:
        add({path: None}, of_job())
    yield
    if NOTES in os.environ:
        add(states([path], {}), of_job())


def forget(folder: str) -> None:
    """Takes back what is noted of files in a folder of results, which a job is about to fill again."""
    if NOTES in os.environ:
        add(dict.fromkeys(path for path in noted(RESULTS) if path.startswith(f"{folder}/")), of_job())


def of_job() -> Path:
    """The note of this run and machine: of what two machines add to one file at once, a network may lose some."""
    return Path(os.environ[NOTES], os.uname().nodename)


def settle(what: dict) -> None:
    """One note in place of all that earlier runs left; the notes of this one add to it."""
    run = Path(os.environ[NOTES])
    write_note(what, first := run / "0")  # no machine has a name that comes before
    if first.exists():
        for earlier in set(RESULTS.iterdir()) - {run}:
            shutil.rmtree(earlier, ignore_errors=True)


def of_this_run() -> set[str]:
    """What jobs of this run have noted."""
    return {path for note in Path(os.environ[NOTES]).glob("*") if note.name != "0" for path in noted(note)}


def files_in(result: str) -> list[str]:
    """The file itself, or all in a folder except Snakemake's mark."""
    if not Path(result).is_dir():
        return [result]
    return sorted(str(file) for file in Path(result).rglob("[!.]*") if file.is_file())


def by_path(known: dict[str, list]) -> dict[str, str | None]:
    return {path: checksum for path, (*_, checksum) in known.items()}


def checksum_of(paths: list[str], known: Mapping[str, str | None]) -> str:
    return hashlib.sha256(json.dumps([[path, known.get(path)] for path in paths]).encode()).hexdigest()[:16]


def read_raw_file(path: str | Path) -> bytes:
    """The bytes of a raw file, all at once; their checksum is kept in READ. OSError if they cannot be had."""
    data = Path(path).read_bytes()
    READ[str(path)] = hashlib.sha256(data).hexdigest()
    return data


@contextmanager
def seekable(path: str | Path) -> Iterator[io.BufferedReader]:
    """The same of a file of which parts are read, one here, one there."""
    with Path(path).open("rb") as stream:
        READ[str(path)] = hashlib.file_digest(stream, "sha256").hexdigest()
        stream.seek(0)
        yield stream


class Summed(io.RawIOBase):
    """A raw file that is read once, piece by piece; its checksum is kept when its end is reached. OSError as above."""

    def __init__(self, path: str | Path):
        self.path, self.stream, self.sum = str(path), Path(path).open("rb"), hashlib.sha256()  # noqa: SIM115

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        number = self.stream.readinto(buffer)
        self.sum.update(memoryview(buffer)[:number])
        if not number:
            READ[self.path] = self.sum.hexdigest()
        return number

    def close(self) -> None:
        self.stream.close()
        super().close()


def certificate(paths: list[str], expected: str) -> str:
    """What this process read, a line with checksum and path for each file, as sha256sum prints them.

    SystemExit where that is not what Snakemake had seen (`expected`, by checksum_of). A file that the job did not
    open is looked at now: it has another fault.
    """
    now = by_path(states([path for path in paths if path not in READ], noted(RAW))) | READ
    if checksum_of(paths, now) != expected:
        raise SystemExit(
            f"{', '.join(paths[:5])}{' ...' * (len(paths) > 5)}: changed while it was read, or since Snakemake began;"
            " nothing of it was kept. Let the files rest, then run snakemake again."
        )
    return "".join(f"{now[path]}  {path}\n" for path in paths if now.get(path))
