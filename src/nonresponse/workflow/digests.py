"""Digests of raw files and of the code, which Snakemake sees as parameters of jobs; and the
manifest of results.

Snakemake looks into an input only if it is newer than the output: a run replaced by `mv` of an
older file would go unseen, and so would an edit of the library.
"""

import hashlib
import json
import os
import stat
from base64 import urlsafe_b64decode
from collections.abc import Iterable, Set
from contextlib import suppress
from functools import cache
from pathlib import Path

from nonresponse.atomic import write_text
from nonresponse.home import LIBRARY, SHIPPED
from nonresponse.stages import STAGES

# Within Snakemake's own folder, so that both are lost together
NOTES = Path(".snakemake/nonresponse")
MANIFEST = Path("results/manifest.sha256")
# The parts of the library that the stages of each layer may load, beside the modules above all
# rooms.
ENTRY = ("stages/__init__.py", "stages/__main__.py", "stages/params.py")
SCORE = ("judging", "measures", "scoring", "tasks")
LAYERS = {
    "ingest": (
        *(*ENTRY, "stages/ingest.py", "formats", "ingest", "tasks"),
        *("report/__init__.py", "report/glossary.py", "report/model.py"),
    ),
    "judge": (*ENTRY, "stages/judge.py", "judging", "tasks"),
    "score": (*ENTRY, "stages/score.py", *SCORE),
    "statistics": (*ENTRY, "stages/statistics.py", *SCORE, "statistics"),
    "pages": (
        *(*ENTRY, "stages/pages.py", "stages/report.py", *SCORE),
        *("campaign", "formats", "ingest", "report", "statistics"),
    ),
}


@cache
def digest_modules() -> dict[str, bytes]:
    """Return the digest of each file of the library, by its path, without a wheel's project."""
    paths = (Path(folder, name) for folder, _, names in os.walk(LIBRARY) for name in names)
    code = [path for path in paths if path.suffix != ".pyc" and not path.is_relative_to(SHIPPED)]
    files = {path.relative_to(LIBRARY).as_posix(): path for path in code}
    return {name: hashlib.sha256(files[name].read_bytes()).digest() for name in sorted(files)}


@cache
def digest_layer(layer: str) -> str:
    """Return a digest of the code that the stages of a layer may load."""
    digest, parts = hashlib.sha256(), LAYERS[layer]
    for path, module_digest in digest_modules().items():
        if "/" not in path or path.startswith(tuple(f"{part}/" for part in parts)) or path in parts:
            digest.update(path.encode() + b"\0" + module_digest)
    return digest.hexdigest()[:16]


def digest_stage(stage: str) -> str:
    """Return a digest of the code that a stage may load."""
    return digest_layer({"report": "pages"}.get(STAGES[stage], STAGES[stage]))


class Digests:
    """The digests of raw files, each read again only if its size, times or inode changed."""

    def __init__(self, note: str) -> None:
        self.note = NOTES / note
        self.noted: dict[str, list] = {}
        self.known: dict[str, list] = {}  # of the files that were asked for
        with suppress(OSError, ValueError):
            self.noted = json.loads(self.note.read_text(encoding="utf-8"))

    def digest(self, path: str) -> str:
        """Return the SHA-256 of a file. It is empty where the file's job will report a fault."""
        if path in self.known:
            return self.known[path][-1]
        look, noted = stat_file(path), self.noted.get(path, [])
        if look is None:
            return ""
        if noted[:-1] != look:
            try:
                with Path(path).open("rb") as stream:
                    noted = [*look, hashlib.file_digest(stream, "sha256").hexdigest()]
            except OSError:
                return ""
        self.known[path] = noted
        return noted[-1]

    def list_all(self, paths: Iterable[str]) -> list[list[str]]:
        """Return each of these paths with its digest."""
        return [[path, self.digest(path)] for path in paths]

    def digest_all(self, paths: Iterable[str]) -> str:
        """Return a digest of these paths and of their contents."""
        return hashlib.sha256(json.dumps(self.list_all(paths)).encode()).hexdigest()[:16]

    def save(self) -> None:
        """Note what is known, for the next start."""
        write_text(json.dumps(self.known), self.note)


def stat_file(path: str) -> list[int] | None:
    """Return what shows that a file is another: size, times, inode. Null if it is no file."""
    with suppress(OSError, UnicodeEncodeError):
        status = Path(path).stat()
        if stat.S_ISREG(status.st_mode):
            return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]
    return None


def list_files(results: Iterable[str]) -> list[str]:
    """Return the files among these results and in their folders, without Snakemake's marks."""
    files = list[str]()
    for result in results:
        folder = Path(result)
        files += sorted(map(str, folder.rglob("[!.]*"))) if folder.is_dir() else [result]
    return [path for path in files if Path(path).is_file()]


def write_manifest(results: Iterable[str]) -> dict[str, bool]:
    """Write the digest of each result, as `sha256sum -c results/manifest.sha256` reads it.

    Return the results that are new or changed since it was last written, and whether each was there
    then.
    """
    digests, listed_results = Digests("results.json"), dict.fromkeys(results)
    lines = [f"{digests.digest(path)}  {path}\n" for path in list_files(listed_results)]
    noted = digests.noted
    changes = {
        path: path in noted
        for path in digests.known
        if noted.get(path, [""])[-1] != digests.digest(path)
    }
    # What is no result of this configuration may be one of the next
    for path, look in noted.items():
        if not find_result(path, listed_results.keys()):
            digests.known[path] = look
    digests.save()
    write_text("".join(lines), MANIFEST)
    (NOTES / "running").unlink(missing_ok=True)
    return changes


def find_result(path: str, results: Set[str]) -> str:
    """Return the result that a file is, or the folder among the results in which it lies; empty if
    it is in none."""
    while path and path not in results:
        path = path.rpartition("/")[0]
    return path


def find_edited(results: Iterable[str]) -> list[str]:
    """Return, sorted, the results that were changed or lost from folders since the last run ended.

    After a run that was killed, its results cannot be distinguished from edits: return nothing.
    """
    digests, known_results = Digests("results.json"), {*results}
    if (NOTES / "running").exists():
        return []
    edited = set()
    for path, look in digests.noted.items():
        result = find_result(path, known_results)
        # One that is lost as a whole Snakemake makes again.
        if result and digests.digest(path) != look[-1] and Path(result).exists():
            edited.add(result)
    return sorted(edited)


def find_unfinished(results: Iterable[str]) -> list[str]:
    """Return, sorted, the results whose job was running when Snakemake was killed.

    Snakemake marks them, but checks the marks only for jobs that precede a checkpoint. For all
    others it goes by its record of the last job that it saw end, which may have read other inputs.
    """
    marked = set()
    for path in Path(".snakemake/incomplete").rglob("*"):
        with suppress(ValueError):  # it is no mark
            parts = path.relative_to(".snakemake/incomplete").parts
            marked.add(urlsafe_b64decode("".join(parts).replace("@", "")).decode())
    return sorted(path for path in marked & {*results} if Path(path).exists())
