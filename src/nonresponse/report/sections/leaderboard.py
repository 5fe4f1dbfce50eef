"""The leaderboard: scores of each run with intervals, ranks, counts and marks, also by category."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import polars as pl

from nonresponse import boards, legible, measures, tables, tasks
from nonresponse.ingest import imports
from nonresponse.measures import Measure
from nonresponse.report import document, findings, model, question_sets, sentences
from nonresponse.report.campaign import Campaign
from nonresponse.report.findings import LEVEL, Comparison, Finding
from nonresponse.report.glossary import describe_column
from nonresponse.report.model import SCORE, Column, Section, Table
from nonresponse.report.sections import cost
from nonresponse.report.undefined_measures import describe_undefined
from nonresponse.scoring import guessing, leaderboard
from nonresponse.statistics import unpaired
from nonresponse.statistics.analyses import read_tables
from nonresponse.wording import NOTHING, format_level

SHOWN_IF_ANY = ("n_partial", "n_unscored", "n_error", "n_missing", "n_not_asked", "n_by_rule")
UNJUDGED = ("n", "n_unscored", "n_u", "n_error")
BAR = ("n correct", "n unanswered", "n wrong")
SHOWN_SCORES = 4  # measures beside the first that the page shows at once where it has no shares
RANK_HELP = "rank by score, and the ranks that the run may have"
SHARES = {
    "accuracy": ("accuracy", "correct responses in percent of the questions"),
    "precision_answered": ("correct when answered", "correct answers in percent of the answers"),
    "answered": ("answered", "answers in percent of the questions"),
    "net": (
        "correct − wrong per 100",
        "score per 100 questions where a wrong answer costs what a correct one gains",
    ),
}
QUALITY_COUNTS = ("n_ac", "n_aw", "a", "b")  # of how good answers are


def make(campaign: Campaign, accounts: list[Path]) -> None:
    """Write leaderboard.{csv,parquet,md,tex,json} and categories.csv, from the counts and scores.

    The first of the measures ranks. The settings have `level` and `tested` if runs were compared.
    """
    settings = campaign.settings
    columns = [measures.get(campaign.task, id) for id in campaign.measures]
    board, intervals = score_runs(campaign, columns)
    if not settings.get("judged", True):  # scores then only count responses, and have no bounds
        bounds = pl.selectors.ends_with(*boards.name_columns("", boards.BOUNDS))
        unknown = [name for name in QUALITY_COUNTS if name in board]
        nulls = [pl.lit(None, pl.Float64).alias(name) for name in unknown]
        board = board.select(~bounds).with_columns(nulls)
    frames = read_folder(campaign, "scores_by_category")
    categories = leaderboard.join_categories(frames, columns, campaign.official)
    if settings.get("source") == "counts":
        parts = list_parts(campaign, board)
        board = unpaired.add_intervals(board, parts, columns, LEVEL)
    name = pl.lit(campaign.name).alias("campaign")
    board, categories = (table.select(name, pl.all()) for table in (board, categories))
    methods = intervals[campaign.measures[0]]["method"].drop_nulls().to_list() if intervals else []
    sections = make_sections(campaign, board, categories, methods, accounts)
    tables.write(board, campaign.folder / "leaderboard.parquet")
    campaign.write_tables("", {"leaderboard": board, "categories": categories})
    model.write_sections(sections, campaign.folder / "leaderboard.json")
    page = document.render_markdown(campaign.title, sections.values())
    tables.write_text(page, campaign.folder / "leaderboard.md")
    latex = render_latex(campaign, sections["leaderboard"])
    tables.write_text(latex, campaign.folder / "leaderboard.tex")


def score_runs(
    campaign: Campaign, columns: list[Measure]
) -> tuple[pl.DataFrame, dict[str, pl.DataFrame]]:
    """Return the leaderboard and the intervals by measure.

    Where questions are multiple choice, the leaderboard has a run that guesses.
    """
    settings, counts = campaign.settings, tables.read_parquet(campaign.folder / "counts.parquet")
    intervals = read_tables(map(campaign.locate_measure, settings.get("tested", [])), "intervals")
    scores, trivial = read_folder(campaign, "scores"), [*tasks.get(campaign.task).trivial]
    if options := settings.get("options"):
        trivial.append(guessing.choose_name(counts["run"]))
        guess = campaign.official, trivial[-1], options
        counts, scores = guessing.add_guess(counts, scores, columns, *guess)
    content = scores, counts, columns, campaign.official, trivial, settings.get("baseline")
    return leaderboard.rank_runs(*content, intervals), intervals


def list_parts(campaign: Campaign, board: pl.DataFrame) -> list[str]:
    """Return the counts that add up to n, of those that a table of counts has."""
    parts = tasks.get(campaign.task).parts
    return [name for name in parts if name in board and board[name].count()]


def read_folder(campaign: Campaign, name: str) -> dict[str, pl.DataFrame]:
    """Return the tables of a folder, by measure."""
    folder = campaign.folder / name
    return {id: tables.read_parquet(folder / f"{id}.parquet") for id in campaign.measures}


def make_sections(
    campaign: Campaign,
    board: pl.DataFrame,
    categories: pl.DataFrame,
    methods: Collection[str],
    accounts: list[Path],
) -> dict[str, Section]:
    """Return the leaderboard with its findings, and scores by category.

    `methods` are those of the intervals, `accounts` files on imported logs.
    """
    settings, task = campaign.settings, tasks.get(campaign.task)
    logs = imports.read_accounts(accounts)
    has_verdicts = settings.get("judged", True) and settings.get("source") != "counts"
    policy = settings.get("policy", {}) if has_verdicts else {}
    headlines = findings.list_findings(
        board,
        task,
        measures.get(campaign.task, campaign.measures[0]),
        read_comparison(campaign, board),
        policy,
        settings.get("official"),
    )
    options = settings.get("missing"), settings.get("compare_on"), task.unit
    runs = imports.summarise_runs(logs)
    notes = imports.describe_logs(logs, runs) + imports.describe_rulers(runs)
    notes += question_sets.describe_question_sets(board, *options)
    headlines += [Finding("note", {"text": text}) for text in notes]
    data = sentences.encode_findings(headlines)
    table = tabulate_scores(board, campaign, methods)
    texts = [finding["text"] for finding in data]
    sections = {"leaderboard": Section("Scores", texts, "", [], [table], data)}
    if lines := cost.list_lines(board, task):
        stretches = cost.find_stretches(lines)
        sections["leaderboard"].figures.append(cost.draw_costs(lines, stretches))
        text = cost.describe_best_runs(stretches)
        sections["cost"] = Section("The cost of a wrong answer", [text])
    if categories["category"].n_unique() > 1:
        table = tabulate_categories(categories, board, campaign)
        heading = "Scores by question category"
        sections["categories"] = Section(heading, [], "questions", tables=[table])
    return sections


def read_comparison(campaign: Campaign, board: pl.DataFrame) -> Comparison:
    """Return what is known of the differences by the first measure."""
    settings, measure = campaign.settings, measures.get(campaign.task, campaign.measures[0])
    folder, pairs, needed = campaign.locate_measure(measure.id), None, None
    tested = measure.id in settings.get("tested", [])
    if tested:
        pairs = tables.read_parquet(folder / "comparisons.parquet")
        if settings.get("threshold"):
            needed = tables.read_parquet(folder / "questions_needed.parquet")
    elif settings.get("source") == "counts":
        parts = list_parts(campaign, board)
        pairs = unpaired.compare_leaders(board, parts, measure, LEVEL)
    return Comparison(pairs, tested, settings.get("level", LEVEL), needed)


def tabulate_scores(board: pl.DataFrame, campaign: Campaign, methods: Collection[str]) -> Table:
    """Return a row per run, for the page, Markdown and LaTeX, without columns of nulls.

    On the page scores are in percent, with shares of the questions and a bar.
    """
    settings, task = campaign.settings, tasks.get(campaign.task)
    ids = [id for id in campaign.measures if board[id].count()]
    scores = [make_score_column(measures.get(campaign.task, id), board) for id in ids]
    first, other_scores = measures.get(campaign.task, campaign.measures[0]), scores[1:]
    interval, ends = [], boards.name_columns(first.id, boards.INTERVAL)
    if {*ends} <= {*board.columns} and board[ends[0]].count():
        label = f"{format_level(1 - settings.get('level', LEVEL))} CI"
        interval = [replace(scores[0], kind="interval", label=label, ends=ends, on_page=None)]
    shares, outcomes = [], findings.sum_outcomes(board, task) if board.height else None
    if outcomes is not None:
        board, shares = add_shares(board, outcomes), list_shares(first, task)
        # The page has some of them among the shares
        other_scores = [
            replace(column, only="files" * (column.name in SHARES), shown=False)
            for column in other_scores
        ]
    elif len(other_scores) > SHOWN_SCORES:
        hidden = [replace(column, shown=False) for column in other_scores[SHOWN_SCORES:]]
        other_scores = other_scores[:SHOWN_SCORES] + hidden
    differences = []
    for id in ids:
        if (name := boards.name_column(id, boards.DIFFERENCE)) in board:
            label = f"{id} − {legible.short(settings['baseline'], 20)}"
            differences.append(Column(name, "delta", label, "delta", only="files"))
            is_baseline = pl.col("run") == settings["baseline"]
            board = board.with_columns(pl.when(~is_baseline).then(name).alias(name))
    ranges = [name for name in boards.RANK_RANGE[:2] if name in board]
    rank = [] if first.descriptive else [Column("rank", "rank", about=RANK_HELP, ends=ranges)]
    columns = [*rank, Column("run", "run"), *scores[:1], *interval, *shares]
    columns += other_scores + differences
    columns += list_count_columns(board, task, settings.get("judged", True))
    notes = list_notes(board, columns, campaign, methods if interval else ())
    notes += describe_undefined([id for id in campaign.measures if id not in ids], campaign.task)
    caption = f"The runs by {first.id}, {'highest' if first.higher_is_better else 'lowest'} first."
    bounds = [column.ends for column in scores if column.ends]
    if any((board[worst] != board[best]).any() for worst, best in bounds):
        caption = f"{caption} {describe_brackets(board)}"
    names = {"rank", "tied", "trivial"}
    names |= {name for column in columns for name in (column.name, *column.ends)}
    frame = board.select(name for name in board.columns if name in names)
    return model.tabulate_frame(frame, columns, caption, notes, csv="leaderboard")


def describe_brackets(board: pl.DataFrame) -> str:
    """Say what stands in brackets beside a score."""
    rules = ", with the rules on the text of answers and without them"
    responses = f"unscored and failed responses{rules * has_any('n_by_rule', board)}"
    return f"In brackets: the range of the score over every way to take all {responses}."


def list_shares(first: Measure, task: tasks.Task) -> list[Column]:
    """Return the columns of `add_shares`, which the page alone has."""
    columns = []
    for id, (label, about) in SHARES.items():
        if id != first.id and (id != "net" or task.unanswered_counts):
            better = "neither" if id == "answered" else "higher"
            column = Column(f"{id} %", "number", label, about=about, better=better, only="page")
            columns.append(replace(column, on_page=(id != "net", 1)))
    return [*columns, Column(BAR[0], "bar", "correct · unanswered · wrong", ends=BAR, only="page")]


def add_shares(board: pl.DataFrame, outcomes: pl.DataFrame) -> pl.DataFrame:
    """Return a leaderboard with SHARES and BAR. A share of nothing is null."""
    correct, wrong, rightful, n = map(pl.col, ("correct", "wrong", "rightful", "n"))
    answers = correct - rightful + wrong
    n, answers = (pl.when(total > 0).then(total) for total in (n, answers))  # else null
    shares = {
        "accuracy %": correct / n,
        "precision_answered %": (correct - rightful) / answers,
        "answered %": (correct - rightful + wrong) / n,
        "net %": 100 * (correct - wrong) / n,
    }
    bar = {name: name.removeprefix("n ") for name in BAR}
    return board.with_columns(outcomes.select(**shares, **bar))


def render_latex(campaign: Campaign, section: Section) -> str:
    """Return the leaderboard as LaTeX, without the differences, which follow from the scores."""
    [table] = section.tables
    columns = [column for column in table.columns if column.kind != "delta"]
    table = replace(table, columns=columns, notes=[*section.sentences, *table.notes])
    return document.render_latex(campaign.title, table, campaign.name)


def make_score_column(measure: Measure, board: pl.DataFrame) -> Column:
    """Return a measure's column, with its bounds where there are any."""
    bounds = boards.name_columns(measure.id, boards.BOUNDS)
    scale = findings.choose_scale(measure, board)
    return Column(
        measure.id,
        "score",
        digits=SCORE,
        about=measure.description,
        better=measure.direction,
        ends=bounds if {*bounds} <= {*board.columns} else (),
        on_page=(scale["percent"], scale["digits"]),
    )


def list_count_columns(
    board: pl.DataFrame, task: tasks.Task, is_judged: bool = True
) -> list[Column]:
    """Return columns of the task's counts, of n if runs differ in it, and of SHOWN_IF_ANY.

    Counts that are not whole have one decimal, or two. For responses that nobody judged: those
    given, declined and failed.
    """
    counts = task.board_counts if is_judged else UNJUDGED
    names = [name for name in counts if board[name].count()]
    if board["n"].drop_nulls().n_unique() > 1:
        names = ["n", *names]
    names += [name for name in SHOWN_IF_ANY if has_any(name, board)]
    columns = []
    for name in dict.fromkeys(names):
        scaled = [board[name] * 10**digits for digits in (0, 1)]
        digits = sum(((count - count.round()).abs() > 1e-9).any() for count in scaled)
        label, _ = describe_column(name)
        about = task.counts[name].meaning
        columns.append(Column(name, "number", label, digits or None, about, shown=False))
    return columns


def has_any(name: str, board: pl.DataFrame) -> bool:
    """Return whether a count is above 0 for some run."""
    return name in board and bool((board[name] > 0).any())


def list_notes(
    board: pl.DataFrame, columns: list[Column], campaign: Campaign, methods: Collection[str]
) -> list[str]:
    """Return sentences under the table that explain its signs, intervals and ranks.

    `methods` are those of the intervals, none where runs were not compared by question.
    """
    settings, id, notes = campaign.settings, campaign.measures[0], []
    if board["tied"].any():
        notes.append("= equal scores.")
    if board["trivial"].any():
        notes.append(f"{model.TRIVIAL} a trivial run, not ranked.")
    shown = [column.name for column in columns if column.kind not in ("rank", "delta")]
    if any(board[name].null_count() for name in shown):
        notes.append(f"{NOTHING} undefined.")
    if methods:
        level = settings["level"]
        names = " or ".join(f"the {name} interval" for name in sorted({*methods}))
        notes.append(f"{format_level(1 - level)} CI: {names} of {id}.")
        tested = board.drop_nulls("may_be_best") if "may_be_best" in board else board.head(0)
        if tested.height > 1:
            notes.append(
                f"Behind a rank: the ranks that the run may have by {id}, from a test of all"
                f" pairs (step-down max-T sign flips at {level:g})."
            )
            if tested["may_be_best"].sum() > 1 and not tested["tied"][0]:
                notes.append(
                    f"The first of {tested.height:,} runs is likely to be lucky: its interval holds"
                    f" its true score less often than {format_level(1 - level)}."
                )
    if settings.get("official"):
        notes.append(f"Judgments: {legible.short(settings['official'])}, the official ones.")
    return notes


def tabulate_categories(categories: pl.DataFrame, board: pl.DataFrame, campaign: Campaign) -> Table:
    """Return a row per run, as in the leaderboard, and a column per category: c0, c1, …"""
    first = measures.get(campaign.task, campaign.measures[0])
    labels = categories["category"].unique().sort().to_list()
    names = {label: f"c{index}" for index, label in enumerate(labels)}
    coded = categories.with_columns(pl.col("category").replace_strict(names))
    wide = coded.pivot("category", index="run", values=first.id)
    wide = board.select("run").join(wide, on="run", maintain_order="left")
    score = replace(make_score_column(first, board), kind="number", ends=(), about="")
    columns = [Column("run", "run")]
    for label, name in names.items():
        columns.append(replace(score, name=name, label=legible.short(label, 40)))
    caption = f"{first.id} by question category; categories.csv has all measures."
    return model.tabulate_frame(wide, columns, caption)
