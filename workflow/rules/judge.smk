"""Turns responses and judgments, or graded responses, into verdicts, shard by shard.

Reads responses/, judgments.parquet and questions.parquet, or graded/ and questions.parquet; check.txt.
Writes verdicts/ and, where there are several shards, known.parquet and sharing.json; verdicts of scenarios, and those
without the campaign's rules, in folders of their own.
"""


# A checkpoint, so that a shard is judged again only where this table or the shard itself has changed.
checkpoint known:
    """What verdicts owe to all shards together: which questions have answers, what runs are compared on."""
    input:
        tables=ask.of(files.judged),
        check=ask.of(files.certificate),
        sharing="results/{campaign}/sharing.json",
        script=ask.script("judge.py"),
    output:
        "results/{campaign}/known.parquet",
    log:
        "results/logs/{campaign}/known.log",
    benchmark:
        "results/benchmarks/{campaign}/known.tsv"
    wildcard_constraints:
        campaign=ask.judged_in_shards,
    group:
        ask.group("raw")
    threads: threads_up_to(4)
    resources:
        mem_mb=ask.by_raw(2000, 2),
        runtime=ask.by_raw(2, 1 / 200),
    params:
        code=code("judge.py"),
        task=ask.task,
        judging=ask.json(facts.judging),
        graded=ask.graded,
        shards=ask.fact("shards"),
        folder=ask.of(files.folder_of_tables),
    shell:
        "python {input.script:q} known"
        " --task {params.task}"
        " --folder {params.folder:q}"
        " --shards <(printf %s {params.shards:q})"
        " {params.graded}"
        " --judging <(printf %s {params.judging:q})"
        " --output {output:q}"
        " 2> {log:q}"


# Apart from `known`, which waits for it, so that one job of a cluster makes both: of a checkpoint with several outputs,
# Snakemake misses the first alone.
checkpoint sharing:
    """By shard, the shards that have responses of the same runs, which are judged with the first of them."""
    input:
        tables=ask.of(files.judged),
        check=ask.of(files.certificate),
        script=ask.script("judge.py"),
    output:
        "results/{campaign}/sharing.json",
    log:
        "results/logs/{campaign}/sharing.log",
    wildcard_constraints:
        campaign=ask.judged_in_shards,
    group:
        ask.group("raw")
    resources:
        mem_mb=ask.by_raw(1500, 1),
        runtime=ask.by_raw(2, 1 / 400),
    params:
        code=code("judge.py"),
        graded=ask.graded,
        shards=ask.fact("shards"),
        folder=ask.of(files.folder_of_tables),
    shell:
        "python {input.script:q} sharing"
        " --folder {params.folder:q}"
        " --shards <(printf %s {params.shards:q})"
        " {params.graded}"
        " --output {output:q}"
        " 2> {log:q}"


rule verdicts:
    """One verdict per assessor, run and question."""
    input:
        tables=ask.judged,
        script=ask.script("judge.py"),
    output:
        "results/{campaign}/verdicts/{shard}.parquet",
    log:
        "results/logs/{campaign}/verdicts-{shard}.log",
    benchmark:
        "results/benchmarks/{campaign}/verdicts-{shard}.tsv"
    wildcard_constraints:
        campaign=ask.all_judged,
    group:
        ask.group("raw", in_shards="judged")
    threads: threads_up_to(4)
    resources:
        mem_mb=ask.by_shard(2000, 5),
        runtime=ask.by_shard(2, 1 / 100),
    params:
        code=code("judge.py"),
        task=ask.task,
        judging=ask.json(facts.judging),
        graded=ask.graded,
        known=ask.known,
        further=ask.further,
        shards=shards_in,
        folder=ask.of(files.folder_of_tables),
    shell:
        "python {input.script:q} shard"
        " --task {params.task}"
        " --folder {params.folder:q}"
        " --shard {wildcards.shard}"
        " --shards <(printf %s {params.shards:q})"
        " {params.graded}"
        " {params.known:q}"
        " {params.further}"
        " --judging <(printf %s {params.judging:q})"
        " --output {output:q}"
        " 2> {log:q}"


rule verdicts_of_all_shards:
    """All verdicts in one table, with all that follows from them; made only where it is asked for."""
    input:
        verdicts=ask.of(files.verdicts),
        script=ask.script("judge.py"),
    output:
        "results/{campaign}/verdicts.parquet",
    log:
        "results/logs/{campaign}/verdicts.log",
    wildcard_constraints:
        campaign=ask.all_judged,
    threads: threads_up_to(4)
    resources:
        mem_mb=ask.by_raw(2000, 5),
        runtime=ask.by_raw(2, 1 / 100),
    params:
        code=code("judge.py"),
    shell:
        # With what follows from verdicts, which the shards do not hold.
        "python {input.script:q} export" " --files {input.verdicts:q}" " --output {output:q}" " 2> {log:q}"
