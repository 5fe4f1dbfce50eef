"""Campaigns made at random beside an independent reference of their counts.

A kind of campaign has a module each, with `drawn`: from a random generator to the files of a campaign, its options, and
what they come to. The reference is a plain loop over the rows that were drawn and follows docs/formats.md and
docs/measures.md alone; it shares nothing with the project's code. `product` has what the project makes of the files.
"""

from typing import NamedTuple

# What a question without a row counts as where the campaign does not say, by its source; and whether campaigns may say
# so themselves, under `missing:`.
MISSING = {"runs": "unanswered", "graded": "unanswered"}
MISSING_IS_A_POLICY = False

# The points of an open issue on which the project is known to be wrong; empty this, and they are findings like others.
OPEN = ("D2", "D3", "D4", "D5", "D8", "D15")

# Of a campaign or of a scenario of it ("" = the campaign): the counts of each assessor and run, and of each category.
Counts = dict[tuple[str, str], dict]
Expected = dict[str, tuple[Counts, dict[tuple[str, str, str], dict]]]


class Faulty(Exception):
    """The files have a fault, says the documentation."""


class Unsure(Exception):
    """The documentation does not say what becomes of this; the case is passed over."""


class Drawn(NamedTuple):
    """A campaign as config.yaml has it, its files, and what is expected: counts, or why it is faulty."""

    campaign: dict
    files: dict[str, bytes]
    expected: Expected | Faulty | Unsure
    known: str = ""  # the points of which of OPEN this is a case


def expected_or_fault(make) -> Expected | Faulty | Unsure:
    try:
        return make()
    except (Faulty, Unsure) as reason:
        return reason
