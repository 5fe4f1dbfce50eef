"""Verdicts, or published counts, to counts; and counts and verdicts to the scores of each measure."""


rule count:
    """Counts by run, by run and category, and for the bounds by run and policy variant."""
    input:
        of(paths.verdicts),
    output:
        counts="results/{campaign}/counts.parquet",
        categories="results/{campaign}/counts_by_category.parquet",
        bounds="results/{campaign}/counts_by_variant.parquet",
    log:
        "results/logs/{campaign}/count.log",
    wildcard_constraints:
        campaign=one_of(it.name for it in EVALUATIONS.values() if it.single),
    group:
        "scored-{campaign}"
    resources:
        mem_mb=memory(1500, 20),
        runtime=minutes(2, 1 / 100),
    params:
        code=code("score"),
        record=params_of(records.CountParams),
    shell:
        call("count", "", "counts categories bounds", verdicts="{input:q}")


rule count_table:
    """Published counts need no counting."""
    input:
        table="results/{campaign}/table.parquet",
        certificate="results/{campaign}/check.txt",
    output:
        counts="results/{campaign}/counts.parquet",
        categories="results/{campaign}/counts_by_category.parquet",
        bounds="results/{campaign}/counts_by_variant.parquet",
    log:
        "results/logs/{campaign}/count_table.log",
    wildcard_constraints:
        campaign=from_source("counts"),
    group:
        "scored-{campaign}"
    params:
        code=code("score"),
    shell:
        call("count_table", "table certificate", "counts categories bounds", record=None)


rule score_counts:
    """The scores of all runs by a measure of counts."""
    input:
        counts="results/{campaign}/counts.parquet",
        categories="results/{campaign}/counts_by_category.parquet",
        bounds=of(paths.bounds),
    output:
        scores="results/{campaign}/scores/{measure}.parquet",
        by_category="results/{campaign}/scores_by_category/{measure}.parquet",
    log:
        "results/logs/{campaign}/score-{measure}.log",
    wildcard_constraints:
        campaign=one_of(EVALUATIONS),
        measure=of_kind(counts=True),
    group:
        "scored-{campaign}"
    params:
        code=code("score"),
        record=params_of(records.CountParams),
    shell:
        call("score_counts", "counts categories bounds", "scores by_category", measure="{wildcards.measure:q}")


rule score_verdicts:
    """The scores of all runs by a measure of confidences, of ranks or of an order."""
    input:
        verdicts=of(paths.verdicts),
        without_rules=of(paths.verdicts_without_rules),
    output:
        scores="results/{campaign}/scores/{measure}.parquet",
        by_category="results/{campaign}/scores_by_category/{measure}.parquet",
    log:
        "results/logs/{campaign}/score-{measure}.log",
    benchmark:
        "results/benchmarks/{campaign}/score-{measure}.tsv"
    wildcard_constraints:
        campaign=one_of(EVALUATIONS),
        measure=of_kind(counts=False),
    group:
        "scored-{campaign}"
    resources:
        mem_mb=memory(1500, 100),
        runtime=minutes(1, 1 / 20),
    params:
        code=code("score"),
        record=params_of(records.CountParams),
    shell:
        call("score_verdicts", "verdicts without_rules", "scores by_category", measure="{wildcards.measure:q}")
