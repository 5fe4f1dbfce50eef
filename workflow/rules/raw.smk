"""The files that campaigns are read from, and checksums of them: a param of what reads them."""

from types import SimpleNamespace

from nonresponse import contents, notes


def judgment_files(wildcards):
    judgments = CAMPAIGNS[wildcards.campaign].get("judgments")
    return found(judgments["files"]).files if judgments else []


def judgment_others(wildcards):
    """What matches and nobody can read: no input, but a fault."""
    others = found(CAMPAIGNS[wildcards.campaign]["judgments"]["files"]).others
    return [": ".join(other) for other in others.items()]


def count_files(wildcards):
    campaign = CAMPAIGNS[wildcards.campaign]
    return [campaign["counts"]] if "counts" in campaign else []


def raw_files(campaign):
    """Every file that a campaign is read from."""
    at = SimpleNamespace(campaign=campaign)
    runs = found(raw(campaign)["files"]).files if "counts" not in CAMPAIGNS[campaign] else []
    return [*runs, *judgment_files(at), *question_files(at), *count_files(at)]


# What the main process has seen; on a cluster its jobs take that from its note, so that they compare with the same.
SEEN = contents.states([path for name in LOOKED_AFTER for path in raw_files(name)])
CHECKSUMS = contents.checksums(SEEN if workflow.is_main_process else notes.noted(contents.NOTE))


def contents_of(*files):
    """A params function: changes with what these functions name and its content, whatever the times of files say.

    It must not ask for `input`: Snakemake compares no params that are derived from it.
    """
    return lambda wildcards: contents.checksum_of([path for part in files for path in part(wildcards)], CHECKSUMS)
