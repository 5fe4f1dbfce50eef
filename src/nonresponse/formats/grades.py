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
ANSWERED_STATE = "answered"  # a state: the run gave an answer, whatever it is worth
POSITIVE = {"tp": True, "fp": False, "fn": True, "tn": False, "u_p": True, "u_n": False}


def normalise_squad(text: pl.Expr) -> pl.Expr:
    """Return a text as SQuAD's evaluate-v2.0.py normalises it; unchanged if nothing is left."""
    words = text.str.to_lowercase().str.replace_all(PUNCTUATION, "").str.replace_all(ARTICLES, " ")
    stripped = words.str.replace_all(r"\s+", " ").str.strip_chars()
    return pl.when(stripped != "").then(stripped).otherwise(text)


def normalise(rows: pl.DataFrame, options: Files, *columns: str) -> pl.DataFrame:
    """Return the rows with these columns, if present, normalised as the options ask for."""
    present = [name for name in columns if name in rows.columns and "normalise" in options]
    return rows.with_columns(normalise_squad(pl.col(name)) for name in present)


def is_among(answer: pl.Expr, words: list[str]) -> pl.Expr:
    """Return whether an answer is one of some words; a null is none of them."""
    return answer.is_in(words).fill_null(False) if words else pl.lit(False)


DECIMAL = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$"


def simplify_decimal(text: pl.Expr) -> pl.Expr:
    """Return a plain decimal without signs and zeros that change nothing: 1 for +01.0."""
    digits = text.str.strip_chars_start("+-0")
    is_fraction = digits.str.contains(".", literal=True)
    shortened = digits.str.strip_chars_end("0").str.strip_suffix(".")
    digits = pl.when(is_fraction).then(shortened).otherwise(digits)
    signed = pl.when(text.str.starts_with("-")).then("-" + digits).otherwise(digits)
    number = pl.when(digits == "").then(pl.lit("0")).otherwise(signed)
    return pl.when(~text.str.contains(DECIMAL)).then(text).otherwise(number)


def grade_by_list(frame: pl.DataFrame, options: Files) -> pl.DataFrame:
    """Return a verdict on each answer by a list of gold answers; `gold` becomes the first."""
    pairs = frame.select("value", "gold").unique()
    answers = pairs.with_columns(each=pl.col("gold").map_elements(parse_texts, pl.List(pl.String)))
    answers = answers.with_columns(first=pl.col("each").list.first()).explode("each")
    answers = answers.select("first", value="value", gold="each", of="gold", answer="value")
    graded = grade_by_gold_answer(answers, options)
    first_gold = pl.when(pl.col("gold") != "").then("first").otherwise("gold")
    graded = graded.sort(pl.col("verdict") != "correct", maintain_order=True)
    graded = graded.with_columns(gold=first_gold)
    verdicts = graded.group_by("answer", "of", maintain_order=True).first()
    verdicts = verdicts.select("verdict", "missing", "gold", value="answer", of="of")
    keys, rows = ["value", "of"], frame.rename({"gold": "of"})
    rows = rows.join(verdicts, keys, "left", nulls_equal=True, maintain_order="left")
    return rows.drop(keys)


def grade_by_gold_answer(frame: pl.DataFrame, options: Files) -> pl.DataFrame:
    """Return a verdict on each answer by the gold answer, "" where its word means none."""
    # Spelling is compared before zeros are stripped, after which different texts could be spelt
    # alike.
    is_spelt_alike = normalise_squad(pl.col("value")) == normalise_squad(pl.col("gold"))
    is_spelt_alike = is_spelt_alike if "normalise" in options else pl.lit(False)
    simplified = simplify_decimal(pl.col("value", "gold"))
    frame = frame.with_columns(simplified, spelt_alike=is_spelt_alike)
    value, gold = pl.col("value"), pl.col("gold")

    def is_any_of(text: pl.Expr, words: list[str]) -> pl.Expr:
        column = pl.DataFrame({"words": words}, {"words": pl.String})
        simplified = column.select(simplify_decimal(pl.col("words")))
        return is_among(text, simplified["words"].to_list())

    abstained = options.get("unanswered", [])
    has_no_answer = is_any_of(gold, abstained)
    missing = is_any_of(value, options.get("missing", []))
    verdict = (
        pl.when(value.is_null() | missing)
        .then(pl.lit("unanswered"))
        .when(is_any_of(value, options.get("failed", [])))
        .then(pl.lit("error"))
        .when(is_any_of(value, abstained))
        .then(pl.lit("unanswered"))
        .when(~has_no_answer & ((value == gold) | pl.col("spelt_alike")))
        .then(pl.lit("correct"))
        .otherwise(pl.lit("wrong"))
    )
    gold_answer = pl.when(has_no_answer).then(pl.lit("")).otherwise(gold)
    frame = frame.with_columns(verdict=verdict, missing=missing, gold=gold_answer)
    return frame.drop("value", "spelt_alike")


def find_states(frame: pl.DataFrame, options: Files, faults: Faults) -> tuple[pl.Expr, pl.Expr]:
    """Return whether a response failed, and whether it is unanswered, by `error` and `state`."""
    failed = unanswered = pl.lit(False)
    if "error" in frame.columns:
        failed = ~pl.col("error").str.to_lowercase().is_in(NO_ERROR).fill_null(True)
    if "state" in frame.columns:
        states_by_name = dict.fromkeys((ANSWERED_STATE, "unanswered", "error"))
        words = {**{name: name for name in states_by_name}, **options.get("states", {})}
        states = frame["state"].replace_strict(words, default=None, return_dtype=pl.String)
        unknown = frame.filter(states.is_null(), pl.col("state").is_not_null())
        accepted = [quote(word, 20) for word in options.get("states") or states_by_name]
        expected = f"one of {', '.join(accepted)} (`states:` in config.yaml)"
        unknown = unknown.unique("line", maintain_order=True)
        faults.add_rows(unknown, "the state {}", expected, "state")
        failed = failed | pl.lit(states.eq_missing("error"))
        unanswered = pl.lit(states.eq_missing("unanswered"))
    return failed, unanswered & ~failed


def grade_by_number(values: pl.Series, threshold: float, decimal: str | None) -> pl.Series:
    """Return verdicts: correct from `threshold` on (true is 1); unscored if empty or NaN."""
    words = values.str.to_lowercase()
    number = pl.lit(numbers.parse_reals(words.replace({"true": "1", "false": "0"}), decimal))
    is_empty = pl.lit(words.is_null() | words.is_in(["nan", "null"]))
    is_correct = number >= threshold
    verdict = pl.when(is_empty).then(pl.lit("unscored")).when(is_correct).then(pl.lit("correct"))
    return pl.select(verdict.when(~is_correct).then(pl.lit("wrong"))).to_series()


def grade_by_words(frame: pl.DataFrame, options: Files, task: str, faults: Faults) -> pl.DataFrame:
    """Return verdicts from the file's words or numbers; rows of a response have the same `row`."""
    known_words = {name: name for name in tasks.get(task).words} | {"": "unscored"}
    known_words |= options.get("verdicts", {})
    verdict = pl.col("value").fill_null("")
    verdict = verdict.replace_strict(known_words, default=None, return_dtype=pl.String)
    never_asked = is_among(pl.col("value"), options.get("missing", []))
    # If any assessor judged a response, the question was asked; for one who says that it was not,
    # it is unscored.
    missing = never_asked.all().over("row") if "assessors" in options else never_asked
    verdict = pl.when(never_asked).then(pl.lit("unscored")).otherwise(verdict)
    frame = frame.with_columns(missing=missing, verdict=verdict)
    if "correct_from" in options:
        threshold, decimal = options["correct_from"], options.get("decimal")
        numeric = grade_by_number(frame["value"], threshold, decimal)
        frame = frame.with_columns(pl.col("verdict").fill_null(numeric))
    words = ", ".join(quote(word, 20) for word in (options.get("verdicts") or known_words) if word)
    number = ", or a number" if "correct_from" in options else ""
    unknown = frame.filter(pl.col("verdict").is_null())
    unknown = unknown.unique(["line", "value"], maintain_order=True)
    faults.add_rows(unknown, "the verdict {}", f"one of {words}{number}", "value")
    if tasks.get(task).pairs:
        positive = pl.col("verdict").replace_strict(POSITIVE, default=None, return_dtype=pl.Boolean)
        frame = frame.with_columns(pl.col("verdict").replace(OUTCOMES), positive=positive)
    verdict = pl.when("missing").then(pl.lit("unanswered")).otherwise("verdict")
    return frame.with_columns(verdict=verdict).drop("value")
