"""The code that a command may load, as one checksum: a parameter of its rule, so that an edit repeats what used it.

Snakemake does not see imports, so they are read in the text of the modules. Where the name of a module is put together
at run time, as for tasks, formats and measures, all modules of its package are taken. Imports nothing heavy.
"""

import hashlib
import os
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from nonresponse.home import HOME, SHIPPED

SCRIPTS = Path(__file__).resolve().parent.parent
# An import statement, on a line of its own: `from`, a package and names, in brackets or up to the end of the line; or
# `import`. The text is searched, since parsing 250 modules would take much of the time of a start with nothing to do.
IMPORT = re.compile(
    r"^[ \t]*(?:from[ ]+(nonresponse[\w.]*)[ ]+import\b[ ]*(\([^)]*\)|.*)|import[ ]+(nonresponse\b[\w.]*))",
    re.MULTILINE,
)
NAME = re.compile(r"(\w+)(?: as \w+)?")
CHOSEN = re.compile(r'import_module\(f"(nonresponse[\w.]*)\.\{')  # the package of a module that is chosen at run time


@cache
def checksum(*roots: str) -> str:
    """The first 64 bits of the SHA-256 of a script, perhaps with a module, and all that these may load, in hex."""
    names = [f"{path}:{digest(path)}" for path in files(*roots)]
    return hashlib.sha256(" ".join(names).encode()).hexdigest()[:16]


@cache
def files(*roots: str) -> list[str]:
    """A script, perhaps with a module that it is told to load, and all that these may load; below scripts/, sorted."""
    reached: set[str] = set()
    waiting = {*roots, *map(package, roots[1:])}
    while waiting:
        reached |= waiting
        waiting = {file for path in waiting for file in loaded(path)} - reached
    return sorted(reached)


@cache
def loaded(path: str) -> frozenset[str]:
    """The files that a file loads: imports with their packages, modules chosen at run time, data files of a package."""
    if not path.endswith(".py"):
        return frozenset()
    text = content(path).decode()
    modules = {*imported(text)}
    chosen = {package.replace(".", "/") for package in CHOSEN.findall(text)}
    modules |= {name for folder in chosen for name in contents()[folder] if name.endswith(".py")}
    if path.endswith("/__init__.py"):
        modules |= {name for name in contents()[path] if not name.endswith(".py")}
    return frozenset(modules)


def imported(text: str) -> Iterator[str]:
    """The modules of the library that the import statements in a text name, each with its packages."""
    for origin, names, module in IMPORT.findall(text):
        for name in (origin or module, *(f"{origin}.{name}" for name in NAME.findall(names))):
            yield from of_module(name)


@cache
def of_module(name: str) -> list[str]:
    """The file of a module with those of its packages; empty for what is no module of the library."""
    path = name.replace(".", "/")
    found = [file for file in (f"{path}.py", f"{path}/__init__.py") if file in library()]
    packages = [f"{folder.as_posix()}/__init__.py" for folder in Path(path).parents[:-1]] if found else []
    return packages + found


@cache
def package(path: str) -> str:
    """The __init__.py of the package that a file is in, perhaps in a folder of it."""
    return next(init for folder in Path(path).parents if (init := f"{folder.as_posix()}/__init__.py") in library())


@cache
def content(path: str) -> bytes:
    return ((SCRIPTS if "/" in path else HOME / "scripts") / path).read_bytes()


@cache
def digest(path: str) -> str:
    return hashlib.sha256(content(path)).hexdigest()


@cache
def contents() -> defaultdict[str, set[str]]:
    """What is in each folder of the library, and what belongs to each of its packages."""
    found = defaultdict(set)
    for name in library():
        found[name.rpartition("/")[0]].add(name)
        found[package(name)].add(name)
    return found


@cache
def library() -> frozenset[str]:
    """All files of the library, as paths below scripts/."""
    found = (f"{folder}/{name}" for folder, _, names in os.walk(SCRIPTS / "nonresponse") for name in names)
    found = (path for path in found if not path.startswith(f"{SHIPPED}/"))
    return frozenset(os.path.relpath(path, SCRIPTS) for path in found if not path.endswith(".pyc"))
