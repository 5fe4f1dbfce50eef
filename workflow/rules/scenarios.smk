"""Scenarios: the same judgments read otherwise. What judges, counts and scores a campaign does so for its scenarios."""


rule scenarios:
    """Scores, ranks and swapped pairs of runs under every reading of the judgments."""
    input:
        scenario_scores,
        script=project_file("scenarios.py"),
    output:
        [f"results/{{campaign}}/scenarios/{name}.csv" for name in SCENARIO_TABLES],
        blocks="results/{campaign}/scenarios/blocks.json",
        page="results/{campaign}/scenarios.md",
    log:
        "results/logs/{campaign}/scenarios.log",
    wildcard_constraints:
        campaign=one_of(WITH_SCENARIOS),
    localrule: True
    threads: 1
    params:
        code=code("scenarios.py"),
        task=task,
        settings=scenario_options,
        folder=lambda wildcards: f"results/{wildcards.campaign}",
    shell:
        "python {input.script:q} --campaign={wildcards.campaign} --task {params.task} --folder {params.folder:q}"
        " --settings <(printf %s {params.settings:q}) 2> {log:q}"
