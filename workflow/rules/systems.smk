"""Configurations of a system against its own baseline."""

WITH_SYSTEMS = [campaign for campaign in CAMPAIGNS if "systems" in CAMPAIGNS[campaign]]
SYSTEM_TABLES = ["gains", "differences", "findings"]


def compared_scores(wildcards):
    """The counts and scores of a campaign, and how its runs compare, where that is known."""
    name = wildcards.campaign
    ask_verdicts(name)
    files = [f"results/{name}/counts.parquet", *[f"results/{name}/scores/{id}.parquet" for id in measures_of(name)]]
    return files + (tables_by_measure(name, "comparisons") if analysed(name, "comparison") else [])


def system_results(campaign):
    """Every result of the page on a campaign's systems."""
    if campaign not in WITH_SYSTEMS:
        return []
    return [
        f"results/{campaign}/systems{name}" for name in [*[f"/{table}.csv" for table in SYSTEM_TABLES], ".md", ".html"]
    ]


rule systems:
    """What each configuration of a system gained and cost."""
    input:
        compared_scores,
        verdicts=verdicts_of,
        script=project_file("systems.py"),
        library=library("systems.py"),
        measures=measure_modules,
    output:
        [f"results/{{campaign}}/systems/{name}.csv" for name in SYSTEM_TABLES],
        page="results/{campaign}/systems.md",
        html=report(
            "results/{campaign}/systems.html",
            caption="../report/systems.rst",
            category="Systems",
            labels={"campaign": "{campaign}"},
        ),
    log:
        "results/logs/{campaign}/systems.log",
    wildcard_constraints:
        campaign=one_of(WITH_SYSTEMS),
    threads: 1
    resources:
        mem_mb=request(1500, 40),
        runtime=request(5, 1 / 50),
    params:
        task=task,
        policy=policy,
        settings=page_options("systems"),
        folder=lambda wildcards: f"results/{wildcards.campaign}",
    shell:
        "python {input.script:q} --campaign={wildcards.campaign} --task {params.task} --folder {params.folder:q}"
        " --verdicts {input.verdicts:q} --policy {params.policy:q} --settings {params.settings:q} 2> {log:q}"
