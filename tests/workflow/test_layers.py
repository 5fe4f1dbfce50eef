"""What the stages of each layer load is part of its digest, so that an edit of the library repeats
what may use it."""

import ast
import subprocess
import sys

import pytest
from conftest import HOME
from nonresponse.workflow.digests import LAYERS

LIBRARY = HOME / "src/nonresponse"
MODULES = {
    "ingest": ["ingest"],
    "judge": ["judge"],
    "score": ["score"],
    "statistics": ["statistics"],
}
MODULES["pages"] = ["pages", "report"]
# Modules that are chosen by name, of which each layer may load all.
CHOSEN = {
    "ingest": ["formats", "tasks"],
    "judge": ["tasks"],
    "score": ["measures", "tasks"],
    "statistics": ["measures", "reliability", "tasks"],
    "pages": ["measures", "pages/sections", "tasks", "topics"],
}
LOADED = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
files = (getattr(module, "__file__", None) for name, module in sys.modules.items() if name.startswith("nonresponse"))
print(*filter(None, files), sep="\\n")
"""


def imported(module: str) -> set[str]:
    """The modules of the library that the functions of a module of stages import."""
    found = set()
    for node in ast.walk(ast.parse((LIBRARY / f"stages/{module}.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("nonresponse"):
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {
        name
        for name in found
        if (HOME / "src" / name.replace(".", "/")).with_suffix(".py").is_file()
    }


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_has_what_its_stages_load(layer):
    names = set().union(*map(imported, MODULES[layer]))
    for folder in CHOSEN[layer]:
        names |= {
            f"nonresponse/{folder}/{path.stem}".replace("/", ".")
            for path in (LIBRARY / folder).glob("[!_]*.py")
        }
    command = [sys.executable, "-c", LOADED, *sorted(names)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env={"PYTHONPATH": str(HOME / "src")}
    )
    files = [line.removeprefix(f"{LIBRARY}/") for line in done.stdout.splitlines()]
    parts = LAYERS[layer]
    assert [
        name
        for name in files
        if "/" in name and not any(name == one or name.startswith(f"{one}/") for one in parts)
    ] == []
