"""A page of sections, with sentences, figures and tables in each, as Markdown and as HTML."""

from base64 import b64encode
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from urllib.parse import quote

from tabulate import tabulate

from nonresponse import publish


@dataclass
class Section:
    """A part of a page."""

    heading: str
    sentences: list[str]
    figures: list[str] = field(default_factory=list)  # SVG files, as seen from the page
    tables: list[tuple[str, list[str], list[list[str]]]] = field(default_factory=list)  # caption, header, cells
    measures: list[str] = field(default_factory=list)  # that each of the sentences is about, "" = all; if that matters


def markdown(title: str, sections: list[Section]) -> str:
    lines = [f"# {publish.markdown_text(title)}"]
    for section in sections:
        lines.append(f"## {publish.markdown_text(section.heading)}")
        lines += [publish.markdown_text(sentence) for sentence in section.sentences]
        lines += [picture(path) for path in section.figures]
        for caption, header, cells in section.tables:
            lines += [publish.markdown_text(caption), publish.markdown_table(header, cells)]
    return "\n\n".join(lines) + "\n"


def picture(path: str) -> str:
    name = publish.markdown_text(Path(path).name).replace("[", "\\[").replace("]", "\\]")
    return f"![{name}]({quote(path, safe='/@')})"


def html(title: str, sections: list[Section], folder: Path) -> str:
    """A page of its own: the figures are inside it. The folder is where it will be."""
    body = [f"<h1>{escape(title)}</h1>"]
    for section in sections:
        body.append(f"<h2>{escape(section.heading)}</h2>")
        body += [f"<p>{escape(sentence)}</p>" for sentence in section.sentences]
        for path in section.figures:
            image = b64encode((folder / path).read_bytes()).decode()
            body.append(f'<p><img alt="{escape(Path(path).name)}" src="data:image/svg+xml;base64,{image}"></p>')
        for caption, header, cells in section.tables:
            table = tabulate(cells, header, tablefmt="html", disable_numparse=True, colalign=publish.aligned(header))
            body += [f"<p>{escape(caption)}</p>", table]
    return publish.html_document(title, body)
