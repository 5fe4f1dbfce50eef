"""nonresponse: from raw runs and judgments to leaderboards. The stages are in workflow/rules, in this order."""


include: "workflow/rules/config.smk"


# What --configfile names takes the place of config.yaml, and is no addition to it.
if not workflow.overwrite_configfiles:

    configfile: "config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/inputs.smk"
include: "workflow/rules/page_inputs.smk"
include: "workflow/rules/analysis_inputs.smk"
include: "workflow/rules/view_inputs.smk"
include: "workflow/rules/running.smk"


report: "workflow/report/workflow.rst"


# The first rule: what plain `snakemake` makes. In a workflow that has this one as a module, its own first rule is.
rule all:
    input:
        *[counts_as(reading) for reading in TALLIED],
        *[targets_of(campaign) for campaign in CAMPAIGNS],
        "results/summary.md",
        "results/report.html",
        *FIDELITY,
    localrule: True


include: "workflow/rules/ingest.smk"
include: "workflow/rules/judge.smk"
include: "workflow/rules/tally.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/reliability.smk"
include: "workflow/rules/adjudication.smk"
include: "workflow/rules/years.smk"
include: "workflow/rules/scenarios.smk"
include: "workflow/rules/systems.smk"
include: "workflow/rules/views.smk"
include: "workflow/rules/report.smk"
