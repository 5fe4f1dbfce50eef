"""A leaderboard on paper: LaTeX that fits an article's page, however many columns and runs there are.

What is too wide for a page goes on in another table with the same runs; more rows than a page has make a longtable. How
wide a text will be is reckoned from the letters of Computer Modern, which the narrower of other fonts do not exceed.
"""

from dataclasses import replace

from tabulate import simple_separated_format, tabulate

from nonresponse import legible
from nonresponse.pages.document import Table

PAGE = 385.0  # points across an article at 12pt, 390, and a little less
BETWEEN = 6.0  # between two columns: twice \tabcolsep
ROWS = 40  # of a table that floats
NAME = 150.0  # of a run's name; a longer one loses its middle
# Of letters at \footnotesize of 12pt, which is 10pt; of all that are not named, the widest.
WIDTHS = dict.fromkeys("abcdefghijklnopqrstuvxyz0123456789.,:;-–'()[]/*!|`ı", 5.6) | {"m": 8.4, "w": 7.3, " ": 4.0}
WIDEST = 10.3


def latex(title: str, table: Table, label: str) -> str:
    """The table in the style of booktabs, in as many tables as it takes; its first two columns, rank and run, in each.

    The caption is the title, the table's caption and its notes. It needs \\usepackage{booktabs}, where there are more
    than 40 runs \\usepackage{longtable}, and T1 fonts for letters such as ę.
    """
    named = [[row[0], fitting(row[1]), *row[2:]] for row in table.cells]
    whole = replace(table, cells=named)
    caption = " ".join(filter(None, [f"{title}.", table.caption, *(table.notes or [])]))
    texts = []
    for number, columns in enumerate(panels(whole)):
        cells = [[row[column] for column in columns] for row in named]
        panel = replace(whole, header=[whole.header[column] for column in columns], cells=cells)
        said = caption if number == 0 else f"{title}, continued."
        texts.append(one(panel, said, label if number == 0 else f"{label}-{number + 1}"))
    return "\n".join(texts)


def fitting(name: str) -> str:
    """A run's name, its middle left out until it is narrow enough."""
    longest = len(name)
    while width(legible.short(name, longest)) > NAME:
        longest -= 1
    return legible.short(name, longest)


def width(text: str) -> float:
    """Of a text in points, at most."""
    return sum(WIDTHS.get(letter, WIDEST) for letter in typeset(text))


def typeset(text: str) -> str:
    """What is printed: of a letter that pdflatex does not know, its code point."""
    known = legible.LATEX_KNOWS.match
    visible = legible.visible(text)
    return "".join(c if known(c) or c in legible.LATEX else legible.code_point(c) for c in visible)


def panels(table: Table) -> list[list[int]]:
    """The columns of each table, by number: the first two, and as many others as fit beside them."""
    wide = [
        max(width(text) for text in [head, *column]) + BETWEEN
        for head, *column in zip(table.header, *table.cells, strict=True)
    ]
    found: list[list[int]] = [[0, 1]]
    for column in range(2, len(wide)):
        if sum(wide[one] for one in [*found[-1], column]) > PAGE and len(found[-1]) > 2:
            found.append([0, 1])
        found[-1].append(column)
    return found


def one(table: Table, caption: str, label: str) -> str:
    """A table that floats, or that goes on over pages."""
    cells = [[legible.latex(cell) for cell in row] for row in [table.header, *table.cells]]
    form = simple_separated_format(" & ")
    lines = tabulate(cells, tablefmt=form, disable_numparse=True, colalign=table.sides).splitlines()
    first, *others = [f"{line} \\\\" for line in lines]
    head = ["\\toprule", first, "\\midrule"]
    sides = "".join(side[0] for side in table.sides)
    said, small = (
        f"\\caption{{{legible.latex(caption)}}}\\label{{tab:{label}}}",
        "\\footnotesize\\setlength{\\tabcolsep}{3pt}",
    )
    if len(others) > ROWS:
        first_head, next_heads = (
            [f"{said} \\\\", *head, "\\endfirsthead"],
            [*head, "\\endhead", "\\bottomrule", "\\endfoot"],
        )
        body = [
            f"{{{small}",
            f"\\begin{{longtable}}{{{sides}}}",
            *first_head,
            *next_heads,
            *others,
            "\\end{longtable}}",
        ]
    else:
        body = ["\\begin{table}", "\\centering", said, small, f"\\begin{{tabular}}{{{sides}}}"]
        body += [*head, *others, "\\bottomrule", "\\end{tabular}", "\\end{table}"]
    return "\n".join([*body, ""])
