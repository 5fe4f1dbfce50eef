"""What a page of the report holds: what is there without JavaScript, and what scripts draw from its
packed data."""

import gzip
import json
import re
import subprocess
from base64 import b64decode
from html.parser import HTMLParser
from pathlib import Path
from typing import Any


def whole(path: Path) -> str:
    """The text of the page, then that of its data."""
    text = path.read_text(encoding="utf-8")
    data = [unpacked(piece) for piece in re.findall(r'base64">([^<]*)<', text)]
    # Markup reads as it does in the page
    return text + json.dumps(data, ensure_ascii=False).replace('\\"', '"')


def unpacked(piece: str) -> Any:
    """What was packed; nothing of nothing."""
    return json.loads(gzip.decompress(b64decode(piece))) if piece else {}


def part(folder: Path) -> dict:
    """A campaign's part of the report with what is packed in it, the texts among the questions."""
    made = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    packed, texts = (unpacked(made.pop(name)) for name in ("packed", "texts"))
    found = {**made, **packed}
    if found["questions"]:
        found["questions"] |= texts
    return found


class Elements(HTMLParser):
    """The elements of a page and its texts."""

    def __init__(self, text: str):
        super().__init__()
        self.tags, self.attributes, self.said = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes

    def handle_data(self, data):
        self.said.append(data.strip())


def typeset(latex: str, folder: Path, packages: str, options: str = "") -> str:
    """Typeset the body of an article, which has to know every character; return what is said."""
    fonts = "\\usepackage[T1]{fontenc}\\usepackage[utf8]{inputenc}"
    head = f"\\documentclass[{options}]{{article}}\\usepackage{{{packages}}}{fonts}"
    text = f"{head}\\begin{{document}}\n{latex}\\end{{document}}\n"
    (folder / "page.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    run = subprocess.run(command, cwd=folder, capture_output=True, timeout=120)
    said = run.stdout.decode(errors="replace")
    assert run.returncode == 0 and "Missing character" not in said, said[-2000:]
    return said
