"""A drawing of a figure's file, made fit to stand within a page with others: only shapes, text and what points say.

What the figure has found is its caption there; on the page it is said beside the drawing, and not drawn once more.
"""

import re
from itertools import count
from xml.etree import ElementTree

from nonresponse.figures.page import BELOW, LINE

TAGS = {"svg", "g", "path", "text", "tspan", "line", "rect", "circle", "title"}
TAGS |= {"defs", "clipPath", "linearGradient", "stop"}
SVG = "{http://www.w3.org/2000/svg}"
DECIMALS = re.compile(r"(\d+\.\d\d)\d+")  # of coordinates: more than two are not to be seen
POINTS = {"d", "transform", "x", "y", "x1", "x2", "y1", "y2", "width", "height"}


def inlined(svg: str, prefix: str) -> tuple[str, str]:
    """The drawing without what is no drawing, and its caption; names that its parts refer to begin with the prefix."""
    root = ElementTree.fromstring(svg)
    caption = taken_out(root)
    numbers = count()
    names = {node.attrib["id"]: f"{prefix}{next(numbers)}" for node in root.iter() if "id" in node.attrib}
    clean(root, names)
    ElementTree.register_namespace("", SVG.strip("{}"))
    return ElementTree.tostring(root, encoding="unicode"), caption


def taken_out(root: ElementTree.Element) -> str:
    """The text below the drawing, which loses it and its lines; "" where there is none."""
    parents = {child: node for node in root.iter() for child in node}
    for node in root.iter(f"{SVG}text"):
        if "role-title-text" not in parents[node].get("class", "") or node.get("font-weight") != BELOW["fontWeight"]:
            continue
        lines = [line.text or "" for line in node.iter(f"{SVG}tspan")] or [node.text or ""]
        parents[parents[node]].remove(parents[node])
        whole = float(root.attrib["height"]) - len(lines) * LINE
        root.set("height", f"{whole:g}")
        root.set("viewBox", f"0 0 {root.attrib['width']} {whole:g}")
        return " ".join(lines).replace("\u00a0", " ")
    return ""


def clean(node: ElementTree.Element, names: dict[str, str]) -> None:
    """Takes out of an element, and all within it, what the page has no use for."""
    for child in list(node):
        if child.tag.removeprefix(SVG) not in TAGS:
            node.remove(child)
        else:
            clean(child, names)
    for name, value in list(node.attrib.items()):
        # What a drawing shows is said once, of the whole: a title of a point is for the mouse and hints.js.
        if name.startswith(("on", "aria-")) or name in ("style", "class", "role") or "href" in name:
            del node.attrib[name]
        elif name == "id":
            node.attrib[name] = names[value]
        elif found := re.fullmatch(r"url\(#(.*)\)", value):
            node.attrib[name] = f"url(#{names[found[1]]})"
        elif name in POINTS:
            node.attrib[name] = DECIMALS.sub(r"\1", value)
