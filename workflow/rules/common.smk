"""What the rules share: the checked configuration, the campaigns by source, the modules of each stage."""

import json
import re
from functools import cache

from snakemake.io import PeriodicityDetector

from nonresponse import config as settings, environment, formats, measures, sources, tasks
from nonresponse.config import refusals, scenarios
from nonresponse.config.options import ANSWERS
from nonresponse.ingest.files import by_shard, matched, patterns
from nonresponse.reliability import analyses

try:
    called = "the module's config" if IS_MODULE else ", ".join(CONFIGURED)
    config = settings.checked(config, BASE / "workflow/schemas/config.schema.yaml", called)
except settings.ConfigError as error:
    raise WorkflowError(str(error)) from None

CAMPAIGNS = config["campaigns"]

# The campaigns, and each as its scenarios read it. The rules that judge, count and score take a scenario for a campaign,
# whose name is that of its folder, such as trec/scenarios/lenient.
SCENARIOS = scenarios.readings(CAMPAIGNS)
# So do the readings without the rules of a campaign on the text of answers, which only bounds are made of.
RULED = [name for name, campaign in CAMPAIGNS.items() if refusals.named(campaign)]
WITHOUT_RULES = {f"{name}/without-rules": CAMPAIGNS[name] for name in RULED}
READINGS = CAMPAIGNS | SCENARIOS | WITHOUT_RULES

if periodic := [name for name in READINGS if PeriodicityDetector().is_periodic(name)]:
    why = "ends with 20 times the same, which Snakemake takes for a recursion; give it another name"
    raise WorkflowError("\n".join(f"{called}: {name} {why}" for name in periodic))

# The campaigns whose files are looked at: jobs parse the Snakefile too, and need none of this.
WATCHED = CAMPAIGNS if workflow.is_main_process else []

environment.for_jobs()


def megabytes(paths):
    """The size of a job's input; a packed file counts ten times, since its content comes to about that."""
    return sum(os.path.getsize(path) * (10 if path.endswith((".gz", ".zst")) else 1) for path in paths) / 1e6


def request(base, per_megabyte=0):
    """MB or minutes: some for the process, some for each megabyte of input; a job killed because it ran out gets more."""
    return lambda wildcards, input, attempt: attempt * round(base + per_megabyte * megabytes(input))


def threads_up_to(most):
    """A thread for each megabyte of input, some 100,000 answers: for less, a second one only waits for a free core.

    One as long as the input is not there: Snakemake asks again before it starts the job.
    """

    def number(wildcards, input):
        try:
            return min(most, 1 + int(megabytes(input)))
        except FileNotFoundError:
            return 1

    return number


def campaigns_by(source, readings=CAMPAIGNS):
    """The names of the campaigns whose data come from this source: runs, graded or counts; or of all READINGS."""
    return [name for name, campaign in readings.items() if settings.source(campaign) == source]


def campaign_of(reading):
    """The campaign that a scenario is of; a campaign is its own."""
    return reading.partition("/")[0]


def one_of(words):
    """A pattern for a wildcard that is one of these words; of none, a pattern that matches nothing."""
    return "|".join(re.escape(word) for word in sorted(set(words))) or "(?!)"


wildcard_constraints:
    campaign=one_of(CAMPAIGNS),
    shard=r"\d+",


def project_file(name):
    """A file of the project, as seen from the working folder."""
    return str(HOME / "scripts" / name)


def code(script):
    """A params function: a checksum of all that a script may load, since Snakemake does not see imports."""
    return lambda wildcards: sources.checksum(script)


def task_of(campaign):
    return tasks.get(CAMPAIGNS[campaign_of(campaign)]["task"])


def as_json(value):
    """A parameter that is one word for the shell and the same text whenever it means the same.

    What may grow reaches the job as a file, <(printf %s …): Linux bounds an argument, and printf is bash's own.
    Snakemake's report writes the parameters of its results into a page as they are: they are ASCII without <, > and &.
    """
    return re.sub("[<>&]", lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, sort_keys=True))


def reading(part):
    """A params function: how to read the files of a part of the campaign, as JSON, and nothing else of it."""

    def value(wildcards):
        options = CAMPAIGNS[wildcards.campaign][part]
        others = ("files", "official", "correct", "partial", "pooled", "vote")
        return as_json({key: options[key] for key in options if key not in others})

    return value


def task(wildcards):
    return READINGS[wildcards.campaign]["task"]


def official(wildcards):
    """The official assessor, as the configuration names it; None when there is only one."""
    campaign = READINGS[wildcards.campaign]
    return campaign.get("judgments", campaign.get("graded", {})).get("official")


def policy(wildcards):
    return as_json(settings.policy_of(READINGS[wildcards.campaign]))


def raw(campaign):
    """The part of a campaign whose files are spread over shards."""
    return CAMPAIGNS[campaign]["graded" if "graded" in CAMPAIGNS[campaign] else "runs"]


def found(files, folders=False):
    """What the patterns of `files:` match, looked for once."""
    return found_by(tuple(patterns(files)), folders)


@cache
def found_by(named, folders):
    return matched(list(named), folders)


@cache
def sharded(campaign):
    """What the pattern of the runs matches, by shard; a table of counts has none."""
    if "counts" in CAMPAIGNS[campaign]:
        return {}
    part = raw(campaign)
    return by_shard(found(part["files"], formats.folders(part["format"])), CAMPAIGNS[campaign]["shards"])


def shards(campaign):
    """The shards that hold anything of the campaign, even what is not a file, and therefore a fault."""
    return sorted(sharded(campaign))


def shard_files(wildcards):
    """The files of a shard, and those that are read with them."""
    part = raw(wildcards.campaign)
    return formats.read_with(part["format"], sharded(wildcards.campaign)[int(wildcards.shard)].files, part)


def shard_others(wildcards):
    """What matches and cannot be read: not an input, but a fault."""
    return [": ".join(other) for other in sharded(wildcards.campaign)[int(wildcards.shard)].others.items()]


def question_files(wildcards):
    file = settings.questions_file(CAMPAIGNS[wildcards.campaign])
    return [file] if file else []


def question_options(wildcards):
    """The question file and how to read it, as JSON; null where there is none."""
    return as_json(CAMPAIGNS[wildcards.campaign].get("questions"))


def settings_of(campaign, *names):
    """Some settings of a campaign, its judgments and its reliability, as JSON: what a job reads, and nothing else.

    What is not set is left out.
    """
    known = CAMPAIGNS[campaign]
    more = {"policy": settings.policy_of(known)} | of_source(campaign)
    more |= {"tested": tested(campaign)} if measures_with_trials(campaign) else {}
    known = known | known.get("graded", {}) | known.get("judgments", {}) | known["reliability"] | more
    known["analyses"] = [analysis.id for analysis in analyses_of(campaign)]
    return as_json({name: known[name] for name in names if name in known})


def analyses_of(campaign):
    """The records of the campaign's analyses, of those that its task can have.

    A table of counts has those that need no single questions, and one assessor: with one measure, no two rankings.
    """
    chosen = CAMPAIGNS[campaign]["reliability"]["analyses"]
    known = [analyses.get(name) for name in analyses.NAMES if name in chosen]
    known = [analysis for analysis in known if set(analysis.counts) <= set(task_of(campaign).counts)]
    if "counts" not in CAMPAIGNS[campaign]:
        return known
    return [analysis for analysis in known if not analysis.needs_questions and len(measures_of(campaign)) > 1]


def analysed(campaign, name):
    """Whether the campaign has this analysis."""
    return name in [analysis.id for analysis in analyses_of(campaign)]


def measures_of(campaign, kind=None):
    """The ids of a campaign's measures; of one kind (`counts`), or of all others (`verdicts`)."""
    chosen = READINGS[campaign]["measures"]
    if kind is None:
        return chosen
    of_counts = [id for id in chosen if measures.get(READINGS[campaign]["task"], id).kind == "counts"]
    return of_counts if kind == "counts" else [id for id in chosen if id not in of_counts]
