"""Input and params functions: which tables each rule takes, and what it must know of the configuration."""

from types import SimpleNamespace

from nonresponse import fidelity
from nonresponse.contents import checksum_of, checksums


def fault_tables(wildcards):
    """The tables of faults of a campaign, within its folder."""
    door = settings.door(CAMPAIGNS[wildcards.campaign])
    if door == "counts":
        return ["faults/counts.tsv"]
    other = "faults/judgments.tsv" if door == "runs" else "faults/questions.tsv"
    return [other, *[f"faults/runs-{shard}.tsv" for shard in shards(wildcards.campaign)]]


def checked_tables(wildcards):
    """The tables that the check reads, and whose faults it reports."""
    folder = f"results/{wildcards.campaign}"
    door = settings.door(CAMPAIGNS[wildcards.campaign])
    names = fault_tables(wildcards)
    if door == "counts":
        names += ["table.parquet"]
    else:
        table = {"runs": "responses", "graded": "graded"}[door]
        names += ["questions.parquet"] + (["judgments.parquet"] if door == "runs" else [])
        names += [f"{part}/{shard}.parquet" for part in (table, "runs") for shard in shards(wildcards.campaign)]
    return [f"{folder}/{name}" for name in names]


def checked_options(wildcards):
    """What the check must know of the configuration, and nothing else, so that nothing else repeats it."""
    campaign = CAMPAIGNS[wildcards.campaign]
    keys = ("task", "runs", "judgments", "graded", "counts", "baseline", "reject_all", "accept_all")
    options = {key: campaign[key] for key in keys if key in campaign}
    if campaign["reliability"]["size"] and any(analysed(wildcards.campaign, name) for name in ("stability", "swap")):
        options["size"] = campaign["reliability"]["size"]
    return as_json(options)


def judged_tables(wildcards):
    """The tables that verdicts are made of."""
    return [
        path
        for path in checked_tables(wildcards)
        if path.endswith(".parquet") and not path.startswith(f"results/{wildcards.campaign}/runs/")
    ]


def judging_rules(wildcards):
    """Which labels are correct, which partial, and whether an answer key is closed."""
    judgments = CAMPAIGNS[wildcards.campaign].get("judgments")
    return as_json({key: judgments[key] for key in ("correct", "partial", "closed")} if judgments else {})


def verdicts_of(wildcards):
    return checkpoints.verdicts.get(campaign=wildcards.campaign).output[0]


def ask_verdicts(campaign):
    """Make what follows wait for the campaign's verdicts; a table of counts has none."""
    if "counts" not in CAMPAIGNS[campaign]:
        checkpoints.verdicts.get(campaign=campaign)


def score_tables(campaign):
    """The scores of all measures of a campaign, and the counts beside them."""
    folder = f"results/{campaign}"
    return [f"{folder}/counts.parquet"] + [
        f"{folder}/{part}/{id}.parquet" for part in ("scores", "scores_by_category") for id in measures_of(campaign)
    ]


def scores(wildcards):
    ask_verdicts(wildcards.campaign)
    return score_tables(wildcards.campaign)


# The settings behind each analysis that runs once per measure.
DRAWN = ["seed", "size", "trials", "subsets"]
SETTINGS = {
    "stability": [*DRAWN, "fuzziness"],
    "swap": [*DRAWN, "bins", "width"],
    "sample_size": ["seed", "sizes", "size_trials", "bins", "width"],
    "comparison": ["seed", "samples", "exchanges", "deals", "level"],
}


def blocks(wildcards, analysis):
    """Over how many jobs the trials of an analysis of one measure are spread."""
    return trust(wildcards.campaign)["blocks"].get(analysis, 1)


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
    names = ("analyses", "level", "exchanges")
    return as_json(options | {name: campaign["reliability"][name] for name in names})


def page_of(campaign):
    """An input function for one campaign: a fault in it keeps no other from its page."""

    def page(wildcards):
        ask_verdicts(campaign)
        return f"results/{campaign}/reliability.md"

    return page


TRUSTED = [name for name in CAMPAIGNS if any(analysed(name, analysis) for analysis in trust(name)["analyses"])]
RELIABILITY = [page_of(name) for name in TRUSTED]


def leaderboard_options(wildcards):
    """What the leaderboard must know of the configuration."""
    campaign = CAMPAIGNS[wildcards.campaign]
    keys = ("title", "simulated", "baseline", "reject_all", "accept_all")
    options = {key: campaign[key] for key in keys if key in campaign}
    if campaign["task"] == "validation" and "counts" not in campaign:
        options |= {"accept_all": "accept-all", "reject_all": "reject-all"}
    if official(wildcards):
        options["official"] = official(wildcards)
    if analysed(wildcards.campaign, "comparison"):
        options["level"] = campaign["reliability"]["level"]
    return as_json(options)


def leaderboard_of(campaign):
    """An input function for one campaign: a fault in it keeps no other from its leaderboard."""

    def page(wildcards):
        ask_verdicts(campaign)
        return f"results/{campaign}/leaderboard.md"

    return page


LEADERBOARDS = [leaderboard_of(campaign) for campaign in CAMPAIGNS]

# What is compared with the previous results, from effect to cause.
COMPARABLE = {
    "counts": ["leaderboard"],
    "graded": ["leaderboard", "verdicts"],
    "runs": ["leaderboard", "verdicts", "judgments"],
}


def compared(wildcards):
    """Judgments too: an edit that changes no verdict is told as well."""
    ask_verdicts(wildcards.campaign)
    names = COMPARABLE[settings.door(CAMPAIGNS[wildcards.campaign])]
    return [f"results/{wildcards.campaign}/{name}.parquet" for name in names]


def changes_options(wildcards):
    """What the page on changes must know of the configuration."""
    campaign = CAMPAIGNS[wildcards.campaign]
    options = {key: campaign[key] for key in ("title", "simulated") if key in campaign}
    return as_json(options | {"official": official(wildcards)})


def changes_of(campaign):
    """An input function for one campaign: a fault in it keeps no other from its page."""

    def page(wildcards):
        ask_verdicts(campaign)
        return f"results/{campaign}/changes.md"

    return page


CHANGES = [changes_of(campaign) for campaign in CAMPAIGNS]


def told(campaign):
    """The page on a campaign's changes as it stands; null where there is none."""
    page = Path(f"results/{campaign}/changes.md")
    return page.read_text(encoding="utf-8") if page.is_file() else None


TOLD_BEFORE = {campaign: told(campaign) for campaign in CAMPAIGNS}


def news():
    """A line for each campaign whose page was there before and has another text now: its second paragraph."""
    for campaign, before in TOLD_BEFORE.items():
        now = told(campaign)
        if before and now and now != before:
            yield f"{campaign}: {now.split(chr(10))[2]} (results/{campaign}/changes.md)"


def published_scores(wildcards):
    return [f"results/{table.name}/scores/{id}.parquet" for table in PUBLISHED for id in table.measures]


def summary_options(wildcards):
    """What the summary must know of each campaign."""
    keys = ("task", "measures", "title", "simulated")
    return as_json(
        [
            {"name": name, "trusted": name in TRUSTED} | {key: campaign[key] for key in keys if key in campaign}
            for name, campaign in CAMPAIGNS.items()
        ]
    )


# The campaigns that are a published table of counts, with the measures that the table prints.
PUBLISHED = [
    table for table in fidelity.TABLES if set(table.measures) <= set(CAMPAIGNS.get(table.name, {}).get("measures", []))
]


def judgment_files(wildcards):
    judgments = CAMPAIGNS[wildcards.campaign].get("judgments")
    return files_of(judgments["files"]) if judgments else []


def count_files(wildcards):
    campaign = CAMPAIGNS[wildcards.campaign]
    return [campaign["counts"]] if "counts" in campaign else []


def raw_files(campaign):
    """Every file that a campaign is read from."""
    at = SimpleNamespace(campaign=campaign)
    runs = [path for paths in sharded(campaign).values() for path in paths]
    return [*runs, *judgment_files(at), *question_files(at), *count_files(at)]


CHECKSUMS = checksums([path for name in CAMPAIGNS for path in raw_files(name)])


def contents_of(*files):
    """A params function: changes with the content of these input functions' files, whatever their times say.

    It must not ask for `input`: Snakemake compares no params that are derived from it.
    """
    return lambda wildcards: checksum_of([path for part in files for path in part(wildcards)], CHECKSUMS)
