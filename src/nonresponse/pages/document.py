"""Topics on paper: their sentences, figures and tables as Markdown, and tables as LaTeX too.

Sentences, headings and cells are plain text, escaped here and nowhere else: no name in a file can become markup.
"""

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

import tabulate

from nonresponse import legible
from nonresponse.pages.blocks import Table, Topic

tabulate.WIDE_CHARS_MODE = False  # else tables would be other bytes where wcwidth happens to be installed
ROWS = 40  # of a table in LaTeX: about a page


def heading(name: str, title: str | None, simulated: bool) -> str:
    """The heading of a campaign's pages: its title, or name."""
    shown = legible.short(title or "", legible.LONGEST_TITLE)
    return (shown or name) + (" (simulated data)" if simulated and "simulated" not in shown else "")


def markdown(title: str, topics: Iterable[Topic]) -> str:
    """A page in Markdown."""
    lines = [f"# {legible.markdown(title)}"]
    for topic in topics:
        lines.append(f"## {legible.markdown(topic.heading)}")
        lines += map(legible.markdown, topic.sentences)
        for path in topic.figures:
            name = Path(path).stem.replace("[", "(").replace("]", ")")  # which stands between brackets
            lines.append(f"![{legible.markdown(name)}]({quote(path, safe='/@')})")
        lines += [markdown_table(table, topic.heading) for table in topic.printed]
    return "\n\n".join(lines) + "\n"


def markdown_table(table: Table, heading: str = "") -> str:
    """The caption, unless it equals the heading above, then the table and its notes."""
    cells = [[legible.markdown(cell) for cell in row] for row in table.cells]
    header = [legible.markdown(name) for name in table.header]
    grid = tabulate.tabulate(cells, header, tablefmt="github", disable_numparse=True, colalign=sides(table))
    notes = "  \n".join(map(legible.markdown, table.below(paper=True)))
    caption = table.caption if table.caption != heading else ""
    return "\n\n".join(filter(None, [legible.markdown(caption), grid, notes]))


def sides(table: Table) -> list[str]:
    """To which side each column is aligned."""
    return ["left" if column.left else "right" for column in table.columns]


def latex(title: str, table: Table, label: str) -> str:
    """The table in the style of booktabs, no wider than the text; after a page of rows another table continues it.

    The caption is the title, the table's caption and its notes. It needs \\usepackage{booktabs,graphicx}, and T1 fonts
    for letters such as ę.
    """
    cells = [[legible.latex(cell) for cell in row] for row in [table.header, *table.cells]]
    form = tabulate.simple_separated_format(" & ")
    lines = tabulate.tabulate(cells, tablefmt=form, disable_numparse=True, colalign=sides(table)).splitlines()
    head, *rows = [f"{line} \\\\" for line in lines]
    letters = "".join(side[0] for side in sides(table))
    caption = " ".join(filter(None, [f"{title}.", table.caption, *table.below(paper=True)]))
    pages = [floating(caption, label, letters, head, rows[:ROWS])]
    for number, start in enumerate(range(ROWS, len(rows), ROWS), 2):
        more = floating(f"{title}, continued.", f"{label}-{number}", letters, head, rows[start : start + ROWS])
        pages.append("\\clearpage\n" + more)
    return "\n".join(pages)


def floating(caption: str, label: str, sides: str, head: str, rows: list[str]) -> str:
    """A floating table from lines of LaTeX, scaled down if it is wider than the text."""
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
