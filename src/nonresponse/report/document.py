"""Sections as Markdown, text and HTML, and the leaderboard as LaTeX.

Sentences, headings and cells are plain text, escaped here and nowhere else: no name in a file can
become markup.
"""

from collections.abc import Callable, Iterable

from nonresponse import legible
from nonresponse.report.model import Section, Table

ROWS = 40  # of a table in LaTeX: about a page


def render_markdown(
    title: str, sections: Iterable[Section], escape: Callable[[str], str] = legible.markdown
) -> str:
    """Return a page in Markdown."""
    lines = [f"# {escape(title)}"]
    for section in sections:
        lines += [f"## {escape(section.heading)}", *map(escape, section.sentences)]
        for table in section.filled_tables:
            lines.append(render_markdown_table(table, section.heading, escape))
    return "\n\n".join(lines) + "\n"


def render_plain(title: str, sections: Iterable[Section]) -> str:
    """Return a page for a terminal: Markdown without escapes."""
    return render_markdown(title, sections, legible.visible)


def render_markdown_table(
    table: Table, heading: str = "", escape: Callable[[str], str] = legible.markdown
) -> str:
    """Return the caption, unless it equals the heading, then the table and its notes."""
    caption = escape(table.caption * (table.caption != heading))
    widths, (head, *rows) = align_columns(table, escape, " | ")
    rule = "|".join("-" * (width + 2) for width in widths)
    grid = "\n".join([f"| {head} |", f"|{rule}|", *[f"| {row} |" for row in rows]])
    notes = "  \n".join(map(escape, table.list_notes(paper=True)))
    return "\n\n".join(filter(None, [caption, grid, notes]))


def align_columns(
    table: Table, escape: Callable[[str], str], separator: str
) -> tuple[list[int], list[str]]:
    """Return the widths of a table's columns, and its header and rows as lines, escaped."""
    grid = [[escape(cell) for cell in row] for row in (table.header, *table.cells)]
    widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
    form = separator.join(
        f"{{:{'<' if column.is_left else '>'}{width}}}"
        for column, width in zip(table.file_columns, widths, strict=True)
    )
    return widths, [form.format(*row) for row in grid]


def render_html(sections: Iterable[Section]) -> str:
    """Return headings, sentences and tables in HTML, for a notebook."""
    parts = []
    for section in sections:
        parts.append(f"<h3>{legible.html(section.heading)}</h3>")
        parts += [f"<p>{legible.html(sentence)}</p>" for sentence in section.sentences]
        parts += [render_html_table(table, section.heading) for table in section.filled_tables]
    return "\n".join(parts)


def render_html_table(table: Table, heading: str) -> str:
    """Return the caption, unless it equals the heading, the table and its notes in HTML."""
    head, *rows = [
        "".join(f"<{tag}>{legible.html(cell)}</{tag}>" for cell in row)
        for tag, row in [("th", table.header), *(("td", row) for row in table.cells)]
    ]
    caption = f"<caption>{legible.html(table.caption)}</caption>"
    caption *= table.caption not in ("", heading)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    notes = [f"<p><small>{legible.html(note)}</small></p>" for note in table.list_notes(paper=True)]
    grid = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f"<table>{caption}{grid}</table>{''.join(notes)}"


def render_latex(title: str, table: Table, label: str) -> str:
    """Return the table in the style of booktabs, no wider than the text and split into pages.

    The caption is the title, the table's caption and its notes. It needs
    \\usepackage{booktabs,graphicx}, and T1 fonts for letters such as ę.
    """
    _, (head, *rows) = align_columns(table, legible.latex, " & ")
    alignment = "".join("l" if column.is_left else "r" for column in table.file_columns)
    pages = []
    for start in range(0, max(len(rows), 1), ROWS):
        caption = f"{title}, continued."
        if not start:
            caption = " ".join(filter(None, [f"{title}.", table.caption, *table.list_notes(True)]))
        lines = [
            "\\clearpage" * (start > 0),
            "\\begin{table}",
            "\\centering",
            f"\\caption{{{legible.latex(caption)}}}",
            f"\\label{{tab:{label}{f'-{start // ROWS + 1}' * (start > 0)}}}",
            f"\\footnotesize\\sbox0{{\\begin{{tabular}}{{{alignment}}}",
            "\\toprule",
            f"{head} \\\\",
            "\\midrule",
            *[f"{row} \\\\" for row in rows[start : start + ROWS]],
            "\\bottomrule",
            "\\end{tabular}}",
            "\\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}{\\usebox0}\\else\\usebox0\\fi",
            "\\end{table}\n",
        ]
        pages.append("\n".join(filter(None, lines)))
    return "\n".join(pages)
