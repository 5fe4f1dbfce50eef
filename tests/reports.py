"""What a page of the report holds: what is there without JavaScript, and what scripts draw from its
packed data."""

import gzip
import json
import re
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
