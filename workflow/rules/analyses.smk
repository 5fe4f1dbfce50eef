"""Input and params functions of the reliability stage: tables of analyses, blocks of trials, requests."""

# The settings behind each analysis that runs once per measure.
DRAWN = ["seed", "size", "trials", "subsets"]
SETTINGS = {
    "stability": [*DRAWN, "fuzziness"],
    "swap": [*DRAWN, "bins", "width"],
    "sample_size": ["seed", "sizes", "size_trials", "bins", "width"],
    "comparison": ["seed", "samples", "exchanges", "deals", "level"],
}


def blocks(wildcards, analysis):
    """Over how many jobs the trials of an analysis of one measure are spread: as asked for, but none without trials."""
    own = trust(wildcards.campaign)
    trials = {"stability": own["trials"], "swap": own["trials"], "sample_size": own["size_trials"]}
    trials["comparison"] = -(-max(own["samples"], own["exchanges"], own["deals"]) // 250)  # that share a stream
    return min(own["blocks"].get(analysis, 1), trials[analysis])


def block_files(wildcards, analysis):
    """What the blocks of an analysis counted; none where one job does it all."""
    number = blocks(wildcards, analysis)
    folder = f"results/{wildcards.campaign}/blocks/{analysis}/{wildcards.measure}"
    return [f"{folder}/{block}.npz" for block in range(number)] if number > 1 else []


def block_options(wildcards, input):
    """The same for a command line."""
    return " ".join(f"--counted {shlex.quote(path)}" for path in input.get("counted", []))


def analysis_memory(wildcards, input, attempt):
    """Of an analysis, in MB: the verdicts decide, not what the blocks counted."""
    return attempt * round(1500 + 40 * megabytes([input.verdicts]))


def trials_asked(wildcards, analysis):
    """The trials of an analysis as a share of the default ones."""
    own = trust(wildcards.campaign)
    if analysis == "comparison":
        return (own["samples"] / 10000 + own["exchanges"] / 50000 + own["deals"] / 5000) / 3
    if analysis == "sample_size":
        return own["size_trials"] / 10 * own["sizes"] / 250
    return own["trials"] / 100 * (100 if own["subsets"] == "per_pair" else 1)


def analysis_minutes(analysis=None):
    """Of one block of an analysis, that of the wildcard if none is named; docs/cluster.md has what was measured."""

    def of_job(wildcards, input, attempt):
        name = analysis or wildcards.analysis
        per_megabyte = 2 if name == "comparison" else 0.2
        asked = trials_asked(wildcards, name) / blocks(wildcards, name)
        return attempt * round(10 + per_megabyte * megabytes([input.verdicts]) * asked)

    return of_job


def analyses_of(analysis):
    """An input function: the tables of an analysis, of all measures of the campaign."""

    def files(wildcards):
        ask_verdicts(wildcards.campaign)
        folder = f"results/{wildcards.campaign}/reliability/{analysis}"
        return [f"{folder}/{id}.parquet" for id in measures_of(wildcards.campaign)]

    return files


def labels_of(wildcards):
    """Where the assessors' labels are: in their judgments, or in the verdicts of responses that came graded."""
    if "judgments" in CAMPAIGNS[wildcards.campaign]:
        return f"results/{wildcards.campaign}/judgments.parquet"
    return verdicts_of(wildcards)


def scores_of_all(wildcards):
    ask_verdicts(wildcards.campaign)
    return [f"results/{wildcards.campaign}/scores/{id}.parquet" for id in measures_of(wildcards.campaign)]


def intervals(wildcards):
    """The bootstrap intervals and groups that the leaderboard shows; none where nothing is compared."""
    if not analysed(wildcards.campaign, "comparison"):
        return []
    return analyses_of("intervals")(wildcards)


def analysis_tables(campaign):
    """The tables of all analyses that a campaign has."""
    folder = f"results/{campaign}/reliability"
    tables = {
        "stability": ["stability/{id}.parquet"],
        "swap": ["swap/{id}.parquet", "sensitivity.csv"],
        "sample_size": ["sample_size/{id}.parquet", "sample_size.csv", "questions_needed.csv"],
        "comparison": ["intervals/{id}.parquet", "comparisons/{id}.parquet", "discriminative_power.csv"],
        "agreement": ["agreement.csv", "agreement_patterns.csv"],
        "rankings": ["rankings.csv"],
    }
    names = [name for analysis in tables if analysed(campaign, analysis) for name in tables[analysis]]
    return [
        f"{folder}/{path}"
        for name in names
        for path in dict.fromkeys(name.format(id=id) for id in measures_of(campaign))
    ]


def trust_tables(wildcards):
    """All that the page on reliability shows."""
    ask_verdicts(wildcards.campaign)
    return [f"results/{wildcards.campaign}/counts.parquet", *analysis_tables(wildcards.campaign)]


def page_options(wildcards):
    """What the page must know of the configuration."""
    campaign = CAMPAIGNS[wildcards.campaign]
    options = {key: campaign[key] for key in ("title", "simulated") if key in campaign}
    options |= {"official": official(wildcards)}
    names = ("analyses", "level", "exchanges")
    return as_json(options | {name: campaign["reliability"][name] for name in names})


def page_of(campaign, name):
    """An input function for a page of one campaign: a fault in it keeps no other from its pages."""

    def page(wildcards):
        ask_verdicts(campaign)
        return f"results/{campaign}/{name}"

    return page


TRUSTED = [name for name in CAMPAIGNS if any(analysed(name, analysis) for analysis in trust(name)["analyses"])]
RELIABILITY = [page_of(name, "reliability.md") for name in TRUSTED]
