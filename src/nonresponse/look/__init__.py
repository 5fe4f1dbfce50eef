"""Finds out what given files are, and which block of config.yaml reads them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from nonresponse.faults import Fault
from nonresponse.formats.declared import Found

QUESTIONS = "questions"  # the part of a campaign that is a table of its questions


class Source(NamedTuple):
    """A file that the workflow can read, or a folder that is a log."""

    path: str
    part: str  # graded, counts, runs, judgments or questions
    options: dict  # options of this part in config.yaml, all but `files`
    why: str  # what in the content shows this
    undecided: tuple[str, ...] = ()  # questions that the content leaves open, with what is assumed
    task: str = "qa"
    how: Mapping[str, str] = MappingProxyType({})  # by state: how sure it is that responses have it, and the evidence

    # If a table of runs tells answers from silence or failures: the columns with which it can be counted without
    # judgments; else null.
    countable: dict[str, str] | None = None

    apart: str = ""  # what is wrong if it is read together with the others of its kind; "" if nothing is
    doubt: Fault | None = None  # why the source will not be read, unless another file shows what it is

    def unjudged(self) -> "Source":
        """This table of runs as graded responses that nobody judged (`judged: false`)."""
        columns = self.options.get("columns", {}) | (self.countable or {})
        options = {**self.options, **({"columns": columns} if columns else {}), "judged": False}
        undecided = ("how good the answers are: nothing is scored", *self.undecided)
        return self._replace(part="graded", options=options, undecided=undecided)

    @classmethod
    def of_log(cls, format: str, found: Found) -> "Source":
        """The source of a log that the module of its format knows as its own."""
        return cls(found.path, "graded", {"format": format} | found.options, found.why, found.undecided)

    @property
    def format(self) -> str:
        return self.options.get("format", f"a table of {self.part}")


class Looked(NamedTuple):
    sources: list[Source]
    beside: dict[str, str]  # path: what it is, of files that are read only together with others
    refused: list[Fault]
