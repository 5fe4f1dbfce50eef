"""nonresponse: from raw runs and judgments to leaderboards. The stages are in workflow/rules, in this order."""

import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

BASE = Path(workflow.current_basedir.get_path_or_uri(secret_free=False)).resolve()
sys.path.insert(0, str(BASE / "src"))

from nonresponse.stages import params as records
from nonresponse.workflow import paths
from nonresponse.workflow.digests import code
from nonresponse.workflow.resources import memory, minutes
from nonresponse.workflow.run import Run

this_run = Run(workflow, BASE, WorkflowError)

# What --configfile names takes the place of config.yaml, and is no addition to it.
if not workflow.overwrite_configfiles:

    configfile: "config.yaml"


EVALUATIONS = this_run.configure(config)
CAMPAIGNS = this_run.campaigns
STAGE = f"python {this_run.stage}"  # what jobs call; their parameters come on standard input


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"


wildcard_constraints:
    campaign=one_of(it.name for it in CAMPAIGNS),
    measure=one_of(id for it in CAMPAIGNS for id in it.measures),
    shard=r"\d+",


# The first rule: what plain `snakemake` makes. In a workflow that has this one as a module, its own first rule is.
# It alone waits until verdicts are known: what then is as it was is not repeated.
rule all:
    input:
        [verdicts_of(it) for campaign in CAMPAIGNS for it in campaign.own_verdicts],
        [results_of(campaign) for campaign in CAMPAIGNS],
        results_of_all,
    localrule: True


include: "workflow/rules/ingest.smk"
include: "workflow/rules/judge.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/statistics.smk"
include: "workflow/rules/pages.smk"
include: "workflow/rules/report.smk"


onstart:
    this_run.begin()


onsuccess:
    this_run.succeed()


onerror:
    this_run.fail()
