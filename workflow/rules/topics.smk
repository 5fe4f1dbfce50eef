"""What is found out of a campaign from its scores: a rule for each record of scripts/nonresponse/dag/topics.py.

Reads and writes what the record says.
"""

for topic in topics(ask.campaigns):

    rule:
        """What its record says: tables, figures, a page."""
        name:
            topic.id
        input:
            files=ask.counted(topic.files, scenarios=topic.waits),
            published=ask.of(topic.published_files),
            script=ask.script("topic.py"),
        output:
            [f"results/{{campaign}}/{name}" for name in topic.writes if not name.endswith("/")],
            [directory(f"results/{{campaign}}/{name}") for name in topic.writes if name.endswith("/")],
        log:
            f"results/logs/{{campaign}}/{topic.id}.log",
        wildcard_constraints:
            campaign=ask.those(topic.applies),
        localrule: topic.local
        resources:
            mem_mb=request(*topic.memory),
            runtime=request(*topic.minutes),
        params:
            code=code("topic.py", topic.module),
            module=Path(topic.module).stem,
            task=ask.task,
            folder="results/{campaign}",
            settings=ask.of(topic.told),
        shell:
            "python {input.script:q}"
            " --topic {params.module}"
            " --campaign={wildcards.campaign}"
            " --task {params.task}"
            " --folder {params.folder:q}"
            " --settings <(printf %s {params.settings:q})"
            " --files {input.files:q}"
            " --published {input.published:q}"
            " 2> {log:q}"
