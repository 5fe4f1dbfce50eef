"""Peers that compare runs by a paired bootstrap.

SciPy's bootstrap, over the numbers of the questions, has all pairs at once; what takes two runs has
the first pairs. Pairs are in the order of np.triu_indices; FOLDER/sizes.json says how many, and how
many samples.
"""

import json
from pathlib import Path

LEVEL = 0.05


def matrices(folder: Path):
    """What reads accuracy by run and question, and which questions are unanswered, as float64."""
    import numpy as np

    return lambda: [
        np.load(folder / f"{name}.npy").astype(float) for name in ("right", "unanswered")
    ]


def pairs(folder: Path, runs: int):
    """The pairs to compare, and the number of samples."""
    import numpy as np

    sizes = json.loads((folder / "sizes.json").read_text())
    x, y = np.triu_indices(runs, 1)
    return list(zip(x, y, strict=True))[: sizes["pairs"]], sizes["samples"]


def c_at_1(right, unanswered, axis):
    return right.mean(axis) * (1 + unanswered.mean(axis))


def scipy_bootstrap(folder: Path):
    import numpy as np
    from scipy.stats import bootstrap

    def compute(data):
        right, unanswered = data
        x, y = np.triu_indices(len(right), 1)

        def differences(questions, axis):
            scores = c_at_1(right[:, questions], unanswered[:, questions], axis)
            return scores[x] - scores[y]

        settings = {"method": "percentile", "confidence_level": 1 - LEVEL, "rng": 1}
        settings |= {"batch": 100, "vectorized": True}
        samples = pairs(folder, len(right))[1]
        result = bootstrap(
            (np.arange(right.shape[1]),), differences, n_resamples=samples, **settings
        )
        return np.stack(result.confidence_interval, axis=1).ravel()

    return matrices(folder), compute


def evalstats_bootstrap(folder: Path):
    from evalstats.core.paired import pairwise_differences

    def compute(data):
        selected, samples = pairs(folder, len(data[0]))
        settings = {"method": "bootstrap", "ci": 1 - LEVEL, "n_bootstrap": samples}
        results = [pairwise_differences(data[0], x, y, **settings) for x, y in selected]
        return [end for pair in results for end in (pair.ci_low, pair.ci_high)]

    return matrices(folder), compute
