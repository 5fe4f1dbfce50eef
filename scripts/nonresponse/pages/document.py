"""Pages for people: sections of sentences, figures and tables, as Markdown and HTML; tables as LaTeX too.

Sentences, headings and cells are plain text, escaped here and nowhere else: no name in a file can become markup.
"""

from base64 import b64encode
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from tabulate import simple_separated_format, tabulate

from nonresponse import legible

# Columns of words under these names; all others hold figures.
WORDS = ["run", "category", "measure", "scale", "assessors", "statistic", "pattern", "groups", "estimate", "rate_taken"]


@dataclass(frozen=True)
class Table:
    """Cells as text, a list per row, below a header."""

    header: list[str]
    cells: list[list[str]]
    caption: str = ""  # above it
    notes: list[str] | None = None  # below it, a line each; None = no such paragraph
    words: Collection[str] = tuple(WORDS)  # the columns that are aligned to the left, by their header
    sentences: bool = False  # whether cells hold sentences, which HTML breaks into lines
    bold: Collection[tuple[int, int]] = ()  # row and column of cells that Markdown shows in bold

    @property
    def sides(self) -> list[str]:
        """To which side each column is aligned."""
        return ["left" if name in self.words else "right" for name in self.header]


@dataclass(frozen=True)
class Section:
    """A part of a page."""

    heading: str
    sentences: list[str] = field(default_factory=list)  # a paragraph each
    figures: list[str] = field(default_factory=list)  # SVG files, as seen from the page
    tables: list[Table] = field(default_factory=list)
    measures: list[str] = field(default_factory=list)  # that the sentences are about, one each, "" = all


def heading(name: str, title: str | None, simulated: bool) -> str:
    """What the pages of a campaign are called: its title, or name."""
    shown = legible.short(title or "", legible.LONGEST_TITLE)
    return (shown or name) + (" (simulated data)" if simulated and "simulated" not in shown else "")


def markdown(title: str, sections: list[Section], introduction: str = "") -> str:
    """A page in Markdown. The introduction is Markdown already, and whoever wrote it has escaped the names in it."""
    lines = [f"# {legible.markdown(title)}", *filter(None, [introduction])]
    for section in sections:
        lines.append(f"## {legible.markdown(section.heading)}")
        lines += map(legible.markdown, section.sentences)
        lines += map(picture, section.figures)
        lines += map(markdown_table, section.tables)
    return "\n\n".join(lines) + "\n"


def markdown_table(table: Table) -> str:
    """The caption, the table and its notes."""
    cells = [[legible.markdown(cell) for cell in row] for row in table.cells]
    for row, column in table.bold:
        cells[row][column] = f"**{cells[row][column]}**"
    grid = tabulate(
        cells, list(map(legible.markdown, table.header)), tablefmt="github", disable_numparse=True, colalign=table.sides
    )
    notes = "  \n".join(map(legible.markdown, table.notes or []))
    return "\n\n".join(filter(None, [legible.markdown(table.caption), grid, notes]))


def picture(path: str) -> str:
    """A figure in Markdown."""
    name = legible.markdown(Path(path).stem.replace("[", "(").replace("]", ")"))  # which stands between brackets
    return f"![{name}]({quote(path, safe='/@')})"


def html(title: str, sections: list[Section], folder: Path, introduction: str = "") -> str:
    """A page in HTML that needs no other file: the figures are inside it. The folder is where the page will be."""
    body = [f"<h1>{legible.html(title)}</h1>"] + [f"<p>{legible.html(introduction)}</p>"] * bool(introduction)
    for section in sections:
        body.append(f"<h2>{legible.html(section.heading)}</h2>")
        body += [f"<p>{legible.html(sentence)}</p>" for sentence in section.sentences]
        for path in section.figures:
            image = b64encode((folder / path).read_bytes()).decode()
            body.append(f'<p><img alt="{legible.html(Path(path).name)}" src="data:image/svg+xml;base64,{image}"></p>')
        body += map(html_table, section.tables)
    head = f'<meta charset="utf-8"><title>{legible.html(title)}</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(body) + "\n</body></html>\n"


STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; color: #1a1a1a; }
h1, h2, p { overflow-wrap: anywhere; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25em 0.75em; white-space: nowrap; }
th:not([style]) { text-align: left; }
.text td { white-space: normal; }
thead { border-top: 2px solid; border-bottom: 1px solid; }
tbody { border-bottom: 2px solid; }
tbody tr:nth-child(even) { background: #f4f4f4; }
"""


def html_table(table: Table) -> str:
    """The caption, the table and its notes."""
    cells = [[legible.visible(cell) for cell in row] for row in table.cells]  # tabulate escapes them
    lines = [f"<p>{legible.html(table.caption)}</p>"] if table.caption else []
    grid = tabulate(
        cells, list(map(legible.visible, table.header)), tablefmt="html", disable_numparse=True, colalign=table.sides
    )
    lines.append(f'<div class="text">{grid}</div>' if table.sentences else grid)
    if table.notes is not None:
        lines.append(f"<p>{'<br>'.join(map(legible.html, table.notes))}</p>")
    return "\n".join(lines)


def latex(title: str, table: Table, label: str) -> str:
    """A floating table in the style of booktabs, whose caption is the title, the table's caption and its notes.

    It needs \\usepackage{booktabs}, and T1 fonts for letters such as ę.
    """
    caption = " ".join(filter(None, [f"{title}.", table.caption, *(table.notes or [])]))
    cells = [[legible.latex(cell) for cell in row] for row in [table.header, *table.cells]]
    form = simple_separated_format(" & ")
    first, *others = tabulate(cells, tablefmt=form, disable_numparse=True, colalign=table.sides).splitlines()
    return "\n".join(
        [
            "\\begin{table}",
            "\\centering",
            f"\\caption{{{legible.latex(caption)}}}",
            f"\\label{{tab:{label}}}",
            f"\\begin{{tabular}}{{{''.join(side[0] for side in table.sides)}}}",
            "\\toprule",
            f"{first} \\\\",
            "\\midrule",
            *[f"{line} \\\\" for line in others],
            "\\bottomrule",
            "\\end{tabular}",
            "\\end{table}",
            "",
        ]
    )
