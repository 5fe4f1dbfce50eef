"""Files of right answers that look like verdicts of one run, as long as one does not see the answers beside them."""

import polars as pl

from nonresponse.formats import records
from nonresponse.look import keys
from nonresponse.look.found import Found
from nonresponse.look.words import may_be_answers


def with_keys(found: list[Found]) -> list[Found]:
    """What was found, of which verdicts are right answers where runs answer the same questions in the same words."""
    runs = [answers_of(one) for one in found if one.part == "runs" and one.format == "tabular"]
    return [as_key(one) if runs and fits(one, runs) else one for one in found]


def answers_of(run: Found) -> pl.DataFrame:
    """The questions of a run and what it `said`."""
    return records.read_table(run.path)[0].select(asked=column(run, "question"), said=column(run, "answer"))


def column(found: Found, ours: str) -> str:
    """What a column of ours is called in a file."""
    return found.options.get("columns", {}).get(ours, ours)


def fits(one: Found, runs: list[pl.DataFrame]) -> bool:
    """Whether verdicts, one for each question and of no run that is named, are in the words of all answers to these."""
    columns = one.options.get("columns", {})
    if one.part != "graded" or one.format != "tabular" or "gold" in one.options or "layout" in one.options:
        return False
    frame, _ = records.read_table(one.path)
    asked, verdict = frame[column(one, "question")], column(one, "verdict")
    if "run" in (*columns, *frame.columns) or not asked.is_unique().all():
        return False
    words = frame[verdict].drop_nulls().unique().to_list()
    given = pl.concat(runs).filter(pl.col("asked").is_in(asked.implode()))
    return bool(given.height) and may_be_answers(words) and keys.same_words(frame[verdict], given["said"])


def as_key(one: Found) -> Found:
    """The same file as right answers."""
    columns = {"question": column(one, "question"), "answer": column(one, "verdict")}
    changed = {ours: theirs for ours, theirs in columns.items() if ours != theirs}
    why = f"it has each question once, and in {columns['answer']!r} the words that runs beside it answer"
    return Found(one.path, "judgments", {"format": "tabular", "columns": changed, "closed": True}, why)
