"""Graded responses of any format: the user's own tables, and the logs of harnesses."""

import polars as pl

from nonresponse import formats
from nonresponse.faults import Fault
from nonresponse.formats import Read
from nonresponse.formats.logs import imported
from nonresponse.formats.tabular import read_graded
from nonresponse.ingest import names


def reader(options: dict, task: str, accounts: list[pl.DataFrame] | None = None) -> Read:
    """The reader of a file, or of what else is a log; what logs say of themselves is added to the `accounts`."""
    given = options.get("names", {})
    if options["format"] in formats.LOGS:

        def read(file: str) -> tuple[pl.DataFrame, list[Fault]]:
            rows, account, faults = imported(file, options)
            if accounts is not None:
                accounts.append(account.with_columns(names.new(given)) if given else account)
            return rows, faults

        return names.under(read, given)

    return names.under(lambda file: read_graded(file, options, task), given)
