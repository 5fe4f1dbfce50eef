"""Which modules of the library a module imports, as Snakemake is told at every start."""

import ast

from conftest import HOME
from nonresponse import sources

FILES = {str(path.relative_to(sources.SCRIPTS)): path for path in (HOME / "src").rglob("*.py")}


def parsed(text: bytes) -> set[str]:
    """The same by Python's own parser."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {file for alias in node.names for file in sources.of_module(alias.name)}
        elif isinstance(node, ast.ImportFrom):
            names = (str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names))
            found |= {file for name in names for file in sources.of_module(name)}
    return found


def test_the_import_statements_that_are_found_are_those_of_the_whole_module():
    for name, path in FILES.items():
        assert {*sources.imported(path.read_text(encoding="utf-8"))} == parsed(path.read_bytes()), name


def test_what_only_looks_like_an_import_is_none(tmp_path, monkeypatch):
    for name in ("a", "b", "c", "d"):
        (tmp_path / "nonresponse").mkdir(exist_ok=True)
        (tmp_path / "nonresponse" / f"{name}.py").touch()
    (tmp_path / "nonresponse/__init__.py").touch()
    (tmp_path / "odd.py").write_text(
        '"""Words\nfrom nonresponse (that is, from us)\nimport nonresponsive as well."""\n'
        "import nonresponse.a as first\nfrom nonresponse import (  # the second\n    b,\n)\n"
        "def late():\n    from nonresponse.c import x, y  # here\n    from nonresponsive import d\n"
    )
    monkeypatch.setattr(sources, "SCRIPTS", tmp_path)
    forget()
    try:
        found = sources.loaded(str(tmp_path / "odd.py"))
    finally:
        forget()
    assert found == {"nonresponse/__init__.py", *(f"nonresponse/{name}.py" for name in "abc")}


def forget() -> None:
    """Forgets what is known of the files of the library."""
    sources.library.cache_clear()
    sources.of_module.cache_clear()
