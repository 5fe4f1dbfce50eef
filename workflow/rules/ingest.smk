"""Raw files to tables with all their faults; then the check, which stops the campaign if there are any."""


rule ingest_runs:
    """One shard of the raw runs."""
    input:
        files=apply(paths.shard_files),
    output:
        table="results/{campaign}/responses/{shard}.parquet",
        faults="results/{campaign}/faults/runs-{shard}.tsv",
        names="results/{campaign}/runs/{shard}.parquet",
        ruled="results/{campaign}/ruled/{shard}.parquet",
    log:
        "results/logs/{campaign}/ingest_runs-{shard}.log",
    wildcard_constraints:
        campaign=match_source("runs"),
    group:
        "raw-{campaign}"
    resources:
        **scale(1000, 30, minutes=2, minutes_per_megabyte=1 / 50),
    params:
        **call_stage("ingest_runs", unreadable=paths.unreadable),
        contents=apply(lambda *shard: this_run.raw.digest_all(paths.shard_contents(*shard))),
    shell:
        STAGE


use rule ingest_runs as ingest_graded with:
    """One shard of the graded responses, with their texts and what logs state of themselves."""
    input:
        opened=apply(paths.shard_files),
    output:
        table="results/{campaign}/graded/{shard}.parquet",
        faults="results/{campaign}/faults/runs-{shard}.tsv",
        names="results/{campaign}/runs/{shard}.parquet",
        ruled="results/{campaign}/ruled/{shard}.parquet",
        texts="results/{campaign}/texts/{shard}.parquet",
        imports="results/{campaign}/imports/{shard}.parquet",
    log:
        "results/logs/{campaign}/ingest_graded-{shard}.log",
    wildcard_constraints:
        campaign=match_source("graded"),
    params:
        **call_stage(
            "ingest_graded",
            files=lambda it, shard: it.shard_matches[shard].files,
            unreadable=paths.unreadable,
        ),


rule ingest_judgments:
    """The judgments of all assessors, and the question set."""
    input:
        judgments=apply(paths.judgment_files),
        questions=apply(paths.question_files),
    output:
        table="results/{campaign}/judgments.parquet",
        question_set="results/{campaign}/questions.parquet",
        faults="results/{campaign}/faults/judgments.tsv",
        names="results/{campaign}/assessors.parquet",
    log:
        "results/logs/{campaign}/ingest_judgments.log",
    wildcard_constraints:
        campaign=match_source("runs"),
    group:
        "raw-{campaign}"
    resources:
        **scale(1000, 12, minutes=2, minutes_per_megabyte=1 / 100),
    params:
        **call_stage("ingest_judgments", unreadable=lambda it: it.judgment_files.unreadable),
        contents=apply(lambda it: this_run.raw.digest_all(paths.contents(it))),
    shell:
        STAGE


use rule ingest_judgments as ingest_questions with:
    """The question set of graded responses, empty where there is no file of it."""
    input:
        questions=apply(paths.question_files),
    output:
        question_set="results/{campaign}/questions.parquet",
        faults="results/{campaign}/faults/questions.tsv",
    log:
        "results/logs/{campaign}/ingest_questions.log",
    wildcard_constraints:
        campaign=match_source("graded"),
    params:
        **call_stage("ingest_questions"),


use rule ingest_judgments as ingest_counts with:
    """A table of published counts, or logs that hold counts."""
    input:
        opened=apply(paths.count_files),
    output:
        table="results/{campaign}/table.parquet",
        faults="results/{campaign}/faults/counts.tsv",
        imports="results/{campaign}/imports/counts.parquet",
    log:
        "results/logs/{campaign}/ingest_counts.log",
    wildcard_constraints:
        campaign=match_source("counts"),
    params:
        **call_stage(
            "ingest_counts",
            files=lambda it: it.matched_count_files,
            unreadable=lambda it: it.count_files.unreadable,
        ),


rule check:
    """All faults of all the files of a campaign, in one report; with any, nothing below is touched."""

    # Only for the lines of faults are raw files read again: as inputs, Snakemake would read all of
    # them twice.
    input:
        faults=apply(paths.faults),
        files=apply(paths.checked_tables),
        accounts=apply(paths.accounts),
    output:
        check="results/{campaign}/check.txt",
        data="results/{campaign}/check.json",
    log:
        "results/logs/{campaign}/check.log",  # the report, which the profile has shown
    retries: 0  # a fault in a file stays one
    group:
        "raw-{campaign}"
    resources:
        **scale(2000, 5, minutes=2, minutes_per_megabyte=1 / 200),
    params:
        **call_stage("check", report="results/{campaign}/faults.txt"),
    shell:
        STAGE
