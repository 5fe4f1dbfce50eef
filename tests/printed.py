"""The text of a PDF that Chromium wrote, page by page; no other reader of PDFs is needed for
that."""

import re
import zlib
from pathlib import Path


def pages(path: Path) -> list[str]:
    """The text of each page, in the order in which it is drawn, with single spaces."""
    data = path.read_bytes()
    objects = {
        int(it[1]): it[2] for it in re.finditer(rb"(?s)(?:^|\n)(\d+) 0 obj\s(.*?)\nendobj", data)
    }
    letters = {
        number: known_letters(content(objects[int(found[1])]))
        for number, body in objects.items()
        if (found := re.search(rb"/ToUnicode (\d+) 0 R", body))
    }
    found = []
    for body in objects.values():
        if not re.search(rb"/Type\s*/Page\b", body):
            continue
        fonts = {
            name: letters[int(number)] for name, number in re.findall(rb"/(F\d+) (\d+) 0 R", body)
        }
        drawn = content(objects[int(re.search(rb"/Contents (\d+) 0 R", body)[1])])
        found.append(text(drawn, fonts))
    return found


def content(body: bytes) -> bytes:
    """What the stream of an object holds."""
    found = re.search(rb"(?s)stream\r?\n(.*?)\r?\nendstream", body)
    return zlib.decompress(found[1]) if b"FlateDecode" in body[: found.start()] else found[1]


def known_letters(table: bytes) -> dict[int, str]:
    """What the glyphs of a font stand for, by number."""
    code = rb"<([0-9A-Fa-f]+)>\s*"
    found = {}
    for block in re.findall(rb"(?s)beginbfchar(.*?)endbfchar", table):
        for glyph, letter in re.findall(code * 2, block):
            found[int(glyph, 16)] = bytes.fromhex(letter.decode()).decode("utf-16-be")
    for block in re.findall(rb"(?s)beginbfrange(.*?)endbfrange", table):
        for first, last, letter in re.findall(code * 3, block):
            numbers = range(int(first, 16), int(last, 16) + 1)
            found |= {number: chr(int(letter, 16) + place) for place, number in enumerate(numbers)}
    return found


def text(drawn: bytes, fonts: dict[bytes, dict[int, str]]) -> str:
    """What is written by the operators of a page, ligatures as their letters."""
    parts: list[str] = []
    font: dict[int, str] = {}
    for it in re.finditer(rb"/(F\d+) [\d.]+ Tf|(?:<[0-9A-Fa-f]+>|\[.*?\]) T[jJ]|ET", drawn):
        if it[1]:
            font = fonts[it[1]]
        for glyphs in re.findall(rb"<([0-9A-Fa-f]+)>", it[0]):
            parts += [font[int(glyphs[at : at + 4], 16)] for at in range(0, len(glyphs), 4)]
        parts += [" "] * (it[0] == b"ET")
    return re.sub(r"\s+", " ", "".join(parts)).replace("\ufb01", "fi").replace("\ufb00", "ff")
