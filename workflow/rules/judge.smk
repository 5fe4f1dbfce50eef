"""Responses and judgments, or graded responses, into verdicts."""


def judged_tables(wildcards):
    """The tables that verdicts are made of."""
    return [
        path
        for path in checked_tables(wildcards)
        if path.endswith(".parquet") and not path.startswith(f"results/{wildcards.campaign}/runs/")
    ]


def judging_rules(wildcards):
    """Which labels are correct, which partial, and whether an answer key is closed."""
    judgments = CAMPAIGNS[wildcards.campaign].get("judgments")
    return as_json({key: judgments[key] for key in ("correct", "partial", "closed")} if judgments else {})


# A checkpoint, because everything below asks for its output anew: an edit that changes no verdict then stops
# here, in the same invocation. The file's checksum decides (profiles/default: max-checksum-file-size).
checkpoint verdicts:
    """One verdict per assessor, run and question."""
    input:
        tables=judged_tables,
        check="results/{campaign}/check.txt",
        script=source("judge.py"),
        library=library("judge"),
        sql=[source(f"nonresponse/sql/{name}.sql") for name in SQL],
    output:
        "results/{campaign}/verdicts.parquet",
    log:
        "results/logs/{campaign}/verdicts.log",
    benchmark:
        "results/benchmarks/{campaign}/verdicts.tsv"
    wildcard_constraints:
        campaign=one_of(campaigns_by("runs") + campaigns_by("graded")),
    threads: 4
    resources:
        mem_mb=lambda wildcards, input, attempt: attempt * (2000 + 20 * int(input.size_mb)),
        runtime=lambda wildcards, input, attempt: attempt * (5 + int(input.size_mb) // 100),
    params:
        task=task,
        rules=judging_rules,
        graded=lambda wildcards: "--graded" if "graded" in CAMPAIGNS[wildcards.campaign] else "",
        shards=lambda wildcards: as_json(shards(wildcards.campaign)),
        folder=lambda wildcards: f"results/{wildcards.campaign}",
    shell:
        "python {input.script:q} --task {params.task} --folder {params.folder:q} --shards {params.shards:q}"
        " {params.graded} --rules {params.rules:q} --output {output:q} 2> {log:q}"


def verdicts_of(wildcards):
    return checkpoints.verdicts.get(campaign=wildcards.campaign).output[0]


def ask_verdicts(campaign):
    """Make what follows wait for the campaign's verdicts; a table of counts has none."""
    if "counts" not in CAMPAIGNS[campaign]:
        checkpoints.verdicts.get(campaign=campaign)
