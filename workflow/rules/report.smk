"""What people read: leaderboards, the summary, the comparison with published tables."""

from nonresponse import fidelity

SUMMED_UP = ("task", "measures", "title", "simulated")


def scores(wildcards):
    """The scores of all measures of a campaign, and the counts beside them."""
    ask_verdicts(wildcards.campaign)
    folder = f"results/{wildcards.campaign}"
    return [f"{folder}/counts.parquet"] + [
        f"{folder}/{part}/{id}.parquet"
        for part in ("scores", "scores_by_category")
        for id in measures_of(wildcards.campaign)
    ]


def leaderboard_options(wildcards):
    """What the leaderboard must know of the configuration."""
    campaign = CAMPAIGNS[wildcards.campaign]
    keys = ("title", "simulated", "baseline", "reject_all", "accept_all")
    options = {key: campaign[key] for key in keys if key in campaign}
    if campaign["task"] == "validation" and "counts" not in campaign:
        options |= {"accept_all": "accept-all", "reject_all": "reject-all"}
    official = campaign.get("judgments", campaign.get("graded", {})).get("official")
    return as_json(options | ({"official": official} if official else {}))


rule leaderboard:
    """Scores, ranks, counts, marks and differences, one row per run."""
    input:
        scores,
        script=source("leaderboard.py"),
        library=library("leaderboard"),
        measure=measure_module,
    output:
        multiext("results/{campaign}/leaderboard", ".csv", ".parquet", ".md", ".tex"),
        html=report(
            "results/{campaign}/leaderboard.html",
            caption="../report/leaderboard.rst",
            category="Leaderboards",
            labels={"campaign": "{campaign}"},
        ),
        categories="results/{campaign}/categories.csv",
    log:
        "results/logs/{campaign}/leaderboard.log",
    localrule: True
    threads: 1
    params:
        task=task,
        measures=lambda wildcards: ",".join(measures_of(wildcards.campaign)),
        options=leaderboard_options,
        folder=lambda wildcards: f"results/{wildcards.campaign}",
    shell:
        "python {input.script:q} --campaign {wildcards.campaign} --task {params.task} --measures {params.measures:q}"
        " --folder {params.folder:q} --options {params.options:q} 2> {log:q}"


def leaderboards(wildcards):
    for campaign in CAMPAIGNS:
        ask_verdicts(campaign)
    return expand("results/{campaign}/leaderboard.md", campaign=CAMPAIGNS)


rule summary:
    """The first runs of every leaderboard on one page."""
    input:
        leaderboards,
        script=source("summary.py"),
        library=library("summary"),
    output:
        report("results/summary.md", caption="../report/summary.rst", category="Leaderboards"),
    log:
        "results/logs/summary.log",
    localrule: True
    threads: 1
    params:
        campaigns=as_json(
            [
                {"name": name} | {key: campaign[key] for key in SUMMED_UP if key in campaign}
                for name, campaign in CAMPAIGNS.items()
            ]
        ),
    shell:
        "python {input.script:q} --results results --campaigns {params.campaigns:q} --output {output:q} 2> {log:q}"


# The campaigns that are a published table of counts, with the measures that the table prints.
PUBLISHED = [
    table for table in fidelity.TABLES if set(table.measures) <= set(CAMPAIGNS.get(table.name, {}).get("measures", []))
]


def published_scores(wildcards):
    return [f"results/{table.name}/scores/{id}.parquet" for table in PUBLISHED for id in table.measures]


rule fidelity:
    """Published figures beside ours, cell by cell."""
    input:
        published_scores,
        published=[f"resources/published/{table.name}.csv" for table in PUBLISHED],
        script=source("fidelity.py"),
        library=library("fidelity"),
        measures=[source(f"nonresponse/measures/{measures.MODULES[table.task]}.py") for table in PUBLISHED],
    output:
        csv="results/fidelity.csv",
        page=report("results/fidelity.md", caption="../report/fidelity.rst", category="Published tables"),
    log:
        "results/logs/fidelity.log",
    localrule: True
    threads: 1
    params:
        tables=",".join(table.name for table in PUBLISHED),
    shell:
        "python {input.script:q} --tables {params.tables:q} --published resources/published --results results"
        " --csv {output.csv:q} --markdown {output.page:q} 2> {log:q}"
