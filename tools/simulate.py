"""Write simulated campaigns: the shipped ones, one of any size, or figures of many draws."""

import sys
from argparse import ArgumentTypeError
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
import commands


def require_number(lowest: int) -> Callable[[str], int]:
    """The type of an option that is a whole number of at least this."""

    def number(text: str) -> int:
        """The number, or a message for the command line."""
        if not text.isdecimal() or int(text) < lowest:
            raise ArgumentTypeError(f"{text!r} is not a whole number of {lowest} or more")
        return int(text)

    return number


OPTIONS = {
    "into": {"type": Path, "help": "the folder to write to"},
    "runs": {"type": require_number(2), "help": "how many runs"},
    "questions": {"type": require_number(10), "help": "how many questions"},
    "seed": {"type": require_number(0), "help": "of the random numbers, %(default)s if left out"},
    "number": {"type": require_number(1), "help": "how many seeds, %(default)s if left out"},
}


def shipped(into: Path = Path("resources")) -> None:
    """Write the shipped campaigns again: the same bytes."""
    from simulation import shipped

    shipped.write_all(into)


def campaign(runs: int, questions: int, into: Path, seed: int = 1) -> None:
    """Write a campaign of any size into a new or empty folder."""
    from simulation import campaign

    if into.exists() and any(into.iterdir()):
        print(f"--into: {into} is not empty", file=sys.stderr)
        raise SystemExit(2)
    campaign.write_campaign(into, runs, questions, seed)


def seeds(into: Path = Path("resources/simulation"), number: int = 100) -> None:
    """Write figures of so many draws of two shipped campaigns, for claims. Takes ten minutes."""
    from multiprocessing import get_context

    from nonresponse import tables
    from simulation import seeds

    with get_context("spawn").Pool() as pool:
        for name in seeds.FIGURES:
            tables.write_text(
                seeds.make_rows(name, number, pool.starmap).write_csv(), into / f"{name}.csv"
            )


if __name__ == "__main__":
    commands.run(__doc__, [shipped, campaign, seeds], OPTIONS)
