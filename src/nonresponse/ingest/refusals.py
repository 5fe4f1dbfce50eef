"""Rules of a campaign that tell refusals by the texts of answers (`refusals:`, docs/logs.md).

Rules look at answers that were given, and at empty ones. A state that the file or the log itself
tells always wins, and where a threshold withheld the answers to a question (`below_threshold`), an
empty one among them is unanswered, too.
"""

import polars as pl

from nonresponse import formats, tables
from nonresponse.formats.row_choice import JUDGED
from nonresponse.settings import Files

BELOW_THRESHOLD = {"below_threshold": pl.Boolean}  # null where there is no threshold
# Read with responses: what the run said, if `answer` has another spelling
TEXT = BELOW_THRESHOLD | {"text": pl.String}
# Read with graded responses: "" = an empty answer, null = unknown
ANSWER = BELOW_THRESHOLD | {"answer": pl.String}
DECIDED = ("text", "rule", "phrase")  # columns that only `account` reads
HEAD = 200  # characters of an answer that tables.RULED keeps
AROUND = 40  # characters of context before and after a phrase
# Where rules look for a phrase, as regular expressions, in the order in which they are tried.
PLACES = {"prefixes": "^{}", "last_line": "{}", "contains": "{}"}
BLANK = r"[\s\p{Cc}]+"  # what a table shows as one blank
LAST_LINE = r"([^\n]*\S[^\n]*)\s*$"


def rule_responses(rows: pl.DataFrame, options: Files) -> pl.DataFrame:
    """Return responses with `by_rule` and DECIDED; some formats have no empty answers."""
    is_decided = pl.col("failed") | pl.col("below_threshold").fill_null(False)
    unanswered = ~pl.col("answered") & ~is_decided & pl.coalesce("answer", "candidate").is_null()
    unanswered &= pl.lit(formats.FORMATS[options["format"]].has_empty_answers)
    given = pl.col("answered") & ~pl.col("nil") & ~pl.col("failed")
    rows = rows.with_columns(text=pl.coalesce("text", "answer"))
    return apply_rules(rows, options, given, pl.when(unanswered).then(pl.lit("unanswered")))


def rule_grades(rows: pl.DataFrame, options: Files) -> pl.DataFrame:
    """Return graded responses with `by_rule` and DECIDED; by a key, empty ones always count."""
    seen = ~pl.col("missing")
    given = seen & pl.col("verdict").is_in(JUDGED)
    unanswered = seen & (pl.col("answer") == "") & ~pl.col("below_threshold").fill_null(False)
    unanswered &= given | pl.lit("gold" in options)
    rows = rows.with_columns(text=pl.col("answer"))
    return apply_rules(rows, options, given, pl.when(unanswered).then("verdict"))


def apply_rules(rows: pl.DataFrame, options: Files, given: pl.Expr, empty: pl.Expr) -> pl.DataFrame:
    """Return the rows with `by_rule` and DECIDED, by the first rule that fits the `text`.

    Rules on phrases look at rows where `given` is true. `empty`: the state of a row with an empty
    answer, else null.
    """
    stripped = pl.col("text").str.strip_chars()
    text = normalise(stripped)
    phrases: dict[str, pl.Expr] = {}
    states: dict[str, str] = {}
    for option, state in (("failed", "error"), ("unanswered", "unanswered")):
        words = [word.strip() for word in options.get(option, [])]
        phrases[option], states[option] = pl.when(stripped.is_in(words)).then(stripped), state
    for kind, template in PLACES.items():
        looked_at = text.str.extract(LAST_LINE) if kind == "last_line" else text
        for option, before, state in (
            ("failures", "failures.", "error"),
            ("refusals", "", "unanswered"),
        ):
            rule, sought = f"{before}{kind}", options.get(option, {}).get(kind, [])
            phrases[rule], states[rule] = extract_phrase(looked_at, sought, template), state
    by_empty = options.get("refusals", {}).get("empty")
    empties = pl.lit(by_empty is not None) & (empty != pl.lit(by_empty))
    rows = rows.with_columns(
        pl.when(given).then(phrase).alias(f"by {rule}") for rule, phrase in phrases.items()
    )
    found = {name: pl.col(f"by {name}") for name in phrases}
    fitting = [pl.when(phrase.is_not_null()).then(pl.lit(name)) for name, phrase in found.items()]
    first = pl.coalesce(*fitting, pl.when(empties).then(pl.lit("empty")))
    rows = rows.with_columns(rule=first, phrase=pl.coalesce(*found.values()))
    meaning = states | {"empty": by_empty}
    meant = pl.col("rule").replace_strict(meaning, default=None, return_dtype=pl.String)
    rows = rows.drop(f"by {rule}" for rule in phrases)
    return rows.with_columns(by_rule=meant.cast(tables.BY_RULE))


def normalise(text: pl.Expr) -> pl.Expr:
    """Return a text in small letters and with plain apostrophes."""
    return text.str.to_lowercase().str.replace_all("[‘’ʼ]", "'")


def extract_phrase(text: pl.Expr, phrases: list[str], template: str) -> pl.Expr:
    """Return the phrase found at this place (of PLACES) of a plain text; null if none is."""
    frame = pl.DataFrame({"phrase": phrases}, {"phrase": pl.String})
    compared = frame.select(normalise(pl.col("phrase"))).to_series()
    pattern = "|".join(pl.escape_regex(phrase) for phrase in compared)
    return text.str.extract(template.format(f"({pattern})")) if pattern else pl.lit(None, pl.String)


def list_ruled(rows: pl.DataFrame) -> pl.DataFrame:
    """Return tables.RULED: the rows whose state a rule decided; empty for rows without DECIDED."""
    if "rule" not in rows.columns:
        return tables.empty(tables.RULED)
    ruled = rows.filter(pl.col("by_rule").is_not_null())
    text = pl.col("text").fill_null("").str.replace_all(BLANK, " ")
    head = text.str.strip_chars().str.slice(0, HEAD)
    around = [quote_context(*row) for row in ruled.select("text", "rule", "phrase").rows()]
    ruled = ruled.with_columns(answer=head, context=pl.Series(around, dtype=pl.String))
    ruled = ruled.with_columns(pl.col("context").str.replace_all(BLANK, " ").str.strip_chars())
    return tables.complete(ruled, tables.RULED).sort(tables.RULED_KEY)


def quote_context(text: str | None, rule: str, phrase: str | None) -> str:
    """Return the phrase in brackets with the text around it; "" for a rule without one."""
    whole_text, kind = text or "", rule.rpartition(".")[2]
    small = whole_text.lower() if len(whole_text.lower()) == len(whole_text) else whole_text
    plain_text = small.translate(dict.fromkeys(map(ord, "‘’ʼ"), "'"))
    late = kind == "last_line"
    begin = (plain_text.rfind if late else plain_text.find)(phrase or "")
    if not phrase or kind in ("unanswered", "failed") or begin < 0:
        return ""
    end = begin + len(phrase)
    before, after = whole_text[max(begin - AROUND, 0) : begin], whole_text[end : end + AROUND]
    more = ["…" * (begin > AROUND), "…" * (len(whole_text) > end + AROUND)]
    return f"{more[0]}{before}[{whole_text[begin:end]}]{after}{more[1]}"
