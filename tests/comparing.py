"""The comparison of runs as the workflow makes it; what its tests share."""

from nonresponse.reliability import analyses, randomisation


def paired(seen, score, trials: int, campaign: str = "c"):
    """p of every pair by so many permutations, seed 1."""
    return randomisation.paired(score, *randomisation.permuted(seen, score, 1, campaign, range(trials)))


def compared(seen, level: float = 0.1, **options):
    """The tables of the comparison as the workflow makes them, seed 1."""
    options = {"seed": 1, "samples": 300, "exchanges": 300, "deals": 300, "level": level} | options
    trials = analyses.get("comparison").trials
    return trials.make(seen, "gold", "c", options, trials.counted(seen, "c", options))
