"""The page: the parts of all campaigns in one file that loads nothing else.

The page's policy allows only its own style and script, by their hashes. What comes from files is
escaped by the template, or is text in the JSON that the script draws. A part is compressed once,
and taken as it is.
"""

import json
from base64 import b64encode
from collections.abc import Callable
from gzip import compress
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from nonresponse import legible
from nonresponse.report.document import render_markdown_table
from nonresponse.report.model import tabulate_texts
from nonresponse.wording import NOTHING, amount, format_rounded, minus, percent

FOLDER = Path(__file__).parent
MAX_BYTES = 30_000_000  # of a page
TOP = 5  # rows of each ranking in the summary
TEXTS = ("leader", "ranked by")  # columns of the overview that are no numbers


def render_campaign(part: dict[str, Any]) -> str:
    """Return results/{campaign}/report.html."""
    return render_page([part], alone=True)


def render_all(parts: list[dict[str, Any]]) -> str:
    """Return results/report.html: all campaigns or, if that is too large, links to their pages."""
    size = sum(len(part.get("packed", "")) + len(part.get("texts", "")) for part in parts)
    return render_page(parts, complete=size <= MAX_BYTES)


def render_page(parts: list[dict[str, Any]], complete: bool = True, alone: bool = False) -> str:
    """Return the page as HTML, with the campaigns in it if `complete`, else with links to them.

    `alone` makes the page of a single campaign.
    """
    style = (FOLDER / "page.css").read_text(encoding="utf-8")
    script = (FOLDER / "page.js").read_text(encoding="utf-8")
    characters = {
        "escapes": legible.LATEX,
        "plain": legible.LATEX_KNOWS.pattern,
        "formula": legible.FORMULA,
    }
    return TEMPLATE.render(
        parts=parts,
        overview=make_overview([part["card"] for part in parts]),
        texts=TEXTS,
        raw=Markup,
        complete=complete,
        alone=alone,
        style=Markup(style),
        script=Markup(script),
        hashes=[b64encode(sha256(text.encode()).digest()).decode() for text in (style, script)],
        characters=Markup(dump_json(characters)),
    )


def make_overview(cards: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Return the cells of each campaign in the overview, by column."""
    levels = {card["confidence"] for card in cards}
    if len(levels) > 1:
        return [list_overview_cells(card, "CI", f" ({card['confidence']})") for card in cards]
    return [list_overview_cells(card, f"{card['confidence']} CI") for card in cards]


def list_overview_cells(card: dict[str, Any], interval: str, level: str = "") -> dict[str, str]:
    """Return the cells of a campaign by column. `interval` names the column of its interval."""
    factor, digits = (100, 1) if card["percent"] else (1, 3)

    def format_values(form: Callable[[Any], str], *values: float | None) -> str:
        return NOTHING if None in values else " to ".join(map(form, values))

    def format_score(value: float) -> str:
        return minus(format_rounded(factor * value, digits))

    bounds = format_values(format_score, *card["interval"])
    return {
        "leader": ", ".join(card["best"][:3]) + " and others" * (len(card["best"]) > 3) or NOTHING,
        "score": format_values(format_score, card["score"]),
        "ranked by": f"{card['measure']}{' %' * card['percent']}",
        interval: bounds + level * (bounds != NOTHING),
        "tied with it": format_values(amount, card["tied"]),
        "runs": f"{card['runs']:,}",
        "questions": format_values(amount, card["questions"]),
        "unanswered": format_values(percent, card["unanswered"]),
        "unscored": format_values(amount, card["unscored"]),
    }


def render_summary(parts: list[dict[str, Any]]) -> str:
    """Return results/summary.md: what each campaign found, and the first runs of each ranking."""
    lines = []
    for part in parts:
        heads = [column["label"] for column in part["columns"]]
        texts = [index for index, column in enumerate(part["columns"]) if column["kind"] == "run"]
        table = tabulate_texts(heads, part["rows"][:TOP], text_columns=texts)
        lines += [
            f"## {legible.markdown(part['card']['title'])}",
            *[legible.markdown(finding["text"]) for finding in part["findings"]],
            render_markdown_table(table),
            "\n".join(f"- {legible.markdown(note)}" for note in part["notes"]),
            f"All of it: results/{part['card']['name']}/report.html",
        ]
    return "\n\n".join(filter(None, lines)) + "\n"


def dump_json(content: Any) -> str:
    """Return JSON on one line, ASCII, that can stand within a page: <, > and & are code points."""
    text = json.dumps(content, separators=(",", ":"), allow_nan=False, default=vars)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def pack_text(text: str) -> str:
    """Return a text compressed, as base64. Equal texts give equal bytes."""
    return b64encode(compress(text.encode(), 4, mtime=0)).decode()


def read_part(path: Path) -> dict[str, Any]:
    """Return a part that was written as JSON."""
    return json.loads(path.read_text(encoding="utf-8"))


def make_visible(value: Any) -> Any:
    """Return text with hidden characters made visible. The template escapes it."""
    is_text = isinstance(value, str) and not isinstance(value, Markup)
    return legible.visible(value) if is_text else value


# Compiled as this is loaded: a process that forks jobs has it for all of them
TEMPLATE = Environment(
    loader=FileSystemLoader(FOLDER),
    autoescape=True,
    finalize=make_visible,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
).get_template("page.html.j2")
