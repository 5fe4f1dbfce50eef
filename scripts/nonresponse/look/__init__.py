"""Files that somebody has: what they are, and what of config.yaml reads them (scripts/look.py)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from nonresponse.faults import Fault

QUESTIONS = "questions"  # the part of a campaign that is a table of its questions


class Source(NamedTuple):
    """A file, or a folder that is a log, that the workflow can read."""

    path: str
    part: str  # graded, counts, runs, judgments or questions
    options: dict  # of this part in config.yaml, all but the files
    why: str  # what of its content says so
    undecided: tuple[str, ...] = ()  # what its content does not say
    task: str = "qa"
    how: Mapping[str, str] = MappingProxyType({})  # by state, how sure it is that a response is in it, and what says so

    # Of a table of runs that tells answers from silence or failures, and may be counted by that: further columns.
    countable: dict[str, str] | None = None

    doubt: Fault | None = None  # why it is not read, unless a file beside it says what it is

    def unjudged(self) -> "Source":
        """A table of runs as one that nobody judged."""
        columns = self.options.get("columns", {}) | (self.countable or {})
        options = {**self.options, **({"columns": columns} if columns else {}), "judged": False}
        undecided = ("how good the answers are: nothing is scored", *self.undecided)
        return self._replace(part="graded", options=options, undecided=undecided)

    @property
    def format(self) -> str:
        return self.options.get("format", f"a table of {self.part}")


class Looked(NamedTuple):
    sources: list[Source]
    beside: dict[str, str]  # files that are read with others, and what they are
    refused: list[Fault]
