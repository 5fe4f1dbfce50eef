"""The rooms of the library: each imports rooms of lower floors only, as docs/architecture.md lists
them."""

import ast
import re
from functools import cache
from graphlib import TopologicalSorter

from conftest import HOME

SOURCE = HOME / "src"


@cache
def imports() -> dict[str, set[str]]:
    """The modules of the library that each imports, by their dotted names."""
    files = {
        ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): path
        for path in (SOURCE / "nonresponse").rglob("*.py")
    }
    found = {}
    for module, path in files.items():
        named = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
                named |= {name if name in files else node.module for name in names}
            elif isinstance(node, ast.Import):
                named |= {alias.name for alias in node.names}
        found[module] = named & files.keys() - {module}
    return found


def room(module: str) -> str:
    """The room of a module; `base` for those that every room stands on."""
    parts = module.split(".")
    is_room = len(parts) > 2 or (SOURCE / module.replace(".", "/")).is_dir()
    return parts[1] if len(parts) > 1 and is_room else "base"


def test_no_room_imports_one_above_it():
    """The floors are the rows of the table of rooms, the lowest last."""
    page = (HOME / "docs/architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[^|]*) \|", page.partition("## The rooms of the library")[2], re.M)
    height = {
        name: -floor for floor, row in enumerate(rows) for name in re.findall(r"`(\w+)`", row)
    }
    pairs = {(room(one), room(other)) for one, others in imports().items() for other in others}
    assert height.keys() == {room(module) for module in imports()}
    assert not [
        (one, other) for one, other in pairs if one != other and height[other] >= height[one]
    ]


def test_no_module_imports_what_imports_it():
    """In no room; the package that a module is in has begun to load by then, and does not count."""
    graph = {
        module: {name for name in named if not module.startswith(f"{name}.")}
        for module, named in imports().items()
    }
    TopologicalSorter(graph).prepare()  # CycleError names the modules
