"""Which modules of the library a module imports, as Snakemake is told at every start."""

import ast

from conftest import HOME
from nonresponse import sources

FILES = {str(path.relative_to(sources.SCRIPTS)): path for path in (HOME / "scripts").rglob("*.py")}


def test_the_import_statements_that_are_found_are_those_of_the_whole_module():
    for name, path in FILES.items():
        lines = b"\n".join(sources.IMPORT.findall(path.read_bytes()))
        whole = set(sources.imported(ast.parse(path.read_bytes())))
        assert set(sources.imported(ast.parse(lines))) == whole <= sources.loaded(name), name


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
    sources.library.cache_clear()
    try:
        found = sources.loaded(str(tmp_path / "odd.py"))
    finally:
        sources.library.cache_clear()
    assert found == {"nonresponse/__init__.py", *(f"nonresponse/{name}.py" for name in "abc")}
