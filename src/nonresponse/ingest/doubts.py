"""Warnings of what may mislead without being a fault: dropped rows, and names that look alike or
like formulas.

Runs, assessors, categories and questions keep such names, since people join their own tables by
them.
"""

from pathlib import Path

import polars as pl

from nonresponse import tables
from nonresponse.legible import FORMULA, LONGEST
from nonresponse.settings import Options
from nonresponse.wording import listed, plural

MOST_WARNINGS = 20  # warnings of one kind
INVISIBLE = r"[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}]"
# The kinds of names in the .csv files; tables.harmless treats all others
CSV_KINDS = ["run", "assessor", "category"]
# The others just take an s
PLURALS = {"category": "categories", "name of an attribute": "names of attributes"}


def describe_dropped(campaign: Options, folder: Path, shards: list[int]) -> list[str]:
    """Return sentences on the rows that `duplicates:` dropped, by run and by assessor."""
    runs = [folder / "runs" / f"{shard}.parquet" for shard in shards]
    judgments, sentences = [folder / "assessors.parquet"], list[str]()
    for name, files, kind, what in (
        ("graded", runs, "run", "row"),
        ("runs", runs, "run", "row"),
        ("judgments", judgments, "assessor", "judgment"),
    ):
        if name in campaign:
            rows = pl.read_parquet(files).group_by(kind).agg(pl.col("dropped").sum())
            rows = rows.filter(pl.col("dropped") > 0).sort(kind)
            number = plural(int(rows["dropped"].sum()), what)
            sentence = f"`duplicates: {campaign[name].get('duplicates')}` dropped {number}"
            sentences += [f"{sentence}: {list_numbers(rows)}."] * (rows.height > 0)
    return sentences


def list_numbers(rows: pl.DataFrame) -> str:
    """Return names, each with a number."""
    return listed([f"{quote(name)} ({number:,})" for name, number in rows.rows()])


def describe_unscored(campaign: Options, folder: Path, shards: list[int]) -> list[str]:
    """Return a sentence on responses that an assessor did not judge, but others did."""
    if not campaign.get("graded", {}).get("missing"):
        return []
    files = [folder / "graded" / f"{shard}.parquet" for shard in shards]
    rows, unscored = (
        pl.scan_parquet(files).filter(~pl.col("missing")),
        pl.col("verdict") == "unscored",
    )
    judged = (~unscored).any().over(tables.GRADED_KEY[1:])
    some = rows.with_columns(judged=judged).filter(unscored, "judged")
    by_assessor = some.group_by("assessor").len().sort("assessor").collect()
    if by_assessor.is_empty():
        return []
    number = plural(int(by_assessor["len"].sum()), "response")
    others = f"though other assessors judged: {number}, by a word of `missing:` or"
    return [f"Unscored for {list_numbers(by_assessor)}, {others} without a verdict."]


def find_doubts(
    runs: list[str], files: list[Path], attributes: dict[str, dict[str, str]] | None = None
) -> list[str]:
    """Return a line for each doubt on the names of runs, in Parquet files, and of attributes."""
    names, attributes = {"run": pl.Series("run", runs, pl.String).unique()}, attributes or {}
    for kind in ("assessor", "category", "question"):
        columns = [
            frame.select(pl.col(kind).unique().cast(pl.String))
            for frame in map(pl.scan_parquet, files)
            if kind in frame.collect_schema()
        ]
        every = pl.concat([*columns, pl.LazyFrame(schema={kind: pl.String})])
        names[kind] = every.drop_nulls().unique().collect()[kind]
    warnings = [line for kind in CSV_KINDS for line in warn_of_formulas(names[kind], kind)]
    each = [value for of_runs in attributes.values() for value in of_runs.values()]
    values = pl.Series(each, dtype=pl.String)
    numbers = values.cast(pl.Float64, strict=False).is_not_null()
    warnings += warn_of_formulas(values.filter(~numbers).unique(), "attribute")
    warnings += warn_of_formulas(pl.Series([*attributes], dtype=pl.String), "name of an attribute")
    for kind in names:
        lines = warn_of_spellings(names[kind], kind)
        noun = PLURALS.get(kind, f"{kind}s")
        more = f"Warning: and {len(lines) - MOST_WARNINGS:,} more such {noun}."
        warnings += lines[:MOST_WARNINGS] + [more] * (len(lines) > MOST_WARNINGS)
    return warnings


def warn_of_formulas(names: pl.Series, kind: str) -> list[str]:
    like = names.filter(names.str.contains(f"{FORMULA}.")).sort()
    if like.is_empty():
        return []
    noun, begins, them = PLURALS.get(kind, f"{kind}s"), "begin like formulas", "them"
    if len(like) == 1:
        noun, begins, them = kind, "begins like a formula", "it"
    who = f"the {noun} {listed([quote(name) for name in like])} {begins}"
    return [f"Warning: {who}: a spreadsheet that opens the .csv files may take {them} for such."]


def warn_of_spellings(names: pl.Series, kind: str) -> list[str]:
    """Return warnings of names that differ only in capitals, blanks or Unicode forms."""
    form = pl.col("name").str.normalize("NFKC").str.to_lowercase().str.replace_all(INVISIBLE, "")
    groups = pl.DataFrame({"name": names}).group_by(form.alias("form")).agg(pl.col("name").sort())
    groups = groups.filter(pl.col("name").list.len() > 1).sort("form")
    how = "only in capitals, blanks, invisible characters or the form of letters"
    who = [listed([quote(name) for name in group]) for group in groups["name"].to_list()]
    return [f"Warning: the {PLURALS.get(kind, f'{kind}s')} {names} differ {how}." for names in who]


def quote(name: str) -> str:
    """Return a name in quotes, with code points for what is not ASCII: no two look the same."""
    return ascii(name if len(name) <= LONGEST else f"{name[: LONGEST - 3]}...")
