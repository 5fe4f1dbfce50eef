"""The leaderboard: the scores of each run, with intervals, ranks, counts and marks, and by question
category."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import polars as pl

from nonresponse import boards, legible, measures, tables, tasks, wording
from nonresponse.atomic import write_text
from nonresponse.ingest import imports
from nonresponse.measures import Measure
from nonresponse.report import document, findings, model, question_sets, sentences
from nonresponse.report.campaign import Campaign
from nonresponse.report.findings import LEVEL, Comparison, Finding
from nonresponse.report.measure_columns import shown as measures_shown
from nonresponse.report.model import SCORE, Column, Section, Table
from nonresponse.scoring import guessing, leaderboard
from nonresponse.statistics import unpaired
from nonresponse.wording import NOTHING, at

TRIVIAL: tuple[Literal["accept_all", "reject_all"], ...] = ("accept_all", "reject_all")
# Partly right answers that the policy counts as wrong, or excludes
PARTLY = ("n_aw_partial", "n_x_partial")
NUMBER = r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?$"  # an attribute that is a number; 007 is text
SHOWN_IF_ANY = ["n_partial", "n_unscored", "n_error", "n_missing", "n_not_asked", "n_by_rule"]
UNJUDGED = ("n", "n_unscored", "n_u", "n_error")
OF_WORTH = ("n_ac", "n_aw", "a", "b")  # counts of how good answers are


def make(campaign: Campaign, accounts: list[Path]) -> None:
    """Write leaderboard.{csv,parquet,md,tex,json} and categories.csv, from the counts and scores.

    Settings: the first of the measures ranks; attributes are pairs of a name and the values by run;
    level and tested are present if runs were compared.
    """
    settings, chosen = (
        campaign.settings,
        [measures.get(campaign.task, id) for id in campaign.measures],
    )
    board, intervals = scored(campaign, chosen)
    # Scores then only count what was given, and have no bounds
    if not settings.get("judged", True):
        unknown = [
            pl.lit(None, pl.Float64).alias(name) for name in OF_WORTH if name in board.columns
        ]
        board = board.select(
            ~pl.selectors.ends_with(*boards.all_of("", boards.BOUNDS))
        ).with_columns(unknown)
    by_category_scores = of_measures(campaign, "scores_by_category", campaign.measures)
    split = leaderboard.by_category(by_category_scores, chosen, campaign.official)
    if settings.get("source") == "counts":
        board = unpaired.add_intervals(
            board, parts_of(campaign, board), chosen, LEVEL, settings["seed"]
        )
    first = [
        pl.lit(campaign.name).alias("campaign"),
        pl.lit(settings.get("simulated", False)).alias("simulated"),
    ]
    board, split = board.select(*first, pl.all()), split.select(*first, pl.all())
    for name, values in settings.get("attributes", []):  # text, unless all are numbers
        column = board["run"].replace_strict(dict(values), default=None, return_dtype=pl.String)
        if (
            column.drop_nulls().str.contains(NUMBER) & (column.drop_nulls().str.len_chars() <= 10)
        ).all():
            column = column.cast(
                pl.Float64 if column.str.contains(".", literal=True).any() else pl.Int64
            )
        board = board.with_columns(column.alias(name))
    methods = intervals[chosen[0].id]["method"].drop_nulls().to_list() if intervals else []
    made = sections_of(campaign, board, split, methods, accounts)
    tables.write(board, campaign.folder / "leaderboard.parquet")
    campaign.write_tables("", {"leaderboard": board, "categories": split})
    model.write(made, campaign.folder / "leaderboard.json")
    write_text(document.markdown(campaign.title, made.values()), campaign.folder / "leaderboard.md")
    write_text(latex(campaign, made["leaderboard"]), campaign.folder / "leaderboard.tex")


def scored(
    campaign: Campaign, chosen: list[Measure]
) -> tuple[pl.DataFrame, dict[str, pl.DataFrame]]:
    """Return the campaign's leaderboard, with a run that guesses in multiple choice, and the
    intervals by measure."""
    settings, counts = campaign.settings, pl.read_parquet(campaign.folder / "counts.parquet")
    intervals = of_measures(campaign, "reliability/intervals", settings.get("tested", []))
    scores = of_measures(campaign, "scores", campaign.measures)
    trivial = [settings[key] for key in TRIVIAL if settings.get(key)]
    questions, options = campaign.folder / "questions.parquet", settings.get("options")
    if options is not None and (share := guessing.chance(options, questions)) is not None:
        trivial.append(guessing.name(counts["run"]))
        counts, scores = guessing.added(
            counts, scores, chosen, campaign.official, trivial[-1], share
        )
    runs = settings.get("reject_all"), settings.get("baseline")
    return leaderboard.leaderboard(
        scores, counts, chosen, campaign.official, trivial, *runs, intervals
    ), intervals


def parts_of(campaign: Campaign, board: pl.DataFrame) -> list[str]:
    """Return the counts that add up to n, of those that a table of counts has."""
    return [
        name
        for name in tasks.get(campaign.task).parts
        if name in board.columns and board[name].is_not_null().any()
    ]


def of_measures(campaign: Campaign, folder: str, ids: list[str]) -> dict[str, pl.DataFrame]:
    return {id: pl.read_parquet(campaign.folder / folder / f"{id}.parquet") for id in ids}


def sections_of(
    campaign: Campaign,
    board: pl.DataFrame,
    split: pl.DataFrame,
    methods: Collection[str] = (),
    accounts: Sequence[Path] = (),
) -> dict[str, Section]:
    """Return the leaderboard, with the answer, and scores by category. methods: of the intervals;
    accounts: files on imported logs.
    """
    settings, first = campaign.settings, measures.get(campaign.task, campaign.measures[0])
    task, reliability, pairs, needed = (
        tasks.get(campaign.task),
        campaign.folder / "reliability",
        None,
        None,
    )
    tested = first.id in settings.get("tested", [])
    if tested:
        pairs = pl.read_parquet(reliability / f"comparisons/{first.id}.parquet")
    elif settings.get("source") == "counts":
        pairs = unpaired.compare_leaders(
            board, parts_of(campaign, board), first, LEVEL, settings["seed"]
        )
    if tested and settings.get("threshold"):
        needed = pl.read_parquet(reliability / f"questions_needed/{first.id}.parquet")
    judged = settings.get("judged", True) and settings.get("source") != "counts"
    policy = settings.get("policy", {}) if judged else {}
    level = settings.get("level", LEVEL)
    logs, official = imports.by_run(imports.read_accounts(accounts)), settings.get("official")
    compared = Comparison(pairs, tested, level, needed)
    found = findings.find(
        board,
        task,
        first,
        compared,
        policy.get("unscored"),
        official,
        imports.headlines_of_partial(logs),
        policy.get("error"),
    )
    notes = [
        *imports.caution(logs),
        *question_sets.sentences(
            board, settings.get("missing"), settings.get("compare_on"), task.unit
        ),
    ]
    found += [Finding("note", {"text": text}) for text in notes]
    said = [sentences.render(finding) for finding in found]
    shown = scores_table(board, campaign, methods)
    made = {
        "leaderboard": Section("Scores", said, tables=[shown], findings=sentences.as_data(found))
    }
    if split.height:
        made["categories"] = Section(
            "Scores by question category",
            [],
            "questions",
            tables=by_category(split, board, campaign),
        )
    return made


def scores_table(board: pl.DataFrame, campaign: Campaign, methods: Collection[str]) -> Table:
    """Return a row per run, with intervals and possible ranks, without columns that are null in all
    rows."""
    settings, first = campaign.settings, measures.get(campaign.task, campaign.measures[0])
    ids, left_out = measures_shown(
        board, campaign.measures, campaign.task, named=settings.get("measures_named", True)
    )
    scores = [score(measures.get(campaign.task, id), board) for id in ids]
    compared, ranks = [], [] if first.descriptive else [Column("rank", "number")]
    if "rank_low" in board.columns and ids[:1] == [first.id]:
        compared = [replace(scores[0], kind="interval", label=at(1 - settings["level"]))]
        about = "ranks that the run may have"
        ranks += [
            Column("rank_low", "interval", "ranks", 0, about, ends=("rank_low", "rank_high"))
        ] * len(ranks)
    columns = [
        *ranks,
        Column("run", run=True),
        *[
            Column(
                name,
                "number" if board[name].dtype.is_numeric() else "text",
                legible.short(name, 40),
                "given",
            )
            for name, _ in settings.get("attributes", [])
        ],
        *scores[:1],
        *compared,
        *scores[1:],
        *[
            Column(name, "delta", f"{id} − {legible.short(settings['baseline'], 20)}", "delta")
            for id in ids
            if (name := boards.of(id, boards.DIFFERENCE)) in board.columns
        ],
        *counts(board, tasks.get(campaign.task), settings.get("judged", True)),
    ]
    notes = notes_on(board, columns, campaign)
    if compared:
        notes += notes_on_tests(board, first.id, settings["level"], methods)
    if settings.get("official"):
        notes.append(f"Judgments: {legible.short(settings['official'])}, the official ones.")
    if described := [
        measure.id
        for id in ids
        if (measure := measures.get(campaign.task, id)).direction == "neither"
    ]:
        notes.append(f"Described, not ranked: {', '.join(described)}.")
    caption = f"The runs by {first.id}, {'highest' if first.higher_is_better else 'lowest'} first."
    notes += filter(None, [left_out])
    return model.of_frame(board, columns, caption, notes, csv="leaderboard")


def latex(campaign: Campaign, section: Section) -> str:
    """Return the leaderboard as LaTeX, without the differences to a baseline, which follow from the
    scores."""
    [table] = section.tables
    columns = [column for column in table.columns if column.kind != "delta"]
    shown = replace(table, columns=columns, notes=[*section.sentences, *table.notes])
    return document.latex(campaign.title, shown, campaign.name)


def score(measure: Measure, board: pl.DataFrame) -> Column:
    """Return a measure's column, with the columns of its interval and its bounds where there are
    any."""
    ends, bounds = (boards.all_of(measure.id, both) for both in (boards.INTERVAL, boards.BOUNDS))
    return Column(
        measure.id,
        "score",
        digits=SCORE,
        better=measure.direction,
        about=measure.description,
        measure=True,
        ends=ends if {*ends} <= {*board.columns} else (),
        bounds=bounds if {*bounds} <= {*board.columns} else (),
    )


def counts(board: pl.DataFrame, task: tasks.Task, judged: bool = True) -> list[Column]:
    """Return columns of the task's counts, of n if runs differ in it, and of SHOWN_IF_ANY if some
    run has any.

    A column has as many decimals as its values need. For responses that nobody judged: those given,
    declined and failed.
    """
    shown = [
        name for name in (task.shown if judged else UNJUDGED) if board[name].is_not_null().any()
    ]
    if board["n"].drop_nulls().n_unique() > 1 and "n" not in shown:
        shown = ["n", *shown]
    shown += [name for name in SHOWN_IF_ANY if name not in shown and any_of(name, board)]
    columns = []
    for name in shown:
        most = max(
            (len(f"{value:.10g}".partition(".")[2]) for value in board[name].drop_nulls()),
            default=0,
        )
        # Two if there is no end to them, as in means over epochs
        digits = (most if most < 5 else 2) if most else None
        columns.append(Column(name, "number", digits=digits, about=task.counts[name].meaning))
    return columns


def any_of(name: str, board: pl.DataFrame) -> bool:
    return name in board.columns and (board[name].fill_null(0) > 0).any()


def notes_on(board: pl.DataFrame, columns: list[Column], campaign: Campaign) -> list[str]:
    """Return sentences under the table that explain its signs and columns."""
    lines = ["= equal scores."] * bool(board["tied"].any())
    if any(name.endswith(boards.of("", boards.WORST)) for name in board.columns):
        every = (
            "In brackets: the range of the score over every way to take all unscored and "
            "all failed responses"
        )
        ruled = ", with the rules on the text of answers and without them" * any_of(
            "n_by_rule", board
        )
        lines.append(f"{every}{ruled}.")
    if board["trivial"].any():
        lines.append(f"{model.TRIVIAL} a trivial run, not ranked.")
    if board["behind_reject_all"].fill_null(False).any():
        lines.append(f"{model.BEHIND} behind the run that rejects everything.")
    lines += filter(None, [partial_note(board)])
    # Trivial runs have no rank.
    if any(
        board[it.name].null_count()
        for it in columns
        if it.name != "rank" or not board["trivial"].any()
    ):
        lines.append(
            f"{NOTHING} undefined{', or not given' * bool(campaign.settings.get('attributes'))}."
        )
    return lines


def partial_note(board: pl.DataFrame) -> str:
    """Return what partly right answers count as, by the counts; "" where there are none."""
    own = board.filter(pl.col("n_partial") > 0) if "n_partial" in board.columns else board.clear()
    if own.is_empty():
        return ""
    wrong, out = (own[name].sum() if own[name].is_not_null().all() else None for name in PARTLY)
    if wrong is None or out is None:
        return "n_partial: partly right answers."
    taken = (
        "which count as wrong"
        if wrong
        else "whose questions are excluded"
        if out
        else "which count as unanswered"
    )
    return f"n_partial: partly right answers, {taken}."


def notes_on_tests(
    board: pl.DataFrame, first: str, level: float, methods: Collection[str]
) -> list[str]:
    """Return what intervals (by these methods) and ranks are, who may be best, and how lucky the
    first run may be."""
    named = " or ".join(f"the {name} interval" for name in sorted({*methods}))
    lines = [
        f"{at(1 - level)}: {named or 'no interval'} of {first}, in the report as a line beside "
        "the score."
    ]
    known = board.drop_nulls("may_be_best")
    if known.height < 2:
        return lines
    best = [legible.short(name) for name in known.filter("may_be_best")["run"]]
    lines.append(
        f"Ranks: those that each run may have by {first}, from a test of all pairs (step-down "
        "max-t sign flips at"
        f" {level:g}); may be the best (one-sided"
        f" max-t at {level:g}): {wording.listed(best)}."
    )
    top = known.row(0, named=True)
    shrunken = boards.of(first, boards.SHRUNKEN)
    if len(best) > 1 and top[shrunken] is not None:
        towards_all, score = (wording.rounded(top[name], 3) for name in (shrunken, first))
        lines.append(
            f"The first of {known.height:,} runs is likely to be a lucky one, and its interval "
            "holds its true score"
            f" less often than {at(1 - level)}. Shrunk towards the mean of all runs by as much "
            "as chance spreads them,"
            f" {first} of {legible.short(top['run'])} is {towards_all}, not {score}."
        )
    return lines


def by_category(split: pl.DataFrame, board: pl.DataFrame, campaign: Campaign) -> list[Table]:
    """Return a table per measure: a row per run, as in the leaderboard, and a column per category
    (c0, c1, ...)."""
    named = campaign.settings.get("measures_named", True)
    ids, left_out = measures_shown(
        split, campaign.measures, campaign.task, "runs and categories", named=named
    )
    names = {
        category: f"c{place}" for place, category in enumerate(split["category"].unique().sort())
    }
    split = split.with_columns(pl.col("category").replace_strict(names))
    made = []
    for id in ids:
        wide = split.pivot("category", index="run", values=id)
        wide = board.select("run").join(wide, on="run", maintain_order="left")
        better = measures.get(campaign.task, id).direction
        columns = [Column("run", run=True)]
        for category, name in names.items():
            columns.append(
                Column(name, "number", legible.short(category, 40), SCORE, better=better)
            )
        made.append(model.of_frame(wide, columns, f"{id} by question category."))
    if made and left_out:
        made[-1] = replace(made[-1], notes=[left_out])
    return made
