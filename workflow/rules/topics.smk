"""What is found out from the scores of a campaign: the rules for the topics in src/nonresponse/dag/topics.py.

Reads and writes what the records of the topics say.
"""

for together in topics.rules(ask.campaigns):

    rule:
        """What the records say: tables, figures, pages."""
        name:
            together.rule
        input:
            files=ask.counted(together.files, scenarios=any(it.waits for it in together.topics)),
            script=ask.script("topic.py"),
        output:
            [f"results/{{campaign}}/{name}" for name in together.writes if not name.endswith("/")],
            [directory(f"results/{{campaign}}/{name}") for name in together.writes if name.endswith("/")],
        log:
            f"results/logs/{{campaign}}/{together.rule}.log",
        wildcard_constraints:
            campaign=one_of(together.campaigns),
        group:
            ask.group("scored")
        resources:
            mem_mb=ask.by_verdicts(2000, 40),
            runtime=ask.by_verdicts(2, 1 / 20),
        params:
            # Its script loads only the modules that it is told to load, so that their names are not read in its text.
            code=code("topic.py", *(f"nonresponse/topics/{it.module}.py" for it in together.topics)),
            modules=[it.module for it in together.topics],
            task=ask.task,
            folder="results/{campaign}",
            told=ask.of(together.told),
        shell:
            "python {input.script:q}"
            " --topics {params.modules}"
            " --campaign={wildcards.campaign}"
            " --task {params.task}"
            " --folder {params.folder:q}"
            " --told <(printf %s {params.told:q})"
            " --files {input.files:q}"
            " 2> {log:q}"
