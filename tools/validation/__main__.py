"""Simulate what the statistics claim, and write docs/validation.md."""

import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
sys.path[:1] = [str(HOME / "src"), str(HOME / "tools")]
from validation import comparison, curves, gates, judges, ranks, scores, shrunken, statements
from validation.page import write_page

import commands

OPTIONS = {
    "only": {"help": "the first letters of a section's title; the others stay as they stand on the page"},
    "campaigns": {"type": int, "help": "simulated campaigns for each world, instead of the section's own number"},
}
SECTIONS = [
    *(comparison.SECTION, scores.SECTION, ranks.SECTION, shrunken.SECTION, shrunken.FIRST),
    *(gates.SECTION, statements.NEEDED, statements.POWER, curves.SECTION, statements.RISK),
    *(judges.CORRECTED, judges.PAIRS_SECTION, judges.LABELS),
]
INTRO = "# Validation\n"


def main(only: str = "", campaigns: int = 0) -> None:
    """Write the page."""
    write_page(SECTIONS, INTRO, only, campaigns)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
