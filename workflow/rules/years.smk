"""What a campaign shows whose answers are years: how near they come, and which decades are confused."""


rule years:
    """Curves of the share of fragments within so many years, and the confusion of decades, run by run."""
    input:
        verdicts=verdicts_of,
        script=project_file("years.py"),
    output:
        multiext("results/{campaign}/years/", "within.parquet", "decades.parquet", "within.svg", "blocks.json"),
        runs=directory("results/{campaign}/years"),  # with two figures for each of the best runs
        page="results/{campaign}/years.md",
    log:
        "results/logs/{campaign}/years.log",
    wildcard_constraints:
        campaign=one_of(DATED),
    threads: 1
    resources:
        mem_mb=request(2000, 40),
        runtime=request(10, 1 / 50),
    params:
        code=code("years.py"),
        task=task,
        policy=policy,
        options=years_options,
        folder=lambda wildcards: f"results/{wildcards.campaign}",
    shell:
        "python {input.script:q} --campaign={wildcards.campaign} --task {params.task} --folder {params.folder:q}"
        " --verdicts {input.verdicts:q} --policy {params.policy:q} --options <(printf %s {params.options:q}) 2> {log:q}"
