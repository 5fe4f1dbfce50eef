"""Text that a person sees: on one line, with nothing hidden in it, and no markup but ours; a
function per target.

What comes from users, names and titles above all, goes through one of these wherever it is shown.
Data files keep it as it is. Imports nothing heavy.
"""

import html as hypertext
import re
import unicodedata
from itertools import pairwise

# Beginnings of cells that a spreadsheet may take for a formula; some also take the full-width
# characters.
FORMULA = r"^[=+\-@\t\r\n＝＋－＠]"
# Names of runs and assessors are text, such as org/model:7b: they become parts of tables and
# figures, never of paths.
NAME = r"^[^\x00-\x1f\x7f]{1,300}$"
NAMING = "a name of 1 to 300 characters, none of them a control character"
LONGEST = 80  # characters of a name
LONGEST_TITLE = 200

# Characters that are invisible, though Python calls them printable: fillers, the empty Braille
# cell, variation selectors.
UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)

# What Markdown takes for markup, in CommonMark as on GitHub, and where: elsewhere it stays as it
# is, for the terminal.
MARKDOWN = re.compile(
    r"""[\\`*~|$]
    | (?<![^\W_])_ | _(?![^\W_])    # but not within a word
    | \](?=[({:])    # what makes a link of [this]
    | (?<!\S)\#    # before a heading or after it
    | ^> | ^[-+](?!\w) | ^\d+[.)](?!\S) | ^\[(?=.\])    # a quotation, a list, a box to tick
    | (?<!\d):(?=\S) | /(?=/) | (?<=/)/ | (?<=[Ww]{3})\. | (?<=\w)\.(?=[^\W\d])  # http://, www.
    """,
    re.VERBOSE,
)
ENTITY = re.compile(r"&(?=#?\w+;)")

# Characters that pdflatex knows without a package; then those that are written in another way.
LATEX_KNOWS = re.compile("(?![ĦħĸŦŧ])[ -~¡-ľŁ-ňŊ-žȘ-ț‘’“”•€™]")
LATEX = {character: f"\\{character}" for character in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "`": r"\textasciigrave{}",
    '"': r"\char34{}",
    "†": r"\textdagger{}",
    "…": r"\ldots{}",
    "−": "$-$",
    "→": r"$\to$",
    "Δ": r"$\Delta$",
    "≥": r"$\geq$",
    "–": "--",
    "—": "---",
}


def visible(text: str) -> str:
    """Return the text on one line, white space folded, invisible characters as code points."""
    return uncover(" ".join(text.split()))


def uncover(text: str, allowed: str = "") -> str:
    """Return the text with invisible characters, and those that turn its direction, as [U+202E]."""
    if text.isprintable() and not UNSEEN.search(text):  # as nearly all is
        return text
    return "".join(
        c if c in allowed or (c.isprintable() and not UNSEEN.match(c)) else code_point(c)
        for c in text
    )


def code_point(character: str) -> str:
    """Return a code point, such as [U+202E]."""
    return f"[U+{ord(character):04X}]"


def short(text: str, longest: int = LONGEST) -> str:
    """Return the visible text; a long one loses its middle."""
    text = visible(text)
    if len(text) <= longest:
        return text
    length = longest - 1
    return f"{text[: length - length // 2]}…{text[len(text) - length // 2 :]}"


def markdown(text: str) -> str:
    """Return the text escaped for Markdown, for a cell, a heading or a paragraph."""
    escaped = MARKDOWN.sub(
        lambda match: f"{match[0][:-1]}\\{match[0][-1]}", ENTITY.sub("&amp;", visible(text))
    )
    return escaped.replace("<", "&lt;")


def html(text: str) -> str:
    """Return the text escaped for HTML, between tags or in an attribute in quotes."""
    return hypertext.escape(visible(text))


def latex(text: str) -> str:
    """Return the text escaped for LaTeX; letters that pdflatex does not know are code points."""
    text = unicodedata.normalize("NFC", visible(text))
    escaped = ""
    for previous, character in pairwise(["", *text]):
        # Two dashes would become a longer one
        escaped += "{}" * (character == previous and character in "-',")
        escaped += LATEX.get(
            character, character if LATEX_KNOWS.match(character) else code_point(character)
        )
    # A row that begins with a bracket or a star would be an option of the line end before it.
    return "{}" * escaped.startswith(("[", "*")) + escaped
