"""The rooms of the library: each imports rooms of lower floors only, as docs/architecture.md lists
them."""

import ast
import re
from functools import cache
from graphlib import TopologicalSorter

from conftest import HOME

LIBRARY = HOME / "src/nonresponse"


def room(path: str) -> str:
    """The room of a module, such as nonresponse/judging/pairs.py; `base` for those that every room
    stands on."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else "base"


def imported(text: str) -> set[str]:
    """Return the modules of the library that a module imports, such as
    nonresponse/judging/pairs.py."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.ImportFrom)
            and node.module
            and node.module.split(".")[0] == "nonresponse"
        ):
            found |= {
                file_of(f"{node.module}.{alias.name}") or file_of(node.module)
                for alias in node.names
            }
        if isinstance(node, ast.Import):
            found |= {
                file_of(alias.name)
                for alias in node.names
                if alias.name.split(".")[0] == "nonresponse"
            }
    return found


def file_of(module: str) -> str | None:
    """Return the file of a module, or of a package; null if the name is of neither."""
    path = module.replace(".", "/")
    return next(
        (
            name
            for name in (f"{path}.py", f"{path}/__init__.py")
            if (LIBRARY.parent / name).is_file()
        ),
        None,
    )


@cache
def imports() -> dict[str, set[str]]:
    """The rooms that each room imports."""
    found = {}
    for file in LIBRARY.rglob("*.py"):
        path = str(file.relative_to(LIBRARY.parent))
        named = map(room, imported(file.read_text(encoding="utf-8")))
        found.setdefault(room(path), set()).update(name for name in named if name != room(path))
    return found


def test_no_room_imports_one_above_it():
    """The floors are the rows of the table of rooms, the lowest last."""
    page = (HOME / "docs/architecture.md").read_text(encoding="utf-8")
    table = page.partition("## The rooms of the library")[2]
    rows = re.findall(r"^\| (`[^|]*) \|", table, re.MULTILINE)
    floors = [re.findall(r"`(\w+)`", row) for row in rows]
    height = {name: -floor for floor, names in enumerate(floors) for name in names}
    assert height.keys() == imports().keys()
    assert not [
        (a, b) for a, imported in imports().items() for b in imported if height[b] >= height[a]
    ]
    assert next(TopologicalSorter(imports()).static_order()) == "base"


def test_no_module_imports_what_imports_it():
    """In no room; the package that a module is in has begun to load by then, and does not count."""
    modules = {}
    for file in LIBRARY.rglob("*.py"):
        path = str(file.relative_to(LIBRARY.parent))
        named = imported(file.read_text(encoding="utf-8"))
        modules[path] = {
            name
            for name in named
            if name != path and not path.startswith(name.removesuffix("__init__.py"))
        }
    TopologicalSorter(modules).prepare()  # CycleError names the modules
