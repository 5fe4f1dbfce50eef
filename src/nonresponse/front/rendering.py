"""Sections as text for a terminal, as Markdown, and as HTML for a notebook; what came from a file is escaped here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nonresponse import legible
from nonresponse.report.document import markdown_grid, markdown_notes

if TYPE_CHECKING:
    from nonresponse.report import model


@dataclass(frozen=True)
class Table:
    """Texts in rows; `left` are the columns that are aligned to the left."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str = ""
    notes: Sequence[str] = ()
    left: Sequence[int] = (0,)


@dataclass(frozen=True)
class Section:
    """A heading, sentences and tables."""

    heading: str
    sentences: Sequence[str]
    tables: Sequence[Table] = field(default_factory=list)


def of_sections(written: Iterable[model.Section]) -> list[Section]:
    """Return the sections of a page as they are shown here."""
    sections = []
    for one in written:
        tables = [
            Table(
                table.header,
                table.cells,
                table.caption if table.caption != one.heading else "",
                table.below(paper=True),
                [index for index, column in enumerate(table.columns) if column.left],
            )
            for table in one.printed
        ]
        sections.append(Section(one.heading, one.sentences, tables))
    return sections


def as_markdown(title: str, sections: Iterable[Section]) -> str:
    """Return a page in Markdown."""
    lines = [f"# {legible.markdown(title)}"]
    for section in sections:
        lines.append(f"## {legible.markdown(section.heading)}")
        lines += [*map(legible.markdown, section.sentences), *map(markdown_table, section.tables)]
    return "\n\n".join(lines) + "\n"


def markdown_table(table: Table) -> str:
    """Return a caption, a table with columns of even width, and its notes."""
    grid = markdown_grid([table.header, *table.rows], [index in table.left for index in range(len(table.header))])
    return "\n\n".join(filter(None, [legible.markdown(table.caption), grid, markdown_notes(table.notes)]))


def as_text(title: str, sections: Iterable[Section]) -> str:
    """Return a page for a terminal: Markdown without its escapes."""
    return legible.plain(as_markdown(title, sections))


def as_html(sections: Iterable[Section]) -> str:
    """Return headings, sentences and tables in HTML."""
    parts = []
    for section in sections:
        parts.append(f"<h3>{legible.html(section.heading)}</h3>")
        parts += [f"<p>{legible.html(sentence)}</p>" for sentence in section.sentences]
        parts += map(html_table, section.tables)
    return "\n".join(parts)


def html_table(table: Table) -> str:
    """Return a table in HTML, with its caption, and its notes below."""
    head = "".join(f"<th>{legible.html(name)}</th>" for name in table.header)
    rows = ["".join(f"<td>{legible.html(cell)}</td>" for cell in row) for row in table.rows]
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    notes = "".join(f"<p><small>{legible.html(note)}</small></p>" for note in table.notes)
    caption = f"<caption>{legible.html(table.caption)}</caption>" if table.caption else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"
