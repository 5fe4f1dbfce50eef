"""What a page of the report holds: what is there without JavaScript, and what scripts draw from its packed data."""

import gzip
import json
import re
from base64 import b64decode
from pathlib import Path


def whole(path: Path) -> str:
    """The text of the page, then that of its data."""
    text = path.read_text(encoding="utf-8")
    packed = re.findall(r'base64">([^<]*)<', text)
    data = [json.loads(gzip.decompress(b64decode(of_piece))) for of_piece in packed]
    return text + json.dumps(data, ensure_ascii=False).replace('\\"', '"')  # markup reads as it does in the page
