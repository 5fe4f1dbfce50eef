"""How what a stage costs grows with runs and questions, what a hundred million answers cost, and
what a billion would.

A stage costs its start times its jobs, which a campaign of hardly any size shows. What it costs
beyond that is taken to grow as size to some power. Where nothing can be told, the power is the
documented one.
"""

import numpy as np
from formatting import between, short, table
from metering import SNAKEMAKE

KINDS = {"seconds": "time", "bytes": "memory"}
# docs/cluster.md, "What it costs": as 1 along both axes, but for what compares runs in pairs, and
# for the DAG, which does not grow with them.
PAIRS = ("trials", "summaries", "reliability")
TOLERANCE = 0.3  # by which a fitted exponent may exceed the documented one
LEAST = {"seconds": 1, "bytes": 50 * 2**20}  # beyond the start; of less nothing can be told
QUESTIONS, PER_SHARD = 100_000, 5_000_000  # a billion answers of as many runs as were tried
SMALLEST = {"seconds": 5, "gb": 0.5}  # what a stage has at least to be a row of the billion
TEXT = """
## How it grows

Simulated campaigns of {runs:,} runs × {questions:,} questions, two measures, one assessor and {samples:,} samples. One
number grows at a time, and a power of it is fitted to the time and the memory of each stage. {faster}
"""
TRIED = """
## A hundred million answers

{runs:,} runs × {questions:,} questions with {measures} and the default analyses, in {shards:,} shards: {minutes:.1f}
minutes on two cores, {seconds:,.0f} s of CPU, at most {gb:.1f} GB in a process. Stages below {least} s and {least_gb} GB
are left out.

{stages}
By the powers of questions, measured and documented, a billion answers, which are {more:,} questions in {more_shards:,}
shards, take {hours} hours of one processor and up to {most} GB in a process.
"""


def documented_power(stage: str, axis: str) -> int:
    """The power of the size that a stage may grow with."""
    return 0 if stage == SNAKEMAKE else 2 if axis == "runs" and stage in PAIRS else 1


def exponent(sizes: list[float], cost: list[float], least: float) -> float | None:
    """The power by which a cost beyond the start grows; None where it is too small, or seen at too
    few sizes, to tell.

    A straight line through the logarithms. What is noise in a cost is the same for small and large
    ones, so the weight of a logarithm is the cost.
    """
    x, y = np.array(sizes), np.array(cost)
    positive = y > 0
    if y.max() < least or positive.sum() < 3:
        return None
    return float(np.polyfit(np.log(x[positive]), np.log(y[positive]), 1, w=y[positive])[0])


def fit(costs: list[dict], start: dict, sizes: list[int], axis: str) -> list[dict]:
    """For each stage, its exponents of time and memory along an axis, beside the documented one;
    most time first.

    `start` of a row is what a job of the stage costs before it does anything: seconds and bytes.
    """
    rows = []
    for stage in costs[-1]:
        stage_costs = [cost[stage] for cost in costs if stage in cost]
        if len(stage_costs) < len(costs) or stage not in start:
            continue
        base = start[stage]
        first = {"seconds": base["seconds"] / base["jobs"], "bytes": base["bytes"]}
        row = {"axis": axis, "stage": stage, "sizes": sizes}
        row |= {"documented": documented_power(stage, axis)}
        for kind, jobs in (
            ("seconds", [cost["jobs"] for cost in stage_costs]),
            ("bytes", [1] * len(stage_costs)),
        ):
            row[kind] = [cost[kind] for cost in stage_costs]
            excess = [
                total - number * first[kind] for total, number in zip(row[kind], jobs, strict=True)
            ]
            row[f"{kind}_exponent"] = exponent(sizes, excess, LEAST[kind])
        rows.append(row | {"start": first})
    return sorted(rows, key=lambda row: -row["seconds"][-1])


def sentence(rows: list[dict]) -> str:
    """Name what grows faster than documented."""
    faster = [
        f"the {name} of `{row['stage']}` with {row['axis']}^{power:.1f}"
        for row in rows
        for kind, name in KINDS.items()
        if (power := row[f"{kind}_exponent"]) is not None and power > row["documented"] + TOLERANCE
    ]
    if not faster:
        return "Nothing grows faster than [documented](cluster.md#what-it-costs)."
    return f"Faster than documented grows {'; '.join(faster)}."


def section(result: dict) -> str:
    """The section of the page on what was measured."""
    return TEXT.format(**result["base"], faster=sentence(result["rows"]))


def render_largest(large: dict, scaling: dict) -> str:
    """Render the section on the largest campaign evaluated, and on one ten times as large."""
    costs = {
        stage: extrapolate(stage, usage, large, scaling["rows"])
        for stage, usage in large["stages"].items()
    }
    cells = [
        {
            "stage": f"`{stage}`",
            "jobs": f"{usage['jobs']:,}",
            "CPU, s": short(usage["seconds"]),
            "memory of the largest, GB": short(usage["bytes"] / 1e9),
        }
        for stage, usage in sorted(large["stages"].items(), key=lambda item: -item[1]["seconds"])
        if usage["seconds"] >= SMALLEST["seconds"] or usage["bytes"] >= SMALLEST["gb"] * 1e9
    ]
    total = [sum(cost["seconds"][way] for cost in costs.values()) / 3600 for way in (0, 1)]
    return TRIED.format(
        **{name: large[name] for name in ("runs", "questions", "shards", "seconds", "gb")},
        measures=" and ".join(large["measures"]),
        minutes=large["wall"] / 60,
        more=QUESTIONS,
        more_shards=large["runs"] * QUESTIONS // PER_SHARD,
        least=SMALLEST["seconds"],
        least_gb=SMALLEST["gb"],
        stages=table(cells),
        most=short(max(max(cost["gb"]) for cost in costs.values())),
        hours=between(*total),
    )


def extrapolate(stage: str, usage: dict, large: dict, rows: list[dict]) -> dict:
    """Return seconds and gb, each by measured and by documented powers of questions.

    The time of a stage that is spread over the shards is that of all of them; its memory, that of
    one shard.
    """
    slope = next(
        (row for row in rows if row["stage"] == stage and row["axis"] == "questions"),
        {"documented": documented_power(stage, "questions"), "start": {"seconds": 0.0, "bytes": 0}},
    )
    spread = usage["jobs"] == large["shards"]
    jobs = large["runs"] * QUESTIONS // PER_SHARD if spread else usage["jobs"]
    estimate = {}
    for name, kind, unit in (("seconds", "seconds", 1), ("gb", "bytes", 1e9)):
        before, after = (usage["jobs"], jobs) if kind == "seconds" else (1, 1)
        start = slope["start"][kind]
        excess = max(usage[kind] - before * start, 0)
        powers = [slope.get(f"{kind}_exponent"), slope["documented"]]
        factors = [
            (QUESTIONS / large["questions"]) ** (powers[1] if power is None else power)
            for power in powers
        ]
        if kind == "bytes" and spread:  # a shard has so many times the answers that it had
            answers = large["runs"] * large["questions"] / large["shards"]
            factors = [PER_SHARD / answers] * 2
        estimate[name] = [(after * start + excess * factor) / unit for factor in factors]
    return estimate
