"""Verdicts into contingency counts, or a published table of counts in their place."""


rule tally:
    """Counts by run, by run and category, and for the bounds by run and policy variant."""
    input:
        verdicts=verdicts_of,
        script=project_file("tally.py"),
    output:
        counts="results/{campaign}/counts.parquet",
        categories="results/{campaign}/counts_by_category.parquet",
        bounds="results/{campaign}/counts_by_treatment.parquet",
    log:
        "results/logs/{campaign}/tally.log",
    benchmark:
        "results/benchmarks/{campaign}/tally.tsv"
    wildcard_constraints:
        campaign=one_of(campaigns_by("runs", READINGS) + campaigns_by("graded", READINGS)),
    threads: threads_up_to(2)
    resources:
        mem_mb=request(1000, 20),
        runtime=request(5, 1 / 100),
    params:
        code=code(library("tally.py", "verdicts"), task_modules),
        task=task,
        policy=policy,
    shell:
        "python {input.script:q} verdicts --file {input.verdicts:q} --task {params.task} --policy {params.policy:q}"
        " --output {output.counts:q} --categories {output.categories:q} --bounds {output.bounds:q} 2> {log:q}"


rule tally_table:
    """Published counts need no counting."""
    input:
        table="results/{campaign}/table.parquet",
        check="results/{campaign}/check.txt",
        script=project_file("tally.py"),
    output:
        counts="results/{campaign}/counts.parquet",
        categories="results/{campaign}/counts_by_category.parquet",
        bounds="results/{campaign}/counts_by_treatment.parquet",
    log:
        "results/logs/{campaign}/tally.log",
    wildcard_constraints:
        campaign=one_of(campaigns_by("counts")),
    localrule: True
    threads: 1
    params:
        code=code(library("tally.py", "table")),
    shell:
        "python {input.script:q} table --file {input.table:q}"
        " --output {output.counts:q} --categories {output.categories:q} --bounds {output.bounds:q} 2> {log:q}"
