"""What the analyses found, with a row per measure."""

import polars as pl

from nonresponse.reliability import comparison, sample_size, swap

PUBLISHED_TASK = "qa"  # of table 2 of Peñas & Rodrigo 2011
DIFFERENCES = [step / 100 for step in range(1, 16)]


def sensitivity(swaps: dict[str, pl.DataFrame], level: float) -> pl.DataFrame:
    """Table 2 of Peñas & Rodrigo 2011: a row per measure."""
    rows = [
        {"measure": id, "questions": table["questions"][0], **swap.sensitivity(table, level)}
        for id, table in swaps.items()
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def beside(own: pl.DataFrame, published: pl.DataFrame) -> pl.DataFrame:
    """The published figures of the same measures, of other data, in columns of their own; null where there are none."""
    published = published.rename(lambda name: name if name == "measure" else f"published_{name}")
    return own.join(published, on="measure", how="left", maintain_order="left")


def sample_sizes(tables: dict[str, pl.DataFrame], level: float) -> tuple[pl.DataFrame, pl.DataFrame]:
    """For each measure the difference that its questions can tell, and the questions that a difference needs."""
    differences, needed = [], []
    for id, table in tables.items():
        n = table["size"].max() or 1  # a single question has no two halves, and so no sizes
        fits = sample_size.fit(table.drop_nulls("comparisons"))
        required = sample_size.required_difference(fits, n, level)
        at_n = table.filter(pl.col("comparisons").is_null() & pl.col("lower").eq_missing(required))
        differences.append(
            {"measure": id, "questions": n, "required_difference": required, "error_rate": at_n["fitted"].max()}
        )
        of_measure = sample_size.questions_needed(fits, DIFFERENCES, level, n)
        needed.append(of_measure.select(pl.lit(id).alias("measure"), pl.all()))
    return pl.DataFrame(differences, infer_schema_length=None), pl.concat(needed)


def discriminative_power(comparisons: dict[str, pl.DataFrame], level: float) -> pl.DataFrame:
    """The shares of pairs of runs told apart: a row per measure."""
    rows = [{"measure": id, **comparison.discriminative_power(table, level)} for id, table in comparisons.items()]
    return pl.DataFrame(rows, infer_schema_length=None)
