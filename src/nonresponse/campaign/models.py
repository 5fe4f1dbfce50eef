"""Every key of config.yaml: its type, default and description, and what it needs to have an effect.

The types are validated by pydantic, which keeps them plain dicts. Only the validation of a
configuration loads this.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Required

from pydantic import (
    AfterValidator,
    ConfigDict,
    Discriminator,
    Field,
    GetCoreSchemaHandler,
    Tag,
    with_config,
)
from pydantic_core import CoreSchema, PydanticCustomError, core_schema
from typing_extensions import TypedDict

from nonresponse import formats, tasks
from nonresponse.campaign.options import ANSWERS, DATING, LABELS, PAIRS, REPEATED
from nonresponse.formats.text import UNPACKED
from nonresponse.statistics.analyses import ANALYSES


@dataclass(frozen=True)
class Needs:
    """Where a key has an effect: where all of these conditions hold; () = no condition."""

    task: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    format: tuple[str, ...] = ()  # if left out, the formats whose records have the option
    layout: tuple[str, ...] = ()
    graded: tuple[str, ...] = ()  # tasks; a condition only if responses come graded
    beside: tuple[str, ...] = ()  # all of these keys must be given in the same part
    either: tuple[str, ...] = ()  # one of these must be given, unless the files are logs
    without: tuple[str, ...] = ()  # none of these may be given
    # The parts of the campaign in which the key has these conditions; () = all
    part: tuple[str, ...] = ()


@dataclass(frozen=True)
class OneOf:
    """Text that is one of the names of some records."""

    allowed: tuple[str, ...]

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Return a schema of literals, which typing could not state, since the names are known at
        run time only."""
        return core_schema.literal_schema([*self.allowed])


def key(description: str, **rules: Any) -> Any:
    """Describe a key; `rules` are those of pydantic's Field, such as `default` or `ge`."""
    return Field(description=description, **rules)


def refuse_repetition(entries: list) -> list:
    """Refuse a list that has an entry twice."""
    if all(isinstance(entry, Hashable) for entry in entries) and len({*entries}) < len(entries):
        raise PydanticCustomError("repeated", "each entry once")
    return entries


def refuse_emptiness(mapping: dict) -> dict:
    """Refuse a mapping without keys."""
    if not mapping:
        raise PydanticCustomError("empty", "at least one key")
    return mapping


def refuse_true(value: bool) -> bool:
    """Refuse true where a key can only be false: to pydantic, 0 is a literal false."""
    if value:
        raise PydanticCustomError("only_false", "false")
    return value


def form_of(value: object) -> str | None:
    """Return which form of a key with several forms a value has."""
    return {str: "text", list: "a list", dict: "a mapping", int: "a number", float: "a number"}.get(
        type(value)
    )


UNIQUE = [AfterValidator(refuse_repetition), Field(json_schema_extra={"uniqueItems": True})]
SOME_KEY = [AfterValidator(refuse_emptiness), Field(json_schema_extra={"minProperties": 1})]
BY_FORM, TEXT, LIST, MAPPING, NUMBER = (
    Discriminator(form_of),
    *map(Tag, ("text", "a list", "a mapping", "a number")),
)
NAME_OF_FOLDER = {
    "pattern": "^[a-z0-9-]+$",
    "description": "a name of small letters, digits and hyphens",
}

Filled = Annotated[str, Field(min_length=1)]
Words = Annotated[list[str], *UNIQUE]
Phrases = Annotated[
    list[Annotated[str, Field(pattern=r"\S", description="a text that is not blank")]], *UNIQUE
]
FilledOrList = Annotated[
    Annotated[Filled, TEXT] | Annotated[list[Filled], Field(min_length=1), *UNIQUE, LIST], BY_FORM
]
Share = Annotated[float, Field(ge=0, le=1)]
Thresholds = Annotated[
    Annotated[Share, NUMBER] | Annotated[list[Share], Field(min_length=1), *UNIQUE, LIST], BY_FORM
]
WordsOrRest = Annotated[Annotated[Literal["rest"], TEXT] | Annotated[Words, LIST], BY_FORM]
Policy = Literal["wrong", "unanswered", "exclude"]
Analyses = Annotated[list[Annotated[str, OneOf(tuple(ANALYSES))]], *UNIQUE]
States = Annotated[dict[str, Literal["answered", "unanswered", "error"]], Field(min_length=1)]
Verdict = Literal[
    "correct",
    "wrong",
    "partial",
    "unanswered",
    "unscored",
    "error",
    "tp",
    "fp",
    "fn",
    "tn",
    "u_p",
    "u_n",
]

FORMAT = key("the format of the files (docs/formats.md)")
SINGLE = Needs(source=("runs", "graded"))  # the sources that have single responses
OF_ANSWERS, OF_LABELS, OF_PAIRS = Needs(task=ANSWERS), Needs(task=LABELS), Needs(task=PAIRS)
LONG = Needs(layout=("long",), part=("graded",))
NOT_GOLD = Needs(without=("gold", "judged"))
BESIDE_ANSWERS = (
    Needs(without=("threshold",), part=("runs",)),
    Needs(either=("gold", "refusals", "failures", "columns.answer"), part=("graded",)),
)
SAYING_FAILED = tuple(
    dict.fromkeys(
        [
            *formats.taking("runs", "failed"),
            *formats.taking("graded", "failed"),
            *formats.telling("error"),
        ]
    )
)
UNSCORED, PARTIAL = (
    Needs(
        ANSWERS, SINGLE.source, (*formats.FORMATS, *formats.telling(verdict)), without=("judged",)
    )
    for verdict in ("unscored", "partial")
)
FAILED = Needs(source=SINGLE.source, format=SAYING_FAILED, graded=ANSWERS, without=("judged",))


class Reliability(TypedDict, total=False):
    """How to find out how far the scores can be trusted (docs/reliability.md)."""

    analyses: Annotated[
        Analyses,
        key(
            "which analyses to run; [] for none",
            default=[one.id for one in ANALYSES.values() if one.by_default],
        ),
    ]
    level: Annotated[
        float,
        key("the significance level; 0.05: 95 % confidence", default=0.05, ge=0.000001, lt=0.5),
    ]
    trials: Annotated[
        int,
        key("random subsets of the questions that analyses draw", default=100, ge=1, le=100_000),
    ]
    samples: Annotated[
        int,
        key(
            "bootstrap samples of the questions, and half as many sign flips",
            default=10_000,
            ge=100,
            le=1_000_000,
        ),
    ]


class Rules(TypedDict, total=False):
    """Rules on the text of an answer."""

    prefixes: Annotated[Phrases, key("an answer begins with one of these")]
    last_line: Annotated[Phrases, key("one of these is in its last line")]
    contains: Annotated[Phrases, key("one of these is in it")]
    lists: Annotated[Phrases, key("lists of phrases: a shipped one (xstest), or YAML files")]


class Refusals(Rules, total=False):
    """Rules by which the text of an answer says that it is none."""

    empty: Annotated[Literal["unanswered", "wrong", "error"], key("what an empty answer is")]


Official = Annotated[
    Annotated[Filled, TEXT]
    | Annotated[list[Filled], Field(min_length=2, max_length=2), *UNIQUE, LIST],
    BY_FORM,
]


class Table(TypedDict, total=False):
    """How a table is written."""

    kind: Annotated[
        Literal["csv", "tsv", "json", "jsonl", "parquet"],
        key("tabular: what the files are, whatever their endings"),
    ]
    separator: Annotated[
        Literal[",", ";", "|", "\t"], key("tabular: between fields; a comma in .csv, else a tab")
    ]
    quoted: Annotated[bool, key("whether fields may stand in quotes (CSV yes, TSV no)")]


class Shape(Table, total=False):
    """Where in a file its records are, and which run they are of."""

    run: Annotated[
        Filled,
        key("tabular: the column with the run's name, or a pattern such as {folder}"),
        Needs(task=ANSWERS, part=("judgments",)),
        LONG,
    ]
    records: Annotated[Filled, key("tabular: where a .json has its records, as results.rows")]
    keyed: Annotated[
        FilledOrList,
        key("tabular: of objects of records in .json, the columns of their names"),
        Needs(without=("by_column",)),
    ]
    by_column: Annotated[
        bool, key("tabular: whether a .json has columns, each an array or an object")
    ]
    nested: Annotated[
        Filled, key("tabular: the list of objects in each record, of which each is a row")
    ]


class Responses(Shape, total=False):
    """The keys of runs, judgments and graded responses alike."""

    files: Required[
        Annotated[
            FilledOrList,
            key("a path, with * and ** if you like, or a list; mostly a file per run or assessor"),
        ]
    ]
    question: Annotated[
        FilledOrList, key("tabular: the column of questions, a pattern, or several columns")
    ]
    empty_questions: Annotated[
        Literal["fault", "drop"], key("tabular: what becomes of a row without a question")
    ]
    normalise: Annotated[
        Literal["squad"],
        key("tabular: how answers are spelt; squad: as in evaluate-v2.0.py"),
        Needs(task=ANSWERS, part=("runs", "judgments")),
        Needs(beside=("gold",), part=("graded",)),
    ]


class Raw(Responses, total=False):
    """The keys of runs and judgments alike."""

    format: Required[Annotated[str, OneOf(tuple(formats.FORMATS)), FORMAT]]
    duplicates: Annotated[
        Literal["fault", "first", "last", "same"],
        key("tabular: of rows for the same response, which is kept"),
        OF_LABELS,
    ]


class Given(TypedDict, total=False):
    """The keys of runs and graded responses alike, which say what a response is."""

    unanswered: Annotated[
        Words,
        key("answers that mean no answer; if graded, beside gold or a column answer"),
        *BESIDE_ANSWERS,
    ]
    failed: Annotated[
        Words,
        key("answers that mean a breakdown; if graded, beside gold or a column answer"),
        *BESIDE_ANSWERS,
    ]
    answer_from: Annotated[
        Thresholds,
        key("tabular: below this confidence an answer is withheld; of a list, a run each"),
        OF_ANSWERS,
        LONG,
    ]
    refusals: Annotated[
        Refusals,
        key("what the text of an answer says if it is none; the data win"),
        *SOME_KEY,
        OF_ANSWERS,
    ]
    failures: Annotated[
        Rules,
        key("what the text of an answer says if the system broke down"),
        *SOME_KEY,
        OF_ANSWERS,
    ]
    states: Annotated[
        States,
        key("the words of the column state, each with its meaning"),
        Needs(task=ANSWERS, beside=("columns.state",)),
    ]


class Columns(TypedDict, total=False):
    """The columns of runs, judgments and graded responses alike, each with the user's."""

    run: Annotated[str, Needs(without=("run",)), Needs(task=ANSWERS, part=("judgments",)), LONG]
    question: Annotated[str, Needs(without=("question",))]
    candidate: Annotated[
        str, Needs(task=LABELS, part=("runs",)), Needs(task=PAIRS, part=("judgments", "graded"))
    ]
    answer: Annotated[
        str,
        Needs(without=("threshold",), part=("runs",)),
        Needs(task=tuple(name for name in tasks.NAMES if name not in PAIRS), part=("judgments",)),
        Needs(task=ANSWERS, layout=("long",), part=("graded",)),
    ]


class GivenColumns(Columns, total=False):
    """The columns of runs and graded responses alike."""

    epoch: Annotated[str, Needs(task=REPEATED), LONG]
    rank: Annotated[str, OF_ANSWERS, LONG]
    position: Annotated[str, OF_ANSWERS, LONG]
    confidence: Annotated[str, LONG]
    score: Annotated[str, Needs(task=LABELS, part=("runs",)), LONG]
    state: Annotated[str, OF_ANSWERS, LONG]
    error: Annotated[str, OF_ANSWERS, LONG]


class RunColumns(GivenColumns, total=False):
    """The columns of runs."""

    document: Annotated[str, OF_ANSWERS]
    kind: str


class JudgmentColumns(Columns, total=False):
    """The columns of judgments."""

    assessor: str
    document: Annotated[str, OF_ANSWERS]
    label: Annotated[str, OF_LABELS]


class GradedColumns(GivenColumns, total=False):
    """The columns of graded responses."""

    category: str
    verdict: Annotated[str, Needs(layout=("long",), without=("gold", "assessors", "judged"))]
    has_answer: Annotated[str, Needs(task=ANSWERS, layout=("long",), without=("gold",))]
    unanswerable: Annotated[
        str, Needs(task=ANSWERS, layout=("long",), without=("gold", "columns.has_answer"))
    ]
    asked: str
    target: str
    explanation: str


class QuestionColumns(TypedDict, total=False):
    """The columns of a table of questions."""

    question: str
    has_answer: Annotated[str, OF_ANSWERS]
    category: str
    run: str


class Runs(Raw, Given, total=False):
    """The raw runs."""

    columns: Annotated[RunColumns, key("the columns of the format, each with yours")]
    nil: Annotated[
        Words, key("tabular: answers that mean that the collection has none"), OF_ANSWERS
    ]
    labels: Annotated[
        dict[str, Literal["VALIDATED", "SELECTED", "REJECTED"]],
        key("tabular, validation: your words, each with our decision"),
        Needs(task=PAIRS, without=("threshold",)),
    ]
    threshold: Annotated[
        float, key("tabular, validation: accept above this score, reject below it"), OF_PAIRS
    ]
    layout: Annotated[
        Literal["ranked", "ordered"], key("trec-qa: which of the two forms the runs have")
    ]


class Labels(TypedDict, total=False):
    """What the labels of judgments mean."""

    correct: Annotated[Words, key("the labels that count as correct", min_length=1), OF_ANSWERS]
    closed: Annotated[
        bool, key("an answer key, in which what is not listed is wrong", default=False), OF_ANSWERS
    ]


class Judgments(Raw, Labels, total=False):
    """The judgments."""

    columns: Annotated[JudgmentColumns, key("the columns of the format, each with yours")]
    official: Annotated[
        Official,
        key("the official assessor; or majority, or 2 of 3: a vote; or both, [2 of 3, ann]"),
    ]
    partial: Annotated[Words, key("the labels that count as partly right", default=[]), OF_ANSWERS]
    labels: Annotated[dict[str, str], key("tabular: your words, each with our label"), OF_LABELS]


class Graded(Responses, Given, total=False):
    """Responses that are graded already."""

    format: Required[Annotated[str, OneOf(tuple(formats.in_part("graded"))), FORMAT]]
    layout: Annotated[
        Literal["long", "wide"],
        key("a row per response, or per question with a column per system", default="long"),
    ]
    columns: Annotated[GradedColumns, key("our column names, each with yours")]
    duplicates: Annotated[
        Literal["fault", "first", "last", "same", "unscored"],
        key("tabular: of rows for the same response, which is kept, or that they be unscored"),
        OF_LABELS,
    ]
    judged: Annotated[
        bool,
        AfterValidator(refuse_true),
        key(
            "false: nobody judged these answers; they are counted as given",
            json_schema_extra={"const": False},
        ),
        Needs(task=ANSWERS, layout=("long",), without=("gold", "assessors")),
    ]
    verdicts: Annotated[dict[str, Verdict], key("your words, each with our verdict"), NOT_GOLD]
    correct_from: Annotated[
        float, key("a verdict that is a number is correct from this one on"), NOT_GOLD, OF_ANSWERS
    ]
    # Of pairs, verdicts say it
    gold: Annotated[str, key("the column that holds the gold answer"), OF_ANSWERS]
    missing: Annotated[Words, key("values that mean the run never saw the question")]
    assessors: Annotated[
        dict[str, str],
        key("several assessors side by side, each with its column", min_length=1),
        LONG,
    ]
    official: Annotated[
        Official,
        key("the official assessor; or majority, or 2 of 3: a vote; or both, [2 of 3, ann]"),
        Needs(beside=("assessors",)),
    ]
    epochs: Annotated[
        Literal["first", "runs", "all"],
        key("repeated samples: the first (if left out), a run each, or samples of one run"),
    ]
    metric: Annotated[
        str,
        key(
            "the metric or scorer that says what is correct; the first known if left out; lm-eval: "
            "with the filter, if you like, as in exact_match,strict-match"
        ),
    ]
    best: Annotated[
        int, key("what the metric is of a correct answer, 0 or 1; 1 if left out", ge=0, le=1)
    ]
    key: Annotated[
        Filled, key("squad2: the data file; longmemeval: the questions, with their types")
    ]
    na_prob: Annotated[
        Filled, key("squad2: the probabilities of no answer; {run} is the run's name")
    ]
    threshold: Annotated[
        float,
        key("squad2: above this probability a question is unanswered; 1 if left out"),
        Needs(beside=("na_prob",)),
    ]
    systems: Annotated[
        Words, key("wide: the columns that are systems", min_length=1), Needs(layout=("wide",))
    ]
    pivot: Annotated[
        dict[str, str],
        key(
            "tabular: of a row per metric, the column of names with that of values",
            min_length=1,
            max_length=1,
        ),
        LONG,
    ]
    ignore: Annotated[
        WordsOrRest,
        key("columns that are no systems, or not ours; rest: all others"),
        Needs(without=("systems",)),
    ]


class Counts(Shape, total=False):
    """Tables of counts whose columns have names of their own, or logs that hold counts."""

    format: Required[Annotated[str, OneOf(tuple(formats.in_part("counts"))), FORMAT]]
    files: Required[Annotated[Filled, key("a path, with * and ** if you like")]]
    columns: Annotated[dict[str, str], key("tabular: run and our counts, each with your column")]
    ignore: Annotated[WordsOrRest, key("tabular: the columns that are neither; rest: all others")]


class Questions(Table, total=False):
    """A table of questions."""

    file: Required[Annotated[Filled, key("its path")]]
    columns: Annotated[QuestionColumns, key("our column names, each with yours")]


class Gate(TypedDict, total=False):
    """A test of a measure: no worse than the baseline by a margin, at most or at least a bound."""

    measure: Required[
        Annotated[str, key("such as c@1; or the share of n_unscored, n_error or n_not_asked")]
    ]
    margin: Annotated[float, key("what a run may lose against the baseline", gt=0)]
    at_most: Annotated[float, key("what the measure, or the share, may be at most")]
    at_least: Annotated[float, key("what the measure has to be at least")]


class Owner(TypedDict, total=False):
    """The runs of a system or participant."""

    runs: Required[Annotated[Words, key("its runs", min_length=1)]]
    baseline: Annotated[str, key("the run that the others are compared with")]


Owners = Annotated[
    Annotated[
        str,
        key(
            "a regular expression for runs, with one group, (…), that names the owner", min_length=1
        ),
        TEXT,
    ]
    | Annotated[
        dict[
            Annotated[str, Field(min_length=1, max_length=300)],
            Annotated[
                Annotated[Words, Field(min_length=1), LIST] | Annotated[Owner, MAPPING], BY_FORM
            ],
        ],
        Field(min_length=1),
        MAPPING,
    ],
    BY_FORM,
]


class Policies(TypedDict, total=False):
    """What a scenario may change, beside what labels mean."""

    unscored: Annotated[
        Policy, key("what an answer that nobody judged counts as", default="wrong"), UNSCORED
    ]
    error: Annotated[
        Policy, key("what a breakdown of the system counts as", default="wrong"), FAILED
    ]
    partial: Annotated[
        Policy, key("what a partly correct answer counts as", default="wrong"), PARTIAL
    ]
    missing: Annotated[
        Literal["unanswered", "wrong", "exclude"],
        key("a question without a response; unanswered in raw runs, else exclude, if left out"),
        SINGLE,
    ]
    compare_on: Annotated[
        Literal["shared", "all"],
        key("runs are compared on the questions that all were asked, or on all", default="shared"),
        SINGLE,
    ]


class Scenario(Policies, Labels, total=False):
    """The options in which a scenario differs from the campaign."""


class Campaign(Policies, total=False):
    """A campaign: its data, what they mean, and what is asked of them."""

    task: Required[Annotated[str, OneOf(tasks.NAMES), key("what the runs do")]]
    title: Annotated[str, key("a line for the heads of tables")]
    simulated: Annotated[
        bool, key("whether the data are made up; every table then says so", default=False)
    ]
    runs: Annotated[Runs, key("the raw runs")]
    judgments: Annotated[Judgments, key("the judgments")]
    graded: Annotated[Graded, key("responses that are graded already")]
    counts: Annotated[
        Annotated[Filled, TEXT] | Annotated[Counts, MAPPING],
        key("published counts: a CSV file, or tables with other columns, or logs"),
        BY_FORM,
    ]
    questions: Annotated[
        Annotated[Filled, TEXT] | Annotated[Questions, MAPPING],
        key("a table with question and, if you like, has_answer, category, run"),
        BY_FORM,
        SINGLE,
    ]
    cluster: Annotated[
        Filled, key("the column of the question file with clusters, such as reading tests"), SINGLE
    ]
    options: Annotated[
        Annotated[int, Field(ge=2, le=1000), NUMBER] | Annotated[Filled, TEXT],
        key("of multiple choice: the number of options, or its column in the question file"),
        BY_FORM,
        OF_ANSWERS,
    ]
    measures: Annotated[
        Words, key("ids of measures, the first one sorts; those that fit if left out", min_length=1)
    ]
    years: Annotated[
        list[Annotated[int, Field(ge=1, le=9999)]],
        key(
            "dating: the first and the last year; 1801 and 1944 if left out",
            min_length=2,
            max_length=2,
        ),
        Needs(task=DATING),
    ]
    baseline: Annotated[str, key("the run that differences are reported against")]
    open: Annotated[  # whatever it is, a pair of unknown truth is left out
        Literal["rejected"],
        key("validation: pairs left open are rejected to F; in none if left out"),
        OF_PAIRS,
    ]
    scenarios: Annotated[
        dict[
            Annotated[str, Field(max_length=40, **NAME_OF_FOLDER)], Annotated[Scenario, *SOME_KEY]
        ],
        key("other labels that are correct, other policies, by name", min_length=1),
        SINGLE,
    ]
    gates: Annotated[
        list[Gate],
        key("what every run but the baseline has to pass (docs/gates.md)", min_length=1),
        SINGLE,
    ]
    systems: Annotated[Owners, key("runs that are configurations of one system, by system"), SINGLE]
    names: Annotated[
        Annotated[Filled, TEXT]
        | Annotated[
            dict[str, Annotated[str, Field(min_length=1, max_length=300)]],
            Field(min_length=1),
            MAPPING,
        ],
        key("new names of runs, or a table with run, name and attributes"),
        BY_FORM,
    ]
    reliability: Annotated[
        Reliability, key("what differs from the reliability of all campaigns"), SINGLE
    ]
    shards: Annotated[
        int, key("how many jobs read and judge the runs", default=1, ge=1, le=1000), SINGLE
    ]


# And so all that is in it
@with_config(ConfigDict(extra="forbid", strict=True, allow_inf_nan=False))
class Config(TypedDict, total=False):
    """The configuration of nonresponse."""

    campaigns: Required[
        Annotated[
            dict[Annotated[str, Field(max_length=100, **NAME_OF_FOLDER)], Campaign],
            key("the campaigns to evaluate, by name", min_length=1),
        ]
    ]
    seed: Annotated[
        int,
        key(
            "what all random draws follow from; the same seed gives the same results",
            default=2011,
            ge=0,
        ),
    ]
    reliability: Annotated[
        Reliability,
        key(
            "how far scores can be trusted (docs/reliability.md)", default={}, validate_default=True
        ),
    ]
    unpacked: Annotated[
        float,
        key(
            "gigabytes that a packed file (.gz, .zst, .parquet) may unpack to",
            default=UNPACKED["gigabytes"],
            gt=0,
        ),
    ]
