"""What people read: leaderboards, the summary, the comparison with published tables, and the report with all of it."""


rule leaderboard:
    """Scores, ranks, counts, marks and differences, one row per run."""
    input:
        scores,
        intervals,
        options_of,
        source_tables,
        script=project_file("leaderboard.py"),
    output:
        multiext("results/{campaign}/leaderboard", ".csv", ".parquet", ".md", ".tex"),
        categories="results/{campaign}/categories.csv",
    log:
        "results/logs/{campaign}/leaderboard.log",
    localrule: True
    threads: 1
    params:
        code=code("leaderboard.py"),
        task=task,
        measures=lambda wildcards: ",".join(measures_of(wildcards.campaign)),
        options=leaderboard_options,
        folder=lambda wildcards: f"results/{wildcards.campaign}",
    shell:
        "python {input.script:q} --campaign={wildcards.campaign} --task {params.task} --measures {params.measures:q}"
        " --folder {params.folder:q} --options <(printf %s {params.options:q}) 2> {log:q}"


rule changes:
    """What a change did, against the previous results; these are kept in results/previous, and are not outputs."""
    input:
        compared,
        source_tables,
        script=project_file("changes.py"),
    output:
        page="results/{campaign}/changes.md",
        data="results/{campaign}/changes.json",
    log:
        "results/logs/{campaign}/changes.log",
    threads: 1
    resources:
        mem_mb=request(1000, 40),
        runtime=request(5, 1 / 50),
    params:
        code=code("changes.py"),
        task=task,
        measures=lambda wildcards: ",".join(measures_of(wildcards.campaign)),
        tables=lambda wildcards: ",".join(COMPARABLE[settings.source(CAMPAIGNS[wildcards.campaign])]),
        options=changes_options,
        folder=lambda wildcards: f"results/{wildcards.campaign}",
        state=lambda wildcards: f"results/previous/{wildcards.campaign}",
    shell:
        "python {input.script:q} --campaign={wildcards.campaign} --task {params.task} --measures {params.measures:q}"
        " --folder {params.folder:q} --tables {params.tables} --state {params.state:q} --options <(printf %s {params.options:q})"
        " --output {output.page:q} --data {output.data:q} 2> {log:q}"


rule summary:
    """The first runs of every leaderboard on one page."""
    input:
        *LEADERBOARDS,
        *RELIABILITY,
        *YEARS,
        checks=[f"results/{name}/check.txt" for name in CAMPAIGNS],
        published=PUBLISHED_TABLES,
        script=project_file("summary.py"),
    output:
        "results/summary.md",
    log:
        "results/logs/summary.log",
    localrule: True
    threads: 1
    params:
        code=code("summary.py"),
        campaigns=summary_options,
    shell:
        "python {input.script:q} --results results --campaigns <(printf %s {params.campaigns:q}) --output {output:q} 2> {log:q}"


rule fidelity:
    """Published figures beside ours, cell by cell, and what the sources conclude."""
    input:
        published_scores,
        published=PRINTED,
        simulated=SIMULATED,
        script=project_file("fidelity.py"),
    output:
        csv="results/fidelity.csv",
        claims="results/claims.csv",
        page="results/fidelity.md",
    log:
        "results/logs/fidelity.log",
    localrule: True
    threads: 1
    params:
        code=code("fidelity.py"),
        tables=",".join(table.name for table in [*fidelity.QUOTIENTS, *PUBLISHED, *SIMILAR]),
        published=lambda wildcards: str(HOME / "resources/published"),
        simulation=lambda wildcards: str(HOME / "resources/simulation"),
    shell:
        "python {input.script:q} --tables {params.tables:q} --published {params.published:q}"
        " --simulation {params.simulation:q} --results results --csv {output.csv:q} --claims {output.claims:q}"
        " --markdown {output.page:q} 2> {log:q}"


rule report_part:
    """What the report says of a campaign, and this on a page of its own."""
    input:
        reported_tables,
        source_tables,
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
        task=task,
        settings=part_settings,
        folder=lambda wildcards: f"results/{wildcards.campaign}",
    shell:
        "python {input.script:q} part --campaign={wildcards.campaign} --task {params.task} --folder {params.folder:q}"
        " --settings <(printf %s {params.settings:q}) --output {output.json:q} --page {output.page:q} 2> {log:q}"


rule report:
    """One page for all campaigns, which needs no other file."""
    input:
        parts=report_parts,
        fidelity=[path for path in FIDELITY if path.endswith(".csv")],
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
