"""The leaderboard of a campaign as people read it: CSV, Parquet, Markdown and LaTeX, and its scores by category."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from nonresponse import legible, measures, tables, tasks
from nonresponse.pages import asked, beside_source, document
from nonresponse.pages.document import Section, Table
from nonresponse.pages.shown_measures import shown as measures_shown
from nonresponse.reliability import letters
from nonresponse.scoring import guessing, leaderboard
from nonresponse.wording import NOTHING, at, number, signed

TRIVIAL = ("accept_all", "reject_all")
PARTLY = ("n_aw_partial", "n_x_partial")  # by what the policy makes of them: wrong, excluded
NUMBER = r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?$"  # an attribute that is one; 007 is text
SHOWN_IF_ANY = ["n_partial", "n_unscored", "n_error", "n_missing", "n_not_asked", "n_by_rule"]


def write(campaign: str, task: str, ids: list[str], folder: Path, options: dict, digits: int) -> None:
    """leaderboard.{csv,parquet,md,tex} and categories.csv in the folder, from the counts and scores there.

    `ids` are those of the measures, the first one sorts. `options` may hold title, simulated, official (the assessor
    whose judgments count), baseline, accept_all, reject_all (runs), options (of multiple choice: how many, or that
    questions.parquet says so), missing and compare_on, level, if the runs were compared at it, and tested, the
    measures by which they were, measures_named, whether the campaign named its measures, attributes, pairs of a name
    and the values by run, and published, the folder of the sources' tables, where one of these is of the campaign.
    """
    chosen = [measures.get(task, id) for id in ids]
    counts = pl.read_parquet(folder / "counts.parquet")
    official = tables.official(options.get("official"), counts)
    intervals = of_measures(folder / "reliability/intervals", options.get("tested", []))
    scores, trivial = of_measures(folder / "scores", ids), [options[key] for key in TRIVIAL if options.get(key)]
    share = guessing.chance(options["options"], folder / "questions.parquet") if "options" in options else None
    if share is not None:
        trivial.append(guessing.name(counts["run"]))
        counts, scores = guessing.added(counts, scores, chosen, official, trivial[-1], share)
    board = leaderboard.leaderboard(
        scores,
        counts,
        chosen,
        official,
        trivial,
        options.get("reject_all"),
        options.get("baseline"),
        intervals,
    )
    split = leaderboard.by_category(of_measures(folder / "scores_by_category", ids), chosen, official)
    first = [pl.lit(campaign).alias("campaign"), pl.lit(options.get("simulated", False)).alias("simulated")]
    board, split = board.select(*first, pl.all()), split.select(*first, pl.all())
    known = dict(options.get("attributes", []))
    board = with_attributes(board, known)
    of_source, remarks = [], {}
    if published := options.get("published"):
        of_source = beside_source.cells(campaign, board, Path(published))
        remarks = beside_source.remarks(of_source, board, options.get("reject_all"))
        remark = pl.col("run").replace_strict(remarks, default=None, return_dtype=pl.String)
        board = board.with_columns(remark.alias(beside_source.COLUMN))

    named = options.get("measures_named", True)
    columns, left_out = measures_shown(board, ids, task, digits=digits, named=named)
    level = options.get("level") if ids[0] in columns else None
    shown = table(board, columns, task, digits, level, list(known))
    below = notes(board, shown, ids[0], chosen[0].higher_is_better, options)
    below += beside_source.notes(of_source, remarks)
    if "groups" in shown.header:
        below += interval_notes(ids[0], options["level"], intervals[ids[0]]["method"].drop_nulls().to_list())
    if counts["assessor"].n_unique() > 1:
        below.append(f"Judgments: {legible.short(official)}, the official ones.")
    below += [left_out] if left_out else []
    shown = replace(shown, notes=below)
    said = asked.sentences(board, options.get("missing"), options.get("compare_on"))
    sections = [Section("Scores", said, tables=[shown])]
    if split.height:
        sections.append(
            Section("Scores by question category", tables=[category_table(split, ids, task, digits, named)])
        )

    tables.write(board, folder / "leaderboard.parquet")
    tables.write_text(board.write_csv(), folder / "leaderboard.csv")
    tables.write_text(split.write_csv(), folder / "categories.csv")
    title = document.heading(campaign, options.get("title"), options.get("simulated", False))
    tables.write_text(document.markdown(title, sections), folder / "leaderboard.md")
    tables.write_text(
        document.latex(title, for_paper(board, replace(shown, notes=said + below)), campaign),
        folder / "leaderboard.tex",
    )


def for_paper(board: pl.DataFrame, shown: Table) -> Table:
    """Without the differences to a baseline, which follow from the scores."""
    differences = {f"Δ {name.removesuffix(' difference')}" for name in board.columns if name.endswith(" difference")}
    kept = [place for place, name in enumerate(shown.header) if name not in differences]
    return replace(
        shown,
        header=[shown.header[place] for place in kept],
        cells=[[row[place] for place in kept] for row in shown.cells],
        notes=[note for note in shown.notes or [] if not note.startswith("Δ: ")],
    )


def of_measures(folder: Path, ids: list[str]) -> dict[str, pl.DataFrame]:
    """The tables of a folder that has one for each measure, by its id."""
    return {id: pl.read_parquet(folder / f"{id}.parquet") for id in ids}


def with_attributes(board: pl.DataFrame, attributes: dict[str, dict[str, str]]) -> pl.DataFrame:
    """The leaderboard with a column for each attribute, null where a run has none; text, unless all are numbers."""
    for name, values in attributes.items():
        column = board["run"].replace_strict(values, default=None, return_dtype=pl.String)
        if (column.drop_nulls().str.contains(NUMBER) & (column.drop_nulls().str.len_chars() <= 10)).all():
            column = column.cast(pl.Float64 if column.str.contains(".", literal=True).any() else pl.Int64)
        board = board.with_columns(column.alias(name))
    return board


def table(
    board: pl.DataFrame,
    ids: list[str],
    task: str,
    digits: int,
    level: float | None = None,
    attributes: Sequence[str] = (),
) -> Table:
    """A row per run of the leaderboard, in its order: rank, run, its attributes, scores, differences and counts.

    Measures and counts that are null in all rows are left out. With a level, the first measure is followed by its
    interval and by the groups.
    """
    # Intervals and groups are those of the first measure; where it is undefined for all runs there are none.
    comparison = []
    if level is not None and board[ids[0]].is_not_null().any():
        comparison = [at(1 - level), "groups"]
    ids = [id for id in ids if board[id].is_not_null().any()]
    counted = counts_shown(board, task)
    differences = [id for id in ids if f"{id} difference" in board.columns]
    of_runs = [legible.short(name, 40) for name in attributes]
    header = ["rank", "run", *of_runs, *ids[:1], *comparison, *ids[1:], *[f"Δ {id}" for id in differences], *counted]
    counts = zip(*[count_cells(board[name]) for name in counted], strict=True)
    cells = []
    for row, counts_of_run in zip(board.iter_rows(named=True), counts, strict=True):
        rank = NOTHING if row["rank"] is None else f"{row['rank']}{'=' if row['tied'] else ''}"
        scores = [score(row, id, digits) for id in ids]
        compared_cells = []
        if comparison:
            compared_cells = [interval(row, ids[0], digits), letters.short(row["groups"] or "") or NOTHING]
        deltas = [signed(row[f"{id} difference"], digits) for id in differences]
        own = [NOTHING if row[name] is None else legible.short(str(row[name])) for name in attributes]
        cells.append([rank, marked(row), *own, *scores[:1], *compared_cells, *scores[1:], *deltas, *counts_of_run])
    texts = [name for name, of in zip(of_runs, attributes, strict=True) if board[of].dtype == pl.String]
    return Table(header, cells, words=[*document.WORDS, *texts])


def counts_shown(board: pl.DataFrame, task: str) -> list[str]:
    """The counts that people see: those of the task, n where runs differ in it, and what else there is any of."""
    shown = [name for name in tasks.get(task).shown if board[name].is_not_null().any()]
    if board["n"].drop_nulls().n_unique() > 1 and "n" not in shown:
        shown = ["n", *shown]
    return shown + [name for name in SHOWN_IF_ANY if name in board.columns and (board[name].fill_null(0) > 0).any()]


def marked(row: dict) -> str:
    """The run's name with its marks."""
    return legible.short(row["run"]) + beside_source.marks(row)


def count_cells(column: pl.Series) -> list[str]:
    """Counts as they were given, with the same decimals all down: 237, or 35.8 and 4.0 in a table of percentages.

    Means over the epochs of a question may have no end: two decimals.
    """
    texts = [f"{value:.10g}" for value in column.drop_nulls()]
    digits = max((len(text.partition(".")[2]) for text in texts), default=0)
    return [number(value, digits if digits < 5 else 2) for value in column]


def score(row: dict, id: str, digits: int) -> str:
    """The score, and in brackets what it could be, were the unscored responses taken otherwise."""
    text = number(row[id], digits)
    worst, best = row.get(f"{id} worst"), row.get(f"{id} best")
    if worst is None or best is None or number(worst, digits) == number(best, digits):
        return text
    return f"{text} [{number(min(worst, best), digits)}, {number(max(worst, best), digits)}]"


def interval(row: dict, id: str, digits: int) -> str:
    """The ends of the interval of a score."""
    ends = [row[f"{id} {end}"] for end in ("lower", "upper")]
    return NOTHING if None in ends else "–".join(number(end, digits) for end in ends)


def notes(board: pl.DataFrame, shown: Table, first: str, higher_is_better: bool, options: dict) -> list[str]:
    """Sentences under the table that say what a reader cannot guess; `first` sorts, `options` are those of `write`."""
    ties = "; = marks equal scores" if board["tied"].any() else ""
    lines = [f"Sorted by {first}, {'highest' if higher_is_better else 'lowest'} first{ties}."]
    if any(name.endswith(" worst") for name in board.columns):
        lines.append(range_note(board))
    if options.get("baseline"):
        lines.append(f"Δ: difference to {legible.short(options['baseline'])}.")
    if board["trivial"].any():
        lines.append("† a trivial run, not ranked.")
    if board["behind_reject_all"].fill_null(False).any():
        lines.append("‡ behind the run that rejects everything.")
    if said := partial_note(board):
        lines.append(said)
    if any(NOTHING in row[2:] for row in shown.cells):
        lines.append(f"{NOTHING} undefined{', or not given' * bool(options.get('attributes'))}.")
    return lines


def partial_note(board: pl.DataFrame) -> str:
    """What partly right answers count as, by the counts; "" where there are none."""
    own = board.filter(pl.col("n_partial") > 0) if "n_partial" in board.columns else board.clear()
    if own.is_empty():
        return ""
    wrong, out = (own[name].sum() if own[name].is_not_null().all() else None for name in PARTLY)
    if wrong is None or out is None:
        return "n_partial: partly right answers."
    taken = "which count as wrong" if wrong else "whose questions are excluded" if out else "which count as unanswered"
    return f"n_partial: partly right answers, {taken}."


def range_note(board: pl.DataFrame) -> str:
    """What the range of a score is over."""
    every = "In brackets: the range of the score over every way to take all unscored and all failed responses"
    ruled = "n_by_rule" in board.columns and (board["n_by_rule"].fill_null(0) > 0).any()
    return f"{every}, with the rules on the text of answers and without them." if ruled else f"{every}."


def interval_notes(first: str, level: float, methods: list[str]) -> list[str]:
    """What the interval and the groups of the first measure are; methods are those of the runs' intervals."""
    named = " or ".join(f"the {name} interval" for name in sorted({name.split(",")[0] for name in methods}))
    lines = [f"{at(1 - level)}: {named or 'no interval'} of {first}."]
    if any("alike" in name for name in methods):
        lines.append("An interval without a width: all bootstrap samples, or all clusters, had the same score.")
    groups = f"Groups: runs that share a letter (a–d: a, b, c or d) cannot be told apart by {first}"
    return [*lines, f"{groups} (step-down max-t sign flips at {level:g})."]


def category_table(split: pl.DataFrame, ids: list[str], task: str, digits: int, named: bool) -> Table:
    """The scores of each category and run, a column per measure; `named` is whether the campaign names them."""
    ids, left_out = measures_shown(split, ids, task, "runs and categories", digits, named)
    rows = split.sort("category", "run").select("category", "run", *ids).iter_rows()
    cells = [
        [legible.short(category), legible.short(run), *[number(score, digits) for score in scores]]
        for category, run, *scores in rows
    ]
    return Table(["category", "run", *ids], cells, notes=[left_out] if left_out else [])
