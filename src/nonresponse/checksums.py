"""Checksums of the files that campaigns are read from, and of their results.

Raw files need them because Snakemake looks into a file only if it is newer than the results: a run replaced by `mv`,
`cp -p`, `rsync -a` or `unzip` would go unseen. A job compares what it has read with what Snakemake saw before the job
began. Results need them to tell what was edited or damaged since a job wrote it. Checksums are noted, and a file is
read again only when its size, times or inode differ. Imports nothing heavy, since every start of Snakemake imports it.
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

# What one start of Snakemake notes for the next. It lies within Snakemake's own metadata on results, such as their
# parameters, so that both are lost together: results that have neither are made again.
FOLDER = Path(".snakemake/metadata/nonresponse")
RAW = FOLDER / "raw.json"  # states of raw files
RESULTS = FOLDER / "results"  # states of what jobs wrote: a folder per run, named by its time, and a note per machine
ASKED = FOLDER / "asked.json"  # the results that the configuration of the last run asks for
NOTES = "NONRESPONSE_NOTES"  # in the environment of jobs: the folder for this run's notes
READ: dict[str, str] = {}  # a checksum of each raw file that this process has read, by path


def states(paths: list[str], known: dict[str, list]) -> dict[str, list]:
    """Size, times, inode and a checksum of the content of each file, by path; files that are not there are left out.

    A file with the same size, times and inode as before keeps its checksum and is not read. The checksum is null if a
    file cannot be read: the job that reads it will say why.
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
    """The entries of a note, or of all notes of runs: later lines win, null removes an entry, damage is skipped."""
    merged: dict = {}
    for part in sorted(note.glob("*/*")) if note.is_dir() else [note]:
        with suppress(OSError):
            for line in part.read_text(encoding="utf-8", errors="replace").splitlines():
                with suppress(ValueError, TypeError):
                    merged |= json.loads(line)
    return {name: what for name, what in merged.items() if what is not None}


def write_note(what: dict, note: Path) -> None:
    """Writes a note next to its place and moves it there; gives up if that is impossible, such as on a full disk."""
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
    """A folder for the notes of a run that begins now; they override those of earlier runs."""
    return RESULTS / str(time.time_ns())


@contextmanager
def noting(path: str) -> Iterator[None]:
    """Notes a result as the block leaves it, in a job of a run; a job killed within the block leaves no note."""
    if NOTES in os.environ:
        add({path: None}, of_job())
    yield
    if NOTES in os.environ:
        add(states([path], {}), of_job())


def forget(folder: str) -> None:
    """Removes the entries on files in a folder of results, which a job is about to fill again."""
    if NOTES in os.environ:
        add(dict.fromkeys(path for path in noted(RESULTS) if path.startswith(f"{folder}/")), of_job())


def of_job() -> Path:
    """The note of this run and machine: if two machines shared one, a network disk might lose lines."""
    return Path(os.environ[NOTES], os.uname().nodename)


def settle(what: dict) -> None:
    """Replaces the notes of all earlier runs by a single one; those of this run add to it."""
    run = Path(os.environ[NOTES])
    write_note(what, first := run / "0")  # sorts before the name of any machine
    if first.exists():
        for earlier in set(RESULTS.iterdir()) - {run}:
            shutil.rmtree(earlier, ignore_errors=True)


def of_this_run() -> set[str]:
    """The paths of the files that jobs of this run have noted."""
    return {path for note in Path(os.environ[NOTES]).glob("*") if note.name != "0" for path in noted(note)}


def files_in(result: str) -> list[str]:
    """The files of a result: the result itself, or all files in a folder except Snakemake's mark."""
    if not Path(result).is_dir():
        return [result]
    return sorted(str(file) for file in Path(result).rglob("[!.]*") if file.is_file())


def by_path(known: dict[str, list]) -> dict[str, str | None]:
    return {path: checksum for path, (*_, checksum) in known.items()}


def checksum_of(paths: list[str], known: Mapping[str, str | None]) -> str:
    return hashlib.sha256(json.dumps([[path, known.get(path)] for path in paths]).encode()).hexdigest()[:16]


def read_raw_file(path: str | Path) -> bytes:
    """The bytes of a raw file, all at once; their checksum is kept in READ. OSError if it cannot be read."""
    data = Path(path).read_bytes()
    READ[str(path)] = hashlib.sha256(data).hexdigest()
    return data


@contextmanager
def seekable(path: str | Path) -> Iterator[io.BufferedReader]:
    """A raw file of which parts are read in any order; its checksum is kept in READ. OSError if it cannot be read."""
    with Path(path).open("rb") as stream:
        READ[str(path)] = hashlib.file_digest(stream, "sha256").hexdigest()
        stream.seek(0)
        yield stream


class Summed(io.RawIOBase):
    """A raw file that is read once, piece by piece; its checksum is kept in READ once its end is reached."""

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
    open, because it has some other fault, is read now.
    """
    now = by_path(states([path for path in paths if path not in READ], noted(RAW))) | READ
    if checksum_of(paths, now) != expected:
        raise SystemExit(
            f"{', '.join(paths[:5])}{' ...' * (len(paths) > 5)}: changed while it was read, or since Snakemake began;"
            " nothing of it was kept. Let the files rest, then run snakemake again."
        )
    return "".join(f"{now[path]}  {path}\n" for path in paths if now.get(path))
