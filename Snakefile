"""nonresponse: from raw runs and judgments to leaderboards. The stages are in workflow/rules, in this order."""

import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

BASE = Path(workflow.current_basedir.get_path_or_uri(secret_free=False)).resolve()
sys.path.insert(0, str(BASE / "src"))

from nonresponse.stages import load_stage
from nonresponse.workflow import paths
from nonresponse.workflow.digests import digest_stage
from nonresponse.workflow.resources import scale
from nonresponse.workflow.run import Run

this_run = Run(workflow, BASE, WorkflowError)

# What --configfile names takes the place of config.yaml, and is no addition to it.
if not workflow.overwrite_configfiles:

    configfile: "config.yaml"


EVALUATIONS = this_run.configure(config)
CAMPAIGNS = this_run.campaigns
# What jobs call. Records come on standard input, since they may be longer than an argument can be.
STAGE = f"python -S {this_run.stage} {{params.command}} <<< {{params.record:q}} 2> {{log:q}}"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"


wildcard_constraints:
    campaign=match_words(EVALUATIONS),
    measure=match_words(id for it in CAMPAIGNS for id in it.measures),
    shard=r"\d+",


# The first rule: what plain `snakemake` makes. In a workflow that has this one as a module, its own
# first rule is. It alone waits until verdicts are known: what then is as it was is not repeated.
rule all:
    input:
        [
            wait_for_verdicts([it], paths.verdicts(it))
            for campaign in CAMPAIGNS
            for it in campaign.own_verdicts
        ],
        [wait_for_verdicts(it.own_verdicts, paths.list_results(it)) for it in CAMPAIGNS],
        wait_for_verdicts(
            [it for campaign in CAMPAIGNS for it in campaign.own_verdicts], paths.OVERVIEWS
        ),
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
