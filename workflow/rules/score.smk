"""One job per measure: the scores of all runs of a campaign.

Reads the tables of counts, or verdicts.parquet; both also without the campaign's rules.
Writes scores/ and scores_by_category/.
"""


rule score_counts:
    """A measure of counts."""
    input:
        counts="results/{campaign}/counts.parquet",
        categories="results/{campaign}/counts_by_category.parquet",
        bounds=ask.of(files.bounds),
        script=ask.script("score.py"),
    output:
        scores="results/{campaign}/scores/{measure}.parquet",
        by_category="results/{campaign}/scores_by_category/{measure}.parquet",
    log:
        "results/logs/{campaign}/score-{measure}.log",
    wildcard_constraints:
        campaign=one_of(ask.evaluations),
        measure=ask.of_kind(counts=True),
    localrule: True
    params:
        code=code("score.py"),
        task=ask.task,
    shell:
        "python {input.script:q} counts"
        " --task {params.task}"
        " --measure {wildcards.measure:q}"
        " --total {input.counts:q}"
        " --categories {input.categories:q}"
        " --bounds {input.bounds:q}"
        " --output {output.scores:q}"
        " --by-category {output.by_category:q}"
        " 2> {log:q}"


rule score_verdicts:
    """A measure of self-scores, of ranks or of an order."""
    input:
        verdicts=ask.counted(files.verdicts),
        without_rules=ask.counted(files.verdicts_without_rules),
        script=ask.script("score.py"),
    output:
        scores="results/{campaign}/scores/{measure}.parquet",
        by_category="results/{campaign}/scores_by_category/{measure}.parquet",
    log:
        "results/logs/{campaign}/score-{measure}.log",
    benchmark:
        "results/benchmarks/{campaign}/score-{measure}.tsv"
    wildcard_constraints:
        campaign=one_of(ask.evaluations),
        measure=ask.of_kind(counts=False),
    resources:
        mem_mb=request(1500, 80),
        runtime=request(5, 1 / 50),
    params:
        code=code("score.py"),
        task=ask.task,
        policy=ask.fact("policy"),
        without_rules=lambda wildcards, input: [f"--without-rules={path}" for path in input.without_rules],
    shell:
        "python {input.script:q} verdicts"
        " --task {params.task}"
        " --measure {wildcards.measure:q}"
        " --file {input.verdicts:q} {params.without_rules}"
        " --policy {params.policy:q}"
        " --output {output.scores:q}"
        " --by-category {output.by_category:q}"
        " 2> {log:q}"
