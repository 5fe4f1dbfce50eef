"""Raw files to tables with all their faults; then the check, which stops the campaign if there are any."""


rule ingest_runs:
    """One shard of the raw runs."""
    input:
        shard_files=apply(paths.shard_files),
    output:
        **outputs("ingest_runs"),
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
        contents=apply(lambda *shard: this_run.raw.digest_all(paths.contents(*shard))),
    shell:
        STAGE


use rule ingest_runs as ingest_graded with:
    """One shard of the graded responses, with their texts and what logs state of themselves."""
    input:
        shard_files=apply(paths.shard_files),
    output:
        **outputs("ingest_graded"),
    log:
        "results/logs/{campaign}/ingest_graded-{shard}.log",
    wildcard_constraints:
        campaign=match_source("graded"),
    params:
        **call_stage(
            "ingest_graded",
            matched_files=paths.matched_files,
            unreadable=paths.unreadable,
        ),


rule ingest_judgments:
    """The judgments of all assessors, and the question set."""
    input:
        judgment_files=apply(paths.judgment_files),
        question_files=apply(paths.question_files),
    output:
        **outputs("ingest_judgments"),
    log:
        "results/logs/{campaign}/ingest_judgments.log",
    wildcard_constraints:
        campaign=match_source("runs"),
    group:
        "raw-{campaign}"
    resources:
        **scale(1000, 12, minutes=2, minutes_per_megabyte=1 / 100),
    params:
        **call_stage("ingest_judgments", unreadable=paths.unreadable),
        contents=apply(lambda it: this_run.raw.digest_all(paths.contents(it))),
    shell:
        STAGE


use rule ingest_judgments as ingest_questions with:
    """The question set of graded responses, empty where there is no file of it."""
    input:
        question_files=apply(paths.question_files),
    output:
        **outputs("ingest_questions"),
    log:
        "results/logs/{campaign}/ingest_questions.log",
    wildcard_constraints:
        campaign=match_source("graded"),
    params:
        **call_stage("ingest_questions"),


use rule ingest_judgments as ingest_counts with:
    """A table of published counts, or logs that hold counts."""
    input:
        count_files=apply(paths.count_files),
    output:
        **outputs("ingest_counts"),
    log:
        "results/logs/{campaign}/ingest_counts.log",
    wildcard_constraints:
        campaign=match_source("counts"),
    params:
        **call_stage(
            "ingest_counts",
            matched_files=paths.matched_files,
            unreadable=paths.unreadable,
        ),


rule check:
    """All faults of all the files of a campaign, in one report; with any, nothing below is touched."""

    # Only for the lines of faults are raw files read again: as inputs, Snakemake would read all of
    # them twice.
    input:
        faults=apply(paths.faults),
        checked_tables=apply(paths.checked_tables),
        accounts=apply(paths.accounts),
    output:
        **outputs("check"),
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
