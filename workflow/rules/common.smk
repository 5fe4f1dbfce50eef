"""What the rules share: the checked configuration, the campaigns by door, the sources of each stage."""

import json
import os
import re
import shlex
import sys
from functools import cache
from pathlib import Path

from snakemake.exceptions import WorkflowError

# Relative to the working folder, so that results stay valid wherever the project is moved or linked to.
BASE = Path(workflow.basedir).resolve()
HOME = Path(os.path.relpath(BASE, Path.cwd().resolve()))
sys.path.insert(0, str(BASE / "scripts"))

from nonresponse import config as settings, formats, measures, tasks
from nonresponse.files import files_of, shard_of
from nonresponse.reliability import analyses

try:
    config = settings.checked(config, BASE / "workflow/schemas/config.schema.yaml")
except settings.ConfigError as error:
    raise WorkflowError(str(error)) from None

CAMPAIGNS = config["campaigns"]

# What is to be looked at on disk: jobs parse these files too, and need none of it.
LOOKED_AFTER = CAMPAIGNS if workflow.is_main_process else []

# Jobs find the Python that runs Snakemake, and keep to their number of threads.
shell.prefix(
    f"export PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH"
    " PYTHONDONTWRITEBYTECODE=1 POLARS_MAX_THREADS=${{OMP_NUM_THREADS:-1}}; "
)


def megabytes(paths):
    """The size of a job's input; a packed file counts ten times, since its content comes to about that."""
    return sum(os.path.getsize(path) * (10 if path.endswith((".gz", ".zst")) else 1) for path in paths) / 1e6


def request(base, per_megabyte=0):
    """MB or minutes: some for the process, some for each megabyte of input; a job killed for want of them gets more."""
    return lambda wildcards, input, attempt: attempt * round(base + per_megabyte * megabytes(input))


def spare_the_scheduler():
    """Takes away the default limit on submissions, 100 jobs in 1 s, once the scheduler is there; others stay.

    With a limit, Snakemake 9.27 sets a timer at each turn of its scheduler, whose end is another turn: they pile up
    with every job that ends.
    """
    limiter = workflow.scheduler.job_rate_limiter
    if limiter and (limiter.max_jobs, limiter.timespan) == (100, 1):
        workflow.scheduler.job_rate_limiter = None


def campaigns_by(door):
    """The names of the campaigns whose data come through this door."""
    return [name for name, campaign in CAMPAIGNS.items() if settings.door(campaign) == door]


def one_of(words):
    """A pattern for a wildcard that is one of these words; of none, a pattern that matches nothing."""
    return "|".join(re.escape(word) for word in sorted(set(words))) or "(?!)"


wildcard_constraints:
    campaign=one_of(CAMPAIGNS),
    shard=r"\d+",


def source(name):
    """A file of the project, as seen from the working folder."""
    return str(HOME / "scripts" / name)


# What the jobs of all analyses of one measure load.
TRIALS = [
    *["__init__", "counts", "database", "measures/__init__", "measures/orderings", "tables", "tally", "tasks/__init__"],
    *["threads", "reliability/__init__", "reliability/analyses/__init__"],
    *[f"reliability/{name}" for name in ("jobs", "outcomes", "ratio", "subsets")],
]
SUMMARY = ["__init__", "tables", "tasks/__init__", "reliability/__init__", "reliability/analyses/__init__"]

READING = [
    "__init__",
    "contents",
    "faults",
    "notes",
    "ingest",
    "tables",
    *[f"formats/{name}" for name in ("__init__", "records", "text")],
]
PAGE = [
    *["__init__", "leaderboard", "measures/__init__", "pages", "publish", "tables", "reliability/__init__"],
    "reliability/analyses/__init__",
    *[f"figures/{name}" for name in ("__init__", "curves", "intervals", "page", "rankings", "sample_size", "series")],
]
SHOWN = ["error_curves", "kendall", "page", "wording", *[f"sections/{name}" for name in ("__init__", *analyses.NAMES)]]

# The library modules behind each stage: Snakemake does not see imports, so the rules name them as inputs
# (tests/test_sources.py holds this list against what each stage really loads).
LIBRARY = {
    "ingest": [*READING, "files"],
    "counts": [*READING, "formats/counts"],
    "check": [*READING, "check", "files"],
    "judge": ["__init__", "database", "judge/__init__", "measures/__init__", "tables", "threads"],
    "tally": ["__init__", "counts", "database", "tables", "tally", "threads"],
    "score": ["__init__", "measures/__init__", "score", "tables"],
    "order": [
        "__init__",
        "counts",
        "database",
        "measures/__init__",
        "measures/orderings",
        "score",
        "tables",
        "tally",
        "threads",
    ],
    "stability": [*TRIALS, *[f"reliability/{name}" for name in ("analyses/stability", "majority", "rank_positions")]],
    "swap": [*TRIALS, *[f"reliability/{name}" for name in ("analyses/swap", "rank_positions", "swap_method")]],
    "sample_size": [
        *TRIALS,
        *[f"reliability/{name}" for name in ("analyses/sample_size", "error_curves", "rank_positions", "swap_method")],
    ],
    "comparison": [
        *TRIALS,
        *[f"reliability/{name}" for name in ("analyses/comparison", "bootstrap", "groups", "randomisation")],
    ],
    "page": [*PAGE, *[f"reliability/{name}" for name in SHOWN]],
    "agreement": [*SUMMARY, "reliability/analyses/agreement", "reliability/assessors"],
    "rankings": [
        *[*SUMMARY, "leaderboard", "measures/__init__"],
        *["reliability/analyses/rankings", "reliability/kendall"],
    ],
    "leaderboard": ["__init__", "leaderboard", "measures/__init__", "publish", "tables"],
    "summary": ["__init__", "measures/__init__", "publish", "tables"],
    "changes": ["__init__", "changes", "previous", "publish", "tables", "reliability/__init__"]
    + ["reliability/wording"],
    "years": [
        *["__init__", "counts", "database", "pages", "publish", "tables", "tally", "threads", "years", "years_page"],
        *[f"figures/{name}" for name in ("__init__", "page", "rankings", "series", "years")],
        *["reliability/__init__", "reliability/wording"],
    ],
    "fidelity": ["__init__", "database", "fidelity", "measures/__init__", "tables", "tasks/__init__", "threads"],
}


def library(stage):
    """The library modules of a stage, as files."""
    return [source(f"nonresponse/{name}.py") for name in LIBRARY[stage]]


def format_modules(*parts):
    """An input function: the modules of the formats of these parts of the campaign."""

    def modules(wildcards):
        campaign = CAMPAIGNS[wildcards.campaign]
        names = {formats.MODULES[campaign[part]["format"]] for part in parts if part in campaign}
        if "questions" in campaign:
            names.add("tabular")
        loaded = sorted({part for name in names for part in formats.PARTS[name]})
        return [source(f"nonresponse/formats/{part}.py") for part in loaded]

    return modules


def task_of(campaign):
    return tasks.get(CAMPAIGNS[campaign]["task"])


def task_modules(wildcards):
    """What is particular to the campaign's task."""
    return task_sources(task(wildcards))


def task_sources(task):
    return [source(f"nonresponse/tasks/{name}.py") for name in tasks.modules(task)]


def ingest_modules(wildcards):
    """What a file of the campaign is read with beside its format: the task, and what all references have in common."""
    references = [source("nonresponse/hypotheses.py")] if task_of(wildcards.campaign).references else []
    return [*references, *task_modules(wildcards)]


def measure_modules(wildcards):
    """The measures of the campaign's task, and the task itself."""
    return measure_sources(task(wildcards))


def measure_sources(task):
    modules = [source(f"nonresponse/measures/{name}.py") for name in tasks.get(task).measures]
    return [*modules, *task_sources(task)]


def judge_modules(wildcards):
    """How the campaign's task is judged: its module, its queries, and the task itself."""
    own = task_of(wildcards.campaign)
    queries = [source(f"nonresponse/sql/{name}.sql") for name in own.sql]
    return [source(f"nonresponse/judge/{own.judge}.py"), *queries, *task_modules(wildcards)]


def as_json(value):
    """A parameter that is one word for the shell and the same text whenever it means the same."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def reading(part):
    """A params function: how to read the files of a part of the campaign, as JSON, and nothing else of it."""

    def value(wildcards):
        options = CAMPAIGNS[wildcards.campaign][part]
        return as_json({key: options[key] for key in options if key not in ("files", "official", "correct", "partial")})

    return value


def task(wildcards):
    return CAMPAIGNS[wildcards.campaign]["task"]


def official(wildcards):
    """The official assessor, as the configuration names it; None when there is only one."""
    campaign = CAMPAIGNS[wildcards.campaign]
    return campaign.get("judgments", campaign.get("graded", {})).get("official")


def official_option(wildcards):
    """The same for a command line."""
    return f"--official {shlex.quote(official(wildcards))}" if official(wildcards) else ""


def policy(wildcards):
    return as_json(settings.policy_of(CAMPAIGNS[wildcards.campaign]))


def raw(campaign):
    """The part of a campaign whose files are spread over shards."""
    return CAMPAIGNS[campaign]["graded" if "graded" in CAMPAIGNS[campaign] else "runs"]


@cache
def sharded(campaign):
    """The files of the runs by shard, looked for once; a table of counts has none."""
    found = {}
    if "counts" not in CAMPAIGNS[campaign]:
        for path in files_of(raw(campaign)["files"]):
            found.setdefault(shard_of(path, CAMPAIGNS[campaign]["shards"]), []).append(path)
    return found


def shards(campaign):
    """The shards that hold any file of the campaign."""
    return sorted(sharded(campaign))


def shard_files(wildcards):
    return sharded(wildcards.campaign)[int(wildcards.shard)]


def question_files(wildcards):
    file = settings.questions_file(CAMPAIGNS[wildcards.campaign])
    return [file] if file else []


def question_options(wildcards):
    """The question file and how to read it, as JSON; null where there is none."""
    questions = CAMPAIGNS[wildcards.campaign].get("questions")
    if not questions:
        return "null"
    return as_json(questions if isinstance(questions, dict) else {"file": questions})


def settings_of(campaign, *names):
    """Some settings of a campaign, its judgments and its reliability, as JSON: what a job reads, and nothing else.

    What is not set is left out.
    """
    known = CAMPAIGNS[campaign]
    known = known | known.get("graded", {}) | known.get("judgments", {}) | known["reliability"]
    return as_json({name: known[name] for name in names if name in known})


def analyses_of(campaign):
    """The records of the campaign's analyses; a table of counts has none, since it has no single questions."""
    chosen = [] if "counts" in CAMPAIGNS[campaign] else CAMPAIGNS[campaign]["reliability"]["analyses"]
    return [analyses.get(name) for name in analyses.NAMES if name in chosen]


def analysed(campaign, name):
    """Whether the campaign has this analysis."""
    return name in [analysis.id for analysis in analyses_of(campaign)]


def measures_of(campaign, kind=None):
    """The ids of a campaign's measures; of one kind (`counts`), or of all others (`verdicts`)."""
    chosen = CAMPAIGNS[campaign]["measures"]
    if kind is None:
        return chosen
    of_counts = [id for id in chosen if measures.get(CAMPAIGNS[campaign]["task"], id).kind == "counts"]
    return of_counts if kind == "counts" else [id for id in chosen if id not in of_counts]
