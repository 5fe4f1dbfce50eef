"""Digests of raw files and of the code, which Snakemake sees as parameters of jobs; and the manifest of results.

Snakemake looks into an input only if it is newer than the output: a run replaced by `mv` of an older file would go
unseen, and so would an edit of the library.
"""

import hashlib
import json
import stat
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

from nonresponse.home import LIBRARY, SHIPPED

NOTES = Path(".snakemake/nonresponse")  # within Snakemake's own folder, so that both are lost together
MANIFEST = Path("results/manifest.sha256")
# The parts of the library that the stages of each layer may load, beside the modules above all rooms.
STAGES = ("stages/__init__.py", "stages/__main__.py", "stages/params.py")
SCORE = ("judging", "measures", "scoring", "tasks")
LAYERS = {
    "ingest": (*STAGES, "stages/ingest.py", "formats", "ingest", "pages/__init__.py", "pages/blocks.py", "tasks"),
    "judge": (*STAGES, "stages/judge.py", "judging", "tasks"),
    "score": (*STAGES, "stages/score.py", *SCORE),
    "statistics": (*STAGES, "stages/statistics.py", *SCORE, "reliability"),
    "pages": (
        *(*STAGES, "stages/pages.py", "stages/report.py", *SCORE),
        *("campaign", "figures", "formats", "ingest", "pages", "reliability", "topics", "views"),
    ),
}


@cache
def code(layer: str) -> str:
    """Return a digest of the code that the stages of a layer may load."""
    found, parts = hashlib.sha256(), LAYERS[layer]
    for path in sorted(LIBRARY.rglob("*")):
        place = path.relative_to(LIBRARY).as_posix()
        if path.suffix == ".pyc" or not path.is_file() or path.is_relative_to(SHIPPED):
            continue
        if "/" not in place or any(place == part or place.startswith(f"{part}/") for part in parts):
            found.update(place.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:16]


class Digests:
    """The digest of each raw file. A file whose size, times and inode are as noted is not read again."""

    def __init__(self, note: str) -> None:
        self.note = NOTES / note
        self.noted: dict[str, list] = {}
        self.known: dict[str, list] = {}  # of the files that were asked for
        with suppress(OSError, ValueError):
            self.noted = json.loads(self.note.read_text(encoding="utf-8"))

    def of(self, path: str) -> str:
        """Return the SHA-256 of a file; the empty text if it cannot be read, which its job will report."""
        if path in self.known:
            return self.known[path][-1]
        look = look_of(path)
        noted = self.noted.get(path, [])
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

    def of_all(self, paths: Iterable[str]) -> str:
        """Return a digest of these paths and of their contents."""
        known = [[path, self.of(path)] for path in paths]
        return hashlib.sha256(json.dumps(known).encode()).hexdigest()[:16]

    def save(self) -> None:
        """Note what is known, for the next start."""
        NOTES.mkdir(parents=True, exist_ok=True)
        part = self.note.with_suffix(".part")
        part.write_text(json.dumps(self.known), encoding="utf-8")
        part.replace(self.note)


def look_of(path: str) -> list[int] | None:
    """Return what tells at a glance that a file is another: size, times, inode; null for what is no readable file."""
    with suppress(OSError, UnicodeEncodeError):
        status = Path(path).stat()
        if stat.S_ISREG(status.st_mode):
            return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]
    return None


def files_in(results: Iterable[str]) -> list[str]:
    """Return the files among these results and in the folders among them, without Snakemake's own marks."""
    found = []
    for result in results:
        path = Path(result)
        found += sorted(str(file) for file in path.rglob("[!.]*") if file.is_file()) if path.is_dir() else [result]
    return [path for path in found if Path(path).is_file()]


def write_manifest(results: Iterable[str]) -> None:
    """Write the digest of each result, as `sha256sum -c results/manifest.sha256` reads it."""
    digests = Digests("results.json")
    lines = [f"{digests.of(path)}  {path}\n" for path in files_in(results)]
    digests.save()
    MANIFEST.parent.mkdir(exist_ok=True)
    part = MANIFEST.with_suffix(".part")
    part.write_text("".join(lines), encoding="utf-8", errors="surrogateescape")
    part.replace(MANIFEST)
    (NOTES / "running").unlink(missing_ok=True)


def edited(results: Iterable[str]) -> list[str]:
    """Return the results that were changed, or lost from their folders, since the last run ended; sorted.

    After a run that was killed, what it wrote cannot be told from an edit, and nothing is returned.
    """
    noted = Digests("results.json")
    if (NOTES / "running").exists():
        return []
    found = set()
    for result in results:
        inside = [path for path in noted.noted if path == result or path.startswith(f"{result}/")]
        if not Path(result).exists():
            continue  # Snakemake makes it again
        for path in inside:
            if noted.of(path) != noted.noted[path][-1]:
                found.add(result)
    return sorted(found)
