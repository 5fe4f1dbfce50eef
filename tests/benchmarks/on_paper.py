"""What a billion answers would cost, computed: a measured campaign, and the slopes that others
showed.

A stage costs its start, times its jobs, and beyond that what grows as runs to one power, times
questions to another. The measured powers are those of scaling.json; where nothing could be told,
they are the documented ones, which are set beside them. The time of a stage that is spread over the
shards is that of all of them; its memory, that of one shard.
"""

from rendered import between, short, table

RUNS, QUESTIONS = 10_000, 100_000  # a billion answers
PER_SHARD = 5_000_000  # answers: docs/cluster.md, "Shards"
LEAST = {"seconds": 5, "gb": 0.5}  # what a stage has at least to be a row
TEXT = """
## A billion answers, on paper

Nobody evaluated this: {runs:,} runs × {questions:,} questions with {measures} and the default analyses, in {shards:,}
shards. It is computed from {of_runs:,} × {of_questions:,} by the powers above, two numbers where the documented ones
differ. Stages below {seconds} s and {gb} GB are left out.

{stages}
All together {jobs:,} jobs, {total} hours of one processor. On disk, by folder, those of at least 1 GB:

{disk}"""


def text(workflow: dict, scaling: dict) -> str:
    """The section of the page."""
    large = workflow["large"]
    found = {
        stage: grown(stage, used, large, scaling["rows"]) for stage, used in large["stages"].items()
    }
    shown = {
        stage: cost
        for stage, cost in found.items()
        if any(max(cost[kind]) >= least for kind, least in LEAST.items())
    }
    rows = sorted(shown.items(), key=lambda item: -max(item[1]["seconds"]))
    total = [sum(cost["seconds"][way] for cost in found.values()) / 3600 for way in (0, 1)]
    return TEXT.format(
        runs=RUNS,
        questions=QUESTIONS,
        shards=shards(),
        of_runs=large["runs"],
        of_questions=large["questions"],
        measures=" and ".join(large["measures"]),
        jobs=sum(cost["jobs"] for cost in found.values()),
        total=between(*total),
        stages=table(cells(stage, cost) for stage, cost in rows),
        disk=table(disks(large, scaling["disk"])),
        **LEAST,
    )


def shards() -> int:
    return RUNS * QUESTIONS // PER_SHARD


def cells(stage: str, cost: dict) -> dict[str, str]:
    hours = [seconds / 3600 for seconds in cost["seconds"]]
    shown = {"stage": f"`{stage}`", "jobs": f"{cost['jobs']:,}", "hours of CPU": between(*hours)}
    return shown | {"memory of the largest, GB": between(*cost["gb"])}


def grown(stage: str, used: dict, large: dict, rows: list[dict]) -> dict:
    """jobs; seconds and gb, each by measured and by documented slopes."""
    times = {"runs": RUNS / large["runs"], "questions": QUESTIONS / large["questions"]}
    slopes = {row["axis"]: row for row in rows if row["stage"] == stage}
    start = next(iter(slopes.values()))["start"] if slopes else {"seconds": 0.0, "bytes": 0}
    spread = used["jobs"] == large["shards"]
    jobs = shards() if spread else used["jobs"]
    found = {"jobs": jobs}
    for name, kind, unit in (("seconds", "seconds", 1), ("gb", "bytes", 1e9)):
        before, after = (
            number * start[kind] if kind == "seconds" else start[kind]
            for number in (used["jobs"], jobs)
        )
        beyond, ways = max(used[kind] - before, 0), []
        for way in (f"{kind}_exponent", "documented"):
            factor = 1.0
            for axis, growth in times.items():
                power = slopes[axis].get(way) if axis in slopes else 1
                factor *= growth ** (slopes[axis]["documented"] if power is None else power)
            if kind == "bytes" and spread:  # a shard has so many times the answers that it had
                factor = PER_SHARD * large["shards"] / (large["runs"] * large["questions"])
            ways.append((after + beyond * factor) / unit)
        found[name] = ways
    return found


def disks(large: dict, rows: list[dict]) -> list[dict[str, str]]:
    """Gigabytes by folder of the results, the largest first; what grows as can not be told is taken
    to with answers."""
    times = {"runs": RUNS / large["runs"], "questions": QUESTIONS / large["questions"]}
    found = {}
    for folder, bytes in large["disk"].items():
        powers = {row["axis"]: row["exponent"] for row in rows if row["folder"] == folder}
        for axis, growth in times.items():
            power = powers.get(axis)
            bytes *= growth ** (1 if power is None else power)
        found[folder] = bytes / 1e9
    shown = sorted(((size, folder) for folder, size in found.items() if size >= 1), reverse=True)
    all_of_it = [("all", sum(found.values())), *((f"`{folder}`", size) for size, folder in shown)]
    return [{"folder": folder, "GB": short(size)} for folder, size in all_of_it]
