"""Every response with its state, for other programs; made only where it is asked for.

Reads verdicts/, texts/ or responses/, ruled/ and imports/.
Writes responses.parquet and responses.jsonl.
"""


rule responses:
    """Every response with its state, why it has it, and what there is to read."""
    input:
        verdicts=ask.of(files.verdicts),
        given=ask.of(files.all_exported),
        script=ask.script("responses.py"),
    output:
        table="results/{campaign}/responses.parquet",
        lines="results/{campaign}/responses.jsonl",
    log:
        "results/logs/{campaign}/responses.log",
    wildcard_constraints:
        campaign=ask.with_responses,
    threads: threads_up_to(4)
    resources:
        mem_mb=ask.by_raw(2000, 5),
        runtime=ask.by_raw(2, 1 / 100),
    params:
        code=code("responses.py"),
        task=ask.task,
        given=ask.json(files.exported),
        settings=ask.facts(*facts.EXPORT),
    shell:
        "python {input.script:q}"
        " --task {params.task}"
        " --verdicts {input.verdicts:q}"
        " --given <(printf %s {params.given:q})"
        " --settings <(printf %s {params.settings:q})"
        " --output {output.table:q}"
        " 2> {log:q}"
