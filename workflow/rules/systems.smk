"""Configurations of a system against its own baseline."""


rule systems:
    """What each configuration of a system gained and cost."""
    input:
        compared_scores,
        verdicts=verdicts_of,
        script=project_file("systems.py"),
    output:
        [f"results/{{campaign}}/systems/{name}.csv" for name in SYSTEM_TABLES],
        blocks="results/{campaign}/systems/blocks.json",
        page="results/{campaign}/systems.md",
    log:
        "results/logs/{campaign}/systems.log",
    wildcard_constraints:
        campaign=one_of(WITH_SYSTEMS),
    threads: 1
    resources:
        mem_mb=request(1500, 40),
        runtime=request(5, 1 / 50),
    params:
        code=code("systems.py"),
        task=task,
        policy=policy,
        settings=page_options("systems"),
        folder=lambda wildcards: f"results/{wildcards.campaign}",
    shell:
        "python {input.script:q} --campaign={wildcards.campaign} --task {params.task} --folder {params.folder:q}"
        " --verdicts {input.verdicts:q} --policy {params.policy:q} --settings <(printf %s {params.settings:q}) 2> {log:q}"
