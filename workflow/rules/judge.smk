"""Responses and judgments, or graded responses, into verdicts."""


rule verdicts:
    """One verdict per assessor, run and question."""
    input:
        tables=of(files.judged),
        check=of(lambda it: files.below(it.campaign, "check.txt")),
        script=project_file("judge.py"),
    output:
        "results/{campaign}/verdicts.parquet",
    log:
        "results/logs/{campaign}/verdicts.log",
    benchmark:
        "results/benchmarks/{campaign}/verdicts.tsv"
    wildcard_constraints:
        campaign=those(lambda it: it.single, EVALUATIONS),
    threads: threads_up_to(4)
    resources:
        mem_mb=request(2000, 20),
        runtime=request(5, 1 / 100),
    params:
        code=code("judge.py"),
        task=of(lambda it: it.task.id),
        rules=of(lambda it: as_json(facts.judging(it))),
        graded=of(lambda it: "--graded" if it.source == "graded" else ""),
        shards=fact("shards"),
        folder=of(lambda it: it.campaign.folder),
    shell:
        "python {input.script:q} --task {params.task} --folder {params.folder:q} --shards <(printf %s {params.shards:q})"
        " {params.graded} --rules <(printf %s {params.rules:q}) --output {output:q} 2> {log:q}"
