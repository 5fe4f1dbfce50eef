"""Topics as HTML for a notebook, and as text for a terminal."""

from collections.abc import Iterable

from nonresponse import legible
from nonresponse.pages import document
from nonresponse.pages.blocks import Table, Topic


def as_html(topics: Iterable[Topic]) -> str:
    """The topics as HTML: headings, sentences and tables; whatever came from a file is escaped."""
    parts = []
    for topic in topics:
        parts.append(f"<h3>{legible.html(topic.heading)}</h3>")
        parts += [f"<p>{legible.html(sentence)}</p>" for sentence in topic.sentences]
        parts += [of_table(table) for table in topic.printed]
    return "\n".join(parts)


def of_table(table: Table) -> str:
    """A table as HTML, with its caption, and its notes below."""
    head = "".join(f"<th>{legible.html(name)}</th>" for name in table.header)
    rows = ["".join(f"<td>{legible.html(cell)}</td>" for cell in row) for row in table.cells]
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    notes = "".join(f"<p><small>{legible.html(note)}</small></p>" for note in table.below(paper=True))
    caption = f"<caption>{legible.html(table.caption)}</caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"


def as_text(title: str, topics: Iterable[Topic]) -> str:
    """The topics as Markdown for a terminal."""
    return legible.plain(document.markdown(title, topics))
