"""Raw files to tables with all their faults; then the check, which stops the campaign if there are any."""


rule ingest_runs:
    """One shard of the raw runs."""
    input:
        opened_of_shard,
    output:
        table="results/{campaign}/responses/{shard}.parquet",
        faults="results/{campaign}/faults/runs-{shard}.tsv",
        names="results/{campaign}/runs/{shard}.parquet",
        ruled="results/{campaign}/ruled/{shard}.parquet",
    log:
        "results/logs/{campaign}/ingest_runs-{shard}.log",
    benchmark:
        "results/benchmarks/{campaign}/ingest_runs-{shard}.tsv"
    wildcard_constraints:
        campaign=from_source("runs"),
    group:
        "raw-{campaign}"
    resources:
        mem_mb=memory(1000, 15),
        runtime=minutes(2, 1 / 100),
    params:
        code=code("ingest"),
        contents=contents_of_shard,
        record=params_of(records.ReadParams, unreadable=lambda wildcards: shard_of(wildcards).others),
    shell:
        call("ingest_runs", "", "table faults names ruled", files="{input:q}")


rule ingest_graded:
    """One shard of the graded responses, with their texts and what logs state of themselves."""
    input:
        opened_of_shard,
    output:
        table="results/{campaign}/graded/{shard}.parquet",
        faults="results/{campaign}/faults/runs-{shard}.tsv",
        names="results/{campaign}/runs/{shard}.parquet",
        ruled="results/{campaign}/ruled/{shard}.parquet",
        texts="results/{campaign}/texts/{shard}.parquet",
        imports="results/{campaign}/imports/{shard}.parquet",
    log:
        "results/logs/{campaign}/ingest_graded-{shard}.log",
    benchmark:
        "results/benchmarks/{campaign}/ingest_graded-{shard}.tsv"
    wildcard_constraints:
        campaign=from_source("graded"),
    group:
        "raw-{campaign}"
    resources:
        mem_mb=memory(1000, 30),
        runtime=minutes(2, 1 / 50),
    params:
        code=code("ingest"),
        contents=contents_of_shard,
        files=lambda wildcards: shard_of(wildcards).files,
        record=params_of(records.ReadParams, unreadable=lambda wildcards: shard_of(wildcards).others),
    shell:
        call(
            "ingest_graded", "", "table faults names ruled texts imports", files="{params.files:q}", opened="{input:q}"
        )


rule ingest_judgments:
    """The judgments of all assessors, and the question set."""
    input:
        judgments=of(paths.judgment_files),
        questions=of(paths.question_files),
    output:
        table="results/{campaign}/judgments.parquet",
        asked="results/{campaign}/questions.parquet",
        faults="results/{campaign}/faults/judgments.tsv",
        names="results/{campaign}/assessors.parquet",
    log:
        "results/logs/{campaign}/ingest_judgments.log",
    wildcard_constraints:
        campaign=from_source("runs"),
    group:
        "raw-{campaign}"
    resources:
        mem_mb=memory(1000, 12),
        runtime=minutes(2, 1 / 100),
    params:
        code=code("ingest"),
        contents=contents(paths.of_contents),
        record=params_of(
            records.JudgmentsParams,
            unreadable=lambda wildcards: EVALUATIONS[wildcards.campaign].judgment_files.others,
        ),
    shell:
        call("ingest_judgments", "judgments questions", "table asked faults names")


rule ingest_questions:
    """The question set of graded responses, empty where there is no file of it."""
    input:
        of(paths.question_files),
    output:
        asked="results/{campaign}/questions.parquet",
        faults="results/{campaign}/faults/questions.tsv",
    log:
        "results/logs/{campaign}/ingest_questions.log",
    wildcard_constraints:
        campaign=from_source("graded"),
    group:
        "raw-{campaign}"
    params:
        code=code("ingest"),
        contents=contents(paths.of_contents),
        record=params_of(records.QuestionsParams),
    shell:
        call("ingest_questions", "", "asked faults", questions="{input:q}")


rule ingest_counts:
    """A table of published counts, or logs that hold counts."""
    input:
        of(paths.count_files),
    output:
        table="results/{campaign}/table.parquet",
        faults="results/{campaign}/faults/counts.tsv",
        imports="results/{campaign}/imports/counts.parquet",
    log:
        "results/logs/{campaign}/ingest_counts.log",
    wildcard_constraints:
        campaign=from_source("counts"),
    group:
        "raw-{campaign}"
    params:
        code=code("ingest"),
        contents=contents(paths.of_contents),
        files=of(lambda campaign: campaign.named_count_files),
        record=params_of(
            records.ReadParams,
            unreadable=lambda wildcards: EVALUATIONS[wildcards.campaign].count_files.others,
        ),
    shell:
        call("ingest_counts", "", "table faults imports", files="{params.files:q}", opened="{input:q}")


rule check:
    """All faults of all the files of a campaign, in one report; with any, nothing below is touched."""
    input:
        faults=of(paths.faults),
        files=of(paths.checked),
        accounts=of(paths.accounts),
        runs=of(paths.run_files),
        judgments=of(paths.judgment_files),
    output:
        certificate="results/{campaign}/check.txt",
        data="results/{campaign}/check.json",
    log:
        "results/logs/{campaign}/check.log",  # the report, which the profile has shown
    wildcard_constraints:
        campaign=one_of(it.name for it in CAMPAIGNS),
    retries: 0  # a fault in a file stays one
    group:
        "raw-{campaign}"
    resources:
        mem_mb=memory(2000, 5),
        runtime=minutes(2, 1 / 200),
    params:
        code=code("ingest"),
        report="results/{campaign}/faults.txt",
        record=params_of(records.CheckParams),
    shell:
        call("check", "faults files accounts runs judgments", "certificate data", report="{params.report:q}")
