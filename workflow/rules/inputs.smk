"""Input and params functions from the files of a campaign to its verdicts: what each rule takes, and must know."""

from types import SimpleNamespace

from nonresponse import checksums


def judgment_files(wildcards):
    judgments = CAMPAIGNS[wildcards.campaign].get("judgments")
    return found(judgments["files"]).files if judgments else []


def judgment_others(wildcards):
    """What matches and cannot be read: not an input, but a fault."""
    others = found(CAMPAIGNS[wildcards.campaign]["judgments"]["files"]).others
    return [": ".join(other) for other in others.items()]


def count_files(wildcards):
    """The table of counts, or the logs that hold counts."""
    counts = CAMPAIGNS[wildcards.campaign].get("counts")
    if isinstance(counts, dict):
        return formats.read_with(counts["format"], found(counts["files"]).files, counts)
    return [counts] if counts else []


def count_others(wildcards):
    """What matches and cannot be read: not an input, but a fault."""
    counts = CAMPAIGNS[wildcards.campaign]["counts"]
    return [": ".join(other) for other in found(counts["files"]).others.items()] if isinstance(counts, dict) else []


def count_options(wildcards):
    """How to read the counts."""
    counts = CAMPAIGNS[wildcards.campaign]["counts"]
    options = {key: counts[key] for key in counts if key != "files"} if isinstance(counts, dict) else {}
    campaign = CAMPAIGNS[wildcards.campaign]
    options |= {key: campaign[key] for key in ("names", "names_from") if key in campaign}
    return as_json(options | {"unpacked": config["unpacked"]})


# The campaigns whose data are logs of harnesses.
IMPORTED = [
    name
    for name, campaign in CAMPAIGNS.items()
    for part in (campaign.get("graded"), campaign.get("counts"))
    if isinstance(part, dict) and part["format"] in formats.LOGS
]


def account_names(campaign):
    """The tables of what the logs of a campaign say of themselves, within its folder."""
    return written_accounts(campaign) if campaign in IMPORTED else []


def written_accounts(campaign):
    """The same of any campaign whose responses come graded, or counted; empty where its files are no logs."""
    if settings.source(CAMPAIGNS[campaign]) == "runs":
        return []
    return [f"imports/{part}.parquet" for part in shards(campaign) or ["counts"]]


def account_tables(wildcards):
    return [f"results/{wildcards.campaign}/{name}" for name in account_names(wildcards.campaign)]


def ruled_tables(campaign):
    """The answers whose state a rule decided, of any campaign with single responses; empty where there are no rules."""
    return [f"results/{campaign}/ruled/{shard}.parquet" for shard in shards(campaign)]


def raw_files(campaign):
    """Every file that a campaign is read from."""
    at = SimpleNamespace(campaign=campaign)
    runs = [file for shard in shards(campaign) for file in shard_files(SimpleNamespace(campaign=campaign, shard=shard))]
    return [*runs, *judgment_files(at), *question_files(at), *count_files(at)]


# What the main process has seen; on a cluster its jobs take that from its note, so that they compare with the same.
RAW_NOTED = checksums.noted(checksums.RAW)
RAW = checksums.states([path for name in WATCHED for path in raw_files(name)], RAW_NOTED)
CHECKSUMS = checksums.by_path(RAW if workflow.is_main_process else RAW_NOTED)
if IS_MODULE and workflow.is_main_process:
    # Else noted when a run begins; what begins here is another workflow, which may have another module like this one.
    checksums.write(RAW_NOTED | RAW, checksums.RAW)


def contents_of(*files):
    """A params function: changes with what these functions name and its content, whatever the times of files say.

    It must not ask for `input`: Snakemake compares no params that are derived from it.
    """
    return lambda wildcards: checksums.checksum_of([path for part in files for path in part(wildcards)], CHECKSUMS)


def fault_tables(wildcards):
    """The tables of faults of a campaign, within its folder."""
    source = settings.source(CAMPAIGNS[wildcards.campaign])
    if source == "counts":
        return ["faults/counts.tsv"]
    other = "faults/judgments.tsv" if source == "runs" else "faults/questions.tsv"
    return [other, *[f"faults/runs-{shard}.tsv" for shard in shards(wildcards.campaign)]]


def checked_tables(wildcards):
    """The tables that the check reads, and whose faults it reports."""
    folder = f"results/{wildcards.campaign}"
    source = settings.source(CAMPAIGNS[wildcards.campaign])
    names = fault_tables(wildcards)
    if source == "counts":
        names += ["table.parquet"]
    else:
        table = {"runs": "responses", "graded": "graded"}[source]
        names += ["questions.parquet"] + (["judgments.parquet", "assessors.parquet"] if source == "runs" else [])
        names += [f"{part}/{shard}.parquet" for part in (table, "runs") for shard in shards(wildcards.campaign)]
    return [f"{folder}/{name}" for name in names + account_names(wildcards.campaign)]


def checked_options(wildcards):
    """What the check must know of the configuration, and nothing else, so that nothing else repeats it."""
    campaign = CAMPAIGNS[wildcards.campaign]
    keys = ("task", "runs", "judgments", "graded", "counts", "names", "names_from", "attributes")
    keys += ("baseline", "reject_all", "accept_all", "questions", *scenarios.ASKED)
    options = {key: campaign[key] for key in keys if key in campaign}
    grouped = {key: [campaign[key], least] for key, least in settings.GROUPS.items() if key in campaign}
    options |= {"grouped": grouped} if grouped else {}
    trials = [analysis.trials for analysis in analyses_of(wildcards.campaign) if analysis.trials]
    if campaign["reliability"]["size"] and any("size" in part.settings for part in trials):
        options["size"] = campaign["reliability"]["size"]
    return as_json(options)


def read_into(wildcards):
    """The folder of the tables that the campaign's files were read into; a scenario has none of its own."""
    return f"results/{campaign_of(wildcards.campaign)}"


def judged_tables(wildcards):
    """The tables that verdicts are made of."""
    at = SimpleNamespace(campaign=campaign_of(wildcards.campaign))
    others = tuple(f"results/{at.campaign}/{part}" for part in ("runs/", "imports/", "assessors.parquet"))
    return [path for path in checked_tables(at) if path.endswith(".parquet") and not path.startswith(others)]


def label_rules(wildcards):
    """Which labels are correct, which partial, whether an answer key is closed, how assessors vote."""
    campaign = READINGS[wildcards.campaign]
    part = campaign.get("judgments", campaign.get("graded", {}))
    names = ("correct", "partial", "closed", "pooled", "vote")
    return {key: part[key] for key in names if key in part}


def judging_rules(wildcards):
    """The same, what a question without a response is, on what runs are compared, and whether rules on text count."""
    rules = label_rules(wildcards) | {key: READINGS[wildcards.campaign][key] for key in scenarios.ASKED}
    return as_json(rules | ({"by_rule": False} if wildcards.campaign in WITHOUT_RULES else {}))


def judged_as(reading):
    """Whose verdicts a reading has: its own, or the campaign's where they would be the same."""
    campaign = campaign_of(reading)
    if reading in WITHOUT_RULES:
        return reading
    return campaign if scenarios.judged(READINGS[reading]) == scenarios.judged(CAMPAIGNS[campaign]) else reading


def scenarios_of(campaign):
    """The scenarios of a campaign that are scored, by the names of their folders; one that it is itself is not."""
    own = scenarios.said(CAMPAIGNS[campaign])
    return [name for name in SCENARIOS if campaign_of(name) == campaign and scenarios.said(SCENARIOS[name]) != own]


# The readings whose verdicts are counted: keys, since each job asks for some of them.
JUDGED = [name for name, campaign in CAMPAIGNS.items() if "counts" not in campaign]
TALLIED = dict.fromkeys([*JUDGED, *[name for campaign in JUDGED for name in scenarios_of(campaign)], *WITHOUT_RULES])


def counts_as(reading):
    """An input function that asks for the counts of one reading, beside all others.

    Snakemake goes through its whole graph once more for each reading that is asked for after another.
    """
    return lambda wildcards: checkpoints.tally.get(campaign=reading).output.counts


def ask_counts(campaign):
    """Make what follows wait for the campaign's counts, with and without its rules; a table of counts has none to make."""
    for reading in (campaign, f"{campaign}/without-rules"):
        if reading in TALLIED:
            checkpoints.tally.get(campaign=reading)


def verdicts_of(wildcards):
    """The verdicts, once they are counted: then it is known whether they changed."""
    ask_counts(wildcards.campaign)
    return f"results/{judged_as(wildcards.campaign)}/verdicts.parquet"


def verdicts_without_rules(wildcards):
    """The verdicts if the rules of the campaign did not count; none where it has none, and of a reading of it."""
    if wildcards.campaign not in RULED:
        return []
    ask_counts(wildcards.campaign)
    return [f"results/{wildcards.campaign}/without-rules/verdicts.parquet"]


def bounds(wildcards):
    """The counts of all other ways to take the answers."""
    folder = f"results/{wildcards.campaign}"
    without = ["counts", "counts_by_treatment"] if wildcards.campaign in RULED else []
    names = ["counts_by_treatment", *[f"without-rules/{name}" for name in without]]
    return [f"{folder}/{name}.parquet" for name in names]


def clusters_of(wildcards):
    """The table of the questions, where these come in clusters."""
    clustered = settings.clustered(CAMPAIGNS[wildcards.campaign])
    return [f"results/{wildcards.campaign}/questions.parquet"] if clustered else []


def options_of(wildcards):
    """The table of the questions, where that says how many options each has."""
    named = isinstance(CAMPAIGNS[wildcards.campaign].get("options"), str)
    return [f"results/{wildcards.campaign}/questions.parquet"] if named else []
