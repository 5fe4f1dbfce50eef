"""nonresponse: from raw runs and judgments to leaderboards. The stages are in workflow/rules, in this order."""


configfile: "config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/inputs.smk"
include: "workflow/rules/ingest.smk"
include: "workflow/rules/judge.smk"
include: "workflow/rules/tally.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/reliability.smk"
include: "workflow/rules/report.smk"


report: "workflow/report/workflow.rst"


rule all:
    default_target: True
    input:
        *LEADERBOARDS,
        *RELIABILITY,
        "results/summary.md",
        "results/fidelity.md" if PUBLISHED else [],
    localrule: True


onsuccess:
    if Path("results/summary.md").is_file():
        print(Path("results/summary.md").read_text(encoding="utf-8"))
