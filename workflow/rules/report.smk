"""What people read: each campaign's part of the report, and all parts on one page."""


use rule reliability as report_part with:
    """What the report says of a campaign, and this on a page of its own."""
    input:
        files=apply(paths.report_inputs),
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
            "report_part",
            raw_files=lambda it: this_run.raw.list_all(sorted(paths.raw(it))),
            pages=paths.pages,
        ),


rule report:
    """One page for all campaigns, which needs no other file; and a summary in Markdown."""
    input:
        parts=[f"{it.folder}/report.json" for it in CAMPAIGNS],
    output:
        page=report(
            "results/report.html",
            caption="../report/report.rst",
            category="Report",
            labels={"campaign": "all campaigns"},
        ),
        summary="results/summary.md",
    log:
        "results/logs/report.log",
    localrule: True
    params:
        **call_stage("report"),
    shell:
        STAGE
