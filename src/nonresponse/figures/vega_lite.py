"""Helpers to write a specification: rows, channels, marks, layers. Vega-Lite 6, as plain dictionaries.

Points also carry a description of their row, which a browser shows when the mouse is over them: in a specification, the
column `said` of a layer's rows and the description of its marks; in the drawing, the <title> of each mark.
"""

import re
from collections import ChainMap
from functools import partial
from typing import Any
from xml.etree import ElementTree

import polars as pl

from nonresponse import legible
from nonresponse.wording import at, nearest

Spec = dict[str, Any]  # a specification, or a part of one
PERCENT = "format(datum.value * 100, '~g') + ' %'"  # the labels of an axis of shares
POINTS = {"point", "circle", "rect"}  # the marks that stand for a row each
ARIA = {"aria-label", "aria-roledescription", "aria-hidden", "role"}
SVG = "http://www.w3.org/2000/svg"


def shows(type: str, name: str, **options: object) -> Spec:
    return {"field": name, "type": type, **options}


quantity = partial(shows, "quantitative")  # a column of numbers
category = partial(shows, "nominal")  # of texts
place = partial(shows, "ordinal")  # of whole numbers, as places in a row or column


def mark(type: str, channels: Spec | None = None, **style: object) -> Spec:
    """A layer such as a line; its channels are added to those of the `layers` that it is part of."""
    return {"mark": {"type": type, **style}, "encoding": channels or {}}


def layers(table: pl.DataFrame, channels: Spec, *parts: Spec) -> Spec:
    """Layers that share channels and rows; the marks of POINTS are described (`telling`)."""
    told = [part["encoding"] for part in parts if tells(part)]
    rows = worded(table, dict(ChainMap(*told, channels))) if told else table
    layer = [telling(part) if tells(part) and "said" in rows.columns else part for part in parts]
    return {"data": {"values": rows.to_dicts()}, "encoding": channels, "layer": layer}


def worded(table: pl.DataFrame, channels: Spec) -> pl.DataFrame:
    """The table with a column `said`: names, and quantities with titles; unchanged if it has one or needs none."""
    shown = {channel["field"]: channel for channel in channels.values() if "field" in channel}
    titles = {name: title(channel) for name, channel in shown.items() if channel.get("type") == "quantitative"}
    titles = {name: text for name, text in titles.items() if text}
    if "said" in table.columns or not titles:
        return table
    kind = shown.get("series", {}).get("title")
    before = {"series": f"{kind}: " if kind else "", "run": ""}
    names = [name for name in ("run", "series") if name in table.columns]
    texts = []
    for row in table.select(*names, *titles).iter_rows(named=True):
        named = dict.fromkeys(before[name] + legible.short(row[name]) for name in names)
        numbers = [f"{text}: {number(row[name], shown[name])}" for name, text in titles.items()]
        texts.append(" · ".join([*named, *numbers]))
    return table.with_columns(said=pl.Series(texts, dtype=pl.String))


def title(channel: Spec) -> str:
    """What a channel shows: its own title, or that of its axis without the explanation; "" if it has none."""
    axis = (channel.get("axis") or {}).get("title") or ""
    first = axis if isinstance(axis, str) else axis[0]
    return channel.get("title") or re.split(r":| \(", first)[0]


def number(value: float | None, channel: Spec) -> str:
    """A value with up to four decimals, as in tables, or in percent if its axis is."""
    if value is None:
        return "–"
    if isinstance(value, int):
        return f"{value:,}"
    shown = float(nearest(value, 4))
    return at(shown) if (channel.get("axis") or {}).get("labelExpr") == PERCENT else f"{shown:g}"


def tells(part: Spec) -> bool:
    """Whether each mark of a layer stands for a row."""
    return "mark" in part and part["mark"]["type"] in POINTS


def telling(part: Spec) -> Spec:
    """The layer with the column `said` as the description of its marks."""
    described = {"description": {"field": "said", "type": "nominal"}}
    return {**part, "mark": {**part["mark"], "aria": True}, "encoding": {**part["encoding"], **described}}


def titled(svg: str) -> str:
    """The drawing with the descriptions of marks as titles, and without the ARIA attributes that Vega adds.

    Vega numbers the names of gradients by what the process has drawn before; here they are numbered by the drawing.
    """
    ElementTree.register_namespace("", SVG)
    root = ElementTree.fromstring(svg)
    marks = root.findall(f".//{{{SVG}}}path[@aria-label]")
    for node in marks:
        ElementTree.SubElement(node, f"{{{SVG}}}title").text = node.attrib["aria-label"]
    named = [node for node in root.iter() if "id" in node.attrib]
    names = {f"url(#{node.attrib['id']})": f"url(#part-{number})" for number, node in enumerate(named)}
    for number, node in enumerate(named):
        node.attrib["id"] = f"part-{number}"
    for node in root.iter():
        for name in ARIA & {*node.attrib}:
            del node.attrib[name]
        node.attrib.update({name: names[value] for name, value in node.attrib.items() if value in names})
    return ElementTree.tostring(root, encoding="unicode")
