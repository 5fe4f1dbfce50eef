"""The leaderboard: the scores of each run, with intervals, ranks, counts and marks, and by question
category."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from nonresponse import boards, legible, measures, tables, tasks
from nonresponse.atomic import write_text
from nonresponse.ingest import imports
from nonresponse.measures import Measure
from nonresponse.report import document, findings, model, question_sets, sentences
from nonresponse.report.campaign import Campaign
from nonresponse.report.findings import LEVEL, Comparison, Finding
from nonresponse.report.glossary import describe_column
from nonresponse.report.measure_columns import choose_measures as measures_shown
from nonresponse.report.model import SCORE, Column, Section, Table
from nonresponse.scoring import guessing, leaderboard
from nonresponse.statistics import unpaired
from nonresponse.statistics.analyses import read_tables
from nonresponse.wording import NOTHING, at, counted_as

NUMBER = r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?$"  # an attribute that is a number; 007 is text
SHOWN_IF_ANY = ("n_partial", "n_unscored", "n_error", "n_missing", "n_not_asked", "n_by_rule")
UNJUDGED = ("n", "n_unscored", "n_u", "n_error")
BAR = ("n correct", "n unanswered", "n wrong")
OTHERS = 4  # measures beside the first that the page shows at once where it has no shares
OF_RANK = "rank by score, and the ranks that the run may have"
SHARES = {
    "accuracy": ("accuracy", "correct responses in percent of the questions"),
    "precision_answered": ("correct when answered", "correct answers in percent of the answers"),
    "answered": ("answered", "answers in percent of the questions"),
    "net": (
        "correct − wrong per 100",
        "score per 100 questions where a wrong answer costs what a correct one gains",
    ),
}
OF_WORTH = ("n_ac", "n_aw", "a", "b")  # counts of how good answers are


def make(campaign: Campaign, accounts: list[Path]) -> None:
    """Write leaderboard.{csv,parquet,md,tex,json} and categories.csv, from the counts and scores.

    Settings: the first of the measures ranks; attributes are pairs of a name and the values by run;
    level and tested are present if runs were compared.
    """
    settings, task = campaign.settings, campaign.task
    chosen = [measures.get(task, id) for id in campaign.measures]
    board, intervals = score_runs(campaign, chosen)
    if not settings.get("judged", True):  # scores then only count responses, and have no bounds
        unknown = [name for name in OF_WORTH if name in board.columns]
        bounds = pl.selectors.ends_with(*boards.columns("", boards.BOUNDS))
        board = board.select(~bounds).with_columns(
            pl.lit(None, pl.Float64).alias(it) for it in unknown
        )
    by_category = read_folder(campaign, "scores_by_category")
    split = leaderboard.by_category(by_category, chosen, campaign.official)
    if settings.get("source") == "counts":
        parts = list_parts(campaign, board)
        board = unpaired.add_intervals(board, parts, chosen, LEVEL, settings["seed"])
    simulated = settings.get("simulated", False)
    named = pl.lit(campaign.name).alias("campaign"), pl.lit(simulated).alias("simulated")
    board, split = (table.select(*named, pl.all()) for table in (board, split))
    for name, values in settings.get("attributes", []):
        column = board["run"].replace_strict(dict(values), default=None, return_dtype=pl.String)
        board = board.with_columns(cast_numbers(column).alias(name))
    methods = intervals[chosen[0].id]["method"].drop_nulls().to_list() if intervals else []
    made = make_sections(campaign, board, split, methods, accounts)
    tables.write(board, campaign.folder / "leaderboard.parquet")
    campaign.write_tables("", {"leaderboard": board, "categories": split})
    model.write_sections(made, campaign.folder / "leaderboard.json")
    write_text(
        document.render_markdown(campaign.title, made.values()), campaign.folder / "leaderboard.md"
    )
    write_text(render_latex(campaign, made["leaderboard"]), campaign.folder / "leaderboard.tex")


def cast_numbers(column: pl.Series) -> pl.Series:
    """Return an attribute as numbers if all of its values are short numbers; else as text."""
    known = column.drop_nulls()
    if not (known.str.contains(NUMBER) & (known.str.len_chars() <= 10)).all():
        return column
    return column.cast(pl.Float64 if known.str.contains(".", literal=True).any() else pl.Int64)


def score_runs(
    campaign: Campaign, chosen: list[Measure]
) -> tuple[pl.DataFrame, dict[str, pl.DataFrame]]:
    """Return the campaign's leaderboard, with a run that guesses in multiple choice, and the
    intervals by measure."""
    settings, counts = campaign.settings, pl.read_parquet(campaign.folder / "counts.parquet")
    intervals = read_tables(map(campaign.locate_measure, settings.get("tested", [])), "intervals")
    scores, trivial = read_folder(campaign, "scores"), [*tasks.get(campaign.task).trivial]
    questions, options = campaign.folder / "questions.parquet", settings.get("options")
    if options is not None and (share := guessing.chance(options, questions)) is not None:
        trivial.append(guessing.name(counts["run"]))
        guess = campaign.official, trivial[-1], share
        counts, scores = guessing.added(counts, scores, chosen, *guess)
    given = scores, counts, chosen, campaign.official, trivial, settings.get("baseline")
    return leaderboard.leaderboard(*given, intervals), intervals


def list_parts(campaign: Campaign, board: pl.DataFrame) -> list[str]:
    """Return the counts that add up to n, of those that a table of counts has."""
    parts = tasks.get(campaign.task).parts
    return [name for name in parts if name in board.columns and board[name].count()]


def read_folder(campaign: Campaign, folder: str) -> dict[str, pl.DataFrame]:
    """Return the tables of a folder, by measure."""
    return {
        id: pl.read_parquet(campaign.folder / folder / f"{id}.parquet") for id in campaign.measures
    }


def make_sections(
    campaign: Campaign,
    board: pl.DataFrame,
    split: pl.DataFrame,
    methods: Collection[str] = (),
    accounts: Sequence[Path] = (),
) -> dict[str, Section]:
    """Return the leaderboard with its findings, and scores by category.

    methods: of the intervals; accounts: files on imported logs.
    """
    settings, task = campaign.settings, tasks.get(campaign.task)
    logs = imports.summarise_runs(imports.read_accounts(accounts))
    judged = settings.get("judged", True) and settings.get("source") != "counts"
    policy = settings.get("policy", {}) if judged else {}
    found = findings.list_findings(
        board,
        task,
        measures.get(campaign.task, campaign.measures[0]),
        read_comparison(campaign, board),
        policy.get("unscored"),
        settings.get("official"),
        policy.get("error"),
    )
    sets = settings.get("missing"), settings.get("compare_on"), task.unit
    notes = [*imports.describe_partial_headlines(logs), *imports.describe_rulers(logs)]
    notes += question_sets.describe_question_sets(board, *sets)
    found += [Finding("note", {"text": text}) for text in notes]
    texts, data = [sentences.render(finding) for finding in found], sentences.encode_findings(found)
    table = tabulate_scores(board, campaign, methods)
    made = {"leaderboard": Section("Scores", texts, tables=[table], findings=data)}
    if split["category"].n_unique() > 1:
        by = [tabulate_categories(split, board, campaign)]
        made["categories"] = Section("Scores by question category", [], "questions", tables=by)
    return made


def read_comparison(campaign: Campaign, board: pl.DataFrame) -> Comparison:
    """Return what is known of the differences by the first measure."""
    settings, first = campaign.settings, measures.get(campaign.task, campaign.measures[0])
    folder, pairs, needed = campaign.locate_measure(first.id), None, None
    tested = first.id in settings.get("tested", [])
    if tested:
        pairs = pl.read_parquet(folder / "comparisons.parquet")
        if settings.get("threshold"):
            needed = pl.read_parquet(folder / "questions_needed.parquet")
    elif settings.get("source") == "counts":
        parts = list_parts(campaign, board)
        pairs = unpaired.compare_leaders(board, parts, first, LEVEL, settings["seed"])
    return Comparison(pairs, tested, settings.get("level", LEVEL), needed)


def tabulate_scores(board: pl.DataFrame, campaign: Campaign, methods: Collection[str]) -> Table:
    """Return a row per run, for the page, Markdown and LaTeX, without columns that are null in all
    rows.

    On the page scores are in percent, with shares of the questions and a bar.
    """
    settings, task = campaign.settings, tasks.get(campaign.task)
    first, level = measures.get(campaign.task, campaign.measures[0]), settings.get("level", LEVEL)
    named, judged = settings.get("measures_named", True), settings.get("judged", True)
    ids, left_out = measures_shown(board, campaign.measures, campaign.task, keep_redundant=named)
    attributes = []
    for index, (name, _) in enumerate(settings.get("attributes", [])):
        kind = "number" if board[name].dtype.is_numeric() else "text"
        attributes.append(Column(f"attribute {index}", kind, legible.short(name, 40), "given"))
        board = board.with_columns(pl.col(name).alias(f"attribute {index}"))
    scores = [make_score_column(measures.get(campaign.task, id), board) for id in ids]
    interval, ends = [], boards.columns(first.id, boards.INTERVAL)
    if {*ends} <= {*board.columns} and board[ends[0]].count():
        label = f"{at(1 - level)} CI"
        interval = [replace(scores[0], kind="interval", label=label, ends=ends, on_page=None)]
    outcomes = findings.sum_outcomes(board, task) if board.height else None
    shares, others = [], scores[1:]
    if outcomes is not None:
        board, shares = add_shares(board, outcomes), list_shares(first, task)
        # The page has some of them among the shares
        others = [replace(it, only="files" * (it.name in SHARES), shown=False) for it in others]
    elif len(others) > OTHERS:
        others = others[:OTHERS] + [replace(it, shown=False) for it in others[OTHERS:]]
    differences = []
    for id in ids:
        if (name := boards.column(id, boards.DIFFERENCE)) in board.columns:
            label = f"{id} − {legible.short(settings['baseline'], 20)}"
            differences.append(Column(name, "delta", label, "delta", only="files"))
    ranges = [name for name in boards.RANK_RANGE[:2] if name in board.columns]
    rank = [] if first.descriptive else [Column("rank", "rank", about=OF_RANK, ends=ranges)]
    columns = [*rank, Column("run", "run"), *attributes, *scores[:1], *interval, *shares, *others]
    columns += [*differences, *list_count_columns(board, task, judged)]
    notes = list_notes(board, columns, campaign, methods if interval else ())
    notes += [left_out] * bool(left_out)
    caption = f"The runs by {first.id}, {'highest' if first.higher_is_better else 'lowest'} first."
    kept = {"rank", "tied", "trivial", "behind_reject_all"}
    kept |= {name for column in columns for name in (column.name, *column.ends)}
    frame = board.select(name for name in board.columns if name in kept)
    return model.tabulate_frame(frame, columns, caption, notes, csv="leaderboard")


def list_shares(first: Measure, task: tasks.Task) -> list[Column]:
    """Return the columns of `add_shares`, which the page alone has."""
    columns = [
        Column(
            f"{id} %",
            "number",
            label,
            about=about,
            better="neither" if id == "answered" else "higher",
            on_page=(id != "net", 1),
            only="page",
        )
        for id, (label, about) in SHARES.items()
        if id != first.id and (id != "net" or task.unanswered_counts)
    ]
    return [*columns, Column(BAR[0], "bar", "correct · unanswered · wrong", ends=BAR, only="page")]


def add_shares(board: pl.DataFrame, outcomes: pl.DataFrame) -> pl.DataFrame:
    """Return a leaderboard with SHARES and BAR; a share of nothing is null.

    outcomes: `findings.outcomes_of`.
    """
    correct, wrong, rightful, n = map(pl.col, ("correct", "wrong", "rightful", "n"))
    answers = correct - rightful + wrong
    parts = {"accuracy": (correct, n), "precision_answered": (correct - rightful, answers)}
    parts |= {"answered": (answers, n), "net": (100 * (correct - wrong), n)}
    shares = {f"{id} %": pl.when(of > 0).then(part / of) for id, (part, of) in parts.items()}
    bar = {name: name.removeprefix("n ") for name in BAR}
    return board.with_columns(outcomes.select(**shares, **bar))


def render_latex(campaign: Campaign, section: Section) -> str:
    """Return the leaderboard as LaTeX, without the differences to a baseline, which follow from the
    scores."""
    [table] = section.tables
    columns = [column for column in table.columns if column.kind != "delta"]
    shown = replace(table, columns=columns, notes=[*section.sentences, *table.notes])
    return document.render_latex(campaign.title, shown, campaign.name)


def make_score_column(measure: Measure, board: pl.DataFrame) -> Column:
    """Return a measure's column, with its bounds where there are any."""
    bounds, scale = boards.columns(measure.id, boards.BOUNDS), findings.choose_scale(measure, board)
    ends = bounds if {*bounds} <= {*board.columns} else ()
    named = measure.id, "score", "", SCORE, measure.description, measure.direction
    return Column(*named, ends=ends, on_page=(scale["percent"], scale["digits"]))


def list_count_columns(board: pl.DataFrame, task: tasks.Task, judged: bool = True) -> list[Column]:
    """Return columns of the task's counts, of n if runs differ in it, and of SHOWN_IF_ANY if some
    run has any.

    Counts that are not whole have one decimal, or two. For responses that nobody judged: those
    given, declined and failed.
    """
    shown = [name for name in (task.board_counts if judged else UNJUDGED) if board[name].count()]
    if board["n"].drop_nulls().n_unique() > 1:
        shown = ["n", *shown]
    shown += [name for name in SHOWN_IF_ANY if has_any(name, board)]
    made = []
    for name in dict.fromkeys(shown):
        scaled = [board[name] * 10**digits for digits in (0, 1)]
        digits = sum(((it - it.round()).abs() > 1e-9).any() for it in scaled)
        about = task.counts[name].meaning
        label, _ = describe_column(name)
        made.append(Column(name, "number", label, digits or None, about, shown=False))
    return made


def has_any(name: str, board: pl.DataFrame) -> bool:
    """Return whether a count is above 0 for some run."""
    return name in board.columns and bool((board[name] > 0).any())


def list_notes(
    board: pl.DataFrame, columns: list[Column], campaign: Campaign, methods: Collection[str]
) -> list[str]:
    """Return sentences under the table that explain its signs, intervals and ranks.

    methods: of the intervals; none where runs were not compared question by question.
    """
    settings, first, lines = campaign.settings, campaign.measures[0], []
    if board["tied"].any():
        lines.append("= equal scores.")
    if any(column.kind == "score" and column.ends for column in columns):
        ruled = ", with the rules on the text of answers and without them"
        which = f"failed responses{ruled * has_any('n_by_rule', board)}"
        lines.append(
            f"In brackets: the range of the score over every way to take all unscored and {which}."
        )
    if board["trivial"].any():
        lines.append(f"{model.TRIVIAL} a trivial run, not ranked.")
    if board["behind_reject_all"].fill_null(False).any():
        lines.append(f"{model.BEHIND} behind the run that rejects everything.")
    if has_any("n_partial", board) and settings.get("source") != "counts":
        policy = settings.get("policy", tasks.POLICIES)
        lines.append(f"Partly correct answers {counted_as(policy['partial'])}.")
    if any(board[column.name].null_count() for column in columns if column.kind != "rank"):
        given = ", or not given" * bool(settings.get("attributes"))
        lines.append(f"{NOTHING} undefined{given}.")
    known = board.drop_nulls("may_be_best") if "may_be_best" in board.columns else board.head(0)
    if methods:
        level = settings["level"]
        named = " or ".join(f"the {name} interval" for name in sorted({*methods}))
        lines.append(f"{at(1 - level)} CI: {named} of {first}.")
        if known.height > 1:
            lines.append(
                f"Behind a rank: the ranks that the run may have by {first}, from a test of all"
                f" pairs (step-down max-T sign flips at {level:g})."
            )
        if known["may_be_best"].sum() > 1 and not known["tied"][0]:
            lines.append(
                f"The first of {known.height:,} runs is likely to be lucky: its interval holds its"
                f" true score less often than {at(1 - level)}."
            )
    if settings.get("official"):
        lines.append(f"Judgments: {legible.short(settings['official'])}, the official ones.")
    return lines


def tabulate_categories(split: pl.DataFrame, board: pl.DataFrame, campaign: Campaign) -> Table:
    """Return a row per run, as in the leaderboard, and a column per category: c0, c1, …"""
    first = measures.get(campaign.task, campaign.measures[0])
    categories = split["category"].unique().sort().to_list()
    names = {category: f"c{index}" for index, category in enumerate(categories)}
    split = split.with_columns(pl.col("category").replace_strict(names))
    wide = split.pivot("category", index="run", values=first.id)
    wide = board.select("run").join(wide, on="run", maintain_order="left")
    like_score = replace(make_score_column(first, board), kind="number", ends=())
    columns = [
        replace(like_score, name=name, label=legible.short(category, 40), about="")
        for category, name in names.items()
    ]
    caption = f"{first.id} by question category; categories.csv has all measures."
    return model.tabulate_frame(wide, [Column("run", "run"), *columns], caption)
