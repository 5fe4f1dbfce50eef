"""What is drawn and written in a figure."""

from xml.etree import ElementTree

from nonresponse.figures.page import write_svg


def svg(chart, folder) -> ElementTree.Element:
    write_svg(chart, folder / "figure.svg")
    return ElementTree.parse(folder / "figure.svg").getroot()


def texts(root: ElementTree.Element) -> list[str]:
    """The texts of the picture, in the order in which it is drawn; lines of one text apart."""
    return [part.text for part in root.iter() if part.text and part.text.strip()]


def joined(root: ElementTree.Element) -> str:
    return " ".join(texts(root)).replace("\u00a0", " ")
