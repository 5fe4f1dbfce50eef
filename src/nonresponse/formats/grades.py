"""Verdicts on the responses of a table: from its words, its numbers, or by the gold answer."""

import polars as pl

from nonresponse import tasks
from nonresponse.faults import quote
from nonresponse.formats import numbers
from nonresponse.formats.json_records import parse_texts
from nonresponse.formats.text import Faults
from nonresponse.formats.words import NO_ERROR
from nonresponse.settings import Files

PUNCTUATION = "[!-/:-@\\[-`{-~]"  # of ASCII
ARTICLES = r"\b(a|an|the)\b"
# Graded validation responses: the verdict of each outcome; POSITIVE says whether the pair was
# right.
OUTCOMES = {
    outcome: verdict
    for verdict, outcomes in tasks.get("validation").outcomes.items()
    for outcome in outcomes
}
ANSWERED = "answered"  # a state: the run gave an answer, whatever it is worth
POSITIVE = {"tp": True, "fp": False, "fn": True, "tn": False, "u_p": True, "u_n": False}


def squad(text: pl.Expr) -> pl.Expr:
    """Return a text as SQuAD's evaluate-v2.0.py normalises it; unchanged if nothing is left."""
    words = text.str.to_lowercase().str.replace_all(PUNCTUATION, "").str.replace_all(ARTICLES, " ")
    bare = words.str.replace_all(r"\s+", " ").str.strip_chars()
    return pl.when(bare != "").then(bare).otherwise(text)


def normalised(rows: pl.DataFrame, options: Files, *columns: str) -> pl.DataFrame:
    """Return the rows with these columns, if present, normalised as the options ask for."""
    there = [name for name in columns if name in rows.columns and "normalise" in options]
    return rows.with_columns(squad(pl.col(name)) for name in there)


def is_among(answer: pl.Expr, words: list[str]) -> pl.Expr:
    """Return whether an answer is one of some words; a null is none of them."""
    return answer.is_in(words).fill_null(False) if words else pl.lit(False)


DECIMAL = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$"


def plain(text: pl.Expr) -> pl.Expr:
    """Return a plain decimal without signs and zeros that change nothing: 1 for +01.0."""
    digits = text.str.strip_chars_start("+-0")
    is_fraction = digits.str.contains(".", literal=True)
    short = digits.str.strip_chars_end("0").str.strip_suffix(".")
    digits = pl.when(is_fraction).then(short).otherwise(digits)
    signed = pl.when(text.str.starts_with("-")).then("-" + digits).otherwise(digits)
    number = pl.when(digits == "").then(pl.lit("0")).otherwise(signed)
    return pl.when(~text.str.contains(DECIMAL)).then(text).otherwise(number)


def by_several(frame: pl.DataFrame, options: Files) -> pl.DataFrame:
    """Return a verdict on each answer, compared with the gold answers in a list; `gold` becomes the
    first of them, which is the same for all runs."""
    pairs = frame.select("value", "gold").unique()
    each = pairs.with_columns(each=pl.col("gold").map_elements(parse_texts, pl.List(pl.String)))
    each = each.with_columns(first=pl.col("each").list.first()).explode("each")
    each = each.select("first", value="value", gold="each", of="gold", answer="value")
    graded = by_gold_answer(each, options)
    first = pl.when(pl.col("gold") != "").then("first").otherwise("gold")
    graded = graded.sort(pl.col("verdict") != "correct", maintain_order=True)
    found = graded.with_columns(gold=first).group_by("answer", "of", maintain_order=True).first()
    found = found.select("verdict", "missing", "gold", value="answer", of="of")
    joined = frame.rename({"gold": "of"}).join(
        found, ["value", "of"], "left", nulls_equal=True, maintain_order="left"
    )
    return joined.drop("value", "of")


def by_gold_answer(frame: pl.DataFrame, options: Files) -> pl.DataFrame:
    """Return a verdict on each answer, compared with the right one; `gold` becomes "" where it is a
    word for no answer."""
    # Spelling is compared before `plain` strips zeros, after which different texts could be spelt
    # alike.
    alike = squad(pl.col("value")) == squad(pl.col("gold"))
    alike = alike if "normalise" in options else pl.lit(False)
    frame = frame.with_columns(plain(pl.col("value", "gold")), spelt_alike=alike)
    value, gold = pl.col("value"), pl.col("gold")

    def is_any_of(text: pl.Expr, words: list[str]) -> pl.Expr:
        spelt = pl.DataFrame({"words": words}, {"words": pl.String}).select(plain(pl.col("words")))
        return is_among(text, spelt["words"].to_list())

    abstained = options.get("unanswered", [])
    none, missing = is_any_of(gold, abstained), is_any_of(value, options.get("missing", []))
    verdict = (
        pl.when(value.is_null() | missing)
        .then(pl.lit("unanswered"))
        .when(is_any_of(value, options.get("failed", [])))
        .then(pl.lit("error"))
        .when(is_any_of(value, abstained))
        .then(pl.lit("unanswered"))
        .when(~none & ((value == gold) | pl.col("spelt_alike")))
        .then(pl.lit("correct"))
        .otherwise(pl.lit("wrong"))
    )
    known = pl.when(none).then(pl.lit("")).otherwise(gold)
    return frame.with_columns(verdict=verdict, missing=missing, gold=known).drop(
        "value", "spelt_alike"
    )


def by_state(frame: pl.DataFrame, options: Files, faults: Faults) -> tuple[pl.Expr, pl.Expr]:
    """Return whether a response failed, and whether it is unanswered, by `error` and `state`."""
    failed = unanswered = pl.lit(False)
    if "error" in frame.columns:
        failed = ~pl.col("error").str.to_lowercase().is_in(NO_ERROR).fill_null(True)
    if "state" in frame.columns:
        ours = dict.fromkeys((ANSWERED, "unanswered", "error"))
        words = {**{name: name for name in ours}, **options.get("states", {})}
        states = frame["state"].replace_strict(words, default=None, return_dtype=pl.String)
        unread = frame.filter(states.is_null(), pl.col("state").is_not_null())
        known = ", ".join(quote(word, 20) for word in options.get("states") or ours)
        expected = f"one of {known} (`states:` in config.yaml)"
        unread = unread.unique("line", maintain_order=True)
        faults.add_rows(unread, "the state {}", expected, "state")
        failed = failed | pl.lit(states.eq_missing("error"))
        unanswered = pl.lit(states.eq_missing("unanswered"))
    return failed, unanswered & ~failed


def by_number(values: pl.Series, least: float) -> pl.Series:
    """Return verdicts: correct from `least` on (true is 1); unscored if empty or NaN."""
    words = values.str.to_lowercase()
    number = pl.lit(numbers.parse_reals(words.replace({"true": "1", "false": "0"})))
    none = pl.lit(words.is_null() | words.is_in(["nan", "null"]))
    wrong = pl.when(number < least).then(pl.lit("wrong"))
    right = pl.when(number >= least).then(pl.lit("correct")).otherwise(wrong)
    return pl.select(pl.when(none).then(pl.lit("unscored")).otherwise(right)).to_series()


def by_verdict(frame: pl.DataFrame, options: Files, task: str, faults: Faults) -> pl.DataFrame:
    """Return verdicts from the file's words or numbers; rows of a response have the same `row`."""
    ours = {name: name for name in tasks.get(task).words} | {"": "unscored"}
    ours |= options.get("verdicts", {})
    verdict = pl.col("value").fill_null("")
    verdict = verdict.replace_strict(ours, default=None, return_dtype=pl.String)
    never = is_among(pl.col("value"), options.get("missing", []))
    # If any assessor judged a response, the question was asked; for one who says that it was not,
    # it is unscored.
    missing = never.all().over("row") if "assessors" in options else never
    verdict = pl.when(never).then(pl.lit("unscored")).otherwise(verdict)
    frame = frame.with_columns(missing=missing, verdict=verdict)
    if "correct_from" in options:
        judged = by_number(frame["value"], options["correct_from"])
        frame = frame.with_columns(pl.col("verdict").fill_null(judged))
    words = ", ".join(quote(word, 20) for word in (options.get("verdicts") or ours) if word)
    number = ", or a number" if "correct_from" in options else ""
    unread = frame.filter(pl.col("verdict").is_null()).unique(
        ["line", "value"], maintain_order=True
    )
    faults.add_rows(unread, "the verdict {}", f"one of {words}{number}", "value")
    if tasks.get(task).pairs:
        positive = pl.col("verdict").replace_strict(POSITIVE, default=None, return_dtype=pl.Boolean)
        frame = frame.with_columns(pl.col("verdict").replace(OUTCOMES), positive=positive)
    verdict = pl.when("missing").then(pl.lit("unanswered")).otherwise("verdict")
    return frame.with_columns(verdict=verdict).drop("value")
