"""Read a page of the report: its elements without JavaScript, and its packed data."""

import gzip
import json
import subprocess
from base64 import b64decode
from html.parser import HTMLParser
from pathlib import Path
from typing import Any


def unpack(piece: str) -> Any:
    """Unpack what a script of the page draws from; nothing of an empty text."""
    return json.loads(gzip.decompress(b64decode(piece))) if piece else {}


def read_part(folder: Path) -> dict:
    """A campaign's part of the report with what is packed in it, the texts among the questions."""
    content = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    packed, texts = (unpack(content.pop(name)) for name in ("packed", "texts"))
    data = {**content, **packed}
    if data["questions"]:
        data["questions"] |= texts
    return data


class Elements(HTMLParser):
    """The elements of a page and its texts."""

    def __init__(self, text: str):
        super().__init__()
        self.tags, self.attributes, self.texts = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes

    def handle_data(self, data):
        self.texts.append(data.strip())


def typeset(latex: str, folder: Path, packages: str, options: str = "") -> str:
    """Typeset the body of an article, which has to know every character; return what is said."""
    fonts = "\\usepackage[T1]{fontenc}\\usepackage[utf8]{inputenc}"
    head = f"\\documentclass[{options}]{{article}}\\usepackage{{{packages}}}{fonts}"
    text = f"{head}\\begin{{document}}\n{latex}\\end{{document}}\n"
    (folder / "page.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    run = subprocess.run(command, cwd=folder, capture_output=True, timeout=120)
    output = run.stdout.decode(errors="replace")
    assert run.returncode == 0 and "Missing character" not in output, output[-2000:]
    return output
