"""nonresponse: from raw runs and judgments to leaderboards. The stages are in workflow/rules, in this order."""


include: "workflow/rules/config.smk"


configfile: "config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/inputs.smk"
include: "workflow/rules/page_inputs.smk"
include: "workflow/rules/analysis_inputs.smk"
include: "workflow/rules/view_inputs.smk"
include: "workflow/rules/running.smk"
include: "workflow/rules/ingest.smk"
include: "workflow/rules/judge.smk"
include: "workflow/rules/tally.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/reliability.smk"
include: "workflow/rules/years.smk"
include: "workflow/rules/scenarios.smk"
include: "workflow/rules/systems.smk"
include: "workflow/rules/views.smk"
include: "workflow/rules/report.smk"


report: "workflow/report/workflow.rst"


rule all:
    default_target: True
    input:
        *[targets_of(campaign) for campaign in CAMPAIGNS],
        "results/summary.md",
        "results/report.html",
        *FIDELITY,
    localrule: True
