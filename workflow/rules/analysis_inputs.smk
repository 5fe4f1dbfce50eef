"""Input and params functions of the analyses, and what they ask of a machine."""

ANALYSES = [analyses.get(name) for name in analyses.NAMES]
WITH_TRIALS = {analysis.id: analysis.trials for analysis in ANALYSES if analysis.trials}


def analysis_modules(id):
    """What is particular to an analysis."""
    return modules(f"nonresponse/reliability/analyses/{id}.py")


class Job:
    """What rules ask of an analysis of one measure: of the one with this id, or of that in the wildcard {analysis}."""

    def __init__(self, id="{analysis}"):
        self.id = id

    def name(self, wildcards):
        return self.id.format(**wildcards)

    def trials(self, wildcards):
        return WITH_TRIALS[self.name(wildcards)]

    def blocks(self, wildcards):
        """Over how many jobs the trials are spread: as asked for, but none of them without trials."""
        reliability = CAMPAIGNS[wildcards.campaign]["reliability"]
        return min(reliability["blocks"].get(self.name(wildcards), 1), self.trials(wildcards).blocks(reliability))

    def counted(self, wildcards):
        """What the blocks of the trials counted; none where one job does it all."""
        number = self.blocks(wildcards)
        folder = f"results/{wildcards.campaign}/blocks/{self.name(wildcards)}/{wildcards.measure}"
        return [f"{folder}/{block}.npz" for block in range(number)] if number > 1 else []

    def library(self, wildcards):
        return library("reliability.py", "measure")(wildcards) + analysis_modules(self.name(wildcards))

    def settings(self, wildcards):
        return settings_of(wildcards.campaign, "official", *self.trials(wildcards).settings)

    def memory(self, wildcards, input, attempt):
        """In MB: the verdicts decide, not what the blocks counted."""
        base, per_megabyte = self.trials(wildcards).memory
        return attempt * round(base + per_megabyte * megabytes([input.verdicts]))

    def minutes(self, wildcards, input, attempt):
        """Of one block; docs/cluster.md has what was measured."""
        trials = self.trials(wildcards)
        base, per_megabyte = trials.minutes
        work = trials.work(CAMPAIGNS[wildcards.campaign]["reliability"]) / self.blocks(wildcards)
        return attempt * round(base + per_megabyte * megabytes([input.verdicts]) * work)


def summarised(reads):
    """An input function: the files that a summary is made of."""

    def files(wildcards):
        ask_verdicts(wildcards.campaign)
        folder = f"results/{wildcards.campaign}"
        if "labels" in reads:  # in judgments, or in the verdicts of responses that came graded
            name = "judgments" if "judgments" in CAMPAIGNS[wildcards.campaign] else "verdicts"
            return f"{folder}/{name}.parquet"
        if "pool" in reads:
            campaign = CAMPAIGNS[wildcards.campaign]
            pooled = task_of(wildcards.campaign).pooled and not campaign.get("judgments", {"closed": True})["closed"]
            return judged_tables(wildcards) if pooled else []
        if "verdicts" in reads:
            return [f"{folder}/verdicts.parquet", *clusters_of(wildcards)]
        if "counts" in reads:
            return f"{folder}/counts.parquet"
        if "scores" in reads:
            scores = [f"{folder}/scores/{id}.parquet" for id in measures_of(wildcards.campaign)]
            return [f"{folder}/counts.parquet", *scores]
        return [file for name in reads for file in tables_by_measure(wildcards.campaign, name)]

    return files


def summarising_modules(reads):
    """An input function: what is particular to the campaign's task in such a summary."""

    def files(wildcards):
        if "pool" in reads:
            return measure_modules(wildcards) + judge_modules(wildcards)
        return measure_modules(wildcards) if {"scores", "verdicts"} & {*reads} else task_modules(wildcards)

    return files


def settings_for(*names):
    """A params function: these settings of the campaign."""
    return lambda wildcards: settings_of(wildcards.campaign, *names)


def analysed_tables(wildcards):
    """All that the page on reliability shows."""
    ask_verdicts(wildcards.campaign)
    return [f"results/{wildcards.campaign}/counts.parquet", *analysis_tables(wildcards.campaign)]
