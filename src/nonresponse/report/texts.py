"""The texts on the page: questions, gold answers, answers and explanations.

Questions on which runs disagree most come first.
"""

import random
from typing import Any

import numpy as np
import polars as pl

from nonresponse import tasks
from nonresponse.judging.store import VERDICTS_FILE, read_verdicts
from nonresponse.report.campaign import Campaign
from nonresponse.report.page import dump_json, pack_text
from nonresponse.tables import scan_parquet

MAX_BYTES = 5_000_000  # of all texts on the page, compressed
MAX_CHARACTERS = 60_000_000  # of the texts that are read, of some questions only
BATCH = 500  # questions whose texts are read first, to see how long they are
LONGEST = 2000  # characters of a text
QUESTION_KINDS = ("asked", "target")  # texts that are the same for all runs
KINDS = (*QUESTION_KINDS, "answer", "explanation")


def pack_texts(
    campaign: Campaign, names: pl.Series, runs: pl.Series, disagreement: np.ndarray
) -> str:
    """Return the texts of as many questions as there is room for, packed. Empty without texts.

    Questions with most `disagreement`, a number for each, come first, ties in random order. `texts`
    has all distinct texts; `shown` the indices of the questions that have some; `more` is whether
    others have no room. Each kind has indices of texts (-1 = none), by question or by run as well.
    """
    if scan_texts(campaign, names) is None:
        return ""
    draw = random.Random(f"{campaign.settings['seed']} {campaign.name} texts")
    ranked = pl.DataFrame(
        {"question": names, "disagreement": disagreement, "lot": [draw.random() for _ in names]}
    )
    order = ranked.sort("disagreement", "lot", descending=[True, False])["question"]
    rows, number = read_texts(campaign, order)
    while True:
        content = encode_texts(rows, order.head(number), names, runs)
        packed = pack_text(dump_json(content | {"more": number < order.len()}))
        if (size := 3 * len(packed) // 4) <= MAX_BYTES:
            return packed
        number = int(number * 0.95 * MAX_BYTES / size)


def read_texts(campaign: Campaign, order: pl.Series) -> tuple[pl.DataFrame, int]:
    """Return the rows of `scan_texts` of the first questions, as many as there is room for, and
    the number of these questions."""
    batches: list[pl.DataFrame] = []
    characters, start, size = 0, 0, BATCH
    while start < order.len() and characters < MAX_CHARACTERS:
        rows = scan_texts(campaign, order.slice(start, size))
        assert rows is not None
        batches.append(rows.collect(engine="streaming"))
        characters += sum(batches[-1].select(pl.col(pl.String).str.len_chars().sum()).row(0))
        start += size
        # As many as have room if the next ones are as long as these
        size = max(BATCH, (MAX_CHARACTERS - characters) * start // max(characters, 1))
    return pl.concat(batches), min(start, order.len())


def encode_texts(
    rows: pl.DataFrame, chosen_names: pl.Series, names: pl.Series, runs: pl.Series
) -> dict[str, Any]:
    """Return the texts of the chosen questions as indices into all distinct texts."""
    line, column = locate_values(rows["question"], chosen_names), locate_values(rows["run"], runs)
    is_packed = (line >= 0) & (column >= 0)
    rows, line, column = rows.filter(pl.Series(is_packed)), line[is_packed], column[is_packed]
    kinds = [kind for kind in KINDS if kind in rows.columns]
    pool = pl.concat([rows[kind] for kind in kinds]).drop_nulls().unique().sort()
    if pool.is_empty():
        return {"texts": [], "shown": []}
    content = {"texts": pool.to_list(), "shown": locate_values(chosen_names, names).tolist()}
    for kind in kinds:
        grid = np.full((chosen_names.len(), len(runs)), -1)
        grid[line, column] = locate_values(rows[kind], pool)
        if (grid >= 0).any():
            content[kind] = (grid.max(axis=1) if kind in QUESTION_KINDS else grid).tolist()
    return content


def locate_values(values: pl.Series, names: pl.Series) -> np.ndarray:
    """Return the index of each value among distinct names, -1 where it is none of them."""
    codes = values.cast(pl.Enum(names), strict=False).to_physical()
    return codes.cast(pl.Int64).fill_null(-1).to_numpy()


def scan_texts(campaign: Campaign, names: pl.Series) -> pl.LazyFrame | None:
    """Return run, question and the texts of each run's first answers to the named questions.

    Withheld answers are in brackets. Null where the campaign's data have no texts, or responses are
    on pairs.
    """
    store, settings = read_verdicts(campaign.folder / VERDICTS_FILE), campaign.settings
    rows, is_named = store.scan(), pl.col("question").is_in(names.implode())
    if "answer" in rows.collect_schema().names():
        rows = rows.filter(is_named, pl.col("assessor") == campaign.official)
        return rows.select("run", "question", shorten("answer"))
    files = settings["responses"] or settings["texts"]
    if not files or tasks.get(campaign.task).pairs:
        return None
    responses = scan_parquet(files).filter(is_named, pl.col("rank") == 1)
    if store.repeated:
        responses = responses.unique(["run", "question"], keep="first", maintain_order=True)
    if settings["texts"]:
        # A text that is also the question's name is not repeated.
        question = pl.when(pl.col("asked") != pl.col("question").cast(pl.String)).then("asked")
        responses = responses.with_columns(asked=question)
        return responses.select("run", "question", *map(shorten, KINDS))
    answer = pl.coalesce(pl.col("answer", "document").cast(pl.String))
    answer = pl.when("nil").then(pl.lit("NIL")).otherwise(answer)
    text = pl.when("answered").then(answer).otherwise(pl.format("[{}]", "candidate"))
    return responses.with_columns(answer=text).select("run", "question", shorten("answer"))


def shorten(kind: str) -> pl.Expr:
    """Return the beginning of a long text, with a sign that there is more."""
    text = pl.col(kind)
    beginning = text.str.slice(0, LONGEST - 1) + "…"
    return pl.when(text.str.len_chars() > LONGEST).then(beginning).otherwise(text).alias(kind)
