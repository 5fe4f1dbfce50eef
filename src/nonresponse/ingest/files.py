"""Matches files by patterns, and assigns them to shards; imports nothing heavy.

As in a shell, `*` and `**` pass over names that begin with a full stop. `**` follows no link to a
folder.
"""

import os
import re
import stat
import zlib
from collections import defaultdict
from errno import ELOOP, ENAMETOOLONG, ENOENT, ENOTDIR
from fnmatch import filter as match_names
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
    matches = [match_pattern(pattern, folders) for pattern in list_patterns(files)]
    unreadable = {path: kind for match in matches for path, kind in match.unreadable.items()}
    return Matches(sorted({file for match in matches for file in match.files}), unreadable)


def match_pattern(pattern: str, folders: bool) -> Matches:
    """Return what a pattern matches; a plain path matches itself."""
    hidden: dict[str, str] = {}
    paths = expand_pattern(pattern, hidden)
    if pattern not in paths and path_exists(pattern, hidden):  # its name has brackets
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
    """Return the paths that a pattern matches; what cannot be looked at goes to `hidden`."""
    *parts, name = pattern.split("/")
    if name == "**":
        parts, name = [*parts, "**"], "*"
    folders = [""]  # each with the slash at its end
    for parent, part in pairwise(["", *parts]):
        if part == "**":
            if parent != part:
                folders = [path for top in folders for path in list_folders(top, hidden)]
        elif MAGIC.search(part):
            paths = [path for folder in folders for path in list_matching(folder, part, hidden)]
            kinds = {path: describe_path(path) for path in paths}
            usual = (None, NO_READER, *KINDS.values())
            hidden |= {path: str(kind) for path, kind in kinds.items() if kind not in usual}
            folders = [f"{path}/" for path, kind in kinds.items() if kind == "a folder"]
        else:
            folders = [f"{folder}{part}/" for folder in folders]
        folders = list(dict.fromkeys(folders))
    if MAGIC.search(name):
        return [path for folder in folders for path in list_matching(folder, name, hidden)]
    paths = [f"{folder}{name}" for folder in folders]
    return [path for path in paths if path_exists(path, hidden)]


def list_folders(top: str, hidden: dict[str, str]) -> list[str]:
    """Return a folder and those below it; links to folders outside it go to `hidden`."""
    folders, links = [top], []
    for folder in folders:  # the list grows meanwhile
        for entry in list_entries(folder, hidden):
            if entry.name.startswith("."):
                continue
            if entry.is_symlink():
                links.append(f"{folder}{entry.name}")
            elif entry.is_dir(follow_symlinks=False):
                folders.append(f"{folder}{entry.name}/")
    targets = {link: os.path.realpath(link) for link in links if describe_path(link) == "a folder"}
    real_folders = {os.path.realpath(folder or ".") for folder in folders} if targets else set()
    real_top = os.path.realpath(top or ".")
    for link, target in targets.items():
        if target not in real_folders and os.path.commonpath([target, real_top]) != target:
            hidden[link] = "a link to a folder, which ** does not follow"
    return folders


def list_matching(folder: str, part: str, hidden: dict[str, str]) -> list[str]:
    """Return the paths in a folder whose names match a part of a pattern."""
    names = match_names([entry.name for entry in list_entries(folder, hidden)], part)
    return [f"{folder}{name}" for name in names if part.startswith(".") or not name.startswith(".")]


def list_entries(folder: str, hidden: dict[str, str]) -> list[os.DirEntry]:
    """Return the entries of a folder, if it is there; an unreadable one goes to `hidden`."""
    try:
        with os.scandir(folder or ".") as scan:
            return list(scan)
    except OSError as error:
        if error.errno not in (ENOENT, ENOTDIR):
            hidden[folder.rstrip("/") or folder] = (
                f"a folder that cannot be read ({error.strerror})"
            )
        return []


def path_exists(path: str, hidden: dict[str, str]) -> bool:
    """Return whether anything is at this path, even a link; a hidden path goes to `hidden`."""
    try:
        os.lstat(path)
        return True
    except OSError as error:
        if error.errno not in (ENOENT, ENOTDIR, ENAMETOOLONG):
            hidden[path] = describe_error(error)
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
