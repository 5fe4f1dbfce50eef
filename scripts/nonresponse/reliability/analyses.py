"""The analyses that run once per measure, by name: from the outcomes to their tables."""

import polars as pl

from nonresponse.measures import Measure
from nonresponse.reliability import outcomes
from nonresponse.reliability.subsets import size_for, sizes
from nonresponse.tables import TRIVIAL


def of_measure(
    analysis: str, verdicts, measure: Measure, policy: dict, official: str, campaign: str, options: dict
) -> list[pl.DataFrame]:
    """The tables of one analysis; SizeError when it asks for more questions than there are."""
    official = official or pl.scan_parquet(verdicts).select(pl.col("assessor").min()).collect().item()
    seen = outcomes.read(verdicts, measure, policy, official, TRIVIAL[measure.task])
    return ANALYSES[analysis](seen, campaign, official, options)


def stability(seen, campaign: str, official: str, options: dict) -> list[pl.DataFrame]:
    from nonresponse.reliability import stability

    size = size_for(seen.n, options["size"])
    count = {"shared": stability.counters, "per_pair": stability.counters_per_pair}[options["subsets"]]
    fuzziness = options["fuzziness"]
    counted = count(seen, options["seed"], campaign, size, range(options["trials"]), fuzziness)
    return [stability.table(*counted, fuzziness, size).with_columns(questions=pl.lit(seen.n))]


def swap(seen, campaign: str, official: str, options: dict) -> list[pl.DataFrame]:
    from nonresponse.reliability import swap

    size = size_for(seen.n, options["size"])
    lower = swap.lower_bounds(options["bins"], options["width"])
    count = {"shared": swap.counters, "per_pair": swap.counters_per_pair}[options["subsets"]]
    counted = count(seen, options["seed"], campaign, size, range(options["trials"]), lower)
    return [swap.table(*counted, size, lower).with_columns(questions=pl.lit(seen.n))]


def sample_size(seen, campaign: str, official: str, options: dict) -> list[pl.DataFrame]:
    """The swap method at many sizes; fitted curves, and their value at the size of the campaign."""
    from nonresponse.reliability import sample_size, swap

    lower = swap.lower_bounds(options["bins"], options["width"])
    trials = range(options["size_trials"])
    counted = []
    for size in sizes(seen.n, options["sizes"]):
        found = swap.counters(seen, options["seed"], campaign, size, trials, lower)
        counted.append(swap.table(*found, size, lower).select("bin", "lower", "size", "comparisons", "swaps"))
    swaps = pl.concat(counted) if counted else swap.table([0] * len(lower), [0] * len(lower), 0.0, 0, lower).clear()
    fits = sample_size.fit(swaps)
    return [sample_size.table(swaps, fits, seen.n)]


def comparison(seen, campaign: str, official: str, options: dict) -> list[pl.DataFrame]:
    from nonresponse.reliability import comparison

    names = ("seed", "samples", "exchanges", "deals", "level")
    return comparison.compare(seen, official, campaign=campaign, **{name: options[name] for name in names})


ANALYSES = {"stability": stability, "swap": swap, "sample_size": sample_size, "comparison": comparison}
