"""The report's page: the parts of all campaigns in one file that needs no other and asks nobody for anything.

Style and script are the only ones that the page's policy lets run, by their hashes. What comes from files is escaped
where the template puts it, and what the script needs is JSON.
"""

from base64 import b64encode
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any

import polars as pl
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from nonresponse import legible
from nonresponse.pages.report.blocks import Block, column, table
from nonresponse.pages.report.cells import cells, shown
from nonresponse.pages.report.part import as_json

HERE = Path(__file__).parent
ARROWS = {"higher": "↑", "lower": "↓", "neither": "·"}
WAYS = {"higher": "higher is better", "lower": "lower is better", "neither": "described, not ranked"}


def page(parts: list[dict], fidelity: list[Path]) -> str:
    """The HTML of the report; `parts` are those of `part.part`, `fidelity` holds fidelity.csv if there is one."""
    style, script = ((HERE / f"page.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
    published = [compared(path) for path in fidelity]
    tables = numbered(parts, published)
    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        finalize=visible,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("page.html.j2").render(
        parts=parts,
        published=published,
        style=Markup(style),
        script=Markup(script),
        policy=policy(style, script),
        data=Markup(as_json({"tables": tables})),
        cells=cells,
        shown=shown,
        stretches=stretches,
        arrows=ARROWS,
        ways=WAYS,
        Markup=Markup,
    )


def visible(value: Any) -> Any:
    """Text as a person may see it; the template escapes it."""
    return legible.visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def policy(style: str, script: str) -> str:
    """Nothing is loaded, and no style or script is applied but these."""
    hashes = [b64encode(sha256(text.encode()).digest()).decode() for text in (style, script)]
    return (
        f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'; base-uri 'none';"
        " form-action 'none'"
    )


def numbered(parts: list[dict], published: list[Block]) -> list[dict]:
    """What the script needs of each table, in their order on the page; the tables get their numbers and campaigns."""
    found: list[dict] = []
    owners = [(part["card"]["name"], section["blocks"]) for part in parts for section in part["sections"]]
    for campaign, blocks in [*owners, ("", published)]:
        for block in blocks:
            if block["kind"] == "table":
                block |= {"number": len(found), "campaign": campaign}
                found.append({key: value for key, value in block.items() if key not in ("kind", "notes", "folded")})
    return found


def stretches(blocks: list[Block]) -> list[tuple[str, list[Block]]]:
    """Blocks that are folded away under the same words, together."""
    return [(words, list(group)) for words, group in groupby(blocks, key=lambda block: block.get("folded", ""))]


def compared(path: Path) -> Block:
    """The published figures beside ours, as fidelity.csv has them."""
    frame = pl.read_csv(path, infer_schema=False)
    longest = {"why"}
    columns = [column(name, long=name in longest) for name in frame.columns]
    return table(frame, columns, "Published figures, and what their own counts give", csv="fidelity")
