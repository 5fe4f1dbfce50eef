"""Warnings of what may mislead without being a fault: dropped rows, and names that look alike or
like formulas.

Such names are kept, since people join their own tables by them.
"""

from pathlib import Path

import polars as pl

from nonresponse import tables
from nonresponse.legible import FORMULA, LONGEST
from nonresponse.settings import Options
from nonresponse.wording import plural, summarise_names

MOST_WARNINGS = 20  # warnings of one kind
INVISIBLE = r"[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}]"
# Kinds of names that .csv files have as they are; tables.harmless treats all others
CSV_KINDS = ["run", "assessor", "category"]
# Of kinds of names; all others take an s
PLURALS = {"category": "categories"}


def describe_dropped(campaign: Options, folder: Path, shards: list[int]) -> list[str]:
    """Return sentences on the rows that `duplicates:` dropped, by run and by assessor."""
    runs = [folder / "runs" / f"{shard}.parquet" for shard in shards]
    sentences = []
    for part, files, kind, noun in (
        ("graded", runs, "run", "row"),
        ("runs", runs, "run", "row"),
        ("judgments", [folder / "assessors.parquet"], "assessor", "judgment"),
    ):
        if part in campaign:
            rows = tables.read_parquet(files).group_by(kind).agg(pl.col("dropped").sum())
            rows = rows.filter(pl.col("dropped") > 0).sort(kind)
            number = plural(int(rows["dropped"].sum()), noun)
            sentence = f"`duplicates: {campaign[part].get('duplicates')}` dropped {number}"
            sentences += [f"{sentence}: {list_numbers(rows)}."] * (rows.height > 0)
    return sentences


def list_numbers(rows: pl.DataFrame) -> str:
    """Return names, each with a number."""
    return summarise_names([f"{quote(name)} ({number:,})" for name, number in rows.rows()])


def describe_unscored(campaign: Options, folder: Path, shards: list[int]) -> list[str]:
    """Return a sentence on responses that an assessor did not judge, but others did."""
    if not campaign.get("graded", {}).get("missing"):
        return []
    rows = tables.scan_parquet([folder / "graded" / f"{shard}.parquet" for shard in shards])
    unscored = pl.col("verdict") == "unscored"
    is_judged = (~unscored).any().over(tables.GRADED_KEY[1:])
    rows = rows.filter(~pl.col("missing")).with_columns(judged=is_judged).filter(unscored, "judged")
    numbers = rows.group_by("assessor").len().sort("assessor").collect()
    if numbers.is_empty():
        return []
    number = plural(int(numbers["len"].sum()), "response")
    reason = f"though other assessors judged: {number}, by a word of `missing:` or"
    return [f"Unscored for {list_numbers(numbers)}, {reason} without a verdict."]


def find_doubts(runs: list[str], files: list[Path]) -> list[str]:
    """Return a line for each doubt on the names of runs, and on those in Parquet files."""
    names = {"run": pl.Series("run", runs, pl.String).unique()}
    for kind in ("assessor", "category", "question"):
        columns = [
            frame.select(pl.col(kind).unique().cast(pl.String))
            for frame in map(tables.scan_parquet, files)
            if kind in frame.collect_schema()
        ]
        column = pl.concat([*columns, pl.LazyFrame(schema={kind: pl.String})])
        names[kind] = column.drop_nulls().unique().collect()[kind]
    warnings = [line for kind in CSV_KINDS for line in warn_of_formulas(names[kind], kind)]
    for kind in names:
        lines = warn_of_spellings(names[kind], kind)
        noun = PLURALS.get(kind, f"{kind}s")
        remainder = f"Warning: and {len(lines) - MOST_WARNINGS:,} more such {noun}."
        warnings += lines[:MOST_WARNINGS] + [remainder] * (len(lines) > MOST_WARNINGS)
    return warnings


def warn_of_formulas(names: pl.Series, kind: str) -> list[str]:
    """Return a warning of the names that a spreadsheet may take for formulas."""
    formulas = names.filter(names.str.contains(f"{FORMULA}.")).sort()
    if formulas.is_empty():
        return []
    noun, verb, pronoun = PLURALS.get(kind, f"{kind}s"), "begin like formulas", "them"
    if len(formulas) == 1:
        noun, verb, pronoun = kind, "begins like a formula", "it"
    subject = f"the {noun} {summarise_names([quote(name) for name in formulas])} {verb}"
    reason = f"a spreadsheet that opens the .csv files may take {pronoun} for such"
    return [f"Warning: {subject}: {reason}."]


def warn_of_spellings(names: pl.Series, kind: str) -> list[str]:
    """Return warnings of names that differ only in capitals, blanks or Unicode forms."""
    form = pl.col("name").str.normalize("NFKC").str.to_lowercase().str.replace_all(INVISIBLE, "")
    groups = pl.DataFrame({"name": names}).group_by(form.alias("form")).agg(pl.col("name").sort())
    groups = groups.filter(pl.col("name").list.len() > 1).sort("form")
    noun = PLURALS.get(kind, f"{kind}s")
    difference = "only in capitals, blanks, invisible characters or the form of letters"
    return [
        f"Warning: the {noun} {summarise_names([*map(quote, group)])} differ {difference}."
        for group in groups["name"].to_list()
    ]


def quote(name: str) -> str:
    """Return a name in quotes, with code points for what is not ASCII: no two look the same."""
    return ascii(name if len(name) <= LONGEST else f"{name[: LONGEST - 3]}...")
