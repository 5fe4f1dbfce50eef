"""What people read: the summary, the comparison with published tables, and the report with all of it.

Reads what topics wrote, the tables, and resources/published and resources/simulation.
Writes summary.md; fidelity.csv, .md and .json, and claims.csv; report.html of each campaign, and of all together.
"""


rule summary:
    """The first runs of every leaderboard on one page."""
    input:
        *ask.of_each(results.read_by_summary),
        script=ask.script("summary.py"),
    output:
        "results/summary.md",
    log:
        "results/logs/summary.log",
    localrule: True
    params:
        code=code("summary.py"),
        campaigns=ask.summarised,
    shell:
        "python {input.script:q}"
        " --results results"
        " --campaigns <(printf %s {params.campaigns:q})"
        " --output {output:q}"
        " 2> {log:q}"


rule fidelity:
    """Published figures beside ours, cell by cell, and what the sources conclude."""
    input:
        files.compared_scores(ask.campaigns),
        published=files.resources_in("published"),
        simulated=files.resources_in("simulation"),
        script=ask.script("fidelity.py"),
    output:
        csv="results/fidelity.csv",
        claims="results/claims.csv",
        page="results/fidelity.md",
        data="results/fidelity.json",
    log:
        "results/logs/fidelity.log",
    localrule: True
    params:
        code=code("fidelity.py"),
        tables=",".join(files.compared_with_sources(ask.campaigns)),
        published=ask.resources("published"),
        simulation=ask.resources("simulation"),
    shell:
        "python {input.script:q}"
        " --tables {params.tables:q}"
        " --published {params.published:q}"
        " --simulation {params.simulation:q}"
        " --results results"
        " --csv {output.csv:q}"
        " --claims {output.claims:q}"
        " --markdown {output.page:q}"
        " --data {output.data:q}"
        " 2> {log:q}"


rule report_part:
    """What the report says of a campaign, and this on a page of its own."""
    input:
        # It waits for the counts of scenarios, too, or would keep an old page on scenarios.
        ask.counted(results.read_by_report, scenarios=True),
        script=ask.script("report.py"),
    output:
        json="results/{campaign}/report.json",
        page=report(
            "results/{campaign}/report.html",
            caption="../report/campaign.rst",
            category="Report",
            labels={"campaign": "{campaign}"},
        ),
    log:
        "results/logs/{campaign}/report_part.log",
    group:
        ask.group("scored")
    resources:
        mem_mb=ask.by_verdicts(2000, 40),
        runtime=ask.by_verdicts(2, 1 / 20),
    params:
        code=code("report.py"),
        task=ask.task,
        settings=ask.json(results.told_to_report),
        folder="results/{campaign}",
    shell:
        "python {input.script:q} part"
        " --campaign={wildcards.campaign}"
        " --task {params.task}"
        " --folder {params.folder:q}"
        " --settings <(printf %s {params.settings:q})"
        " --output {output.json:q}"
        " --page {output.page:q}"
        " 2> {log:q}"


rule report:
    """One page for all campaigns, which needs no other file."""
    input:
        parts=ask.parts_of_report,
        fidelity=files.fidelity_blocks(ask.campaigns),
        script=ask.script("report.py"),
    output:
        report(
            "results/report.html",
            caption="../report/report.rst",
            category="Report",
            labels={"campaign": "all campaigns"},
        ),
    log:
        "results/logs/report.log",
    localrule: True
    params:
        code=code("report.py"),
    shell:
        "python {input.script:q} page"
        " --parts {input.parts:q}"
        " --fidelity {input.fidelity:q}"
        " --output {output:q}"
        " 2> {log:q}"
