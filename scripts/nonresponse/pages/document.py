"""A page of sections, with sentences, figures and tables in each, as Markdown and as HTML."""

from base64 import b64encode
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from nonresponse import legible
from nonresponse.pages import publish


@dataclass
class Section:
    """A part of a page."""

    heading: str
    sentences: list[str]
    figures: list[str] = field(default_factory=list)  # SVG files, as seen from the page
    tables: list[tuple[str, list[str], list[list[str]]]] = field(default_factory=list)  # caption, header, cells
    measures: list[str] = field(default_factory=list)  # that each of the sentences is about, "" = all; if that matters


def markdown(title: str, sections: list[Section]) -> str:
    lines = [f"# {legible.markdown(title)}"]
    for section in sections:
        lines.append(f"## {legible.markdown(section.heading)}")
        lines += [legible.markdown(sentence) for sentence in section.sentences]
        lines += [picture(path) for path in section.figures]
        for caption, header, cells in section.tables:
            lines += [legible.markdown(caption), publish.markdown_table(header, cells)]
    return "\n\n".join(lines) + "\n"


def picture(path: str) -> str:
    name = legible.markdown(Path(path).stem.replace("[", "(").replace("]", ")"))  # which stands between brackets
    return f"![{name}]({quote(path, safe='/@')})"


def html(title: str, sections: list[Section], folder: Path) -> str:
    """A page of its own: the figures are inside it. The folder is where it will be."""
    body = [f"<h1>{legible.html(title)}</h1>"]
    for section in sections:
        body.append(f"<h2>{legible.html(section.heading)}</h2>")
        body += [f"<p>{legible.html(sentence)}</p>" for sentence in section.sentences]
        for path in section.figures:
            image = b64encode((folder / path).read_bytes()).decode()
            body.append(f'<p><img alt="{legible.html(Path(path).name)}" src="data:image/svg+xml;base64,{image}"></p>')
        for caption, header, cells in section.tables:
            body += [f"<p>{legible.html(caption)}</p>", publish.html_table(header, cells)]
    return publish.html_document(title, body)
