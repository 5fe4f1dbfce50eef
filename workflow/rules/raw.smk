"""The files that campaigns are read from, and checksums of them: a param of what reads them."""

from types import SimpleNamespace

from nonresponse import checksums


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


# What the main process has seen; on a cluster its jobs take that from its note, so that they compare with the same.
RAW_NOTED = checksums.noted(checksums.RAW)
RAW = checksums.states([path for name in LOOKED_AFTER for path in raw_files(name)], RAW_NOTED)
CHECKSUMS = checksums.by_path(RAW if workflow.is_main_process else RAW_NOTED)


def contents_of(*files):
    """A params function: changes with the content of these input functions' files, whatever their times say.

    It must not ask for `input`: Snakemake compares no params that are derived from it.
    """
    return lambda wildcards: checksums.checksum_of([path for part in files for path in part(wildcards)], CHECKSUMS)
