"""What people read: each campaign's part of the report, all parts on one page, and the summary."""


use rule reliability as report_part with:
    """What the report says of a campaign, and this on a page of its own."""
    input:
        files=apply(paths.of_report),
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
    params:
        **call_stage(
            "report_part", raw_files=lambda it: this_run.raw.list_all(sorted(paths.raw(it))), topics=paths.pages
        ),


rule report:
    """One page for all campaigns, which needs no other file."""
    input:
        parts=[f"{it.folder}/report.json" for it in CAMPAIGNS],
    output:
        page=report(
            "results/report.html",
            caption="../report/report.rst",
            category="Report",
            labels={"campaign": "all campaigns"},
        ),
    log:
        "results/logs/report.log",
    localrule: True
    params:
        **call_stage("report"),
    shell:
        STAGE


use rule report as summary with:
    """The first runs of every leaderboard on one page."""
    input:
        files=[f"{it.folder}/{name}" for it in CAMPAIGNS for name in ("leaderboard.json", "check.json")],
    output:
        page="results/summary.md",
    log:
        "results/logs/summary.log",
    localrule: True  # which a rule does not inherit
    params:
        **call_stage("summary", results=lambda campaigns: "results"),
