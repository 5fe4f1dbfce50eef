"""The comparison of runs as the workflow makes it; what its tests share."""

from nonresponse.statistics import jobs, sign_flips
from nonresponse.statistics.compared import Compared

OPTIONS = {"seed": 1, "samples": 300, "flips": 300}


def compared(seen, level: float = 0.1, campaign: str = "c", **options):
    """intervals and comparisons as the workflow makes them, seed 1."""
    options = OPTIONS | {"level": level} | options
    return jobs.make_tables("comparison", seen, "gold", campaign, options)[:2]


def flips_of(counter, those: Compared, seed: int, campaign: str, flips: int):
    """What one counter of sign_flips counts."""
    [found] = sign_flips.count_flips(those, [counter], seed, campaign, flips)
    return found
