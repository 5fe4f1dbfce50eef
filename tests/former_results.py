"""Results as the page on changes compares them, made from a few scores."""

import itertools
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
from nonresponse.judging.store import of_rows, write_verdicts
from nonresponse.pages import document
from nonresponse.pages.blocks import Topic
from nonresponse.pages.previous import KEYS, VALUES, Results
from nonresponse.topics import changes

FOLDER, number = TemporaryDirectory(), itertools.count()


def results(
    scores: dict, verdicts: list | None = None, judgments: list | None = None, official=None, first="c@1", **extra
) -> Results:
    """Results of these scores (measure to run to value), of verdicts and judgments as rows of key and value."""
    runs = sorted({run for values in scores.values() for run in values})
    board = {"run": runs} | {id: [values.get(run) for run in runs] for id, values in sorted(scores.items())}
    order = sorted(runs, key=lambda run: -(scores[first].get(run) or 0))
    ranks = pl.Series("rank", [order.index(run) + 1 for run in runs])
    frame = pl.DataFrame(board, strict=False).cast(dict.fromkeys(scores, pl.Float64)).insert_column(1, ranks)
    parts = {}
    for name, rows in (("verdicts", verdicts), ("judgments", judgments)):
        if rows is not None:
            if name == "verdicts":  # asked once, unless they say when
                rows = [row if len(row) > 5 else (*row[:3], "0", *row[3:]) for row in rows]
            schema = dict.fromkeys([*KEYS[name], VALUES[name]], pl.String)
            parts[name], made = Path(FOLDER.name, f"{next(number)}"), pl.DataFrame(rows, schema, orient="row")
            if name == "verdicts":
                write_verdicts(parts[name], of_rows(made.cast({"epoch": pl.Int32}), "qa"))
            else:
                made.sort(KEYS[name]).write_parquet(parts[name])
    settings = {"official": official, "first": first, "measures": sorted(scores), "counts": []}
    return Results(settings, frame.with_columns(**extra), parts)


def page_of(before: Results | str, now: Results) -> str:
    """The page on the changes of a campaign without a title."""
    said, topics = changes.told(before, now)
    return document.markdown("tiny: what changed", [Topic("What changed", [said]), *topics])


A, B, C = (results({"c@1": {"x": value, "y": 0.5}}, [("a", "x", "q", None, "wrong")]) for value in (0.1, 0.2, 0.7))
