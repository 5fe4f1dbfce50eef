"""The analyses that run once per measure: what they count over trials, in one block or in many, and their tables."""

from collections.abc import Iterable
from functools import reduce

import numpy as np
import polars as pl

from nonresponse import tasks
from nonresponse.measures import Measure
from nonresponse.reliability import outcomes
from nonresponse.reliability.subsets import BLOCK, share, size_for, sizes

# How the counters of two blocks become those of both; all others add up.
JOINED = {
    "samples": lambda one, other: np.concatenate([one, other], axis=1),
    "ranges": lambda one, other: np.concatenate([one, other]),
    "highest": np.fmax,
}


def read(verdicts, measure: Measure, policy: dict, official: str) -> outcomes.Outcomes:
    """The outcomes of all but the trivial runs, under the official judgments; if none are named, the only ones."""
    trivial = tasks.get(measure.task).trivial
    return outcomes.read(verdicts, measure, policy, official or only_assessor(verdicts), trivial)


def only_assessor(verdicts) -> str:
    return pl.scan_parquet(verdicts).select(pl.col("assessor").min()).collect().item()


def counted(analysis: str, seen, campaign: str, options: dict, block: int = 0, blocks: int = 1) -> dict:
    """What one block of the trials counts, arrays by name; SizeError when there are too few questions for `size`."""
    return COUNTING[analysis](seen, campaign, options, block, blocks)


def added(blocks: Iterable[dict]) -> dict:
    """The counters of all trials from those of the blocks, in their order."""
    return reduce(lambda one, other: {name: JOINED.get(name, np.add)(one[name], other[name]) for name in one}, blocks)


def stability_counters(seen, campaign, options, block, blocks) -> dict:
    from nonresponse.reliability import stability

    count = {"shared": stability.counters, "per_pair": stability.counters_per_pair}[options["subsets"]]
    trials = share(options["trials"], block, blocks)
    found = count(seen, options["seed"], campaign, size_for(seen.n, options["size"]), trials, options["fuzziness"])
    return dict(zip(("wins", "compared"), found, strict=True))


def stability_tables(seen, official, campaign, options, counters) -> list[pl.DataFrame]:
    from nonresponse.reliability import stability

    size = size_for(seen.n, options["size"])
    table = stability.table(counters["wins"], counters["compared"], options["fuzziness"], size)
    return [table.with_columns(questions=pl.lit(seen.n))]


def swap_counters(seen, campaign, options, block, blocks) -> dict:
    from nonresponse.reliability import swap

    count = {"shared": swap.counters, "per_pair": swap.counters_per_pair}[options["subsets"]]
    trials = share(options["trials"], block, blocks)
    lower = swap.lower_bounds(options["bins"], options["width"])
    found = count(seen, options["seed"], campaign, size_for(seen.n, options["size"]), trials, lower)
    return dict(zip(("comparisons", "swaps", "highest"), found, strict=True))


def swap_tables(seen, official, campaign, options, counters) -> list[pl.DataFrame]:
    from nonresponse.reliability import swap

    lower = swap.lower_bounds(options["bins"], options["width"])
    found = counters["comparisons"], counters["swaps"], float(counters["highest"])
    return [swap.table(*found, size_for(seen.n, options["size"]), lower).with_columns(questions=pl.lit(seen.n))]


def sample_size_counters(seen, campaign, options, block, blocks) -> dict:
    """The swap method at many sizes: (sizes, bins)."""
    from nonresponse.reliability import swap

    lower = swap.lower_bounds(options["bins"], options["width"])
    trials = share(options["size_trials"], block, blocks)
    found = [
        swap.counters(seen, options["seed"], campaign, size, trials, lower)[:2]
        for size in sizes(seen.n, options["sizes"])
    ]
    counters = np.array(found, np.int64).reshape(-1, 2, len(lower))
    return {"comparisons": counters[:, 0], "swaps": counters[:, 1]}


def sample_size_tables(seen, official, campaign, options, counters) -> list[pl.DataFrame]:
    """Swaps at all sizes; fitted curves, and their value at the size of the campaign."""
    from nonresponse.reliability import sample_size, swap

    lower = swap.lower_bounds(options["bins"], options["width"])
    of_sizes = [
        swap.table(*found, np.nan, size, lower)
        for size, *found in zip(
            sizes(seen.n, options["sizes"]), counters["comparisons"], counters["swaps"], strict=True
        )
    ]
    nothing = swap.table([0] * len(lower), [0] * len(lower), np.nan, 0, lower).clear()
    swaps = pl.concat([nothing, *of_sizes]).select("bin", "lower", "size", "comparisons", "swaps")
    return [sample_size.table(swaps, sample_size.fit(swaps), seen.n)]


def comparison_counters(seen, campaign, options, block, blocks) -> dict:
    from nonresponse.reliability import bootstrap, randomisation

    seed = options["seed"]
    samples, exchanges, deals = (share(options[name], block, blocks, BLOCK) for name in COMPARED)
    score = bootstrap.comparable(seen, seed, campaign, options["samples"], options["level"])
    as_large, defined = randomisation.exchanged(seen, score, seed, campaign, exchanges)
    return {
        "samples": bootstrap.sampled_scores(seen, seed, campaign, samples),
        "as_large": as_large,
        "counted": defined,
        "ranges": randomisation.ranges(seen, score, seed, campaign, deals),
    }


def comparison_tables(seen, official, campaign, options, counters) -> list[pl.DataFrame]:
    from nonresponse.reliability import bootstrap, comparison

    score = bootstrap.comparable(seen, options["seed"], campaign, options["samples"], options["level"])
    return comparison.compare(seen, official, score, counters, options["level"])


COMPARED = ("samples", "exchanges", "deals")
COUNTING = {
    "stability": stability_counters,
    "swap": swap_counters,
    "sample_size": sample_size_counters,
    "comparison": comparison_counters,
}
TABLES = {
    "stability": stability_tables,
    "swap": swap_tables,
    "sample_size": sample_size_tables,
    "comparison": comparison_tables,
}
