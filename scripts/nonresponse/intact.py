"""Results that were cut short or deleted between two runs, which Snakemake does not notice by itself.

At its end a run notes the size of every result; the next one puts aside what is no longer as it was noted, so that
it is computed again. While a run is at work there is no note: a killed run leaves none, and nothing is judged by an
old one; a Parquet file without its end is then known all the same. Imports nothing heavy, since every start of
Snakemake asks.
"""

import fcntl
import shutil
from pathlib import Path

from nonresponse import checksums

NOTE = checksums.FOLDER / "sizes.json"
TAKEN = checksums.FOLDER / "taken"
held = []  # the lock, as long as this process lives


def alone() -> bool:
    """Whether no other run is at work here; none can begin until this process ends.

    Two Snakemakes that start in the same moment may both pass Snakemake's own lock; the system grants this one to
    a single process, and takes it back when that ends in whatever way.
    """
    checksums.FOLDER.mkdir(parents=True, exist_ok=True)
    held.append((checksums.FOLDER / "lock").open("w"))
    try:
        fcntl.flock(held[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks: Snakemake's own has to do
        pass
    return True


def forget() -> None:
    NOTE.unlink(missing_ok=True)


def sizes(path) -> dict[str, int]:
    """The bytes of a file, or of each figure in a folder, by path; empty where there is neither."""
    path = Path(path)
    files = path.glob("*.svg") if path.is_dir() else [path]
    return {str(file): file.stat().st_size for file in files if file.is_file()}


def ends_early(file: str, size: int) -> bool:
    """Whether this is a Parquet file without its last bytes, which are the same in all of them."""
    if not file.endswith(".parquet"):
        return False
    with Path(file).open("rb") as stream:
        stream.seek(max(size - 4, 0))
        return stream.read() != b"PAR1"


def lost(paths) -> list[str]:
    """Which of these are not there."""
    return [path for path in paths if not Path(path).exists()]


def note(paths) -> None:
    """Notes the sizes of what is there."""
    whole = {path: {file: size for file, size in sizes(path).items() if not ends_early(file, size)} for path in paths}
    checksums.write(whole, NOTE)


def faults(then: dict[str, int], now: dict[str, int]) -> list[str]:
    """A sentence for each file that is lost or damaged, by the sizes noted and found."""
    lacking = [f"{file} is missing: it is computed again." for file in then if file not in now]
    return lacking + [
        f"{file} is damaged ({size:,} bytes{f' instead of {then[file]:,}' if file in then else ', without an end'}):"
        " it is computed again."
        for file, size in now.items()
        if (then[file] != size if file in then else ends_early(file, size))
    ]


def damages(paths, take_away: bool) -> list[str]:
    """A sentence for each damaged or lost file; with `take_away` the damaged are put aside, to be made again.

    A folder of which any file is damaged or lost is put aside as a whole.
    """
    noted, sentences = checksums.noted(NOTE), []
    for path in paths:
        found = faults(noted.get(path, {}), sizes(path))
        sentences += found
        if found and take_away:
            put_aside(Path(path))
    return sentences


def put_aside(path: Path) -> None:
    """Moves a file or folder to TAKEN, in place of what was taken from there before: somebody may have edited it."""
    taken = TAKEN / path
    if taken.is_dir() and not taken.is_symlink():
        shutil.rmtree(taken)
    taken.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        taken.unlink(missing_ok=True)
        path.rename(taken)
