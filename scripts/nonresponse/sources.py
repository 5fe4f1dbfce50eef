"""Which modules of the library a piece of code loads, as its import statements tell.

Snakemake does not see imports, so these modules, with their checksums, are a parameter of every rule: an edit to one
repeats what used it. What is chosen at run time (import_module: tasks, formats, measures) is for the rule to name.
Imports nothing heavy.
"""

import ast
import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent
# An import statement, on a line of its own: its names in brackets, or up to the end of the line.
IMPORT = re.compile(
    rb"^[ \t]*((?:from[ ]+nonresponse[\w.]*[ ]+import|import[ ]+nonresponse\b)(?:[ ]*\([^)]*\)|.*))", re.MULTILINE
)


def noted(paths: Iterable[str]) -> str:
    """Files below scripts/, each once with the checksum of its content, as one text."""
    return " ".join(f"{path}:{checksum(path)}" for path in sorted(set(paths)))


@cache
def checksum(path: str) -> str:
    """The first 64 bits of a file's SHA-256, in hexadecimal digits."""
    return hashlib.sha256(content(path)).hexdigest()[:16]


@cache
def content(path: str) -> bytes:
    """A file below scripts/."""
    return (SCRIPTS / path).read_bytes()


@cache
def of_command(script: str, function: str) -> list[str]:
    """The modules behind a function of a script, as paths below scripts/, sorted.

    These are imported by the function, by functions of the script that it mentions, or at the top of the script.
    """
    tree = parsed(script)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    reached, waiting = {}, [function]
    while waiting:
        if (name := waiting.pop()) not in reached:
            reached[name] = functions[name]
            names = {node.id for node in ast.walk(functions[name]) if isinstance(node, ast.Name)}
            waiting += names & functions.keys()
    whole = [node for node in tree.body if not isinstance(node, ast.FunctionDef)]
    return closure(module for node in [*whole, *reached.values()] for module in imported(node))


@cache
def of_modules(*paths: str) -> list[str]:
    """These modules, such as nonresponse/tasks/qa.py, and all that they import, as paths below scripts/, sorted."""
    return closure(module for path in paths for module in (*packages(path), *loaded(path)))


def closure(paths: Iterable[str]) -> list[str]:
    """These modules and all that they import, sorted."""
    found, waiting = set(), list(paths)
    while waiting:
        if (path := waiting.pop()) not in found:
            found.add(path)
            waiting += loaded(path)
    return sorted(found)


@cache
def loaded(path: str) -> frozenset[str]:
    """What a module imports.

    Of its text only the import statements are parsed: all of 200 modules would take most of a start that does nothing.
    """
    return frozenset(imported(ast.parse(b"\n".join(IMPORT.findall(content(path))))))


@cache
def parsed(path: str) -> ast.Module:
    """The syntax tree of a file below scripts/."""
    return ast.parse(content(path))


def imported(code: ast.AST) -> Iterator[str]:
    """The modules of the library that the import statements in a piece of code name, each with its packages."""
    for node in statements(code):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            path = name.replace(".", "/")
            for file in (f"{path}.py", f"{path}/__init__.py"):
                if file in modules():
                    yield from packages(file)


def statements(code: ast.AST) -> Iterator[ast.AST]:
    """A statement and all within it; expressions, which are most of a tree and import nothing, are passed over."""
    yield code
    for block in ("body", "orelse", "handlers", "finalbody", "cases"):
        for statement in getattr(code, block, []):
            yield from statements(statement)


@cache
def modules() -> frozenset[str]:
    """All modules of the library, as paths below scripts/."""
    return frozenset(path.relative_to(SCRIPTS).as_posix() for path in (SCRIPTS / "nonresponse").rglob("*.py"))


@cache
def packages(path: str) -> list[str]:
    """The __init__.py of each package that a module is in, and the module itself."""
    return [f"{folder}/__init__.py" for folder in map(str, Path(path).parents[:-1])] + [path]
