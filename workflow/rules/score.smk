"""One job per measure: the scores of all runs of a campaign."""


rule score_counts:
    """A measure of counts."""
    input:
        counts="results/{campaign}/counts.parquet",
        categories="results/{campaign}/counts_by_category.parquet",
        bounds=of(files.bounds),
        script=project_file("score.py"),
    output:
        scores="results/{campaign}/scores/{measure}.parquet",
        by_category="results/{campaign}/scores_by_category/{measure}.parquet",
    log:
        "results/logs/{campaign}/score-{measure}.log",
    wildcard_constraints:
        campaign=one_of(EVALUATIONS),
        measure=one_of(id for it in CAMPAIGNS.values() for id in it.of_kind(counts=True)),
    localrule: True
    threads: 1
    params:
        code=code("score.py"),
        task=of(lambda it: it.task.id),
    shell:
        "python {input.script:q} counts --task {params.task} --measure {wildcards.measure:q}"
        " --total {input.counts:q} --categories {input.categories:q} --bounds {input.bounds:q}"
        " --output {output.scores:q} --by-category {output.by_category:q} 2> {log:q}"


rule score_verdicts:
    """A measure of self-scores, of ranks or of an order."""
    input:
        verdicts=counted(files.verdicts),
        without_rules=counted(files.verdicts_without_rules),
        script=project_file("score.py"),
    output:
        scores="results/{campaign}/scores/{measure}.parquet",
        by_category="results/{campaign}/scores_by_category/{measure}.parquet",
    log:
        "results/logs/{campaign}/score-{measure}.log",
    benchmark:
        "results/benchmarks/{campaign}/score-{measure}.tsv"
    wildcard_constraints:
        campaign=one_of(EVALUATIONS),
        measure=one_of(id for it in CAMPAIGNS.values() for id in it.of_kind(counts=False)),
    threads: 1
    resources:
        mem_mb=request(1500, 80),
        runtime=request(5, 1 / 50),
    params:
        code=code("score.py"),
        task=of(lambda it: it.task.id),
        policy=fact("policy"),
        without_rules=lambda wildcards, input: [f"--without-rules={path}" for path in input.without_rules],
    shell:
        "python {input.script:q} verdicts --task {params.task} --measure {wildcards.measure:q}"
        " --file {input.verdicts:q} {params.without_rules} --policy {params.policy:q}"
        " --output {output.scores:q} --by-category {output.by_category:q} 2> {log:q}"
