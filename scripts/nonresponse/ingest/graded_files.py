"""Graded responses of any format: the user's own tables, and the logs of harnesses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonresponse import formats

if TYPE_CHECKING:
    import polars as pl

    from nonresponse.faults import Fault
    from nonresponse.formats import Read


def reader(options: dict, task: str, accounts: list[pl.DataFrame] | None = None) -> Read:
    """The reader of a file, or of what else is a log; what logs say of themselves is added to the `accounts`."""
    from nonresponse.ingest import names

    given = options.get("names", {})
    if options["format"] in formats.LOGS:
        from nonresponse.formats.logs import imported

        def read(file: str) -> tuple[pl.DataFrame, list[Fault]]:
            rows, account, faults = imported(file, options)
            if accounts is not None:
                accounts.append(account.with_columns(names.new(given)) if given else account)
            return rows, faults

        return names.under(read, given)
    from nonresponse.formats.tabular import read_graded

    return names.under(lambda file: read_graded(file, options, task), given)
