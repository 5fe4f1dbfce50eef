"""The records that declare file formats: how one is recognised, and how a log is read."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from glob import escape, glob
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from nonresponse.formats.text import is_packed, last_ending, stem
from nonresponse.settings import Files
from nonresponse.tasks import VERDICTS

ALL = ("correct", "wrong")  # verdicts that every log can tell
OURS = {verdict: verdict for verdict in VERDICTS}  # the words of scores that are verdicts already
# Options of tables, and of logs that do not tell which responses are answers.
RULES = ("unanswered", "failed", "refusals", "failures")
BOTH = (*RULES, "correct_from")  # of tables and of logs
OF_HARNESS = "results of a harness, which are read with the samples or details beside them"
NO_STATE = "no state tells abstention from an answer"
NOTHING_BUT = "no state but a metric such as not_attempted tells a refusal"


@dataclass(frozen=True)
class Sign:
    """How look.py recognises a file with this ending: by names that occur in it together, whatever
    else it contains.

    Names are keys in .jsonl and .json (of the outermost object, and a.b for a list b in its object
    a), columns in .csv (as in .tsv and .txt) and .parquet, elements and @attributes in .xml, and
    files in a folder ("/"). Any other text ("") is recognised by a regular expression that at least
    half of its lines match; if it has a group `tag`, all with the same tag.
    """

    ending: str
    # The names that all have to be there, separated by blanks; each may be a regular expression
    # that at least one name has to match. For any other text: the one expression for its lines,
    # taken as words with a blank between them.
    names: str
    # The part of a campaign; "beside": read with other files; "none": not read; "": runs or
    # judgments, by file name.
    part: str = "graded"
    some: str = ""  # further names, at least one of which has to be there, too
    # The reason that people are told, if not that the names are there; {} stands for the tag
    why: str = ""
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
    # The labels that count as correct if the configuration names none
    correct: tuple[str, ...] = ("R",)
    # Of measures.FACTS: what it may tell besides right and wrong; not `nil` if an option has to
    # name the word for it.
    tells: tuple[str, ...] = ()
    # Regular expressions whose group is the question's cluster, or its category, in the name of the
    # question.
    cluster: str = ""
    category: str = ""
    choices: bool = False  # whether its judgments list all options of a multiple-choice question
    # Whether a response may have an empty answer, which `refusals:` may say more of
    has_empty_answers: bool = False
    headed_by: str = ""  # the measure that ranks by default, where its task has another first one
    # Whether its judgments may judge NIL, by the words that the runs have for it
    judges_nil: bool = False
    signs: tuple[Sign, ...] = ()


class Found(NamedTuple):
    """A file that a log's format knows as its own by the files beside it, though no sign does."""

    path: str
    options: dict  # of `graded:`, all but `format` and `files`
    why: str  # what in the content shows this
    # Files that are read with it, and what they are
    beside: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class When:
    """A rule of a log: the state of a record whose value at a path is one of `values`, or true."""

    path: str  # as in Spec
    state: str
    values: tuple = ()
    other: bool = False  # whether any value but `values` and null is meant
    begins: str = ""  # instead of `values`: how the text begins
    unless: tuple[str, ...] = ()  # verdicts of the score that win over this rule


Paths = tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Spec:
    """What a harness's log is, a format of `graded:`: log_reader.py reads it, docs/logs.md has a
    table of it.

    A path has a dot between its steps. It starts in the record, after "head:" in the header or the
    results beside the log, and after "score:" in the score. Of several paths the first that leads
    to something counts. A way is the steps of a path into the results; "name={metric}" is the
    object of a list that has this name. Names in braces stand for parts of the file's path:
    {folder}, {stem}, and the groups of `paths`; in ways also for {task} and {metric}.
    """

    id: str
    about: str  # the harness, and what the file is
    states: tuple[str, ...]  # the verdicts that it can tell
    options: tuple[str, ...] = ()  # options that not every log has
    part: str = "graded"  # where the configuration names it
    tasks: tuple[str, ...] = ("qa",)  # the tasks that it is for
    blind: str = ""  # what it cannot distinguish, for the summary of an import
    tells: tuple[str, ...] = ()  # of measures.FACTS: what it may tell besides the verdicts
    told_with: tuple[str, ...] = ()  # the options that it needs to tell them
    unanswerable: bool = False  # whether it says which questions have no answer
    empty_is_state: bool = False  # an empty answer is one left unanswered, by the log's own rule
    questions: str = ""  # the option that names a file of the questions and their clusters
    signs: tuple[Sign, ...] = ()

    # Files: regular expressions of paths, of which the first that matches names parts of the path.
    paths: tuple[str, ...] = ()
    # Files that state results, beside the log: the first pattern that exactly one file matches,
    # and of which no name is empty; or a function that finds the file.
    results: tuple[str, ...] | Callable[[str, dict[str, str]], str | None] = ()
    others: Callable[[str, Files], list[str]] = lambda path, options: []  # further files, if there

    # Records: one on each line, or, unless the file is .jsonl, the elements of the arrays at these
    # paths; the names of what else goes into the head; and a function of the reading and of these
    # records, each with its line, that makes others.
    arrays: tuple[Paths, ...] = ()
    kept: tuple[str, ...] = ()
    records: Callable[[Any, Iterator[tuple[int, Any]]], Iterable[tuple[int, Any]]] | None = None
    # Whether records are made of several values, with the names of fields below: answer, gold, why
    # and others, confidence and missing; and of what wins over what is said there, state and worth.
    joined: bool = False
    run: Paths = ("{stem}",)
    task: Paths = ()
    prefixed: bool = False  # whether the task is a part of the question's name
    question: Paths = ("id",)
    epoch: str = ""  # "": each question once, or, if `counted`, the n-th record of a question
    first_epoch: int = 1
    counted: bool = False

    # Scores: an object by name, of which `option` names one, or the record itself (""); where in it
    # the value is; what words in it mean.
    scores: str | Callable[[Any, dict], dict] = "scores"
    option: str = "metric"
    main: Paths = ()  # where the log says which score counts, or its name in braces
    # Whether one of several scores counts only if its name is known to say what is right
    chooses: bool = True
    value: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    lacking: str = ""  # the state of a record without the score; "" = that is a fault
    rules: tuple[When, ...] = ()
    state: Callable[[Any, dict, Any], str | None] | None = None  # a state that wins over the rules
    # The verdict of an unusual score, below the rules
    meaning: Callable[[Any, dict, Any], str | None] | None = None
    better: tuple[Paths, ...] = ()  # ways to whether more of the score is better

    # Texts; a format that joins records gives them these names. Or the answer and the confidence.
    answer: Paths | Callable[[Any, dict, Any], tuple[str | None, float | None]] = ("answer",)
    asked: Paths = ("asked",)
    target: Paths | Callable[[Any, dict], str | None] = ("target",)
    why: Paths = ("why",)
    facts: str = ""  # an object with what else is known of the question
    gold: Callable[[Any, dict], str | None] | None = None
    text: Paths = ()  # what the checksum of the questions' texts is made of
    judge: Paths = ()  # the model that judged
    failures: str = "unscored"  # how the failures of a judge are read

    # What the log states: the name of its headline, ways to it, and by what its mean is taken, as
    # samples or groups.
    measure: str = "{metric}"
    headlines: tuple[Paths, ...] = ()
    unstated: str = "the log states no score"
    no_results: str = ""  # the same, where a file of results is not there
    # What a sample counts in the mean
    worth: Callable[[Any, dict, str, Any], float | None] | None = None
    group: str = ""  # "question" or "epoch": the mean is one of the means of these
    sample_counts: tuple[Paths, ...] = ()  # ways to numbers whose product is that of the samples
    # The statement, with what is particular to it
    headline: Callable[[Any, Any, list], Any] | None = None

    # Readers of other parts: of `counts:`, and of the questions in the file that `questions` names.
    read_counts: Callable[[str, Files], tuple[dict | None, Any, list]] | None = None
    read_questions: Callable[[str, Files], tuple[Any, list]] | None = None

    # Recognition beyond signs: what an object in a .json is a part of, parts that are read
    # together, and the questions that a file beside a log has.
    part_of: Callable[[dict], str | None] | None = None
    together: Callable[[Mapping[str, dict[str, dict]]], list[Any]] | None = None
    questions_in: Callable[[str], set[str]] | None = None

    def files_of(self, path: str, options: Files) -> list[str]:
        """Return every file that is read where `files:` names this path, as far as it is there."""
        folder = any(sign.ending == "/" for sign in self.signs)
        return [*([] if folder else [path]), *self.results_of(path), *self.others(path, options)]

    def names_of(self, path: str) -> dict[str, str]:
        """Return the parts of a path by name; "" for those that it lacks."""
        full = Path(path).absolute()
        whole = str(full).removesuffix(last_ending(path) if is_packed(path) else "")
        patterns = [re.compile(pattern) for pattern in self.paths]
        parts = {group: "" for pattern in patterns for group in pattern.groupindex}
        match = next(filter(None, (pattern.fullmatch(whole) for pattern in patterns)), None)
        found = match.groupdict("") if match else {}
        return {"folder": full.parent.name, "stem": stem(path)} | parts | found

    def results_of(self, path: str) -> list[str]:
        """Return the file that states results, if it is there."""
        names = self.names_of(path)
        if callable(self.results):
            file = self.results(path, names)
            return [file] if file else []
        safe = {name: escape(part) for name, part in names.items()}
        folder = escape(str(Path(path).parent))
        for pattern in self.results:
            if all(names[name] for name in re.findall(r"{(\w+)}", pattern)):
                found = glob(str(Path(folder, pattern.format_map(safe))))
                if len(found) == 1 and Path(found[0]).is_file():
                    return found
        return []
