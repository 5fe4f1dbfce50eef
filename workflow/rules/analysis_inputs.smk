"""Input and params functions of the analyses, and what they ask of a machine."""

ANALYSES = [analyses.get(name) for name in analyses.NAMES]
WITH_TRIALS = {analysis.id: analysis.trials for analysis in ANALYSES if analysis.trials}


def measures_with_trials(reading):
    """The measures of a campaign that has analyses of single measures; a scenario has none."""
    trials = reading in CAMPAIGNS and any(analysis.trials for analysis in analyses_of(reading))
    return measures_of(reading) if trials else []


def tested(campaign):
    """The measures that trials are made of: all, until the campaign is counted, and then those with outcomes."""
    folder = Path(f"results/{campaign}/outcomes")
    chosen = measures_with_trials(campaign)
    return [id for id in chosen if not folder.is_dir() or (folder / f"{id}.npz").exists()]


def outcomes_of(wildcards):
    """What every run made of every question, as one measure sees it."""
    ask_counts(wildcards.campaign)
    return f"results/{wildcards.campaign}/outcomes/{wildcards.measure}.npz"


def verdicts_megabytes(wildcards):
    return megabytes([f"results/{wildcards.campaign}/verdicts.parquet"])


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

    def settings(self, wildcards):
        return settings_of(wildcards.campaign, "official", *self.trials(wildcards).settings)

    def memory(self, wildcards, attempt):
        """In MB: the verdicts decide, which outcomes are bits of."""
        base, per_megabyte = self.trials(wildcards).memory
        return attempt * round(base + per_megabyte * verdicts_megabytes(wildcards))

    def minutes(self, wildcards, attempt):
        """Of one block; docs/cluster.md has what was measured."""
        trials = self.trials(wildcards)
        base, per_megabyte = trials.minutes
        work = trials.work(CAMPAIGNS[wildcards.campaign]["reliability"]) / self.blocks(wildcards)
        return attempt * round(base + per_megabyte * verdicts_megabytes(wildcards) * work)


def labels_of(wildcards):
    """The labels of all assessors: in judgments, or in the verdicts of responses that came graded."""
    name = "judgments" if "judgments" in CAMPAIGNS[wildcards.campaign] else "verdicts"
    return f"results/{wildcards.campaign}/{name}.parquet"


def pool_of(wildcards):
    """Judgments, questions and responses; nothing where answers were not pooled."""
    campaign = CAMPAIGNS[wildcards.campaign]
    pooled = task_of(wildcards.campaign).pooled and not campaign.get("judgments", {"closed": True})["closed"]
    return judged_tables(wildcards) if pooled else []


def verdicts_and_clusters(wildcards):
    """The verdicts, and the clusters of questions where there are some."""
    return [f"results/{wildcards.campaign}/verdicts.parquet", *clusters_of(wildcards)]


def verdicts_and_comparisons(wildcards):
    """The same, and how runs compare by each measure, where that is known."""
    known = analysed(wildcards.campaign, "comparison")
    return verdicts_and_clusters(wildcards) + (tables_by_measure(wildcards.campaign, "comparisons") if known else [])


def counts_of(wildcards):
    return f"results/{wildcards.campaign}/counts.parquet"


def scores_of(wildcards):
    """The counts, and the scores of each measure."""
    scores = [f"results/{wildcards.campaign}/scores/{id}.parquet" for id in measures_of(wildcards.campaign)]
    return [counts_of(wildcards), *scores]


# Of each word of Summary.reads the files. Other words are folders of tables, one of each measure.
READS = {
    "labels": labels_of,
    "pool": pool_of,
    "verdicts": verdicts_and_clusters,
    "compared": verdicts_and_comparisons,
    "counts": counts_of,
    "scores": scores_of,
}


def summarised(reads):
    """An input function: the files that a summary is made of."""

    def files(wildcards):
        ask_counts(wildcards.campaign)
        if reads[0] in READS:
            return READS[reads[0]](wildcards)
        return [file for name in reads for file in tables_by_measure(wildcards.campaign, name)]

    return files


def published_of(files):
    """An input function: those of some published tables that are of the campaign."""

    def published(wildcards):
        of_campaign = [name for name, campaign in files.items() if campaign == wildcards.campaign]
        return [str(HOME / "resources/published" / name) for name in of_campaign]

    return published


def settings_for(*names):
    """A params function: these settings of the campaign."""
    return lambda wildcards: settings_of(wildcards.campaign, *names)


def analysed_tables(wildcards):
    """All that the page on reliability shows."""
    ask_counts(wildcards.campaign)
    return [*scores_of(wildcards), *analysis_tables(wildcards.campaign)]
