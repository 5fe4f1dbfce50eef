"""nonresponse: from raw runs and judgments to leaderboards. The stages are in workflow/rules, in this order."""

configfile: "config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/ingest.smk"
include: "workflow/rules/judge.smk"
include: "workflow/rules/tally.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/report.smk"


report: "workflow/report/workflow.rst"


rule all:
    input:
        leaderboards,
        "results/summary.md",
        "results/fidelity.md" if PUBLISHED else [],
    default_target: True
    localrule: True


onsuccess:
    print(Path("results/summary.md").read_text(encoding="utf-8"))
