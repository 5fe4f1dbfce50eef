"""Responses and judgments, or graded responses, to verdicts: one file for each evaluation of a campaign."""


# A checkpoint, so that Snakemake decides anew on all that follows: where an edit leaves the verdicts as they were,
# nothing that reads them is repeated. The checksums of files decide (profiles/default: max-checksum-file-size).
checkpoint judge:
    """The verdicts of all assessors on all responses; only questions with other judgments are judged again."""
    input:
        responses=of(paths.responses),
        graded=of(paths.graded),
        judgments=of(paths.judgments),
        questions=of(paths.questions),
        certificate=of(lambda evaluation: paths.below(evaluation.campaign, "check.txt")),
    output:
        "results/{campaign}/verdicts.npz",
    log:
        "results/logs/{campaign}/judge.log",
    benchmark:
        "results/benchmarks/{campaign}/judge.tsv"
    wildcard_constraints:
        campaign=one_of(it.name for it in EVALUATIONS.values() if it.single),
    group:
        "raw-{campaign}"
    threads: 2
    resources:
        mem_mb=memory(2000, 10),
        runtime=minutes(2, 1 / 50),
    params:
        code=code("judge"),
        memo="results/.memo/{campaign}/judge.npz",
        record=params_of(records.JudgeParams),
    shell:
        call(
            "judge",
            "responses graded judgments questions certificate",
            verdicts="{output:q}",
            memo="{params.memo:q}",
            code="{params.code}",
        )


rule export_verdicts:
    """All verdicts with names; made only where it is asked for."""
    input:
        "results/{campaign}/verdicts.npz",
    output:
        "results/{campaign}/verdicts.parquet",
    log:
        "results/logs/{campaign}/export_verdicts.log",
    wildcard_constraints:
        campaign=one_of(it.name for it in EVALUATIONS.values() if it.single),
    resources:
        mem_mb=memory(2000, 100),
        runtime=minutes(2, 1 / 20),
    params:
        code=code("judge"),
    shell:
        call("export_verdicts", verdicts="{input:q}", table="{output:q}", record=None)


rule export_responses:
    """Every response with its state and its text, for other programs; made only where it is asked for."""
    input:
        verdicts="results/{campaign}/verdicts.npz",
        texts=of(paths.texts),
        responses=of(paths.responses),
        ruled=of(paths.ruled),
        imports=of(paths.imports),
    output:
        table="results/{campaign}/responses.parquet",
        lines="results/{campaign}/responses.jsonl",
    log:
        "results/logs/{campaign}/export_responses.log",
    wildcard_constraints:
        campaign=from_source("runs", "graded"),
    resources:
        mem_mb=memory(2000, 20),
        runtime=minutes(2, 1 / 50),
    params:
        code=code("judge"),
        record=params_of(records.ResponsesParams),
    shell:
        call("export_responses", "verdicts texts responses ruled imports", "table lines")
