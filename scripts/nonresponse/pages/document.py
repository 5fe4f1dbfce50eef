"""Pages for people: sections of sentences, figures and tables, as Markdown; tables as LaTeX too.

Sentences, headings and cells are plain text, escaped here and nowhere else: no name in a file can become markup.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from tabulate import simple_separated_format, tabulate

from nonresponse import legible
from nonresponse.pages import blocks
from nonresponse.pages.blocks import Topic

# Columns of words under these names; all others hold figures.
WORDS = ["run", "category", "measure", "scale", "assessors", "statistic", "pattern", "groups", "estimate", "rate_taken"]
ROWS = 40  # of a table in LaTeX: about a page


@dataclass(frozen=True)
class Table:
    """Cells as text, a list per row, below a header."""

    header: list[str]
    cells: list[list[str]]
    caption: str = ""  # above it
    notes: list[str] | None = None  # below it, a line each; None = no such paragraph
    words: Collection[str] = tuple(WORDS)  # the columns that are aligned to the left, by their header
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


def printed(topic: Topic) -> Section:
    """A topic as Markdown and LaTeX show it."""
    shown = [table for table in topic.tables if table.paper != 0]
    return Section(topic.heading, topic.sentences, topic.figures, [printed_table(table) for table in shown])


def printed_table(table: blocks.Table) -> Table:
    """Its cells as text."""
    words = [column.header for column in table.columns if column.kind == "text"]
    return Table(table.header, table.cells, table.caption, table.below(paper=True), words)


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


def latex(title: str, table: Table, label: str) -> str:
    """The table in the style of booktabs, no wider than the text; what has more rows than a page goes on in another.

    The caption is the title, the table's caption and its notes. It needs \\usepackage{booktabs,graphicx}, and T1 fonts
    for letters such as ę.
    """
    cells = [[legible.latex(cell) for cell in row] for row in [table.header, *table.cells]]
    form = simple_separated_format(" & ")
    lines = tabulate(cells, tablefmt=form, disable_numparse=True, colalign=table.sides).splitlines()
    head, *rows = [f"{line} \\\\" for line in lines]
    sides = "".join(side[0] for side in table.sides)
    caption = " ".join(filter(None, [f"{title}.", table.caption, *(table.notes or [])]))
    pages = [floating(caption, label, sides, head, rows[:ROWS])]
    for number, start in enumerate(range(ROWS, len(rows), ROWS), 2):
        more = floating(f"{title}, continued.", f"{label}-{number}", sides, head, rows[start : start + ROWS])
        pages.append("\\clearpage\n" + more)
    return "\n".join(pages)


def floating(caption: str, label: str, sides: str, head: str, rows: list[str]) -> str:
    """A table that floats, from lines in LaTeX; what is wider than the text is printed smaller."""
    return "\n".join(
        [
            "\\begin{table}",
            "\\centering",
            f"\\caption{{{legible.latex(caption)}}}",
            f"\\label{{tab:{label}}}",
            f"\\footnotesize\\sbox0{{\\begin{{tabular}}{{{sides}}}",
            "\\toprule",
            head,
            "\\midrule",
            *rows,
            "\\bottomrule",
            "\\end{tabular}}",
            "\\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}{\\usebox0}\\else\\usebox0\\fi",
            "\\end{table}",
            "",
        ]
    )
