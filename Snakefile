"""nonresponse: from raw runs and judgments to leaderboards. The stages are in workflow/rules, in this order."""


configfile: "config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/raw.smk"
include: "workflow/rules/inputs.smk"
include: "workflow/rules/intact.smk"
include: "workflow/rules/progress.smk"
include: "workflow/rules/ingest.smk"
include: "workflow/rules/judge.smk"
include: "workflow/rules/tally.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/reliability.smk"
include: "workflow/rules/years.smk"
include: "workflow/rules/report.smk"


report: "workflow/report/workflow.rst"


rule all:
    default_target: True
    input:
        *LEADERBOARDS,
        *RELIABILITY,
        *YEARS,
        *CHANGES,
        "results/summary.md",
        *FIDELITY,
        *LOST,
    localrule: True


onstart:
    intact.forget()
    contents.note(SEEN)
    spare_the_scheduler()


onsuccess:
    PROGRESS.stop()
    intact.note(FILES)
    if Path("results/summary.md").is_file():
        print(Path("results/summary.md").read_text(encoding="utf-8"))
    for line in news():
        print(line)


onerror:
    PROGRESS.stop()
    contents.forget()
    if damages := intact.damages(FILES, take_away=False):
        say(["Run Snakemake again:", *damages])
    intact.note(FILES)
    for line in news():
        print(line)
