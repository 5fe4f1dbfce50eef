"""What docs/cluster.md says that jobs cost, from what `make bench` measured of one large
campaign."""

from metering import SNAKEMAKE
from rendered import short, table

BEGIN, END = (
    "<!-- Written by make bench; do not edit it here. -->\n",
    "<!-- The end of what make bench has written. -->\n",
)
LEAST = 1  # second
TEXT = """
A simulated campaign of {runs:,} runs × {questions:,} questions, {measures}, the default analyses, in {shards} shards:
{seconds:,.0f} s of one processor for {jobs:,} jobs. The table has the seconds of all jobs of a stage, and the memory of
the largest. {snakemake} [Performance](performance.md#what-a-change-costs) has the machine.

{stages}"""
SNAKEMAKE_TOLD = "Snakemake itself, on the login node of a cluster, takes {seconds} s."
MANY = """
Of {campaigns} campaigns, {jobs:,} jobs, Snakemake itself takes {seconds} s.
"""
HUGE = """
{runs:,} runs × {questions:,} questions, {answers:,} answers, in {shards} shards, without analyses: from raw files to
the leaderboard {seconds:,.0f} s of one processor. By stage:

{stages}"""


def text(found: dict) -> str:
    """The part of the page."""
    large = found.get("large")
    if large is None:
        return ""
    own = large["stages"][SNAKEMAKE]
    told = SNAKEMAKE_TOLD.format(seconds=short(own["seconds"]))
    jobs = {stage: used for stage, used in large["stages"].items() if stage != SNAKEMAKE}
    parts = [TEXT.format(**of(large), snakemake=told, stages=table(rows(jobs)))]
    if "many" in found:
        many = found["many"]
        own = many["stages"][SNAKEMAKE]
        parts.append(
            MANY.format(
                campaigns=many["campaigns"], jobs=many["jobs"], seconds=short(own["seconds"])
            )
        )
    if "huge" in found:
        huge = found["huge"]
        stages = {stage: used for stage, used in huge["stages"].items() if stage != SNAKEMAKE}
        parts.append(
            HUGE.format(
                **of(huge), answers=huge["runs"] * huge["questions"], stages=table(rows(stages))
            )
        )
    return "".join(parts)


def of(found: dict) -> dict:
    """What sentences say of a campaign."""
    jobs = sum(used["jobs"] for stage, used in found["stages"].items() if stage != SNAKEMAKE)
    told = {name: found[name] for name in ("runs", "questions", "shards", "seconds")}
    return told | {"measures": " and ".join(found["measures"]), "jobs": jobs}


def rows(stages: dict[str, dict]) -> list[dict[str, str]]:
    """Of each stage, that which takes most time first."""
    ordered = sorted(stages.items(), key=lambda item: -item[1]["seconds"])
    return [
        {
            "stage": f"`{stage}`",
            "jobs": f"{used['jobs']}",
            "seconds": short(used["seconds"]),
            "a judgment turned": seconds(used.get("one judgment turned")),
            "a run added": seconds(used.get("one run added")),
            "memory, GB": short(used["bytes"] / 1e9),
            "asks for, GB": short(used["asked"] / 1000) if used["asked"] else "",
        }
        for stage, used in ordered
        if used["seconds"] >= LEAST
    ]


def seconds(value: float | None) -> str:
    """Nothing where it was not measured, – where no job of the stage ran."""
    return "" if value is None else short(value) if value else "–"


def inserted(page: str, part: str) -> str:
    """A page with this between its two marks."""
    before, _, rest = page.partition(BEGIN)
    _, mark, after = rest.partition(END)
    if not mark:
        raise SystemExit(
            f"docs/cluster.md has lost one of its marks, {BEGIN.strip()} and {END.strip()}"
        )
    return f"{before}{BEGIN}{part}\n{END}{after}"
