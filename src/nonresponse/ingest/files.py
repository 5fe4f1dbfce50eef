"""Which files a pattern matches, what else it matches, and the shard of each file; imports nothing
heavy.

As in a shell, `*` and `**` pass over names that begin with a full stop. `**` follows no link to a
folder.
"""

import os
import re
import stat
import zlib
from collections import defaultdict
from errno import ELOOP, ENAMETOOLONG, ENOENT, ENOTDIR
from fnmatch import filter as matching
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from nonresponse.faults import Fault

MAGIC = re.compile(r"[*?\[]")
KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    **dict.fromkeys((stat.S_IFCHR, stat.S_IFBLK), "a device"),
}
NO_READER = "a file that nobody here may read"


class Matches(NamedTuple):
    """What a pattern matches, sorted by name."""

    files: list[str]
    # Paths that are no readable files, with what they are instead, such as "a folder"
    unreadable: dict[str, str]


def list_patterns(files: str | list[str]) -> list[str]:
    return [files] if isinstance(files, str) else files


def match_files(files: str | list[str], folders: bool = False) -> Matches:
    """Return what patterns match, each path once; folders instead of files if so wanted."""
    each = [match_pattern(pattern, folders) for pattern in list_patterns(files)]
    others = {path: kind for one in each for path, kind in one.unreadable.items()}
    return Matches(sorted({file for one in each for file in one.files}), others)


def match_pattern(pattern: str, folders: bool) -> Matches:
    """Return what a pattern matches; a plain path matches itself."""
    hidden: dict[str, str] = {}
    paths = expand_pattern(pattern, hidden)
    if pattern not in paths and path_exists(pattern, hidden):  # its name has brackets
        paths = [pattern]
    kinds, wanted = {path: describe_path(path) for path in paths}, "a folder" if folders else None
    files = sorted(path.rstrip("/") or path for path, kind in kinds.items() if kind == wanted)
    others = {path: kind for path, kind in kinds.items() if kind and kind != wanted}
    if not folders and "**" in pattern.split("/"):
        on_the_way = {str(folder) for file in files for folder in Path(file).parents}
        every = not pattern.rpartition("/")[2].strip("*")
        others = {
            path: kind
            for path, kind in others.items()
            if kind != "a folder" or not (every or str(Path(path)) in on_the_way)
        }
    others |= hidden
    return Matches(files, {escape_path(path): others[path] for path in sorted(others)})


def find_files(files: str | list[str]) -> list[str]:
    """Return the files that one or several patterns match, sorted by name."""
    return match_files(files).files


def expand_pattern(pattern: str, others: dict[str, str]) -> list[str]:
    """Return the paths that a pattern matches; hidden ones go to `others`."""
    *parts, last = pattern.split("/")
    if last == "**":
        parts, last = [*parts, "**"], "*"
    beginnings = [""]  # of paths, each with the slash at its end
    for before, part in pairwise(["", *parts]):
        if part == "**":
            each = [list_folders(one, others) for one in beginnings if before != part]
            beginnings = [folder for folders in each for folder in folders] or beginnings
        elif MAGIC.search(part):
            paths = [
                path for beginning in beginnings for path in list_matching(beginning, part, others)
            ]
            kinds = {path: describe_path(path) for path in paths}
            known = (None, NO_READER, *KINDS.values())
            others |= {path: str(kind) for path, kind in kinds.items() if kind not in known}
            beginnings = [f"{path}/" for path, kind in kinds.items() if kind == "a folder"]
        else:
            beginnings = [f"{beginning}{part}/" for beginning in beginnings]
        beginnings = list(dict.fromkeys(beginnings))
    if MAGIC.search(last):
        return [path for beginning in beginnings for path in list_matching(beginning, last, others)]
    paths = [f"{beginning}{last}" for beginning in beginnings]
    return [path for path in paths if path_exists(path, others)]


def list_folders(top: str, others: dict[str, str]) -> list[str]:
    """Return a folder and those below it; links, not followed, go to `others`."""
    folders, links = [top], []
    for folder in folders:  # the list grows on the way
        shown = [entry for entry in list_entries(folder, others) if not entry.name.startswith(".")]
        links += [f"{folder}{entry.name}" for entry in shown if entry.is_symlink()]
        below = (entry.name for entry in shown if entry.is_dir(follow_symlinks=False))
        folders += [f"{folder}{name}/" for name in below]
    targets = {link: os.path.realpath(link) for link in links if describe_path(link) == "a folder"}
    seen = {os.path.realpath(folder or ".") for folder in folders} if targets else set()
    here = os.path.realpath(top or ".")
    for link, target in targets.items():
        if target not in seen and os.path.commonpath([target, here]) != target:
            others[link] = "a link to a folder, which ** does not follow"
    return folders


def list_matching(folder: str, part: str, others: dict[str, str]) -> list[str]:
    """Return the paths in a folder whose names match a part of a pattern."""
    names = matching([entry.name for entry in list_entries(folder, others)], part)
    return [f"{folder}{name}" for name in names if part.startswith(".") or not name.startswith(".")]


def list_entries(folder: str, others: dict[str, str]) -> list[os.DirEntry]:
    """Return the entries of a folder, if it is there; an unreadable one goes to `others`."""
    try:
        with os.scandir(folder or ".") as inside:
            return list(inside)
    except OSError as error:
        if error.errno not in (ENOENT, ENOTDIR):
            others[folder.rstrip("/") or folder] = (
                f"a folder that cannot be read ({error.strerror})"
            )
        return []


def path_exists(path: str, others: dict[str, str]) -> bool:
    """Return whether anything is at this path, even a link; a hidden path goes to `others`."""
    try:
        os.lstat(path)
        return True
    except OSError as error:
        if error.errno not in (ENOENT, ENOTDIR, ENAMETOOLONG):
            others[path] = describe_error(error)
        return False


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
    """Return how to describe a path that the system does not let us look at."""
    return f"a path that cannot be looked at ({error.strerror})"


def escape_path(path: str) -> str:
    """Return a path as text that can be shown, with \\x for bytes that are not UTF-8."""
    return os.fsencode(path).decode(errors="backslashreplace")


def find_unreadable(there: Matches) -> list[Fault]:
    """Return a fault for each path that a pattern matches but that is no readable file."""
    expected = "a file that can be read, or a pattern that leaves it out"
    return [Fault(path, 0, kind, expected) for path, kind in there.unreadable.items()]


def list_matches(there: Matches) -> list[str]:
    """Return all that a pattern matches: the files, then the other paths with what they are."""
    return [*there.files, *map(": ".join, there.unreadable.items())]


def choose_shard(path: str, shards: int) -> int:
    """Return the shard of a path: a stable hash of it, so that a new file moves no other."""
    return zlib.crc32(path.encode(errors="surrogateescape")) % shards


def split_by_shard(there: Matches, shards: int) -> dict[int, Matches]:
    """Return what a pattern matches, by shard; shards without any path are left out."""
    spread: dict[int, Matches] = defaultdict(lambda: Matches([], {}))
    for path in there.files:
        spread[choose_shard(path, shards)].files.append(path)
    for path, kind in there.unreadable.items():
        spread[choose_shard(path, shards)].unreadable[path] = kind
    return dict(spread)
