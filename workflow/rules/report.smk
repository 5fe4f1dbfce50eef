"""What people read: leaderboards, the summary, the comparison with published tables, and the report with all of it."""

FIDELITY = files.fidelity_pages(CAMPAIGNS.values())


rule summary:
    """The first runs of every leaderboard on one page."""
    input:
        *[page_of(it, "leaderboard.json") for it in CAMPAIGNS.values()],
        *[page_of(it, "reliability/blocks.json") for it in CAMPAIGNS.values() if it.analyses],
        *[page_of(it, "years.md") for it in CAMPAIGNS.values() if it.task.years],
        checks=[f"results/{name}/check.txt" for name in CAMPAIGNS],
        published=[path for it in CAMPAIGNS.values() for path in files.source(it)],
        script=project_file("summary.py"),
    output:
        "results/summary.md",
    log:
        "results/logs/summary.log",
    localrule: True
    threads: 1
    params:
        code=code("summary.py"),
        campaigns=lambda wildcards: as_json([facts.of(it, *facts.SUMMARY) for it in CAMPAIGNS.values()]),
    shell:
        "python {input.script:q} --results results --campaigns <(printf %s {params.campaigns:q}) --output {output:q} 2> {log:q}"


rule fidelity:
    """Published figures beside ours, cell by cell, and what the sources conclude."""
    input:
        [path for it in CAMPAIGNS.values() if it.printed for path in files.published_scores(it)],
        published=[str(path) for path in sorted(files.resources("published").glob("*.csv"))],
        simulated=[str(path) for path in sorted(files.resources("simulation").glob("*.csv"))],
        script=project_file("fidelity.py"),
    output:
        csv="results/fidelity.csv",
        claims="results/claims.csv",
        page="results/fidelity.md",
        data="results/fidelity.json",
    log:
        "results/logs/fidelity.log",
    localrule: True
    threads: 1
    params:
        code=code("fidelity.py"),
        tables=",".join(files.compared_with_sources(CAMPAIGNS.values())),
        published=lambda wildcards: str(files.resources("published")),
        simulation=lambda wildcards: str(files.resources("simulation")),
    shell:
        "python {input.script:q} --tables {params.tables:q} --published {params.published:q}"
        " --simulation {params.simulation:q} --results results --csv {output.csv:q} --claims {output.claims:q}"
        " --markdown {output.page:q} --data {output.data:q} 2> {log:q}"


rule report_part:
    """What the report says of a campaign, and this on a page of its own."""
    input:
        # One that waited for less than the page on scenarios would keep that page as it was.
        counted(lambda it: files.reported(it, facts.of(it, *facts.REPORT)), scenarios=True),
        of(files.source),
        script=project_file("report.py"),
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
    localrule: True
    threads: 1
    params:
        code=code("report.py"),
        task=of(lambda it: it.task.id),
        settings=told(*facts.REPORT),
        folder="results/{campaign}",
    shell:
        "python {input.script:q} part --campaign={wildcards.campaign} --task {params.task} --folder {params.folder:q}"
        " --settings <(printf %s {params.settings:q}) --output {output.json:q} --page {output.page:q} 2> {log:q}"


rule report:
    """One page for all campaigns, which needs no other file."""
    input:
        parts=parts_of_all,
        fidelity=[path for path in FIDELITY if path.endswith(".json")],
        script=project_file("report.py"),
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
    threads: 1
    params:
        code=code("report.py"),
    shell:
        "python {input.script:q} page --parts {input.parts:q} --fidelity {input.fidelity:q} --output {output:q} 2> {log:q}"
