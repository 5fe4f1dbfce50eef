"""What a section shows: sentences, tables and figures, as plain data for the page.

Tables hold the results themselves, in full precision, as nonresponse.pages.blocks describes them.
"""

from collections.abc import Sequence
from typing import Any

import polars as pl

from nonresponse.pages import blocks
from nonresponse.pages.blocks import Column

Block = dict[str, Any]


def sentences(said: Sequence[str], title: str = "") -> Block:
    """Plain text, a sentence or more each; under a heading if there is a title."""
    return {"kind": "sentences", "title": title, "sentences": list(said)}


def figure(svg: str, title: str, folded: str = "") -> Block:
    """A drawing; `title` is what it shows, for who cannot see it, "" if it says so itself.

    Folded away under these words, if any.
    """
    return {"kind": "figure", "svg": svg, "title": title, "folded": folded}


def widget(name: str, data: Block, fallback: str) -> Block:
    """What the script draws of the data, in `scripts`; without JavaScript there is the fallback, a sentence."""
    return {"kind": "widget", "widget": name, "data": data, "fallback": fallback}


def table(
    frame: pl.DataFrame, columns: Sequence[Column], caption: str, notes: Sequence[str] = (), **options: Any
) -> Block:
    """The frame, and which columns of it are shown."""
    return of_table(blocks.of_frame(frame, columns, caption, notes, **options))


def of_table(table: blocks.Table) -> Block:
    """A table as the page shows it."""
    data = table.data
    return data | {"columns": [column for column in data["columns"] if column["on"] != "paper"], "notes": table.below()}
