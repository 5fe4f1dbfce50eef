"""Responses and judgments, or graded responses, into verdicts."""


rule verdicts:
    """One verdict per assessor, run and question."""
    input:
        tables=judged_tables,
        check=lambda wildcards: f"{read_into(wildcards)}/check.txt",
        script=project_file("judge.py"),
    output:
        "results/{campaign}/verdicts.parquet",
    log:
        "results/logs/{campaign}/verdicts.log",
    benchmark:
        "results/benchmarks/{campaign}/verdicts.tsv"
    wildcard_constraints:
        campaign=one_of(campaigns_by("runs", READINGS) + campaigns_by("graded", READINGS)),
    threads: threads_up_to(4)
    resources:
        mem_mb=request(2000, 20),
        runtime=request(5, 1 / 100),
    params:
        code=code("judge.py"),
        task=task,
        rules=judging_rules,
        graded=lambda wildcards: "--graded" if "graded" in READINGS[wildcards.campaign] else "",
        shards=lambda wildcards: as_json(shards(campaign_of(wildcards.campaign))),
        folder=read_into,
    shell:
        "python {input.script:q} --task {params.task} --folder {params.folder:q} --shards <(printf %s {params.shards:q})"
        " {params.graded} --rules <(printf %s {params.rules:q}) --output {output:q} 2> {log:q}"


rule audit:
    """The answers whose state a rule on their text decided, beside what they would be without it."""
    input:
        tables=judged_tables,
        ruled=lambda wildcards: ruled_tables(wildcards.campaign),
        check="results/{campaign}/check.txt",
        script=project_file("audit.py"),
    output:
        "results/{campaign}/audit.csv",
    log:
        "results/logs/{campaign}/audit.log",
    wildcard_constraints:
        campaign=one_of(RULED),
    threads: threads_up_to(2)
    resources:
        mem_mb=request(2000, 20),
        runtime=request(5, 1 / 100),
    params:
        code=code("audit.py"),
        task=task,
        rules=lambda wildcards: as_json(label_rules(wildcards)),
        graded=lambda wildcards: "--graded" if "graded" in CAMPAIGNS[wildcards.campaign] else "",
        official=lambda wildcards: as_json(official(wildcards)),
        shards=lambda wildcards: as_json(shards(wildcards.campaign)),
        folder=read_into,
    shell:
        "python {input.script:q} --task {params.task} --folder {params.folder:q} --shards <(printf %s {params.shards:q})"
        " {params.graded} --rules <(printf %s {params.rules:q}) --official <(printf %s {params.official:q}) --output {output:q} 2> {log:q}"
