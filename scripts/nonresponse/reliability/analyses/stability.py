"""Stability: how often two runs come in another order on a random subset of the questions than on most."""

from nonresponse.reliability.analyses import Analysis, Trials, work_of_subsets


def count(outcomes, campaign: str, settings: dict, trials: range) -> dict:
    """wins and compared, as majority.counters has them."""
    from nonresponse.reliability import majority
    from nonresponse.reliability.subsets import size_for

    counters = {"shared": majority.counters, "per_pair": majority.counters_per_pair}[settings["subsets"]]
    size = size_for(outcomes.n, settings["size"])
    found = counters(outcomes, settings["seed"], campaign, size, trials, settings["fuzziness"])
    return dict(zip(("wins", "compared"), found, strict=True))


def make(outcomes, assessor: str, campaign: str, settings: dict, counted: dict) -> list:
    """The table of majority.table, with the number of all questions."""
    import polars as pl

    from nonresponse.reliability import majority
    from nonresponse.reliability.subsets import size_for

    size = size_for(outcomes.n, settings["size"])
    table = majority.table(counted["wins"], counted["compared"], settings["fuzziness"], size)
    return [table.with_columns(questions=pl.lit(outcomes.n))]


ANALYSIS = Analysis(
    "stability",
    Trials(
        tables=("stability",),
        settings=("seed", "size", "trials", "subsets", "fuzziness"),
        numbers=("trials",),
        work=work_of_subsets,
        count=count,
        make=make,
    ),
)
