"""The report's page: the parts of all campaigns in one file that loads nothing else.

The page's policy allows only its own style and script, by their hashes. What comes from files is escaped by the
template, and the script gets its data as JSON.
"""

from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from gzip import compress
from hashlib import sha256
from itertools import count, groupby
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from nonresponse import legible
from nonresponse.pages.beside_source import WHERE
from nonresponse.pages.blocks import Block, first_rows, of_table, read_topics, sentences, text
from nonresponse.pages.report import SECTIONS, overview
from nonresponse.pages.report.cells import cells, ranking
from nonresponse.pages.report.part import as_json

HERE = Path(__file__).parent
PUBLISHED = Markup('<a href="#_fidelity">published tables</a>')
LARGEST = 15_000_000  # bytes of a page
ARROWS = {"higher": "↑", "lower": "↓", "neither": "·"}
WAYS = {"higher": "higher is better", "lower": "lower is better", "neither": "described, not ranked"}


def of_all(parts: list[dict], fidelity: list[Path]) -> str:
    """results/report.html: all campaigns or, if that is too large, an overview with links to the page of each.

    `parts` are made by `with_article`; `fidelity` has fidelity.json, if there is one. The parts are joined unchanged,
    so that the page is cheap to make when one of them changes.
    """
    published: list[Block] = []
    for topic in (topic for path in fidelity for topic in read_topics(path).values()):
        published += [sentences(topic.sentences, topic.heading), *map(of_table, topic.tables)]
    text = page(parts, published)
    return text if len(text.encode()) <= LARGEST else page(parts, published, within=False)


def with_article(part: dict) -> dict:
    """The part that `part.part` makes, with its `article`, the HTML that every page shows of the campaign."""
    numbers: dict[str, Iterator[int]] = defaultdict(count)
    sections: list[dict] = []
    stretches: list[dict] = []
    folded: list[str] = []
    for section in part["sections"]:
        own, number = laid_out(part["card"]["name"], section["blocks"], numbers), None
        if section["id"] == SECTIONS[0].id:  # not folded
            fold(own, folded)
        else:
            folded.append(template("section.html.j2").render(stretches=own))
            number = len(folded) - 1
        sections.append({**section, "stretches": own, "number": number})
        stretches += own
    article = template("article.html.j2").render(card=part["card"], sections=sections, data=packed(stretches, folded))
    return {**part, "article": article}


def of_campaign(part: dict) -> str:
    """results/{campaign}/report.html; if too large, without figures and folded blocks, then with fewer rows.

    It is always written: the files that Snakemake expects cannot depend on the size of the page of all campaigns.
    """
    text = page([part], [], alone=True)
    for lighter in lighter_parts(part):
        if len(text.encode()) <= LARGEST:
            break
        text = page([with_article(lighter)], [], alone=True)
    return text


def lighter_parts(part: dict) -> Iterator[dict]:
    """The part with less and less in it: without figures and folded blocks, then with half as many rows each time."""
    part = light(part)
    yield part
    rows = max((len(block.get("rows", ())) for section in part["sections"] for block in section["blocks"]), default=0)
    while rows:
        rows //= 2
        of = [section | {"blocks": [first(block, rows) for block in section["blocks"]]} for section in part["sections"]]
        part = part | {"sections": of}
        yield part


def too_large() -> str:
    """Why something is not on the page."""
    return f"the page would be more than {LARGEST // 10**6} MB"


def first(block: Block, most: int) -> Block:
    """The block; a table with at most so many rows, and a note on the others."""
    if len(block.get("rows", ())) <= most:
        return block
    return {
        **block,
        "rows": block["rows"][:most],
        "cut": first_rows(most, block["whole"], f": with all, {too_large()}"),
    }


def light(part: dict) -> dict:
    """The part without figures and folded blocks; each section says what it lacks."""
    sections = []
    for section in part["sections"]:
        lacking = {block.get("folded") or "figures": None for block in section["blocks"] if not needed(block)}
        said = f"Left out, since {too_large()}: {', '.join(lacking)}."
        kept = [block for block in section["blocks"] if needed(block)]
        sections.append({**section, "blocks": kept + [sentences([said])] * bool(lacking)})
    return {**part, "sections": sections}


def needed(block: Block) -> bool:
    """Whether the block is neither a figure nor folded away."""
    return block["kind"] != "figure" and not block.get("folded")


def page(parts: list[dict], published: list[Block], within: bool = True, alone: bool = False) -> str:
    """The page as HTML, with the campaigns `within` it, or linked; a campaign's page, `alone`, links to that of all."""
    style = (HERE / "page.css").read_text(encoding="utf-8")
    scripts = [*sorted((HERE / "scripts").glob("*.js")), HERE / "page.js"]  # page.js uses what the others define
    script = '"use strict";\n' + "".join(path.read_text(encoding="utf-8") for path in scripts)
    cards = [part["card"] for part in parts if not part["card"]["faults"]]
    beside = [overview.campaigns(cards), *overview.shared(cards)] if len(cards) > 1 and not alone else []
    beside = [block | {"within": within} for block in beside]
    numbers: dict[str, Iterator[int]] = defaultdict(count)
    of_published, of_overview = (laid_out("", blocks, numbers) for blocks in (published, beside))
    folded: list[str] = []
    fold([*of_published, *of_overview], folded)
    characters = {"escapes": legible.LATEX, "known": legible.LATEX_KNOWS.pattern, "formula": legible.FORMULA}
    return template("page.html.j2").render(
        parts=[{**part, "article": Markup(part["article"])} for part in parts],
        published=of_published,
        overview=of_overview,
        within=within,
        alone=alone,
        largest=LARGEST,
        style=Markup(style),
        script=Markup(script),
        # Nothing is loaded, and no other style or script is applied.
        hashes=[b64encode(sha256(text.encode()).digest()).decode() for text in (style, script)],
        data=packed([*of_published, *of_overview], folded),
        characters=Markup(as_json(characters)),
    )


@cache
def template(name: str) -> Template:
    """A template of this folder."""
    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        finalize=visible,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals |= {"where": WHERE, "Markup": Markup, "cells": cells, "ranking": ranking}
    environment.globals |= {"shown": text, "arrows": ARROWS, "ways": WAYS, "to_published": PUBLISHED}
    return environment.get_template(name)


def fold(stretches: list[dict], folded: list[str]) -> None:
    """Moves the stretches with words into `folded`, markup that the script unfolds, and numbers them."""
    for one in stretches:
        if one["words"]:
            folded.append(template("stretch.html.j2").render(blocks=one["blocks"]))
            one["number"] = len(folded) - 1


def packed(stretches: list[dict], folded: list[str]) -> str:
    """What the script needs of these stretches, compressed, as base64; equal content makes equal text.

    The highest level of compression takes four times as long for 2 % less.
    """
    kinds = {"tables": "table", "rankings": "ranking", "widgets": "widget"}
    for_script = {name: of_kind(kind, stretches) for name, kind in kinds.items()} | {"folded": folded}
    return b64encode(compress(as_json(for_script).encode(), 6, mtime=0)).decode()


def of_kind(kind: str, stretches: list[dict]) -> list[Block]:
    """What the script needs of all blocks of a kind: of tables, rankings or widgets."""
    unused = ("kind", "notes", "cut", "folded", "fallback")
    blocks = [block for one in stretches for block in one["blocks"] if block["kind"] == kind]
    return [{key: value for key, value in block.items() if key not in unused} for block in blocks]


def visible(value: Any) -> Any:
    """Text with hidden characters made visible; the template escapes it."""
    return legible.visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def laid_out(campaign: str, blocks: list[Block], numbers: dict[str, Iterator[int]]) -> list[dict]:
    """The blocks in stretches, each of consecutive blocks that are folded away under the same words.

    Each block gets the next number of its kind, by which the script knows it.
    """
    placed = [{**block, "campaign": campaign, "number": next(numbers[block["kind"]])} for block in blocks]
    return [
        {"words": words, "number": None, "blocks": list(group)}
        for words, group in groupby(placed, key=lambda block: block.get("folded", ""))
    ]
