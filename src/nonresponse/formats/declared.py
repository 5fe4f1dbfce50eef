"""What the configuration and look.py must know of a format: the types of the records in FORMATS and LOGS."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple


@dataclass(frozen=True)
class Sign:
    """How look.py recognises a file with this ending: by names that occur in it together, whatever else it contains.

    Names are keys in .jsonl and .json (of the outermost object, and a.b for a list b in its object a), columns in .csv
    (as in .tsv and .txt) and .parquet, elements and @attributes in .xml, and files in a folder ("/"). Any other text
    ("") is recognised by a regular expression that at least half of its lines match; if it has a group `tag`, all with
    the same tag.
    """

    ending: str
    # The names that all have to be there, separated by blanks; each may be a regular expression that at least one name
    # has to match. For any other text: the one expression for its lines, taken as words with a blank between them.
    names: str
    # The part of a campaign; "beside": read with other files; "none": not read; "": runs or judgments, by file name.
    part: str = "graded"
    some: str = ""  # further names, at least one of which has to be there, too
    why: str = ""  # the reason that people are told, if not that the names are there; {} stands for the tag
    task: str = ""  # the task of such a file, if the format is for several
    alone: bool = False  # whether no other names may be there
    labels: tuple[str, ...] = ()  # all that a column `label` may hold


@dataclass(frozen=True)
class Format:
    """What the configuration must know of a format."""

    id: str
    tasks: tuple[str, ...] = ()  # the tasks that it is for; empty = all
    runs: tuple[str, ...] = ()  # options of its runs that not every format has
    judgments: tuple[str, ...] = ()  # options of its judgments that not every format has
    correct: tuple[str, ...] = ("R",)  # the labels that count as correct if the configuration names none
    # Of measures.FACTS: what it may tell besides right and wrong; not `nil` if an option has to name the word for it.
    tells: tuple[str, ...] = ()
    # Regular expressions whose group is the question's cluster, or its category, in the name of the question.
    cluster: str = ""
    category: str = ""
    choices: bool = False  # whether its judgments list all options of a multiple-choice question
    has_empty_answers: bool = False  # whether a response may have an empty answer, which `refusals:` may say more of
    judges_nil: bool = False  # whether its judgments may judge NIL, by the words that the runs have for it
    signs: tuple[Sign, ...] = ()


@dataclass(frozen=True)
class Log:
    """What the configuration must know of a harness's log, a format of `graded:`; logs.py describes its module."""

    id: str
    states: tuple[str, ...]  # the verdicts that it can tell
    options: tuple[str, ...] = ()  # options that not every log has
    part: str = "graded"  # where the configuration names it
    tasks: tuple[str, ...] = ("qa",)  # the tasks that it is for
    blind: str = ""  # what it cannot tell apart, for the summary of an import
    tells: tuple[str, ...] = ()  # of measures.FACTS: what it may tell besides the verdicts
    told_with: tuple[str, ...] = ()  # the options that it needs to tell them
    unanswerable: bool = False  # whether it says which questions have no answer
    empty_is_state: bool = False  # an empty answer is one left unanswered, by the log's own rule
    questions: str = ""  # the option that names a file of the questions and their clusters; its module reads that, too
    signs: tuple[Sign, ...] = ()


class Found(NamedTuple):
    """What a module of a log tells look.py of a file that it knows as its own, though no sign does."""

    path: str
    options: dict  # of `graded:`, all but `format` and `files`
    why: str  # what in the content shows this
    undecided: tuple[str, ...] = ()  # questions that the content leaves open, with what is assumed
    beside: Mapping[str, str] = MappingProxyType({})  # files that are read with it, and what they are
