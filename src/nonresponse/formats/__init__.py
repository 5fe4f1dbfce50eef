"""On-disk formats: a record for each, and what reads it.

Logs of harnesses are read as their record declares (`declared.Spec`). Of any other format
`get_reader(id)` has `read_runs(file, options)` and `read_judgments(file, options)`, which return a
frame with `line` and some of the columns of `tables.RESPONSES` or `tables.JUDGMENTS` (no columns
where nothing could be read), and a fault for whatever cannot be read. Where the file names no run
or assessor, its stem is the name. `ingest` checks what was read.

This file imports neither Polars nor numpy: Snakemake reads it each time it starts.
"""

from collections.abc import Callable
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any

from nonresponse.formats import metric_tables
from nonresponse.formats.declared import SHARED_OPTIONS, Format, Sign, Spec
from nonresponse.settings import Files
from nonresponse.tasks.qa import ROMIP_LABELS

if TYPE_CHECKING:
    import polars as pl

    from nonresponse.faults import Fault

# A reader of a file by its options: rows with `line`, and faults.
Reader = Callable[[str, Files], tuple["pl.DataFrame", list["Fault"]]]


def list_options(names: str, columns: str = "") -> tuple[str, ...]:
    """Return the names of options, and of columns that a format has."""
    return (*(f"columns.{name}" for name in columns.split()), *names.split())


# Options of the user's own tables: where in a file the records are; and all that runs and judgments
# share.
SHAPE = ("kind", "encoding", "separator", "records", "keyed", "by_column", "nested")
TABLE_OPTIONS = f"run question {' '.join(SHAPE)} duplicates empty_questions"


def make_line_sign(pattern: str, part: str, having: str) -> Sign:
    """Return the sign of a text whose lines match a pattern."""
    return Sign("", pattern, part, reason=f"its lines have {having}")


# The modules of harnesses, in the order in which they are listed for people
HARNESSES = (
    "inspect",
    "lm_eval",
    "abstentionbench",
    "squad2",
    "helm",
    "promptfoo",
    "openai_evals",
    "lighteval",
    "simple_evals",
    "longmemeval",
    "deepeval",
    "evalscope",
    "verifiers",
    "every_eval_ever",
)
HARNESS_SPECS = [import_module(f"nonresponse.formats.{name}").SPEC for name in HARNESSES]
LOGS = {spec.id: spec for spec in (*HARNESS_SPECS, *metric_tables.SPECS)}
# In the order in which they are listed for people.
FORMATS = {
    format.id: format
    for format in (
        Format(
            "tabular",
            runs=list_options(
                "quoted decimal unanswered nil failed labels threshold answer_from normalise states"
                f" refusals failures {TABLE_OPTIONS}",
                columns="run question epoch candidate answer document rank position confidence"
                " score state error",
            ),
            judgments=list_options(
                f"quoted labels normalise {TABLE_OPTIONS}",
                columns="assessor run question candidate document answer label",
            ),
            tells=("ranks", "scores", "selected", "withheld"),
            has_empty_answers=True,
            judges_nil=True,
        ),
        Format(
            "trec-qa",
            tasks=("qa",),
            runs=("layout", "refusals", "failures"),
            tells=("nil", "ranks", "scores"),
            signs=(
                make_line_sign(r"\S+ (Q0 .*|\S+ \d+ [-+.\de]+ .*)", "runs", "a rank and a score"),
                make_line_sign(
                    r"\S+ \S+ (-1|[123WRUX])( .*)?", "judgments", "a document and a judgment"
                ),
                make_line_sign(
                    r"\d+ (?P<tag>\S+) .*", "runs", "a question, the tag {}, and a document"
                ),
            ),
        ),
        Format(
            "clef-qa4mre",
            tasks=("qa",),
            cluster="^(.*)/",  # the topic and the reading test
            category="^(.*?)/",  # the topic
            tells=("withheld",),
            signs=(
                Sign(".xml", "output question", "runs"),
                Sign(".xml", "test-set answer", "judgments", any_of="q question"),
            ),
        ),
        Format(
            "clef-respubliqa",
            tasks=("qa",),
            runs=("quoted", "refusals", "failures"),
            judgments=("quoted",),
            tells=("withheld",),
            signs=(
                Sign(".csv", "question status paragraph", "runs"),
                Sign(".csv", "run question paragraph judgment", "judgments"),
            ),
        ),
        Format(
            "romip",
            tasks=("qa",),
            runs=list_options(
                "quoted refusals failures", columns="question rank kind answer document"
            ),
            judgments=list_options("quoted", columns="question answer label document"),
            correct=("good",),
            tells=("ranks", "romip"),
            signs=(
                Sign(".csv", "question rank kind answer", "runs"),
                Sign(".csv", "question answer label", "judgments", labels=ROMIP_LABELS),
            ),
        ),
        Format(
            "pan",
            tasks=("validation",),
            runs=list_options("", columns="question score"),
            judgments=list_options("", columns="question label"),
            tells=("scores",),
            headed_by="c@1",  # its systems may abstain
            signs=(
                Sign(".jsonl", "id value", "runs", exact=True),
                Sign(".jsonl", "id same", "judgments", exact=True),
                Sign(".jsonl", "id same authors", "judgments", exact=True),
                Sign(".jsonl", "id label", "", exact=True),
                Sign(".jsonl", "id is_human", "", exact=True),
            ),
        ),
        Format(
            "deft",
            tasks=("dating", "matching"),
            runs=list_options("quoted", columns="question answer confidence"),
            judgments=list_options("quoted", columns="question answer"),
            signs=tuple(
                Sign(".csv", f"question {answer}", part, task=task, exact=True)
                for task, name in (("dating", "year"), ("matching", "label"))
                # With confidences, it is a run for certain
                for answer, part in ((f"{name} confidence", "runs"), (name, ""))
            ),
        ),
    )
}


def list_formats(part: str, task: str | None = None) -> list[str]:
    """Return the formats of a part of the configuration, for a task or for all."""
    logs = [log for log in LOGS.values() if log.part == part]
    formats: list[Format | Spec] = [FORMATS["tabular"], *logs]
    if part in ("runs", "judgments"):
        formats = [*FORMATS.values()]
    return [format.id for format in formats if task is None or task in (format.tasks or (task,))]


def takes_folders(id: str) -> bool:
    return id in LOGS and LOGS[id].takes_folders


def has_text_rules(options: Files) -> bool:
    """Return whether options have rules on the text of answers, such as lists of words."""
    takes_words = options.get("format") in LOGS or ("layout" in options and "gold" not in options)
    return bool(
        {"refusals", "failures"} & options.keys()
        or (takes_words and {"unanswered", "failed"} & options.keys())
    )


def expand_files(id: str, paths: list[str], options: Files) -> list[str]:
    """Return every file that is read if `files:` names these paths, each once."""
    if id not in LOGS:
        return paths
    files = (LOGS[id].list_files(path, options) for path in paths)
    return list(dict.fromkeys(chain.from_iterable(files)))


def list_formats_with_option(part: str, option: str) -> list[str]:
    """Return the formats that have such an option, or options inside it, for a part."""
    if part in ("counts", "graded"):
        logs = [log.id for log in LOGS.values() if part == "graded" and option in log.options]
        tables = ["tabular"] if not logs or option in SHARED_OPTIONS else []
        return [] if option in ("", "format", "files") else [*tables, *logs]
    return [
        format.id
        for format in FORMATS.values()
        if any(f"{name}.".startswith(f"{option}.") for name in getattr(format, part))
    ]


PRESETS = ("romip", "clef-respubliqa", "pan", "deft")  # formats of tables that presets.py has


def get_reader(id: str) -> Any:
    """Return the reader of a format: the record of a log, a preset of tables, or a module."""
    if id in PRESETS:
        return import_module("nonresponse.formats.presets").PRESETS[id]
    return LOGS[id] if id in LOGS else import_module(f"nonresponse.formats.{id.replace('-', '_')}")
