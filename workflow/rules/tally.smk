"""Turns verdicts, or a published table of counts in their place, into counts by run.

Reads verdicts/, or table.parquet.
Writes counts.parquet, counts_by_category.parquet and counts_by_variant.parquet; from verdicts also outcomes/.
"""


# A checkpoint, so that Snakemake decides anew on all that follows: where an edit leaves verdicts, counts or outcomes
# for one measure as they were, nothing that reads them is repeated, in the same invocation. The checksums of files
# decide (profiles/default: max-checksum-file-size).
checkpoint tally:
    """Counts by run, by run and category, and for the bounds by run and policy variant; outcomes by question."""
    input:
        verdicts=ask.of(files.verdicts),
        script=ask.script("tally.py"),
    output:
        counts="results/{campaign}/counts.parquet",
        categories="results/{campaign}/counts_by_category.parquet",
        bounds="results/{campaign}/counts_by_variant.parquet",
        outcomes=directory("results/{campaign}/outcomes"),
    log:
        "results/logs/{campaign}/tally.log",
    benchmark:
        "results/benchmarks/{campaign}/tally.tsv"
    wildcard_constraints:
        campaign=one_of(ask.tallied),
    group:
        ask.group("raw", in_shards="judged")
    threads: threads_up_to(2)
    resources:
        mem_mb=ask.by_raw(1500, 4),
        runtime=ask.by_raw(2, 1 / 200),
    params:
        code=code("tally.py"),
        task=ask.task,
        policy=ask.fact("policy"),
        official=ask.fact("official"),
        measures=ask.fact("with_outcomes"),
    shell:
        "python {input.script:q} verdicts"
        " --files {input.verdicts:q}"
        " --task {params.task}"
        " --policy {params.policy:q}"
        " --output {output.counts:q}"
        " --categories {output.categories:q}"
        " --bounds {output.bounds:q}"
        " --official <(printf %s {params.official:q})"
        " --measures <(printf %s {params.measures:q})"
        " --outcomes {output.outcomes:q}"
        " 2> {log:q}"


rule tally_table:
    """Published counts need no counting."""
    input:
        table="results/{campaign}/table.parquet",
        check="results/{campaign}/check.txt",
        script=ask.script("tally.py"),
    output:
        counts="results/{campaign}/counts.parquet",
        categories="results/{campaign}/counts_by_category.parquet",
        bounds="results/{campaign}/counts_by_variant.parquet",
    log:
        "results/logs/{campaign}/tally.log",
    wildcard_constraints:
        campaign=ask.from_source("counts"),
    group:
        ask.group("raw")
    params:
        code=code("tally.py"),
    shell:
        "python {input.script:q} published"
        " --file {input.table:q}"
        " --output {output.counts:q}"
        " --categories {output.categories:q}"
        " --bounds {output.bounds:q}"
        " 2> {log:q}"
