"""Responses and judgments, or graded responses, to verdicts: one file for each evaluation of a campaign."""


# A checkpoint, so that Snakemake decides anew on all that follows: where an edit leaves the
# verdicts as they were, nothing that reads them is repeated. The checksums of files decide
# (profiles/default: max-checksum-file-size).
checkpoint judge:
    """The verdicts of all assessors on all responses."""
    input:
        responses=apply(paths.responses),
        graded=apply(paths.graded),
        judgments=apply(paths.judgments),
        questions=apply(paths.questions),
        check=apply(paths.check),
    output:
        **outputs("judge"),
    log:
        "results/logs/{campaign}/judge.log",
    group:
        "raw-{campaign}"
    threads: apply(lambda it: min(2, len(it.shards)))
    resources:
        **scale(2000, 10, minutes=2, minutes_per_megabyte=1 / 50),
    params:
        **call_stage("judge", memo="results/.memo/{campaign}/judge.npz"),
    shell:
        STAGE


rule export_verdicts:
    """All verdicts with names; made only where it is asked for."""
    input:
        verdicts="results/{campaign}/verdicts.npz",
    output:
        **outputs("export_verdicts"),
    log:
        "results/logs/{campaign}/export_verdicts.log",
    resources:
        **scale(),
    params:
        **call_stage("export_verdicts"),
    shell:
        STAGE


use rule export_verdicts as export_responses with:
    """Every response with its state and its text, for other programs; made only where it is asked for."""
    input:
        verdicts="results/{campaign}/verdicts.npz",
        texts=apply(paths.texts),
        responses=apply(paths.responses),
        ruled=apply(paths.ruled),
        imports=apply(paths.imports),
    output:
        **outputs("export_responses"),
    log:
        "results/logs/{campaign}/export_responses.log",
    params:
        **call_stage("export_responses"),
