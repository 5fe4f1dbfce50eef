"""nonresponse: from raw runs and judgments to leaderboards. The stages are in workflow/rules, in this order."""


include: "workflow/rules/config.smk"


# What --configfile names takes the place of config.yaml, and is no addition to it.
if not workflow.overwrite_configfiles:

    configfile: "config.yaml"


include: "workflow/rules/common.smk"


report: "workflow/report/workflow.rst"


# The first rule: what plain `snakemake` makes. In a workflow that has this one as a module, its own first rule is.
rule all:
    input:
        *[counts_of(evaluation) for evaluation in TALLIED],
        *[results_of(campaign) for campaign in CAMPAIGNS.values()],
        "results/summary.md",
        "results/report.html",
        *files.fidelity_pages(CAMPAIGNS.values()),
    localrule: True


include: "workflow/rules/ingest.smk"
include: "workflow/rules/judge.smk"
include: "workflow/rules/tally.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/reliability.smk"
include: "workflow/rules/topics.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/running.smk"
