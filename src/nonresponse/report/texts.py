"""The texts on the page: questions, gold answers, answers and explanations; where runs disagree most comes first."""

import json
import random
from gzip import compress
from typing import Any

import numpy as np
import polars as pl

from nonresponse import tables, tasks
from nonresponse.judging.store import VERDICTS_FILE, read_verdicts
from nonresponse.pages.sections import Campaign

LARGEST = 5_000_000  # bytes of all texts on the page, compressed
CHARACTERS = 60_000_000  # of the texts that are read; if there are more, only those of some questions are
AT_ONCE = 500  # questions whose texts are read
LONGEST = {"asked": 2000, "target": 1000, "answer": 2000, "explanation": 2000}  # characters of a text of each kind
OF_QUESTION = ("asked", "target")  # texts that are the same for all runs


def texts(campaign: Campaign, names: pl.Series, runs: pl.Series, disagreement: np.ndarray) -> dict[str, Any]:
    """Return the texts of as many questions as there is room for, those with most disagreement first.

    `texts` has all distinct texts; `shown` the indices of the questions that have some; `more` is whether others have
    no room. By kind, as indices of texts (-1 = none): each question's text and gold answer, and each run's answer and
    the judge's explanation. Ties in `disagreement`, a number per question, are in random order.
    """
    empty: dict[str, Any] = {"texts": [], "shown": [], "more": False, **{kind: [] for kind in LONGEST}}
    if given(campaign, names) is None:
        return empty
    draw = random.Random(f"{campaign.settings['seed']} {campaign.name} texts")
    order = pl.DataFrame({"question": names, "by": disagreement, "lot": [draw.random() for _ in names]})
    own, more = fitting(campaign, order.sort("by", "lot", descending=[True, False])["question"])
    found = coded(own, names, runs)
    while (size := len(compress(json.dumps(found).encode(), 1))) > LARGEST:
        questions = own["question"].unique(maintain_order=True)
        kept = questions.head(max(int(questions.len() * 0.95 * LARGEST / size), 0))
        own, more = own.filter(pl.col("question").is_in(kept.implode())), True
        found = coded(own, names, runs)
    return {**empty, **found, "more": more}


def coded(own: pl.DataFrame, names: pl.Series, runs: pl.Series) -> dict[str, Any]:
    """Return the texts in rows of `given` as indices into all distinct texts."""
    chosen = own["question"].unique(maintain_order=True)
    there = [kind for kind in LONGEST if kind in own.columns]
    pool = pl.concat([own[kind] for kind in there]).drop_nulls().unique().sort()
    found: dict[str, Any] = {"texts": pool.to_list(), "shown": index_in(chosen, names).tolist()}
    if not pool.len():
        return {"texts": [], "shown": []}
    line, column = index_in(own["question"], chosen), index_in(own["run"], runs)
    for kind in there:
        grid = np.full((chosen.len(), len(runs)), -1)
        code = index_in(own[kind], pool)
        known = (code >= 0) & (column >= 0)
        grid[line[known], column[known]] = code[known]
        if (grid >= 0).any():
            found[kind] = (grid.max(axis=1) if kind in OF_QUESTION else grid).tolist()
    return found


def index_in(values: pl.Series, among: pl.Series) -> np.ndarray:
    """Return the index of each value among distinct others, -1 where it is not there."""
    kinds = pl.Enum(among)
    return values.cast(kinds, strict=False).to_physical().cast(pl.Int64).fill_null(-1).to_numpy()


def fitting(campaign: Campaign, order: pl.Series) -> tuple[pl.DataFrame, bool]:
    """Return the rows of `given`, cut, of the first questions that have room; and whether others have none."""
    parts: list[pl.DataFrame] = []
    taken, more = 0, False
    for start in range(0, order.len(), AT_ONCE):
        some = order.slice(start, AT_ONCE)
        rows = given(campaign, some)
        assert rows is not None
        there = [kind for kind in LONGEST if kind in rows.collect_schema().names()]
        rows = rows.with_columns(cut(pl.col(kind), LONGEST[kind]) for kind in there)
        own = some.to_frame("question").join(rows.collect(engine="streaming"), on="question", maintain_order="left")
        parts.append(own)
        taken += sum(int(own[kind].str.len_chars().sum()) for kind in there)
        if taken >= CHARACTERS:
            more = start + AT_ONCE < order.len()
            break
    return pl.concat(parts), more


def cut(text: pl.Expr, longest: int) -> pl.Expr:
    """Return the beginning of a long text, with a sign that there is more."""
    return pl.when(text.str.len_chars() > longest).then(text.str.slice(0, longest - 1) + "…").otherwise(text)


def given(campaign: Campaign, names: pl.Series) -> pl.LazyFrame | None:
    """Return run, question and, as far as known, answer, asked, target and explanation, of each run's first answers.

    Only those to the named questions. Withheld answers are in brackets. Null where the campaign's data have no texts,
    or responses are on pairs.
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
