"""Simulate what the statistics claim, and write docs/validation.md."""

import sys
from pathlib import Path

sys.path[:1] = [str(Path(__file__).resolve().parents[2] / name) for name in ("src", "tools")]
from validation import page
from validation.sections import INTRO, SECTIONS

import commands

OPTIONS = {
    "only": {
        "help": "the first letters of a section's title; the others stay as they stand on the page"
    },
    "campaigns": {
        "type": int,
        "help": "simulated campaigns for each world, instead of the section's own number",
    },
}


def main(only: str = "", campaigns: int = 0) -> None:
    """Write the page."""
    page.write_page(SECTIONS, INTRO, only, campaigns)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
