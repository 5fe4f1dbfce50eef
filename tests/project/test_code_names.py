"""Names are nouns and verbs, no bare preposition, pronoun, determiner, adverb or participle."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from conftest import HOME

FORBIDDEN = """
of in on at by with without from to beside beyond above below apart together there here then now
it its this that these those them they what which who whose when where why how whether
one ones other others another own each every all both several some more most none same such alike
whole rest only even just again further thus so yes no not
known told shown found made given kept left taken named called answered read said meant written
wanted stated seen counted drawn chosen placed shared mixed torn held added changed removed renamed
used ordered grouped joined parted split spent done gone begun open single
"""
FORBIDDEN = {*FORBIDDEN.split()}
# No name begins so. Conversions are verbs: to_json, or from_counts of a class.
BEGINNING = re.compile("(of|by|in|with|for|at|on|as|without|beyond|after|before)_")
# Keys of the configuration, columns of tables and keys of JSON, which users see; verbs; hooks of
# MkDocs
ALLOWED = """
by_column by_rule at_most at_least found more open changed added removed shared answered given
stated told why chosen on_page only shown whole by_correct by_abstention
read split where
on_files on_page_markdown
"""
ALLOWED = {*ALLOWED.split()}


def find_names(file: Path) -> Iterator[tuple[int, str]]:
    """Yield the name of a module and those that it defines, each with its line."""
    yield 1, file.stem
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id


def is_bare(name: str) -> bool:
    """Return whether a name is one of the forbidden words, or begins like one."""
    word = name.lower().strip("_")
    return word not in ALLOWED and (word in FORBIDDEN or bool(BEGINNING.match(word)))


def test_names_are_nouns_and_verbs():
    bare = [
        f"{file.relative_to(HOME)}:{line}: {name}"
        for folder in ("src", "tests", "tools", "scripts")
        for file in sorted(HOME.glob(f"{folder}/**/*.py"))
        for line, name in find_names(file)
        if is_bare(name)
    ]
    assert not bare, "\n".join(bare)


def test_what_is_bare():
    assert all(map(is_bare, ("of_runs", "known", "_it", "OTHERS")))
    assert not any(map(is_bare, ("runs", "known_runs", "to_json", "first", "official", "format")))
