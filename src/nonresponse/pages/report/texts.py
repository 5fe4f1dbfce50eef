"""The texts on the page: questions, right answers, answers and explanations; those most worth reading come first."""

import random

import numpy as np
import polars as pl

from nonresponse import tables, tasks
from nonresponse.judging.store import VERDICTS_FILE, read_verdicts
from nonresponse.pages.blocks import Block
from nonresponse.pages.sections import Campaign

CHARACTERS = 600_000  # of all texts; if there are more, only texts of some questions are on the page
AT_ONCE = 500  # questions whose texts are read
LONGEST = {"asked": 600, "target": 300, "answer": 300, "explanation": 300}  # characters of a text of each kind
OF_QUESTION = ("asked", "target")  # texts that are the same for all runs


def texts(campaign: Campaign, names: pl.Series, runs: pl.Series, apart: np.ndarray) -> Block:
    """`texts`, all distinct texts; `shown`, the places of the questions whose texts these are; `more`, whether others
    have no room; and by kind, as numbers of texts (-1 = none), each question's text and right answer, and each run's
    answer and the judge's explanation.

    The questions on which runs differ most (`apart`, a number per question) come first, ties in random order; as many
    as there is room for.
    """
    found: Block = {"texts": [], "shown": [], "more": False, **{kind: [] for kind in LONGEST}}
    if names.is_empty() or runs.is_empty() or given(campaign, names) is None:
        return found
    draw = random.Random(f"{campaign.settings['seed']} {campaign.name} texts")
    order = pl.DataFrame({"question": names, "apart": apart, "lot": [draw.random() for _ in names]})
    order = order.sort("apart", "lot", descending=[True, False])
    own, more = fitting(campaign, order["question"])
    chosen = own["question"].unique(maintain_order=True)
    there = [kind for kind in LONGEST if kind in own.columns]
    pool = pl.concat([own[kind] for kind in there]).drop_nulls().unique().sort()
    number = {text: place for place, text in enumerate(pool)}
    found |= {"texts": pool.to_list(), "shown": places(chosen, names), "more": more}
    place, line = ({value: at for at, value in enumerate(some)} for some in (chosen, runs))
    for kind in there:
        grid = np.full((chosen.len(), len(runs)), -1)
        for run, question, text in own.select("run", "question", kind).drop_nulls(kind).iter_rows():
            if run in line:
                grid[place[question], line[run]] = number[text]
        if (grid >= 0).any():
            found[kind] = (grid.max(axis=1) if kind in OF_QUESTION else grid).tolist()
    return found


def fitting(campaign: Campaign, order: pl.Series) -> tuple[pl.DataFrame, bool]:
    """The rows of `given`, cut, of the first questions with texts that have room; and whether others have none."""
    parts: list[pl.DataFrame] = []
    taken, more = 0, False
    for start in range(0, order.len(), AT_ONCE):
        some = order.slice(start, AT_ONCE)
        rows = given(campaign, some)
        assert rows is not None
        there = [kind for kind in LONGEST if kind in rows.collect_schema().names()]
        rows = rows.with_columns(cut(pl.col(kind), LONGEST[kind]) for kind in there)
        own = some.to_frame("question").join(rows.collect(engine="streaming"), on="question", maintain_order="left")
        letters = [pl.col(kind).str.len_chars().fill_null(0) for kind in there]
        of_kind = (it.max() if kind in OF_QUESTION else it.sum() for kind, it in zip(there, letters, strict=True))
        sizes = own.group_by("question", maintain_order=True).agg(size=pl.sum_horizontal(of_kind))
        sizes = sizes.filter(pl.col("size") > 0).with_columns(before=pl.col("size").cum_sum() - pl.col("size") + taken)
        fit = sizes.filter(pl.col("before") < CHARACTERS)
        parts.append(own.join(fit, on="question", how="semi", maintain_order="left"))
        taken += int(fit["size"].sum())
        if taken >= CHARACTERS:
            more = fit.height < sizes.height or start + AT_ONCE < order.len()
            break
    return pl.concat(parts), more


def cut(text: pl.Expr, longest: int) -> pl.Expr:
    """The beginning of a long text, with a sign that there is more."""
    return pl.when(text.str.len_chars() > longest).then(text.str.slice(0, longest - 1) + "…").otherwise(text)


def given(campaign: Campaign, names: pl.Series) -> pl.LazyFrame | None:
    """run, question and, as far as known, answer, asked, target and explanation, of each run's first answer to each of
    these questions.

    Withheld answers are in brackets. None where the campaign's data have no texts, or responses are on pairs.
    """
    rows, settings = read_verdicts(campaign.folder / VERDICTS_FILE).scan(), campaign.settings
    own = pl.col("question").is_in(names.implode())
    if "answer" in rows.collect_schema().names():
        return rows.filter(own, pl.col("assessor") == campaign.official).select("run", "question", "answer")
    files = settings["responses"] or settings["texts"]
    if not files or tasks.get(campaign.task).pairs:
        return None
    first = tables.spelt(pl.scan_parquet(files).filter(own, pl.col("rank") == 1))
    first = first.unique(["run", "question"], keep="first", maintain_order=True)
    if settings["texts"]:
        # A text that is also the question's name is not repeated.
        asked = pl.when(pl.col("asked") != pl.col("question")).then("asked")
        return first.select("run", "question", *LONGEST).with_columns(asked=asked)
    answer = pl.when("nil").then(pl.lit("NIL")).otherwise(pl.coalesce("answer", "document"))
    said = pl.when("answered").then(answer).otherwise(pl.format("[{}]", pl.col("candidate")))
    return first.select("run", "question", answer=said)


def places(values: pl.Series, among: pl.Series) -> list[int | None]:
    """The place of each value among these; None if it is not there."""
    where = {value: place for place, value in enumerate(among)}
    return [where.get(value) for value in values]
