"""One word per concept: the product and its pages avoid the words that the glossary replaces.

Not held here: words that mean something else elsewhere (outcome, place, unit, reading, participant,
official), and `withheld`, which stays for candidates.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from conftest import HOME

# Our word, and what is not written for it. A space stands for any space, hyphen or underscore.
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
ALLOWED = r"side by side|(both|right|wrong) sides? of"

PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/**/*.md")
PRODUCT = tuple(
    f"{folder}/**/*.{end}"
    for folder in ("src", "workflow", "scripts")
    for end in ("py", "smk", "sql", "js", "html", "j2")
)


def pattern(words: str) -> re.Pattern[str]:
    """Return a pattern for whole words, also as parts of a name and over the end of a line."""
    between = words.replace(" ", r"(?:[\s#]+|[_-])")
    return re.compile(rf"(?<![a-z])(?:{between})(?![a-z])", re.IGNORECASE)


def found_in(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield line, word and our word for each word that is not ours."""
    if not pattern("|".join(AVOIDED.values())).search(text):
        return
    text = pattern(ALLOWED).sub(lambda match: re.sub(r"\S", " ", match[0]), text)
    for ours, words in AVOIDED.items():
        for match in pattern(words).finditer(text):
            yield text.count("\n", 0, match.start()) + 1, match[0], ours


def files() -> list[Path]:
    """Return the files that are held to the glossary."""
    return sorted({file for glob in (*PAGES, *PRODUCT) for file in HOME.glob(glob)})


def test_words_of_the_glossary():
    wrong = [
        f"{file.relative_to(HOME)}:{line}: {word!r}; write {ours}"
        for file in files()
        for line, word, ours in found_in(file.read_text())
    ]
    assert not wrong, "\n".join(wrong)
