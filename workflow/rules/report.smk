"""What people read: each campaign's part of the report, all parts on one page, the summary, and published tables."""


rule report_part:
    """What the report says of a campaign, and this on a page of its own."""
    input:
        of(paths.of_report),
    output:
        part="results/{campaign}/report.json",
        page=report(
            "results/{campaign}/report.html",
            caption="../report/campaign.rst",
            category="Report",
            labels={"campaign": "{campaign}"},
        ),
    log:
        "results/logs/{campaign}/report_part.log",
    group:
        "scored-{campaign}"
    resources:
        mem_mb=memory(2000, 100),
        runtime=minutes(2, 1 / 10),
    params:
        code=code("pages"),
        record=params_of(
            records.ReportParams,
            raw_files=raw_files,
            topics=lambda wildcards: paths.pages(EVALUATIONS[wildcards.campaign]),
        ),
    shell:
        call("report_part", "", "part page", files="{input:q}")


rule report:
    """One page for all campaigns, which needs no other file."""
    input:
        parts=[f"{it.folder}/report.json" for it in CAMPAIGNS],
        fidelity=[path for path in paths.fidelity_pages(CAMPAIGNS) if path.endswith(".json")],
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
        code=code("pages"),
    shell:
        call("report", "parts fidelity", page="{output:q}", record=None)


rule summary:
    """The first runs of every leaderboard on one page."""
    input:
        [f"{it.folder}/{name}" for it in CAMPAIGNS for name in ("leaderboard.json", "check.json")],
    output:
        "results/summary.md",
    log:
        "results/logs/summary.log",
    localrule: True
    params:
        code=code("pages"),
        record=lambda wildcards: records.as_json([records.OverviewParams.project(it) for it in CAMPAIGNS]),
    shell:
        call("summary", files="{input:q}", page="{output:q}", results="results")


rule fidelity:
    """Published figures beside ours, cell by cell, and what the sources conclude."""
    input:
        scores=paths.compared_scores(CAMPAIGNS),
        published=paths.resource_tables("published"),
        simulated=paths.resource_tables("simulation"),
    output:
        csv="results/fidelity.csv",
        claims="results/claims.csv",
        page="results/fidelity.md",
        data="results/fidelity.json",
    log:
        "results/logs/fidelity.log",
    localrule: True
    params:
        code=code("pages"),
        tables=",".join(paths.compared_tables(CAMPAIGNS)),
    shell:
        call(
            "fidelity",
            "scores published simulated",
            "csv claims data",
            results="results",
            markdown="{output.page:q}",
            tables="{params.tables:q}",
            record=None,
        )
