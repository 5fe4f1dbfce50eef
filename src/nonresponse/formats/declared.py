"""The records that declare file formats: how one is recognised, and how a log is read."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from glob import escape, glob
from pathlib import Path
from typing import Any

from nonresponse.formats.text import get_last_ending, get_stem, is_packed
from nonresponse.settings import Files
from nonresponse.tasks import VERDICTS

VERDICT_WORDS = {verdict: verdict for verdict in VERDICTS}  # of scores that are verdicts
# Options of tables, and of logs that do not tell which responses are answers.
RULE_OPTIONS = ("unanswered", "failed", "refusals", "failures")
SHARED_OPTIONS = (*RULE_OPTIONS, "correct_from")  # of tables and of logs
RESULTS_OF_HARNESS = "results of a harness, which are read with the samples or details beside them"
NO_STATE = "nothing marks abstention"
ONLY_A_METRIC = "only a metric such as not_attempted marks abstention"


@dataclass(frozen=True)
class Sign:
    """The names by which `detect` recognises a file with this ending, whatever else it contains.

    Names are the keys of .jsonl and .json, the columns of .csv and .parquet, elements and
    @attributes of .xml, and the files of a folder ("/"). Of .json only keys of the outermost object
    count, and a.b for b in its object a. .tsv and .txt are as .csv. Any other text ("") is
    recognised by a regular expression that at least half of its lines match. If it has a group
    `tag`, these lines have the same tag.
    """

    ending: str
    # The names that the file must have, separated by blanks. Each may be a regular expression that
    # at least one name matches. For any other text: the expression for its lines, as words with a
    # blank between them.
    names: str
    # The part of a campaign; "beside": read with other files; "none": not read; "": runs or
    # judgments, by file name.
    part: str = "graded"
    any_of: str = ""  # further names, of which the file must have at least one
    reason: str = ""  # shown to people; {} stands for the tag; "": that the names are there
    task: str = ""  # the task of such a file, if the format is for several
    exact: bool = False  # whether no other names may be there
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
    # Of measures.FACTS: what it may tell besides right and wrong; `nil` only if no option has to
    # name the word for it
    tells: tuple[str, ...] = ()
    # Regular expressions of a question's name, whose group is its cluster or its category
    cluster: str = ""
    category: str = ""
    # Whether a response may have an empty answer, which `refusals:` may say more of
    has_empty_answers: bool = False
    headed_by: str = ""  # the measure that ranks by default, where its task has another first one
    # Whether its judgments may judge NIL, by the words that the runs have for it
    judges_nil: bool = False
    signs: tuple[Sign, ...] = ()


@dataclass(frozen=True)
class Rule:
    """The state of a record whose value at a path is one of `values`, or true if there are none."""

    path: str  # as in Spec
    state: str
    values: tuple = ()
    negated: bool = False  # whether the rule is for any value but `values` and null
    begins: str = ""  # instead of `values`: how the text begins
    unless: tuple[str, ...] = ()  # verdicts of the score that win over this rule


Paths = tuple[str, ...]
Records = Iterator[tuple[int, Any]]  # each with its line


@dataclass(frozen=True, eq=False, repr=False)
class Spec:
    """A harness's log, a format of `graded:`. log_reader.py reads it, docs/logs.md describes it.

    A path has a dot between its steps. It starts in the record, after "head:" in the header or the
    results beside the log, and after "score:" in the score. Of several paths the first that leads
    to something counts. A way is the steps of a path into the results. Its step "name={metric}"
    leads to the object of a list that has this name. Names in braces stand for parts of the file's
    path: {folder}, {stem}, and the groups of `paths`. In ways there are {task} and {metric}, too.
    """

    id: str
    about: str  # the harness, and what the file is
    states: tuple[str, ...]  # the verdicts that it can tell besides correct and wrong
    options: tuple[str, ...] = ()  # options that not every log has
    part: str = "graded"  # where the configuration names it
    tasks: tuple[str, ...] = ("qa",)  # the tasks that it is for
    limitation: str = ""  # what it cannot distinguish: a clause that follows "In such logs, "
    tells: tuple[str, ...] = ()  # of measures.FACTS: what it may tell besides the verdicts
    needs_options: tuple[str, ...] = ()  # options without which it does not tell them
    unanswerable: bool = False  # whether it says which questions have no answer
    empty_is_state: bool = False  # an empty answer is one left unanswered, by the log's own rule
    questions: str = ""  # the option that names a file of the questions and their clusters
    signs: tuple[Sign, ...] = ()

    # Regular expressions of paths. The first that matches names parts of the path.
    paths: tuple[str, ...] = ()
    # The file of results beside the log: patterns, of which the first counts that exactly one file
    # matches and that has no empty name; or a function that finds it.
    results: tuple[str, ...] | Callable[[str, dict[str, str]], str | None] = ()
    # Further files that are read, as far as they exist
    list_more_files: Callable[[str, Files], list[str]] = lambda *_: []

    # Where the records are, unless one is on each line, as in .jsonl: paths of their arrays
    arrays: tuple[Paths, ...] = ()
    head_keys: tuple[str, ...] = ()  # the keys beside the arrays that go into the head
    # Makes records of the file's, each with its line
    records: Callable[[Any, Records], Records] | None = None
    # Whether `records` builds them of several values. They may then have gold, confidence, missing,
    # and state and worth, which win over what is declared here.
    builds_records: bool = False
    run: Paths = ("{stem}",)
    task: Paths = ()
    task_in_name: bool = False  # whether the task is a part of the question's name
    shots: str = ""  # the pattern of what ends a task's name, and is none of the question's
    question: Paths = ("id",)
    epoch: str = ""  # "": each question is asked once, unless `numbers_epochs`
    first_epoch: int = 1
    numbers_epochs: bool = False  # whether the n-th record of a question is its epoch n

    scores: str | Callable[[Any, dict], dict] = "scores"  # by name; "": the record itself
    option: str = "metric"  # which names the score that counts; "": the only one, of the name ""
    main: Paths = ()  # where the log says which score counts, or its name in braces
    # Whether one of several scores counts only if its name is known to say what is right
    chooses: bool = True
    value: str = ""  # where in a score its value is
    words: Mapping[str, str] = field(default_factory=dict)  # the verdicts of words in it
    missing_state: str = ""  # the state of a record without the score; "" = that is a fault
    # What is said of a log without scores, and what is expected of one without samples
    no_scores: str = "none of its responses has a score of its own"
    samples_expected: str = "at least one"
    rules: tuple[Rule, ...] = ()
    state: Callable[[Any, dict, Any], str | None] | None = None  # a state that wins over the rules
    # The verdict of an unusual score, over which the rules win
    meaning: Callable[[Any, dict, Any], str | None] | None = None
    better: tuple[Paths, ...] = ()  # ways to whether more of the score is better

    # Where texts are. The function returns the answer and the confidence.
    answer: Paths | Callable[[Any, dict, Any], tuple[str | None, float | None]] = ("answer",)
    asked: Paths = ("asked",)
    target: Paths | Callable[[Any, dict], str | None] = ("target",)
    explanation: Paths = ()
    metadata: str = ""  # an object with what else is known of the question
    gold: Callable[[Any, dict], str | None] | None = None
    question_text: Paths = ()  # what the checksum of the questions' texts is made of
    judge: Paths = ()  # the model that judged
    failures: str = "unscored"  # how the failures of a judge are read

    measure: str = "{metric}"  # the name of the headline that the log states
    headlines: tuple[Paths, ...] = ()  # ways to it
    unstated: str = "the log states no score"
    # What a sample counts in the mean, null to leave it out. By default the value of its score: of
    # words correct 1, wrong and unanswered 0, partial 1/2, others null
    worth: Callable[[Any, dict, str, Any], float | None] | None = None
    group: str = ""  # "question" or "epoch": the headline is the mean of the means of these
    sample_counts: tuple[Paths, ...] = ()  # ways to numbers whose product is that of the samples
    # The statement, with what is particular to it
    headline: Callable[[Any, Any, list], Any] | None = None

    # Readers of `counts:`, and of the questions in the file that `questions` names
    read_counts: Callable[[str, Files], tuple[dict | None, Any, list]] | None = None
    read_questions: Callable[[str, Files], tuple[Any, list]] | None = None

    # The questions in a file beside a log; whether an object of their texts is such a log
    read_question_ids: Callable[[str], set[str]] | None = None
    holds_texts: bool = False

    @property
    def verdicts(self) -> tuple[str, ...]:
        return ("correct", "wrong", *self.states)

    @property
    def caveat(self) -> str:
        """What it cannot distinguish, as a sentence; "" if there is nothing."""
        return f"In {self.id} logs, {self.limitation}." if self.limitation else ""

    @property
    def takes_folders(self) -> bool:
        return any(sign.ending == "/" for sign in self.signs)

    def list_files(self, path: str, options: Files) -> list[str]:
        """Return every file that is read where `files:` names this path, as far as it exists."""
        files = [None if self.takes_folders else path, self.find_results(path)]
        return [*filter(None, files), *self.list_more_files(path, options)]

    def parse_path(self, path: str) -> dict[str, str]:
        """Return the parts of a path by name; "" for those that it lacks."""
        full = Path(path).absolute()
        text = str(full).removesuffix(get_last_ending(path) if is_packed(path) else "")
        patterns = [re.compile(pattern) for pattern in self.paths]
        parts = {name: "" for pattern in patterns for name in pattern.groupindex}
        matches = (pattern.fullmatch(text) for pattern in patterns)
        if match := next(filter(None, matches), None):
            parts |= match.groupdict("")
        return {"folder": full.parent.name, "stem": get_stem(path)} | parts

    def find_results(self, path: str) -> str | None:
        """Return the file that states results; null where there is none."""
        parts = self.parse_path(path)
        if callable(self.results):
            return self.results(path, parts)
        escaped = {name: escape(part) for name, part in parts.items()}
        folder = escape(str(Path(path).parent))
        for pattern in self.results:
            if all(parts[name] for name in re.findall(r"{(\w+)}", pattern)):
                files = glob(str(Path(folder, pattern.format_map(escaped))))
                if len(files) == 1 and Path(files[0]).is_file():
                    return files[0]
        return None
