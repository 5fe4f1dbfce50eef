"""Tables for people: Markdown, LaTeX and HTML from a leaderboard."""

import polars as pl
from tabulate import simple_separated_format, tabulate

from nonresponse import legible, tasks
from nonresponse.reliability import letters

SHOWN_IF_ANY = ["n_unscored", "n_error", "n_missing"]
TEXTS = ["run", "category", "measure", "scale", "assessors", "statistic", "pattern", "groups"]  # aligned to the left
NOTHING = "–"


def number(value: float | None, digits: int) -> str:
    if value is None:
        return NOTHING
    return f"{value:.{digits}f}"


def count_cells(column: pl.Series) -> list[str]:
    """Counts as they were given, with the same decimals all down: 237, or 35.8 and 4.0 in a table of percentages."""
    texts = [f"{value:.10g}" for value in column.drop_nulls()]
    digits = max((len(text.partition(".")[2]) for text in texts), default=0)
    return [number(value, digits) for value in column]


def rows(
    table: pl.DataFrame, measures: list[str], task: str, digits: int, level: float | None = None
) -> tuple[list[str], list[list[str]], list[str]]:
    """Header, cells as text, and the marks of each row (t = trivial, b = behind the run that rejects everything).

    With a level, the first measure is followed by its interval and by the groups.
    """
    # Intervals and groups are those of the first measure; where it is undefined for all runs there are none.
    compared = level is not None and table[measures[0]].is_not_null().any()
    measures = [id for id in measures if table[id].is_not_null().any()]
    shown = [name for name in tasks.get(task).shown if table[name].is_not_null().any()]
    shown += [name for name in SHOWN_IF_ANY if name in table.columns and (table[name].fill_null(0) > 0).any()]
    differences = [id for id in measures if f"{id} difference" in table.columns]
    trust = [confidence(level), "groups"] if compared else []
    header = ["rank", "run", *measures[:1], *trust, *measures[1:], *[f"Δ {id}" for id in differences], *shown]
    counts = zip(*[count_cells(table[name]) for name in shown], strict=True)
    body, marks = [], []
    for row, own_counts in zip(table.iter_rows(named=True), counts, strict=True):
        rank = NOTHING if row["rank"] is None else f"{row['rank']}{'=' if row['tied'] else ''}"
        scores = [score(row, id, digits) for id in measures]
        sure = [interval(row, measures[0], digits), letters.short(row["groups"]) or NOTHING] if trust else []
        cells = [rank, legible.short(row["run"]), *scores[:1], *sure, *scores[1:]]
        cells += [signed(row[f"{id} difference"], digits) for id in differences]
        body.append([*cells, *own_counts])
        marks.append(("t" if row["trivial"] else "") + ("b" if row["behind_reject_all"] else ""))
    return header, body, marks


def score(row: dict, id: str, digits: int) -> str:
    """The score, and in brackets what it could be, were the unscored responses taken otherwise."""
    text = number(row[id], digits)
    worst, best = row.get(f"{id} worst"), row.get(f"{id} best")
    if worst is None or best is None or number(worst, digits) == number(best, digits):
        return text
    return f"{text} [{number(min(worst, best), digits)}, {number(max(worst, best), digits)}]"


def confidence(level: float) -> str:
    return f"{100 * (1 - level):g} %"


def interval(row: dict, id: str, digits: int) -> str:
    ends = [row[f"{id} {end}"] for end in ("lower", "upper")]
    return NOTHING if None in ends else "–".join(number(end, digits) for end in ends)


INTERVALS = {"Dirichlet": "Dirichlet interval", "bootstrap": "bootstrap interval"}


def interval_notes(first: str, level: float, methods: list[str]) -> list[str]:
    """What the interval and the groups of the first measure are; methods are those of the runs' intervals."""
    named = " or ".join(f"the {INTERVALS[name]}" for name in sorted({name.split(",")[0] for name in methods}))
    notes = [f"{confidence(level)}: {named or 'no interval'} of {first}."]
    if any("alike" in name for name in methods):
        notes.append("An interval without a width: all bootstrap samples had the same score.")
    return [
        *notes,
        f"Groups: runs that share a letter (a–d: a, b, c or d) cannot be told apart by {first}"
        f" (step-down max-t sign flips at {level:g}).",
    ]


def signed(value: float | None, digits: int) -> str:
    return NOTHING if value is None else f"{value:+.{digits}f}"


def heading(name: str, title: str | None, simulated: bool) -> str:
    """What a page is called: its campaign's title, or name."""
    said = legible.short(title or "", legible.LONGEST_TITLE)
    return (said or name) + (" (simulated data)" if simulated and "simulated" not in said else "")


def notes(table: pl.DataFrame, body: list[list[str]], first: str, higher: bool, baseline: str | None) -> list[str]:
    """Sentences under the table that say what a reader cannot guess."""
    ties = "; = marks equal scores" if table["tied"].any() else ""
    lines = [f"Sorted by {first}, {'highest' if higher else 'lowest'} first{ties}."]
    if any(name.endswith(" worst") for name in table.columns):
        lines.append("In brackets: the range of the score over every way to take unscored and failed responses.")
    if baseline:
        lines.append(f"Δ: difference to {legible.short(baseline)}.")
    if table["trivial"].any():
        lines.append("† a trivial run, not ranked.")
    if table["behind_reject_all"].fill_null(False).any():
        lines.append("‡ behind the run that rejects everything.")
    if any(NOTHING in row[2:] for row in body):
        lines.append(f"{NOTHING} undefined.")
    return lines


def marked(body: list[list[str]], marks: list[str]) -> list[list[str]]:
    """The run's name with its marks."""
    symbols = {"": "", "t": " †", "b": " ‡", "tb": " † ‡"}
    return [[row[0], row[1] + symbols[mark], *row[2:]] for row, mark in zip(body, marks, strict=True)]


def aligned(header: list[str]) -> list[str]:
    return ["left" if name in TEXTS else "right" for name in header]


def markdown_table(header: list[str], body: list[list[str]]) -> str:
    cells = [[legible.markdown(cell) for cell in row] for row in body]
    return tabulate(cells, header, tablefmt="github", disable_numparse=True, colalign=aligned(header))


def html_table(header: list[str], body: list[list[str]]) -> str:
    cells = [[legible.visible(cell) for cell in row] for row in body]  # tabulate escapes them
    return tabulate(cells, header, tablefmt="html", disable_numparse=True, colalign=aligned(header))


def latex_table(header: list[str], body: list[list[str]], caption: str, label: str) -> str:
    """A floating table in the style of booktabs; needs \\usepackage{booktabs}, and T1 fonts for letters like ę."""
    cells = [[legible.latex(cell) for cell in row] for row in [header, *body]]
    sides = aligned(header)
    form = simple_separated_format(" & ")
    first, *others = tabulate(cells, tablefmt=form, disable_numparse=True, colalign=sides).splitlines()
    rows = [f"{line} \\\\" for line in others]
    return "\n".join(
        [
            "\\begin{table}",
            "\\centering",
            f"\\caption{{{legible.latex(caption)}}}",
            f"\\label{{tab:{label}}}",
            f"\\begin{{tabular}}{{{''.join(side[0] for side in sides)}}}",
            "\\toprule",
            f"{first} \\\\",
            "\\midrule",
            *rows,
            "\\bottomrule",
            "\\end{tabular}",
            "\\end{table}",
            "",
        ]
    )


def markdown_page(title: str, parts: list[tuple[str, list[str], list[list[str]], list[str]]]) -> str:
    """Per part a heading, a table, and notes."""
    lines = [f"# {legible.markdown(title)}"]
    for heading, header, cells, notes in parts:
        lines += [f"## {legible.markdown(heading)}", markdown_table(header, cells)]
        lines += ["  \n".join(map(legible.markdown, notes))] if notes else []
    return "\n\n".join(lines) + "\n"


STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; color: #1a1a1a; }
h1, h2, p { overflow-wrap: anywhere; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25em 0.75em; white-space: nowrap; }
th:not([style]) { text-align: left; }
thead { border-top: 2px solid; border-bottom: 1px solid; }
tbody { border-bottom: 2px solid; }
tbody tr:nth-child(even) { background: #f4f4f4; }
"""


def html_page(title: str, parts: list[tuple[str, list[str], list[list[str]], list[str]]]) -> str:
    """A page of its own: per part a heading, a table, and notes."""
    body = [f"<h1>{legible.html(title)}</h1>"]
    for heading, header, cells, notes in parts:
        body += [f"<h2>{legible.html(heading)}</h2>", html_table(header, cells)]
        body += [f"<p>{'<br>'.join(map(legible.html, notes))}</p>"]
    return html_document(title, body)


def html_document(title: str, body: list[str]) -> str:
    head = f'<meta charset="utf-8"><title>{legible.html(title)}</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(body) + "\n</body></html>\n"
