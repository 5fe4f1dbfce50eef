"""How what a stage costs grows with runs and questions, and what a billion answers would cost.

A stage costs its start times its jobs, which a campaign of hardly any size shows. What it costs
beyond that is taken to grow as size to some power. Where nothing can be told, the power is the
documented one.
"""

import numpy as np
from metering import SNAKEMAKE
from rendered import between, table

KINDS = {"seconds": "time", "bytes": "memory"}
# docs/cluster.md, "What it costs": as 1 along both axes, but for what compares runs in pairs, and
# for the DAG, which does not grow with them.
PAIRS = ("trials", "summaries", "reliability")
TOLERANCE = 0.3  # by which a fitted exponent may exceed the documented one
LEAST = {"seconds": 0.5, "bytes": 50 * 2**20}  # beyond the start; of less nothing can be told
RUNS, QUESTIONS, PER_SHARD = 10_000, 100_000, 5_000_000  # a billion answers; docs/cluster.md
SHOWN = {"seconds": 5, "gb": 0.5}  # what a stage has at least to be a row of the billion
TEXT = """
## How it grows

Simulated campaigns of {runs:,} runs × {questions:,} questions, two measures, one assessor and {samples:,} samples. One
number grows at a time. Time is that of all processes of a stage, memory that of the largest.

{faster} The tolerance is {tolerance}.

The power of the size that a stage grows with, in brackets the documented one. – is below {seconds} s or {megabytes} MB:

{powers}"""
BILLION = """
## A billion answers, on paper

Nobody evaluated this: {runs:,} runs × {questions:,} questions with {measures} and the default analyses, in {shards:,}
shards. It is computed from {of_runs:,} × {of_questions:,} by the powers above, two numbers where the documented ones
differ. Stages below {seconds} s and {gb} GB are left out.

{stages}
All together {jobs:,} jobs, {total} hours of one processor.
"""


def documented(stage: str, axis: str) -> int:
    """The power of the size that a stage may grow with."""
    return 0 if stage == SNAKEMAKE else 2 if axis == "runs" and stage in PAIRS else 1


def exponent(sizes: list[float], cost: list[float], least: float) -> float | None:
    """The power by which a cost beyond the start grows; None where it is too small, or seen at too
    few sizes, to tell.

    A straight line through the logarithms. What is noise in a cost is the same for small and large
    ones, so the weight of a logarithm is the cost.
    """
    x, y = np.array(sizes), np.array(cost)
    some = y > 0
    if y.max() < least or some.sum() < 3:
        return None
    return float(np.polyfit(np.log(x[some]), np.log(y[some]), 1, w=y[some])[0])


def fit(costs: list[dict], start: dict, sizes: list[int], axis: str) -> list[dict]:
    """For each stage, its exponents of time and memory along an axis, beside the documented one;
    most time first.

    `start` of a row is what a job of the stage costs before it does anything: seconds and bytes.
    """
    rows = []
    for stage in costs[-1]:
        seen = [each[stage] for each in costs if stage in each]
        if len(seen) < len(costs) or stage not in start:
            continue
        first = {
            "seconds": start[stage]["seconds"] / start[stage]["jobs"],
            "bytes": start[stage]["bytes"],
        }
        row = {"axis": axis, "stage": stage, "documented": documented(stage, axis), "sizes": sizes}
        for kind, jobs in (
            ("seconds", [each["jobs"] for each in seen]),
            ("bytes", [1] * len(seen)),
        ):
            row[kind] = [each[kind] for each in seen]
            beyond = [
                whole - number * first[kind] for whole, number in zip(row[kind], jobs, strict=True)
            ]
            row[f"{kind}_exponent"] = exponent(sizes, beyond, LEAST[kind])
        rows.append(row | {"start": first})
    return sorted(rows, key=lambda row: -row["seconds"][-1])


def sentence(rows: list[dict]) -> str:
    """Name what grows faster than documented."""
    named = [
        f"the {name} of `{row['stage']}` with {row['axis']}^{power:.1f}"
        for row in rows
        for kind, name in KINDS.items()
        if (power := row[f"{kind}_exponent"]) is not None and power > row["documented"] + TOLERANCE
    ]
    if not named:
        return "Nothing that can be told grows faster than documented."
    return f"Faster than documented grows {'; '.join(named)}."


def section(found: dict) -> str:
    """The section of the page on what was measured."""
    rows = found["rows"]
    return TEXT.format(
        **found["base"],
        faster=sentence(rows),
        tolerance=TOLERANCE,
        seconds=LEAST["seconds"],
        megabytes=LEAST["bytes"] // 2**20,
        powers=table(powers(rows)),
    )


def powers(rows: list[dict]) -> list[dict[str, str]]:
    """Stages by axes: the fitted powers with the documented one; without stages of which nothing
    can be told."""
    axes = dict.fromkeys(row["axis"] for row in rows)
    columns = [f"{axis}: {kind}" for axis in axes for kind in KINDS.values()]
    cells: dict[str, dict[str, str]] = {}
    for row in rows:
        for kind, name in KINDS.items():
            if (power := row[f"{kind}_exponent"]) is not None:
                text = f"{power:.1f} ({row['documented']})"
                cells.setdefault(row["stage"], {})[f"{row['axis']}: {name}"] = text
    return [
        {"stage": f"`{stage}`", **{name: own.get(name, "–") for name in columns}}
        for stage, own in cells.items()
    ]


def billion(workflow: dict, scaling: dict) -> str:
    """The section of the page on a billion answers, from a measured campaign and the powers."""
    large, costs = workflow["large"], {}
    for stage, used in large["stages"].items():
        costs[stage] = grown(stage, used, large, scaling["rows"])
    cells = [
        {
            "stage": f"`{stage}`",
            "jobs": f"{cost['jobs']:,}",
            "hours of CPU": between(*(seconds / 3600 for seconds in cost["seconds"])),
            "memory of the largest, GB": between(*cost["gb"]),
        }
        for stage, cost in sorted(costs.items(), key=lambda item: -max(item[1]["seconds"]))
        if any(max(cost[kind]) >= least for kind, least in SHOWN.items())
    ]
    total = [sum(cost["seconds"][way] for cost in costs.values()) / 3600 for way in (0, 1)]
    return BILLION.format(
        runs=RUNS,
        questions=QUESTIONS,
        shards=RUNS * QUESTIONS // PER_SHARD,
        of_runs=large["runs"],
        of_questions=large["questions"],
        measures=" and ".join(large["measures"]),
        jobs=sum(cost["jobs"] for cost in costs.values()),
        total=between(*total),
        stages=table(cells),
        **SHOWN,
    )


def grown(stage: str, used: dict, large: dict, rows: list[dict]) -> dict:
    """jobs; seconds and gb, each by measured and by documented powers.

    The time of a stage that is spread over the shards is that of all of them; its memory, that of
    one shard.
    """
    times = {"runs": RUNS / large["runs"], "questions": QUESTIONS / large["questions"]}
    slopes = {row["axis"]: row for row in rows if row["stage"] == stage}
    start = next(iter(slopes.values()))["start"] if slopes else {"seconds": 0.0, "bytes": 0}
    spread = used["jobs"] == large["shards"]
    jobs = RUNS * QUESTIONS // PER_SHARD if spread else used["jobs"]
    found = {"jobs": jobs}
    for name, kind, unit in (("seconds", "seconds", 1), ("gb", "bytes", 1e9)):
        before, after = (used["jobs"], jobs) if kind == "seconds" else (1, 1)
        beyond, ways = max(used[kind] - before * start[kind], 0), []
        for way in (f"{kind}_exponent", "documented"):
            factor = 1.0
            for axis, growth in times.items():
                row = slopes.get(axis, {"documented": documented(stage, axis)})
                power = row.get(way)
                factor *= growth ** (row["documented"] if power is None else power)
            if kind == "bytes" and spread:  # a shard has so many times the answers that it had
                factor = PER_SHARD * large["shards"] / (large["runs"] * large["questions"])
            ways.append((after * start[kind] + beyond * factor) / unit)
        found[name] = ways
    return found
