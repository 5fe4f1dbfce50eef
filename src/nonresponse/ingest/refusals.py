"""Applies the rules of a campaign on the texts of answers (`refusals:`, docs/logs.md).

Rules look at answers that were given, and at empty ones. A state that the file or the log itself
gives always wins. Where a threshold withheld the answers to a question (`below_threshold`), an
empty one among them is unanswered, too.
"""

import polars as pl

from nonresponse import formats, tables
from nonresponse.formats.row_choice import ANSWER_VERDICTS
from nonresponse.settings import Files

BELOW_THRESHOLD = {"below_threshold": pl.Boolean}  # null where there is no threshold
# Read with responses: what the run said, if `answer` has another spelling
TEXT = BELOW_THRESHOLD | {"text": pl.String}
# Read with graded responses: "" = an empty answer, null = unknown
ANSWER = BELOW_THRESHOLD | {"answer": pl.String}
DECIDED = ("text", "rule", "phrase")  # columns that only `list_ruled` reads
HEAD = 200  # characters of an answer that tables.RULED keeps
AROUND = 40  # characters of context before and after a phrase
# Where rules look for a phrase, as regular expressions, in the order of precedence
PLACES = {"prefixes": "^{}", "last_line": "{}", "contains": "{}"}
BLANK = r"[\s\p{Cc}]+"  # what a table shows as one blank
APOSTROPHES = "‘’ʼ"  # which rules take for plain ones


def rule_responses(rows: pl.DataFrame, options: Files) -> pl.DataFrame:
    """Return responses with `by_rule` and DECIDED; some formats have no empty answers."""
    has_state = pl.col("failed") | pl.col("below_threshold").fill_null(False)
    unanswered = ~pl.col("answered") & ~has_state & pl.coalesce("answer", "candidate").is_null()
    unanswered &= pl.lit(formats.FORMATS[options["format"]].has_empty_answers)
    is_given = pl.col("answered") & ~pl.col("nil") & ~pl.col("failed")
    rows = rows.with_columns(text=pl.coalesce("text", "answer"))
    return apply_rules(rows, options, is_given, pl.when(unanswered).then(pl.lit("unanswered")))


def rule_grades(rows: pl.DataFrame, options: Files) -> pl.DataFrame:
    """Return graded responses with `by_rule` and DECIDED; by a key, empty ones always count."""
    was_asked = ~pl.col("missing")
    is_given = was_asked & pl.col("verdict").is_in(ANSWER_VERDICTS)
    unanswered = was_asked & (pl.col("answer") == "") & ~pl.col("below_threshold").fill_null(False)
    unanswered &= is_given | pl.lit("gold" in options)
    rows = rows.with_columns(text=pl.col("answer"))
    return apply_rules(rows, options, is_given, pl.when(unanswered).then("verdict"))


def apply_rules(
    rows: pl.DataFrame, options: Files, is_given: pl.Expr, empty: pl.Expr
) -> pl.DataFrame:
    """Return the rows with `by_rule` and DECIDED, by the first rule that fits the `text`.

    Rules on phrases look at rows where `is_given` holds. `empty`: the state of a row with an empty
    answer, else null.
    """
    stripped = pl.col("text").str.strip_chars()
    text = normalise(stripped)
    places = {"last_line": text.str.extract(r"([^\n]*\S[^\n]*)\s*$")}
    phrases: dict[str, pl.Expr] = {}  # the phrase that fits, by rule
    states: dict[str, str] = {}
    for rule, state in (("failed", "error"), ("unanswered", "unanswered")):
        words = [word.strip() for word in options.get(rule, [])]
        phrases[rule], states[rule] = pl.when(stripped.is_in(words)).then(stripped), state
    for kind, template in PLACES.items():
        for option, rule, state in (
            ("failures", f"failures.{kind}", "error"),
            ("refusals", kind, "unanswered"),
        ):
            sought = options.get(option, {}).get(kind, [])
            phrases[rule] = extract_phrase(places.get(kind, text), sought, template)
            states[rule] = state
    columns = {rule: f"by {rule}" for rule in phrases}
    rows = rows.with_columns(
        pl.when(is_given).then(phrase).alias(columns[rule]) for rule, phrase in phrases.items()
    )
    fits = [
        pl.when(pl.col(name).is_not_null()).then(pl.lit(rule)) for rule, name in columns.items()
    ]
    empty_state = options.get("refusals", {}).get("empty")
    if empty_state is not None:
        states["empty"] = empty_state
        fits.append(pl.when(empty != pl.lit(empty_state)).then(pl.lit("empty")))
    rows = rows.with_columns(rule=pl.coalesce(fits), phrase=pl.coalesce(columns.values()))
    ruled_state = pl.col("rule").replace_strict(states, default=None, return_dtype=pl.String)
    return rows.drop(columns.values()).with_columns(by_rule=ruled_state.cast(tables.RULED_STATE))


def normalise(text: pl.Expr) -> pl.Expr:
    """Return a text in small letters and with plain apostrophes."""
    return text.str.to_lowercase().str.replace_all(f"[{APOSTROPHES}]", "'")


def extract_phrase(text: pl.Expr, phrases: list[str], template: str) -> pl.Expr:
    """Return which of the phrases is at this place (of PLACES) of a text; null if none is."""
    normalised = pl.select(normalise(pl.lit(pl.Series(phrases, dtype=pl.String)))).to_series()
    pattern = "|".join(pl.escape_regex(phrase) for phrase in normalised)
    return text.str.extract(template.format(f"({pattern})")) if pattern else pl.lit(None, pl.String)


def list_ruled(rows: pl.DataFrame) -> pl.DataFrame:
    """Return tables.RULED: the rows whose state a rule decided; empty for rows without DECIDED."""
    if "rule" not in rows.columns:
        return tables.make_empty(tables.RULED)
    rows = rows.filter(pl.col("by_rule").is_not_null())
    contexts = [quote_context(*row) for row in rows.select("text", "rule", "phrase").rows()]
    text = pl.col("text").fill_null("").str.replace_all(BLANK, " ").str.strip_chars()
    context = pl.lit(pl.Series(contexts, dtype=pl.String)).str.replace_all(BLANK, " ")
    rows = rows.with_columns(answer=text.str.slice(0, HEAD), context=context.str.strip_chars())
    return tables.complete(rows, tables.RULED).sort(tables.RULED_KEY)


def quote_context(text: str | None, rule: str, phrase: str | None) -> str:
    """Return the phrase in brackets with the text around it; "" for a rule without one."""
    text, kind = text or "", rule.rpartition(".")[2]
    normalised = text.lower() if len(text.lower()) == len(text) else text
    normalised = normalised.translate(dict.fromkeys(map(ord, APOSTROPHES), "'"))
    find = normalised.rfind if kind == "last_line" else normalised.find
    begin = find(phrase or "")
    if not phrase or kind in ("unanswered", "failed") or begin < 0:
        return ""
    end = begin + len(phrase)
    head = "…" * (begin > AROUND) + text[max(begin - AROUND, 0) : begin]
    tail = text[end : end + AROUND] + "…" * (len(text) > end + AROUND)
    return f"{head}[{text[begin:end]}]{tail}"
