"""The readers of raw runs and of judgments, as the options of their part of the configuration say."""

from nonresponse import formats
from nonresponse.formats import Read
from nonresponse.ingest import names


def run_reader(options: dict) -> Read:
    """The reader of a file of runs."""
    module = formats.module(options["format"])
    return names.under(lambda file: module.read_runs(file, options), options.get("names", {}))


def judgment_reader(options: dict) -> Read:
    """The reader of a file of judgments."""
    module = formats.module(options["format"])
    return names.under(lambda file: module.read_judgments(file, options), options.get("names", {}), of_runs=False)
