"""How what a stage costs grows with the size of a campaign: a power, fitted to what was measured,
beside a bound.

A stage costs something before it does anything: the start of a process and its imports, which a
campaign of hardly any size shows, times its jobs. What it costs beyond that is taken to grow as
size to some power.
"""

import numpy as np

KINDS = {"seconds": "time", "bytes": "memory"}
AXES = ("runs", "questions", "measures", "assessors", "samples")
PAIRS = {"runs": 2}  # of runs
# docs/cluster.md, "What it costs": as 1 along every axis, but for what compares runs, or assessors,
# in pairs, or for each assessor reads the verdicts of all.
DOCUMENTED = {
    "trials": PAIRS,
    "summaries": {"runs": 2, "measures": 2, "assessors": 2},
    "reliability": PAIRS,
}
TOLERANCE = 0.3  # by which a fitted exponent may exceed the documented one
# Beyond the start; of less there is nothing to be told
LEAST = {"seconds": 0.5, "bytes": 50 * 2**20, "disk": 10**5}


def documented(stage: str, axis: str) -> int:
    """The power of the size that a stage may grow with."""
    return DOCUMENTED.get(stage, {}).get(axis, 1)


def exponent(sizes: list[float], cost: list[float], least: float) -> float | None:
    """The power by which a cost beyond the start grows; None where it is too small, or seen at too
    few sizes, to tell.

    A straight line through the logarithms. What is noise in a cost is the same for small and large
    ones, so the weight of a logarithm is the cost.
    """
    x, y = np.array(sizes), np.array(cost)
    told = y > 0
    if y.max() < least or told.sum() < 3:
        return None
    return float(np.polyfit(np.log(x[told]), np.log(y[told]), 1, w=y[told])[0])


def faster(rows: list[dict]) -> list[dict]:
    """Which stages grow faster than documented, by kind (seconds, bytes) and exponent."""
    kinds = [
        row | {"kind": kind, "exponent": row[f"{kind}_exponent"]}
        for row in rows
        for kind in ("seconds", "bytes")
    ]
    return [
        row
        for row in kinds
        if row["exponent"] is not None and row["exponent"] > row["documented"] + TOLERANCE
    ]


def sentence(rows: list[dict]) -> str:
    """Names what grows faster than documented."""
    named = [
        f"the {KINDS[row['kind']]} of `{row['stage']}` with {row['axis']}^{row['exponent']:.1f}"
        for row in faster(rows)
    ]
    return (
        "Faster than documented grows " + "; ".join(named) + "."
        if named
        else "Nothing that can be told grows faster than documented."
    )
