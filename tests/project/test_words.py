"""One word per concept, the glossary's; and names are nouns and verbs, nothing bare."""

import ast
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from conftest import HOME

# By our word, what is not written for it; a space stands for any space, hyphen or underscore. Not
# here: what means something else elsewhere, and `withheld`, which stays for candidates.
AVOIDED = {
    "run, system": r"sides?",
    "unanswered, abstain": r"silen(t|tly|ce|ced)|saying nothing|nothing said",
    "coverage": r"answered share",
    "gold answer, correct answer": r"right answers?|key that says",
    "assessor, judge": r"who said|voters?",
    "adjudicated judgments": r"what is official",
    "cost": r"pric(e|es|ed|ing)|dear(er|est)",
    "threshold": r"cut( )?offs?",
    "risk control": r"guarantee(s|d)?",
    "distinguish; tied, not significantly different": r"(tells?|told)( \w+)? apart|cannot be told",
    "verdict, rank, sort key": r"standings?",
}
# Plain English, where the word means what it always means
PLAIN = r"side by side|(both|right|wrong) sides? of"
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/**/*.md")
PRODUCT = tuple(
    f"{folder}/**/*.{end}"
    for folder in ("src", "workflow", "scripts")
    for end in ("py", "smk", "sql", "js", "html", "j2")
)

FORBIDDEN = """
of in on at by with without from to beside beyond above below apart together there here then now
it its this that these those them they what which who whose when where why how whether
one ones other others another own each every all both several some more most none same such alike
whole rest only even just again further thus so yes no not
known told shown found made given kept left taken named called answered read said meant written
wanted stated seen counted drawn chosen placed shared mixed torn held added changed removed renamed
used ordered grouped joined parted split spent done gone begun open single
"""
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
BARE = {*FORBIDDEN.split()} - {*ALLOWED.split()}


def pattern(words: str) -> re.Pattern[str]:
    """Return a pattern for whole words, also as parts of a name and over the end of a line."""
    between = words.replace(" ", r"(?:[\s#]+|[_-])")
    return re.compile(rf"(?<![a-z])(?:{between})(?![a-z])", re.IGNORECASE)


def test_words_of_the_glossary():
    avoided, plain = pattern("|".join(AVOIDED.values())), pattern(PLAIN)
    wrong = [
        f"{file.relative_to(HOME)}: {match[0]!r}"
        for file in chain.from_iterable(map(HOME.glob, (*PAGES, *PRODUCT)))
        for match in avoided.finditer(plain.sub("", file.read_text()))
    ]
    assert not wrong, "\n".join(wrong)


def find_names(file: Path) -> Iterator[str]:
    """Yield the name of a module and those that it defines."""
    yield file.stem
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def is_bare(name: str) -> bool:
    """Return whether a name is one of the forbidden words, or begins like one."""
    word = name.lower().strip("_")
    return word in BARE or (bool(BEGINNING.match(word)) and word not in ALLOWED.split())


def test_names_are_nouns_and_verbs():
    bare = [
        f"{file.relative_to(HOME)}: {name}"
        for folder in ("src", "tests", "tools", "scripts")
        for file in sorted(HOME.glob(f"{folder}/**/*.py"))
        for name in find_names(file)
        if is_bare(name)
    ]
    assert not bare, "\n".join(bare)
