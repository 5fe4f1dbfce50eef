"""Rooms import rooms of lower floors only, and a layer's digest has all that it loads."""

import ast
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from conftest import HOME
from nonresponse.workflow.digests import LAYERS

SOURCE = HOME / "src"
FILES: dict[str, Path] = {
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in (SOURCE / "nonresponse").rglob("*.py")
}


@cache
def imports(functions: bool = True) -> dict[str, set[str]]:
    """The modules that each module imports, with or without what its functions import."""
    actual = {}
    for module, path in FILES.items():
        tree, modules = ast.parse(path.read_text(encoding="utf-8")), set()
        for node in ast.walk(tree) if functions else tree.body:
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
                modules |= {name if name in FILES else node.module for name in names}
            elif isinstance(node, ast.Import):
                modules |= {alias.name for alias in node.names}
        actual[module] = modules & FILES.keys() - {module}
    return actual


def find_room(module: str) -> str:
    """The room of a module; `base` for those that every room stands on."""
    parts = FILES[module].relative_to(SOURCE / "nonresponse").parts
    return parts[0] if len(parts) > 1 else "base"


def test_no_room_imports_one_above_it():
    """The floors are the rows of the table of rooms, the lowest last."""
    page = (HOME / "docs/architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[^|]*) \|", page.partition("## The rooms of the library")[2], re.M)
    height = {
        name: -floor for floor, row in enumerate(rows) for name in re.findall(r"`(\w+)`", row)
    }
    pairs = {
        (find_room(module), find_room(name))
        for module, names in imports().items()
        for name in names
    }
    assert height.keys() == {*map(find_room, FILES)}
    assert not [
        (room, base) for room, base in pairs if room != base and height[base] >= height[room]
    ]


def test_no_path_of_a_table_is_a_pattern():
    """Polars takes a path with a bracket for one, but not where `tables` reads the file."""
    found = {
        (find_room(module), call)
        for module, path in FILES.items()
        for call in re.findall(r"pl\.(?:read|scan)_\w+", path.read_text(encoding="utf-8"))
        if module != "nonresponse.tables"
    }
    # From memory
    assert found == {("formats", "pl.read_csv"), ("base", "pl.scan_arrow_c_stream")}


def test_no_module_imports_what_imports_it():
    """In no room; the package that a module is in has begun to load by then, and does not count."""
    graph = {
        module: {name for name in modules if not module.startswith(f"{name}.")}
        for module, modules in imports().items()
    }
    TopologicalSorter(graph).prepare()  # CycleError names the modules


# Modules that are chosen by name, of which the stages of a layer may load all
LOADED = {
    "ingest": ("formats", "tasks"),
    "judge": ("tasks",),
    "score": ("measures", "tasks"),
    "statistics": ("measures", "statistics", "tasks"),
    "pages": ("measures", "report.sections", "tasks"),
}


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_has_what_its_stages_load(layer):
    """Otherwise an edit of the library would not repeat what may use it."""
    stages = ["pages", "report"] if layer == "pages" else [layer]
    choice = [f"nonresponse.{folder}." for folder in LOADED[layer]]
    waiting = {name for name in FILES if name.startswith(tuple(choice))}
    waiting |= set().union(*(imports()[f"nonresponse.stages.{stage}"] for stage in stages))
    loaded: set[str] = set()
    while waiting:
        loaded |= waiting
        parents = {name.rpartition(".")[0] for name in waiting} & FILES.keys()
        waiting = parents.union(*(imports(functions=False)[name] for name in waiting)) - loaded
    paths = {str(FILES[name].relative_to(SOURCE / "nonresponse")) for name in loaded}
    parts = (*LAYERS[layer], *(f"{part}/" for part in LAYERS[layer]))
    assert [path for path in paths if "/" in path and not path.startswith(parts)] == []
