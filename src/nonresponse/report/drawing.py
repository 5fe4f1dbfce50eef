"""Makes the drawing in a figure's file fit for a page with others: only shapes, text, and the titles of points."""

import re
from itertools import count
from xml.etree import ElementTree

TAGS = {"svg", "g", "path", "text", "tspan", "line", "rect", "circle", "title"}
TAGS |= {"defs", "clipPath", "linearGradient", "stop"}
SVG = "{http://www.w3.org/2000/svg}"
DECIMALS = re.compile(r"(\d+\.\d\d)\d+")  # of coordinates: more than two make no visible difference
POINTS = {"d", "transform", "x", "y", "x1", "x2", "y1", "y2", "width", "height"}


def inlined(svg: str, prefix: str) -> str:
    """The drawing alone, without scripts, links and styles; its ids begin with the prefix."""
    root = ElementTree.fromstring(svg)
    numbers = count()
    names = {node.attrib["id"]: f"{prefix}{next(numbers)}" for node in root.iter() if "id" in node.attrib}
    clean(root, names)
    ElementTree.register_namespace("", SVG.strip("{}"))
    return ElementTree.tostring(root, encoding="unicode")


def clean(node: ElementTree.Element, names: dict[str, str]) -> None:
    """Removes from an element, and from all within it, what the page has no use for."""
    for child in list(node):
        if child.tag.removeprefix(SVG) not in TAGS:
            node.remove(child)
        else:
            clean(child, names)
    for name, value in list(node.attrib.items()):
        # One description of the whole drawing is enough: the titles of points are for the mouse and hints.js.
        if name.startswith(("on", "aria-")) or name in ("style", "class", "role") or "href" in name:
            del node.attrib[name]
        elif name == "id":
            node.attrib[name] = names[value]
        elif found := re.fullmatch(r"url\(#(.*)\)", value):
            node.attrib[name] = f"url(#{names[found[1]]})"
        elif name in POINTS:
            node.attrib[name] = DECIMALS.sub(r"\1", value)
