"""Views: what else the results of a campaign say, each a record in scripts/nonresponse/views."""


rule views:
    """What else the results of a campaign say: a table per view, and a page of them."""
    input:
        viewed,
        set_beside_source,
        script=project_file("views.py"),
    output:
        multiext("results/{campaign}/views/", "findings.csv", "blocks.json"),
        tables=directory("results/{campaign}/views"),
        page="results/{campaign}/views.md",
    log:
        "results/logs/{campaign}/views.log",
    wildcard_constraints:
        campaign=one_of(WITH_VIEWS),
    threads: 1
    resources:
        mem_mb=request(1500, 40),
        runtime=request(5, 1 / 50),
    params:
        code=code("views.py"),
        task=task,
        views=lambda wildcards: ",".join(view.id for view in views_of(wildcards.campaign)),
        policy=policy,
        settings=view_options,
        folder=lambda wildcards: f"results/{wildcards.campaign}",
    shell:
        "python {input.script:q} --campaign={wildcards.campaign} --task {params.task} --views {params.views}"
        " --folder {params.folder:q} --policy {params.policy:q} --settings <(printf %s {params.settings:q}) 2> {log:q}"
