"""XML files as their elements in order, without their text; nothing is expanded or fetched."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, Locator

from defusedxml import DefusedXmlException
from defusedxml.sax import parseString

from nonresponse.faults import quote
from nonresponse.formats.text import Faults, UnreadableError, bound_fields, check_text, read_bytes
from nonresponse.settings import Files

ENCODING = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)")


@dataclass(eq=False, slots=True)
class Element:
    """An XML element with its attributes; its text is not kept."""

    name: str
    line: int
    attributes: dict[str, str]
    parent: "Element | None" = field(repr=False)
    children: list["Element"] = field(default_factory=list, repr=False)


class Collector(ContentHandler):
    """All elements of a document in order. UnreadableError if they and their attributes are more
    than `limit`."""

    def __init__(self, limit: float) -> None:
        super().__init__()
        self.limit, self.number = limit, 0
        self.elements: list[Element] = []
        # Elements that have not ended, below None for the root's parent
        self.ancestors: list[Element | None] = [None]
        self._locator: Locator  # set by the parser

    def startElement(self, name: str, attributes: AttributesImpl) -> None:  # noqa: N802
        self.number += 1 + len(attributes)
        if self.number > self.limit:
            found = f"{self.number:,} elements and attributes, and more"
            raise UnreadableError(found, f"at most {self.limit:,.0f}")
        line = self._locator.getLineNumber() or 0
        element = Element(name, line, dict(attributes.items()), self.ancestors[-1])
        if element.parent:
            element.parent.children.append(element)
        self.elements.append(element)
        self.ancestors.append(element)

    def endElement(self, name: str) -> None:  # noqa: N802
        self.ancestors.pop()


def read_elements(file: str | Path, options: Files) -> tuple[list[Element], Faults]:
    """All elements up to the end, or to the first place that is not XML."""
    data, faults = read_bytes(file)
    declaration = ENCODING.match(data)
    encoding = declaration[1].lower() if declaration else b"utf-8"
    if declaration and encoding.startswith(b"utf-16"):  # read_bytes has made it UTF-8
        data, encoding = data.replace(declaration[1], b"utf-8", 1), b"utf-8"
    if encoding in (b"utf-8", b"utf8"):
        # All lines of UTF-8 with bad bytes; the parser finds only the first
        check_text(data, faults, forbidden={})
    if faults:
        return [], faults
    collector = Collector(bound_fields(file, options))
    try:
        # A DOCTYPE that names another file, as CLEF's does, is allowed: the parser does not load
        # it.
        parseString(data, collector, forbid_external=False)
    except UnreadableError as error:
        faults.add(0, *error.args)
        return [], faults
    except SAXParseException as error:
        found = f"broken XML ({error.getMessage()})"
        faults.add(error.getLineNumber() or 0, found, "a whole, well-formed XML file")
    except DefusedXmlException:
        line = collector._locator.getLineNumber() or 0
        faults.add(line, "the definition of an entity", "plain XML that needs none")
    # An encoding that Python lacks, or that expat cannot use
    except (SAXException, ValueError, LookupError) as error:
        faults.add(1, f"XML that cannot be read ({quote(error)})", "XML in UTF-8")
    return collector.elements, faults
