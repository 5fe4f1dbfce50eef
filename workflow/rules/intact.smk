"""Every file of the configured campaigns, so that a lost or damaged one is made again even if nothing asks for it."""

import shutil
from types import SimpleNamespace

from nonresponse import intact


def down_to_verdicts(campaign):
    """What a campaign's verdicts are made of, and they themselves."""
    folder = f"results/{campaign}"
    verdicts = [f"{folder}/verdicts.parquet"] if "counts" not in CAMPAIGNS[campaign] else []
    return [*checked_tables(SimpleNamespace(campaign=campaign)), f"{folder}/check.txt", *verdicts]


def below_verdicts(campaign):
    """What follows from the verdicts, or from a table of counts."""
    names = [f"leaderboard.{ending}" for ending in ("csv", "parquet", "md", "tex", "html")]
    names += ["changes.md", "categories.csv", "counts_by_category.parquet", "counts_by_treatment.parquet"]
    if campaign in DATED:
        names += ["years", "years.md", "years.html"]
    if campaign in ANALYSED:
        names += ["reliability/findings.csv", "figures", *[f"reliability.{ending}" for ending in ("md", "tex", "html")]]
    return [*score_tables(campaign), *analysis_tables(campaign), *[f"results/{campaign}/{name}" for name in names]]


def lost_below_verdicts(campaign):
    """An input function for one campaign: the lost files that follow from its verdicts, once these are known."""

    def files(wildcards):
        ask_verdicts(campaign)
        return intact.lost(below_verdicts(campaign))

    return files


def say(sentences):
    for sentence in sentences[:20] + ([f"... and {len(sentences) - 20:,} more."] if len(sentences) > 20 else []):
        print(sentence, file=sys.stderr)


FILES = [path for name in LOOKED_AFTER for path in down_to_verdicts(name) + below_verdicts(name)]
FILES += ["results/summary.md", *FIDELITY]

# Snakemake tells a Snakefile of dry runs only; these ask it something, too, and change nothing.
ASKING = {"--list-rules", "--list", "-l", "--list-target-rules", "--lt", "--summary", "-S", "--detailed-summary", "-D"}
ASKING |= {"--dag", "--rulegraph", "--filegraph", "--d3dag", "--lint", "--report", "--unlock", "--touch", "-t"}
RUNNING = workflow.is_main_process and not workflow.output_settings.dryrun and not ASKING & set(sys.argv)

# Not WorkflowErrors: Snakemake would trip over its own log file on a full disk, and over the other's lock.
if RUNNING and shutil.disk_usage(".").free < 16_384:
    sys.exit(f"The disk of {Path.cwd()} is full: make room, then run Snakemake again.")
if RUNNING and not intact.alone():
    sys.exit(f"Another Snakemake is at work in {Path.cwd()}. Let it end, then run this one again.")
if "--no-hooks" in sys.argv:  # nobody will forget or renew the note
    intact.forget()

# A killed Snakemake leaves a lock; until somebody has taken that away, its files stay as they are.
if workflow.is_main_process and not any(Path(".snakemake/locks").glob("*.lock")):
    if sentences := intact.damages(FILES, take_away=RUNNING):
        say([*sentences, f"What was there is in {intact.TAKEN}."] if RUNNING else sentences)

LOST = [
    *[path for name in LOOKED_AFTER for path in intact.lost(down_to_verdicts(name))],
    *[lost_below_verdicts(name) for name in LOOKED_AFTER],
    *intact.lost(FIDELITY),
]
