"""What is drawn and written in a figure."""

import json
from importlib import resources
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
from nonresponse.figures.page import write_svg
from nonresponse.figures.vega_lite import Spec

SCHEMA = resources.files("altair") / "vegalite/v6/schema/vega-lite-schema.json"
VEGA_LITE = jsonschema.Draft7Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def svg(figure: Spec, folder: Path) -> ElementTree.Element:
    """The figure as drawn; whatever Vega-Lite would silently ignore, such as a misspelt option, is an error."""
    VEGA_LITE.validate(figure)
    write_svg(figure, folder / "figure.svg")
    return ElementTree.parse(folder / "figure.svg").getroot()


def texts(root: ElementTree.Element) -> list[str]:
    """The texts of the picture, in the order in which it is drawn; lines of one text apart."""
    drawn = (part for part in root.iter() if not part.tag.endswith("}title"))
    return [part.text for part in drawn if part.text and part.text.strip()]


def joined(root: ElementTree.Element) -> str:
    return " ".join(texts(root)).replace("\u00a0", " ")
