"""What the rules share: the campaigns, and functions that make input and params functions of those in nonresponse/dag."""

import re
from functools import partial

from snakemake.io import PeriodicityDetector

from nonresponse import checksums, config as settings, environment, sources
from nonresponse.dag import campaigns, facts, files, results, trials
from nonresponse.dag.facts import as_json
from nonresponse.dag.topics import TOPICS

try:
    called = "the module's config" if IS_MODULE else ", ".join(CONFIGURED)
    config = settings.checked(config, BASE / "workflow/schemas/config.schema.yaml", called)
except settings.ConfigError as error:
    raise WorkflowError(str(error)) from None

# The campaigns, and each as its scenarios read it, and without its rules on the text of answers. The rules that judge,
# count and score take an evaluation for a campaign, whose name is that of its folder, such as trec/scenarios/lenient.
EVALUATIONS = campaigns.evaluations(config["campaigns"])
CAMPAIGNS = {name: it for name, it in EVALUATIONS.items() if not it.whole}
TALLIED = dict.fromkeys(it.name for campaign in CAMPAIGNS.values() for it in campaign.tallied)

if periodic := [name for name in EVALUATIONS if PeriodicityDetector().is_periodic(name)]:
    why = "ends with 20 times the same, which Snakemake takes for a recursion; give it another name"
    raise WorkflowError("\n".join(f"{called}: {name} {why}" for name in periodic))

environment.for_jobs()

# What the main process has seen of the raw files; on a cluster its jobs take that from its note, so that they compare
# with the same. Jobs parse the Snakefile too, and need not look at them.
RAW_NOTED = checksums.noted(checksums.RAW)
WATCHED = CAMPAIGNS.values() if workflow.is_main_process else []
RAW = checksums.states([path for campaign in WATCHED for path in files.raw(campaign)], RAW_NOTED)
CHECKSUMS = checksums.by_path(RAW if workflow.is_main_process else RAW_NOTED)
if IS_MODULE and workflow.is_main_process:
    # Else noted when a run begins; what begins here is another workflow, which may have another module like this one.
    checksums.write(RAW_NOTED | RAW, checksums.RAW)


def one_of(words):
    """A pattern for a wildcard that is one of these words; of none, a pattern that matches nothing."""
    return "|".join(re.escape(word) for word in sorted(set(words))) or "(?!)"


wildcard_constraints:
    campaign=one_of(CAMPAIGNS),
    shard=r"\d+",


def those(fits, of=CAMPAIGNS):
    """A wildcard constraint: the campaigns that something is true of, or of all EVALUATIONS; of none, what matches nothing."""
    return one_of(name for name, it in of.items() if fits(it))


def of(function):
    """An input or params function: what a function says of the campaign, or the evaluation of one, in the wildcards."""
    return lambda wildcards: function(EVALUATIONS[wildcards.campaign])


def told(*names):
    """A params function: these facts of the campaign, and nothing else of the configuration, as JSON."""
    return lambda wildcards: as_json(facts.of(EVALUATIONS[wildcards.campaign], *names))


def fact(name):
    """A params function: a single fact, as JSON."""
    return lambda wildcards: as_json(facts.of(EVALUATIONS[wildcards.campaign], name).get(name))


def counts_of(evaluation):
    """An input function that asks for the counts of one evaluation, beside all others.

    Snakemake goes through its whole graph once more for each evaluation that is asked for after another.
    """
    return lambda wildcards: checkpoints.tally.get(campaign=evaluation).output.counts


def ask(campaign):
    """Make what follows wait for the campaign's counts, with and without its rules; a table of counts has none to make."""
    for evaluation in (campaign.name, f"{campaign.name}/without-rules"):
        if evaluation in TALLIED:
            checkpoints.tally.get(campaign=evaluation)


def ask_for_scenarios(campaign):
    """The same for its scenarios, too."""
    for evaluation in (campaign, *campaign.own_scenarios):
        ask(evaluation)


def results_of(campaign):
    """An input function: every result of a campaign, once its counts are made.

    A fault in a campaign does not keep others from their results; whatever is deleted is made again.
    """

    def found(wildcards):
        ask_for_scenarios(campaign)
        return results.of(campaign)

    return found


def counted(function, scenarios=False):
    """An input function: what a function says of a campaign, once this is counted: then it is known what changed.

    `scenarios`: once its scenarios are counted, too.
    """

    wait = ask_for_scenarios if scenarios else ask

    def known(wildcards):
        wait(campaign := EVALUATIONS[wildcards.campaign])
        return function(campaign)

    return known


def page_of(campaign, name):
    """An input function for a page of one campaign: a fault in it does not keep others from theirs."""

    def page(wildcards):
        ask(campaign)
        return f"results/{campaign.name}/{name}"

    return page


def parts_of_all(wildcards):
    """The parts of all campaigns; it waits for what these wait for."""
    for campaign in CAMPAIGNS.values():
        ask_for_scenarios(campaign)
    return [f"results/{name}/report.json" for name in CAMPAIGNS]


def contents_of(*parts):
    """A params function: changes with what these functions name and its content, whatever the times of files say.

    It must not ask for `input`: Snakemake compares no params that are derived from it.
    """
    return lambda wildcards: checksums.checksum_of([path for part in parts for path in part(wildcards)], CHECKSUMS)


def shard_files(wildcards):
    """The files of a shard, and those that are read with them."""
    return files.of_shard(CAMPAIGNS[wildcards.campaign], int(wildcards.shard))


def shard_others(wildcards):
    """What matches and cannot be read: not an input, but a fault."""
    return files.others(CAMPAIGNS[wildcards.campaign].sharded[int(wildcards.shard)].others)


def code(*roots):
    """A params function: a checksum of all that a script may load, since Snakemake does not see imports."""
    return lambda wildcards: sources.checksum(*roots)


def project_file(name):
    """A file of the project, as seen from the working folder."""
    return str(HOME / "scripts" / name)


def reader(name):
    """An input function: a command that reads raw files, which every graph of jobs goes down to, whatever is asked for.

    So it adds the results without a note to those that Snakemake makes again, as it does itself with unfinished ones.
    """

    def command(wildcards):
        workflow.dag.forcefiles.update(UNKNOWN)
        return project_file(name)

    return command


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


def outcomes(wildcards):
    """What every run made of every question, as one measure sees it."""
    ask(CAMPAIGNS[wildcards.campaign])
    return f"results/{wildcards.campaign}/outcomes/{wildcards.measure}.npz"


def of_trials(function, id="{analysis}"):
    """A params function: what one says of the campaign and its analysis with this id, or of the wildcards'."""
    return lambda wildcards: function(CAMPAIGNS[wildcards.campaign], id.format(**wildcards))


def for_trials(function, id="{analysis}"):
    """A resources function: by the megabytes of the verdicts that it is about; one that was killed gets more."""

    def asked(wildcards, attempt):
        verdicts = megabytes([f"results/{wildcards.campaign}/verdicts.parquet"])
        return attempt * round(function(CAMPAIGNS[wildcards.campaign], id.format(**wildcards), verdicts))

    return asked
