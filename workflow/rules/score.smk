"""Verdicts, or published counts, to counts; and counts and verdicts to the scores of each measure."""


rule count:
    """Counts by run, by run and category, and for the bounds by run and policy variant."""
    input:
        verdicts=apply(paths.verdicts),
    output:
        **outputs("count"),
    log:
        "results/logs/{campaign}/count.log",
    wildcard_constraints:
        campaign=match_source("runs", "graded"),
    group:
        "scored-{campaign}"
    resources:
        **scale(1500, 20, minutes=2, minutes_per_megabyte=1 / 100),
    params:
        **call_stage("count"),
    shell:
        STAGE


use rule count as count_table with:
    """Published counts need no counting."""
    input:
        counted_table="results/{campaign}/table.parquet",
        check="results/{campaign}/check.txt",
    wildcard_constraints:
        campaign=match_source("counts"),
    params:
        **call_stage("count_table"),


rule score_counts:
    """The scores of all runs by a measure of counts."""
    input:
        counts="results/{campaign}/counts.parquet",
        categories="results/{campaign}/counts_by_category.parquet",
        bounds=apply(paths.bounds),
    output:
        **outputs("score_counts"),
    log:
        "results/logs/{campaign}/score-{measure}.log",
    wildcard_constraints:
        measure=match_kind(counts=True),
    group:
        "scored-{campaign}"
    params:
        **call_stage("score_counts"),
    shell:
        STAGE


use rule score_counts as score_verdicts with:
    """The scores of all runs by a measure of confidences, of ranks or of an order."""
    input:
        verdicts=apply(paths.verdicts),
        unruled_verdicts=apply(paths.unruled_verdicts),
    wildcard_constraints:
        measure=match_kind(counts=False),
    resources:
        **scale(1500, 40, minutes=1, minutes_per_megabyte=1 / 20),
    params:
        **call_stage("score_verdicts"),
