"""Which files a pattern names, and which shard each belongs to; imports nothing heavy."""

import glob
import zlib
from pathlib import Path


def files_of(pattern: str) -> list[str]:
    """The files that a pattern names, in the order of their names; a plain path names itself."""
    if Path(pattern).is_file():
        return [pattern]
    return sorted({path for path in glob.glob(pattern, recursive=True) if Path(path).is_file()})


def is_unicode(path: str) -> bool:
    """Whether a file's name is UTF-8; one that is not comes with half characters in it, which no table can hold."""
    return path == path.encode(errors="replace").decode()


def shard_of(path: str, shards: int) -> int:
    """The shard of a file: a stable hash of its path, so that a new file moves no other."""
    return zlib.crc32(path.encode(errors="surrogateescape")) % shards


def shard_files(pattern: str, shard: int, shards: int) -> list[str]:
    return [path for path in files_of(pattern) if shard_of(path, shards) == shard]
