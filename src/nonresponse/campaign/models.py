"""Every key of config.yaml: its type, default and description, and what it needs to have an effect.

Pydantic validates the types; the configuration itself stays plain dicts.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    GetCoreSchemaHandler,
    Tag,
)
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from nonresponse import formats, legible, tasks
from nonresponse.campaign.options import ANSWERS, LABELS, PAIRS, REPEATED
from nonresponse.formats.text import ENCODINGS
from nonresponse.statistics.analyses import ANALYSES


@dataclass(frozen=True)
class Needs:
    """Where a key has an effect: where all of these conditions hold; () = no condition."""

    task: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    format: tuple[str, ...] = ()  # if left out, the formats whose records have the option
    layout: tuple[str, ...] = ()
    graded: tuple[str, ...] = ()  # tasks; a condition only if responses come graded
    companions: tuple[str, ...] = ()  # all of these keys must be given in the same part
    either: tuple[str, ...] = ()  # one of these must be given, unless the files are logs
    conflicts: tuple[str, ...] = ()  # none of these may be given
    # The parts of the campaign in which the key has these conditions; () = all
    part: tuple[str, ...] = ()


@dataclass(frozen=True)
class OneOf:
    """Text that is one of the names of some records, which typing cannot state."""

    allowed: tuple[str, ...]

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Return a schema of literals."""
        return core_schema.literal_schema([*self.allowed])


class Model(BaseModel):
    """A mapping without unknown keys. Nothing is converted but whole to real numbers."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, defer_build=True)


def required(description: str, **rules: Any) -> Any:
    """Describe a key that must be given; `rules` are those of pydantic's Field, such as `ge`."""
    return Field(description=description, **rules)


def option(description: str | None, *needs: Needs, default: Any = None, **rules: Any) -> Any:
    """Describe a key that may be left out, with its default, if any, and what it needs."""
    field = Field(default, description=description, **rules)
    field.metadata.extend(needs)
    return field


def column(*needs: Needs) -> Any:
    """Describe a key that names the user's column for one of ours."""
    return option(None, *needs)


def refuse_repetition(entries: list) -> list:
    """Refuse a list that has an entry twice."""
    if all(isinstance(entry, Hashable) for entry in entries) and len({*entries}) < len(entries):
        raise PydanticCustomError("repeated", "each entry once")
    return entries


FORMS = {str: "a text", list: "a list", dict: "a mapping", int: "a number", float: "a number"}


def find_form(value: object) -> str:
    """Return the form of a value, by which a key with several forms is validated."""
    return FORMS.get(type(value), "another")


UNIQUE = [AfterValidator(refuse_repetition), Field(json_schema_extra={"uniqueItems": True})]
TYPED = Discriminator(find_form)
TEXT, LIST, MAPPING, NUMBER = map(Tag, dict.fromkeys(FORMS.values()))
NAME_OF_FOLDER, NOT_BLANK = "^[a-z0-9-]+$", r"\S"

Filled = Annotated[str, Field(min_length=1)]
Words = Annotated[list[str], *UNIQUE]
SomeWords = Annotated[list[str], Field(min_length=1), *UNIQUE]
Phrases = Annotated[list[Annotated[str, Field(pattern=NOT_BLANK)]], *UNIQUE]
FilledOrList = Annotated[
    Annotated[Filled, TEXT] | Annotated[list[Filled], Field(min_length=1), *UNIQUE, LIST], TYPED
]
Share = Annotated[float, Field(ge=0, le=1)]
Thresholds = Annotated[
    Annotated[Share, NUMBER] | Annotated[list[Share], Field(min_length=1), *UNIQUE, LIST], TYPED
]
WordsOrRest = Annotated[Annotated[Literal["rest"], TEXT] | Annotated[Words, LIST], TYPED]
TwoWords = Annotated[list[Filled], Field(min_length=2, max_length=2), *UNIQUE, LIST]
Official = Annotated[Annotated[Filled, TEXT] | TwoWords, TYPED]
Policy = Literal["wrong", "unanswered", "exclude"]
Analyses = Annotated[list[Annotated[str, OneOf(tuple(ANALYSES))]], *UNIQUE]
States = dict[str, Literal["answered", "unanswered", "error"]]
Verdict = Annotated[str, OneOf((*tasks.VERDICTS, "tp", "fp", "fn", "tn", "u_p", "u_n"))]
Format = Annotated[str, OneOf(tuple(formats.FORMATS))]

DECIMAL = "tabular: the mark of decimals; the other separates thousands"
FORMAT = "the format of the files (docs/formats.md)"
OFFICIAL = "the official assessor; or majority, or 2 of 3: a vote; or both, [2 of 3, ann]"
SINGLES = Needs(source=("runs", "graded"))  # the sources that have single responses
QA_ONLY, LABELLED, PAIRED = Needs(task=ANSWERS), Needs(task=LABELS), Needs(task=PAIRS)
RUNS_OF_ANSWERS = Needs(task=ANSWERS, part=("judgments",))
RUNS_OF_LABELS = Needs(task=LABELS, part=("runs",))
LONG = Needs(layout=("long",), part=("graded",))
NOT_GOLD = Needs(conflicts=("gold", "judged"))
BESIDE_ANSWERS = (
    Needs(conflicts=("threshold",), part=("runs",)),
    Needs(either=("gold", "refusals", "failures", "columns.answer"), part=("graded",)),
)
TELLING = {
    verdict: [log.id for log in formats.LOGS.values() if verdict in log.verdicts]
    for verdict in ("unscored", "partial", "error")
}
UNSCORED, PARTIAL = (
    Needs(ANSWERS, SINGLES.source, (*formats.FORMATS, *TELLING[verdict]), conflicts=("judged",))
    for verdict in ("unscored", "partial")
)
SAYING_FAILED = {
    *formats.list_formats_with_option("runs", "failed"),
    *formats.list_formats_with_option("graded", "failed"),
}
FAILED = Needs(
    source=SINGLES.source,
    format=tuple(sorted({*SAYING_FAILED, *TELLING["error"]})),
    graded=ANSWERS,
    conflicts=("judged",),
)


class Reliability(Model):
    """How to find out how far the scores can be trusted (docs/reliability.md)."""

    analyses: Analyses = option(
        "which analyses to run; [] for none",
        default=[analysis.id for analysis in ANALYSES.values() if analysis.default],
    )
    level: float = option("significance level; 0.05: 95 %", default=0.05, ge=0.000001, lt=0.5)
    trials: int = option("random subsets of the questions", default=100, ge=1, le=100_000)
    samples: int = option(
        "bootstrap samples of the questions, and half as many sign flips",
        default=10_000,
        ge=100,
        le=1_000_000,
    )


class Rules(Model):
    """Rules on the text of an answer."""

    prefixes: Phrases = option("an answer begins with one of these")
    last_line: Phrases = option("one of these is in its last line")
    contains: Phrases = option("one of these is in it")
    lists: Phrases = option("lists of phrases: a shipped one (xstest), or YAML files")


class Refusals(Rules):
    """Rules by which the text of an answer says that it is none."""

    empty: Literal["unanswered", "wrong", "error"] = option("what an empty answer is")


class Table(Model):
    """How a table is written."""

    kind: Literal["csv", "tsv", "json", "jsonl", "parquet"] = option(
        "tabular: what the files are, whatever their endings"
    )
    encoding: Annotated[str, OneOf(ENCODINGS)] = option("tabular: of files that are no UTF-8")
    separator: Literal[",", ";", "|", "\t"] = option(
        "tabular: between fields; comma in .csv, else tab"
    )
    quoted: bool = option("whether fields may stand in quotes (CSV yes, TSV no)")


class Shape(Table):
    """Where in a file its records are, and which run they are of."""

    run: Filled = option(
        "tabular: the column with the run's name, or a pattern such as {folder}",
        RUNS_OF_ANSWERS,
        LONG,
    )
    records: Filled = option(
        "tabular: where a .json has its records, as results.rows; *: its objects"
    )
    keyed: FilledOrList = option(
        "tabular: of objects of records in .json, the columns of their names",
        Needs(conflicts=("by_column",)),
    )
    by_column: bool = option("tabular: whether a .json has columns, each an array or an object")
    nested: Filled = option(
        "tabular: the list, or object, of objects in each record that are the rows; `members` for "
        "all objects in it"
    )


class Responses(Shape):
    """The keys of runs, judgments and graded responses alike."""

    files: FilledOrList = required("a path, with * and ** if you like, or a list of them")
    question: FilledOrList = option("tabular: column of questions, a pattern, or several columns")
    empty_questions: Literal["fault", "drop"] = option("tabular: what a row without a question is")
    normalise: Literal["squad"] = option(
        "tabular: how answers are spelt; squad: as in evaluate-v2.0.py",
        Needs(task=ANSWERS, part=("runs", "judgments")),
        Needs(companions=("gold",), part=("graded",)),
    )


class Raw(Responses):
    """The keys of runs and judgments alike."""

    format: Format = required(FORMAT)
    duplicates: Literal["fault", "first", "last", "same"] = option(
        "tabular: of rows for the same response, which is kept", LABELLED
    )


class ResponseOptions(Model):
    """The keys of runs and graded responses alike, which say what a response is."""

    unanswered: Words = option(
        "answers that mean no answer; if graded, beside gold or a column answer", *BESIDE_ANSWERS
    )
    failed: Words = option(
        "answers that mean a breakdown; if graded, beside gold or a column answer", *BESIDE_ANSWERS
    )
    decimal: Literal["comma", "point"] = option(DECIMAL)
    answer_from: Thresholds = option(
        "tabular: below this confidence an answer is withheld; of a list, a run each",
        QA_ONLY,
        LONG,
    )
    refusals: Refusals = option(
        "what the text of an answer says if it is none; the data win", QA_ONLY
    )
    failures: Rules = option("what the text of an answer says if the system broke down", QA_ONLY)
    states: States = option(
        "the words of the column state, each with its meaning",
        Needs(task=ANSWERS, companions=("columns.state",)),
        min_length=1,
    )


class Columns(Model):
    """The columns of runs, judgments and graded responses alike, each with the user's."""

    run: str = column(Needs(conflicts=("run",)), RUNS_OF_ANSWERS, LONG)
    question: str = column(Needs(conflicts=("question",)))
    candidate: str = column(RUNS_OF_LABELS, Needs(task=PAIRS, part=("judgments", "graded")))
    answer: str = column(
        Needs(conflicts=("threshold",), part=("runs",)),
        Needs(task=tuple(name for name in tasks.NAMES if name not in PAIRS), part=("judgments",)),
        Needs(task=ANSWERS, layout=("long",), part=("graded",)),
    )


class ResponseColumns(Columns):
    """The columns of runs and graded responses alike."""

    epoch: str = column(Needs(task=REPEATED), LONG)
    rank: str = column(QA_ONLY, LONG)
    position: str = column(QA_ONLY, LONG)
    confidence: str = column(LONG)
    score: str = column(RUNS_OF_LABELS, LONG)
    state: str = column(QA_ONLY, LONG)
    error: str = column(QA_ONLY, LONG)


class RunColumns(ResponseColumns):
    """The columns of runs."""

    document: str = column(QA_ONLY)
    kind: str = column()


class JudgmentColumns(Columns):
    """The columns of judgments."""

    assessor: str = column()
    document: str = column(QA_ONLY)
    label: str = column(LABELLED)


class GradedColumns(ResponseColumns):
    """The columns of graded responses."""

    category: str = column()
    verdict: str = column(Needs(layout=("long",), conflicts=("gold", "assessors", "judged")))
    has_answer: str = column(Needs(task=ANSWERS, layout=("long",), conflicts=("gold",)))
    unanswerable: str = column(
        Needs(task=ANSWERS, layout=("long",), conflicts=("gold", "columns.has_answer"))
    )
    asked: str = column()
    target: str = column()
    explanation: str = column()


class QuestionColumns(Model):
    """The columns of a table of questions."""

    question: str = column()
    has_answer: str = column(QA_ONLY)
    category: str = column()
    run: str = column()


class Runs(ResponseOptions, Raw):
    """The raw runs."""

    columns: RunColumns = option("the columns of the format, each with yours")
    nil: Words = option("tabular: answers that mean that the collection has none", QA_ONLY)
    labels: dict[str, Literal["VALIDATED", "SELECTED", "REJECTED"]] = option(
        "tabular, validation: your words, each with our decision",
        Needs(task=PAIRS, conflicts=("threshold",)),
    )
    threshold: float = option("validation: accept above this score, reject below it", PAIRED)
    layout: Literal["ranked", "ordered"] = option("trec-qa: which of the two forms the runs have")


class Labels(Model):
    """What the labels of judgments mean."""

    correct: SomeWords = option("the labels that count as correct", QA_ONLY)
    closed: bool = option("an answer key: what is not listed is wrong", QA_ONLY, default=False)


class Judgments(Labels, Raw):
    """The judgments."""

    columns: JudgmentColumns = option("the columns of the format, each with yours")
    official: Official = option(OFFICIAL)
    partial: Words = option("the labels that count as partly right", QA_ONLY, default=[])
    labels: dict[str, str] = option("tabular: your words, each with our label", LABELLED)


class Graded(ResponseOptions, Responses):
    """Responses that are graded already."""

    format: Annotated[str, OneOf(tuple(formats.list_formats("graded")))] = required(FORMAT)
    layout: Literal["long", "wide"] = option(
        "a row per response, or per question with a column per system", default="long"
    )
    columns: GradedColumns = option("our column names, each with yours")
    duplicates: Literal["fault", "first", "last", "same", "unscored", "epochs"] = option(
        "tabular: of rows for the same response, which is kept; or unscored, or epochs for all",
        LABELLED,
    )
    judged: Literal[False] = option(
        "nobody judged these answers; they are counted as given",
        Needs(task=ANSWERS, layout=("long",), conflicts=("gold", "assessors")),
    )
    verdicts: dict[str, Verdict] = option("your words, each with our verdict", NOT_GOLD)
    correct_from: float = option(
        "a verdict that is a number is correct from it on", NOT_GOLD, QA_ONLY
    )
    # Of pairs, verdicts say it
    gold: str = option("the column that holds the gold answer", QA_ONLY)
    missing: Words = option("values that mean the run never saw the question")
    assessors: dict[str, str] = option(
        "several assessors side by side, each with its column", LONG, min_length=1
    )
    official: Official = option(OFFICIAL, Needs(companions=("assessors",)))
    epochs: Literal["first", "runs", "all"] = option(
        "repeated samples: the first (if left out), a run each, or samples of one run"
    )
    metric: str = option(
        "the metric or scorer that says what is correct; the first known if left out; lm-eval: "
        "with the filter, if you like, as in exact_match,strict-match"
    )
    best: int = option("what the metric is of a correct answer, 0 or 1; 1 if left out", ge=0, le=1)
    key: Filled = option("squad2: the data file; longmemeval: the questions, with their types")
    na_prob: Filled = option("squad2: the probabilities of no answer; {run} is the run's name")
    threshold: float = option(
        "squad2: above this probability a question is unanswered; 1 if left out",
        Needs(companions=("na_prob",)),
    )
    systems: SomeWords = option("wide: the columns that are systems", Needs(layout=("wide",)))
    pivot: dict[str, str] = option(
        "tabular: of a row per metric, the column of names with that of values",
        LONG,
        min_length=1,
        max_length=1,
    )
    ignore: WordsOrRest = option("columns that are not ours; rest: all others", LONG)


class Counts(Shape):
    """Tables of counts whose columns have names of their own, or logs that hold counts."""

    format: Annotated[str, OneOf(tuple(formats.list_formats("counts")))] = required(FORMAT)
    files: FilledOrList = required("a path, with * and ** if you like, or a list of them")
    columns: dict[str, str | Literal[False]] = option(
        "tabular: run and our counts, each with your column; no: there is none"
    )
    ignore: WordsOrRest = option("tabular: the columns that are neither; rest: all others")
    decimal: Literal["comma", "point"] = option(DECIMAL)


class Questions(Table):
    """A table of questions."""

    file: Filled = required("its path")
    columns: QuestionColumns = option("our column names, each with yours")


class Gate(Model):
    """A test of a measure: no worse than the baseline by a margin, at most or at least a bound."""

    measure: str = required("such as c@1; or the share of n_unscored, n_error or n_not_asked")
    margin: float = option("what a run may lose against the baseline", gt=0)
    at_most: float = option("what the measure, or the share, may be at most")
    at_least: float = option("what the measure has to be at least")


class Owner(Model):
    """The runs of a system or participant."""

    runs: SomeWords = required("its runs")
    baseline: str = option("the run that the others are compared with")


Name = Annotated[str, Field(pattern=legible.NAME)]
Pattern = Annotated[
    str,
    Field(
        description="a regular expression for runs, with one group, (…), that names the owner",
        min_length=1,
    ),
    TEXT,
]
RunsOfOwner = Annotated[Annotated[SomeWords, LIST] | Annotated[Owner, MAPPING], TYPED]
Owners = Annotated[
    Pattern | Annotated[dict[Name, RunsOfOwner], Field(min_length=1), MAPPING], TYPED
]


class Policies(Model):
    """What a scenario may change, beside what labels mean."""

    unscored: Policy = option("what an answer that nobody judged is", UNSCORED, default="wrong")
    error: Policy = option("what a breakdown of the system is", FAILED, default="wrong")
    partial: Policy = option("what a partly correct answer counts as", PARTIAL, default="wrong")
    missing: Literal["unanswered", "wrong", "exclude"] = option(
        "a question without a response; unanswered in raw runs, else exclude, if left out",
        SINGLES,
    )
    compare_on: Literal["shared", "all"] = option(
        "runs are compared on the questions that all were asked, or on all",
        SINGLES,
        default="shared",
    )


class Scenario(Labels, Policies):
    """The options in which a scenario differs from the campaign."""


class Campaign(Policies):
    """A campaign: its data, what they mean, and what is asked of them."""

    task: Annotated[str, OneOf(tasks.NAMES)] = required("what the runs do")
    title: str = option("a line for the heads of tables")
    runs: Runs = option("the raw runs")
    judgments: Judgments = option("the judgments")
    graded: Graded = option("responses that are graded already")
    counts: Annotated[Filled, TEXT] | Annotated[Counts, MAPPING] = option(
        "published counts: a CSV file, or tables with other columns, or logs",
        discriminator=TYPED,
    )
    questions: Annotated[Filled, TEXT] | Annotated[Questions, MAPPING] = option(
        "a table of the questions",
        SINGLES,
        discriminator=TYPED,
    )
    cluster: Filled = option("column of the question file with clusters, as reading tests", SINGLES)
    options: int = option(
        "of multiple choice: how many options a question has", QA_ONLY, ge=2, le=1000
    )
    measures: SomeWords = option("ids of measures, the first one sorts; those that fit if left out")
    baseline: str = option("the run that differences are reported against")
    # Whatever it is, a pair of unknown truth is left out
    open: Literal["rejected"] = option(
        "validation: `rejected` takes unanswered pairs as rejected in F", PAIRED
    )
    scenarios: dict[Annotated[str, Field(max_length=40, pattern=NAME_OF_FOLDER)], Scenario] = (
        option("other correct labels or policies, by name", SINGLES, min_length=1)
    )
    gates: list[Gate] = option(
        "what every run but the baseline has to pass (docs/gates.md)",
        SINGLES,
        min_length=1,
    )
    systems: Owners = option("runs that are configurations of one system, by system", SINGLES)
    names: dict[str, Name] = option(
        "runs as the files name them, each with its new name", min_length=1
    )
    reliability: Reliability = option("what differs from the reliability of all campaigns", SINGLES)
    shards: int = option("how many jobs read and judge the runs", SINGLES, default=1, ge=1, le=1000)


class Config(Model):
    """The configuration of nonresponse."""

    campaigns: dict[Annotated[str, Field(max_length=100, pattern=NAME_OF_FOLDER)], Campaign] = (
        required("the campaigns to evaluate, by name", min_length=1)
    )
    seed: int = option(
        "what all random draws follow from",
        default=2011,
        ge=0,
        lt=2**53,
    )
    reliability: Reliability = option("how far scores can be trusted", default={})
