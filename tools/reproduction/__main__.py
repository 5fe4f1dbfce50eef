"""Write docs/reproduction.md: published figures beside computed ones, and the papers' claims."""

import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
sys.path[:1] = [str(HOME / name) for name in ("src", "tools")]
from nonresponse.tables import write_text

from reproduction.page import HEADS, render_csv, render_page

write_text(render_page(), HOME / "docs/reproduction.md")
for name in HEADS:
    write_text(render_csv(name), HOME / f"docs/reproduction/{name}.csv")
