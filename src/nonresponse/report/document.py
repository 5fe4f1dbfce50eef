"""Sections as Markdown, text and HTML, and the leaderboard as LaTeX.

Sentences, headings and cells are plain text, escaped here and nowhere else: no name in a file can
become markup.
"""

from collections.abc import Iterable, Sequence

from nonresponse import legible
from nonresponse.report.model import Section, Table

ROWS = 40  # of a table in LaTeX: about a page


def title_of(name: str, title: str | None, simulated: bool) -> str:
    """Return the heading of a campaign's pages: its title, or name."""
    shown = legible.short(title or "", legible.LONGEST_TITLE)
    return (shown or name) + (" (simulated data)" if simulated and "simulated" not in shown else "")


def markdown(title: str, sections: Iterable[Section]) -> str:
    """Return a page in Markdown."""
    lines = [f"# {legible.markdown(title)}"]
    for section in sections:
        lines.append(f"## {legible.markdown(section.heading)}")
        lines += map(legible.markdown, section.sentences)
        lines += [markdown_table(table, section.heading) for table in section.printed]
    return "\n\n".join(lines) + "\n"


def markdown_table(table: Table, heading: str = "") -> str:
    """Return the caption, unless it equals the heading above, then the table and its notes."""
    caption = table.caption if table.caption != heading else ""
    grid = markdown_grid([table.header, *table.cells], [column.left for column in table.columns])
    return "\n\n".join(
        filter(None, [legible.markdown(caption), grid, markdown_notes(table.below(paper=True))])
    )


def markdown_grid(texts: Sequence[Sequence[str]], left: Sequence[bool]) -> str:
    """Return rows of texts, the first of them the header, as a table in Markdown."""
    grid = [[legible.markdown(text) for text in row] for row in texts]
    head, *rows = [f"| {line} |" for line in aligned(grid, left, " | ")]
    rule = "|".join("-" * (max(map(len, column)) + 2) for column in zip(*grid, strict=True))
    return "\n".join([head, f"|{rule}|", *rows])


def markdown_notes(notes: Iterable[str]) -> str:
    """Return notes, a line each."""
    return "  \n".join(map(legible.markdown, notes))


def aligned(grid: Sequence[Sequence[str]], left: Sequence[bool], between: str) -> list[str]:
    """Return the lines of a grid whose columns have even widths."""
    widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
    form = between.join(
        f"{{:{'<' if to_left else '>'}{width}}}"
        for to_left, width in zip(left, widths, strict=True)
    )
    return [form.format(*row) for row in grid]


def plain(title: str, sections: Iterable[Section]) -> str:
    """Return a page for a terminal: Markdown without its escapes."""
    return legible.plain(markdown(title, sections))


def html(sections: Iterable[Section]) -> str:
    """Return headings, sentences and tables in HTML, for a notebook."""
    parts = []
    for section in sections:
        parts += [
            f"<h3>{legible.html(section.heading)}</h3>",
            *(f"<p>{legible.html(it)}</p>" for it in section.sentences),
        ]
        parts += [html_table(table, section.heading) for table in section.printed]
    return "\n".join(parts)


def html_table(table: Table, heading: str) -> str:
    """Return the caption, unless it equals the heading above, the table and its notes in HTML."""
    head, *rows = [
        "".join(f"<{tag}>{legible.html(cell)}</{tag}>" for cell in row)
        for tag, row in [("th", table.header), *(("td", row) for row in table.cells)]
    ]
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    notes = "".join(
        f"<p><small>{legible.html(note)}</small></p>" for note in table.below(paper=True)
    )
    caption = (
        f"<caption>{legible.html(table.caption)}</caption>"
        if table.caption not in ("", heading)
        else ""
    )
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"


def latex(title: str, table: Table, label: str) -> str:
    """Return the table in the style of booktabs, no wider than the text; after a page of rows
    another continues it.

    The caption is the title, the table's caption and its notes. It needs
    \\usepackage{booktabs,graphicx}, and T1 fonts for letters such as ę.
    """
    left = [column.left for column in table.columns]
    grid = [[legible.latex(cell) for cell in row] for row in (table.header, *table.cells)]
    head, *rows = [f"{line} \\\\" for line in aligned(grid, left, " & ")]
    alignment = "".join("l" if to_left else "r" for to_left in left)
    caption = " ".join(filter(None, [f"{title}.", table.caption, *table.below(paper=True)]))
    pages = [floating(caption, label, alignment, head, rows[:ROWS])]
    for number, start in enumerate(range(ROWS, len(rows), ROWS), 2):
        more = floating(
            f"{title}, continued.", f"{label}-{number}", alignment, head, rows[start : start + ROWS]
        )
        pages.append("\\clearpage\n" + more)
    return "\n".join(pages)


def floating(caption: str, label: str, alignment: str, head: str, rows: list[str]) -> str:
    """Return a floating table from lines of LaTeX, scaled down if it is wider than the text."""
    lines = [
        "\\begin{table}",
        "\\centering",
        f"\\caption{{{legible.latex(caption)}}}",
        f"\\label{{tab:{label}}}",
    ]
    lines += [
        f"\\footnotesize\\sbox0{{\\begin{{tabular}}{{{alignment}}}",
        "\\toprule",
        head,
        "\\midrule",
        *rows,
    ]
    lines += ["\\bottomrule", "\\end{tabular}}"]
    lines += [
        "\\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}{\\usebox0}\\else\\usebox0\\fi",
        "\\end{table}",
        "",
    ]
    return "\n".join(lines)
