"""The texts on the page: questions, gold answers, answers and explanations; where runs disagree
most comes first."""

import random
from typing import Any

import numpy as np
import polars as pl

from nonresponse import tasks
from nonresponse.judging.store import VERDICTS_FILE, read_verdicts
from nonresponse.report.campaign import Campaign
from nonresponse.report.page import dump_json, pack_text

LARGEST = 5_000_000  # bytes of all texts on the page, compressed
# Of the texts that are read; if there are more, only those of some questions are
CHARACTERS = 60_000_000
AT_ONCE = 500  # questions whose texts are read first, to see how long they are
LONGEST = 2000  # characters of a text
KINDS = ("asked", "target", "answer", "explanation")
OF_QUESTION = ("asked", "target")  # texts that are the same for all runs


def pack_texts(
    campaign: Campaign, names: pl.Series, runs: pl.Series, disagreement: np.ndarray
) -> str:
    """Return the texts of as many questions as there is room for, those with most disagreement
    first, packed.

    `texts` has all distinct texts; `shown` the indices of the questions that have some; `more` is
    whether others have no room. By kind, as indices of texts (-1 = none): each question's text and
    gold answer, and each run's answer and the judge's explanation. Ties in `disagreement`, a number
    per question, are in random order. Empty without texts.
    """
    if scan_texts(campaign, names) is None:
        return ""
    draw = random.Random(f"{campaign.settings['seed']} {campaign.name} texts")
    ranked = {"question": names, "by": disagreement, "lot": [draw.random() for _ in names]}
    order = pl.DataFrame(ranked).sort("by", "lot", descending=[True, False])["question"]
    rows, number = read_texts(campaign, order)
    while True:
        found = encode_texts(rows, order.head(number), names, runs) | {"more": number < order.len()}
        made = pack_text(dump_json(found))
        if (size := 3 * len(made) // 4) <= LARGEST:
            return made
        number = int(number * 0.95 * LARGEST / size)


def read_texts(campaign: Campaign, order: pl.Series) -> tuple[pl.DataFrame, int]:
    """Return the rows of `scan_texts` of the first questions that have room, and how many questions
    these are."""
    parts: list[pl.DataFrame] = []
    taken, start, size = 0, 0, AT_ONCE
    while start < order.len() and taken < CHARACTERS:
        rows = scan_texts(campaign, order.slice(start, size))
        assert rows is not None
        parts.append(rows.collect(engine="streaming"))
        taken += sum(parts[-1].select(pl.col(pl.String).str.len_chars().sum()).row(0))
        start += size
        # As many as have room if all are alike
        size = max(AT_ONCE, (CHARACTERS - taken) * start // max(taken, 1))
    return pl.concat(parts), min(start, order.len())


def encode_texts(
    rows: pl.DataFrame, chosen: pl.Series, names: pl.Series, runs: pl.Series
) -> dict[str, Any]:
    """Return the texts of the chosen questions as indices into all distinct texts."""
    places = [locate_values(rows["question"], chosen), locate_values(rows["run"], runs)]
    use = (places[0] >= 0) & (places[1] >= 0)
    rows, (line, column) = rows.filter(pl.Series(use)), (it[use] for it in places)
    there = [kind for kind in KINDS if kind in rows.columns]
    pool = pl.concat([rows[kind] for kind in there]).drop_nulls().unique().sort()
    if pool.is_empty():
        return {"texts": [], "shown": []}
    found = {"texts": pool.to_list(), "shown": locate_values(chosen, names).tolist()}
    for kind in there:
        grid = np.full((chosen.len(), len(runs)), -1)
        grid[line, column] = locate_values(rows[kind], pool)
        if (grid >= 0).any():
            found[kind] = (grid.max(axis=1) if kind in OF_QUESTION else grid).tolist()
    return found


def locate_values(values: pl.Series, among: pl.Series) -> np.ndarray:
    """Return the index of each value among distinct others, -1 where it is not there."""
    kinds = pl.Enum(among)
    return values.cast(kinds, strict=False).to_physical().cast(pl.Int64).fill_null(-1).to_numpy()


def scan_texts(campaign: Campaign, names: pl.Series) -> pl.LazyFrame | None:
    """Return run, question and, as far as known, answer, asked, target and explanation, of each
    run's first answers.

    Only those to the named questions. Withheld answers are in brackets. Null where the campaign's
    data have no texts, or responses are on pairs.
    """
    store, settings = read_verdicts(campaign.folder / VERDICTS_FILE), campaign.settings
    rows, own = store.scan(), pl.col("question").is_in(names.implode())
    if "answer" in rows.collect_schema().names():
        return rows.filter(own, pl.col("assessor") == campaign.official).select(
            "run", "question", shorten("answer")
        )
    files = settings["responses"] or settings["texts"]
    if not files or tasks.get(campaign.task).pairs:
        return None
    first = pl.scan_parquet(files).filter(own, pl.col("rank") == 1)
    if store.repeated:
        first = first.unique(["run", "question"], keep="first", maintain_order=True)
    if settings["texts"]:
        # A text that is also the question's name is not repeated.
        asked = pl.when(pl.col("asked") != pl.col("question").cast(pl.String)).then("asked")
        return first.with_columns(asked=asked).select("run", "question", *map(shorten, KINDS))
    answer, document, withheld = (
        pl.col(name).cast(pl.String) for name in ("answer", "document", "candidate")
    )
    answer = pl.when("nil").then(pl.lit("NIL")).otherwise(pl.coalesce(answer, document))
    shown = pl.when("answered").then(answer).otherwise(pl.format("[{}]", withheld))
    return first.with_columns(answer=shown).select("run", "question", shorten("answer"))


def shorten(kind: str) -> pl.Expr:
    """Return the beginning of a long text, with a sign that there is more."""
    text = pl.col(kind)
    short = text.str.slice(0, LONGEST - 1) + "…"
    return pl.when(text.str.len_chars() > LONGEST).then(short).otherwise(text).alias(kind)
