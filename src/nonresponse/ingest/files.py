"""Matches files by patterns, and assigns them to shards; imports nothing heavy.

As in a shell, `*` and `**` pass over names that begin with a full stop. `**` follows no link to a
folder.
"""

import os
import re
import stat
import zlib
from collections import defaultdict
from collections.abc import Iterator
from errno import ELOOP, ENOENT, ENOTDIR
from glob import escape, glob, has_magic
from pathlib import Path
from typing import NamedTuple

from nonresponse.faults import Fault

KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    **dict.fromkeys((stat.S_IFCHR, stat.S_IFBLK), "a device"),
}
NO_READER = "a file that nobody here may read"
NOT_LISTED = "a folder that cannot be read"
STARS = re.compile(r"(?<![^/])(\*\*/)*\*\*(/|$)")
DEEPEST = 300  # folders in a pattern


class Matches(NamedTuple):
    """What a pattern matches, sorted by name."""

    files: list[str]
    # Paths that are no readable files, with what they are instead, such as "a folder"
    unreadable: dict[str, str]


def list_patterns(files: str | list[str]) -> list[str]:
    return [files] if isinstance(files, str) else files


def match_files(files: str | list[str], folders: bool = False) -> Matches:
    """Return what patterns match, each path once; folders instead of files if so wanted."""
    matches = [match_pattern(pattern, folders) for pattern in list_patterns(files)]
    unreadable = {path: kind for match in matches for path, kind in match.unreadable.items()}
    return Matches(sorted({file for match in matches for file in match.files}), unreadable)


def match_pattern(pattern: str, folders: bool) -> Matches:
    """Return what a pattern matches; a plain path matches itself."""
    hidden: dict[str, str] = {}
    paths = expand_pattern(pattern, hidden)
    if pattern not in paths and os.path.lexists(pattern):  # its name has brackets
        paths = [pattern]
    kinds = {path: describe_path(path) for path in paths}
    sought = "a folder" if folders else None
    files = sorted(path.rstrip("/") or path for path, kind in kinds.items() if kind == sought)
    unreadable = {path: kind for path, kind in kinds.items() if kind and kind != sought}
    if not folders and "**" in pattern.split("/"):
        parents = {str(folder) for file in files for folder in Path(file).parents}
        any_name = not pattern.rpartition("/")[2].strip("*")
        for path in [path for path, kind in unreadable.items() if kind == "a folder"]:
            if any_name or str(Path(path)) in parents:
                del unreadable[path]
    unreadable |= hidden
    return Matches(files, {escape_path(path): unreadable[path] for path in sorted(unreadable)})


def find_files(files: str | list[str]) -> list[str]:
    """Return the files that one or several patterns match, sorted by name."""
    return match_files(files).files


def expand_pattern(pattern: str, hidden: dict[str, str]) -> list[str]:
    """Return the paths that a pattern matches; folders that cannot be read go to `hidden`."""
    stars = STARS.search(pattern)
    if pattern.count("/") > DEEPEST:
        return []
    if not stars:
        folders = glob(pattern.rpartition("/")[0]) if has_magic(pattern) else []
        hidden |= {folder: kind for folder in folders if (kind := describe_lost(folder))}
        return glob(pattern)
    paths, head, tail = list[str](), pattern[: stars.start()], pattern[stars.end() :] or "*"
    for base in glob(head) if head else [""]:
        for folder, lost in walk_folders(base):
            paths += [] if lost else expand_pattern(escape(folder) + tail, hidden)
            hidden |= {folder: lost} if lost else {}
    return list(dict.fromkeys(paths))


def walk_folders(base: str) -> Iterator[tuple[str, str]]:
    """Yield a folder and those below it with a slash at the end, and those that are lost with the
    reason. Links inside the folder, or to one above it, lose nothing."""
    real_base, errors = os.path.realpath(base or "."), list[OSError]()
    for top, subfolders, _ in os.walk(base or ".", onerror=errors.append):
        subfolders[:] = [name for name in subfolders if name[0] != "."]
        folder = "" if top == "." else f"{top.removeprefix('./').rstrip('/')}/"
        yield folder, ""
        for link in filter(os.path.islink, [folder + name for name in subfolders]):
            target = os.path.realpath(link)
            if os.path.commonpath([target, real_base]) not in (target, real_base):
                yield link, "a link to a folder, which ** does not follow"
    yield from ((str(error.filename).removeprefix("./"), NOT_LISTED) for error in errors)


def describe_lost(path: str) -> str | None:
    """Return why the files in a folder cannot be listed; null if they can, or it is no folder."""
    kind = describe_path(path)
    if kind == "a folder":
        return None if os.access(path, os.R_OK | os.X_OK) else NOT_LISTED
    return None if kind in (None, NO_READER, *KINDS.values()) else kind


def describe_path(path: str) -> str | None:
    """Return what a path is, such as "a folder"; null for a readable file or a link to one."""
    try:
        path.encode()
        mode = Path(path).stat().st_mode
    except UnicodeEncodeError:
        return "a name that is not UTF-8"
    except OSError as error:
        nowhere = error.errno in (ENOENT, ENOTDIR, ELOOP) and Path(path).is_symlink()
        return "a link that leads nowhere" if nowhere else describe_error(error)
    if not stat.S_ISREG(mode):
        return KINDS.get(stat.S_IFMT(mode), "neither file nor folder")
    return None if os.access(path, os.R_OK) else NO_READER


def describe_error(error: OSError) -> str:
    """Describe a path that is not there, or that the system does not let us look at."""
    if error.errno == ENOENT:
        return "nothing there"
    return f"a path that cannot be looked at ({error.strerror})"


def escape_path(path: str) -> str:
    """Return a path as text that can be shown, with \\x for bytes that are not UTF-8."""
    return os.fsencode(path).decode(errors="backslashreplace")


def find_unreadable(matches: Matches) -> list[Fault]:
    """Return a fault for each path that a pattern matches but that is no readable file."""
    expected = "a file that can be read, or a pattern that leaves it out"
    return [Fault(path, 0, kind, expected) for path, kind in matches.unreadable.items()]


def list_matches(matches: Matches) -> list[str]:
    """Return all that a pattern matches: the files, then the other paths with what they are."""
    return [*matches.files, *map(": ".join, matches.unreadable.items())]


def choose_shard(path: str, shards: int) -> int:
    """Return the shard of a path: a stable hash of it, so that a new file moves no other."""
    return zlib.crc32(path.encode(errors="surrogateescape")) % shards


def split_by_shard(matches: Matches, shards: int) -> dict[int, Matches]:
    """Return what a pattern matches, by shard; shards without any path are left out."""
    parts: dict[int, Matches] = defaultdict(lambda: Matches([], {}))
    for path in matches.files:
        parts[choose_shard(path, shards)].files.append(path)
    for path, kind in matches.unreadable.items():
        parts[choose_shard(path, shards)].unreadable[path] = kind
    return dict(parts)
