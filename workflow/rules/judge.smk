"""Responses and judgments, or graded responses, into verdicts.

Reads responses/, judgments.parquet and questions.parquet, or graded/ and questions.parquet; check.txt.
Writes verdicts.parquet, of scenarios and without the campaign's rules in folders of their own.
"""


rule verdicts:
    """One verdict per assessor, run and question."""
    input:
        tables=ask.of(files.judged),
        check=ask.of(files.certificate),
        script=ask.script("judge.py"),
    output:
        "results/{campaign}/verdicts.parquet",
    log:
        "results/logs/{campaign}/verdicts.log",
    benchmark:
        "results/benchmarks/{campaign}/verdicts.tsv"
    wildcard_constraints:
        campaign=one_of(it.name for it in ask.evaluations.values() if it.single),
    group:
        ask.group("raw")
    threads: threads_up_to(4)
    resources:
        mem_mb=ask.by_raw(2000, 5),
        runtime=ask.by_raw(2, 1 / 100),
    params:
        code=code("judge.py"),
        task=ask.task,
        rules=ask.json(facts.judging),
        graded=ask.of(lambda it: "--graded" if it.source == "graded" else ""),
        shards=ask.fact("shards"),
        folder=ask.of(lambda it: it.campaign.folder),
    shell:
        "python {input.script:q}"
        " --task {params.task}"
        " --folder {params.folder:q}"
        " --shards <(printf %s {params.shards:q})"
        " {params.graded}"
        " --rules <(printf %s {params.rules:q})"
        " --output {output:q}"
        " 2> {log:q}"
