"""nonresponse: from raw runs and judgments to leaderboards. The stages are in workflow/rules, in this order."""

import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

BASE = Path(workflow.current_basedir.get_path_or_uri(secret_free=False)).resolve()
sys.path.insert(0, str(BASE / "scripts"))

from nonresponse.dag import facts, files, results, topics, trials
from nonresponse.dag.asks import Asks, code, one_of, options_for, request, shards_in, threads_up_to
from nonresponse.dag.campaigns import distinct
from nonresponse.dag.run import Run

this_run = Run(workflow, BASE, WorkflowError)

# What --configfile names takes the place of config.yaml, and is no addition to it.
if not workflow.overwrite_configfiles:

    configfile: "config.yaml"


this_run.configure(config)
ask = Asks(this_run, checkpoints)


report: "workflow/report/workflow.rst"


wildcard_constraints:
    campaign=ask.any_campaign,
    shard=r"\d+",


# The first rule: what plain `snakemake` makes. In a workflow that has this one as a module, its own first rule is.
rule all:
    input:
        *ask.all_counts(),
        *ask.of_each(results.results_of, scenarios=True),
        "results/summary.md",
        "results/report.html",
        *files.fidelity_pages(ask.campaigns),
    localrule: True


include: "workflow/rules/ingest.smk"
include: "workflow/rules/judge.smk"
include: "workflow/rules/tally.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/reliability.smk"
include: "workflow/rules/topics.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/export.smk"


onstart:
    this_run.begin()


onsuccess:
    this_run.succeed()


onerror:
    this_run.fail()
